"""Limp peds in pymunk: bodies, joints and the channels that a plan view lacks (RAG)."""
