"""Collision callbacks that can't lose an exception (F3).

An exception inside a callback of pymunk only prints and the step goes on. Here
every callback is wrapped: the first exception is kept, later callbacks of the
same sub-step are skipped, and the exception is raised when the step has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import pymunk

ContactCallback: TypeAlias = Callable[[pymunk.Arbiter], None]


class CallbackGuard:
    """Keeps the first exception of a callback until somebody can raise it."""

    def __init__(self) -> None:
        self._error: BaseException | None = None

    def wrap(
        self, callback: ContactCallback
    ) -> Callable[[pymunk.Arbiter, pymunk.Space, Any], None]:
        """A callback for ``Space.on_collision`` that never raises."""

        def guarded(arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: Any) -> None:
            if self._error is None:
                try:
                    callback(arbiter)
                except BaseException as error:
                    self._error = error

        return guarded

    def raise_kept(self) -> None:
        """Raise the kept exception, with its own traceback, and forget it."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
