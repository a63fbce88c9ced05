"""Runs of shipped levels for the window: restarted, exchanged, refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ai import settings
from game.level_sessions import LevelSessions
from game.levels.errors import LevelError
from game.ui.errors import SessionRefused
from game.ui.session import Mark

ROOT = Path(__file__).resolve().parents[2]


def fingerprint(sessions: LevelSessions, steps: int = 60) -> str:
    session = sessions.present
    for _ in range(steps):
        session.step()
    return session.world.fingerprint.hexdigest()


def test_a_restart_is_the_same_run_from_its_beginning() -> None:
    """Product 6: restart the level; the seed of the command line stays."""
    with LevelSessions("pickup", seed=11, strict=False) as sessions:
        first = fingerprint(sessions)
        again = sessions.restart()
        assert again.world.clock.step == 0
        assert again.world.seed == 11
        assert fingerprint(sessions) == first


def test_another_level_is_opened_by_name_with_its_own_seed() -> None:
    with LevelSessions("pickup", seed=11, strict=False) as sessions:
        other = sessions.open("hold_redirect")
        assert other.world.description.name == "hold_redirect"
        assert other.world.seed != 11
        assert fingerprint(sessions)


def test_a_refused_level_leaves_the_present_run_as_it_is() -> None:
    with LevelSessions("pickup", seed=None, strict=False) as sessions:
        present = sessions.present.world
        with pytest.raises(SessionRefused, match="no level 'pickupp'"):
            sessions.open("pickupp")
        assert sessions.present.world is present
        assert fingerprint(sessions)


def test_a_first_level_that_is_not_there_is_refused() -> None:
    with pytest.raises(LevelError, match="no level 'nowhere'"):
        LevelSessions("nowhere", seed=None, strict=False)


def test_the_levels_own_words_are_its_objectives_and_are_ticked_off() -> None:
    """Product 6: levels show their expectations as objectives with ticks."""
    with LevelSessions("pickup", seed=None, strict=False) as sessions:
        session = sessions.present
        aim = "The courier reaches the side of the car"
        assert dict(session.objectives)[aim] is Mark.OPEN
        assert all("order." not in words for words, _ in session.objectives)
        for _ in range(60 * 13):
            session.step()
        assert dict(session.objectives)[aim] is Mark.REACHED


def test_every_shipped_level_can_be_chosen_with_a_title_and_a_word_on_it() -> None:
    with LevelSessions("pickup", seed=None, strict=False) as sessions:
        entries = sessions.levels()
    assert {"block", "pickup"} <= {entry.name for entry in entries}
    assert all(entry.title and entry.description for entry in entries)


def test_strict_checks_stay_on_through_a_restart_and_end_with_the_last_run() -> None:
    before = settings.strict
    settings.strict = False
    try:
        with LevelSessions("pickup", seed=None, strict=True) as sessions:
            sessions.restart()
            assert settings.strict
            assert sessions.present.world.strict
        assert not settings.strict
    finally:
        settings.strict = before


def test_the_window_opens_before_anything_heavy_is_imported() -> None:
    """Product 3: heavy imports are lazy; what opens the window needs pygame alone."""
    program = (
        "import sys, game.play\n"
        "heavy = ('numpy', 'pymunk', 'shapely', 'av', 'pygame_gui', 'pytiled_parser')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    # The one line says too that pygame's greeting stays away (product 4).
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_playing_imports_neither_the_encoder_nor_the_widgets_before_they_are_asked_for() -> None:
    """Product 3: the encoder comes with the first recording, pygame_gui with the first menu."""
    program = (
        "import sys, game.level_sessions, game.ui.window\n"
        "print([name for name in ('av', 'pygame_gui', 'rich') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_a_run_can_be_shown_from_a_moment_on() -> None:
    """Engineering notes: a failed level is opened at the step that decided; never backwards."""
    with LevelSessions("pickup", seed=11, strict=False, image="turned") as sessions:
        sessions.present.run_to(1.5)
        assert sessions.present.world.clock.step == 90
        sessions.present.run_to(0.5)
        assert sessions.present.world.clock.step == 90
        width, height = 1800.0, 1700.0
        assert sessions.present.world.description.width_cm == height != width
