"""Pydantic's findings as faults that name the nearest known word (HSM-29)."""

from __future__ import annotations

from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from ai.machines.authoring.fault_report import FaultReport, nearest
from ai.machines.authoring.schema import BehaviourForm


def read_form(document: object, report: FaultReport) -> BehaviourForm | None:
    """Check a document against the form; None, with every fault noted, if it doesn't fit."""
    try:
        return BehaviourForm.model_validate(document)
    except ValidationError as error:
        for found in error.errors(include_url=False, include_context=True):
            place, known = _place_of(found["loc"])
            report.add(place, _sentence(dict(found), known))
    except RecursionError:
        report.add((), "nested too deeply")
    return None


def _sentence(found: dict[str, Any], known: tuple[str, ...]) -> str:
    word = str(found["loc"][-1]) if found["loc"] else ""
    match found["type"]:
        case "extra_forbidden":
            return f"unknown key{nearest(word, known)}"
        case "missing":
            return "is missing"
        case "union_tag_invalid":
            tag = str(found["ctx"]["tag"])
            tags = [tag.strip(" '") for tag in str(found["ctx"]["expected_tags"]).split(",")]
            return f"unknown type '{tag}'{nearest(tag, tags)}"
        case "union_tag_not_found":
            return f"has no {found['ctx']['discriminator']}"
    shown = repr(found["input"])
    if len(shown) > 80:
        shown = shown[:77] + "..."
    return f"{shown} is refused: {found['msg']}"


def _place_of(location: tuple[int | str, ...]) -> tuple[tuple[int | str, ...], tuple[str, ...]]:
    """The place without pydantic's words for union members, and the names known there."""
    place: list[int | str] = []
    candidates: list[type[BaseModel]] = [BehaviourForm]
    known: tuple[str, ...] = ()
    for part in location:
        narrowed = [model for model in candidates if _tag_of(model) == part]
        if narrowed and len(candidates) > 1:
            candidates = narrowed
            continue
        known = tuple(name for model in candidates for name in _names(model))
        field = None
        for model in candidates:
            field = field or _field(model, part)
        if field is not None:
            candidates = _models_in(field)
        elif not isinstance(part, int) and _is_member_word(part) and place:
            continue
        place.append(part)
    return tuple(place), known


def _is_member_word(part: str) -> bool:
    return part in ("bool", "int", "float", "str", "list[float]") or part.startswith(
        ("literal[", "constrained-", "function-", "list[")
    )


def _names(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _field(model: type[BaseModel], part: int | str) -> Any:
    for name, field in model.model_fields.items():
        if part in (name, field.alias):
            return field.annotation
    return None


def _tag_of(model: type[BaseModel]) -> str | None:
    for name in ("type", "curve"):
        if name in model.model_fields:
            arguments = get_args(model.model_fields[name].annotation)
            return str(arguments[0]) if len(arguments) == 1 else None
    return None


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    """Every form inside an annotation: of a list, a dict, a union."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    found: list[type[BaseModel]] = []
    for argument in get_args(annotation):
        found.extend(_models_in(argument))
    return found
