"""The inspector panel: whom it shows, folds, scrolling, text sizes; that it changes nothing."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from game.render.figures.faces import Mood
from game.render.figures.looks import shipped_outfits
from game.render.palette import load_palette
from game.render.picture_of_world import ClipPoses, WorldPicture
from game.ui.inspector.inspector import Inspector
from game.ui.inspector.painter import Action, InspectorPainter
from game.ui.inspector.reader import InspectorReader
from game.ui.theme import Theme
from game.world.world import World
from tests.streets import courier_street, ped_named, person, start

SIZE = (1280, 720)
FLOOR_Y = 654
FRAME_S = 1.0 / 60.0
COURIER = 10


class Desk:
    """A world with an inspector over it."""

    def __init__(self, world: World, text_scale: float = 1.0) -> None:
        self.world = world
        self.picture = WorldPicture(world)
        self.theme = Theme(load_palette().interface, text_scale)
        self.surface = pygame.Surface(SIZE)
        self.inspector = Inspector(
            world,
            self.theme,
            load_palette(),
            shipped_outfits(),
            ClipPoses(world.data.clips),
        )

    def open(self) -> None:
        self.inspector.toggle()
        self.frames(15)

    def frames(self, count: int = 1, ped_id: int | None = COURIER) -> None:
        for _ in range(count):
            self.surface.fill((188, 178, 170))
            self.inspector.meet(self.picture.picture.peds)
            self.inspector.draw(self.surface, self.picture.picture.peds, ped_id, FRAME_S, FLOOR_Y)

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.world.step()
            self.picture.after_step()

    def section(self, key: str) -> pygame.Rect:
        """Where a section's title can be clicked, in the window."""
        painted = self.inspector._painted
        assert painted is not None
        box = next(box for box, name in painted.folds if name == key)
        return box.move(self.inspector.rect.topleft)

    def folds(self) -> list[str]:
        painted = self.inspector._painted
        assert painted is not None
        return [name for _, name in painted.folds]

    def pixels(self) -> bytes:
        return pygame.image.tobytes(self.surface, "RGB")


@pytest.fixture
def desk() -> Desk:
    world = World(courier_street())
    assert start(world).accepted
    made = Desk(world)
    made.steps(60)
    return made


def test_the_run_is_the_same_with_the_inspector_open() -> None:
    """TASK-117, TASK-119: reading draws no random number and changes no state."""
    wanderers = tuple(
        person(number, f"ped {number}", 300.0 + 250.0 * number, 800.0, task="wander")
        for number in range(1, 6)
    )
    plain = World(courier_street(peds=wanderers))
    watched = Desk(World(courier_street(peds=wanderers)))
    watched.open()
    for number in range(180):
        plain.step()
        watched.steps(1)
        watched.frames(1, ped_id=1 + number % 5)
    assert watched.inspector.reading is not None
    assert watched.world.fingerprint.hexdigest() == plain.fingerprint.hexdigest()
    draws = [
        [ped.rng.getstate() for ped in world.peds.in_id_order()] for world in (plain, watched.world)
    ]
    assert draws[0] == draws[1]
    assert len(plain.facts) == len(watched.world.facts)


def test_it_is_closed_at_first_and_slides_in(desk: Desk) -> None:
    """Art-and-feel section 13: panels slide 120 ms."""
    desk.frames(3)
    assert desk.inspector.rect.size == (0, 0)
    desk.inspector.toggle()
    desk.frames(4)
    sliding = desk.inspector.rect.left
    desk.frames(8)
    assert sliding > desk.inspector.rect.left
    assert desk.inspector.rect.topright == (1268, 50)
    assert desk.inspector.rect.size == (300, 566)
    desk.inspector.toggle()
    desk.frames(8)
    assert desk.inspector.rect.size == (0, 0)
    assert desk.inspector.reading is None


def test_it_says_name_sentence_and_sections(desk: Desk) -> None:
    """Product section 6: four task trees, decision trace, order, path, clip; sentence first."""
    desk.open()
    reading = desk.inspector.reading
    assert reading is not None
    assert (reading.name, reading.sentence) == (
        "courier",
        "Walking to the side of car A; 7 m to go.",
    )
    assert desk.folds() == ["tasks", "why", "events", "order", "path", "clip"]
    text = reading.as_text()
    assert text.startswith("courier (calm · ped 10)\nWalking to the side of car A; 7 m to go.\n")
    assert "order 1 is given" in text


def test_nobody_is_shown_for_nobody(desk: Desk) -> None:
    desk.open()
    desk.frames(1, ped_id=None)
    assert desk.inspector.reading is None
    assert not desk.inspector.covers((1200, 100))


def test_a_ped_that_has_left_is_shown_no_more(desk: Desk) -> None:
    desk.open()
    desk.world.peds.request_removal(ped_named(desk.world).ref)
    desk.steps(1)
    desk.frames()
    assert desk.inspector.reading is None


def test_sections_fold_and_remember_it_for_everybody(desk: Desk) -> None:
    """Art-and-feel section 13: ORDER is one line until opened."""
    desk.open()
    desk.inspector.press(desk.section("why").center)
    desk.frames()
    closed = desk.section("path").top - desk.section("order").top
    assert desk.inspector.press(desk.section("order").center) is None
    desk.frames()
    opened = desk.section("path").top - desk.section("order").top
    assert opened > closed + 60
    desk.frames(1, ped_id=None)
    desk.frames()
    assert desk.section("path").top - desk.section("order").top == opened


def test_buttons_ask_for_what_they_say(desk: Desk) -> None:
    desk.open()
    painted = desk.inspector._painted
    assert painted is not None
    asked = [
        desk.inspector.press(box.move(desk.inspector.rect.topleft).center)
        for box, _ in painted.buttons
    ]
    assert asked == [Action.FOLLOW, Action.OVERLAY, Action.COPY]
    assert all(box.bottom <= desk.inspector.rect.height - 12 for box, _ in painted.buttons)


def test_a_pressed_button_moves_and_comes_back(desk: Desk) -> None:
    """Art-and-feel section 13: press moves 1 px."""
    desk.open()
    before = desk.pixels()
    painted = desk.inspector._painted
    assert painted is not None
    desk.inspector.press(painted.buttons[2][0].move(desk.inspector.rect.topleft).center)
    desk.frames()
    assert desk.pixels() != before
    desk.frames(8)
    assert desk.pixels() == before


def test_what_does_not_fit_is_scrolled_to(desk: Desk) -> None:
    desk.open()
    for key in ("clip", "path", "order"):
        desk.inspector.press(desk.section(key).center)
        desk.frames()
    assert "clip" not in desk.folds()
    desk.inspector.scroll(-100)
    desk.frames()
    assert "clip" in desk.folds()
    assert "tasks" not in desk.folds()
    desk.inspector.scroll(100)
    desk.frames()
    assert desk.folds()[0] == "tasks"


def test_it_is_painted_only_when_something_has_changed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Art-and-feel section 3: panels are redrawn only on change."""
    painted: list[str] = []
    paint = InspectorPainter.paint

    def counting(self: InspectorPainter, *details: object) -> object:
        painted.append("painted")
        return paint(self, *details)  # type: ignore[arg-type]

    monkeypatch.setattr(InspectorPainter, "paint", counting)
    desk.open()
    painted.clear()
    desk.frames(30)
    assert painted == []
    desk.inspector.point_at(desk.section("why").center)
    desk.frames(30)
    assert len(painted) == 1


def test_a_world_that_runs_is_read_a_few_times_a_second(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty frames of a sixtieth of a second each: fifteen readings."""
    desk.open()
    read = InspectorReader.read
    readings: list[Mood] = []

    def counting(self: InspectorReader, ped: object, mood: Mood) -> object:
        readings.append(mood)
        return read(self, ped, mood)  # type: ignore[arg-type]

    monkeypatch.setattr(InspectorReader, "read", counting)
    for _ in range(60):
        desk.steps(1)
        desk.frames()
    assert 12 <= len(readings) <= 16


def test_a_changed_line_lights_up(desk: Desk) -> None:
    """Art-and-feel section 13: a changed line glows accent."""
    desk.open()
    before = desk.pixels()
    desk.frames()
    assert desk.pixels() == before
    ped = ped_named(desk.world)
    ped.order.instruction_count += 1
    desk.inspector.press(desk.section("order").center)
    desk.frames(5)
    told = desk.section("order").move(0, 60).clip(desk.surface.get_rect())
    lit = pygame.transform.average_color(desk.surface, told)
    desk.frames(40)
    calm = pygame.transform.average_color(desk.surface, told)
    assert lit[0] > calm[0] + 20


@pytest.mark.parametrize(("scale", "width"), [(1.0, 300), (1.5, 360), (2.0, 420)])
def test_large_text_gets_a_wider_panel_that_scrolls(desk: Desk, scale: float, width: int) -> None:
    """Art-and-feel section 13: at 200 % the inspector is 420 wide and scrolls."""
    large = Desk(desk.world, scale)
    large.open()
    assert large.inspector.rect.width == width
    assert large.inspector.rect.bottom <= FLOOR_Y - 12
    painted = large.inspector._painted
    assert painted is not None
    assert (painted.scroll_max > 0) == (scale > 1.0)


def test_another_text_size_is_taken_over_at_once(desk: Desk) -> None:
    desk.open()
    desk.theme.text_scale = 2.0
    desk.frames()
    assert desk.inspector.rect.width == 420


@pytest.mark.parametrize("size", [(640, 360), (320, 200)])
def test_a_small_window_gets_a_small_panel(desk: Desk, size: tuple[int, int]) -> None:
    desk.surface = pygame.Surface(size)
    desk.inspector.toggle()
    desk.inspector.meet(desk.picture.picture.peds)
    for _ in range(15):
        desk.inspector.draw(desk.surface, desk.picture.picture.peds, COURIER, FRAME_S, size[1] - 60)
    assert desk.inspector.rect.bottom <= size[1]


# -- what is read of a ped ------------------------------------------------------------


def test_traits_are_those_that_the_level_states() -> None:
    """Bars for what is there, held to 0 to 1, and none that is made up."""
    stated = {"bravery": 0.25, "agility": 1.5, "age": 24}
    ann = replace(person(3, "ann", 1000.0, 800.0), options=stated)
    world = World(courier_street(peds=(ann, person(4, "", 1200.0, 800.0))))
    reader = InspectorReader(world, load_palette())
    first, second = (reader.read(ped, Mood.CALM) for ped in world.peds.in_id_order())
    assert [(trait.name, trait.share) for trait in first.traits] == [
        ("brave", 0.25),
        ("agile", 1.0),
    ]
    assert first.subtitle == "calm · age 24"
    assert second.traits == ()
    assert (second.name, second.subtitle) == ("ped 4", "calm · ped 4")


def test_a_ped_that_was_spawned_is_read_like_any_other(desk: Desk) -> None:
    """It stands in no level file; nothing has happened to it yet, but that it stands is told."""
    courier = ped_named(desk.world)
    spawned = desk.world.peds.spawn(courier.traits, courier.position, 0.0)
    reading = InspectorReader(desk.world, load_palette()).read(spawned, Mood.SCARED)
    assert reading.subtitle == f"scared · ped {spawned.ped_id}"
    why = next(section for section in reading.sections if section.key == "why")
    assert why.summary == "nothing yet"
    assert [row.key for row in why.rows] == ["still"]
