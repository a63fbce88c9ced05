"""The navigation mesh as an overlay: triangles, regions and what is cut out between them.

A level has thousands of sides; those in sight are picked in one go and each is drawn
once, however many triangles share it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ai.navigation.walk_mesh import NO_LINK, WalkMesh
from ai.ports import Vec3
from game.render.colours import Colour
from game.render.debug_draw import DebugDraw
from game.render.projection import GroundBounds
from game.world.world import World

OUTLINE_PX = 3
SIDE_PX = 1

EVERYTHING = GroundBounds(-np.inf, -np.inf, np.inf, np.inf)
"""Sight without a window."""


class _Sides:
    """The sides of one state of the walk graph, each once.

    ``ends`` has shape (n, 4): x, y of both ends in cm; ``region`` (n,) counts regions
    from 0 in the order of their lowest cells; ``open`` (n,) is False on the outline.
    """

    def __init__(self, mesh: WalkMesh) -> None:
        start = np.stack((mesh.start_x, mesh.start_y), axis=1)
        following = np.array(mesh.following, dtype=np.int64)
        twin = np.array(mesh.links.twin, dtype=np.int64)
        once = np.flatnonzero((twin == NO_LINK) | (np.arange(len(twin)) < twin))
        cells = np.array(mesh.cell, dtype=np.int64)
        numbers, region_of_cell = np.unique(
            np.array(mesh.region, dtype=np.int64), return_inverse=True
        )
        self.ends: NDArray[np.float64] = np.hstack((start[once], start[following[once]]))
        self.region: NDArray[np.int64] = region_of_cell[cells[once]]
        self.open: NDArray[np.bool_] = twin[once] != NO_LINK
        self.triangles: list[int] = np.bincount(region_of_cell, minlength=len(numbers)).tolist()

    def within(self, sight: GroundBounds) -> NDArray[np.int64]:
        """Indices of the sides whose boxes reach into the sight."""
        x, y = self.ends[:, 0::2], self.ends[:, 1::2]
        seen = (x.min(axis=1) <= sight.x_max) & (x.max(axis=1) >= sight.x_min)
        seen &= (y.min(axis=1) <= sight.y_max) & (y.max(axis=1) >= sight.y_min)
        return np.flatnonzero(seen)


class MeshOverlay:
    """Draws the walk graph of a world as it is now, each region in a colour of its own.

    - Sides that can be passed are thin, the outline is thick: never told by hue alone.
    - Each region in sight has its number and how many triangles it holds.
    """

    def __init__(
        self,
        world: World,
        colours: Sequence[Colour],
        sight: Callable[[], GroundBounds] = lambda: EVERYTHING,
    ) -> None:
        self._world = world
        self._colours = colours
        self._sight = sight
        self._mesh: WalkMesh | None = None
        self._sides: _Sides | None = None

    def __call__(self, draw: DebugDraw) -> None:
        """Draw what is in sight."""
        sides = self._present()
        seen = sides.within(self._sight())
        regions, open_sides = sides.region[seen], sides.open[seen]
        for (x0, y0, x1, y1), region, can_pass in zip(
            sides.ends[seen].tolist(), regions.tolist(), open_sides.tolist(), strict=True
        ):
            colour = self._colours[region % len(self._colours)]
            draw.line(Vec3(x0, y0), Vec3(x1, y1), colour, SIDE_PX if can_pass else OUTLINE_PX)
        for region in np.unique(regions).tolist():
            at = _middle(sides.ends[seen[regions == region]])
            words = f"region {region}: {sides.triangles[region]} triangles"
            draw.text(at, words, self._colours[region % len(self._colours)])

    def _present(self) -> _Sides:
        """The sides of the present mesh: it is another object after each rebuild (NAV-26)."""
        mesh = self._world.walk_graph.mesh
        if self._sides is None or mesh is not self._mesh:
            self._mesh, self._sides = mesh, _Sides(mesh)
        return self._sides


def _middle(ends: NDArray[np.float64]) -> Vec3:
    """The middle of the side that lies nearest to the middle of all; shape (n, 4), n over 0."""
    middles = (ends[:, :2] + ends[:, 2:]) / 2.0
    away = np.sum((middles - middles.mean(axis=0)) ** 2, axis=1)
    x, y = middles[int(np.argmin(away))].tolist()
    return Vec3(x, y)
