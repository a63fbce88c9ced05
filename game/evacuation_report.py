"""The evacuation of a run as files: who left when, as CSV, and its curve as PNG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ai.ports import STEP_S
from game.levels.errors import LevelError
from game.whole_file import write_whole

if TYPE_CHECKING:
    from game.sandbox import Sandbox
    from game.world.evacuation import Left

SIZE: Final = (960, 540)
MARGINS: Final = (70, 36, 190, 56)
"""Left, top, right, bottom, px."""
COLOURS: Final = ((213, 94, 0), (0, 114, 178), (0, 158, 115), (204, 121, 167))
"""Okabe-Ito, by exit; the sum is ink."""


def check_report(box: Sandbox, level: str) -> None:
    """Refuse a level that nobody can leave.

    Raises ``LevelError``.
    """
    if box.world.crowd.shared.exits is None:
        raise LevelError(
            f"level '{level}' has no exits to report on; draw zones of the class 'exit' in its map"
        )


def write_report(box: Sandbox, folder: Path) -> tuple[Path, Path]:
    """Write ``evacuation.csv`` and ``evacuation.png`` into a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    world = box.world
    total = len(world.crowd.log) + len(world.peds.in_id_order())
    csv, png = folder / "evacuation.csv", folder / "evacuation.png"
    write_whole(csv, curve_csv(world.crowd.log, total).encode())
    png_bytes = curve_png(world.crowd.log, total, world.clock.time_s, world.description.title)
    write_whole(png, png_bytes)
    return csv, png


def curve_csv(log: Sequence[Left], total: int) -> str:
    """One row for each who left: time in s, ped, exit, how many are out and still in by then."""
    lines = ["time_s,ped_id,exit,out,inside"]
    for out, left in enumerate(log, start=1):
        lines.append(f"{left.step * STEP_S:.3f},{left.ped_id},{left.exit_name},{out},{total - out}")
    return "\n".join(lines) + "\n"


def curve_png(log: Sequence[Left], total: int, seconds: float, title: str) -> bytes:
    """The curve: all who are out over time, and by exit, as steps."""
    import io

    import pygame

    from game.render.fonts import font

    pygame.font.init()
    ink, dim, paper = (38, 30, 46), (188, 178, 170), (252, 248, 238)
    picture = pygame.Surface(SIZE)
    picture.fill(paper)
    left, top, right, bottom = MARGINS
    width, height = SIZE[0] - left - right, SIZE[1] - top - bottom
    longest = max(seconds, 1.0)

    def at(time_s: float, count: float) -> tuple[float, float]:
        return left + width * time_s / longest, top + height * (1.0 - count / max(total, 1))

    def words(text: str, place: tuple[float, float], tone: tuple[int, int, int]) -> None:
        picture.blit(font(14).render(text, True, tone), place)

    for share in range(5):
        count = round(total * share / 4)
        y = at(0.0, count)[1]
        pygame.draw.line(picture, dim, (left, y), (left + width, y))
        words(f"{count}", (left - 40, y - 9), ink)
    for second in range(0, int(longest) + 1, 10):
        x = at(second, 0.0)[0]
        pygame.draw.line(picture, dim, (x, top), (x, top + height))
        words(f"{second}", (x - 8, top + height + 8), ink)
    words(f"{title}: people out over seconds", (left, 8), ink)
    exits = sorted(Counter(one.exit_name for one in log))
    curves = [("all", ink, [one.step * STEP_S for one in log])]
    for index, name in enumerate(exits):
        times = [one.step * STEP_S for one in log if one.exit_name == name]
        curves.append((name, COLOURS[index % len(COLOURS)], times))
    for row, (name, tone, times) in enumerate(curves):
        points = [at(0.0, 0)]
        for count, time_s in enumerate(times, start=1):
            points += [at(time_s, count - 1), at(time_s, count)]
        points.append(at(longest, len(times)))
        pygame.draw.lines(picture, tone, False, points, 3 if row == 0 else 2)
        y = top + 24 * row
        x = SIZE[0] - right + 20
        pygame.draw.line(picture, tone, (x, y + 9), (x + 24, y + 9), 4)
        words(f"{name}: {len(times)}", (x + 34, y), ink)
    made = io.BytesIO()
    pygame.image.save(picture, made, "evacuation.png")
    return made.getvalue()
