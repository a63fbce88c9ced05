"""Failures of the window that a user can cause, each one sentence with its mend."""

from __future__ import annotations


class NoDisplay(Exception):
    """There is no screen to open a window on (F11)."""
