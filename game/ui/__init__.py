"""The window: pacing, keys, camera, panels."""

import game.render  # noqa: F401 - quietens pygame before anything here imports it
