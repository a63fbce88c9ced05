"""Carrying out a level's cues when they are due, in (step, file order) (LVL-11)."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from ai.ports import Vec3
from game.levels.cue_forms import (
    BangCue,
    BlastCue,
    CameraMoveCue,
    CaptionCue,
    Cue,
    FireBurnCue,
    FireLightCue,
    FireOutCue,
    FleeFromCue,
    ImpactCue,
    MachineRequestCue,
    OrderCue,
    OrderRedirectCue,
    OrderStartCue,
    PedRemoveCue,
    PedShoveCue,
    PedSpawnCue,
    PropMoveCue,
    PropRemoveCue,
    PropSpawnCue,
    ScriptCommandCue,
    ScriptSequenceCue,
    ShockCue,
    ThreatMoveCue,
    VehicleMoveCue,
    WeaponCue,
    WindCue,
)
from game.levels.cue_schedule import CueSchedule
from game.levels.spawns import described_ped, described_thing
from game.levels.stage import LevelStage, LevelView
from game.world.thing_kinds import ThingCatalogue

NO_OFFSET = Vec3(0.0, 0.0, 0.0)


class CueRunner:
    """The cues of one run.

    - ``act`` is phase 1 of a step.
    - A cue that could not be carried out is a warning of the run, never an error.
    """

    def __init__(self, cues: Sequence[Cue], catalogue: ThingCatalogue, rng: random.Random) -> None:
        self._cues = tuple(cues)
        self._catalogue = catalogue
        self._labels = tuple(
            cue.name if cue.name is not None else f"cue[{index}]" for index, cue in enumerate(cues)
        )
        self._schedule = CueSchedule(self._cues, rng)
        self._refusals: dict[str, list[str]] = {}
        self._peds: dict[str, str | None] = {
            label: getattr(cue, "ped", None)
            for label, cue in zip(self._labels, self._cues, strict=True)
        }
        self._acts: list[tuple[str, int]] = []
        self._left_out = {self._labels[index] for index in self._schedule.left_out}

    def act(self, stage: LevelStage, view: LevelView, step: int) -> None:
        """Carry out what is due in this step."""
        for index in self._schedule.open:
            if not self._schedule.is_due(index, view, step):
                continue
            label = self._labels[index]
            self._schedule.acted(index, label, step)
            self._acts.append((label, step))
            refusal = self.perform(stage, label, self._cues[index])
            if refusal is not None:
                self.refused(label, refusal)

    def refused(self, cue: str, reason: str) -> None:
        """Note that a cue's command was refused; the world tells when its queue is drained."""
        self._refusals.setdefault(cue, []).append(reason)

    def acted_step(self, cue: str) -> int | None:
        """The step in which a cue first acted, or None if it has not yet."""
        return self._schedule.first_acted(cue)

    def acted(self) -> Sequence[tuple[str, int]]:
        """Every time that a cue acted, in order: its label and the step."""
        return self._acts

    def is_left_out(self, cue: str) -> bool:
        """True if another cue of its choice was picked for this run."""
        return cue in self._left_out

    def warnings(self, *subjects: str, over: bool = True) -> tuple[str, ...]:
        """What went otherwise than the level meant, with cues that concern these peds or objects.

        - A cue that names no ped concerns everybody: the street is not as it was meant.
        - Once the run is ``over``, a cue that was never due is a warning too, unless
          another of its choice was picked.
        """
        found = []
        for label in self._labels:
            ped = self._peds[label]
            if ped is not None and ped not in subjects:
                continue
            found += [f"cue '{label}' was refused: {why}" for why in self._refusals.get(label, ())]
            if over and not self.is_left_out(label) and self.acted_step(label) is None:
                found.append(f"cue '{label}' was never due")
        return tuple(found)

    def perform(self, stage: LevelStage, label: str, cue: Cue) -> str | None:
        """Carry one cue out now, of the level or not; returns why not, or None.

        Orders are only queued: what becomes of them is told under ``label``.
        """
        match cue:
            case OrderStartCue():
                return _start(stage, label, cue)
            case OrderRedirectCue():
                return _redirect(stage, label, cue)
            case OrderCue():
                return _command(stage, label, cue)
            case PropSpawnCue():
                return stage.thing_spawn(described_thing(cue, self._catalogue), cue.over)
            case PropRemoveCue():
                return stage.thing_remove(cue.object)
            case PropMoveCue():
                yaw_rad = None if cue.yaw_deg is None else math.radians(cue.yaw_deg)
                return stage.thing_move(cue.object, Vec3(*cue.position), yaw_rad)
            case VehicleMoveCue():
                return stage.vehicle_move(cue.object, Vec3(*cue.position), cue.speed_cm_s)
            case PedSpawnCue():
                return stage.ped_spawn(described_ped(cue))
            case PedRemoveCue():
                return stage.ped_remove(cue.ped)
            case PedShoveCue():
                return stage.ped_shove(cue.ped, cue.impulse)
            case MachineRequestCue():
                return stage.machine_request(cue.ped, cue.state)
            case ImpactCue():
                return stage.impact(
                    cue.ped, cue.impulse, math.radians(cue.heading_deg), cue.up, cue.part
                )
            case FireLightCue():
                place = Vec3(*cue.position)
                stage.fire_light(place, cue.radius_cm, cue.burns_s, cue.spreads)
            case FireBurnCue():
                return stage.fire_burn(cue.object)
            case FireOutCue():
                stage.fire_out(_place(cue.position), cue.radius_cm)
            case WindCue():
                heading = math.radians(cue.heading_deg)
                speed = cue.speed_cm_s
                stage.wind(speed * math.cos(heading), speed * math.sin(heading))
            case FleeFromCue():
                return stage.flee_from(
                    cue.ped, _place(cue.position), _place(cue.beside), cue.object, cue.safe_cm
                )
            case ThreatMoveCue():
                return stage.threat_move(cue.ped, Vec3(*cue.position))
            case BangCue():
                return stage.bang(_place(cue.position), cue.ped, cue.radius_cm)
            case BlastCue():
                stage.blast(Vec3(*cue.position), cue.strength, cue.radius)
            case WeaponCue():
                return stage.weapon(cue.ped, cue.state)
            case ShockCue():
                return stage.shock(cue.kind, _place(cue.position), cue.ped, cue.object)
            case ScriptCommandCue():
                return stage.script_command(cue.ped, cue.task, cue.source)
            case ScriptSequenceCue():
                return stage.script_sequence(cue.ped, cue.tasks, cue.source, cue.repeat)
            case CaptionCue():
                stage.caption(cue.text, cue.for_s)
            case CameraMoveCue():
                stage.camera_move(Vec3(*cue.position), cue.zoom_px_per_cm, cue.over_s)
        return None


def _place(position: tuple[float, float] | None) -> Vec3 | None:
    return None if position is None else Vec3(*position)


def _start(stage: LevelStage, label: str, cue: OrderStartCue) -> str | None:
    if cue.point is not None:
        return stage.order_start_point(label, cue.ped, Vec3(*cue.point), cue.source)
    assert cue.object is not None
    offset = NO_OFFSET if cue.offset is None else Vec3(*cue.offset)
    return stage.order_start_object(label, cue.ped, cue.object, offset, cue.source, cue.track)


def _redirect(stage: LevelStage, label: str, cue: OrderRedirectCue) -> str | None:
    if cue.point is not None:
        return stage.order_redirect_point(label, cue.ped, Vec3(*cue.point))
    assert cue.object is not None
    offset = NO_OFFSET if cue.offset is None else Vec3(*cue.offset)
    return stage.order_redirect_object(label, cue.ped, cue.object, offset, cue.track)


def _command(stage: LevelStage, label: str, cue: OrderCue) -> str | None:
    if cue.do == "order.hold":
        return stage.order_hold(label, cue.ped)
    if cue.do == "order.continue":
        return stage.order_continue(label, cue.ped)
    return stage.order_cancel(label, cue.ped)
