"""Compare two graphs of values, without recursion, remembering the pairs being compared.

A pair of nodes that is met again while it is compared counts as equal (bisimulation; Milner,
Communication and Concurrency, 1989, chapter 4), so cycles end. Differences are put into words only
on request: most only rule out one candidate partner.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ..observation import Group, Node, Observation, Value
from ..short_text import LONGEST, referent, render, resolve
from .compare_arrays import array_difference
from .compare_closures import comparable_calls
from .compare_exceptions import ComparableExceptions
from .placed_arguments import are_recorded_calls, placed
from .query_calls import is_record, without_questions
from .shared_containers import newly_shared
from .traceback_texts import equal_except_frames
from .unordered_partners import Unmatched
from .value_paths import AT, AT_KEY, Path, format_key

MAX_STEPS = 4_000_000
MAX_TRIALS = 24
"""Deepest sets within sets, or within keys, that are matched by trying; deeper ones must agree in
canonical order."""

_BEFORE = 20
"""Common characters shown before the place where two long texts differ."""
_IGNORED = {"opaque": {"why", "name"}, "cut": {"why"}, "exception": {"context"}}
"""Fields that are for people, or compared where an exception is raised."""
_NO_PLAIN_ITERATORS = ("coroutine", "async_generator", "GeneratorContextManager")
"""Suffixes of iterator types that are used in special ways."""
_NARROW = {"f2": 2.0**-9, "f4": 2.0**-20, "c8": 2.0**-20}
"""Relative tolerance for arrays of narrow numbers: a few units in the last place."""

_SHARED_KINDS = frozenset({"list", "set", "dict", "ordered_dict", "object"})
"""Kinds whose identity shows when they change; `strict` compares how they are shared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two observations differ."""

    path: str
    expected: str
    observed: str

    def __str__(self) -> str:
        return f"{self.path}: {self.expected} != {self.observed}"


@dataclass(frozen=True, slots=True)
class Settings:
    """The precision with which values are compared."""

    relative: float
    absolute: float
    is_strict: bool


_Finding = Callable[[], Difference]
_Pending = list[tuple[Path, Value, Value]]


class Values:
    """Compares values of one observation with values of another."""

    def __init__(self, expected: Observation, observed: Observation, settings: Settings) -> None:
        self._expected = expected
        self._observed = observed
        self._settings = settings
        self._assumed: dict[tuple[int, int], None] = {}
        self._partners: dict[int, int] = {}
        self._steps = 0
        self._trials = 0
        self._surely_close = _surely_close(settings)

    def first(self, path: str, left: Value, right: Value) -> Difference | None:
        """Return the first difference of two values, in the order of the expected one."""
        found = self._first(Path(None, "{}", path), left, right)
        return found and found()

    def raised(self, path: str, left: Value, right: Value) -> Difference | None:
        """Return the first difference of two exceptions; messages count only strictly."""
        if self._settings.is_strict:
            return self.first(path, left, right)
        old, new = resolve(left, self._expected), resolve(right, self._observed)
        names = [v.text("type") if isinstance(v, Node) else repr(v) for v in (old, new)]
        if names[0] != names[1]:
            return Difference(path, names[0], names[1])
        return self.first(
            path, *ComparableExceptions(self._expected, self._observed).pair(left, right)
        )

    def _first(self, path: Path, left: Value, right: Value) -> _Finding | None:
        pending: _Pending = [(path, left, right)]
        while pending:
            self._steps += 1
            if self._steps > MAX_STEPS:
                return lambda: Difference(
                    path.text(self._expected), "comparable in time", "too entangled"
                )
            found = self._step(*pending.pop(), pending)
            if found is not None:
                return found
        return None

    def _step(self, path: Path, left: Value, right: Value, pending: _Pending) -> _Finding | None:
        if not isinstance(left, Node) or not isinstance(right, Node):
            same = type(left) is type(right) and left == right
            is_equal = same or self._have_equal_texts(left, right)
            return None if is_equal else self._differ(path, left, right)
        if left.kind == "ref" or right.kind == "ref":
            return self._follow(path, left, right, pending)
        if left.kind != right.kind:
            kinds = (left.kind, right.kind)
            is_untried = kinds == ("opaque", "closure") and left.text("type") == right.text("type")
            return None if is_untried else self._differ(path, left, right)
        if left.kind == "closure" and not self._settings.is_strict:
            left, right = comparable_calls(left, right)
        if not self._settings.is_strict and are_recorded_calls(path, left, right):
            left, right = placed(left, right, self._agree)
        if left.kind == "list" and not self._settings.is_strict and is_record(path):
            left, right = without_questions(left, right, self._agree_on_calls)
        if left.fields != right.fields and not self._fields_agree(left, right):
            if left.field("data") is not None and right.field("data") is not None:
                return self._arrays(path, left, right)
            return self._differ(path, left, right)
        if left.groups or right.groups:
            return self._groups(path, left, right, pending)
        return None

    def _have_equal_texts(self, left: Value, right: Value) -> bool:
        """Whether two texts are equal except for the frames of quoted tracebacks."""
        if self._settings.is_strict or not (isinstance(left, str) and isinstance(right, str)):
            return False
        return equal_except_frames(left, right)

    def _fields_agree(self, left: Node, right: Node) -> bool:
        """Whether unequal fields still agree for this kind of node."""
        if left.kind in {"float", "complex"}:
            return all(
                self._close(float(str(old)), float(str(new)))
                for (_, old), (_, new) in zip(left.fields, right.fields, strict=True)
            )
        ignored = _IGNORED.get(left.kind)
        if left.kind == "iterator" and _are_plain(left, right):
            ignored = {"type"}
        if ignored is None:
            return False
        if self._settings.is_strict:
            ignored = {"why"}
        return [f for f in left.fields if f[0] not in ignored] == [
            f for f in right.fields if f[0] not in ignored
        ]

    def _follow(self, path: Path, left: Node, right: Node, pending: _Pending) -> _Finding | None:
        """Follow references to their nodes; strictly, sharing must agree as well."""
        old, new = referent(left, self._expected), referent(right, self._observed)
        if self._settings.is_strict and old.kind in _SHARED_KINDS and not self._paired(old, new):
            return lambda: Difference(
                path.text(self._expected), "shared as elsewhere", "shared otherwise"
            )
        pair = (id(old), id(new))
        if pair in self._assumed:
            return None
        self._assumed[pair] = None
        pending.append((path, old, new))
        return None

    def _paired(self, old: Node, new: Node) -> bool:
        if id(old) not in self._partners and id(new) not in self._partners:
            self._partners[id(old)] = id(new)
            self._partners[id(new)] = id(old)
        return self._partners.get(id(old)) == id(new) and self._partners.get(id(new)) == id(old)

    def _close(self, old: float, new: float) -> bool:
        if math.isnan(old) or math.isnan(new):
            return math.isnan(old) and math.isnan(new)
        if self._settings.is_strict and math.copysign(1, old) != math.copysign(1, new):
            return False
        return math.isclose(
            old, new, rel_tol=self._settings.relative, abs_tol=self._settings.absolute
        )

    def _arrays(self, path: Path, left: Node, right: Node) -> _Finding | None:
        names = ("type", "dtype", "shape", "layout", "device", "grad")
        if any(left.field(name) != right.field(name) for name in names):
            return self._differ(path, left, right)
        close, surely_close = self._close, self._surely_close
        tolerance = _NARROW.get(left.text("layout").lstrip("<|"))
        if tolerance is not None and not self._settings.is_strict:
            close = surely_close = partial(math.isclose, rel_tol=tolerance)
        found = array_difference(left, right, close, surely_close)
        return found and (
            lambda: Difference(path.text(self._expected) + found[0], found[1], found[2])
        )

    def _groups(self, path: Path, left: Node, right: Node, pending: _Pending) -> _Finding | None:
        if [group[:2] for group in left.groups] != [group[:2] for group in right.groups]:
            return self._differ(path, left, right)
        children: _Pending = []
        for position, old in enumerate(left.groups):
            if old.name == "last" and left.text("end") == "raised":
                found = self.raised(
                    path.text(self._expected), old.values[0], right.groups[position].values[0]
                )
                if found is not None:
                    return lambda found=found: found
                continue
            found = self._group(path, old, right.groups[position], children)
            if found is not None:
                return found
        shared = newly_shared(left, right, self._expected, self._observed)
        if shared is not None:
            one, other = shared
            return lambda: Difference(
                f"{path.text(self._expected)}{other}", "a container of its own", f"that of {one}"
            )
        children.reverse()  # a stack: the first child is popped first
        pending.extend(children)
        return None

    def _group(self, path: Path, old: Group, new: Group, children: _Pending) -> _Finding | None:
        match old.shape:
            case "node":
                form = "" if old.name == "base" else f".{old.name}"
                children.append((Path(path, form), old.values[0], new.values[0]))
                return None
            case "nodes":
                form = AT if old.name == "items" else f".{old.name}[{{}}]"
                self._side_by_side(path, form, old.values, new.values, children)
                return self._lengths(path, old, new, children)
            case "named":
                return self._named(path, old, new, children)
            case "set" if self._trials < MAX_TRIALS:
                return self._unordered(path, old, new)
            case "set":
                self._side_by_side(path, AT, old.values, new.values, children)
                return self._lengths(path, old, new, children)
            case "dict" if self._trials < MAX_TRIALS and not _same_leaves(old.keys, new.keys):
                return self._keyed(path, old, new, children)
            case "pairs" | "dict":
                return self._pairs(path, old, new, children)

    def _side_by_side(
        self,
        path: Path,
        form: str,
        left: tuple[Value, ...],
        right: tuple[Value, ...],
        children: _Pending,
    ) -> None:
        """Add the pairs of values that are not equal at first sight."""
        before = len(children)
        if not _same_leaves(left, right):
            for position, (old, new) in enumerate(zip(left, right, strict=False)):
                if not _is_same_leaf(old, new):
                    children.append((Path(path, form, position), old, new))
        self._steps += min(len(left), len(right)) - (len(children) - before)

    def _pairs(self, path: Path, old: Group, new: Group, children: _Pending) -> _Finding | None:
        """Compare entries in order."""
        if not _same_leaves(old.keys, new.keys):
            self._side_by_side_pairs(path, old, new, children)
            return self._lengths(path, old, new, children)
        before = len(children)
        for position, key in enumerate(old.keys):
            left, right = old.values[position], new.values[position]
            if not _is_same_leaf(left, right):
                children.append((Path(path, AT_KEY, key), left, right))
        self._steps += 2 * len(old.keys) - (len(children) - before)
        return None

    def _side_by_side_pairs(self, path: Path, old: Group, new: Group, children: _Pending) -> None:
        for position, (left, right) in enumerate(zip(old.keys, new.keys, strict=False)):
            children.append((Path(path, " key {}", position), left, right))
            at = Path(path, AT_KEY, left)
            children.append((at, old.values[position], new.values[position]))

    def _lengths(self, path: Path, old: Group, new: Group, children: _Pending) -> _Finding | None:
        """Return a differing item rather than a differing length, if there is one."""
        if len(old.values) == len(new.values):
            return None
        for child in children:
            found = self._trial(*child)
            if found is not None:
                return found
        name = "" if old.name == "items" else f".{old.name}"
        return lambda: Difference(
            f"len({path.text(self._expected)}{name})", str(len(old.values)), str(len(new.values))
        )

    def _named(self, path: Path, old: Group, new: Group, children: _Pending) -> _Finding | None:
        if old.keys == new.keys:
            for position, name in enumerate(old.keys):
                left, right = old.values[position], new.values[position]
                if not _is_same_leaf(left, right):
                    children.append((Path(path, ".{}", name), left, right))
            return None
        others = dict(zip(new.keys, new.values, strict=True))
        for name, value in zip(old.keys, old.values, strict=True):
            where = Path(path, ".{}", name)
            if name not in others:
                return self._missing(where, value)
            children.append((where, value, others.pop(name)))
        for name, value in others.items():
            return self._added(Path(path, ".{}", name), value)
        return None

    def _keyed(self, path: Path, old: Group, new: Group, children: _Pending) -> _Finding | None:
        rest = Unmatched(new.keys, self._agree)
        for position, key in enumerate(old.keys):
            found = rest.partner(key)
            if found is None:
                return self._missing(Path(path, AT_KEY, key), old.values[position])
            children.append((Path(path, AT_KEY, key), old.values[position], new.values[found]))
        left = rest.first()
        if left is None:
            return None
        key = format_key(new.keys[left], self._observed)
        return self._added(Path(path, AT, key), new.values[left])

    def _unordered(self, path: Path, old: Group, new: Group) -> _Finding | None:
        if _same_leaves(old.values, new.values):
            self._steps += len(old.values)
            return None
        rest = Unmatched(new.values, self._agree)
        for value in old.values:
            if rest.partner(value) is None:
                return self._of_set(path, value, self._expected, ("present", "missing"))
        left = rest.first()
        if left is None:
            return None
        return self._of_set(path, new.values[left], self._observed, ("missing", "present"))

    def _agree(self, left: Value, right: Value) -> bool:
        self._steps += 1
        if _is_same_leaf(left, right):
            return True
        return self._trial(Path(None, ""), left, right) is None

    def _agree_on_calls(self, left: Value, right: Value) -> bool:
        """Whether two entries of a record agree, with arguments by position or keyword."""
        record = Path(None, ".{}", "calls")
        return self._trial(Path(record, AT, 0), left, right) is None

    def _trial(self, path: Path, left: Value, right: Value) -> _Finding | None:
        """Compare, and roll back the assumptions if the two differ."""
        assumed, partners = len(self._assumed), len(self._partners)
        self._trials += 1
        found = self._first(path, left, right)
        self._trials -= 1
        if found is not None:
            for made, before in ((self._assumed, assumed), (self._partners, partners)):
                while len(made) > before:
                    made.popitem()
        return found

    def _missing(self, path: Path, value: Value) -> _Finding:
        return lambda: Difference(
            path.text(self._expected), render(value, self._expected), "missing"
        )

    def _added(self, path: Path, value: Value) -> _Finding:
        return lambda: Difference(
            path.text(self._expected), "missing", render(value, self._observed)
        )

    def _of_set(
        self, path: Path, value: Value, owner: Observation, words: tuple[str, str]
    ) -> _Finding:
        return lambda: Difference(f"{path.text(self._expected)}{{{render(value, owner)}}}", *words)

    def _differ(self, path: Path, left: Value, right: Value) -> _Finding:
        def difference() -> Difference:
            shown = _from_difference(left, right)
            old, new = render(shown[0], self._expected), render(shown[1], self._observed)
            if old == new:  # they differ in type, or behind the cut
                old, new = f"{_type(left)} {old}", f"{_type(right)} {new}"
            return Difference(path.text(self._expected), old, new)

        return difference


def _from_difference(left: Value, right: Value) -> tuple[Value, Value]:
    """Return long texts from shortly before their first difference; other values unchanged."""
    if not (isinstance(left, str) and isinstance(right, str)):
        return left, right
    pairs = enumerate(zip(left, right, strict=False))
    at = next((n for n, (old, new) in pairs if old != new), min(len(left), len(right)))
    start = at - _BEFORE
    if start <= 0 or max(len(left), len(right)) <= LONGEST - 2:
        return left, right
    return f"…{left[start:]}", f"…{right[start:]}"


def _surely_close(settings: Settings) -> Callable[[float, float], bool]:
    """Return a test in C that accepts only close pairs."""
    if settings.is_strict:
        return lambda _old, _new: False
    return partial(math.isclose, rel_tol=settings.relative, abs_tol=settings.absolute)


def _are_plain(*nodes: Node) -> bool:
    """Whether these iterators can only be iterated over."""
    return not any(node.text("type").endswith(_NO_PLAIN_ITERATORS) for node in nodes)


def _is_same_leaf(left: Value, right: Value) -> bool:
    """Whether two values are equal at first sight; unequal nodes may still agree."""
    if isinstance(left, Node):
        return not left.groups and left == right and left.kind != "ref"
    return type(left) is type(right) and left == right


def _same_leaves(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool:
    """Whether two lists hold the same values in the same order, and no nodes."""
    if len(left) != len(right):
        return False
    types = list(map(type, left))
    return Node not in types and left == right and types == list(map(type, right))


def _type(value: Value) -> str:
    if not isinstance(value, Node):
        return type(value).__name__
    return value.text("type") or value.text("of") or value.kind
