"""A dummy display and fonts for every test here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from game.recording.headless import drawing_without_window


@pytest.fixture(scope="package", autouse=True)
def canvas_and_fonts() -> Iterator[None]:
    with drawing_without_window():
        yield
