"""The window: pacing, keys, camera, panels."""
