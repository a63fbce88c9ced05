"""What is under the mouse: of several the one that is meant, and nothing by guesswork."""

from __future__ import annotations

import pytest

from game.render.projection import Projection
from game.ui.picking import ped_at, thing_at
from game.world.world import World
from tests.game.render.doubles import people
from tests.streets import prop, street

VIEW = Projection(500.0, 500.0, 55.0, 1.0, 640, 400)


@pytest.mark.parametrize("order", [(20, 21), (21, 20)])
def test_of_two_things_seen_at_a_point_the_front_one_is_meant(order: tuple[int, int]) -> None:
    """Whatever their ids: the crate behind is seen over the one in front, and through it never."""
    behind, before = order
    crates = (
        prop(behind, "crate", 500.0, 500.0, 34.0, 40.0),
        prop(before, "crate", 500.0, 570.0, 34.0, 40.0),
    )
    world = World(street(props=crates))
    x, y = VIEW.to_screen(500.0, 545.0, 30.0)
    found = thing_at(world.things, VIEW, x, y)
    assert found is not None
    assert found.object_id == before


def test_what_is_about_to_be_removed_is_not_meant_any_more() -> None:
    """An order to a thing that is gone in the next step would be refused."""
    world = World(street(props=(prop(20, "crate", 500.0, 500.0, 34.0, 40.0),)))
    x, y = VIEW.to_screen(500.0, 500.0, 20.0)
    crate = thing_at(world.things, VIEW, x, y)
    assert crate is not None
    crate.dying = True
    assert thing_at(world.things, VIEW, x, y) is None


def test_a_figure_is_higher_than_wide() -> None:
    """40 px from the chest upwards, 40 / 1.5 = 27 px to the side."""
    peds = people((500.0, 500.0, 0.0))
    x, y = VIEW.to_screen(500.0, 500.0, 90.0)
    assert ped_at(peds, VIEW, x, y - 39.0) == 1
    assert ped_at(peds, VIEW, x, y - 41.0) is None
    assert ped_at(peds, VIEW, x + 26.0, y) == 1
    assert ped_at(peds, VIEW, x + 28.0, y) is None


def test_of_two_peds_the_nearer_to_the_mouse_is_meant() -> None:
    peds = people((490.0, 500.0, 0.0), (510.0, 500.0, 0.0))
    x, y = VIEW.to_screen(500.0, 500.0, 90.0)
    assert ped_at(peds, VIEW, x - 1.0, y) == 1
    assert ped_at(peds, VIEW, x + 1.0, y) == 2
