"""The shipped clips, clips made by hand, and clip files broken on purpose."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ai.motion.clip_library import ClipLibrary
from ai.motion.clip_profiles import ClipProfile
from ai.motion.clip_steps import StopCrawl
from ai.motion.clip_tuning import ClipTuning
from ai.motion.clips import MotionClip
from ai.tuning import load_own_form

ASSETS = Path(__file__).resolve().parents[3] / "assets"
TUNING = load_own_form(ASSETS / "tuning" / "clips.toml", ClipTuning)
LIBRARY = ClipLibrary.load(ASSETS, TUNING)
WALK = LIBRARY.profile(LIBRARY.index("walk"))
RUN = LIBRARY.profile(LIBRARY.index("run"))
CRAWL = StopCrawl(min_cm=0.5, speed_cm_s=60.0)
DT = 1.0 / 60.0


def clip_with_distances(distance: Sequence[float], duration_s: float) -> MotionClip:
    """A clip that is nothing but a distance curve."""
    count = len(distance)
    return MotionClip(
        name="made_by_hand",
        rig_id="human",
        joints=(),
        duration_s=duration_s,
        root=np.zeros((count, 4)),
        tracks=np.zeros((count, 0, 3)),
        distance=tuple(distance),
        yaw_progress=None,
    )


def profile_with(
    profile: ClipProfile, *, start: MotionClip | None = None, stop: MotionClip | None = None
) -> ClipProfile:
    """A profile with other start and stop clips; the stop tail follows the stop clip."""
    start, stop = start or profile.start, stop or profile.stop
    tail = stop.tail_sample(profile.tuning.tail_remaining)
    return replace(
        profile,
        start=start,
        stop=stop,
        tail_start_s=tail * stop.duration_s / (stop.samples - 1),
    )


def copied_assets(tmp_path: Path) -> Path:
    """A folder with the files that a clip library reads, free to be broken."""
    assets = tmp_path / "assets"
    shutil.copytree(ASSETS / "clips", assets / "clips")
    shutil.copytree(ASSETS / "rigs", assets / "rigs")
    (assets / "tuning").mkdir()
    shutil.copy(ASSETS / "tuning" / "clips.toml", assets / "tuning" / "clips.toml")
    return assets


def rewrite_clip(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change a clip file and give it the hash of what it then holds."""
    document = json.loads(path.read_text(encoding="utf-8"))
    del document["hash"]
    change(document)
    body = json.dumps(document)[1:] + "\n"
    digest = hashlib.sha256(body.encode()).hexdigest()
    path.write_text(f'{{"hash":"{digest}",\n{body}', encoding="utf-8", newline="\n")


def rewrite_text(path: Path, old: str, new: str) -> None:
    """Change one place of a text file; the place must be there once at least."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")
