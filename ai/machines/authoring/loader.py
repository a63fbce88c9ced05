"""Behaviour files: read with all faults listed, or refused whole (HSM-28, HSM-29)."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path

from ai.machines.authoring.behaviour import Behaviour
from ai.machines.authoring.fault_report import BehaviourError, FaultReport, FileFault
from ai.machines.authoring.form_faults import read_form
from ai.machines.authoring.key_compiler import compile_layout, compile_params
from ai.machines.authoring.line_index import Lines, json_lines, toml_lines
from ai.machines.authoring.machine_compiler import MachineCompiler
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.authoring.schema import BehaviourForm, Constant
from ai.machines.authoring.script_compiler import compile_script
from ai.machines.authoring.text_form import TextFormError, parse_text
from ai.machines.authoring.tree_compiler import TreeCompiler
from ai.machines.blackboard.keys import BoardLayout

MAX_FILE_BYTES = 256 * 1024
SUFFIXES = (".toml", ".json", ".tree")


def load_behaviour(
    path: Path,
    registry: BehaviourRegistry,
    overrides: Mapping[str, Mapping[str, Constant]] | None = None,
    layout: BoardLayout | None = None,
) -> Behaviour:
    """Read one file.

    - ``overrides`` are the tuning file's values for ``[params]``, by file name.
    - ``layout`` replaces the file's own keys for a ped whose brain joins several files
      (``BoardLayout.merged``); it must have every key of the file.
    - Raises ``BehaviourError`` with every fault; nothing of a faulty file is used.
    """
    text = _read(path)
    document, lines = _parsed(path, text)
    return compile_document(document, str(path), registry, overrides, lines, layout)


def _read(path: Path) -> str:
    try:
        if path.suffix not in SUFFIXES:
            raise _refused(path, 0, f"unknown ending; use one of {', '.join(SUFFIXES)}")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise _refused(path, 0, f"over {MAX_FILE_BYTES} bytes, refused unread")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise _refused(path, 0, f"can't be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise _refused(path, 0, "is not UTF-8 text") from error


def _refused(path: Path, line: int, text: str) -> BehaviourError:
    return BehaviourError([FileFault(str(path), line, "", text)])


def _parsed(path: Path, text: str) -> tuple[object, Lines]:
    try:
        if path.suffix == ".toml":
            return tomllib.loads(text), toml_lines(text)
        if path.suffix == ".json":
            return json.loads(text, object_pairs_hook=_without_duplicates), json_lines(text)
        return parse_text(text)
    except tomllib.TOMLDecodeError as error:
        raise _refused(path, 0, f"not valid TOML ({error})") from error
    except json.JSONDecodeError as error:
        raise _refused(path, error.lineno, f"not valid JSON ({error.msg})") from error
    except TextFormError as error:
        raise _refused(path, error.line, str(error)) from error
    except (ValueError, RecursionError) as error:
        raise _refused(path, 0, f"can't be read ({error})") from error


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object, whose last value of a key would otherwise win unseen; TOML refuses it too."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"key '{key}' stands twice in one object")
        found[key] = value
    return found


def compile_document(
    document: object,
    file: str,
    registry: BehaviourRegistry,
    overrides: Mapping[str, Mapping[str, Constant]] | None = None,
    lines: Lines | None = None,
    layout: BoardLayout | None = None,
) -> Behaviour:
    """Check and compile a document; raises ``BehaviourError`` with every fault."""
    report = FaultReport(file, lines)
    form = read_form(document, report)
    if form is None or not isinstance(document, dict):
        report.raise_if_any()
        raise BehaviourError([FileFault(file, 0, "", "is no table")])
    params = compile_params(form, (overrides or {}).get(form.name, {}), report)
    own = compile_layout(form, report)
    if layout is not None:
        BoardLayout.merged([layout, own])
    keys = layout or own
    trees = TreeCompiler(form.trees, keys, params, registry, report).compile_all()
    machine = script = None
    _check_parts(form, report)
    if form.kind in ("standalone", "composed"):
        machine = MachineCompiler(form, keys, params, trees, registry, report).compile()
    elif form.kind == "rules":
        script = compile_script(form, keys, params, registry, report)
    report.raise_if_any()
    main = trees[form.main] if form.main is not None else None
    return Behaviour(form.name, keys, trees, document, machine, script, main)


_PARTS = {
    "standalone": ("states", "terminal"),
    "composed": ("states", "terminal", "trees"),
    "rules": ("rules",),
    "tree": ("trees", "main"),
}


def _check_parts(form: BehaviourForm, report: FaultReport) -> None:
    """Each kind of file has its own parts and no others."""
    for part in ("states", "terminal", "trees", "rules", "main"):
        present = bool(getattr(form, part))
        if present and part not in _PARTS[form.kind]:
            report.add((part,), f"does not belong to a file of kind '{form.kind}'")
    if form.kind == "tree" and form.main not in form.trees:
        report.add(("main",), "must name the tree that the mind runs")
    if form.kind == "rules" and not form.rules:
        report.add(("rules",), "are missing")
