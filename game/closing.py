"""What holds something until it is closed, and is closed when its ``with`` block ends."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class ClosedAtEnd:
    """Base of context managers whose end is ``close``; a second ``close`` does nothing."""

    def close(self) -> None:
        """Give back what is held."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
