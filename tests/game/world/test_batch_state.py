"""The batch reading of bodies equals reading them one by one, whoever sleeps."""

from __future__ import annotations

import pymunk
import pytest

from game.world.batch_state import BatchState
from tests.game.world.small_worlds import SmallWorld


def test_the_batch_equals_reading_body_by_body_in_slot_order(world: SmallWorld) -> None:
    """Product.md section 9: the scalar reference that the batch must equal."""
    refs = [world.put("crate", 200 + 200 * n, 500) for n in range(6)]
    world.put("cone", 600, 900)
    for n, ref in enumerate(refs):
        if n % 2:
            world.throw(ref, 0, 150 + 40 * n)
    asleep_seen = set()
    for step in range(120):
        world.step((570, 900), (1000, 1500))
        slots, state = world.physics.prop_state()
        assert slots.tolist() == sorted(slots.tolist())
        for slot, row in zip(slots.tolist(), state.tolist(), strict=True):
            body = world.physics._bodies[slot].body
            assert body is not None
            single = (*body.position, body.angle, *body.velocity, body.angular_velocity)
            assert tuple(row) == single
        asleep_seen.add(sum(world.physics.asleep(ref) for ref in refs))
        if step == 60:
            world.remove(refs.pop(2))
    assert {0, 5} < asleep_seen


def test_a_registered_body_that_is_not_in_the_space_is_an_error() -> None:
    batch = BatchState(pymunk.Space())
    batch.register(pymunk.Body(1.0, 1.0), 4)
    with pytest.raises(LookupError, match="1 registered bodies are not in the space"):
        batch.read()


def test_no_body_no_rows() -> None:
    assert BatchState(pymunk.Space()).read().shape == (0, 6)
