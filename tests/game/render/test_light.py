"""Light: one multiply by day, pools after dark, shadows by the time of day."""

from __future__ import annotations

import pygame

from game.render.light import LightMap, Pool, contact_tone, pool_surface, shadow_tone


def lit(pools: list[Pool], strength: float) -> pygame.Surface:
    surface = pygame.Surface((200, 100))
    surface.fill((200, 200, 200))
    LightMap().lay(surface, (128, 128, 128), pools, strength)
    return surface


def test_the_ambient_light_is_multiplied_over_everything() -> None:
    """200 x 128 / 255 = 100."""
    assert abs(lit([], 0.0).get_at((10, 10))[0] - 100) <= 1


def test_a_pool_brightens_its_middle_and_nothing_far_away() -> None:
    surface = lit([Pool(100.0, 50.0, 40.0, (100, 80, 40))], 1.0)
    middle, far = surface.get_at((100, 50)), surface.get_at((5, 5))
    assert middle[0] > far[0] + 40
    assert middle[0] - far[0] > middle[2] - far[2]
    assert abs(far[0] - 100) <= 2


def test_lamps_that_are_off_add_nothing() -> None:
    pools = [Pool(100.0, 50.0, 40.0, (100, 80, 40))]
    assert lit(pools, 0.0).get_at((100, 50)) == lit([], 0.0).get_at((100, 50))


def test_lamps_at_half_their_strength_add_half() -> None:
    """Dusk: lamps are on, but not as bright against the sky as at night."""
    pools = [Pool(100.0, 50.0, 40.0, (100, 80, 40))]
    dark = lit([], 0.0).get_at((100, 50))[0]
    half, whole = (lit(pools, strength).get_at((100, 50))[0] for strength in (0.5, 1.0))
    assert abs(2 * (half - dark) - (whole - dark)) <= 6


def test_a_pool_falls_off_to_nothing_and_is_flat_on_the_ground() -> None:
    """(1 - d)^1.7: at half the radius 0.308 of the middle (art-and-feel section 8)."""
    pool = pool_surface(40, (200, 200, 200), 50)
    assert pool.get_size() == (80, 40)
    assert abs(pool.get_at((60, 20))[0] - 200 * 0.308) < 8
    assert pool.get_at((0, 20))[0] < 2


def test_shadows_are_full_by_day_and_none_at_night() -> None:
    """55 % at dusk: 255 - 0.55 (255 - 176) = 211.5."""
    assert shadow_tone((176, 168, 196), 1.0) == (176, 168, 196)
    assert shadow_tone((176, 168, 196), 0.55) == (211, 207, 222)
    assert shadow_tone((176, 168, 196), 0.0) is None


def test_contact_is_darker_than_the_shadow_and_stays_at_night() -> None:
    assert contact_tone((176, 168, 196)) == (144, 137, 160)
    assert contact_tone(None) == (209, 209, 209)
