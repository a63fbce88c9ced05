"""The JSON schema of ``level.toml`` agrees with the forms that read it (product section 8)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from game import resources
from game.levels.cue_forms import CUE_KINDS
from game.levels.fields import PED_FIELDS
from game.levels.level_schema import level_schema
from game.levels.library import level_folders

HEAD = {"title": "T", "duration_s": 2.0}
HOLD = {"do": "order.hold", "ped": "courier", "at": 1.0}
EXPECT = {"ped": "courier", "field": "drift", "at_most": 1, "by": 1.0}


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = level_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("folder", list(level_folders(resources.shipped_levels())), ids=str)
def test_every_shipped_level_fits(validator: jsonschema.Draft202012Validator, folder: Path) -> None:
    """Section 8: what the forms accept the schema accepts."""
    level = tomllib.loads((folder / "level.toml").read_text(encoding="utf-8"))
    assert [error.message for error in validator.iter_errors(level)] == []


@pytest.mark.parametrize(
    "level",
    [
        {"duration_s": 2.0},
        {**HEAD, "colour": "red"},
        {**HEAD, "time_of_day": "noon"},
        {**HEAD, "cue": [{**HOLD, "do": "order.hald"}]},
        {**HEAD, "cue": [{**HOLD, "speed": 3}]},
        {**HEAD, "cue": [{"do": "caption", "at": -1.0, "text": "x"}]},
        {**HEAD, "caption": [{"from": 0.0, "text": "x"}]},
        {**HEAD, "expect": [{**EXPECT, "field": "drifting"}]},
        {**HEAD, "expect": [{**EXPECT, "at_most": "much"}]},
    ],
)
def test_what_the_forms_refuse_by_itself_the_schema_refuses(
    validator: jsonschema.Draft202012Validator, level: dict[str, Any]
) -> None:
    """Section 8: unknown and missing keys, kinds, ranges and names of fields."""
    assert not validator.is_valid(level)


def test_it_fits_before_something_is_changed(validator: jsonschema.Draft202012Validator) -> None:
    caption = {"from": 0.0, "to": 1.0, "text": "x"}
    level = {**HEAD, "cue": [HOLD], "caption": [caption], "expect": [EXPECT]}
    assert validator.is_valid(level)


def test_every_kind_of_cue_and_every_field_is_offered() -> None:
    """LVL-11: an editor offers what a level may say."""
    schema = level_schema()
    offered: set[str] = set()
    for form in schema["properties"]["cue"]["items"]["oneOf"]:
        kind = schema["$defs"][form["$ref"].rsplit("/", 1)[1]]["properties"]["do"]
        offered |= set(kind.get("enum", [kind.get("const")]))
    assert offered == set(CUE_KINDS)
    assert set(schema["$defs"]["Expectation"]["properties"]["field"]["enum"]) >= set(PED_FIELDS)
