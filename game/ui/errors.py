"""Failures of the window that a user can cause, each one sentence with its mend."""

from __future__ import annotations


class NoDisplay(Exception):
    """There is no screen to open a window on (F11)."""


class SessionRefused(Exception):
    """A level can't be played; the text is one sentence with file, key or object."""
