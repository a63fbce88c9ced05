"""What a guard perceives, written to its blackboard (HSM-30).

Keys that its behaviour file does not declare are not written, so that a file says what
it wants to know.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ai.behaviours.brains.reports import Report, ReportKind
from ai.events.types import EventType
from ai.machines.blackboard.keys import Value
from ai.machines.brain import Brain
from ai.machines.steps import NEVER, steps
from ai.ports import EntityKind, EntityRef, Vec3

if TYPE_CHECKING:
    from ai.behaviours.actor import Actor
    from ai.events.ped_group import Received

_BEHIND_RAD: Final = math.radians(60.0)
"""An enemy nearer to the post's direction than this stands in the way there."""

IsGuard = Callable[[EntityRef, "GuardSenses"], bool]


class GuardSenses:
    """Eyes and ears of one guard.

    - ``enemy``: whom it fights or looks for; ``sees_enemy``: with its own eyes, at the last look.
    - ``last_known``: where the enemy was last seen, or said to be.
    - What it was told, or felt, counts as seen (``enemy_visible``) for ``told_s``.
    - A quiet step costs a few comparisons; a look is taken every ``glance_s``, in combat by
      the service ``track_target`` every ``track_s``.
    """

    __slots__ = (
        "_forget_step",
        "_glance_step",
        "_heard_number",
        "_is_guard",
        "_keys",
        "_last_received",
        "_life_version",
        "_post",
        "_told_until",
        "_written",
        "actor",
        "brain",
        "enemy",
        "last_known",
        "sees_enemy",
    )

    def __init__(self, actor: Actor, brain: Brain, is_guard: IsGuard) -> None:
        self.actor = actor
        self.brain = brain
        self.enemy: EntityRef | None = None
        self.sees_enemy = False
        self.last_known = actor.position
        self._is_guard = is_guard
        self._keys = brain.board.layout.slots
        self._written: dict[str, Value] = {}
        self._heard_number = actor.services.brains.reports.last
        received = actor.events.group.received
        self._last_received: Received | None = received[-1] if received else None
        self._life_version = actor.services.brains.life.version
        self._forget_step = NEVER
        self._glance_step = NEVER
        self._told_until = -1
        route = actor.services.brains.routes.get(actor.route, ())
        self._post = route[0] if route else actor.position
        self._write("post_pos", (self._post.x, self._post.y))

    def _write(self, key: str, value: Value) -> None:
        """Write a value that is new, if the file wants to know it."""
        if key in self._keys and self._written.get(key) != value:
            self._written[key] = value
            self.brain.write(key, value)

    def sense(self, step: int) -> None:
        """Ahead of each step of the brain: what has happened since the last one."""
        reports = self.actor.services.brains.reports
        if reports.last != self._heard_number:
            for news in reports.since(self._heard_number):
                self._take_in(news, step)
            self._heard_number = reports.last
        received = self.actor.events.group.received
        if received and received[-1] is not self._last_received:
            self._take_in_hits(step)
        health = self.actor.health.value
        if health != self._written.get("health", 1.0):
            self._write("health", health)
        if self.enemy is not None:
            if step >= self._forget_step or self._is_gone(self.enemy):
                self._forget()
            elif step >= self._glance_step:
                self.track(step)

    def _exists(self, ref: EntityRef) -> bool:
        return self.actor.services.brains.life.is_alive(ref)

    def _is_gone(self, enemy: EntityRef) -> bool:
        """Has it left the world; looked up only when somebody has."""
        version = self.actor.services.brains.life.version
        if version == self._life_version:
            return False
        self._life_version = version
        return not self._exists(enemy)

    # -- noticing ----------------------------------------------------------------------

    def _take_in_hits(self, step: int) -> None:
        """Whoever is the source of damage to the guard itself is an enemy (EVT-24)."""
        received = self.actor.events.group.received
        newest = self._last_received
        fresh: list[Received] = []
        for one in reversed(received):
            if one is newest:
                break
            fresh.append(one)
        self._last_received = received[-1]
        for one in reversed(fresh):
            if one.event_type is EventType.DAMAGE and one.source is not None:
                self._feel(one.source, step)

    def _take_in(self, news: Report, step: int) -> None:
        me = self.actor.ref
        if news.by == me:
            return
        if news.kind is ReportKind.CALL:
            self._hear(news, step)
        elif news.other == me:
            self._feel(news.by, step)
        elif self._has_seen(news):
            self._make_enemy(news.by, news.place, step)

    def _has_seen(self, news: Report) -> bool:
        """Near enough, and the victim or the doer in sight."""
        senses = self.actor.services.brains.data.tuning.senses
        here, world = self.actor.position, self.actor.events.services.world
        if math.hypot(news.place.x - here.x, news.place.y - here.y) > senses.notice_cm:
            return False
        if world.can_see(self.actor, news.place):
            return True
        doer = world.position_of(news.by)
        return doer is not None and world.can_see(self.actor, doer)

    def _hear(self, news: Report, step: int) -> None:
        """Another guard calls; one who has an enemy in sight does not turn to it."""
        senses = self.actor.services.brains.data.tuning.senses
        world = self.actor.events.services.world
        caller = world.position_of(news.by)
        if caller is None or not world.can_hear(self.actor, caller, senses.hear_cm):
            return
        if not self.sees_enemy:
            self._told_until = step + steps(senses.told_s)
            self._make_enemy(news.other, news.place, step)

    def _feel(self, ref: EntityRef, step: int) -> None:
        """Who is hit knows where that came from, and turns round."""
        place = self.actor.events.services.world.position_of(ref)
        if place is not None:
            senses = self.actor.services.brains.data.tuning.senses
            self._told_until = step + steps(senses.told_s)
            self._make_enemy(ref, place, step)

    def _make_enemy(self, ref: EntityRef, place: Vec3, step: int) -> None:
        """Take somebody for an enemy; never oneself, a guard, or what is no ped."""
        if ref.kind is not EntityKind.PED or not self._exists(ref) or ref == self.actor.ref:
            return
        if (self.sees_enemy and self.enemy != ref) or self._is_guard(ref, self):
            return
        self.enemy = ref
        self._write("enemy", ref)
        self._write("enemy_known", True)
        self._is_at(place, step)
        self.track(step)

    def _is_at(self, place: Vec3, step: int) -> None:
        """The enemy was there just now."""
        self.last_known = place
        self._write("last_known_pos", (place.x, place.y))
        senses = self.actor.services.brains.data.tuning.senses
        self._forget_step = step + steps(senses.forget_s)

    def _forget(self) -> None:
        """Long unseen, or gone."""
        self.enemy = None
        self.sees_enemy = False
        self._forget_step = self._glance_step = NEVER
        self._write("enemy", None)
        self._write("enemy_known", False)
        self._write("enemy_visible", False)

    # -- following ---------------------------------------------------------------------

    def enemy_place(self) -> Vec3 | None:
        """Where it is while it is seen, else where it was last; None without one."""
        if self.enemy is None:
            return None
        if self.sees_enemy:
            return self.actor.events.services.world.position_of(self.enemy)
        return self.last_known

    def track(self, step: int) -> None:
        """Look where the enemy is."""
        enemy = self.enemy
        if enemy is None:
            return
        actor = self.actor
        world = actor.events.services.world
        senses = actor.services.brains.data.tuning.senses
        self._glance_step = step + steps(senses.glance_s)
        other = world.ped(enemy)
        if other is None:
            self._forget()
            return
        place = other.position
        self.sees_enemy = world.can_see(actor, place)
        if self.sees_enemy:
            self._is_at(place, step)
        here, known = actor.position, self.last_known
        self._write("enemy_visible", self.sees_enemy or step < self._told_until)
        self._write("enemy_alive", not other.is_dead)
        self._write("enemy_reachable", not other.is_ragdolling)
        self._write("enemy_dist_cm", round(math.hypot(known.x - here.x, known.y - here.y), 1))
        self._write_post(known)

    def _write_post(self, enemy: Vec3) -> None:
        """How far the post is, and whether the enemy stands between."""
        here, post = self.actor.position, self._post
        distance = math.hypot(post.x - here.x, post.y - here.y)
        self._write("post_dist_cm", round(distance, 1))
        to_post = math.atan2(post.y - here.y, post.x - here.x)
        to_enemy = math.atan2(enemy.y - here.y, enemy.x - here.x)
        nearer = math.hypot(enemy.x - here.x, enemy.y - here.y) < distance
        in_the_way = abs(math.remainder(to_enemy - to_post, math.tau)) < _BEHIND_RAD
        self._write("enemy_blocks_post", nearer and in_the_way)
