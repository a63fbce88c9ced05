"""Peds whose mind is a machine, a tree or a rule script, and who carries its actions out (ACT)."""
