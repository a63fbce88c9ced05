"""Errors of the event system; each text says how to mend what went wrong."""

from __future__ import annotations


class EventError(Exception):
    """Base of them all."""


class EventClockError(EventError):
    """Event time was asked for or moved outside its bracket (EVT-04)."""


class UnregisteredEvent(EventError):
    """An event of a class that the registry does not know (EVT-11)."""


class QueueMutationError(EventError):
    """A queue was changed while somebody iterates over it, or from another thread (EVT-19)."""


class EventBudgetError(EventError):
    """Strict: there is no room for another live event (EVT-20)."""


class ResponseError(EventError):
    """A response was filled with a task that has no place there (EVT-64)."""


class HandlerError(EventError):
    """Strict: the handler was called where it may not run, or went round in a circle."""


class DecisionMakerError(EventError):
    """A change of decision makers that their limits or names forbid (EVT-81)."""
