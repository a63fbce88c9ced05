"""Sounds of the window: how they are made, limited and captioned."""
