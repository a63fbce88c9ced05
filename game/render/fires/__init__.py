"""How fire looks: flames, embers, smoke, scorched ground, water (art-and-feel sections 8 and 9)."""
