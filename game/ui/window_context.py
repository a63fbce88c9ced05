"""What all screens of a window share and what outlives a level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from game.audio.street_sounds import StreetSounds
from game.render.palette import load_palette
from game.render.scene_renderer import Quality
from game.ui.bench_settings import BenchSettings
from game.ui.display import Display
from game.ui.frame_pacer import FramePacer
from game.ui.gamepad import Gamepad
from game.ui.held_keys import HeldKeys
from game.ui.notices import Notices
from game.ui.preferences import PreferenceFile
from game.ui.session import Sessions
from game.ui.theme import Theme
from game.ui.video_key import VideoKey
from game.world.world import World


def nothing_changed(_world: World) -> tuple[str, ...]:
    """Nobody watches behaviour files."""
    return ()


@dataclass(slots=True)
class WindowContext:
    """One window's display, theme, input state, clockwork, and where its levels come from."""

    display: Display
    sessions: Sessions
    quality: Quality = field(default_factory=Quality)
    preferences: PreferenceFile = field(default_factory=PreferenceFile)
    pacer: FramePacer = field(default_factory=FramePacer)
    held: HeldKeys = field(default_factory=HeldKeys)
    gamepad: Gamepad = field(default_factory=Gamepad)
    notices: Notices = field(default_factory=Notices)
    bench: BenchSettings | None = None
    """What the workbench is set to, once there was one."""
    changed_tuning: Callable[[], tuple[str, ...]] = tuple
    """Called once a frame, between steps: takes changed tuning over, returns what to tell."""
    changed_behaviour: Callable[[World], tuple[str, ...]] = nothing_changed
    """The same for behaviour files, whose peds are told."""
    sounds: StreetSounds = field(default_factory=StreetSounds)
    theme: Theme = field(init=False)
    video: VideoKey = field(init=False)

    def __post_init__(self) -> None:
        values = self.preferences.values
        self.theme = Theme(load_palette().interface, values.text_scale)
        self.video = VideoKey(self.notices)
        self._tell_of_preferences()

    @property
    def heading_rad(self) -> float | None:
        """Where keys or stick point, None if nowhere."""
        heading = self.held.heading_rad
        return self.gamepad.heading_rad if heading is None else heading

    def release_all(self) -> None:
        """The window lost the focus: every key and button counts as up (F8)."""
        self.held.release_all()
        self.gamepad.release_all()

    def close(self) -> None:
        """The window closes: finish what is being made, let go of what was opened."""
        self.video.close()
        self.sounds.close()
        self.gamepad.close()

    def toggle_full_screen(self) -> None:
        """Fill the screen or go back to the window, and remember it."""
        if not self.display.toggle_full_screen():
            self.notices.say("This screen can't be filled")
        self.preferences.values.full_screen = self.display.is_full_screen
        self._keep_preferences()

    def set_text_scale(self, text_scale: float) -> None:
        """Another text size for every panel, from the next frame on, and remember it."""
        self.theme.text_scale = text_scale
        self.preferences.values.text_scale = text_scale
        self._keep_preferences()

    def toggle(self, name: str) -> None:
        """Turn one of the preferences that are on or off, and remember it."""
        values = self.preferences.values
        setattr(values, name, not getattr(values, name))
        self._keep_preferences()

    def set_volume(self, volume: float) -> None:
        """How loud the street is, 0 to 1, and remember it."""
        self.preferences.values.volume = min(max(volume, 0.0), 1.0)
        self._keep_preferences()

    def _keep_preferences(self) -> None:
        self.preferences.save()
        self._tell_of_preferences()

    def _tell_of_preferences(self) -> None:
        if self.preferences.notice:
            self.notices.say(self.preferences.notice)
