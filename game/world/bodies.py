"""Who owns what in the pymunk space: the one door in and out.

Every body, shape and joint enters through ``BodyRegistry.add`` with an owner and
leaves through ``remove``, once, joints first (RAG-13, F2). Both may be called from
a collision callback, also from one that a removal brings about: the change is then
made when the sub-step or the removal has ended, in the order in which it was asked
for. (pymunk's own deferral keeps a set, whose order differs from run to run.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import pymunk

from ai.ports import EntityKind
from game.world.callbacks import CallbackGuard


class BodyOwner(NamedTuple):
    """The entity that a body stands for; its slot can't be reused while the body lives."""

    kind: EntityKind
    slot: int


@dataclass(slots=True, eq=False)
class OwnedBody:
    """Everything that one owner has in the space.

    - ``body`` is None for shapes on the static body.
    - ``in_space`` is false before a deferred addition and after removal.
    """

    owner: BodyOwner
    body: pymunk.Body | None
    shapes: tuple[pymunk.Shape, ...]
    joints: tuple[pymunk.Constraint, ...] = field(default=())
    in_space: bool = False
    removed: bool = False


class BodyRegistry:
    """Adds and removes, and knows the owner of each shape.

    ``changes`` counts what has entered or left the space.

    Invariant (``check``): each body, shape and joint of the space belongs to exactly
    one ``OwnedBody`` that is in the space.
    """

    def __init__(self, space: pymunk.Space, guard: CallbackGuard) -> None:
        self._space = space
        self._guard = guard
        self._owned: dict[OwnedBody, None] = {}
        self._owner_of_shape: dict[pymunk.Shape, BodyOwner] = {}
        self._deferred: list[OwnedBody] | None = None
        self.changes = 0

    def __len__(self) -> int:
        return len(self._owned)

    def add(self, owned: OwnedBody) -> None:
        """Bring a body with its shapes and joints into the space."""
        if self._deferred is not None:
            self._deferred.append(owned)
        else:
            self._enter(owned)

    def remove(self, owned: OwnedBody) -> bool:
        """Take everything out; False if that was asked for before.

        Raises what a ``separate`` callback raised.
        """
        if owned.removed:
            return False
        owned.removed = True
        if self._deferred is not None:
            self._deferred.append(owned)
        elif owned.in_space:
            self._deferred = [owned]
            self._make_deferred()
            self._guard.raise_kept()
        return True

    def owner(self, shape: pymunk.Shape) -> BodyOwner | None:
        """The owner of a shape, or None if it is not of this registry."""
        return self._owner_of_shape.get(shape)

    def all_asleep(self) -> bool:
        """True if no body in the space is awake; a kinematic one never sleeps.

        The youngest first: a standing ped's circle has mostly come last.
        """
        for body in reversed(tuple(self._space.bodies)):  # noqa: SIM110 - no generator in a step
            if not body.is_sleeping:
                return False
        return True

    # -- the step --------------------------------------------------------------

    def step_space(self, dt_s: float) -> None:
        """One ``space.step`` with additions and removals held back until its end.

        Raises what a callback raised, after the held-back changes are made.
        """
        self._deferred = []
        try:
            self._space.step(dt_s)
        finally:
            self._make_deferred()
        self._guard.raise_kept()

    def _make_deferred(self) -> None:
        """Make the held-back changes, and those that their callbacks ask for."""
        while self._deferred:
            changes, self._deferred = self._deferred, []
            for owned in changes:
                if owned.removed and owned.in_space:
                    self._leave(owned)
                elif not owned.removed:
                    self._enter(owned)
        self._deferred = None

    # -- invariants ------------------------------------------------------------

    def check(self) -> tuple[str, ...]:
        """What breaks the invariant, one sentence each; empty if all is well."""
        faults: list[str] = []
        owners: dict[object, BodyOwner] = {}
        for owned in self._owned:
            parts = (*owned.shapes, *owned.joints)
            for part in parts if owned.body is None else (owned.body, *parts):
                if part in owners:
                    faults.append(f"{part} is owned by {owners[part]} and {owned.owner}")
                owners[part] = owned.owner
        space = self._space
        present = dict.fromkeys((*space.bodies, *space.shapes, *space.constraints))
        faults.extend(f"{part} has no owner" for part in present if part not in owners)
        faults.extend(
            f"{part} of {owner} is not in the space"
            for part, owner in owners.items()
            if part not in present
        )
        return tuple(faults)

    def _enter(self, owned: OwnedBody) -> None:
        self.changes += 1
        if owned.body is not None:
            self._space.add(owned.body)
        self._space.add(*owned.shapes, *owned.joints)
        owned.in_space = True
        self._owned[owned] = None
        for shape in owned.shapes:
            self._owner_of_shape[shape] = owned.owner

    def _leave(self, owned: OwnedBody) -> None:
        self.changes += 1
        owned.in_space = False
        del self._owned[owned]
        self._space.remove(*owned.joints)
        self._space.remove(*owned.shapes)
        if owned.body is not None:
            self._space.remove(owned.body)
        for shape in owned.shapes:
            del self._owner_of_shape[shape]
