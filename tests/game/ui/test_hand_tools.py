"""Impact and Grab as a player uses them: presses and drags in, actions and falls out."""

from __future__ import annotations

import math
from dataclasses import fields as fields_of
from dataclasses import is_dataclass, replace
from typing import Any

import pygame
import pytest

from ai.behaviours.order_commands import StartOrderAt
from ai.motion.recovery.phases import LIMP, RecoveryPhase
from ai.ports import Vec3
from game.ui.commands import INFO, Command
from game.ui.hand_tools import Tool
from game.ui.icons import ICONS
from game.ui.impact_tool import LEAST_IMPULSE, MOST_IMPULSE, strength_of
from game.world.edits import DragTo, EditReply, Grab, LetGo, PushPed, PushProp, SetOffBlast
from game.world.things import VX
from game.world.world import World
from tests.game.ui.hands_on import Player, you
from tests.streets import barrier, ped_named, person, prop, street, thing

SIZE = (900, 640)


@pytest.fixture
def player() -> Player:
    peds = (you(1500.0, 1000.0), person(4, "ann", 900.0, 800.0), person(5, "ben", 1300.0, 900.0))
    props = (
        prop(20, "crate", 1100.0, 650.0, 34.0, 40.0),
        prop(21, "bag", 1000.0, 620.0, 20.0, 20.0),
    )
    return Player(street(peds=peds, props=props, obstacles=(barrier(30, 1350.0, 620.0),)), SIZE)


def last_edit(world: World) -> object:
    return world.edits.log[-1].edit


# -- reaching the tools ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        (Command.FIRE, Tool.FIRE),
        (Command.IMPACT, Tool.IMPACT),
        (Command.ORDER, Tool.ORDER),
        (Command.GRAB, Tool.GRAB),
        (Command.DOUSE, Tool.DOUSE),
    ],
)
def test_each_tool_has_key_icon_name_and_tip_and_says_what_it_does(
    player: Player, command: Command, tool: Tool
) -> None:
    """Product 6: a toolbar button with icon, name, key and tooltip."""
    info = INFO[command]
    assert info.icon in ICONS
    assert info.tip
    player.command(command)
    assert player.street.hands.tool is tool
    assert player.street.hands.hint.words
    player.frame()


def test_a_tool_in_hand_neither_selects_nor_boxes(player: Player) -> None:
    player.command(Command.IMPACT)
    player.drag(player.at(600.0, 700.0), player.at(1000.0, 900.0))
    assert player.selected == set()
    player.command(Command.ORDER)
    player.click(player.on("ann"))
    assert player.selected == {4}


# -- impact ----------------------------------------------------------------------------


def test_a_drag_from_a_person_throws_it_that_way_as_strong_as_it_is_long(player: Player) -> None:
    """Product 6: press and drag: an impulse in that direction."""
    player.command(Command.IMPACT)
    start = player.on("ann")
    ground = player.street.projection().to_ground(*start)
    end = player.at(ground[0] + 120.0, ground[1])
    player.drag(start, end)
    player.steps(1)
    edit = last_edit(player.world)
    assert isinstance(edit, PushPed)
    assert edit.ped == ped_named(player.world, "ann").ref
    assert edit.impulse_xy[0] == pytest.approx(strength_of(120.0), rel=0.02)
    assert abs(edit.impulse_xy[1]) < 300.0
    assert player.world.recovery.phase(edit.ped.slot) is RecoveryPhase.PHYSICS
    record = player.world.recovery.record(edit.ped.slot)
    assert record is not None
    assert record.origin == ped_named(player.world, "you").ref, "who plays is behind it"


def test_strength_has_a_least_and_a_most() -> None:
    assert strength_of(0.0) == LEAST_IMPULSE
    assert strength_of(1e6) == MOST_IMPULSE


def test_a_click_on_a_person_pushes_it_up_the_picture(player: Player) -> None:
    """Product 6: a click is a push of usual strength."""
    player.command(Command.IMPACT)
    player.click(player.on("ben"))
    player.steps(1)
    edit = last_edit(player.world)
    assert isinstance(edit, PushPed)
    assert edit.impulse_xy == (0.0, -20000.0)


def test_a_push_on_a_crate_sends_it_off(player: Player) -> None:
    player.command(Command.IMPACT)
    start = player.on("crate20")
    player.drag(start, (start[0] - 10, start[1]))
    player.steps(1)
    assert isinstance(last_edit(player.world), PushProp)
    assert player.world.things.state[thing(player.world, "crate20").slot, VX].item() < -50.0


def test_on_the_ground_it_is_a_blast_there(player: Player) -> None:
    """Product 6: on empty ground a blast; stronger the longer the drag."""
    player.command(Command.IMPACT)
    spot = player.at(900.0, 900.0)
    player.click(spot)
    player.steps(1)
    edit = last_edit(player.world)
    assert isinstance(edit, SetOffBlast)
    assert math.dist(edit.at[:2], (900.0, 900.0)) < 3.0
    assert edit.strength == 1.0
    ann = ped_named(player.world, "ann")
    assert player.world.recovery.phase(ann.slot) is RecoveryPhase.PHYSICS
    player.drag(spot, (spot[0] + 150, spot[1]))
    player.steps(1)
    edit = last_edit(player.world)
    assert isinstance(edit, SetOffBlast)
    assert 1.0 < edit.strength <= 2.0


def test_what_was_begun_is_put_down_by_esc_and_by_leaving_the_window(player: Player) -> None:
    """F8: nothing sticks, nothing is struck."""
    player.command(Command.IMPACT)
    for leave in (
        lambda: player.key(pygame.K_ESCAPE),
        lambda: player.hear(pygame.WINDOWLEAVE),
        lambda: player.hear(pygame.WINDOWFOCUSLOST),
    ):
        player.drag(player.on("ann"), player.at(1000.0, 900.0), drops=False)
        player.frame()
        leave()
        player.hear(pygame.MOUSEBUTTONUP, pos=player.mouse, button=pygame.BUTTON_LEFT)
        player.steps(2)
    assert player.world.edits.log == []
    assert player.street.hands.tool is Tool.IMPACT


# -- grab ------------------------------------------------------------------------------


def hold(player: Player, name: str) -> None:
    player.command(Command.GRAB)
    player.move(player.on(name))
    player.hear(pygame.MOUSEBUTTONDOWN, pos=player.mouse, button=pygame.BUTTON_LEFT)
    player.steps(3)


def test_a_grabbed_person_hangs_follows_the_mouse_and_never_rises(player: Player) -> None:
    """Product 6, section 16: drag ragdolls by a spring; limbs dangle."""
    hold(player, "ann")
    ann = ped_named(player.world, "ann")
    assert player.world.recovery.phase(ann.slot) in LIMP
    player.move(player.at(1150.0, 950.0), held=1)
    player.frame()
    player.steps(240)
    assert player.world.recovery.phase(ann.slot) is RecoveryPhase.PHYSICS
    assert ann.position.z == pytest.approx(55.0, abs=1.0)
    assert math.dist(ann.position[:2], (1150.0, 950.0)) < 80.0
    player.hear(pygame.MOUSEBUTTONUP, pos=player.mouse, button=pygame.BUTTON_LEFT)
    player.steps(60 * 8)
    assert player.world.recovery.phase(ann.slot) is RecoveryPhase.INACTIVE
    assert player.world.grabber.target is None


def test_let_go_in_motion_it_keeps_the_throw(player: Player) -> None:
    """Section 16: let go keeps the throw."""
    hold(player, "ann")
    ann = ped_named(player.world, "ann")
    for step in range(30):
        player.move(player.at(900.0 + 10.0 * step, 850.0), held=1)
        player.steps(1)
    here = ann.position
    player.hear(pygame.MOUSEBUTTONUP, pos=player.mouse, button=pygame.BUTTON_LEFT)
    player.steps(40)
    assert ann.position.x > here.x + 60.0


def test_a_hard_push_breaks_a_crate(player: Player) -> None:
    """45000 would give 40 kg 1125 cm/s: a blow of 320 breaks it."""
    player.command(Command.IMPACT)
    start = player.on("crate20")
    player.drag(start, (start[0] - 250, start[1]))
    player.steps(3)
    assert player.world.things.by_name("crate20") is None


def test_a_thing_is_dragged_but_through_no_wall(player: Player) -> None:
    """Product 6: drag props; never through a wall (RAG-17)."""
    hold(player, "bag21")
    player.move(player.at(1600.0, 620.0), held=1)
    for _ in range(200):
        player.steps(1)
        x = player.world.things.state[thing(player.world, "bag21").slot, 0].item()
        assert x < 1340.0
    assert x > 1250.0
    player.hear(pygame.MOUSEBUTTONUP, pos=player.mouse, button=pygame.BUTTON_LEFT)
    player.steps(2)
    assert player.world.physics.check_ownership() == ()


def test_the_hand_opens_when_what_it_holds_leaves(player: Player) -> None:
    """RAG-13: no joint is left on a body that is gone."""
    player.steps(1)
    before = player.world.physics.counts()
    hold(player, "ann")
    player.world.peds.request_removal(ped_named(player.world, "ann").ref)
    player.steps(2)
    assert player.world.grabber.target is None
    assert player.world.physics.counts() == before
    player.hear(pygame.MOUSEBUTTONUP, pos=player.mouse, button=pygame.BUTTON_LEFT)
    hold(player, "crate20")
    player.world.things.request_removal(thing(player.world, "crate20"))
    player.steps(2)
    assert player.world.grabber.target is None
    assert player.world.physics.check_ownership() == ()


def test_another_tool_lets_go(player: Player) -> None:
    hold(player, "ann")
    player.command(Command.IMPACT)
    player.steps(1)
    assert player.world.grabber.target is None


# -- actions ---------------------------------------------------------------------------


def test_edits_of_what_is_gone_or_no_number_change_nothing(player: Player) -> None:
    """Each edit answers for itself; a refusal changes nothing."""
    world = player.world
    ann = ped_named(world, "ann").ref
    wall = thing(world, "barrier30")
    for edit in (
        Grab(wall, Vec3(1350.0, 620.0)),
        Grab(ann, Vec3(math.nan, 0.0)),
        DragTo(Vec3(0.0, 0.0)),
        LetGo(),
        PushPed(ann, (1000.0, 0.0)),
        PushPed(ann, (math.inf, 0.0)),
        PushProp(wall, (1000.0, 0.0), (0.0, 0.0)),
        SetOffBlast(Vec3(math.nan, 0.0)),
    ):
        world.actions.submit(edit)
    before = [ped.position for ped in world.peds.in_id_order()]
    player.steps(1)
    assert [line.reply for line in world.edits.log] == [
        EditReply.NOT_MOVABLE,
        EditReply.BAD_NUMBER,
        EditReply.NOTHING_HELD,
        EditReply.NOTHING_HELD,
        EditReply.TOO_WEAK,
        EditReply.BAD_NUMBER,
        EditReply.NOT_MOVABLE,
        EditReply.BAD_NUMBER,
    ]
    assert [ped.position for ped in world.peds.in_id_order()] == before
    world.peds.request_removal(ann)
    player.steps(1)
    world.actions.submit(PushPed(ann, (20000.0, 0.0)))
    world.actions.submit(Grab(ann, Vec3(0.0, 0.0)))
    player.steps(1)
    assert [line.reply for line in world.edits.log[-2:]] == [EditReply.GONE, EditReply.GONE]


def test_orders_and_edits_queued_again_in_their_steps_repeat_the_run(player: Player) -> None:
    """ORD-22: script orders and player's edits are one kind of action, in one log."""
    player.click(player.on("ben"))
    player.right_click(player.at(1200.0, 1000.0))
    player.steps(20)
    player.command(Command.IMPACT)
    player.click(player.at(900.0, 900.0))
    player.steps(60)
    hold(player, "crate20")
    player.move(player.at(1000.0, 700.0), held=1)
    player.steps(30)
    player.hear(pygame.MOUSEBUTTONUP, pos=player.mouse, button=pygame.BUTTON_LEFT)
    player.steps(200)
    log = list(player.world.actions.log)
    kinds = [type(line.action) for line in log]
    assert StartOrderAt in kinds
    assert SetOffBlast in kinds
    assert LetGo in kinds
    again = Player(player.runs.description, SIZE)
    for _ in range(player.run.steps):
        while log and log[0].step == again.world.clock.step:
            again.world.actions.submit(_in_world(again, log.pop(0).action))
        again.run.step()
    assert again.world.fingerprint.hexdigest() == player.world.fingerprint.hexdigest()


def _in_world(again: Player, action: Any) -> Any:
    """The same action with the handles of another world."""
    fields: dict[str, Any] = {}
    is_order = is_dataclass(action)
    names = [one.name for one in fields_of(action)] if is_order else action._fields
    for name in names:
        value = getattr(action, name)
        if hasattr(value, "generation"):
            value = value._replace(world=again.world.number)
            if value.kind.name == "ORDER_SOURCE":
                value = again.street.orders.source
        fields[name] = value
    return replace(action, **fields) if is_order else action._replace(**fields)
