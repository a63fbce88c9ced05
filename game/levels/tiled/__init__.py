"""Tiled maps: from a level's ``map.tmx`` to plain descriptions in centre poses."""
