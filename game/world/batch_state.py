"""The one module that uses ``pymunk.batch``: all prop bodies read in one call.

The batch face of pymunk may change with any version, hence the single place. It
hands out bodies in the space's own order, which changes as bodies fall asleep;
here they come in the order of their slots. It is used for reading only: its
setter wakes every sleeper, and skips some, as waking reorders the lists that it
walks.
"""

from __future__ import annotations

import numpy as np
import pymunk
import pymunk.batch
from numpy.typing import NDArray

from game.world.things import STATE_COLUMNS

_FIELDS = (
    pymunk.batch.BodyFields.BODY_ID
    | pymunk.batch.BodyFields.POSITION
    | pymunk.batch.BodyFields.ANGLE
    | pymunk.batch.BodyFields.VELOCITY
    | pymunk.batch.BodyFields.ANGULAR_VELOCITY
)


class BatchState:
    """Poses and velocities of the registered bodies, in slot order.

    Invariant: ``_order`` maps the space's order as of ``_ids`` to ``slots``; it is None
    when a body has come or gone since.
    """

    def __init__(self, space: pymunk.Space) -> None:
        self._space = space
        self._buffer = pymunk.batch.Buffer()
        self._slot_of_id: dict[int, int] = {}
        self._ids: NDArray[np.uintp] = np.empty(0, dtype=np.uintp)
        self._order: NDArray[np.int64] | None = None
        self.slots: NDArray[np.int64] = np.empty(0, dtype=np.int64)

    def register(self, body: pymunk.Body, slot: int) -> None:
        """Read this body from now on."""
        self._slot_of_id[body.id] = slot
        self._changed()

    def forget(self, body: pymunk.Body) -> None:
        """Read this body no more."""
        del self._slot_of_id[body.id]
        self._changed()

    def slot_of(self, body: pymunk.Body) -> int | None:
        """The slot a body was registered for, or None."""
        return self._slot_of_id.get(body.id)

    def read(self) -> NDArray[np.float64]:
        """Shape (n, 6), rows as ``slots``, columns as ``ThingTable.state``.

        Raises ``LookupError`` if a registered body is not in the space.
        """
        if not len(self.slots):
            return np.empty((0, STATE_COLUMNS), dtype=np.float64)
        self._buffer.clear()
        pymunk.batch.get_space_bodies(self._space, _FIELDS, self._buffer)
        ids = np.frombuffer(self._buffer.int_buf(), dtype=np.uintp)
        if self._order is None or not np.array_equal(ids, self._ids):
            self._sort(ids)
        rows = np.frombuffer(self._buffer.float_buf(), dtype=np.float64)
        assert self._order is not None
        state: NDArray[np.float64] = rows.reshape(-1, STATE_COLUMNS)[self._order]
        return state

    def _changed(self) -> None:
        self._order = None
        self.slots = np.array(sorted(self._slot_of_id.values()), dtype=np.int64)

    def _sort(self, ids: NDArray[np.uintp]) -> None:
        self._ids = ids.copy()
        index_of_slot: dict[int, int] = {}
        for index, body_id in enumerate(ids.tolist()):
            slot = self._slot_of_id.get(body_id)
            if slot is not None:
                index_of_slot[slot] = index
        if len(index_of_slot) != len(self.slots):
            raise LookupError(
                f"{len(self.slots) - len(index_of_slot)} registered bodies are not in the space; "
                "take them out through BodyRegistry.remove"
            )
        self._order = np.array([index_of_slot[slot] for slot in self.slots.tolist()])
