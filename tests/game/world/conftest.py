"""Fixtures of this room."""

from __future__ import annotations

import pytest

from tests.game.world.small_worlds import SmallWorld


@pytest.fixture
def world() -> SmallWorld:
    """An empty street with physics."""
    return SmallWorld()
