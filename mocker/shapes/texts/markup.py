"""The HTML or XML that a slice searches: elements, their attributes and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from ...flow import NO_USES, Label, Uses
from ..shape import Anything, Element, Markup, Plain, Shape

Infer = Callable[..., Shape]
_ONE = frozenset(
    "find select_one find_next find_next_sibling findNext css_first find_element".split()
)
_MANY = frozenset("find_all select findAll css xpath iter findall iterfind find_next_siblings "
                  "cssselect getElementsByTagName".split())  # fmt: skip
_TEXT = frozenset(("text", "string", "get_text", "getText", "text_content", "strings",
                   "stripped_strings", "nodeValue"))  # fmt: skip
_OTHER = frozenset(
    "attrs get has_attr name parent children descendants contents prettify decompose extract "
    "next_sibling previous_sibling next_element encode decode getroot tag attrib next_siblings "
    "original_encoding find_parent find_parents append items keys values replace_with".split()
)
_SELECTOR = re.compile(r"([\w-]+|\*)?((?:[.#][\w-]+|\[[^\]]+\]|::?[\w-]+(?:\([^)]*\))?)*)")
_PART = re.compile(r"\.([\w-]+)|#([\w-]+)|\[([\w-]+)(?:([~^$*|]?=)[\"']?([^\]\"']*)[\"']?)?\]")
_STEP = re.compile(r"//?([\w-]+|\*|@[\w-]+|text\(\))((?:\[[^\]]*\])*)")
_CONDITION = re.compile(r"@([\w-]+)\s*(?:=|,)\s*[\"']([^\"']*)[\"']")
_DEPTH = 8
_THERE = ""
"""In place of an attribute's value: any value, but it must be there."""


def markup(uses: Uses, infer: Infer, *, is_xml: bool) -> Markup:
    """Return a document in which every search of the slice finds something."""
    root = _element("root" if is_xml else "body", uses, infer, 0)
    return Markup(replace(root, text=None) if root.children else root, is_xml)


def _element(tag: str, uses: Uses, infer: Infer, depth: int) -> Element:
    attributes: dict[str, Shape] = {}
    children: list[Element] = []
    text: Shape | None = None
    if depth > _DEPTH:
        return Element(tag)
    for label, below in uses.below.items():
        match label:
            case ("key", str(name)):
                attributes[name] = _value(below, name, infer)
            case ("attr", "attrib" | "attrs"):
                for key, value in below.below.items():
                    if key[0] == "key":
                        attributes[str(key[1])] = _value(value, str(key[1]), infer)
            case ("attr", str(name)) if name in _ONE or name in _MANY:
                for call, result in _calls(below):
                    many = name in _MANY
                    children += _found(name, call, result, infer, uses, depth, many=many)
            case ("attr", str(name)) if name in _TEXT:
                text = _text(tag, name, below, infer)
            case ("call", *_):
                children += _found("find_all", label, below, infer, uses, depth, many=True)
            case ("attr", str(name)) if name not in _OTHER and not name.startswith("_"):
                children.append(_element(name, below, infer, depth + 1))
            case ("attr", "children" | "contents" | "descendants") | ("item",):
                inner = below.below.get(("item",), below)
                children.append(
                    _element("div" if tag == "body" else "span", inner, infer, depth + 1)
                )
            case _:
                continue
    return Element(tag, tuple(attributes.items()), text, _joined(children))


def _joined(children: list[Element]) -> tuple[Element, ...]:
    """Return the elements with equal searches merged."""
    found: dict[str, Element] = {}
    for child in children:
        fixed = [(n, s) for n, s in child.attributes if isinstance(s, Plain) and s.values]
        key = f"{child.tag} {fixed!r}"
        before = found.get(key)
        found[key] = child if before is None else _both(before, child)
    return tuple(found.values())


def _both(first: Element, second: Element) -> Element:
    parts = dict(first.parts)
    for place, part in second.parts:
        parts[place] = _both(parts[place], part) if place in parts else part
    return Element(
        first.tag,
        tuple({**dict(first.attributes), **dict(second.attributes)}.items()),
        first.text or second.text,
        _joined([*first.children, *second.children]),
        max(first.count, second.count),
        tuple(parts.items()),
    )


def _value(uses: Uses, name: str, infer: Infer) -> Shape:
    return infer(uses, name, "text") if uses else Anything(name)


def _text(tag: str, name: str, uses: Uses, infer: Infer) -> Shape:
    inner = uses
    if name in ("get_text", "getText", "text_content"):
        inner = next((below for _, below in _calls(uses)), NO_USES)
    if name in ("strings", "stripped_strings"):
        inner = uses.below.get(("item",), NO_USES)
    return infer(inner, tag, "text") if inner else Anything(tag)


def _calls(uses: Uses) -> Iterator[tuple[Label, Uses]]:
    return ((label, below) for label, below in uses.below.items() if label[0] == "call")


def _found(
    name: str, call: Label, result: Uses, infer: Infer, uses: Uses, depth: int, *, many: bool
) -> list[Element]:
    """Return the elements that one call searches for, with the uses of its results."""
    paths = _paths(name, call, uses)
    if not many:
        return [_chain(path, _Wanted(result), infer, depth) for path in paths]
    inner = result.below.get(("item",), NO_USES)
    known = {
        label[1]: below
        for label, below in result.below.items()
        if label[0] == "key" and isinstance(label[1], int)
    }
    skipped = [f.value for f in result.facts if f.kind == "sliced" and isinstance(f.value, int)]
    count = max([2 + max([0, *skipped]), *(k + 1 if k >= 0 else -k for k in known)])
    wanted = _Wanted(inner, count, tuple(sorted(known.items())))
    return [_chain(path, wanted, infer, depth) for path in paths]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The uses of a search's results: of each, and of those at known positions."""

    uses: Uses
    count: int = 1
    known: tuple[tuple[int, Uses], ...] = ()


def _chain(
    path: list[tuple[str, dict[str, str]]], wanted: _Wanted, infer: Infer, depth: int
) -> Element:
    (tag, fixed), *rest = path
    if rest:
        child = _chain(rest, wanted, infer, depth + 1)
        return _with(Element(tag, (), None, (child,)), fixed)
    made = _with(_element(tag, wanted.uses, infer, depth + 1), fixed)
    parts = tuple(
        (place, _with(_both(made, _element(tag, uses, infer, depth + 1)), fixed))
        for place, uses in wanted.known
    )
    return replace(made, count=wanted.count, parts=parts)


def _with(element: Element, fixed: dict[str, str]) -> Element:
    there = {name: Anything(name) for name, value in fixed.items() if value == _THERE}
    attributes = {**there, **dict(element.attributes), **dict(_fixed(fixed))}
    return replace(element, attributes=tuple(attributes.items()))


def _fixed(values: dict[str, str]) -> tuple[tuple[str, Shape], ...]:
    return tuple(
        (name, Plain("text", name, (value,), is_free=False))
        for name, value in values.items()
        if value != _THERE
    )


# ----------------------------------------------------------------------------- selectors


def _paths(name: str, call: Label, uses: Uses) -> list[list[tuple[str, dict[str, str]]]]:
    follower = uses.follower
    if follower is None:
        return []
    positional = cast("tuple[int, ...]", call[2])
    named = dict(cast("tuple[tuple[str, int], ...]", call[3]))
    first = positional[0] if positional else named.pop("name", None)
    texts: list[str] = []
    if first is not None:
        texts = [t for t in follower.constants(first) if isinstance(t, str)]
        texts = texts or [t for t in follower.contents(first) if isinstance(t, str)]
    if name in ("select", "select_one", "css", "css_first", "cssselect"):
        return [path for text in texts if (path := _css(text))]
    if name == "xpath":
        return [path for text in texts if (path := _xpath(text))]
    fixed: dict[str, str] = {}
    attributes = positional[1] if len(positional) > 1 else named.pop("attrs", None)
    if attributes is not None:
        for value in follower.constants(attributes):
            if isinstance(value, str):
                fixed["class"] = value
        for key, values in follower.entries(attributes).items():
            if values:
                fixed[key] = str(values[0])
    for key, node in named.items():
        values = follower.constants(node)
        if values and key not in ("recursive", "limit", "text", "string"):
            shown = values[0]
            fixed[key.rstrip("_")] = _THERE if shown is True else str(shown)
    tags = texts[:1] if texts else ["div"]
    return [[(step, {}) for step in _steps(tag)[:-1]] + [(_steps(tag)[-1], fixed)] for tag in tags]


def _steps(tag: str) -> list[str]:
    """Return the steps of an ElementTree path `a/b`, reduced to tag names."""
    parts = [part for part in re.split(r"/+", tag) if part not in ("", ".", "..", "*")]
    return [re.sub(r"\[.*\]|\{.*\}", "", part) or "div" for part in parts] or ["div"]


def _css(selector: str) -> list[tuple[str, dict[str, str]]]:
    path: list[tuple[str, dict[str, str]]] = []
    first = selector.split(",", maxsplit=1)[0]
    for word in re.sub(r"\s*[>+~]\s*", " ", first).split():
        found = _SELECTOR.match(word)
        if found is None:
            continue
        fixed: dict[str, str] = {}
        for name, identity, key, _, value in _PART.findall(found[2] or ""):
            if name:
                fixed["class"] = f"{fixed['class']} {name}" if "class" in fixed else name
            elif identity:
                fixed["id"] = identity
            else:
                fixed[key] = value or _THERE
        path.append((found[1] if found[1] and found[1] != "*" else "div", fixed))
    return path


def _xpath(text: str) -> list[tuple[str, dict[str, str]]]:
    path: list[tuple[str, dict[str, str]]] = []
    for tag, conditions in _STEP.findall(text):
        if tag.startswith("@"):
            if path:
                path[-1][1].setdefault(tag[1:], tag[1:] + "-1")
        elif tag != "text()":
            fixed = dict(_CONDITION.findall(conditions))
            path.append(("div" if tag == "*" else tag, fixed))
    return path
