"""Short sentences for the player."""

from __future__ import annotations

import pytest

from game.ui.notices import NOTICE_S, Notices


def test_a_sentence_stands_for_a_few_seconds_and_goes() -> None:
    notices = Notices()
    notices.say("Too heavy to shove")
    notices.advance(NOTICE_S - 0.01)
    assert notices.words == "Too heavy to shove"
    notices.advance(0.02)
    assert notices.words == ""


def test_a_new_sentence_takes_the_place_of_the_old_and_has_its_whole_time() -> None:
    notices = Notices()
    notices.say("first")
    notices.advance(NOTICE_S - 0.5)
    notices.say("second")
    notices.advance(NOTICE_S - 0.5)
    assert notices.words == "second"


@pytest.mark.parametrize("waited_s", [0.0, 1.0])
def test_a_level_that_begins_has_nothing_to_tell(waited_s: float) -> None:
    notices = Notices()
    notices.say("The run stopped")
    notices.advance(waited_s)
    notices.clear()
    assert notices.words == ""
