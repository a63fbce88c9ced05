"""Levels: reading and checking a level's folder, its cues, its expectations."""
