"""What levels need of a world: hands for their cues (``LevelStage``), eyes for what they expect.

The world fills both; this room never reaches further into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ai.behaviours.injury import Health
from ai.behaviours.order_record import OrderState
from ai.behaviours.safe_record import SafeResponse
from ai.events.subject import EventPed
from ai.machines.brain import Brain
from ai.motion.execution import MoveExecution
from ai.motion.recovery.phases import RecoveryRecord
from ai.ports import ObjectTransform, Vec3
from game.levels.script_forms import ScriptTask
from game.world.description import PedDescription, ThingDescription


class WatchedPed(EventPed, Protocol):
    """A ped as levels see it; nothing of it is changed here."""

    @property
    def order(self) -> OrderState:
        """Its live order, else its last ended one, else a blank record that is NOT_STARTED."""
        ...

    @property
    def recovery(self) -> RecoveryRecord | None:
        """The session in which its body is down or rising; None while it is its own."""
        ...

    @property
    def safe_response(self) -> SafeResponse | None:
        """Its live safe response, else its last one, else None."""
        ...

    @property
    def health(self) -> Health:
        """What is left of it (EVT-102)."""
        ...

    @property
    def brain(self) -> Brain | None:
        """The brain that its default task runs, or None."""
        ...

    @property
    def movement(self) -> MoveExecution:
        """Its general movement record."""
        ...


class LevelView(Protocol):
    """Eyes: who and what is there, by the names of the map and of spawn cues."""

    def body_free(self, position: Vec3) -> bool:
        """True if a standing body there stays out of static shapes and solid props (LOC-07).

        Touching is free; another ped is no shape.
        """
        ...

    def ped(self, name: str) -> WatchedPed | None:
        """The ped of that name, or None if it has left or is not there yet."""
        ...

    def nearest_ped_cm(self, name: str) -> float | None:
        """From the ped of that name to the nearest other one, centre to centre; None if alone."""
        ...

    def people(self) -> int:
        """How many peds there are."""
        ...

    def things(self) -> int:
        """How many things there are."""
        ...

    def fingerprint(self) -> str:
        """The hash over all states of every step before this one (product.md section 2)."""
        ...

    def pose(self, name: str) -> ObjectTransform | None:
        """Where a thing or marker is, or None if it is not there."""
        ...


class LevelStage(Protocol):
    """Hands: what cues have done. Called in phase 1 of a step; orders are only queued there.

    - ``cue`` names the cue in messages: a command may still be refused when the queue
      is drained, and whoever drains it then tells ``CueRunner.refused``.
    - Methods that can fail return why nothing was done, or None.
    """

    def order_start_object(
        self, cue: str, ped: str, target: str, offset: Vec3, source: str, track: bool
    ) -> str | None:
        """Order a ped to a point in an object's own axes (ORD-05), and after it (ORD-20)."""
        ...

    def order_start_point(self, cue: str, ped: str, point: Vec3, source: str) -> str | None:
        """Order a ped to a place (ORD-25)."""
        ...

    def order_hold(self, cue: str, ped: str) -> str | None:
        """Hold the ped's running order (ORD-10)."""
        ...

    def order_continue(self, cue: str, ped: str) -> str | None:
        """Continue it (ORD-11)."""
        ...

    def order_redirect_object(
        self, cue: str, ped: str, target: str, offset: Vec3, track: bool
    ) -> str | None:
        """Redirect it to another object (ORD-12)."""
        ...

    def order_redirect_point(self, cue: str, ped: str, point: Vec3) -> str | None:
        """Redirect it to a place (ORD-12, ORD-25)."""
        ...

    def order_cancel(self, cue: str, ped: str) -> str | None:
        """Cancel it (ORD-13)."""
        ...

    def thing_spawn(self, thing: ThingDescription, over: str | None) -> str | None:
        """Put a thing into the world, ``over`` a ped if one is named.

        Its object id 0 stands for a spawn number.
        """
        ...

    def impact(
        self, ped: str, impulse: float, heading_rad: float, up: float, part: str
    ) -> str | None:
        """Hit a ped, kg cm/s (RAG-01)."""
        ...

    def flee_from(
        self, ped: str, at: Vec3 | None, beside: Vec3 | None, target: str | None, safe_cm: float
    ) -> str | None:
        """Have a ped flee from a place, one beside it, or an object (SAFE-02)."""
        ...

    def threat_move(self, ped: str, position: Vec3) -> str | None:
        """Put the place that a ped flees from somewhere else (SAFE-10)."""
        ...

    def fire_light(
        self, position: Vec3, radius_cm: float, burns_s: float | None, spreads: bool
    ) -> None:
        """A spot begins to burn; full at once and steady unless it spreads."""
        ...

    def fire_burn(self, name: str) -> str | None:
        """A thing catches fire."""
        ...

    def fire_out(self, position: Vec3 | None, radius_cm: float) -> None:
        """Water on a round place; every fire is out at once without one."""
        ...

    def wind(self, x: float, y: float) -> None:
        """The air moves this way, cm/s."""
        ...

    def bang(self, position: Vec3 | None, ped: str | None, radius_cm: float) -> str | None:
        """A bang at a place, or made by a ped."""
        ...

    def blast(self, at: Vec3, strength: float, radius_cm: float | None) -> None:
        """Blow something up at a place (EVT-40); None keeps the usual reach."""
        ...

    def weapon(self, ped: str, state: str) -> str | None:
        """A ped draws, aims or puts away; ``state`` is a word of ``Weapon``."""
        ...

    def shock(
        self, kind: str, position: Vec3 | None, ped: str | None, target: str | None
    ) -> str | None:
        """A shocking fact of this kind, at a place, a ped or an object."""
        ...

    def ped_shove(self, ped: str, impulse: float | None) -> str | None:
        """Have a ped shove what stands in front of it, kg cm/s (LOC-20); None is its usual push."""
        ...

    def machine_request(self, ped: str, state: str) -> str | None:
        """Ask a ped's machine for a state (HSM-30)."""
        ...

    def thing_remove(self, name: str) -> str | None:
        """Ask for a thing's removal."""
        ...

    def thing_move(self, name: str, position: Vec3, yaw_rad: float | None) -> str | None:
        """Put a thing somewhere else, at rest; None keeps its heading."""
        ...

    def vehicle_move(self, name: str, position: Vec3, speed_cm_s: float) -> str | None:
        """Send a vehicle straight to a place."""
        ...

    def ped_spawn(self, ped: PedDescription) -> str | None:
        """Put a ped into the world; its object id 0 stands for a spawn number."""
        ...

    def ped_remove(self, name: str) -> str | None:
        """Retire a ped."""
        ...

    def script_command(self, ped: str, task: ScriptTask, source: str) -> str | None:
        """Have a ped do something (EVT-67)."""
        ...

    def script_sequence(
        self, ped: str, tasks: Sequence[ScriptTask], source: str, repeat: bool
    ) -> str | None:
        """Have a ped do one thing after another (EVT-69)."""
        ...

    def caption(self, text: str, duration_s: float) -> None:
        """Show a line of text."""
        ...

    def camera_move(self, position: Vec3, zoom_px_per_cm: float | None, over_s: float) -> None:
        """Move the level's camera and the focus; None keeps the zoom."""
        ...
