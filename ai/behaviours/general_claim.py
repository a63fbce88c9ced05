"""The claim on the general movement record, for tasks without an order or response above them."""

from __future__ import annotations

from ai.behaviours.actor import Actor
from ai.motion.claims import ClaimOwner


def hold_general_claim(actor: Actor, tag: int) -> bool:
    """Have the claim under this tag, taking it if need be; False if it is refused (NAV-13).

    A task that is entered anew, or a copy of one, may find it still there.
    """
    system = actor.services.movement
    kind = ClaimOwner.CONTROL_MOVEMENT
    if any(claim.is_of(kind, tag) for claim in system.claims.held(actor.slot)):
        return True
    priority = system.tuning.claim.general
    return system.claims.take(actor.slot, priority, kind, actor.ref, tag) is not None


def release_general_claim(actor: Actor, tag: int) -> None:
    """Give the claim under this tag back, if it is held."""
    actor.services.movement.claims.release(actor.slot, ClaimOwner.CONTROL_MOVEMENT, tag)
