"""Who touches whom: collision categories, masks and height bands (RAG-09, LOC-20).

Seen from above, height is told apart by three bands; a thing is in each band that
its height interval meets, and two things touch only if they share one. Each kind
of body that asks for bands has three category bits, one a band.

| body | touches |
|---|---|
| static | whatever asks for it |
| solid prop (15 kg and more) | static things and props of its bands |
| light prop | the same, and standing peds, who push it |
| standing ped | light props and limp bodies: walkers never shove what is heavy |
| limp body | static things and props of the one band it is in; fast: standing peds |

Masks are unsigned 32-bit constants; ``~`` would leave that range.
"""

from __future__ import annotations

from enum import IntEnum

import pymunk

LOW, MID, HIGH = 1, 2, 4
ALL_BANDS = LOW | MID | HIGH
BAND_EDGES_CM = (30.0, 100.0)

_STATIC_SHIFT = 0
_SOLID_PROP_SHIFT = 3
_LIGHT_PROP_SHIFT = 6
_STANDING = 1 << 9
_LIMP_SHIFT = 10

_EVERYTHING = 0xFFFFFFFF


class CollisionType(IntEnum):
    """What a shape belongs to, for the callbacks of a contact."""

    STATIC = 1
    PROP = 2
    STANDING = 3
    LIMP = 4


def bands_of(z_low_cm: float, z_high_cm: float) -> int:
    """The bands that a height interval meets; touching an edge is not meeting."""
    low_edge, high_edge = BAND_EDGES_CM
    bands = 0
    if z_low_cm < low_edge:
        bands |= LOW
    if z_low_cm < high_edge and z_high_cm > low_edge:
        bands |= MID
    if z_high_cm > high_edge:
        bands |= HIGH
    return bands


def static_filter(bands: int) -> pymunk.ShapeFilter:
    """Of what stands: it leaves the choice to the other side."""
    return pymunk.ShapeFilter(categories=bands << _STATIC_SHIFT, mask=_EVERYTHING)


def prop_filter(bands: int, *, solid: bool) -> pymunk.ShapeFilter:
    """Of a prop."""
    mask = _touched_in(bands) | bands << _LIMP_SHIFT
    if solid:
        return pymunk.ShapeFilter(categories=bands << _SOLID_PROP_SHIFT, mask=mask)
    return pymunk.ShapeFilter(categories=bands << _LIGHT_PROP_SHIFT, mask=mask | _STANDING)


def standing_filter() -> pymunk.ShapeFilter:
    """Of a standing ped's circle."""
    mask = ALL_BANDS << _LIGHT_PROP_SHIFT | ALL_BANDS << _LIMP_SHIFT
    return pymunk.ShapeFilter(categories=_STANDING, mask=mask)


def limp_filter(group: int, height_cm: float, *, touches_standing: bool) -> pymunk.ShapeFilter:
    """Of the bodies of a limp ped whose pelvis is this high; they share the group (RAG-09).

    It is in one band alone, that of its height, and touches no other ped's limbs.
    """
    low_edge, high_edge = BAND_EDGES_CM
    band = LOW if height_cm < low_edge else MID if height_cm < high_edge else HIGH
    mask = _touched_in(band) | (_STANDING if touches_standing else 0)
    return pymunk.ShapeFilter(group=group, categories=band << _LIMP_SHIFT, mask=mask)


def _touched_in(bands: int) -> int:
    """Static things and all props of some bands."""
    return bands << _STATIC_SHIFT | bands << _SOLID_PROP_SHIFT | bands << _LIGHT_PROP_SHIFT


def static_query(bands: int) -> pymunk.ShapeFilter:
    """Of a query that looks for static things alone, in some bands (RAG-17)."""
    return pymunk.ShapeFilter(mask=bands << _STATIC_SHIFT)
