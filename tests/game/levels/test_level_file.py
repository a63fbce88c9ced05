"""``level.toml``: its form, and what refuses a level (LVL-11, LVL-34, section 8)."""

# ruff: noqa: E501 - a case of a table of file fragments stays on one line

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.levels.cue_forms import CUE_KINDS, CaptionCue, OrderStartCue
from game.levels.errors import LevelError
from game.levels.level import Level, read_level
from game.levels.level_file import LevelFile, read_level_file
from game.levels.level_folder import LevelFolder
from tests.game.levels.maps import (
    LEVEL_TOML,
    layer,
    loaded_or_refusal,
    map_text,
    properties,
    vocabulary,
    write_level,
)

MAP = map_text(
    layer("surfaces", '<object id="1" type="pavement" x="0" y="0" width="1000" height="1000"/>'),
    layer("peds", '<object id="2" name="courier" x="100" y="100"><point/></object>'),
    layer("vehicles", '<object id="3" name="car_a" type="car" x="500" y="500"><point/></object>'),
    layer("markers", '<object id="4" name="corner" x="900" y="900"><point/></object>'),
    layer("props", '<object id="5" name="box" type="crate" x="300" y="800"><point/></object>'),
    layer("obstacles", '<object id="6" name="wall" type="wall" x="300" y="600"><point/></object>'),
)
START = """
[[cue]]
name = "start"
at = 0.5
do = "order.start"
ped = "courier"
object = "car_a"
offset = [-200.0, 0, 0]
"""


def load(folder: Path, text: str, head: str = LEVEL_TOML) -> Level:
    return read_level(write_level(folder, MAP, head + text), vocabulary())


def refusal(folder: Path, text: str, head: str = LEVEL_TOML) -> str:
    with pytest.raises(LevelError) as refused:
        load(folder, text, head)
    message = str(refused.value)
    found = re.match(rf"{re.escape(folder.name)}/level\.toml(:\d+)?: ", message)
    assert found, message
    return message[found.end() :]


def test_a_level_has_head_cues_captions_and_expectations(tmp_path: Path) -> None:
    """Section 8: title, description, time of day, seed, camera, cues, expectations, captions."""
    level = load(
        tmp_path,
        """
[camera]
x = 400
y = 300
pitch_deg = 60
"""
        + START
        + """
[[caption]]
from = 1
to = 3
text = "Hello"

[[expect]]
ped = "courier"
field = "order.status"
is = "COMPLETED"
by = 1.5
""",
        LEVEL_TOML + 'time_of_day = "dusk"\nexpected_faults = ["round_cap"]\n',
    )
    described = level.description
    assert (described.title, described.time_of_day, described.seed) == ("Test", "dusk", 1)
    assert (described.camera.x, described.camera.y, described.camera.pitch_deg) == (400, 300, 60)
    assert level.duration_s == 2.0
    assert level.script.head.expected_faults == ("round_cap",)
    start, caption = level.script.cues
    assert isinstance(start, OrderStartCue)
    assert start.offset == (-200.0, 0.0, 0.0)
    assert isinstance(caption, CaptionCue)
    assert (caption.at, caption.for_s, caption.text) == (1.0, 2.0, "Hello")
    assert len(level.script.expectations) == 1


def test_without_a_camera_the_middle_of_the_map_is_looked_at(tmp_path: Path) -> None:
    camera = load(tmp_path, "").description.camera
    assert (camera.x, camera.y) == (500.0, 500.0)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("", "key 'title' is missing"),
        ('title = "x"', "key 'duration_s' is missing"),
        (LEVEL_TOML + "sede = 4", "key 'sede' is unknown; did you mean 'seed'?"),
        (LEVEL_TOML + 'time_of_day = "noon"', "key 'time_of_day' = 'noon'"),
        (LEVEL_TOML.replace("2.0", "nan"), "key 'duration_s' = nan"),
        (LEVEL_TOML.replace("2.0", "0"), "key 'duration_s' = 0"),
        (LEVEL_TOML.replace("2.0", '"2"'), "key 'duration_s' = '2'"),
        (LEVEL_TOML + "[cue]\nat = 1", "write [[cue]] with double brackets"),
        ("title = ", "not valid TOML"),
        ("a = " + "9" * 5000, "not valid TOML"),
        ("a = " + "[" * 50_000, "not valid TOML"),
        ("a = 2020-99-99", "not valid TOML"),
    ],
)  # fmt: skip
def test_a_head_that_is_wrong_refuses_the_level(tmp_path: Path, head: str, message: str) -> None:
    """TASK-118, section 10: file, key and value, whatever the file holds."""
    assert message in refusal(tmp_path, "", head)


@pytest.mark.parametrize(
    ("cue", "message"),
    [
        ('do = "order.pause"\nat = 1', "cue[0]: unknown kind of cue 'order.pause'; did you mean"),
        ("at = 1", "cue[0]: key 'do' is missing; known: 'bang'"),
        ('do = "order.hold"\nped = "courier"', "cue[0] (order.hold): say when: either 'at', 'when' or 'follows'"),
        ('do = "order.hold"\nped = "courier"\nat = 1\nafter = 1', "'after' belongs to 'when'"),
        ('do = "order.hold"\nped = "courier"\nat = -1', "key 'at' = -1"),
        ('do = "order.hold"\nat = 1', "key 'ped' is missing"),
        ('do = "order.hold"\nped = "courier"\nat = 1\nobject = "car_a"', "key 'object' is unknown"),
        ('do = "order.start"\nped = "courier"\nat = 1', "name one target: 'object' or 'point'"),
        ('do = "order.start"\nped = "courier"\nat = 1\npoint = [1, 2]\noffset = [1, 2, 3]', "'offset' belongs to 'object'"),
        ('do = "order.start"\nped = "courier"\nat = 1\npoint = [1, 2, 3]', "key 'point"),
        ('do = "order.start"\nped = "courier"\nat = 1\npoint = [inf, 2]', "key 'point[0]' = inf"),
        ('do = "order.hold"\nped = "currier"\nat = 1', "cue[0] (order.hold): no ped is named 'currier'; did you mean 'courier'?"),
        ('do = "order.start"\nped = "courier"\nat = 1\nobject = "car_b"', "no object is named 'car_b'; did you mean 'car_a'?"),
        ('do = "order.hold"\nped = "courier"\nwhen = { ped = "courier", field = "order.state", is = "COMPLETED" }', "when: unknown field 'order.state'; did you mean 'order.status'?"),
        ('do = "order.hold"\nped = "courier"\nwhen = { ped = "courier", field = "order.status", is = "DONE" }', "'order.status' is never 'DONE'; known: "),
        ('do = "order.hold"\nped = "courier"\nwhen = { ped = "courier", field = "drift", at_least = 3 }', "'drift' is known to expectations only"),
        ('do = "order.hold"\nped = "courier"\nwhen = { ped = "courier", field = "order.status" }', "a condition has one comparison"),
        ('do = "order.hold"\nped = "courier"\nwhen = { field = "order.status", is = "COMPLETED" }', "name one subject: 'ped', 'object' or 'run'"),
        ('do = "prop.remove"\nobject = "corner"\nat = 1', "'corner' is a marker; only things are moved"),
        ('do = "prop.remove"\nobject = "wall"\nat = 1', "'wall' is a 'wall', which prop cues can't touch"),
        ('do = "prop.move"\nobject = "car_a"\nposition = [1, 2]\nat = 1', "'car_a' is a 'car', which prop cues can't touch"),
        ('do = "prop.spawn"\nobject = "beam"\nkind = "beem"\nposition = [1, 2]\nat = 1', "a cue can't spawn a 'beem'; did you mean 'beam'?"),
        ('do = "prop.spawn"\nobject = "beam"\nkind = "beam"\nposition = [1, 2]\nat = 1\nmass_kg = 0', "mass 0 kg"),
        ('do = "prop.spawn"\nobject = "beam"\nkind = "beam"\nposition = [1, 2]\nat = 1\nz_low_cm = 95', "heights 95 to 90"),
        ('do = "prop.spawn"\nobject = "beam"\nkind = "barricade"\nposition = [1, 2]\nat = 1\nmass_kg = 5', "has no mass of its own"),
        ('do = "prop.spawn"\nobject = "beam"\nkind = "beam"\nposition = [1, 2]\nat = 1\nsize = [1, 2]\nradius = 3', "give 'size' or 'radius'"),
        ('do = "prop.spawn"\nobject = "box"\nkind = "beam"\nposition = [1, 2]\nat = 1', "two objects are named 'box'"),
        ('do = "ped.spawn"\nped = "courier"\nposition = [1, 2]\nat = 1', "two peds are named 'courier'"),
        ('do = "ped.spawn"\nped = "anna"\nposition = [1, 2]\nat = 1\noutfit = "gard"', "outfit = 'gard' is unknown; did you mean 'guard'?"),
        ('do = "ped.spawn"\nped = "anna"\nposition = [1, 2]\nat = 1\ndefault_task = "sand"', "default_task = 'sand' is unknown; did you mean 'stand'?"),
        ('name = "end"\ndo = "caption"\ntext = "x"\nat = 1', "no cue may be named 'end'"),
        ('do = "vehicle.move"\nobject = "box"\nposition = [1, 2]\nspeed_cm_s = 5\nat = 1', "'box' is no vehicle; only vehicles drive"),
        ('do = "order.start"\nped = "courier"\npoint = [1, 2]\ntrack = true\nat = 1', "'track' belongs to 'object'"),
        ('do = "caption"\ntext = ""\nat = 1', "key 'text' = ''"),
    ],
)  # fmt: skip
def test_a_cue_that_is_wrong_refuses_the_level(tmp_path: Path, cue: str, message: str) -> None:
    """LVL-11, LVL-34, section 8: refused at load with key and suggestion."""
    assert message in refusal(tmp_path, f"[[cue]]\n{cue}\n")


@pytest.mark.parametrize(
    "kind", ["fire.lite", "threat.moved", "flee.form", "script.commend", "event.add",
             "machine.stop", "order.Start", "", "__class__"]
)  # fmt: skip
def test_every_unknown_kind_of_cue_is_refused(tmp_path: Path, kind: str) -> None:
    """LVL-34: one refused file per unknown kind; kinds of later versions are unknown ones."""
    assert kind not in CUE_KINDS
    assert "unknown kind of cue" in refusal(tmp_path, f'[[cue]]\ndo = "{kind}"\nat = 1\n')


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        ('ped = "courier"\nfield = "order.status"\nis = "COMPLETED"', "say when, in one way"),
        ('ped = "courier"\nfield = "order.status"\nis = "COMPLETED"\nby = 1\nnever = true', "say when, in one way"),
        ('ped = "courier"\nfield = "order.status"\nby = 1', "say what, once"),
        ('ped = "courier"\nfield = "order.session"\nis = 1\nat_least = 1\nby = 1', "say what, once"),
        ('ped = "courier"\nfield = "order.goal_x"\nnear = 5\nby = 1', "'near' and 'tolerance' go together"),
        ('ped = "courier"\nfield = "order.goal_x"\nat_least = 5\nwithin = 1', "'within' needs 'after'"),
        ('ped = "courier"\nfield = "order.goal_x"\nat_least = 5\nby = 1\nduring = [0, 1]', "say when, in one way"),
        ('ped = "courier"\nfield = "order.goal_x"\nat_least = 5\nby = 1\ntolerance_s = 1', "'tolerance_s' belongs to 'lasts_s'"),
        ('ped = "courier"\nobject = "box"\nfield = "drift"\nat_most = 5\nby = 1', "say of whom"),
        ('ped = "courier"\nfield = "drift"\nat_most = 5\nduring = [2, 2]', "'during' ends at 2 before it begins at 2"),
        ('ped = "anna"\nfield = "drift"\nat_most = 5\nby = 1', "expect[0]: no ped is named 'anna'"),
        ('object = "bex"\nfield = "drift"\nat_most = 5\nby = 1', "no object is named 'bex'; did you mean 'box'?"),
        ('object = "box"\nfield = "order.status"\nis = "PENDING"\nby = 1', "unknown field 'order.status'"),
        ('ped = "courier"\nfield = "order.statu"\nis = "PENDING"\nby = 1', "did you mean 'order.status'?"),
        ('ped = "courier"\nfield = "order.status"\nat_least = 1\nby = 1', "'order.status' is a word; compare it with 'is'"),
        ('ped = "courier"\nfield = "order.session"\nis = "1"\nby = 1', "'order.session' is a number, never '1'"),
        ('ped = "courier"\nfield = "task.main"\nis = "ODER"\nby = 1', "is never 'ODER'; did you mean 'ORDER'?"),
        ('ped = "courier"\nfield = "event.answered"\nis = "DAMAG"\nby = 1', "is never 'DAMAG'; did you mean 'DAMAGE'?"),
        ('ped = "courier"\nfield = "clip.time"\nis = "LOOP"\nby = 1', "'clip.time' is a number, never 'LOOP'"),
        ('run = true\nfield = "fingerprints"\nis = "00"\nby = 1', "unknown field 'fingerprints'; did you mean 'fingerprint'?"),
        ('run = true\nfield = "fingerprint"\nis = 7\nby = 1', "'fingerprint' is a word, never 7"),
        ('run = true\nfield = "order.status"\nis = "PENDING"\nby = 1', "unknown field 'order.status'"),
        ('run = false\nfield = "people"\nis = 1\nby = 1', "key 'run' = False"),
        ('run = true\nped = "courier"\nfield = "people"\nis = 1\nby = 1', "say of whom"),
        ('ped = "courier"\nfield = "order.session"\nis = true\nby = 1', "'order.session' is a number, never True"),
        ('ped = "courier"\nfield = "inside_shape"\nis = 1\nby = 1', "is true or false, never 1"),
        ('ped = "courier"\nfield = "drift"\nat_most = 5\nduring = ["start", "strat"]', "no cue is named 'strat'; did you mean 'start'?"),
        ('ped = "courier"\nfield = "drift"\nat_most = 5\nbye = 3', "key 'bye' is unknown; did you mean 'by'?"),
    ],
)  # fmt: skip
def test_an_expectation_that_is_wrong_refuses_the_level(
    tmp_path: Path, expectation: str, message: str
) -> None:
    """LVL-11: an unknown field, name or moment is a load error, never one that silently holds."""
    assert message in refusal(tmp_path, START + f"[[expect]]\n{expectation}\n")


def test_a_caption_ends_after_it_begins(tmp_path: Path) -> None:
    text = '[[caption]]\nfrom = 3\nto = 3\ntext = "x"\n'
    assert "caption[0]: 'to' = 3 must be later than 'from' = 3" in refusal(tmp_path, text)


def test_only_so_many_cues(tmp_path: Path) -> None:
    text = '[[cue]]\nat = 1\ndo = "caption"\ntext = "x"\n' * 1001
    assert "over 1000 entries of [[cue]]" in refusal(tmp_path, text)


def test_a_level_without_ground_is_refused(tmp_path: Path) -> None:
    write_level(tmp_path, map_text())
    with pytest.raises(LevelError, match="nobody can walk"):
        read_level(tmp_path, vocabulary())


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        (layer("peds", '<object id="7" name="b" x="130" y="140"><point/></object>'), "objects 2 'courier' and 7 'b' stand less than 63 cm apart"),
        (layer("peds", '<object id="7" name="b" x="300" y="625"><point/></object>'), "object 7 'b' stands inside object 6 'wall'"),
        (layer("peds", '<object id="7" name="b" x="1001" y="5"><point/></object>'), "object 7 'b': (1001, 5) lies outside the map"),
        (layer("props", '<object id="7" type="crate" x="-2001" y="5"><point/></object>'), "object 7: (-2001, 5) lies outside the map"),
        (layer("obstacles", '<object id="7" type="wall" x="0" y="0" width="400" height="19"/>'), "object 7: is thinner than 20 cm"),
        (layer("obstacles", '<object id="7" type="wall" x="0" y="0" rotation="30"><polygon points="0,0 200,0 200,90 220,90 220,0 400,0 400,200 220,200 220,105 200,105 200,200 0,200"/></object>'), "object 7: is thinner than 20 cm"),
        (layer("peds", '<object id="7" name="courier" x="800" y="140"><point/></object>'), "two peds are named 'courier'"),
        (layer("markers", '<object id="7" name="car_a" x="800" y="140"><point/></object>'), "two objects are named 'car_a'"),
    ],
)  # fmt: skip
def test_what_cannot_stand_there_is_refused(tmp_path: Path, objects: str, message: str) -> None:
    """F1, F5, RAG-09: walls under 20 cm and people inside each other or in walls."""
    write_level(tmp_path, MAP.replace("</map>", objects + "</map>"))
    with pytest.raises(LevelError) as refused:
        read_level(tmp_path, vocabulary())
    assert message in str(refused.value)


def test_a_wall_of_20_cm_and_a_thin_post_are_fine(tmp_path: Path) -> None:
    """RAG-09 is about walls: a post has no side to pass through unseen."""
    objects = layer(
        "obstacles",
        '<object id="7" type="wall" x="600" y="0" width="20" height="300" rotation="37"/>',
        '<object id="8" type="lamp" x="900" y="300" width="12" height="12"><ellipse/></object>',
    )
    write_level(tmp_path, MAP.replace("</map>", objects + "</map>"))
    assert len(read_level(tmp_path, vocabulary()).description.obstacles) == 3


def test_a_thing_over_the_heads_is_no_obstacle_for_standing(tmp_path: Path) -> None:
    """F5: a ped may stand under a beam."""
    objects = layer(
        "props",
        '<object id="7" type="beam" x="100" y="100">'
        + properties(z_low_cm=190.0, z_high_cm=220.0)
        + "<point/></object>",
    )
    write_level(tmp_path, MAP.replace("</map>", objects + "</map>"))
    assert len(read_level(tmp_path, vocabulary()).description.props) == 2


def test_names_make_safe_file_names(tmp_path: Path) -> None:
    """F15: a level named like no file may be called."""
    folder = tmp_path / 'Rue- "Café" 街 1'
    assert load(folder, "").file_stem == "Rue-_Café_街_1"


WHOLE = LEVEL_TOML + START + '[[expect]]\nped = "courier"\nfield = "drift"\nat_most = 5\nby = 1\n'


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_damaged_level_file_loads_or_is_refused(tmp_path: Path, data: st.DataObject) -> None:
    """Section 10: fuzzed loaders; a LevelError or a level, never another exception."""
    text = WHOLE
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 20))
        piece = data.draw(
            st.text(max_size=5)
            | st.sampled_from(["= [[", "{", "1e999", "nan", "-9", '"""', "[[cue]]\n", "do = 5\n"])
        )
        text = text[:at] + piece + text[at + cut :]
    (tmp_path / "level.toml").write_bytes(text.encode("utf-8", "ignore"))
    result = loaded_or_refusal(lambda: read_level_file(LevelFolder(tmp_path)))
    assert isinstance(result, LevelFile) or result.isprintable()


HOLD = '[[cue]]\ndo = "order.hold"\nped = "courier"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HOLD, "cue[0] (order.hold): say when: either 'at', 'when' or 'follows'"),
        (HOLD + 'at = 1.0\nfollows = "x"\n', "cue[0] (order.hold): say when: either 'at', 'when' or 'follows'"),
        (HOLD + "at = 1.0\nafter = 1.0\n", "cue[0] (order.hold): 'after' belongs to 'when' and 'follows'"),
        (HOLD + "at = 1.0\ntimes = 3\n", "cue[0] (order.hold): 'every' and 'times' go together"),
        (HOLD + "at = 1.0\nweight = 3.0\n", "cue[0] (order.hold): 'weight' belongs to 'choice'"),
        (HOLD + "at = 1.0\nevery = 1.0\ntimes = 1\n", "cue[0] (order.hold): key 'times' = 1: Input should be greater than or equal to 2"),
        (
            '[[cue]]\nat = 1.0\ndo = "prop.remove"\nobject = "box"\nevery = 1.0\ntimes = 2\n',
            "cue[0] (prop.remove): 'prop.remove' can be done only once: remove 'times'",
        ),
        (
            HOLD + 'name = "hold"\nat = 1.0\n' + HOLD + 'follows = "hald"\n',
            "cue[1] (order.hold): no cue is named 'hald'; did you mean 'hold'?",
        ),
        (
            HOLD + 'name = "a"\nfollows = "b"\n' + HOLD + 'name = "b"\nfollows = "a"\n',
            "cue[0] (order.hold): the cues 'b' -> 'a' -> 'b' follow each other in a circle",
        ),
        (
            HOLD + 'at = 1.0\nchoice = "where"\n',
            "cue[0] (order.hold): no other cue names the choice 'where'; there are none",
        ),
    ],
)  # fmt: skip
def test_a_time_that_can_never_come_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """LVL-11: when a cue acts is said in one way, completely."""
    assert refusal(tmp_path / "small", text) == message


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        ('peds = []\nfield = "inside_shape"\nis = true\nnever = true', "'peds' names nobody"),
        (
            'peds = ["courier", "courier"]\nfield = "inside_shape"\nis = true\nnever = true',
            "'peds' names somebody twice",
        ),
        (
            'peds = "all"\nped = "courier"\nfield = "inside_shape"\nis = true\nnever = true',
            "say of whom: 'ped', 'object', 'peds' or 'run'",
        ),
        (
            'peds = ["curier"]\nfield = "inside_shape"\nis = true\nnever = true',
            "no ped is named 'curier'; did you mean 'courier'?",
        ),
        (
            'peds = "all"\nfield = "movement.generation"\nunchanged = true\nduring = [0, 1]',
            "'unchanged' and 'rises_by' are said of one: 'ped' or 'object'",
        ),
        (
            'peds = ["courier"]\nat_least_peds = 2\nfield = "drift"\nmore_than = 9\nby = 1',
            "'peds' names fewer than 2",
        ),
        (
            'ped = "courier"\nat_least_peds = 1\nfield = "drift"\nmore_than = 9\nby = 1',
            "'at_least_peds' belongs to 'peds'",
        ),
        (
            'ped = "courier"\nfield = "drift"\nat_most = 9\nafter = 1\nby = 2',
            "'after' belongs to 'within', 'always' or 'never'",
        ),
        (
            'ped = "courier"\nfield = "drift"\nat_most = 9\nalways = true\nby = 2',
            "say when, in one way",
        ),
    ],
)
def test_what_is_said_of_several_is_said_rightly(
    tmp_path: Path, expectation: str, message: str
) -> None:
    """LVL-11: of whom, what and when, each in one way."""
    assert message in refusal(tmp_path / "small", START + f"[[expect]]\n{expectation}\n")


def test_what_is_expected_of_a_cue_that_is_left_out_is_not_expected(tmp_path: Path) -> None:
    """LVL-09: nothing is "not run" because another cue was picked."""
    from tests.game.levels.doubles import FakeWorld, cue_runner, fake_ped, watch

    expect = (
        '[[expect]]\nped = "courier"\nfield = "movement.retry_count"\nis = 0\n'
        'during = ["{}", "end"]\n'
    )
    level = load(
        tmp_path / "small",
        HOLD + 'name = "a"\nat = 0.0\nchoice = "c"\n' + HOLD + 'name = "b"\nat = 0.0\nchoice = "c"\n'
        + expect.format("a") + expect.format("b"),
    )  # fmt: skip
    world = FakeWorld(peds={"courier": fake_ped()})
    runner = cue_runner(*level.script.cues)
    seen = watch(world, *level.script.expectations, cues=runner, duration_s=2.0)
    for step in range(120):
        runner.act(world, world, step)
        seen.judge(world, step)
    seen.finish()
    assert (seen.summary().passed, seen.summary().total) == (1, 1)


@pytest.mark.parametrize(
    ("text", "line", "rest"),
    [
        # LEVEL_TOML has six lines with the empty one before its first key.
        ("colour = 3\n", 6, "key 'colour' is unknown"),
        ("\n" + HOLD + "at = 1.0\nafter = 2.0\n", 7, "cue[0] (order.hold): 'after' belongs"),
        ("\n" + HOLD + "at = 1.0\n" + HOLD + "at = -1.0\n", 14, "cue[1] (order.hold): key 'at' = -1.0"),
        (HOLD + 'at = 1.0\n[[expect]]\nped = "nobody"\nfield = "drift"\nat_most = 1.0\nby = 1.0\n', 10, "expect[0]: no ped is named 'nobody'"),
        ('[[caption]]\nfrom = 1.0\nto = 0.5\ntext = "x"\n', 6, "caption[0]: 'to' = 0.5 must be later"),
        ('[[cue]]\nat = 1.0\ndo = "x"\n', 8, "cue[0]: unknown kind of cue 'x'"),
    ],
)  # fmt: skip
def test_a_refusal_says_on_which_line(tmp_path: Path, text: str, line: int, rest: str) -> None:
    """Section 8: file, line and a hint."""
    with pytest.raises(LevelError) as refused:
        load(tmp_path / "small", text)
    assert str(refused.value).startswith(f"small/level.toml:{line}: {rest}")


@pytest.mark.parametrize(
    "extra",
    [
        'title = "{}"',
        '[[cue]]\nname = "{}"\nat = 0.5\ndo = "order.start"\nped = "courier"\nobject = "car_a"',
        '[[caption]]\nfrom = 0.0\nto = 1.0\ntext = "{}"',
        '[[expect]]\ntext = "{}"\nped = "courier"\nfield = "present"\nis = true\nby = 1.0',
    ],
)
@pytest.mark.parametrize("escape", [r"\u0000", r"\u001B[31m", r"\n", r"\u2028", r"\u0085"])
def test_words_that_no_line_can_show_refuse_the_level(
    tmp_path: Path, extra: str, escape: str
) -> None:
    """product.md section 10: no window, font or terminal gets a control character of a level."""
    head = LEVEL_TOML
    if extra.startswith("title"):
        head = "\n".join(line for line in head.splitlines() if not line.startswith("title"))
        text = f"{extra.format(escape)}\n{head}\n"
    else:
        text = f"{head}\n{extra.format(escape)}\n"
    with pytest.raises(LevelError, match="can't be shown"):
        read_level(write_level(tmp_path, MAP, text), vocabulary())


def test_words_of_every_script_are_fine(tmp_path: Path) -> None:
    """F15: umlauts, ideograms, emoji joined from several, and spaces that don't break."""
    title = "Straße 街 👩\u200d🚒 10\u00a0km [b]"
    head = "\n".join(line for line in LEVEL_TOML.splitlines() if not line.startswith("title"))
    level = read_level(write_level(tmp_path, MAP, f'title = "{title}"\n{head}\n'), vocabulary())
    assert level.description.title == title
