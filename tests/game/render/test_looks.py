"""Looks: composed by id for life, clothes that differ, neighbours that are no twins."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from ai.tuning import TuningError
from game import resources
from game.render.colours import brightness, distance
from game.render.figures.dressing import Dressing
from game.render.figures.looks import load_outfits, shipped_outfits
from game.render.palette import load_palette
from game.render.picture_of_world import look_name
from game.sandbox import Sandbox

OUTFITS = resources.assets() / "outfits"


def test_a_ped_keeps_its_look_for_life() -> None:
    """Two runs of the program dress a ped alike, and it is never dressed anew."""
    first, second = (Dressing(load_outfits(OUTFITS, load_palette())) for _ in range(2))
    ids = list(range(1, 50))
    for dressing in (first, second):
        dressing.meet(ids, [""] * len(ids))
    assert [first.look(one) for one in ids] == [second.look(one) for one in ids]
    kept = first.look(7)
    first.meet([7, 60, 61], ["", "", ""])
    assert first.look(7) is kept


def test_top_and_bottom_are_at_least_60_apart() -> None:
    """Art-and-feel section 2; a dress is one piece."""
    outfits = shipped_outfits()
    for ped_id in range(400):
        look = outfits.compose(ped_id)
        assert look.skirt or distance(look.top, look.bottom) >= 60


def test_no_top_vanishes_against_the_pavement() -> None:
    """Tops within 25 of the ground's brightness are dropped."""
    ground = brightness(load_palette().ground.pavement)
    outfits = shipped_outfits()
    for ped_id in range(400):
        assert abs(brightness(outfits.compose(ped_id).top) - ground) > 25.0


def test_neighbours_never_share_a_top() -> None:
    dressing = Dressing(shipped_outfits())
    ids = list(range(1, 120))
    dressing.meet(ids, [""] * len(ids))
    tops = [dressing.look(ped_id).top for ped_id in ids]
    for one, next_one, after in zip(tops, tops[1:], tops[2:], strict=False):
        assert one not in (next_one, after)


def test_nobody_comes_in_the_clothes_of_somebody_else_while_there_are_others() -> None:
    """Art-and-feel 17: no two neighbours twins. Ten tops with six bottoms dress forty."""
    dressing = Dressing(shipped_outfits())
    ids = list(range(1, 41))
    dressing.meet(ids, [""] * len(ids))
    looks = [dressing.look(ped_id) for ped_id in ids]
    worn = [(look.top, look.bottom) for look in looks if not look.skirt]
    most = Counter(worn).most_common(1)[0][1]
    assert most <= 2
    assert len(set(worn)) >= 0.9 * len(worn)


@pytest.mark.parametrize("name", ["block", "dusk"])
def test_no_two_people_of_a_street_are_twins(name: str) -> None:
    """Also not by a named look that a map gives to two of them."""
    with Sandbox.load(name) as box:
        peds = box.world.peds.in_id_order()
        dressing = Dressing(shipped_outfits())
        dressing.meet([ped.ped_id for ped in peds], [look_name(ped) for ped in peds])
        looks = Counter(dressing.look(ped.ped_id).model_dump_json() for ped in peds)
    assert looks.most_common(1)[0][1] == 1


def test_bodies_are_mixed_as_on_the_block_and_nobody_is_a_child() -> None:
    """30 % average, 22 slim, 14 broad, 10 heavy, 10 teen, 14 elder; children have weight 0."""
    outfits = shipped_outfits()
    counts = Counter(outfits.compose(ped_id).body for ped_id in range(4000))
    shares = {"average": 30, "slim": 22, "broad": 14, "heavy": 10, "teen": 10, "elder": 14}
    assert set(counts) == set(shares)
    for body, percent in shares.items():
        assert counts[body] / 40.0 == pytest.approx(percent, abs=2.5)


def test_a_look_has_one_accent_at_most() -> None:
    outfits = shipped_outfits()
    for ped_id in range(400):
        look = outfits.compose(ped_id)
        marks = [look.coat, look.stripe is not None, look.sling is not None]
        marks.append(look.rucksack is not None and look.body != "teen")
        assert sum(marks) <= 1


def test_only_the_player_wears_the_players_yellow() -> None:
    outfits = shipped_outfits()
    player = outfits.named("player")
    assert player is not None
    assert (player.top, player.hair) == ((250, 206, 64), (176, 74, 44))
    assert player.top not in [outfits.compose(ped_id).top for ped_id in range(300)]


def test_a_name_of_the_cast_gets_its_look_and_any_other_one_of_its_own() -> None:
    outfits = shipped_outfits()
    dressing = Dressing(outfits)
    dressing.meet([8, 9], ["courier", "nobody_knows"])
    assert dressing.look(8) == outfits.named("courier")
    assert dressing.look(9) == outfits.compose(9)


def test_a_look_with_a_body_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for name in ("bodies.toml", "cast.toml", "wardrobe.toml"):
        shutil.copy(OUTFITS / name, tmp_path / name)
    cast = tmp_path / "cast.toml"
    cast.write_text(
        cast.read_text(encoding="utf-8").replace('body = "guard"', 'body = "giant"', 1),
        encoding="utf-8",
    )
    with pytest.raises(TuningError, match=r"look\.guard\.body' = 'giant'"):
        load_outfits(tmp_path, load_palette())
