"""Hierarchical state machines, flat machines and rule scripts (HSM-01 to HSM-26)."""
