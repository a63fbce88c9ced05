"""The live head: the ped's own looks, its own pose, seen from the front."""

from __future__ import annotations

import math
from dataclasses import replace

import pygame
import pytest

from game.render.figures.looks import shipped_outfits
from game.render.palette import load_palette
from game.render.picture import PedPictures
from game.render.picture_of_world import ClipPoses, WorldPicture
from game.ui.inspector.portrait import SIZE_PX, PortraitPainter
from game.world.world import World
from tests.streets import person, steps, street


@pytest.fixture
def world() -> World:
    return World(
        street(
            peds=(
                replace(person(3, "ann", 400.0, 800.0, -1.57), outfit="courier"),
                replace(person(4, "ben", 1200.0, 800.0), outfit="jogger"),
            )
        )
    )


@pytest.fixture
def peds(world: World) -> PedPictures:
    return WorldPicture(world).picture.peds


@pytest.fixture
def painter(world: World, peds: PedPictures) -> PortraitPainter:
    made = PortraitPainter(load_palette(), shipped_outfits(), ClipPoses(world.data.clips))
    made.meet(peds)
    return made


def pixels(picture: pygame.Surface) -> bytes:
    return pygame.image.tobytes(picture, "RGB")


def share_of(picture: pygame.Surface, colour: tuple[int, int, int], near: int) -> float:
    mask = pygame.mask.from_threshold(picture, colour, (near, near, near))
    return mask.count() / (picture.get_width() * picture.get_height())


def test_the_face_is_seen_whichever_way_the_ped_looks(
    painter: PortraitPainter, peds: PedPictures
) -> None:
    """Ann's back is turned to the camera, and her skin is seen all the same."""
    look = shipped_outfits().named("courier")
    assert look is not None
    assert share_of(painter.portrait(peds, 0, SIZE_PX), look.skin, 12) > 0.05


def test_everybody_has_the_looks_of_the_street(painter: PortraitPainter, peds: PedPictures) -> None:
    ann, ben = (pixels(painter.portrait(peds, row, SIZE_PX)) for row in (0, 1))
    assert ann != ben


def test_it_is_framed_and_as_large_as_asked_for(
    painter: PortraitPainter, peds: PedPictures
) -> None:
    picture = painter.portrait(peds, 0, 100)
    assert picture.get_size() == (100, 100)
    assert picture.get_at((0, 50))[:3] == load_palette().interface.accent


def test_an_unchanged_portrait_is_not_painted_twice(
    painter: PortraitPainter, peds: PedPictures
) -> None:
    assert painter.portrait(peds, 0, SIZE_PX) is painter.portrait(peds, 0, SIZE_PX)


def test_it_turns_with_the_ped(painter: PortraitPainter, peds: PedPictures) -> None:
    east = pixels(painter.portrait(peds, 1, SIZE_PX))
    peds.now[1, 3] = math.pi
    assert pixels(painter.portrait(peds, 1, SIZE_PX)) != east


def test_it_lives(world: World) -> None:
    """The pose is the ped's own: a second of breathing later another one is painted."""
    picture = WorldPicture(world)
    painter = PortraitPainter(load_palette(), shipped_outfits(), ClipPoses(world.data.clips))
    painter.meet(picture.picture.peds)
    before = painter.portrait(picture.picture.peds, 0, SIZE_PX)
    steps(world, 90)
    picture.after_step()
    assert painter.portrait(picture.picture.peds, 0, SIZE_PX) is not before
