"""Typed inputs of a brain, frozen once a step, and the conditions that read them (BB)."""
