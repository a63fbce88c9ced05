"""Writes the project's own motion clips from key poses, gait tables and footfalls.

``python -m ai.motion.authoring`` reads ``assets/clips/authored/*.toml`` and
``assets/rigs/*.toml`` and writes ``assets/clips/<name>.json``. Nothing here runs
in a simulation.
"""
