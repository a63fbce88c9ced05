"""The walk graph as the path search reads it: half-edges in flat lists, immutable once made.

Every triangle of every tile is a *cell*, a convex polygon whose ring has further
vertices where a neighbouring tile has one on the common border. Each side of a
cell is a *half-edge*; the two half-edges of a side that two cells share are each
other's *twin*. Half-edges of a cell follow each other in the list, in the order of
positive area, so that seen through its half-edge a cell lies on the left.

A *corner* is a vertex of the graph's outline round which a shortest way can bend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.navigation.ground_faces import GRID_CM
from ai.navigation.map_shapes import Ground
from ai.navigation.tile_layout import TILE_CM
from ai.navigation.tile_mesh import TileMesh

SPLIT_MIN_CM = 0.01
"""Vertices on a tile border nearer than this to another one split no side."""

STRAIGHT = 1e-9
"""Sine of the angle up to which an outline counts as straight: rounding alone, not even the grid.

A vertex that the grid has moved into the way is a corner, or nothing would lead past it.
"""

NO_LINK = -1


@dataclass(frozen=True, slots=True)
class Links:
    """Which sides can be passed, and the corners of the outline which that leaves.

    - By half-edge: ``twin`` (``NO_LINK`` where there is none) and ``end_corner`` (the
      corner it ends at, or -1).
    - By corner: ``corner_x``, ``corner_y`` (cm), ``corner_leaving`` (the half-edge of
      the outline that starts there), and the unit vectors along both sides of the blocked
      angle: ``back_x``, ``back_y`` against the outline, ``on_x``, ``on_y`` along it.
    """

    twin: list[int]
    end_corner: list[int]
    corner_x: list[float]
    corner_y: list[float]
    corner_leaving: list[int]
    back_x: list[float]
    back_y: list[float]
    on_x: list[float]
    on_y: list[float]


@dataclass(frozen=True, slots=True)
class WalkMesh:
    """One state of the walk graph.

    By half-edge: ``start_x``, ``start_y`` (cm), ``along_x``, ``along_y`` (unit vector),
    ``length`` (cm), ``following`` (next of the same cell), ``cell``, ``cost`` of its
    cell's ground per cm, and ``even_cost`` (1 but for dangers: what a flee counts).

    By cell: ``region`` (lowest cell of the connected region), ``ground`` (index into ``grounds``),
    ``first_half_edge`` (one more than cells). The cell of triangle t of tile i is
    ``first_cell[i] + t``.

    ``links`` pass everywhere, ``ground_links`` only between ground of equal cost,
    ``even_links`` only between ground of equal ``even_cost``.
    """

    start_x: list[float]
    start_y: list[float]
    along_x: list[float]
    along_y: list[float]
    length: list[float]
    following: list[int]
    preceding: list[int]
    cell: list[int]
    cost: list[float]
    even_cost: list[float]
    region: list[int]
    ground: list[int]
    first_half_edge: list[int]
    first_cell: list[int]
    grounds: tuple[Ground, ...]
    links: Links
    ground_links: Links
    even_links: Links


def assemble(
    tiles: Sequence[TileMesh], grounds: Sequence[Ground], step_height_cm: float
) -> WalkMesh:
    """Link the triangles of all tiles.

    - Sides are shared where both ends agree; on tile borders a side is first split
      at the vertices of the other tile.
    - Cells whose heights differ by more than ``step_height_cm`` are not linked.
    """
    points = _align_borders(np.concatenate([tile.points for tile in tiles]))
    ground = np.concatenate([tile.ground for tile in tiles])
    first_cell = np.cumsum([0] + [len(tile.ground) for tile in tiles])
    starts = points.reshape(-1, 2)
    cell = np.repeat(np.arange(len(points)), 3)
    following = _following(cell)
    twin = _twins(starts, following)
    splits = _border_splits(starts, following, twin)
    if splits:
        after = [half_edge + 1 for half_edge, _, _ in splits]
        starts = np.insert(starts, after, [(x, y) for _, x, y in splits], axis=0)
        cell = np.insert(cell, after, [cell[half_edge] for half_edge, _, _ in splits])
        following = _following(cell)
        twin = _twins(starts, following)
    height = np.array([entry.height_cm for entry in grounds])[ground][cell]
    twin[(twin != NO_LINK) & (np.abs(height - height[twin]) > step_height_cm)] = NO_LINK
    cost = np.array([entry.cost for entry in grounds])[ground][cell]
    ground_twin = np.where(cost == cost[twin], twin, NO_LINK)
    along = starts[following] - starts
    length = np.hypot(along[:, 0], along[:, 1])
    along /= length[:, np.newaxis]
    preceding = np.empty_like(following)
    preceding[following] = np.arange(len(following))
    links = _links(starts, along, preceding, twin)
    same = np.array_equal(twin, ground_twin)
    danger = np.array([entry.danger for entry in grounds])[ground][cell]
    even = bool((danger == 1.0).all())
    even_twin = np.where(danger == danger[twin], twin, NO_LINK)
    return WalkMesh(
        start_x=starts[:, 0].tolist(),
        start_y=starts[:, 1].tolist(),
        along_x=along[:, 0].tolist(),
        along_y=along[:, 1].tolist(),
        length=length.tolist(),
        following=following.tolist(),
        preceding=preceding.tolist(),
        cell=cell.tolist(),
        cost=cost.tolist(),
        even_cost=danger.tolist(),
        region=_regions(cell, twin, len(points)).tolist(),
        ground=ground.tolist(),
        first_half_edge=np.searchsorted(cell, np.arange(len(points) + 1)).tolist(),
        first_cell=first_cell.tolist(),
        grounds=tuple(grounds),
        links=links,
        ground_links=links if same else _links(starts, along, preceding, ground_twin),
        even_links=links if even else _links(starts, along, preceding, even_twin),
    )


def _following(cell: NDArray[np.int64]) -> NDArray[np.int64]:
    following = np.arange(1, len(cell) + 1)
    last = np.flatnonzero(np.diff(cell, append=-1))
    following[last] = np.flatnonzero(np.diff(cell, prepend=-1))
    return following


def _keys(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """One number per grid point; equal points have equal keys."""
    grid = np.rint(points / GRID_CM).astype(np.int64)
    keys: NDArray[np.int64] = (grid[:, 0] << 32) + grid[:, 1]
    return keys


def _twins(starts: NDArray[np.float64], following: NDArray[np.int64]) -> NDArray[np.int64]:
    start = _keys(starts)
    end = start[following]
    low = np.minimum(start, end)
    high = np.maximum(start, end)
    order = np.lexsort((high, low))
    same = (low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1])
    opposite = start[order][1:] == end[order][:-1]
    first = np.flatnonzero(same & opposite)
    twin = np.full(len(starts), NO_LINK, dtype=np.int64)
    twin[order[first]] = order[first + 1]
    twin[order[first + 1]] = order[first]
    return twin


def _align_borders(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (n, 3, 2): the triangles, with vertices on tile borders where the other tile has them.

    Tiles are rounded to the grid on their own, so that one vertex may come to lie a
    grid step off its counterpart. It is moved there, unless its own tile has a vertex there.
    """
    points = points.copy()
    for axis in (0, 1):
        across = points[:, :, axis]
        lines = np.rint(across / TILE_CM) * TILE_CM
        # Only few corners lie on a border: each array below has one entry for each of those.
        triangle, corner = np.nonzero(np.abs(across - lines) < GRID_CM / 2.0)
        line_of = lines[triangle, corner]
        along = points[triangle, corner, 1 - axis]
        beyond = across.mean(axis=1)[triangle] > line_of
        for line in np.unique(line_of).tolist():
            here = line_of == line
            targets = set(along[here & ~beyond].tolist())
            values = set(along[here & beyond].tolist())
            free = sorted(targets - values)
            for value in sorted(values - targets):
                near = [target for target in free if abs(target - value) <= SPLIT_MIN_CM]
                if near:
                    moved = here & beyond & (along == value)
                    along[moved] = near[0]
                    free.remove(near[0])
        points[triangle, corner, 1 - axis] = along
    return points


def _border_splits(
    starts: NDArray[np.float64], following: NDArray[np.int64], twin: NDArray[np.int64]
) -> list[tuple[int, float, float]]:
    """(half-edge, x, y) of each vertex to put into a half-edge, in list and way order.

    Tiles are cut separately, so that one may have a vertex on the common border
    that the other lacks.
    """
    splits: list[tuple[int, float, float]] = []
    for axis in (0, 1):
        across, along = starts[:, axis], starts[:, 1 - axis]
        lines = np.rint(across / TILE_CM) * TILE_CM
        on_border = (
            (twin == NO_LINK)
            & (np.abs(across - lines) < GRID_CM)
            & (np.abs(across[following] - lines) < GRID_CM)
        )
        for line in np.unique(lines[on_border]).tolist():
            sides = np.flatnonzero(on_border & (lines == line))
            vertices = np.unique(np.concatenate([along[sides], along[following[sides]]]))
            for side in sides.tolist():
                begin, end = float(along[side]), float(along[following[side]])
                low, high = min(begin, end) + SPLIT_MIN_CM, max(begin, end) - SPLIT_MIN_CM
                inside = vertices[(vertices > low) & (vertices < high)].tolist()
                splits.extend(
                    (side, line, value) if axis == 0 else (side, value, line)
                    for value in (inside if begin < end else reversed(inside))
                )
    splits.sort(key=lambda split: split[0])
    return splits


def _links(
    starts: NDArray[np.float64],
    along: NDArray[np.float64],
    preceding: NDArray[np.int64],
    twin: NDArray[np.int64],
) -> Links:
    """Links over these twins, with the corners of the outline that they leave.

    From each half-edge of the outline the cells round its start are gone through, all
    vertices at once, up to the outline's other half-edge there. So a vertex at which
    several pieces of ground touch is looked at for each of them alone.
    """
    leaving = np.flatnonzero(twin == NO_LINK)
    arriving = preceding[leaving]
    turning = np.arange(len(arriving))
    while len(turning):
        beyond = twin[arriving[turning]]
        inner = beyond != NO_LINK
        turning = turning[inner]
        arriving[turning] = preceding[beyond[inner]]
    bends = _bends(-along[arriving], along[leaving])
    leaving = leaving[bends]
    end_corner = np.full(len(twin), -1, dtype=np.int64)
    corner = np.arange(len(leaving))
    around = preceding[leaving]
    while len(around):
        end_corner[around] = corner
        inner = twin[around] != NO_LINK
        corner, around = corner[inner], preceding[twin[around[inner]]]
    return Links(
        twin=twin.tolist(),
        end_corner=end_corner.tolist(),
        corner_x=starts[leaving, 0].tolist(),
        corner_y=starts[leaving, 1].tolist(),
        corner_leaving=leaving.tolist(),
        back_x=(-along[arriving[bends], 0]).tolist(),
        back_y=(-along[arriving[bends], 1]).tolist(),
        on_x=along[leaving, 0].tolist(),
        on_y=along[leaving, 1].tolist(),
    )


def _bends(before: NDArray[np.float64], after: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Shape (n,): True where the free angle at a vertex of the outline exceeds 180 degrees.

    Free ground lies left of the outline; the unit vectors lead from the vertex back
    along the outline (``before``) and on (``after``). Equal vectors are the end of a
    ledge: 360 degrees.
    """
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    dot = before[:, 0] * after[:, 0] + before[:, 1] * after[:, 1]
    bends: NDArray[np.bool_] = (cross > STRAIGHT) | ((cross > -STRAIGHT) & (dot > 0.0))
    return bends


def _regions(cell: NDArray[np.int64], twin: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Shape (count,): the lowest cell that is connected with each cell.

    Of two linked cells the one that each names takes the lower number of both, and
    every cell takes the number of the cell that it names, until nothing changes.
    """
    linked = np.flatnonzero(twin != NO_LINK)
    here, there = cell[linked], cell[twin[linked]]
    region = np.arange(count)
    while True:
        lower = region.copy()
        np.minimum.at(lower, region[here], region[there])
        while not np.array_equal(lower, lower[lower]):
            lower = lower[lower]
        if np.array_equal(lower, region):
            return region
        region = lower
