"""What the next click on the street answers, after a slice of the order ring has asked."""

from __future__ import annotations

from enum import Enum

from game.ui.hud import Hint

PATROL_POINTS_MAX = 16


class Asking(Enum):
    """The open question; the value is what the mouse's hint says."""

    REDIRECT = Hint("Redirect", "click where to go instead · Esc keeps the order as it is")
    FOLLOW = Hint("Follow", "click whom or what to follow · Esc leaves it")
    FACE = Hint("Face", "click where to look · Esc leaves it")
    PATROL = Hint("Patrol", "click the points of the round · right click the last · Esc leaves it")

    @property
    def hint(self) -> Hint:
        """What the mouse can do now."""
        return self.value
