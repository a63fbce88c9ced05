"""Knock-down and recovery: from a hit over the limp body to the ped on its feet (RAG, REC)."""
