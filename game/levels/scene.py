"""A level played over a world: cues at the start of each step, judgement at its end."""

from __future__ import annotations

from ai.ports import Vec3
from game.levels.cues import CueRunner
from game.levels.expectations import ExpectationWatch
from game.levels.level import Level
from game.levels.world_stage import WorldStage
from game.world.world import World


class LevelScene:
    """One run of one level over the world built from its description.

    - Made when the world stands, before its first step (fills ``game.world.world.Scene``).
    - ``cues`` and ``expectations`` tell how the run goes, ``stage`` what it shows.
    """

    def __init__(self, level: Level, world: World) -> None:
        self._world = world
        self.level = level
        self.stage = WorldStage(world)
        self.cues = CueRunner(level.script.cues, world.data.things, world.streams.scene())
        self.expectations = ExpectationWatch(
            level.script.expectations,
            level.duration_s,
            self.cues,
            self.stage,
            level.everybody,
            level.script.reactions,
            own_seed=world.seed == level.description.seed,
        )

    def act(self) -> None:
        """Phase 1: carry out the cues that are due; move the level's camera."""
        self.cues.act(self.stage, self.stage, self._world.clock.step)
        camera = self.stage.camera
        if camera.moving:
            camera.advance()
            if self._world.peds.local_player is None:
                self._world.focus = Vec3(camera.x, camera.y)

    def judge(self) -> None:
        """Phase 17: take note of refusals, look at every expectation."""
        for cue, reason in self.stage.refusals():
            self.cues.refused(cue, reason)
        self.expectations.judge(self.stage, self._world.clock.step)
