"""Copies of per-step functions: their own code, everything else as before."""

from __future__ import annotations

import sys

from ai.tasks.own_code import give_own_code
from ai.tasks.task import Task
from ai.tasks.task_tree import TaskTree
from tests.ai.tasks.doubles import HookedProbe, MoveProbe, Probe, fresh_type, tree_of


class Base:
    def speak(self, word: str = "base") -> str:
        """Say a word."""
        return f"{type(self).__name__}: {word}"


class Loud(Base):
    def speak(self, word: str = "loud") -> str:
        return super().speak(word).upper()


def test_a_copy_has_code_of_its_own_and_does_the_same() -> None:
    """TASK-27: the same result, default, name, text and file; another code object."""

    class Child(Base):
        pass

    give_own_code(Child, "speak")
    assert Child.speak is not Base.speak
    assert Child.speak.__code__ is not Base.speak.__code__
    assert Child.speak.__code__.co_filename == Base.speak.__code__.co_filename
    assert (Child.speak.__name__, Child.speak.__doc__) == ("speak", "Say a word.")
    assert Child().speak() == "Child: base"
    assert Child().speak("hi") == "Child: hi"


def test_an_override_is_copied_with_its_way_to_the_base() -> None:
    """TASK-27: ``super()`` of a copied method still finds the base."""

    class Louder(Loud):
        pass

    give_own_code(Louder, "speak")
    assert Louder.speak.__code__ is not Loud.speak.__code__
    assert Louder().speak() == "LOUDER: LOUD"


def test_no_two_classes_share_what_runs_in_every_step() -> None:
    """TASK-27: for tasks the update and the state change, for trees the root loop."""
    for names, classes in (
        (("update_chain", "change_state", "set_state"), (Task, Probe, HookedProbe, MoveProbe)),
        (("process", "prepare"), (TaskTree, *TaskTree.__subclasses__())),
    ):
        for name in names:
            codes = {id(getattr(cls, name).__code__) for cls in classes}
            assert len(codes) == len(classes), name


class Overriding(Probe):
    """Counts what it is asked for."""

    task_type = fresh_type("overriding")
    __slots__ = ("asked_for",)

    def set_state(self, state: int) -> None:
        self.asked_for = state
        super().set_state(state)


class BelowOverriding(Overriding):
    task_type = fresh_type("below_overriding")
    __slots__ = ()


def test_a_class_below_an_override_keeps_it() -> None:
    """TASK-10, TASK-27: the copy is made of what the class inherits, not of the base."""
    tree = tree_of(1)
    task = BelowOverriding(script={"updA": lambda task: task.set_state(1)})
    tree.set_task(task, 0)
    tree.process(1 / 60)
    assert (task.asked_for, task.state) == (1, 1)


def test_tracebacks_and_profiles_name_the_shared_source() -> None:
    """TASK-27: a copied function is found under its own name and file."""
    tree = tree_of(1)
    tree.set_task(Probe(), 0)
    seen: set[tuple[str, str]] = set()

    def profile(frame: object, event: str, argument: object) -> None:
        code = frame.f_code  # type: ignore[attr-defined]
        seen.add((code.co_name, code.co_filename.rsplit("/", 1)[-1]))

    sys.setprofile(profile)
    try:
        tree.process(1 / 60)
    finally:
        sys.setprofile(None)
    assert ("update_chain", "task_update.py") in seen
