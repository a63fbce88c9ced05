"""A fresh pool and a ped for every test of the kernel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai import settings
from ai.tasks.task_pool import TaskPool
from tests.ai.tasks.doubles import FakePed, Log


@pytest.fixture(autouse=True)
def pool() -> TaskPool:
    """The pool of the test's world."""
    made = TaskPool()
    made.activate()
    return made


@pytest.fixture
def ped() -> FakePed:
    """A ped with its four trees; its default task does nothing for ever."""
    return FakePed()


@pytest.fixture
def log() -> Log:
    """What the probes of a test did, in order."""
    return []


@pytest.fixture
def in_play() -> Iterator[None]:
    """Strict checks off, as a player runs it."""
    settings.strict = False
    yield
    settings.strict = True
