"""The path desk: which query is outstanding for which movement record (NAV-04)."""

from __future__ import annotations

from ai.navigation.path_service import PathService, QueryHandle


class PathDesk:
    """At most one query handle a record row.

    Cancelling a handle does not prove that no reply exists: one already formed is
    rejected by its generation, at the consumer.
    """

    def __init__(self, service: PathService) -> None:
        self._service = service
        self._handles: dict[int, QueryHandle] = {}

    def note(self, row: int, handle: QueryHandle) -> None:
        """Keep the handle of a row's request; an older one is cancelled first."""
        self.cancel(row)
        self._handles[row] = handle

    def handle(self, row: int) -> QueryHandle | None:
        """The outstanding handle of a row."""
        return self._handles.get(row)

    def drop(self, row: int) -> None:
        """Forget a handle whose reply has been taken."""
        self._handles.pop(row, None)

    def cancel(self, row: int) -> bool:
        """Tell the service to drop the row's query; False if there is none or it has ended."""
        handle = self._handles.pop(row, None)
        return handle is not None and self._service.cancel(handle)
