"""Who holds each resource of a ped, inside the ledger and outside it (ACT-08, ACT-17)."""

from __future__ import annotations

from ai.machines.errors import LedgerContractError
from ai.machines.ledger.command import Command, CommandState
from ai.machines.ledger.resources import (
    CONFLICT_BITS,
    RESOURCES,
    Resource,
    conflict_bits,
    words,
)

EXTERNAL_PRIORITY = 90
"""Priority of knock-downs and other holders outside the ledger (ACT-22)."""


class ResourceTable:
    """Holders of the five resources of one ped.

    Invariants, checked by ``check``:

    - no two holders of conflicting resources, except one command with itself;
    - ``command.held`` has the bit of a resource exactly while ``holders`` names it.
    """

    __slots__ = ("body_hold_since", "body_hold_steps", "claimants", "external", "holders")

    def __init__(self) -> None:
        self.holders: list[Command | None] = [None] * len(RESOURCES)
        self.external: list[list[int]] = [[] for _ in RESOURCES]
        self.claimants: list[Command] = []
        self.body_hold_steps = 0
        self.body_hold_since = -1

    def blockers(self, command: Command, bits: int) -> list[Command]:
        """Commands in the way of ``bits``, holders and suspended claimants, by command id."""
        wanted = conflict_bits(bits)
        found = {
            holder.id: holder
            for resource, holder in enumerate(self.holders)
            if holder is not None and holder is not command and wanted >> resource & 1
        }
        for claimant in self.claimants:
            if claimant is not command and claimant.kind.resources & wanted:
                found[claimant.id] = claimant
        return [found[number] for number in sorted(found)]

    def taken_outside(self, bits: int) -> bool:
        """Is anything that conflicts with ``bits`` held outside the ledger."""
        wanted = conflict_bits(bits)
        return any(uids and wanted >> resource & 1 for resource, uids in enumerate(self.external))

    def is_free(self, command: Command, bits: int) -> bool:
        """May the command take ``bits`` now."""
        return not self.taken_outside(bits) and not self.blockers(command, bits)

    def take(self, command: Command, bits: int) -> None:
        """Give free resources to a command."""
        for resource in RESOURCES:
            if bits >> resource & 1:
                self.holders[resource] = command
        command.held |= bits

    def give_back(self, command: Command, bits: int) -> None:
        """Take resources from a command."""
        for resource in RESOURCES:
            if bits >> resource & 1:
                if self.holders[resource] is not command:
                    raise LedgerContractError(
                        f"c{command.id} gives back {resource.word}, which it does not hold"
                    )
                self.holders[resource] = None
        command.held &= ~bits

    def begin_outside(self, resource: Resource, uid: int, step: int) -> None:
        """Note an outside holder."""
        self.external[resource].append(uid)
        if resource is Resource.BODY and self.body_hold_since < 0:
            self.body_hold_since = step

    def end_outside(self, resource: Resource, uid: int, step: int) -> None:
        """Forget an outside holder; an unknown one is ignored."""
        if uid in self.external[resource]:
            self.external[resource].remove(uid)
        if resource is Resource.BODY and not self.external[resource] and self.body_hold_since >= 0:
            self.body_hold_steps += step - self.body_hold_since
            self.body_hold_since = -1

    def body_held_until(self, step: int) -> int:
        """Steps so far in which a body response held the ped (ACT-06)."""
        running = step - self.body_hold_since if self.body_hold_since >= 0 else 0
        return self.body_hold_steps + running

    def check(self) -> None:
        """Raise ``LedgerContractError`` if an invariant is broken."""
        for resource, holder in enumerate(self.holders):
            if holder is None:
                continue
            if holder.state is CommandState.DONE or not holder.held >> resource & 1:
                raise LedgerContractError(
                    f"{words(1 << resource)} is held by c{holder.id}, which is not its holder"
                )
            for other, second in enumerate(self.holders):
                clash = CONFLICT_BITS[resource] >> other & 1
                if second is not None and second is not holder and clash:
                    raise LedgerContractError(
                        f"c{holder.id} and c{second.id} hold conflicting resources "
                        f"{words(1 << resource)} and {words(1 << other)}"
                    )
