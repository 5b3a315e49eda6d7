"""The shapes of answers from outside, so that the slice's uses of them work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

from ...slicer import Repository
from ...slicer.model import Slice
from ..contacts import Border
from ..flow import FlowQuery, Uses, build_walk
from . import Shape, alternatives, as_json, infer, value_of
from .shape import Anything

Kind = Literal["any", "json", "text", "number"]
_EMPTY: dict[Kind, object] = {"any": {}, "json": {}, "text": "", "number": 0}
_followers: WeakKeyDictionary[Repository, dict[int, tuple[Slice, FlowQuery]]] = WeakKeyDictionary()
"""Repository → the flow of its latest slice."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One possible answer of a place."""

    name: str
    """`default` for the answer that lets the slice go on; the others take its other branches."""
    value: object
    """Consists of `None`, booleans, numbers, texts, bytes, lists, tuples and dictionaries."""


def variants_at(border: Border, *places: str, kind: Kind = "any") -> tuple[Variant, ...]:
    """Return the possible values at these places of the slice; the first is `default`.

    Args:
        border: the border of the slice.
        places: dotted paths from an outside name, with `()` for a call, `[]` for an item, and `*`
            for any one attribute, as in `requests.*().json()`. `os.getenv('HOME')` is a call with
            that first argument, `os.environ['HOME']` an item of that key.
        kind: the type of value there; `json` is what `json.loads` returns, `text` the text
            of a file or answer, or an open file.
    """
    shape = shape_at(border, *places, kind=kind)
    if isinstance(shape, Anything) and not shape.hint:
        return (Variant("default", _EMPTY[kind]),)
    found = (("default", value_of(shape)), *alternatives(shape))
    return tuple(
        Variant(name, as_json(value) if kind == "json" else value) for name, value in found
    )


def text_variants_at(border: Border, *places: str) -> dict[str, str]:
    """Return the texts that the slice gets at these places, by the variant's name."""
    found = variants_at(border, *places, kind="text")
    return {v.name: v.value if isinstance(v.value, str) else "" for v in found}


def shape_at(border: Border, *places: str, kind: Kind = "any") -> Shape:
    """Return the shape of the values that the slice gets at these places."""
    uses = uses_at(border, *places)
    return infer(uses, kind) if uses else Anything()


def uses_at(border: Border, *places: str) -> Uses:
    """Return the slice's uses of the values that it gets at these places."""
    follower = follower_of(border.repository, border.sliced)
    return follower.uses(node for place in places for node in follower.places(place))


def follower_of(repository: Repository, sliced: Slice) -> FlowQuery:
    """Return the data flow through a slice; cached for the latest one."""
    known = _followers.get(repository, {}).get(id(sliced))
    if known is not None and known[0] is sliced:
        return known[1]
    follower = FlowQuery(build_walk(repository, sliced.manifest).graph)
    _followers[repository] = {id(sliced): (sliced, follower)}
    return follower
