"""What is seen: one projection, figures, things, ground, light, and the order they are drawn in."""

import os

# Standard output carries results alone: pygame's greeting is off before it is imported.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
