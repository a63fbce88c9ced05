"""Trees as BehaviorTree.CPP v4 XML and back (HSM-28, BT-01)."""

from __future__ import annotations

import tomllib
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.machines.authoring.fault_report import BehaviourError
from ai.machines.authoring.groot_export import trees_to_xml
from ai.machines.authoring.groot_import import trees_from_xml
from ai.machines.authoring.groot_nodes import from_script, to_script
from ai.machines.authoring.loader import compile_document
from tests.ai.machines.doubles import ASSETS, KINDS, REGISTRY, One, Plan

GUARD = tomllib.loads((ASSETS / "behaviour" / "guard.toml").read_text())

ALL = tomllib.loads("""
[all]
root = "top"
nodes.top = { type = "parallel", success = "any", failure = 2, children = ["a", "b", "c", "d"] }
nodes.a = { type = "retry", count = 3, child = "a1" }
nodes.a1 = { type = "gate", when = "not x and (y or z == 'and')", child = "a2" }
nodes.a2 = { type = "force_failure", child = "a3" }
nodes.a3 = { type = "timeout", seconds = 1.5, child = "a4" }
nodes.a4 = { type = "subtree", tree = "other" }
nodes.b = { type = "retry", count = 2, delay_s = 0.5, child = "b1" }
nodes.b1 = { type = "reactive_selector", children = ["b2", "b3"] }
nodes.b2 = { type = "set", key = "n", op = "add", value = 1, modulo = "$m" }
nodes.b3 = { type = "post_event", event = "PANIC", params = { level = 2, at = [1.0, 2.0] } }
nodes.c = { type = "repeat", count = 4, child = "c1" }
nodes.c1 = { type = "inverter", child = "c2" }
nodes.c2 = { type = "fail" }
nodes.d = { type = "succeed" }
[other]
root = "o"
nodes.o = { type = "wait", seconds = 0.25 }
""")


@pytest.mark.parametrize("trees", [GUARD["trees"], ALL], ids=["guard", "all"])
def test_export_and_import_give_the_trees_back(trees: dict) -> None:
    """HSM-28: nothing is lost on the way, and what comes back compiles to the same nodes."""
    assert trees_from_xml(trees_to_xml(trees, KINDS)) == trees


def test_the_guard_still_loads_from_imported_trees() -> None:
    """HSM-28, HSM-29: imported trees are checked like any others."""
    document = {**GUARD, "trees": trees_from_xml(trees_to_xml(GUARD["trees"], KINDS))}
    assert compile_document(document, "guard.xml", REGISTRY).document == GUARD


def test_the_export_speaks_the_editors_words() -> None:
    """HSM-28: the library's own nodes where it has them; ours are declared for the editor."""
    root = ElementTree.fromstring(trees_to_xml(GUARD["trees"], KINDS, "engage"))
    assert root.attrib == {"BTCPP_format": "4", "main_tree_to_execute": "engage"}
    tags = {element.tag for tree in root.iter("BehaviorTree") for element in tree.iter()}
    assert {"Sequence", "Fallback", "ReactiveSequence", "Repeat", "Sleep"} <= tags
    model = root.find("TreeNodesModel")
    assert model is not None
    declared = {element.attrib["ID"] for element in model}
    assert {"goto_entity", "say", "Observer", "Cooldown", "UtilitySelector"} <= declared
    (leaf,) = [one for one in root.iter("Action") if one.get("name") == "approach"]
    assert leaf.attrib == {
        "ID": "goto_entity", "target": "{enemy}", "stop_cm": "80.0", "name": "approach",
    }  # fmt: skip


def test_a_tree_drawn_in_the_editor_runs() -> None:
    """HSM-28: as Groot2 writes it, names left out, ports in braces, milliseconds."""
    xml = """<?xml version="1.0" encoding="UTF-8"?>
    <root BTCPP_format="4" main_tree_to_execute="Main">
      <BehaviorTree ID="Main">
        <Fallback>
          <Precondition if="hungry &amp;&amp; !tired" else="FAILURE">
            <Action ID="goto" pos="{kitchen}"/>
          </Precondition>
          <Delay delay_msec="100"><ScriptCondition code="tired == false"/></Delay>
          <KeepRunningUntilFailure><AlwaysFailure/></KeepRunningUntilFailure>
          <RetryUntilSuccessful num_attempts="2"><Script code="meals := 3"/></RetryUntilSuccessful>
        </Fallback>
      </BehaviorTree>
      <TreeNodesModel><Action ID="goto"><input_port name="pos"/></Action></TreeNodesModel>
    </root>"""
    trees = trees_from_xml(xml)
    document = {
        "format": 1, "name": "drawn", "kind": "tree", "main": "Main", "trees": trees,
        "blackboard": {
            "hungry": {"type": "bool", "default": True}, "tired": {"type": "bool"},
            "kitchen": {"type": "vec2"}, "meals": {"type": "int"},
        },
    }  # fmt: skip
    one = One(compile_document(document, "drawn.xml", REGISTRY), {"goto": Plan()})
    assert one.steps(1) == [
        "enter Fallback", "enter Precondition", "enter goto", "submit c1 goto{mover}",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("inside", "line", "reason"),
    [
        ("<Sequnce/>", 2, "node <Sequnce> is unknown; did you mean 'Sequence'"),
        ("<Sequence><Inverter/></Sequence>", 2, "has exactly one child"),
        ("<Sequence>\n<Sleep/></Sequence>", 3, "attribute 'msec' is missing"),
        ('<Sleep msec="long"/>', 2, "can't be read"),
        ('<AlwaysSuccess _skipIf="x"/>', 2, "'_skipIf' has no counterpart"),
        ('<Precondition if="x" else="SUCCESS"><AlwaysSuccess/></Precondition>', 2, "is a gate"),
        ('<Script code="a := 1; b := 2"/>', 2, "only one"),
        ("", 2, "not exactly one root"),
    ],
)
def test_faults_name_line_and_node(inside: str, line: int, reason: str) -> None:
    """HSM-29: file, line and node path."""
    xml = f'<root BTCPP_format="4">\n<BehaviorTree ID="T">{inside}</BehaviorTree></root>'
    with pytest.raises(BehaviourError, match=reason) as caught:
        trees_from_xml(xml, "t.xml")
    assert caught.value.faults[0].line == line
    assert caught.value.faults[0].place.startswith("T")


ONE_TREE = '<BehaviorTree ID="T"><AlwaysSuccess/></BehaviorTree>'


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        ("<root>", "not valid XML"),
        ('<root BTCPP_format="3"><BehaviorTree ID="T"><a/></BehaviorTree></root>', "BTCPP_format"),
        ('<root BTCPP_format="4"><include path="/etc/passwd"/></root>', "names no other file"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><root/>', "document type or entity is refused"),
        ("<a>" * 70, "nested deeper"),
        ("<root>" + " " * 300_000, "refused unread"),
        (f'<root BTCPP_format="4">{2 * ONE_TREE}</root>', "tree 'T' is there twice"),
        ('<root BTCPP_format="4"><BehaviorTree><a/></BehaviorTree></root>', "'ID' is missing"),
    ],
)
def test_hostile_xml_is_refused(xml: str, reason: str) -> None:
    """HSM-29: no entities, no includes, bounded size and depth."""
    with pytest.raises(BehaviourError, match=reason):
        trees_from_xml(xml)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_fuzzed_xml_is_only_refused(text: str) -> None:
    """HSM-29: any text: a clear refusal, no other exception."""
    with pytest.raises(BehaviourError):
        trees_from_xml(text)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("a and not b or c", "a && !b || c"),
        ("x == 'and or not'", "x == 'and or not'"),
        ("n != 3", "n != 3"),
        ("not (a or b)", "!(a || b)"),
    ],
)
def test_conditions_are_translated(ours: str, theirs: str) -> None:
    """BB-06: words to signs and back; what stands in quotes is left alone."""
    assert to_script(ours) == theirs
    assert from_script(theirs) == ours
