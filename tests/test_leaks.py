"""A task that the product forgets fails a test; what a test drops itself does not (TASK-60)."""

from __future__ import annotations

import gc

import pytest

from ai.faults import faults
from ai.tasks.task import Task
from ai.tasks.task_pool import TaskPool
from ai.tasks.task_tree import TaskTree
from tests.ai.tasks.doubles import FakePed, Probe


@pytest.fixture(autouse=True)
def pool() -> TaskPool:
    """The pool of the test's world."""
    made = TaskPool()
    made.activate()
    return made


@pytest.mark.expects_faults
def test_a_task_that_the_product_forgets_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """TASK-60: here a tree that empties a slot without deleting what it held."""
    monkeypatch.setattr("ai.tasks.task_tree.delete_task", lambda task: cut_links(task))
    tree = TaskTree(FakePed(), 1)
    tree.set_task(Probe(), 0)
    tree.clear(0)
    assert any(fault.text.startswith("probe#") for fault in faults.of_kind("task_leaked"))


def cut_links(task: Task) -> None:
    """All that a deletion does but giving the slot back."""
    task.parent = task.child = task.tree = task.entity = None


def test_what_a_test_drops_is_counted_and_no_fault(pool: TaskPool) -> None:
    """TASK-60: a task of its own, and a ped with its trees, which is a ring of objects."""
    Probe()
    FakePed()
    gc.collect()
    assert pool.leaked.total() > 1
    assert len(faults.of_kind("task_leaked")) == pool.leaked.total()
