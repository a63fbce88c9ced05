"""Behaviour files: the shipped ones, every refusal, fuzzing, text form, reload (HSM-28, HSM-29)."""

from __future__ import annotations

import contextlib
import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.machines.authoring.fault_report import BehaviourError
from ai.machines.authoring.library import BehaviourLibrary
from ai.machines.authoring.loader import MAX_FILE_BYTES, compile_document, load_behaviour
from ai.machines.authoring.text_form import TextFormError, parse_text, print_text
from ai.machines.errors import BlackboardError
from ai.machines.limits import BehaviourTuning
from ai.tuning import load_own_form
from tests.ai.machines.doubles import (
    ASSETS,
    ENEMY,
    REGISTRY,
    One,
    Plan,
    guard_composed,
    guard_standalone,
    tree_behaviour,
)

BAD = Path(__file__).resolve().parents[2] / "data" / "behaviour_bad"
KEY_MORE = '[blackboard]\nx = { type = "int" }'
GUARD = ASSETS / "behaviour" / "guard.toml"


def test_the_guards_file_loads() -> None:
    """HSM-27, HSM-28, BT-01: 9 states, 12 rules, 6 trees with 5, 1, 9, 8, 6, 3 nodes, 14 keys."""
    made = guard_composed()
    assert made.machine is not None
    assert (len(made.machine.states), len(made.machine.rules)) == (9, 12)
    trees = ("patrol", "safe_idle", "chase", "engage", "search", "retreat")
    assert [made.trees[name].size for name in trees] == [5, 1, 9, 8, 6, 3]
    assert len(made.layout.keys) == 14
    assert made.machine.terminal.path == "peace/safe_idle"


def test_the_json_twin_is_the_same(tmp_path: Path) -> None:
    """HSM-28: the same schema as .json."""
    twin = tmp_path / "guard.json"
    twin.write_text(json.dumps(tomllib.loads(GUARD.read_text())))
    assert load_behaviour(twin, REGISTRY) == guard_composed()


def test_the_standalone_guard_owns_actions_directly() -> None:
    """HSM-27: the states' actions; none in safe_idle, peace and combat."""
    made = guard_standalone()
    assert made.machine is not None
    actions = {
        path: [action.kind for action in state.actions]
        for path, state in made.machine.states.items()
        if state.actions
    }
    assert actions == {
        "peace/patrol": ["goto_waypoint"],
        "combat/chase": ["chase"],
        "combat/attack": ["strike"],
        "combat/search": ["goto"],
        "combat/retreat": ["flee"],
    }


def test_the_shipped_tuning_has_the_values_of_the_rules() -> None:
    """HSM-28: assets/tuning/behaviour.toml; defaults are the specification's."""
    assert load_own_form(ASSETS / "tuning" / "behaviour.toml", BehaviourTuning) == BehaviourTuning()


def test_the_tuning_file_overrides_params() -> None:
    """HSM-28: table of the file's name, same names; unknown ones are refused."""
    made = load_behaviour(GUARD, REGISTRY, {"guard": {"chase_stop_cm": 55.0}})
    leaf = next(node for node in made.trees["chase"].root.walk() if node.name == "close_in")
    values = {one.name: one.value for one in leaf.settings.action.parameters}
    assert values["stop_cm"] == 55.0
    with pytest.raises(BehaviourError, match="did you mean 'chase_stop_cm'"):
        load_behaviour(GUARD, REGISTRY, {"guard": {"chase_stop": 55.0}})
    with pytest.raises(BehaviourError, match="is of type number"):
        load_behaviour(GUARD, REGISTRY, {"guard": {"chase_stop_cm": "far"}})


@pytest.mark.parametrize("path", sorted(BAD.glob("*.toml")), ids=lambda path: path.stem)
def test_every_fault_has_its_message(path: Path) -> None:
    """HSM-29, HSM-04, HSM-19, BT-01, BT-18, BT-19, BB-06, BB-08: file, line, place, words."""
    expected = path.read_text().splitlines()[0].removeprefix("# expect: ")
    with pytest.raises(BehaviourError) as caught:
        load_behaviour(path, REGISTRY)
    assert expected in str(caught.value)
    assert all(fault.file == str(path) for fault in caught.value.faults)
    if path.stem not in ("terminal_missing", "no_root", "main_missing", "five_faults"):
        assert caught.value.faults[0].line > 1


def test_five_faults_are_listed_together() -> None:
    """HSM-29: none hides another, nothing of the file is used."""
    with pytest.raises(BehaviourError) as caught:
        load_behaviour(BAD / "five_faults.toml", REGISTRY)
    assert len(caught.value.faults) == 5


def test_lines_of_toml_and_json(tmp_path: Path) -> None:
    """HSM-29: file, line and node path in each message."""
    document = tomllib.loads(GUARD.read_text())
    document["trees"]["engage"]["nodes"]["strike"]["action"] = "strik"
    text = json.dumps(document, indent=1)
    path = tmp_path / "guard.json"
    path.write_text(text)
    with pytest.raises(BehaviourError) as caught:
        load_behaviour(path, REGISTRY)
    (fault,) = caught.value.faults
    assert '"action": "strik"' in text.splitlines()[fault.line - 1]
    assert fault.place == "trees.engage.nodes.strike.action"
    broken = tmp_path / "guard.toml"
    broken.write_text(GUARD.read_text().replace('action = "strike"', 'action = "strik"'))
    with pytest.raises(BehaviourError) as caught:
        load_behaviour(broken, REGISTRY)
    (fault,) = caught.value.faults
    assert broken.read_text().splitlines()[fault.line - 1].startswith("nodes.strike")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.toml", b"x" * (MAX_FILE_BYTES + 1), "refused unread"),
        ("a.toml", b"\xff\xfe", "not UTF-8"),
        ("a.toml", b"a = = 1", "not valid TOML"),
        ("a.json", b"{", "not valid JSON"),
        ("a.json", b"[" * 100_000, "can't be read"),
        ("a.json", b"[1]", "is refused"),
        ("a.json", b'{"trees": {"a": {}, "a": {}}}', "key 'a' stands twice"),
        ("a.toml", b"format = true", "format: True is refused"),
        ("a.yaml", b"", "unknown ending"),
        ("a.tree", b"\tbehaviour", "spaces"),
    ],
)
def test_hostile_files_are_refused_clearly(
    tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    """HSM-29: size, encoding, nesting; one clear refusal."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BehaviourError, match=reason):
        load_behaviour(path, REGISTRY)
    with pytest.raises(BehaviourError, match="can't be read"):
        load_behaviour(tmp_path / "missing.toml", REGISTRY)


def test_too_many_nodes_and_too_deep_trees_are_refused() -> None:
    """BT-01: at most 256 nodes, depth 32, subtrees included."""
    halves = ", ".join(f"'n{number}'" for number in range(60))
    nodes = "\n".join(
        f'nodes.n{number} = {{ type = "subtree", tree = "many" }}' for number in range(60)
    )
    text = "\n".join(f'nodes.m{number} = {{ type = "succeed" }}' for number in range(5))
    names = ", ".join(f"'m{number}'" for number in range(5))
    many = (
        f"nodes.top = {{ type = 'sequence', children = [{halves}] }}\n{nodes}\n"
        f"[trees.many]\nroot = 'r'\nnodes.r = {{ type = 'sequence', children = [{names}] }}\n"
        + text
    )
    with pytest.raises(BehaviourError, match="at most 256"):
        tree_behaviour(many)
    deep = "nodes.top = { type = 'inverter', child = 'd0' }\n" + "\n".join(
        f"nodes.d{number} = {{ type = 'inverter', child = 'd{number + 1}' }}"
        for number in range(31)
    )
    with pytest.raises(BehaviourError, match="depth 32"):
        tree_behaviour(deep + "\nnodes.d31 = { type = 'succeed' }")


def test_a_subtree_has_its_own_state_in_each_place() -> None:
    """BT-01: one definition used twice; instances are apart, definitions shared."""
    nodes = """
    nodes.top = { type = "sequence", children = ["one", "two"] }
    nodes.one = { type = "subtree", tree = "pause" }
    nodes.two = { type = "subtree", tree = "pause" }
    [trees.pause]
    root = "rest"
    nodes.rest = { type = "wait", seconds = 0.1 }
    """
    made = tree_behaviour(nodes)
    first, second = One(made), One(made)
    assert first.steps(1) == ["enter top", "enter one.rest"]
    first.world.step(5)
    assert first.steps(1) == ["exit one.rest success", "enter two.rest"]
    assert second.steps(1) == ["enter top", "enter one.rest"]
    assert first.tree_mind.tree.definition is second.tree_mind.tree.definition


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_fuzzed_bytes_are_only_refused(content: bytes) -> None:
    """HSM-29: any bytes: a clear refusal, no other exception."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for suffix in (".toml", ".json", ".tree"):
            path = Path(folder) / f"x{suffix}"
            path.write_bytes(content)
            with pytest.raises(BehaviourError):
                load_behaviour(path, REGISTRY)


WORDS = st.sampled_from(
    [
        "top",
        "a",
        "sequence",
        "action",
        "goto",
        "root",
        "$enemy",
        "@x",
        "%s",
        "flag and",
        "1 <",
        "idle",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_fuzzed_document_is_loaded_or_refused(data: st.DataObject) -> None:
    """HSM-29: the guard with a random part replaced: only clear refusals, no other exception."""
    document = tomllib.loads(GUARD.read_text())
    place = document
    while True:
        if isinstance(place, dict) and place:
            key = data.draw(st.sampled_from(sorted(place)))
        elif isinstance(place, list) and place:
            key = data.draw(st.integers(0, len(place) - 1))
        else:
            break
        if data.draw(st.booleans()) or not isinstance(place[key], dict | list):
            place[key] = data.draw(VALUES)
            break
        place = place[key]
    with contextlib.suppress(BehaviourError):
        compile_document(document, "fuzz", REGISTRY)


@pytest.mark.parametrize("name", ["guard.toml", "guard_standalone.toml"])
def test_the_text_form_gives_the_document_back(name: str, tmp_path: Path) -> None:
    """HSM-28: print and parse are inverse; a .tree file loads like the others."""
    document = tomllib.loads((ASSETS / "behaviour" / name).read_text())
    text = print_text(document)
    parsed, lines = parse_text(text)
    assert parsed == document
    path = tmp_path / "guard.tree"
    path.write_text(text)
    assert load_behaviour(path, REGISTRY).document == document
    assert all(line > 0 for line in lines.values())


def test_the_text_form_reads_like_a_tree() -> None:
    """HSM-28: what stands below belongs to what stands above."""
    text = print_text(tomllib.loads(GUARD.read_text()))
    at = text.index("tree engage")
    assert text[at : text.index("\n\n", at)].splitlines() == [
        "tree engage",
        "  selector top",
        '    observer watch_target when="enemy_known and enemy_alive and enemy_reachable"'
        " abort=self",
        "      sequence engage",
        '        condition target_valid when="enemy_known and enemy_alive and enemy_reachable"',
        "        action approach goto_entity(target=$enemy stop_cm=80.0)",
        "        action strike strike(target=$enemy)",
        "    cooldown report_gap seconds=10.0",
        "      action report_lost say(line=guard_lost_target)",
    ]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("behaviour a tree\n   key x bool", 2, "indent by 2"),
        ("behaviour a tree\n    key x bool", 2, "deeper than"),
        ("nothing", 1, "is no part of a behaviour"),
        ("behaviour a tree\ntree x\n  gate g when=flag", 3, "exactly one child"),
        ("tree x\n  wait a\n    wait b", 3, "nothing may stand below"),
        ("tree x\n  sequence a\n    wait b\n    wait b", 4, "there twice"),
        ("key a bool\nkey a int", 2, "there twice"),
        ("tree x\n  wait a\ntree x\n  wait b", 3, "there twice"),
        ("state a\nstate a", 2, "there twice"),
        ("key a bool default=[1", 1, "can't read"),
        ("state a\n  jump b", 2, "no part of a state"),
        ("tree x", 1, "exactly one root"),
    ],
)
def test_faults_of_the_text_form_name_their_line(text: str, line: int, reason: str) -> None:
    """HSM-29: line and reason."""
    with pytest.raises(TextFormError, match=reason) as caught:
        parse_text(text)
    assert caught.value.line == line


def write_guard(folder: Path, change: tuple[str, str] = ("", "")) -> Path:
    path = folder / "guard.toml"
    path.write_text(GUARD.read_text().replace(*change) if change[0] else GUARD.read_text())
    return path


def test_a_file_that_no_longer_loads_keeps_the_old_behaviour(tmp_path: Path) -> None:
    """ACT-23, HSM-29: reload while playing; nothing of a faulty file is used."""
    library = BehaviourLibrary(REGISTRY)
    library.load_folder(write_guard(tmp_path).parent)
    old = library.behaviours["guard"]
    write_guard(tmp_path, ('type = "sequence"', 'type = "sequnce"'))
    with pytest.raises(BehaviourError, match="sequnce"):
        library.load(tmp_path / "guard.toml")
    assert library.behaviours["guard"] is old


def test_a_reloaded_behaviour_takes_over_intent_and_nothing_else(tmp_path: Path) -> None:
    """ACT-23, ACT-26: commands closed, exits once, target, keys and cooldowns kept."""
    library = BehaviourLibrary(REGISTRY)
    one = One(library.load(write_guard(tmp_path)), {"say": Plan(run=2)})
    one.write(enemy=ENEMY, enemy_known=True, enemy_alive=True, enemy_dist_cm=150.0)
    one.brain.request("combat/attack")
    one.world.step(4)
    one.write(enemy_reachable=False)
    one.world.step(12)
    assert one.count("exit report_gap success") == 1
    ready = next(
        node.ready_step for node in one.machine.trees.bound.nodes if node.name == "report_gap"
    )
    made = library.load(write_guard(tmp_path, ("stop_cm = 80.0", "stop_cm = 60.0")))
    library.replace(one.brain, made)
    assert one.ledger.held_bits() == 0
    one.write(enemy_reachable=True)
    one.world.step(3)
    assert one.path() == "combat/attack"
    (command,) = one.ledger.live()
    assert command.params["stop_cm"] == 60.0
    assert ready == next(
        node.ready_step for node in one.machine.trees.bound.nodes if node.name == "report_gap"
    )


def test_other_keys_need_a_restart(tmp_path: Path) -> None:
    """ACT-26: the blackboard of a living ped keeps its keys."""
    library = BehaviourLibrary(REGISTRY)
    one = One(library.load(write_guard(tmp_path)))
    made = library.load(
        write_guard(tmp_path, ("[blackboard]", '[blackboard]\nx = { type = "int" }'))
    )
    with pytest.raises(BlackboardError, match="restart the level"):
        library.replace(one.brain, made)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    """HSM-29: a name is given once."""
    library = BehaviourLibrary(REGISTRY)
    library.load(write_guard(tmp_path))
    other = tmp_path / "other.toml"
    other.write_text(GUARD.read_text())
    with pytest.raises(BehaviourError, match=r"is that of .*guard\.toml too"):
        library.load(other)
    with pytest.raises(BehaviourError):
        BehaviourLibrary(REGISTRY).load_folder(tmp_path)
