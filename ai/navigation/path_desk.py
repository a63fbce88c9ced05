"""Which path request each movement record has outstanding: at most one (NAV-04)."""

from __future__ import annotations

from ai.navigation.path_service import PathService, QueryHandle


class PathDesk:
    """Outstanding handles by record row.

    The desk guards the service. Whether an answer that has already been formed is
    still wanted the record's generation decides (NAV-05), never the desk.
    """

    def __init__(self, service: PathService) -> None:
        self._service = service
        self._handles: dict[int, QueryHandle] = {}

    def note(self, row: int, handle: QueryHandle) -> None:
        """Keep a record's request, cancelling the one it had before."""
        self.cancel(row)
        self._handles[row] = handle

    def handle(self, row: int) -> QueryHandle | None:
        """The outstanding request of a record, if it has one."""
        return self._handles.get(row)

    def cancel(self, row: int) -> bool:
        """Tell the service to drop a record's request; False if there is none to drop."""
        handle = self._handles.pop(row, None)
        return handle is not None and self._service.cancel(handle)

    def drop(self, row: int) -> None:
        """Forget a record's request without a word to the service: it has been answered."""
        self._handles.pop(row, None)
