"""A fresh task pool and an empty street for every test of the event system."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai import settings
from ai.tasks.task_pool import TaskPool
from tests.ai.events.event_doubles import Person, Street


@pytest.fixture(autouse=True)
def pool() -> TaskPool:
    """The pool of the test's world; tests with a world of their own activate another."""
    made = TaskPool()
    made.activate()
    return made


@pytest.fixture
def street() -> Street:
    """Nobody is there yet."""
    return Street()


@pytest.fixture
def ped(street: Street) -> Person:
    """The first of the street, at the origin."""
    return street.person()


@pytest.fixture
def in_play() -> Iterator[None]:
    """Strict checks off, as a player runs it."""
    settings.strict = False
    yield
    settings.strict = True
