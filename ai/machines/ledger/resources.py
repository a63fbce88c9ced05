"""The five exclusive resources of a ped and which of them exclude each other (ACT-08)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Resource(IntEnum):
    """In the canonical order in which a staged action takes them (ACT-06)."""

    MOVER = 0
    HANDS = 1
    VOICE = 2
    GAZE = 3
    BODY = 4

    @property
    def word(self) -> str:
        """Its name in files and traces."""
        return self.name.lower()


RESOURCES = tuple(Resource)
BY_WORD = {resource.word: resource for resource in RESOURCES}

CONFLICTS: dict[Resource, tuple[Resource, ...]] = {
    Resource.MOVER: (Resource.MOVER, Resource.BODY),
    Resource.HANDS: (Resource.HANDS, Resource.BODY),
    Resource.VOICE: (Resource.VOICE,),
    Resource.GAZE: (Resource.GAZE, Resource.BODY),
    Resource.BODY: (Resource.MOVER, Resource.HANDS, Resource.GAZE, Resource.BODY),
}
"""A ped on the ground may still shout: body leaves the voice alone."""

CONFLICT_BITS = tuple(sum(1 << other for other in CONFLICTS[resource]) for resource in RESOURCES)
"""``CONFLICTS`` as bits, by resource number."""


def bits_of(resources: Iterable[Resource]) -> int:
    """A set of resources as bits."""
    bits = 0
    for resource in resources:
        bits |= 1 << resource
    return bits


def conflict_bits(bits: int) -> int:
    """Bits of everything that conflicts with any of ``bits``."""
    found = 0
    for resource in RESOURCES:
        if bits >> resource & 1:
            found |= CONFLICT_BITS[resource]
    return found


def words(bits: int) -> str:
    """``mover,hands`` or ``none``, in canonical order."""
    found = ",".join(resource.word for resource in RESOURCES if bits >> resource & 1)
    return found or "none"
