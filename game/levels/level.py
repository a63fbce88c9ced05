"""A level, read and checked: what a world is built from and what is played over it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from ai.events.decision_data import DecisionData
from game.levels.cue_forms import CameraMoveCue, PedSpawnCue
from game.levels.errors import LevelError
from game.levels.level_events import read_level_events
from game.levels.level_file import CameraForm, LevelFile, WindForm, read_level_file
from game.levels.level_folder import LevelFolder
from game.levels.placement import check_places
from game.levels.references import check_references
from game.levels.safe_names import safe_file_stem
from game.levels.tiled.tiled_map import MAP_FILE, MapContent, read_map
from game.levels.vocabulary import Vocabulary
from game.world.description import CameraDescription, LevelDescription


@dataclass(frozen=True, slots=True)
class Level:
    """A level that has passed every check that needs no world.

    - ``description`` is what the world holds at step 0.
    - ``script`` are the cues, captions and expectations played over it.
    - ``folder`` knows the files that the level was read from and their hashes.
    - ``vocabulary`` is what its words were checked against.
    """

    folder: LevelFolder
    description: LevelDescription
    script: LevelFile
    vocabulary: Vocabulary

    @property
    def name(self) -> str:
        """The folder's name: what the level is called on the command line."""
        return self.description.name

    @property
    def file_stem(self) -> str:
        """The name as the beginning of any file's name (F15)."""
        return safe_file_stem(self.name)

    @property
    def duration_s(self) -> float:
        """How long the level runs when nothing else is asked for."""
        return self.script.head.duration_s

    @property
    def has_camera(self) -> bool:
        """True if the level says itself where to look, from the start or by a cue."""
        moves = (isinstance(cue, CameraMoveCue) for cue in self.script.cues)
        return self.script.head.camera is not None or any(moves)

    @property
    def ped_spawns(self) -> int:
        """Most peds that the cues bring into the street: each cue acts once."""
        return sum(isinstance(cue, PedSpawnCue) for cue in self.script.cues)

    @property
    def everybody(self) -> tuple[str, ...]:
        """Names of all peds who are ever in the street, those of the map first."""
        spawned = [cue.ped for cue in self.script.cues if isinstance(cue, PedSpawnCue)]
        return (*(ped.name for ped in self.description.peds), *spawned)


def read_level(path: Path, vocabulary: Vocabulary) -> Level:
    """Read the level in a folder.

    Raises ``LevelError`` in one sentence naming file and key or object.
    """
    folder = LevelFolder(path)
    script = read_level_file(folder)
    description = _description(
        path.resolve().name, read_map(folder, vocabulary), script, read_level_events(folder)
    )
    map_label = folder.label(MAP_FILE)
    if not description.surfaces:
        raise LevelError(f"{map_label}: no object in 'surfaces': nobody can walk")
    check_references(script, description, vocabulary)
    check_places(description, vocabulary, map_label)
    return Level(folder, description, script, vocabulary)


def _description(
    name: str, content: MapContent, script: LevelFile, decisions: DecisionData | None
) -> LevelDescription:
    head = script.head
    objects = content.objects
    return LevelDescription(
        name=name,
        title=head.title,
        description=head.description,
        width_cm=content.width_cm,
        height_cm=content.height_cm,
        seed=head.seed,
        camera=_camera(head.camera, content),
        time_of_day=head.time_of_day,
        surfaces=tuple(objects.surfaces),
        obstacles=tuple(objects.things["obstacles"]),
        props=tuple(objects.things["props"]),
        vehicles=tuple(objects.things["vehicles"]),
        peds=tuple(objects.peds),
        markers=tuple(objects.markers),
        zones=tuple(objects.zones),
        ground=content.ground,
        decisions=decisions,
        workbench=head.workbench,
        wind=_wind(head.wind),
    )


def _wind(wind: WindForm | None) -> tuple[float, float]:
    """The way the air moves, cm/s."""
    if wind is None:
        return (0.0, 0.0)
    heading = math.radians(wind.heading_deg)
    return (wind.speed_cm_s * math.cos(heading), wind.speed_cm_s * math.sin(heading))


def _camera(camera: CameraForm | None, content: MapContent) -> CameraDescription:
    """The level's camera; without one it looks at the middle of the map."""
    if camera is None:
        return CameraDescription(content.width_cm / 2.0, content.height_cm / 2.0)
    return CameraDescription(camera.x, camera.y, camera.zoom_px_per_cm, camera.pitch_deg)
