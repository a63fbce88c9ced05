"""Who a task in a ped's main tree belongs to: the seven identity fields of ORD-07."""

from __future__ import annotations

from typing import NamedTuple

from ai.ports import EntityRef
from ai.tasks.trees import PRIMARY, PrimarySlot


class SlotIdentity(NamedTuple):
    """Written when a command is placed, compared field by field ever after.

    "Same task type" is never enough: two orders, two sessions of one source or two
    sources of one kind differ here and nowhere else.
    """

    tree_kind: int
    slot: int
    task_type: int
    source: EntityRef | None
    from_script: bool
    command_kind: str
    session: int

    @classmethod
    def of_main(
        cls,
        task_type: int,
        source: EntityRef | None = None,
        command_kind: str = "",
        session: int = 0,
        *,
        from_script: bool = False,
    ) -> SlotIdentity:
        """What PRIMARY shows; by default of a task that no command placed."""
        return cls(
            PRIMARY,
            int(PrimarySlot.PRIMARY),
            task_type,
            source,
            from_script,
            command_kind,
            session,
        )

    def first_difference(self, other: SlotIdentity) -> str | None:
        """Name of the first field that differs, or None if all seven agree."""
        for name, mine, theirs in zip(self._fields, self, other, strict=True):
            if mine != theirs:
                return name
        return None
