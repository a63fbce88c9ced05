"""The world: its things, physics, clearance, clock, random streams and handles."""
