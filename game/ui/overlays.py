"""What F2 shows: the navigation mesh, the paths peds follow, and who holds their movement.

Written against ``DebugDraw`` alone; each overlay reads the world and changes nothing.
"""

from __future__ import annotations

from ai.motion.movement_table import MoveStatus, SuspendReason
from ai.ports import Polygon, Vec3
from game.render.colours import Colour
from game.render.debug_draw import DebugDraw, Overlay
from game.render.palette import Palette
from game.world.world import World

NODE_RADIUS_CM = 10.0
NAME_HEIGHT_CM = 215.0


def overlays_of(world: World, palette: Palette) -> tuple[Overlay, ...]:
    """All overlays of a world, in the order in which they are drawn."""
    colours = palette.overlay.colours

    def mesh(draw: DebugDraw) -> None:
        draw_navigation_mesh(draw, world, colours[2])
        draw_obstacles(draw, world, colours[0])

    def paths(draw: DebugDraw) -> None:
        draw_paths(draw, world, colours[1], colours[5])

    def claims(draw: DebugDraw) -> None:
        draw_claims(draw, world, colours[3])

    return mesh, paths, claims


def draw_navigation_mesh(draw: DebugDraw, world: World, colour: Colour) -> None:
    """The edges of every triangle that a body's centre may walk on."""
    mesh = world.walk_graph.mesh
    for half_edge, following in enumerate(mesh.following):
        draw.line(
            Vec3(mesh.start_x[half_edge], mesh.start_y[half_edge]),
            Vec3(mesh.start_x[following], mesh.start_y[following]),
            colour,
        )


def draw_obstacles(draw: DebugDraw, world: World, colour: Colour) -> None:
    """Outlines of everything that is cut out of the walk graph."""
    for obstacle in world.shapes.obstacles():
        footprint = obstacle.footprint
        if isinstance(footprint, Polygon):
            draw.polygon([Vec3(x, y) for x, y in footprint.points], colour, 2)
        else:
            draw.circle(Vec3(footprint.x, footprint.y), footprint.radius, colour, 2)


def draw_paths(draw: DebugDraw, world: World, going: Colour, failed: Colour) -> None:
    """From each walking ped over the corners that are left to its goal; a cross where it failed."""
    table = world.table
    for slot in table.slots_in_id_order().tolist():
        row = int(table.active_record[slot])
        here = Vec3(float(table.x[slot]), float(table.y[slot]), float(table.z[slot]))
        goal = Vec3(*table.goal[row].tolist())
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
        for corner in table.paths[row][int(table.corner[row]) :]:
            draw.line(here, corner, going, 2)
            draw.circle(corner, NODE_RADIUS_CM, going, 2)
            here = corner
        draw.circle(goal, 1.6 * NODE_RADIUS_CM, going, 3)


def draw_claims(draw: DebugDraw, world: World, colour: Colour) -> None:
    """Over each ped: its name, its movement's status, and what keeps it from moving."""
    table = world.table
    for ped in world.peds.in_id_order():
        row = int(table.active_record[ped.slot])
        words = f"{ped.name or ped.ped_id} {MoveStatus(int(table.status[row])).name.lower()}"
        claim = world.movement.claims.highest(ped.slot)
        if claim is not None:
            words += f" · {claim.owner_kind.name.lower()}"
        suspended = SuspendReason(int(table.suspend[row]))
        if suspended:
            words += f" · held by {suspended.name or suspended}".lower()
        position = ped.position
        draw.text(Vec3(position.x, position.y, position.z + NAME_HEIGHT_CM), words, colour)
