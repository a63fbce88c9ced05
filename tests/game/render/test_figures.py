"""Figures: one ink outline, a face when near enough, feet in a shadow; and their cache."""

from __future__ import annotations

import math

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from game.render.canvas import View
from game.render.figures.faces import Mood
from game.render.figures.looks import Look, shipped_outfits
from game.render.figures.sprites import FigureSprites, binned, heading_bin
from game.render.frame import Tones
from game.render.palette import load_palette
from game.render.picture import Pose
from game.render.sprites import Baked
from tests.game.render.doubles import STANDING, UPRIGHT, TwoPoses, walking

PLAY = View(0.6, 55.0)
NEAR = View(1.3, 55.0)
DAY = Tones((176, 168, 196), (144, 137, 160))
NIGHT = Tones(None, (209, 209, 209))
TOWARDS_US = math.pi / 2.0


@pytest.fixture
def sprites() -> FigureSprites:
    return FigureSprites(load_palette(), shipped_outfits(), TwoPoses(), bakes_per_frame=None)


@pytest.fixture
def player() -> Look:
    return cast("player")


def cast(name: str) -> Look:
    look = shipped_outfits().named(name)
    assert look is not None
    return look


def baked(
    sprites: FigureSprites,
    look: Look,
    view: View = PLAY,
    *,
    pose: Pose = STANDING,
    yaw: float = TOWARDS_US,
    mood: Mood = Mood.CALM,
    tones: Tones = DAY,
) -> Baked:
    figure = sprites.cached(pose, yaw, look, mood, view, tones)
    assert figure is not None
    return figure


def opaque(surface: pygame.Surface) -> NDArray[np.bool_]:
    """True where a colour-keyed sprite is drawn."""
    mask = pygame.mask.from_surface(surface)
    width, height = mask.get_size()
    return np.array([[bool(mask.get_at((x, y))) for y in range(height)] for x in range(width)])


def near_colour(surface: pygame.Surface, colour: tuple[int, int, int], within: int = 12) -> int:
    """How many pixels are about this colour."""
    pixels = pygame.surfarray.array3d(surface).astype(int)
    return int((np.abs(pixels - np.array(colour)).sum(axis=2) <= within).sum())


def test_a_ped_at_play_size_is_about_68_px_tall(sprites: FigureSprites, player: Look) -> None:
    """Art-and-feel section 3: crown to toes at 0.6 px/cm and 55 degrees."""
    rows = np.flatnonzero(opaque(baked(sprites, player).body.surface).any(axis=0))
    assert 60 <= rows[-1] - rows[0] + 1 <= 76


def test_the_figure_stands_on_its_ground_point(sprites: FigureSprites, player: Look) -> None:
    body = baked(sprites, player).body
    drawn = opaque(body.surface)
    rows = np.flatnonzero(drawn.any(axis=0)) + body.top
    columns = np.flatnonzero(drawn.any(axis=1)) + body.left
    assert 0 <= rows[-1] <= 20
    assert abs(columns[0] + columns[-1]) <= 8


def test_the_silhouette_is_one_line_of_ink(sprites: FigureSprites, player: Look) -> None:
    """Every pixel at the edge of the sprite is ink, or ink smoothed with what lies inside it."""
    surface = baked(sprites, player, NEAR).body.surface
    drawn = np.pad(opaque(surface), 1)
    inner = drawn[2:, 1:-1] & drawn[:-2, 1:-1] & drawn[1:-1, 2:] & drawn[1:-1, :-2]
    edge = drawn[1:-1, 1:-1] & ~inner
    pixels = pygame.surfarray.array3d(surface).astype(float)[edge]
    ink = np.array(load_palette().ink.line, dtype=float)
    assert np.abs(pixels - ink).sum(axis=1).mean() < 60.0
    assert (pixels.sum(axis=1) < 420.0).all()


def test_the_player_is_found_by_yellow(sprites: FigureSprites, player: Look) -> None:
    """Art-and-feel section 17, question 1."""
    assert near_colour(baked(sprites, player).body.surface, player.top, 24) > 60


def test_a_near_face_has_eyes_and_a_far_one_none(sprites: FigureSprites, player: Look) -> None:
    """Under 0.45 px/cm only eyes, under 0.3 none (art-and-feel section 5)."""

    def ink_in_face(view: View, yaw: float) -> int:
        body = baked(sprites, player, view, yaw=yaw).body
        surface = body.surface
        head_x = round(-body.left)
        head_y = round(-body.top - 163.0 * view.cos_pitch * view.zoom)
        reach = round(8.0 * view.zoom)
        box = pygame.Rect(head_x - reach, head_y - reach // 2, 2 * reach, 2 * reach)
        return near_colour(surface.subsurface(box.clip(surface.get_rect())), (38, 30, 46), 30)

    assert ink_in_face(NEAR, TOWARDS_US) > ink_in_face(NEAR, -TOWARDS_US)
    assert ink_in_face(View(0.28, 55.0), TOWARDS_US) == 0


def test_a_scared_face_shows_the_white_of_its_eyes(sprites: FigureSprites, player: Look) -> None:
    white = load_palette().person.eye_white
    calm = baked(sprites, player, NEAR).body.surface
    scared = baked(sprites, player, NEAR, mood=Mood.SCARED).body.surface
    assert near_colour(scared, white, 20) > near_colour(calm, white, 20) + 10


def test_a_guard_wears_a_cap_and_carries_a_baton(sprites: FigureSprites) -> None:
    guard = cast("guard")
    plain = guard.model_copy(update={"hat": None, "prop": "", "vest": False})
    pictures = [
        pygame.surfarray.array3d(baked(sprites, look, NEAR).body.surface) for look in (guard, plain)
    ]
    assert pictures[0].shape != pictures[1].shape or (pictures[0] != pictures[1]).any()
    assert near_colour(baked(sprites, guard, NEAR).body.surface, (88, 84, 96)) > 10
    assert near_colour(baked(sprites, plain, NEAR).body.surface, (88, 84, 96)) == 0


@pytest.mark.parametrize("yaw_deg", range(0, 360, 45))
def test_every_heading_has_two_feet_and_a_head_apart(yaw_deg: int, sprites: FigureSprites) -> None:
    """A dressed figure is drawn from every side; shoes and skin are both seen."""
    look = cast("jogger")
    surface = baked(sprites, look, NEAR, yaw=math.radians(yaw_deg)).body.surface
    assert near_colour(surface, look.shoes, 40) > 20
    assert near_colour(surface, look.hair, 40) + near_colour(surface, look.skin, 40) > 60


def test_planted_feet_stand_in_blobs_and_a_lifted_one_does_not(
    sprites: FigureSprites, player: Look
) -> None:
    """Every planted foot a blob of 26 x 12 cm at 0.82; at night it is all the shadow there is."""
    standing = baked(sprites, player, NEAR, tones=NIGHT).shadow.surface
    striding = baked(sprites, player, NEAR, tones=NIGHT, pose=walking(0.25)).shadow.surface
    assert near_colour(standing, NIGHT.contact) > 1.5 * near_colour(striding, NIGHT.contact)
    assert near_colour(striding, NIGHT.contact) > 0


def test_by_day_the_shadow_reaches_down_to_the_right(sprites: FigureSprites, player: Look) -> None:
    shadow = baked(sprites, player, tones=DAY).shadow
    drawn = opaque(shadow.surface)
    columns = np.flatnonzero(drawn.any(axis=1)) + shadow.left
    rows = np.flatnonzero(drawn.any(axis=0)) + shadow.top
    scale = 0.6 * 0.5
    assert columns[-1] == pytest.approx(scale * (0.55 * 163.0 + 13.0), abs=3.0)
    assert rows[-1] == pytest.approx(scale * 0.819 * 0.35 * 163.0 + scale * 13.0, abs=3.0)


# -- the cache -----------------------------------------------------------------


def test_poses_of_one_twelfth_of_a_cycle_share_a_sprite(player: Look) -> None:
    source = TwoPoses()
    sprites = FigureSprites(load_palette(), shipped_outfits(), source, bakes_per_frame=None)
    baked(sprites, player, pose=walking(0.250))
    baked(sprites, player, pose=walking(0.255))
    assert source.asked == 1
    baked(sprites, player, pose=walking(0.34))
    assert source.asked == 2


def test_bins_wrap_around_the_cycle_and_around_the_circle() -> None:
    assert binned(walking(0.99)).time == 0.0
    assert heading_bin(2.0 * math.pi - 0.01) == 0
    assert heading_bin(-math.pi / 2.0) == 12
    assert heading_bin(math.radians(22.5)) == 1


def test_a_frame_bakes_two_and_lends_the_nearest_phase_meanwhile(player: Look) -> None:
    """At most two bakes a frame, else the nearest phase (art-and-feel section 3)."""
    sprites = FigureSprites(load_palette(), shipped_outfits(), TwoPoses(), bakes_per_frame=2)
    sprites.begin_frame()
    first = baked(sprites, player, pose=walking(0.0))
    baked(sprites, player, pose=walking(1.0 / 12.0))
    lent = baked(sprites, player, pose=walking(2.0 / 12.0))
    assert lent.body in (first.body, baked(sprites, player, pose=walking(1.0 / 12.0)).body)
    sprites.begin_frame()
    assert baked(sprites, player, pose=walking(2.0 / 12.0)).body not in (first.body,)


def test_who_turns_is_lent_the_heading_beside_but_never_another(player: Look) -> None:
    """Art and feel 3: one of sixteen headings off is hardly seen; two off would be."""
    sprites = FigureSprites(load_palette(), shipped_outfits(), TwoPoses(), bakes_per_frame=1)
    one = 2.0 * math.pi / 16.0
    sprites.begin_frame()
    first = baked(sprites, player, yaw=0.0)
    sprites.begin_frame()
    assert sprites.may_paint()
    assert not sprites.may_paint()
    assert baked(sprites, player, yaw=one) is first
    assert baked(sprites, player, yaw=-one) is first
    assert baked(sprites, player, yaw=2.0 * one) is not first


def test_nobody_is_lent_a_picture_of_another_light(player: Look) -> None:
    """A shadow of the sun at night would stay as long as bakes are short."""
    sprites = FigureSprites(load_palette(), shipped_outfits(), TwoPoses(), bakes_per_frame=0)
    day = baked(sprites, player, pose=walking(0.0), tones=DAY)
    night = baked(sprites, player, pose=walking(1.0 / 12.0), tones=NIGHT)
    assert night is not day
    assert opaque(day.shadow.surface).sum() > opaque(night.shadow.surface).sum()


def test_whoever_has_no_picture_at_all_is_baked_at_once_and_kept(player: Look) -> None:
    """Art and feel 3: to paint somebody fresh would cost as much, in every frame anew."""
    sprites = FigureSprites(load_palette(), shipped_outfits(), TwoPoses(), bakes_per_frame=0)
    sprites.begin_frame()
    first = sprites.cached(STANDING, 0.0, player, Mood.CALM, PLAY, DAY)
    assert sprites.cached(STANDING, 0.0, player, Mood.CALM, PLAY, DAY) is first


def test_a_cached_figure_is_the_fresh_one_within_a_tolerance(
    sprites: FigureSprites, player: Look
) -> None:
    """Product section 7: the sprite cache draws what live drawing would."""
    background = (120, 120, 130)
    pictures: list[NDArray[np.int64]] = []
    fresh = sprites.fresh(UPRIGHT, TOWARDS_US, player, Mood.CALM, PLAY, DAY)
    for figure in (baked(sprites, player), fresh):
        canvas = pygame.Surface((120, 120))
        canvas.fill(background)
        canvas.blit(figure.body.surface, (60 + figure.body.left, 100 + figure.body.top))
        pictures.append(pygame.surfarray.array3d(canvas).astype(np.int64))
    difference = np.abs(pictures[0] - pictures[1])
    drawn = (pictures[1] != np.array(background)).any(axis=2)
    assert difference[drawn].mean() < 12.0
    assert difference[~drawn].mean() < 1.0


def test_short_sleeves_and_shorts_show_skin() -> None:
    """Art-and-feel 5: forearm and shin in skin."""
    sprites = FigureSprites(load_palette(), shipped_outfits(), TwoPoses(), bakes_per_frame=None)
    long = cast("jogger").model_copy(update={"short_sleeves": False, "shorts": False})
    bare_arms = long.model_copy(update={"short_sleeves": True})
    bare_legs = long.model_copy(update={"shorts": True})
    covered, arms, legs = (
        near_colour(baked(sprites, look, NEAR).body.surface, look.skin)
        for look in (long, bare_arms, bare_legs)
    )
    assert arms > covered + 60
    assert legs > covered + 100


def test_the_far_side_of_a_figure_is_darker(sprites: FigureSprites) -> None:
    """Art-and-feel 5: far side limbs x 0.86. Who looks east has the left leg on the far side."""
    look = cast("courier").model_copy(update={"bottom": (226, 222, 210)})
    east = baked(sprites, look, NEAR, yaw=0.0, pose=walking(0.25)).body.surface
    assert near_colour(east, (194, 191, 181)) > 200
    assert near_colour(east, look.bottom) > 200
