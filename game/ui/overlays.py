"""What F2 shows: walkable ground, bodies, paths, claims, and what peds are about.

Written against ``DebugDraw`` alone; each overlay reads the world and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ai.motion.movement_table import MoveStatus, SuspendReason
from ai.peds.ped import Ped
from ai.ports import Footprint, Polygon, Vec3
from ai.tasks.task_text import short_name
from ai.tasks.trees import PRIMARY
from game.render.colours import Colour
from game.render.debug_draw import DebugDraw, Overlay
from game.render.palette import Palette
from game.render.projection import GroundBounds
from game.ui.flee_overlay import FleeColours, draw_flights
from game.ui.mesh_overlay import EVERYTHING, MeshOverlay
from game.world.outlines import bounding_radius, placed
from game.world.things import VX, VY, YAW, X, Y
from game.world.world import World

NODE_RADIUS_CM = 10.0
TASK_HEIGHT_CM = 232.0
CLAIM_HEIGHT_CM = 206.0
VELOCITY_SHOWN_S = 0.5
"""A body's velocity is drawn as the way it goes in this time."""

Sight = Callable[[], GroundBounds]

ON_AT_FIRST = frozenset({"mesh", "paths", "tasks", "flights"})


class NamedOverlay(NamedTuple):
    """An overlay, what the legend calls it, and a colour that stands for it there."""

    key: str
    title: str
    colour: Colour
    draw: Overlay


class OverlaySet:
    """The overlays of one picture: shown or hidden as a whole (F2), and each by itself.

    Which are on is remembered while all are hidden.
    """

    def __init__(self, overlays: Sequence[NamedOverlay]) -> None:
        self.overlays = tuple(overlays)
        self.is_shown = False
        self._on = set(ON_AT_FIRST)

    @property
    def shown(self) -> tuple[Overlay, ...]:
        """What is to be drawn over the scene now."""
        if not self.is_shown:
            return ()
        return tuple(overlay.draw for overlay in self.overlays if overlay.key in self._on)

    def toggle(self) -> None:
        """Show or hide all that are on."""
        self.is_shown = not self.is_shown

    def is_on(self, key: str) -> bool:
        """True if an overlay is drawn while overlays are shown."""
        return key in self._on

    def switch(self, number: int) -> bool:
        """Switch one overlay, counted from 1; False if it isn't there or all are hidden."""
        if not self.is_shown or not 1 <= number <= len(self.overlays):
            return False
        self._on ^= {self.overlays[number - 1].key}
        return True


def overlays_of(
    world: World, palette: Palette, sight: Sight = lambda: EVERYTHING
) -> tuple[NamedOverlay, ...]:
    """All overlays of a world, in the order in which they are drawn.

    ``sight`` is asked at each drawing for the ground that is seen; what lies outside is
    left out.
    """
    orange, sky, green, yellow, blue, red, purple = palette.overlay.colours
    mesh = MeshOverlay(world, (green, yellow, purple, blue), sight)

    def walkable(draw: DebugDraw) -> None:
        mesh(draw)
        draw_obstacles(draw, world, orange)

    def shapes(draw: DebugDraw) -> None:
        draw_things(draw, world, red, blue, sight())
        draw_bodies(draw, world, sky, sight())

    def paths(draw: DebugDraw) -> None:
        draw_paths(draw, world, sky, red)

    def claims(draw: DebugDraw) -> None:
        draw_claims(draw, world, yellow, sight())

    def tasks(draw: DebugDraw) -> None:
        draw_tasks(draw, world, orange, sight())

    fates = FleeColours(green, yellow, sky, orange, red)

    def flights(draw: DebugDraw) -> None:
        draw_flights(draw, world, fates, sight())

    return (
        NamedOverlay("mesh", "walkable ground", green, walkable),
        NamedOverlay("shapes", "bodies and shapes", red, shapes),
        NamedOverlay("paths", "paths and corners", sky, paths),
        NamedOverlay("claims", "who moves them", yellow, claims),
        NamedOverlay("tasks", "tasks", orange, tasks),
        NamedOverlay("flights", "where they flee to", red, flights),
    )


def draw_obstacles(draw: DebugDraw, world: World, colour: Colour) -> None:
    """Outlines of everything that is cut out of the walk graph."""
    for obstacle in world.shapes.obstacles():
        _outline(draw, obstacle.footprint, colour, 2)


def draw_things(
    draw: DebugDraw, world: World, solid: Colour, light: Colour, sight: GroundBounds = EVERYTHING
) -> None:
    """Shapes of things as physics and clearance have them (LOC-20).

    What refuses a step is drawn thick, what is pushed aside thin; a prop that moves has
    the way of its velocity.
    """
    state = world.things.state
    for thing in world.things.in_id_order():
        row = state[thing.ref.slot].tolist()
        if not _sees(sight, row[X], row[Y], bounding_radius(thing.outline)):
            continue
        colour = solid if thing.solid else light
        shape = placed(thing.outline, row[X], row[Y], row[YAW])
        _outline(draw, shape, colour, 2 if thing.solid else 1)
        _velocity(draw, Vec3(row[X], row[Y], thing.z_cm), row[VX], row[VY], colour)


def draw_bodies(
    draw: DebugDraw, world: World, colour: Colour, sight: GroundBounds = EVERYTHING
) -> None:
    """The circle that each ped stands on, and the way of its velocity."""
    table = world.table
    radius = world.data.locomotion.ped_radius
    for ped in _seen_peds(world, sight):
        here = ped.position
        draw.circle(here, radius, colour, 2)
        slot = ped.slot
        _velocity(draw, here, float(table.velocity_x[slot]), float(table.velocity_y[slot]), colour)


def draw_paths(draw: DebugDraw, world: World, going: Colour, failed: Colour) -> None:
    """From each walking ped over the corners that are left to its goal; a cross where it failed.

    The corner walked to is filled, those after it are rings.
    """
    table = world.table
    for slot in table.slots_in_id_order().tolist():
        row = int(table.active_record[slot])
        here = Vec3(float(table.x[slot]), float(table.y[slot]), float(table.z[slot]))
        goal = table.goals[row]
        if table.status[row] == MoveStatus.FAILED:
            for dx, dy in ((1.0, 1.0), (1.0, -1.0)):
                arm = 2.0 * NODE_RADIUS_CM
                draw.line(
                    Vec3(goal.x - dx * arm, goal.y - dy * arm, goal.z),
                    Vec3(goal.x + dx * arm, goal.y + dy * arm, goal.z),
                    failed,
                    3,
                )
        if table.status[row] != MoveStatus.WALKING or not table.path_usable[row]:
            continue
        for index, corner in enumerate(table.paths[row][int(table.corner[row]) :]):
            draw.line(here, corner, going, 2)
            draw.circle(corner, NODE_RADIUS_CM, going, 2 if index else 0)
            here = corner
        draw.circle(goal, 1.6 * NODE_RADIUS_CM, going, 3)


def draw_claims(
    draw: DebugDraw, world: World, colour: Colour, sight: GroundBounds = EVERYTHING
) -> None:
    """Over each ped: its name, its movement's status, what keeps it from moving, its fall."""
    table = world.table
    for ped in _seen_peds(world, sight):
        row = int(table.active_record[ped.slot])
        words = f"{ped.name or ped.ped_id} {MoveStatus(int(table.status[row])).name.lower()}"
        claim = world.movement.claims.highest(ped.slot)
        if claim is not None:
            words += f" · {claim.owner_kind.name.lower()}"
        suspended = SuspendReason(int(table.suspend[row]))
        if suspended:
            words += f" · held by {suspended.name or suspended}".lower()
        if ped.recovery is not None:
            words += f" · {ped.recovery.phase.name.lower().replace('_', ' ')}"
            if world.recovery.getup_is_placeholder(ped.slot):
                words += " · placeholder get-up"
        draw.text(_over(ped, CLAIM_HEIGHT_CM), words, colour)


def draw_tasks(
    draw: DebugDraw, world: World, colour: Colour, sight: GroundBounds = EVERYTHING
) -> None:
    """Over each ped: the active task of its primary tree with its state (TASK-115)."""
    for ped in _seen_peds(world, sight):
        active = ped.tasks.tree(PRIMARY).active_root
        words = "no task" if active is None else short_name(active)
        draw.text(_over(ped, TASK_HEIGHT_CM), words, colour)


def _seen_peds(world: World, sight: GroundBounds) -> list[Ped]:
    """Peds in sight; a label hangs over who stands below the picture's edge."""
    return [
        ped
        for ped in world.peds.in_id_order()
        if _sees(sight, ped.position.x, ped.position.y, TASK_HEIGHT_CM)
    ]


def _sees(sight: GroundBounds, x: float, y: float, margin_cm: float) -> bool:
    return (
        sight.x_min - margin_cm <= x <= sight.x_max + margin_cm
        and sight.y_min - margin_cm <= y <= sight.y_max + margin_cm
    )


def _over(ped: Ped, height_cm: float) -> Vec3:
    x, y, z = ped.position
    return Vec3(x, y, z + height_cm)


def _outline(draw: DebugDraw, shape: Footprint, colour: Colour, width_px: int) -> None:
    if isinstance(shape, Polygon):
        draw.polygon([Vec3(x, y) for x, y in shape.points], colour, width_px)
    else:
        draw.circle(Vec3(shape.x, shape.y), shape.radius, colour, width_px)


def _velocity(draw: DebugDraw, here: Vec3, vx: float, vy: float, colour: Colour) -> None:
    if vx or vy:
        there = Vec3(here.x + vx * VELOCITY_SHOWN_S, here.y + vy * VELOCITY_SHOWN_S, here.z)
        draw.line(here, there, colour, 2)
