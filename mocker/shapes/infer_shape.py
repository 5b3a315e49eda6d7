"""Infers the shape of a value from its uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Literal, cast

from ..flow import NO_USES, Fact, Label, Uses
from ..flow.flow_graph import Node
from ..flow.named_tuples import NamedTupleInfo
from .gathered_uses import GatheredUses, all_merged, gather, merged
from .kinds.array_signs import dimensions, functions, library_of
from .kinds.connection_signs import SOCKET, is_connection
from .kinds.kind_decisions import is_mapping, is_object, is_record, is_sequence, type_of_sequence
from .kinds.known_methods import DATE, FILE, NUMBER, OF_PATHS, PATH, TEXT
from .kinds.plain_kinds import plain
from .kinds.tested_types import tested_type_alternatives
from .name_hints import stem
from .shape import (
    OTHER_RECORD,
    Anything,
    Either,
    Entry,
    Holding,
    Mapping,
    Maybe,
    Object,
    Plain,
    Sequence,
    Shape,
)
from .table_columns import columns
from .texts.satisfying_scalars import Test, tests_of
from .texts.text_formats import parseable_text

Kind = Literal["any", "json", "text", "number"]
_SCALARS = {"str": "text", "text": "text", "char": "char", "int": "int", "number": "number",
            "float": "number", "bool": "bool", "bytes": "bytes"}  # fmt: skip
_FORMATS = {"date": ("date", "iso"), "url": ("url",), "email": ("email",), "uuid": ("uuid",),
            "path": ("path",)}  # fmt: skip
_ENDINGS = {
    "openpyxl.load_workbook": ".xlsx", "pandas.read_excel": ".xlsx", "cv2.imread": ".png",
    "PIL.Image.open": ".png", "cv2.VideoCapture": ".mp4", "pandas.read_csv": ".csv",
    "pandas.read_json": ".json", "pandas.read_parquet": ".parquet", "numpy.load": ".npy",
    "matplotlib.pyplot.imread": ".png", "wave.open": ".wav", "librosa.load": ".wav",
}  # fmt: skip
_PIN = (17,)
_VALUES: dict[str, tuple[int, ...]] = {
    "Adafruit_DHT.read_retry": (22, 11), "Adafruit_DHT.read": (22, 11),
    **{f"RPi.GPIO.{name}": _PIN for name in (
        "setup", "output", "input", "PWM", "add_event_detect", "remove_event_detect",
        "event_detected", "wait_for_edge", "gpio_function", "cleanup",
    )},
}  # fmt: skip
"""Values accepted by functions that reject all others."""
_MAX_DEPTH = 12
_LEAST_ATTEMPTS = 2
_MOST_ATTEMPTS = 24
_LONGEST = 20


def infer(uses: Uses, kind: Kind = "any", name_hint: str = "", depth: int = 0) -> Shape:
    """Return the shape of a value with these uses.

    Args:
        uses: the tree of uses.
        kind: the type of value that is possible there.
        name_hint: its name.
        depth: the depth inside other shapes.
    """
    if depth > _MAX_DEPTH:
        return Anything(name_hint)
    if uses.follower is None:
        return _inferred(uses, kind, name_hint, depth)
    key, shapes = (uses, kind, name_hint, depth), uses.follower.shapes
    if key not in shapes:  # uses that several places lead to come up again and again
        shapes[key] = _inferred(uses, kind, name_hint, depth)
    return cast("Shape", shapes[key])


def _inferred(uses: Uses, kind: Kind, name_hint: str, depth: int) -> Shape:
    known = gather(uses)
    shape = _shape(uses, known, kind, name_hint, depth)
    if kind in ("any", "json"):
        of_type = partial(_of_type, uses, known, kind, name_hint, depth)
        others = (
            *tested_type_alternatives(known, shape, of_type),
            *_attempts(uses, shape, kind, name_hint, depth),
        )
        shape = Either(shape, others) if others else shape
    return _nullable(uses, known, shape)


def _attempts(
    uses: Uses, shape: Shape, kind: Kind, name_hint: str, depth: int
) -> Iterator[tuple[str, Shape]]:
    """Yield a record for each reader that tries to read one, and fails if it is another's."""
    if uses.follower is None or len(uses.attempts) < _LEAST_ATTEMPTS:
        return
    known: list[Shape] = [shape]
    for parameter in uses.attempts[:_MOST_ATTEMPTS]:
        other = infer(uses.follower.uses((parameter,)), kind, name_hint, depth + 1)
        if isinstance(other, Mapping) and other not in known:
            known.append(other)
            yield OTHER_RECORD, other


def _of_type(
    uses: Uses, known: GatheredUses, kind: Kind, name_hint: str, depth: int, wanted: type
) -> Shape:
    """Return the shape of the value if it is of a type."""
    if wanted is dict:
        return _mapping(uses, known, kind, name_hint, depth)
    if wanted is list:
        return _sequence(uses, known, kind, name_hint, depth)
    return plain(_SCALARS[wanted.__name__], uses, name_hint)


def _shape(uses: Uses, known: GatheredUses, kind: Kind, name_hint: str, depth: int) -> Shape:
    is_file = kind == "text" and bool(FILE & known.attributes.keys())
    if is_file:
        return infer(_content(uses, known), "text", name_hint, depth)

    def deeper(uses: Uses, name_hint: str, kind: Kind = "json") -> Shape:
        return infer(uses, kind, name_hint, depth + 1)

    inside = parseable_text(known.parsed, uses, name_hint, deeper)
    if kind == "text":
        return inside or _text(uses, known, name_hint, depth)
    if kind == "number":
        return plain("number", uses, name_hint)
    if kind == "any":
        special = special_object(uses, known, name_hint, depth)
        if special is not None:
            return special
        if is_object(known):
            return _object(known, name_hint, depth)
    if is_mapping(known):
        return _mapping(uses, known, kind, name_hint, depth)
    if is_sequence(known):
        return _sequence(uses, known, kind, name_hint, depth)
    if inside is not None:
        return inside
    return _scalar(uses, known, name_hint, depth)


# ----------------------------------------------------------------------------- objects


def special_object(uses: Uses, known: GatheredUses, name_hint: str, depth: int) -> Object | None:
    """Return the shape of a value that is not plain: an instance, an array, a table."""
    for fact in known.facts:
        if fact.kind == "class" and not is_record(known):
            if isinstance(fact.value, NamedTupleInfo):
                return _named_tuple(known, fact.value, name_hint, depth)
            return Object(own=fact.value, hint=name_hint)
        if fact.kind == "class object" and uses.follower is not None:
            class_uses = uses.follower.uses((cast("Node", fact.value),))
            instance = infer(class_uses, "any", name_hint, depth + 1)
            if isinstance(instance, Object) and (instance.own or instance.type_name):
                return replace(instance, is_class=True)
    if "callable" in known.types():
        made = _object(known, name_hint, max(depth, 1))
        return Object(
            result=made.result or Anything(name_hint), hint=name_hint, is_awaited=made.is_awaited
        )
    names = known.instances()
    if names and not names[0].startswith(("pandas.", "numpy.", "torch.")):
        made = _object(known, name_hint, max(depth, 1))
        return replace(made, type_name=names[0])
    if is_connection(known):
        return replace(_object(known, name_hint, max(depth, 1)), type_name=SOCKET)
    library = library_of(known, uses, name_hint)
    if library and not known.instances() and not _is_there(uses, library):
        library = ""
    if library == "pandas.DataFrame":
        return Object(
            type_name=library, hint=name_hint, columns=infer(columns(uses), "json", "row")
        )
    if library:
        return Object(
            type_name=library, hint=name_hint, dimensions=dimensions(known, uses, name_hint)
        )
    if known.attributes.keys() - TEXT and known.attributes.keys() <= DATE:
        return Object(type_name="datetime.datetime", hint=name_hint)
    if _is_path(known):
        return Object(type_name="pathlib.Path", hint=name_hint)
    return None


def _is_path(known: GatheredUses) -> bool:
    """Whether methods of paths are called, and only attributes of paths are read."""
    called = (known.attributes[name] for name in known.attributes.keys() & PATH)
    is_used_as_path = "suffix" in known.attributes or any(any(_called(uses)) for uses in called)
    return is_used_as_path and known.attributes.keys() <= OF_PATHS


def _is_there(uses: Uses, dotted: str) -> bool:
    """Whether the library is installed; without it, nothing can be an instance of its class."""
    there = uses.follower.libraries if uses.follower is not None else None
    return there is None or dotted.partition(".")[0] in there


def _named_tuple(known: GatheredUses, made: NamedTupleInfo, name_hint: str, depth: int) -> Object:
    """Return a named tuple whose fields are used by name, by position, or unpacked."""
    inner = _object(known, name_hint, max(depth, 1))
    others = tuple(e for e in inner.attributes if e.key not in {f.name for f in made.fields})
    fields: list[Entry] = []
    for place, field in enumerate(made.fields):
        field_uses = (
            known.attributes.get(field.name, NO_USES),
            known.keys.get(place, NO_USES),
            known.keys.get(place - len(made.fields), NO_USES),
            known.item,
        )
        inner_shape = infer(all_merged(field_uses), "any", field.name, max(depth + 1, 2))
        fields.append(Entry(field.name, inner_shape))
    return replace(inner, attributes=(*fields, *others), own=made)


# ----------------------------------------------------------------------------- structures


def _mapping(uses: Uses, known: GatheredUses, kind: Kind, name_hint: str, depth: int) -> Mapping:
    tests = _membership(uses)
    entries: list[Entry] = []
    inner: Kind = "json" if kind == "json" else "any"
    keys = dict.fromkeys([*known.keys, *tests])
    if any(isinstance(key, str) for key in keys):
        # positions in a list, where one name stands for several things
        keys = dict.fromkeys(key for key in keys if not isinstance(key, int))
    for key in keys:
        below = known.keys.get(key, NO_USES)
        wanted = tests.get(key)
        facts = gather(below)
        may_be_missing = key in tests or facts.has("optional") or _is_caught(below)
        is_unwanted = wanted is False or (
            (may_be_missing and _wants_nothing(below)) or (below.is_weak and key in tests)
        )
        if wanted is True:
            is_unwanted = False
        shape = infer(below, inner, str(key), depth + 1)
        entries.append(Entry(key, shape, may_be_missing, is_unwanted))
    rest = None
    if known.has_value or (known.is_iterated and not entries):
        rest = infer(known.value, inner, _singular(name_hint), depth + 1)
    elif known.has_unknown_key and not entries:  # unknown keys may be indexes
        rest = infer(known.item, inner, _singular(name_hint), depth + 1)
    elif (
        kind == "any" and not entries and not known.has("stored")
    ):  # contents that are only copied are observed if there are any
        rest = Anything(_singular(name_hint))
    return Mapping(tuple(entries), rest, name_hint, has_any_key=known.has_text_key)


def _is_caught(uses: Uses) -> bool:
    """Whether the slice handles the absence of such an item."""
    return any(fact.kind == "caught" and fact.value is None for fact in uses.facts)


def _wants_nothing(uses: Uses) -> bool:
    """Whether the slice goes on if the value is false, and does no more with it."""
    wishes = [f.value for f in uses.facts if f.kind == "truth" and f.value is not None]
    follower = uses.follower
    for fact in uses.facts:
        if fact.kind == "compare" and follower is not None:
            sign, operand = cast("tuple[str, int]", fact.value)
            constants = follower.constants(operand)
            if sign in ("is", "==", "is not", "!=") and None in constants:
                wanted = follower.preferred_outcome(fact)
                if wanted is not None:
                    wishes.append(wanted == (sign in ("is not", "!=")))
    return bool(wishes) and not any(wishes)


def _membership(uses: Uses) -> dict[object, bool | None]:
    """Return the keys that `in` tests, and whether they are wanted."""
    found: dict[object, bool | None] = {}
    follower = uses.follower
    for fact in uses.facts:
        if fact.kind == "compare" and follower is not None:
            sign, operand = cast("tuple[str, int]", fact.value)
            if sign in ("has", "has not"):
                wanted = follower.preferred_outcome(fact)
                if sign == "has not" and wanted is not None:
                    wanted = not wanted
                for key in follower.constants(operand):
                    if found.get(key) is None:
                        found[key] = wanted
    return found


def _sequence(uses: Uses, known: GatheredUses, kind: Kind, name_hint: str, depth: int) -> Sequence:
    inner: Kind = "json" if kind == "json" else "any"
    item = known.item
    frame = known.parsed.get(("frame",))
    if frame is not None:
        item = merged(item, columns(frame))
    numbers = {"numbers", "array"} & set(known.types())
    if numbers and not item:
        item = Uses((Fact("type", "number"),), {}, uses.follower)
    least = max((_least(key) for key in known.keys), default=0)
    parts = tuple(
        (key, infer(merged(item, below), inner, _singular(name_hint), depth + 1))
        for key, below in known.keys.items()
        if isinstance(key, int)
    )
    exact = [cast("int", f.value) for f in known.facts if f.kind == "unpack"]
    bounds = [f.value for f in known.facts
              if f.kind == "length" and isinstance(f.value, int)]  # fmt: skip
    tests = [*_lengths(known), *(t for t in tests_of(uses) if not t.candidates)]
    skipped = max([0, *(f.value for f in known.facts
                        if f.kind == "sliced" and isinstance(f.value, int))])  # fmt: skip
    length = max([2 + skipped, least, *bounds, *(-e for e in exact if e < 0)])
    positive = [e for e in exact if e > 0]
    others: list[int] = []
    if positive:
        length = max(positive)
    elif tests:
        length, *others = _counts(tests, (length, *_sizes(tests), 1, 0))
    is_caught = any(_is_caught(below) for key, below in known.keys.items() if isinstance(key, int))
    is_tested = bool(tests) or known.is_iterated or is_caught
    shape = infer(item, inner, _singular(name_hint), depth + 1)
    if parts and isinstance(shape, Anything) and not isinstance(parts[0][1], (Anything, Plain)):
        shape = parts[0][1]  # the parts are alike
    return Sequence(
        shape, parts, length, is_tested and not positive, skipped, tuple(others),
        type_of_sequence(known),
    )  # fmt: skip


def _counts(tests: list[Test], pool: Iterable[int]) -> list[int]:
    """Return the most wanted length, then one for each other outcome of the tests."""
    outcomes = {n: [bool(test.predicate([None] * n)) for test in tests] for n in pool}

    def score(length: int) -> int:
        pairs = zip(tests, outcomes[length], strict=True)
        return sum(t.weight for t, holds in pairs if t.outcome is None or t.outcome == holds)

    found = [max(outcomes, key=score)]
    for length, outcome in outcomes.items():
        if length <= _LONGEST and all(outcome != outcomes[other] for other in found):
            found.append(length)
    return found


def _lengths(known: GatheredUses) -> list[Test]:
    uses = known.parsed.get(("len",))
    found = tests_of(uses) if uses else []

    def of(test: Test) -> Test:
        def holds(value: object) -> bool:
            return test.predicate(len(cast("list[object]", value)))

        return replace(test, predicate=holds)

    return [of(test) for test in found]


def _sizes(tests: list[Test]) -> list[int]:
    return sorted({c for t in tests for c in t.candidates if isinstance(c, int) and 0 <= c < 500})


def _least(key: object) -> int:
    if not isinstance(key, int):
        return 0
    return key + 1 if key >= 0 else -key


def _singular(name_hint: str) -> str:
    return (
        name_hint[:-1]
        if len(name_hint) > 3 and name_hint.endswith("s") and not name_hint.endswith("ss")
        else name_hint
    )


def _object(known: GatheredUses, name_hint: str, depth: int) -> Object:
    attributes = tuple(
        Entry(name, infer(below, "any", name, depth + 1), gather(below).has("optional"))
        for name, below in known.attributes.items()
    )
    result = None
    if known.calls:
        result = infer(all_merged(below for _, below in known.calls), "any", name_hint, depth + 1)
    item = None
    if known.is_iterated or known.keys or known.has_unknown_key:
        item = infer(all_merged((known.item, *known.keys.values())), "any", name_hint, depth + 1)
    names = known.instances()
    return Object(
        attributes, result, item, names[0] if names else "", name_hint,
        is_awaited=any(gather(below).has("awaited") for _, below in known.calls),
        is_entered=known.has("entered"),
    )  # fmt: skip


# ----------------------------------------------------------------------------- plain values


def _text(uses: Uses, known: GatheredUses, name_hint: str, depth: int) -> Shape:
    del known, depth
    return plain("text", uses, name_hint)


def _content(uses: Uses, known: GatheredUses) -> Uses:
    """Return the uses of the text in a file, whichever way it is read."""
    found = replace(uses, below={k: v for k, v in uses.below.items() if k[0] == "parse"})
    follower = uses.follower
    for name, below in known.attributes.items():
        if name in ("read", "getvalue", "read_text", "read_bytes"):
            found = merged(found, all_merged(b for _, b in _called(below)))
        elif name in ("readlines", "splitlines", "readline"):
            for _, lines in _called(below):
                label: Label = ("parse", "split", None, "\n", "splitlines")
                inner = lines
                if name == "readline":
                    inner = Uses((), {("item",): lines}, follower)
                found = merged(found, Uses((), {label: inner}, follower))
    if known.is_iterated:
        label = ("parse", "split", None, "\n", "splitlines")
        inner = Uses((), {("item",): known.item}, follower)
        found = merged(found, Uses((), {label: inner}, follower))
    return found


def _called(uses: Uses) -> Iterator[tuple[Label, Uses]]:
    return ((label, below) for label, below in uses.below.items() if label[0] == "call")


def _scalar(uses: Uses, known: GatheredUses, name_hint: str, depth: int) -> Shape:
    del depth
    ending = next((_ENDINGS[n] for n in functions(known) if n in _ENDINGS), None)
    if ending is not None:
        return Plain("text", name_hint, (f"{stem(name_hint)}-1{ending}",), is_free=False)
    numbers = next((_VALUES[n] for n in functions(known) if n in _VALUES), None)
    if numbers is not None:
        return Plain("int", name_hint, numbers, is_free=False)
    types = known.types()
    if "int" in types and "number" in types:
        return plain("int", uses, name_hint)
    for name in types:
        if name in _FORMATS and name not in ("path", "date"):
            return Holding(
                cast("tuple[object, ...]", _FORMATS[name]), Anything(name_hint), name_hint
            )
        if name in _SCALARS:
            return plain(_SCALARS[name], uses, name_hint)
    if known.attributes.keys() & (NUMBER - {"real", "imag"}):
        return plain("int", uses, name_hint)
    if known.attributes.keys() & TEXT:
        return plain("text", uses, name_hint)
    return plain("", uses, name_hint)


def _nullable(uses: Uses, known: GatheredUses, shape: Shape) -> Shape:
    """Return the shape, optional if the slice handles `None`."""
    follower = uses.follower
    if isinstance(shape, Plain) and None in shape.values:
        return shape
    handles_none, wanted = False, None
    for fact in known.facts:
        if fact.kind == "optional" and fact.value == "none":
            handles_none = True
        if fact.kind == "compare" and follower is not None:
            sign, operand = cast("tuple[str, int]", fact.value)
            if sign in ("is", "is not", "==", "!=") and None in follower.constants(operand):
                handles_none = True
                outcome = follower.preferred_outcome(fact)
                if outcome is not None and wanted is None:
                    wanted = outcome == (sign in ("is", "=="))
        if fact.kind == "truth" and not isinstance(shape, Plain):
            handles_none = True
    if not handles_none or isinstance(shape, Maybe):
        return shape
    is_used = bool(uses.below) and not all(b.is_weak for b in uses.below.values())
    return Maybe(shape, bool(wanted) and not is_used)
