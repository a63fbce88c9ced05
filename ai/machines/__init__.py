"""Machines, behaviour trees, rule scripts, blackboard and action ledger (README.md)."""
