"""What is seen: one projection, figures, things, ground, light, and the order they are drawn in."""
