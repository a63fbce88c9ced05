"""How peds move: clips, poses, movement records, claims and the walk update."""
