"""The project's own clips: written the same each time, feet that stand, knees that bend forward."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ai.motion.authoring.__main__ import main
from ai.motion.authoring.clip_writer import build_clips, write_clips
from ai.motion.authoring.forward_kinematics import joint_positions, lowest_contact
from ai.motion.authoring.gaits import gait_rows
from ai.motion.authoring.pose_channels import COLUMN, pose_row
from ai.motion.authoring.pose_forms import GaitsForm, PoseForm
from ai.motion.clips import MotionClip
from ai.motion.rig import Leg
from ai.tuning import TuningError, load_own_form
from tests.ai.motion.clip_doubles import ASSETS, LIBRARY, RUN, WALK, copied_assets, rewrite_text

RIG = LIBRARY.rig
GAITS = load_own_form(ASSETS / "clips" / "authored" / "gaits.toml", GaitsForm).root
NONE = (0.0, 0.0, 0.0, 0.0)


def joints_of(**angles: object) -> dict[str, NDArray[np.float64]]:
    """Joint positions of one pose, pelvis at the origin; limbs hang straight if not given."""
    limbs = dict.fromkeys(("arm_left", "arm_right", "leg_left", "leg_right"), NONE)
    row = pose_row(PoseForm(**(limbs | angles)))
    return dict(zip(RIG.joints, joint_positions(RIG, row[None])[0], strict=True))


def knee_bend(clip: MotionClip, leg: Leg) -> NDArray[np.float64]:
    """How far the knee stands before the line from hip to ankle, along the body's forward axis."""
    tracks = clip.body_tracks()
    hip, knee, ankle = (tracks[:, joint] for joint in (leg.hip, leg.knee, leg.ankle))
    share = np.sum((knee - hip) * (ankle - hip), axis=1) / np.sum((ankle - hip) ** 2, axis=1)
    aside = knee - hip - share[:, None] * (ankle - hip)
    # A leg held out ahead bends upwards, one trailing behind bends downwards and forwards.
    side = np.cross(np.array([0.0, 1.0, 0.0]), ankle - hip)
    return np.sum(aside * -side, axis=1)


def test_the_shipped_clips_are_what_the_authoring_writes(tmp_path: Path) -> None:
    """CLIP-01: every authored clip is written again and compared byte by byte."""
    assets = copied_assets(tmp_path)
    for path in (assets / "clips").glob("*.json"):
        path.unlink()
    written = write_clips(assets)
    assert sorted(path.name for path in written) == sorted(
        path.name for path in (ASSETS / "clips").glob("*.json")
    )
    for path in written:
        assert path.read_bytes() == (ASSETS / "clips" / path.name).read_bytes(), path.name


def test_the_command_writes_into_the_folder_it_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """CLIP-01: the command that a refused clip names."""
    assets = copied_assets(tmp_path)
    assert main([str(assets)]) == 0
    assert str(assets / "clips" / "walk_loop.json") in capsys.readouterr().out


def test_the_command_ends_in_one_sentence_for_bad_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """CLIP-01: refusals name file and key; nothing is written half."""
    assets = copied_assets(tmp_path)
    rewrite_text(assets / "clips" / "authored" / "poses.toml", "lean = 22.0", "lean = 222.0")
    before = (assets / "clips" / "idle.json").read_bytes()
    assert main([str(assets)]) == 2
    assert "poses.toml: key 'start.lean' = 222.0" in capsys.readouterr().err
    assert (assets / "clips" / "idle.json").read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('pose = "start", weight', 'pose = "jump", weight', "clip 'walk_start' has no pose 'jump'"),
        ('loop_of = "walk"', 'loop_of = "hop"', "clip 'walk_loop' has no gait 'hop'"),
        ('{ at = 4.0, pose = "idle" }', '{ at = 3.0, pose = "idle" }', "from 0 to the duration"),
        ('{ at = 4.0, pose = "idle" }', "{ at = 4.0 }", "a key needs either pose or gait"),
    ],
)
def test_authored_clips_are_checked(tmp_path: Path, old: str, new: str, words: str) -> None:
    """CLIP-01: what names nothing is refused before anything is built."""
    assets = copied_assets(tmp_path)
    rewrite_text(assets / "clips" / "authored" / "clips.toml", old, new)
    with pytest.raises(TuningError, match=r"clips\.toml") as refused:
        build_clips(assets)
    assert words in str(refused.value)


def test_a_straight_figure_is_as_tall_as_its_parts() -> None:
    """Art-and-feel 4: the lengths of a figure add up.

    Ankle 7, shin 41, thigh 43 below the pelvis; waist 10, neck base 45, neck 5, head 12 above.
    """
    joints = joints_of()
    assert joints["left_ankle"] == pytest.approx([0.0, -8.5, -84.0])
    assert joints["left_heel"][2] - 3.0 == pytest.approx(-91.0)
    assert joints["right_toe"][2] - 2.8 == pytest.approx(-91.0)
    assert joints["neck"][2] == pytest.approx(55.0)
    assert joints["head"][2] == pytest.approx(72.0)
    assert joints["left_shoulder"] == pytest.approx([0.0, -17.0, 50.0])
    assert joints["right_hand"] == pytest.approx([0.0, 17.0, -10.0])


def test_angles_turn_the_way_the_table_says() -> None:
    """Art-and-feel 6: the signs of the body angles.

    Pitch +90 is face down, lean forward, side, twist and look to the left (-y), nod down.
    """
    assert joints_of(pitch=90.0)["head"][0] == pytest.approx(72.0)
    assert joints_of(lean=30.0)["neck"][0] > 0.0
    assert joints_of(side=10.0)["neck"][1] < 0.0
    assert joints_of(twist=30.0)["right_shoulder"][0] > 0.0
    assert joints_of(look=90.0)["face"][1] - joints_of()["head"][1] == pytest.approx(-12.4)
    nodding = joints_of(nod=30.0)
    assert nodding["face"][2] < nodding["head"][2]


def test_limbs_turn_the_way_the_table_says() -> None:
    """Art-and-feel 6: the signs of the limb angles.

    Arm forward 90 points ahead, outward 90 aside; an elbow of 90 on a hanging arm points ahead,
    turned inward to the other side; hip and knee 90 sit; a positive ankle raises the toes.
    """
    assert joints_of(arm_left=(90.0, 0.0, 0.0, 0.0))["left_elbow"][0] == pytest.approx(30.0)
    assert joints_of(arm_left=(0.0, 90.0, 0.0, 0.0))["left_elbow"][1] == pytest.approx(-47.0)
    bent = joints_of(arm_right=(0.0, 0.0, 90.0, 0.0))
    assert bent["right_wrist"] - bent["right_elbow"] == pytest.approx([25.0, 0.0, 0.0])
    inward = joints_of(arm_right=(0.0, 0.0, 90.0, 90.0))
    assert inward["right_wrist"] - inward["right_elbow"] == pytest.approx([0.0, -25.0, 0.0])
    seated = joints_of(leg_left=(90.0, 0.0, 90.0, 0.0))
    assert seated["left_knee"] == pytest.approx([43.0, -8.5, 0.0])
    assert seated["left_ankle"] == pytest.approx([43.0, -8.5, -41.0])
    raised = joints_of(leg_left=(0.0, 0.0, 0.0, 20.0))
    assert raised["left_toe"][2] > raised["left_heel"][2]


@pytest.mark.parametrize("gait", ["walk", "run"])
def test_a_gait_passes_through_its_keys(gait: str) -> None:
    """Art-and-feel 6: periodic cubic through the keys, the other leg half a cycle later."""
    form = GAITS[gait]
    keys = np.array(form.leg.phase)
    rows = gait_rows(form, keys)
    for name in ("hip", "knee", "ankle"):
        assert rows[:, COLUMN[f"left_leg_{name}"]] == pytest.approx(getattr(form.leg, name))
    later = gait_rows(form, keys + 0.5)
    assert later[:, COLUMN["right_leg_hip"]] == pytest.approx(form.leg.hip)


@pytest.mark.parametrize("gait", ["walk", "run"])
def test_a_gait_is_smooth_over_the_end_of_its_cycle(gait: str) -> None:
    """Art-and-feel 6: periodic: phase 1 is phase 0, and so is the slope."""
    around = gait_rows(GAITS[gait], np.array([-0.001, 0.0, 0.001, 0.999, 1.0, 1.001]))
    assert around[:3] == pytest.approx(around[3:], abs=1e-9)


def test_swinging_arms_go_with_the_other_leg() -> None:
    """Art-and-feel 6: left arm back and right arm ahead at the left heel's contact.

    Shoulders -6 -+ 18 cos w, elbows 22 -+ 8 cos w, lean 4 + cos 2w, twist 7 cos w, w = 0.
    """
    row = gait_rows(GAITS["walk"], np.array([0.0]))[0]
    expected = {
        "left_arm_forward": -24.0,
        "right_arm_forward": 12.0,
        "left_arm_elbow": 14.0,
        "right_arm_elbow": 30.0,
        "lean": 5.0,
        "twist": 7.0,
        "side": 0.0,
        "nod": -2.0,
    }
    assert {name: row[COLUMN[name]] for name in expected} == pytest.approx(expected, abs=1e-9)


def test_the_start_ends_where_the_loop_begins() -> None:
    """Art-and-feel 6: walk and run start end on loop phase 0; the stop begins there."""
    for profile in (WALK, RUN):
        loop = profile.loop.body_tracks()
        assert profile.start.body_tracks()[-1] == pytest.approx(loop[0], abs=0.05)
        assert profile.stop.body_tracks()[0] == pytest.approx(loop[0], abs=0.05)
        assert loop[-1] == pytest.approx(loop[0], abs=1e-4)


def test_starts_begin_and_stops_and_turns_end_on_idle() -> None:
    """Art-and-feel 6: keys idle at 0, idle at the end."""
    idle = WALK.idle.body_tracks()[0]
    for clip in (WALK.start, RUN.start, WALK.turn_left, WALK.turn_right):
        assert clip.body_tracks()[0] == pytest.approx(idle, abs=1e-3)
    for clip in (WALK.stop, RUN.stop, WALK.turn_left, WALK.turn_right, WALK.idle):
        assert clip.body_tracks()[-1] == pytest.approx(idle, abs=1e-3)


@pytest.mark.parametrize("clip", LIBRARY.clips, ids=lambda clip: clip.name)
def test_feet_never_sink_and_figures_float_only_in_the_run(clip: MotionClip) -> None:
    """Art-and-feel 6: the lowest contact is at z 0; flight belongs to the run."""
    lowest = lowest_contact(RIG, clip.body_tracks())
    assert lowest.min() > -0.01
    flies = clip.name.startswith("run")
    assert (lowest.max() > 1.0) == flies


def test_the_run_flies_between_its_contacts() -> None:
    """Art-and-feel 6: flight is phase 36-50 and 86-100."""
    lowest = lowest_contact(RIG, RUN.loop.body_tracks())
    phase = np.arange(121) / 120
    half = np.mod(phase, 0.5)
    assert lowest[half < 0.355].max() < 0.01
    assert lowest[(half > 0.39) & (half < 0.46)].min() > 1.0


@pytest.mark.parametrize("clip", LIBRARY.clips, ids=lambda clip: clip.name)
def test_knees_never_bend_backwards(clip: MotionClip) -> None:
    """Art-and-feel 17.13: joints in possible angles."""
    for leg in RIG.legs:
        assert knee_bend(clip, leg).min() > -0.1


@pytest.mark.parametrize("clip", LIBRARY.clips, ids=lambda clip: clip.name)
def test_limbs_keep_their_length(clip: MotionClip) -> None:
    """Art-and-feel 17.13: no stretched limb."""
    size = RIG.proportions
    lengths = {
        ("hip", "knee"): size.thigh,
        ("knee", "ankle"): size.shin,
        ("shoulder", "elbow"): size.upper_arm,
        ("elbow", "wrist"): size.forearm,
        ("wrist", "hand"): size.hand,
    }
    for (upper, lower), length in lengths.items():
        for side in ("left", "right"):
            ends = [clip.tracks[:, RIG.index(f"{side}_{part}")] for part in (upper, lower)]
            measured = np.sqrt(np.sum((ends[1] - ends[0]) ** 2, axis=1))
            assert measured == pytest.approx(length, abs=0.01)


def test_a_walk_rises_as_much_as_walks_do() -> None:
    """Art-and-feel 6: walk 2.8 cm, run 8.3 cm (measured within half a centimetre)."""
    for clip, rise in ((WALK.loop, 2.8), (RUN.loop, 8.3)):
        pelvis = clip.tracks[:, RIG.index("pelvis"), 2]
        assert pelvis.max() - pelvis.min() == pytest.approx(rise, abs=0.5)


def test_turning_feet_step_and_do_not_spin() -> None:
    """Art-and-feel 6: turns are small steps: a foot that is down keeps its place to 1 cm."""
    clip = WALK.turn_left
    times = np.arange(121) / 120 * 0.7
    for leg, down in ((RIG.legs[0], times > 0.37), (RIG.legs[1], times < 0.33)):
        for joint in (leg.heel, leg.toe):
            places = clip.tracks[down, joint, :2]
            assert np.ptp(places, axis=0).max() < 1.0


def test_a_mirrored_clip_is_its_twin_with_sides_swapped() -> None:
    """Art-and-feel 6: mirror freely."""
    left, right = WALK.turn_left, WALK.turn_right
    swapped = left.tracks[:, RIG.mirror] * np.array([1.0, -1.0, 1.0])
    assert right.tracks == pytest.approx(swapped)
    assert right.root[:, 3] == pytest.approx(-left.root[:, 3])
