"""Drawing people: looks, skeletons seen by the camera, bodies, heads, sprites and shadows."""
