"""XML of Tiled files: parsed within bounds and mended where pytiled-parser would stumble.

pytiled-parser raises a bare ``KeyError`` for attributes that Tiled may leave out
and silently drops class-typed properties. The functions here bring an element
into the form that it reads as Tiled means it, or refuse it in one sentence.
"""

from __future__ import annotations

from xml.etree import ElementTree

from game.levels.errors import LevelError

MAX_DEPTH = 16
"""Nesting of elements in a Tiled file; Tiled itself needs about eight levels."""

MAX_PROPERTIES = 64
MAX_NAME_LENGTH = 64
MAX_VALUE_LENGTH = 1000

SHAPE_TAGS = frozenset({"ellipse", "point", "polygon", "polyline", "text"})

_PROPERTY_TYPES = frozenset({"string", "int", "float", "bool", "color", "file", "object", "class"})


def parse_xml(text: str, label: str, tag: str) -> ElementTree.Element:
    """The root element of a Tiled file.

    - ``tag`` is what the root must be called.
    - Raises ``LevelError`` for anything else, for nesting too deep, and for a
      document type: Tiled writes none, and entities in one can grow without end.
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise LevelError(f"{label}: holds a document type; save the file with Tiled")
    if text.lstrip()[:1] in ("{", "["):
        raise LevelError(f"{label}: is in Tiled's JSON form; save it in the XML form")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise LevelError(f"{label}: not valid XML ({error})") from error
    if root.tag != tag:
        raise LevelError(f"{label}: is no Tiled file of this kind (it begins with <{root.tag}>)")
    level = [root]
    for _ in range(MAX_DEPTH):
        level = [child for element in level for child in element]
    if level:
        raise LevelError(f"{label}: elements are nested over {MAX_DEPTH} deep")
    return root


def whole(element: ElementTree.Element, key: str, label: str, default: int | None = None) -> int:
    """An attribute as a whole number; without ``default`` it must be there."""
    text = element.attrib.get(key)
    if text is None:
        if default is None:
            raise LevelError(f"{label}: <{element.tag}> lacks '{key}'")
        return default
    try:
        return int(text)
    except ValueError as error:
        raise LevelError(f"{label}: {key}={text!r} is no whole number") from error


def real(element: ElementTree.Element, key: str, label: str, default: float) -> float:
    """An attribute as a finite number."""
    text = element.attrib.get(key)
    if text is None:
        return default
    try:
        value = float(text)
    except ValueError as error:
        raise LevelError(f"{label}: {key}={text!r} is no number") from error
    if not abs(value) < 1e9:
        raise LevelError(f"{label}: {key}={text!r} is out of range")
    return value


def mend_object(element: ElementTree.Element, label: str) -> None:
    """Bring an object into the form that pytiled-parser reads; templates are resolved before.

    Raises ``LevelError`` for a shape that Tiled of later versions may have added:
    the parser would take it for a rectangle.
    """
    unknown = [child.tag for child in element if child.tag not in SHAPE_TAGS | {"properties"}]
    if unknown:
        raise LevelError(f"{label}: objects of shape <{unknown[0]}> are not supported")
    if sum(child.tag in SHAPE_TAGS for child in element) > 1:
        raise LevelError(f"{label}: has more than one shape")
    for key in ("x", "y", "width", "height", "rotation"):
        element.attrib[key] = repr(real(element, key, label, 0.0))
    element.attrib.pop("visible", None)
    mend_properties(element, label)


def mend_properties(owner: ElementTree.Element, label: str) -> None:
    """Flatten class-typed properties to ``name.member`` and check every value's type.

    References to objects become whole numbers (the object's id, 0 for none).
    """
    holder = owner.find("properties")
    if holder is None:
        return
    flat: list[ElementTree.Element] = []
    _flatten(holder, "", label, flat)
    if len(flat) > MAX_PROPERTIES:
        raise LevelError(f"{label}: over {MAX_PROPERTIES} properties")
    for child in list(holder):
        holder.remove(child)
    holder.extend(flat)


def _flatten(
    holder: ElementTree.Element, prefix: str, label: str, flat: list[ElementTree.Element]
) -> None:
    for entry in holder.findall("property"):
        name = entry.attrib.get("name", "")
        if not name or len(prefix + name) > MAX_NAME_LENGTH:
            raise LevelError(f"{label}: a property has no name, or one over {MAX_NAME_LENGTH} long")
        kind = entry.attrib.get("type", "string")
        if kind not in _PROPERTY_TYPES:
            raise LevelError(f"{label}: property '{name}' of type '{kind}' is not supported")
        if kind == "class":
            members = entry.find("properties")
            if members is not None:
                _flatten(members, f"{prefix}{name}.", label, flat)
            continue
        value = entry.attrib.get("value", entry.text or "")
        if len(value) > MAX_VALUE_LENGTH:
            raise LevelError(f"{label}: property '{name}' is over {MAX_VALUE_LENGTH} long")
        _check_value(prefix + name, kind, value, label)
        mended = ElementTree.Element("property", name=prefix + name, value=value)
        if kind == "object":
            mended.attrib["type"] = "int"
        elif kind in ("int", "float", "bool"):
            mended.attrib["type"] = kind
        flat.append(mended)


def _check_value(name: str, kind: str, value: str, label: str) -> None:
    good = True
    if kind in ("int", "object"):
        good = value.lstrip("-").isdecimal() and len(value) <= 18
    elif kind == "float":
        try:
            good = abs(float(value)) < 1e12
        except ValueError:
            good = False
    elif kind == "bool":
        good = value in ("true", "false")
    if not good:
        raise LevelError(f"{label}: property '{name}' = {value!r} is no {kind}")
