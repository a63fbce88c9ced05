"""TEMPORARY stand-in."""
from __future__ import annotations
import numpy as np, shapely
from ai.ports import GroundPoint
from ai.navigation.map_shapes import MapShapes

class MeshSurface:
    def __init__(self, shapes: MapShapes) -> None:
        self._s = shapes
        b = shapes.extent
        walk = shapely.union_all([p.area for p in shapes.patches_in(b) if p.ground >= 0])
        for p in shapes.patches_in(b):
            if p.ground < 0: walk = walk.difference(p.area)
        for o in shapes.obstacles_in(b, with_props=False):
            walk = walk.difference(o.outer)
        self._area = walk.buffer(-30)
        shapely.prepare(self._area)
        self._patches = shapes.patches_in(b)
    def project(self, x, y, max_shift_cm):
        p = shapely.Point(x, y)
        shift = 0.0
        if not self._area.contains(p):
            if self._area.is_empty: return None
            q = shapely.shortest_line(p, self._area).coords[-1]
            shift = ((q[0]-x)**2+(q[1]-y)**2)**0.5
            if shift > max_shift_cm: return None
            x, y = q
        kind="pavement"
        for s in self._patches:
            if s.area.intersects(shapely.Point(x,y)): kind=s.patch.kind
        return GroundPoint(x, y, 0.0, 1.0, shift, kind)
    def inside_mask(self, x, y):
        return shapely.contains_xy(self._area, x, y)
    def height_at(self, x, y):
        return np.zeros_like(x)
