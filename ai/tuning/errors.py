"""What is raised for tuning data that can't be used."""

from __future__ import annotations


class TuningError(Exception):
    """A tuning file that can't be used; the text names file, key and reason in one sentence."""
