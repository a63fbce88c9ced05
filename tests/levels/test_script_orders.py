"""What scripts have peds do: walk, stand, face, follow, patrol, enter, and one after another.

By cue and by Python alike (``Sandbox.do`` takes the words of a cue), over the map of LVL-07.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ai.behaviours.gestures import Gesture, gesture_of
from ai.behaviours.script_tasks import TaskPatrol, is_inside
from ai.events.command_records import CommandStatus
from ai.motion.movement_table import MoveStatus
from ai.peds.ped import Ped
from ai.ports import Polygon, Vec3
from ai.tasks.trees import PRIMARY, PrimarySlot
from game import Sandbox
from game.levels.cue_forms import CUE_KINDS
from game.levels.errors import LevelError
from game.levels.map_transforms import MapTransform, Mirrored, Turned
from game.levels.transforms import transformed
from game.sandbox import CueRefused
from tests.levels.runs import shipped
from tests.levels.variants import without_expectations

PLAZA = Polygon(((2000.0, 800.0), (2400.0, 800.0), (2400.0, 1100.0), (2000.0, 1100.0)))


@pytest.fixture
def box() -> Iterator[Sandbox]:
    with Sandbox(shipped("city_six"), strict=True) as made:
        yield made


def status(box: Sandbox, ped: Ped, kind: str) -> CommandStatus:
    return box.world.scripts.script_task_status(ped, kind)


def finished(box: Sandbox, ped: Ped, kind: str, timeout_s: float = 30.0) -> None:
    box.run_until(lambda: status(box, ped, kind) is CommandStatus.FINISHED, timeout_s)


def test_a_ped_walks_to_a_point_and_falls_back_to_wandering(box: Sandbox) -> None:
    """LVL-34, EVT-67: script.command; the end is the task's, then the default task goes on."""
    cleo = box.ped("Cleo")
    box.do("script.command", ped="Cleo", task={"kind": "walk", "point": [2050.0, 500.0]})
    box.expect(ped="Cleo", field="task.main", is_="WALK_TO", within=0.1)
    finished(box, cleo, "walk")
    assert math.dist(cleo.position[:2], (2050.0, 500.0)) <= 15.0
    box.expect(ped="Cleo", field="task.main", is_="WANDER", within=0.2)
    box.run_for(1.0)


def test_a_ped_stands_for_a_time(box: Sandbox) -> None:
    """LVL-34: 2 s by the clock of the run, then it wanders again."""
    box.run_for(1.0)
    seen = box.watch("Ada", "task.main")
    box.do("script.command", ped="Ada", task={"kind": "stand", "seconds": 2.0})
    box.run_for(4.0)
    (began, _), (ended, _) = seen.changes("task.main")
    assert ended - began == pytest.approx(2.0, abs=0.05)


def test_a_ped_makes_a_gesture_for_a_time(box: Sandbox) -> None:
    """LVL-34, EVT-70, kind play clip: 1.5 s on the spot, and 2 s where no time is said."""
    box.run_for(1.0)
    ada = box.ped("Ada")
    for given, lasts in (({"seconds": 1.5}, 1.5), ({}, 2.0)):
        seen = box.watch("Ada", "task.main")
        box.do("script.command", ped="Ada", task={"kind": "play", "gesture": "wave", **given})
        box.run_for(0.5)
        shown = gesture_of(ada.tasks)
        assert shown is not None
        assert shown.gesture is Gesture.WAVE
        box.run_for(2.5)
        (began, _), (ended, _) = seen.changes("task.main")
        assert ended - began == pytest.approx(lasts, abs=0.05)
        assert status(box, ada, "play clip") is CommandStatus.FINISHED


@pytest.mark.parametrize("who", [{"who": "Elin"}, {"point": [2150.0, 2300.0]}])
def test_a_ped_faces_somebody_or_a_place(box: Sandbox, who: dict[str, object]) -> None:
    """EVT-70, kind turn: within 3 degrees, without a step."""
    box.do("script.command", ped="Elin", task={"kind": "stand"})
    cleo = box.ped("Cleo")
    box.do("script.command", ped="Cleo", task={"kind": "face", **who})
    box.step(2)
    here = cleo.position
    finished(box, cleo, "turn", 5.0)
    place = box.ped("Elin").position if "who" in who else Vec3(2150.0, 2300.0)
    wanted = math.atan2(place.y - here.y, place.x - here.x)
    assert abs(math.remainder(wanted - cleo.movement.yaw, math.tau)) <= math.radians(3.0)
    assert math.dist(cleo.position, here) <= 70.0


def test_a_ped_follows_another_wherever_that_goes(box: Sandbox) -> None:
    """EVT-70, kind follow: it keeps within reach of one who walks on, without end."""
    box.do("script.command", ped="Ben", task={"kind": "walk", "point": [1100.0, 900.0]})
    box.do("script.command", ped="Ada", task={"kind": "follow", "who": "Ben", "distance_cm": 120.0})
    ada, ben = box.ped("Ada"), box.ped("Ben")
    box.run_until(lambda: math.dist(ada.position, ben.position) <= 125.0, 30.0)
    box.do("script.command", ped="Ben", task={"kind": "walk", "point": [700.0, 1000.0]})
    for _ in range(600):
        box.step()
        assert 63.0 - 1e-6 <= math.dist(ada.position, ben.position) <= 330.0
    box.do("script.command", ped="Ben", task={"kind": "stand"})
    box.run_until(lambda: math.dist(ada.position, ben.position) <= 125.0, 5.0)
    assert status(box, ada, "follow") is CommandStatus.PERFORMING
    box.world.peds.request_removal(ben.ref)
    box.run_until(lambda: status(box, ada, "follow") is CommandStatus.FAILED, 2.0)


def test_a_ped_patrols_a_route_of_the_map(box: Sandbox) -> None:
    """LVL-34: to and fro once is six points of four; each is walked to, with a pause."""
    cleo = box.ped("Cleo")
    route = next(one.points for one in box.level.description.markers if one.name == "beat")
    box.do(
        "script.command",
        ped="Cleo",
        task={"kind": "patrol", "route": "beat", "pause_s": 0.5, "laps": 1, "back": True},
    )
    reached: list[Vec3] = []
    while status(box, cleo, "walk") is not CommandStatus.FINISHED and box.time_s < 49.0:
        box.step()
        movement = cleo.movement
        if movement.status is MoveStatus.ARRIVED and (not reached or reached[-1] != movement.goal):
            reached.append(movement.goal)
    assert status(box, cleo, "walk") is CommandStatus.FINISHED
    expected = [*route, *route[-2:0:-1]]
    assert [goal[:2] for goal in reached[:6]] == [point[:2] for point in expected]


def test_a_ped_enters_an_area(box: Sandbox) -> None:
    """LVL-34: it ends as soon as it is inside."""
    finn = box.ped("Elin")
    assert not is_inside(PLAZA, finn.position)
    box.do("script.command", ped="Elin", task={"kind": "enter_zone", "zone": "plaza"})
    finished(box, finn, "walk", 45.0)
    assert is_inside(PLAZA, finn.position)


SEQUENCE = [
    {"kind": "walk", "point": [2200.0, 880.0]},
    {"kind": "stand", "seconds": 1.0},
    {"kind": "face", "point": [2200.0, 100.0]},
    {"kind": "walk", "point": [2050.0, 700.0]},
]


@pytest.mark.parametrize("image", [None, Mirrored, Turned])
def test_a_sequence_by_cue_is_done_in_order(image: type[MapTransform] | None) -> None:
    """LVL-34, EVT-69, LVL-08: script.sequence; its points are mirrored with the map."""
    level = without_expectations(shipped("city_six"))
    cue = CUE_KINDS["script.sequence"].model_validate(
        {"do": "script.sequence", "at": 0.5, "ped": "Cleo", "tasks": SEQUENCE}
    )
    level = replace(level, script=replace(level.script, cues=(cue,)))
    goal = Vec3(2050.0, 700.0)
    if image is not None:
        motion = image(level.description.width_cm, level.description.height_cm)
        level, goal = transformed(level, image), motion.place(goal)
    with Sandbox(level, strict=True) as box:
        cleo = box.ped("Cleo")
        box.step(40)
        assert cleo.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY) is not None
        finished(box, cleo, "sequence")
        assert math.dist(cleo.position[:2], goal[:2]) <= 15.0
        box.do("script.command", ped="Cleo", task={"kind": "stand"})
        assert len(box.world.scripts.sequences) == 0, "a sequence that is over is freed"


def test_a_sequence_takes_sixteen_tasks_and_no_more(box: Sandbox) -> None:
    """EVT-69: the 17th is refused, by cue and by Python."""
    sixteen = [{"kind": "stand", "seconds": 0.1}] * 16
    box.do("script.sequence", ped="Ada", tasks=sixteen)
    finished(box, box.ped("Ada"), "sequence", 5.0)
    with pytest.raises(LevelError, match="tasks"):
        box.do("script.sequence", ped="Ada", tasks=[*sixteen, sixteen[0]])


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ({"kind": "walk"}, "'walk' needs one of: object, point"),
        ({"kind": "walk", "point": [1.0, 2.0], "laps": 2}, "'laps' is no key of 'walk'"),
        ({"kind": "wok", "point": [1.0, 2.0]}, "kind"),
        ({"kind": "follow", "who": "Benn"}, "no ped is named 'Benn'; did you mean 'Ben'?"),
        ({"kind": "patrol", "route": "beet"}, "no route is named 'beet'; did you mean 'beat'?"),
        ({"kind": "enter_zone", "zone": "plazza"}, "did you mean 'plaza'?"),
        ({"kind": "patrol", "route": "beat", "laps": 0}, "laps"),
    ],
)
def test_what_a_script_cannot_mean_is_refused(
    box: Sandbox, task: dict[str, object], message: str
) -> None:
    """LVL-11, LVL-34: with key and suggestion, and nothing is done."""
    with pytest.raises(LevelError) as refused:
        box.do("script.command", ped="Ada", task=task)
    assert message in str(refused.value)


def test_what_cannot_be_done_now_says_why(box: Sandbox) -> None:
    """EVT-67: a ped that is gone takes no command."""
    box.world.peds.request_removal(box.ped("Ben").ref)
    box.step(2)
    with pytest.raises(CueRefused, match="'Ben' is not there"):
        box.do("script.command", ped="Ada", task={"kind": "follow", "who": "Ben"})
    with pytest.raises(CueRefused, match="'Ben' is not there"):
        box.do("order.start", ped="Ben", point=[2050.0, 500.0])


def test_orders_by_python_are_those_of_cues(box: Sandbox) -> None:
    """ORD-10 to ORD-13, LVL-34: start, hold, continue, redirect, cancel, counted as one session."""
    ada = box.ped("Ada")
    for kind, keys in (
        ("order.start", {"point": [700.0, 900.0]}),
        ("order.hold", {}),
        ("order.continue", {}),
        ("order.redirect", {"point": [400.0, 1000.0]}),
    ):
        box.do(kind, ped="Ada", **keys)
        box.step(20)
    assert (ada.order.session, ada.order.instruction_count) == (1, 4)
    box.do("order.cancel", ped="Ada")
    box.step()
    assert ada.order.status.name == "CANCELLED"


def test_a_patrol_of_no_point_is_no_patrol() -> None:
    with pytest.raises(ValueError, match="at least one point"):
        TaskPatrol(())
