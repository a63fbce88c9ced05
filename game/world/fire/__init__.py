"""Fire: what burns, how it spreads, its smoke, and whom it hurts."""
