"""A JSON schema of ``level.toml``, for editors that complete and check while one writes.

It says what the forms say of each entry by itself. That names exist, and that keys go
together, only ``bystander check`` knows.
"""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import models_json_schema

from game.levels.cue_forms import CUE_KINDS
from game.levels.expectation_forms import Expectation
from game.levels.fields import field_names
from game.levels.forms import LevelForm
from game.levels.level_file import CaptionForm, LevelHead
from game.levels.reaction_forms import ReactionExpectation
from game.levels.subjects import Of

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def level_schema() -> dict[str, Any]:
    """The schema as plain data, ready for ``json.dumps``."""
    cues = list(dict.fromkeys(CUE_KINDS.values()))
    forms: list[type[LevelForm]] = [
        LevelHead, CaptionForm, Expectation, ReactionExpectation, *cues,
    ]  # fmt: skip
    references, definitions = models_json_schema([(form, "validation") for form in forms])
    schema: dict[str, Any] = dict(definitions["$defs"])
    head = schema.pop(LevelHead.__name__)
    reference = {form: references[form, "validation"] for form in forms}
    _name_fields(schema)
    return {
        "$schema": DIALECT,
        **head,
        "title": "Level of Bystander",
        "properties": {
            **head["properties"],
            "cue": _list_of({"oneOf": [reference[form] for form in cues]}),
            "caption": _list_of(reference[CaptionForm]),
            "expect": _list_of({"oneOf": [reference[Expectation], reference[ReactionExpectation]]}),
        },
        "$defs": schema,
    }


def _list_of(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _name_fields(definitions: dict[str, Any]) -> None:
    """What a field may be called is a table of the readers, not of the forms."""
    names = sorted({name for of in Of for name in field_names(of)})
    for definition in definitions.values():
        if "field" in definition.get("properties", {}):
            definition["properties"]["field"] = {"enum": names}
