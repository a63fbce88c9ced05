"""Behaviour trees: shared definitions, one instance per ped (BT)."""
