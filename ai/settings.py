"""The switches that every room of ``ai`` reads: strict checks and debug aids (TASK-02).

``strict`` must never change behaviour, random draws or simulated timing as long
as no fault occurs; it only adds checks.
"""

from __future__ import annotations

strict: bool = False
"""Run the strict checks of TASK-02 too (set by pytest, ``bystander test``, ``--strict-ai``)."""

debug: bool = False
"""Keep debug histories (TASK-116) although strict checks are off (``play --debug``)."""
