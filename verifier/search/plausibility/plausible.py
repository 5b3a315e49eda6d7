"""Plausible drafts: their arguments are of kinds that some evidence names.

Evidence is, strongest first: the annotation, what recorded calls pass, the default, and what the
target does with the parameter. Kinds that a parameter is tested for belong to its domain. If a
target rejects wrong kinds itself, or handles the errors they cause, every kind belongs to it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ....slicer.syntax.nodes import defaults_of
from ...evidence.recordings.documented_domain import DocumentedDomain, documented_domain
from ...evidence.recordings.likely_invariants import Domain, constructor_keywords
from ...inputs.argument_pools import Inputs, Pool
from ...inputs.statements import attribute_of, on_receiver
from ...inputs.types.declared_items import items_fit
from ...inputs.types.docstring_types import annotation_from_prose
from ...inputs.types.docstrings import documented_type
from ...inputs.types.value_kinds import UNKNOWN, Kinds, annotated_kinds, kind_of
from ...mutation.mutated_block import Block
from ..drafts.drafts import Draft
from ..variation.absent_items import handles_none, has_empty_keys, has_gaps
from ..variation.boundaries_in_code import neighbour_kinds
from ..variation.lookalikes import ClassTest, class_tests
from ..variation.overlapping_mappings import nests_mappings
from .clock_numbers import are_times, clock_parameters
from .number_ties import NumberTies, number_ties
from .parameter_uses import (
    COUNTS,
    compared_with_counts,
    converted_numbers,
    returned_or_stored,
    streamed,
)

_NO_ARRAY = re.compile(r"\b(?:zeros|ones|empty|full)\(\(\)")
"""An array without dimensions, which is rather a number."""
_GUARDS = frozenset({"isinstance", "issubclass", "type", "callable", "hasattr", "iter"})
_ACCIDENTS = frozenset({"TypeError", "AttributeError", "Exception", "BaseException"})

_BROAD = frozenset(
    "Any object Sequence Iterable Collection Mapping Buffer ByteString AnyStr Number Real "
    "float memoryview".split()
)
"""Words in annotations that stand for more than one builtin class."""
_WORD = re.compile(r"\w+")

GAPS = ("float('nan')", "float('inf')", "-float('inf')")
"""NaN and the infinities."""
_GAP_NAMES = frozenset(
    "isnan isfinite isinf nan inf isna isnull notna notnull nan_to_num fillna dropna NaN".split()
)
_MOST_RECORDED = 8
"""Recorded values that are used for one parameter."""


@dataclass(frozen=True, slots=True)
class PlausibleValues:
    """The values that each parameter accepts."""

    kinds: Mapping[str, Kinds]
    """Kinds by parameter, and by what statements assign to. A name without an entry accepts
    anything."""
    domain: Domain = field(default_factory=Domain)
    """Invariants that all recorded calls share."""
    marked: frozenset[str] = frozenset()
    """Parameters whose default is a sentinel, so that `None` is a value like any other. Keys of
    collected keywords that are read with such a default count as well."""
    documented: DocumentedDomain = field(default_factory=DocumentedDomain)
    """The domain of the arguments according to the docstring."""
    ties: NumberTies = field(default_factory=NumberTies)
    """Numbers that must not meet an equal number of another type."""
    clocks: frozenset[str] = frozenset()
    """Parameters that are times since the epoch."""
    nests: bool = False
    """Whether nested dictionaries are intended."""
    streams: frozenset[str] = frozenset()
    """Parameters that a generator loops over."""
    returned_or_stored: frozenset[str] = frozenset()
    """Parameters that the target returns or stores unchanged, and attributes as places."""
    declared: Mapping[str, ast.expr] = field(default_factory=dict[str, ast.expr])
    """Annotations of parameters, which say what containers hold."""
    tested: Mapping[str, ClassTest] = field(default_factory=dict[str, ClassTest])
    """Parameters whose class the target tests."""

    broad: frozenset[str] = frozenset()
    """Parameters that accept several builtin classes, by an annotation or a test."""
    has_broad_items: bool = False
    """Whether the target tests the class of something else than a parameter."""
    treats_gaps: bool = False
    """Whether the target, or a recorded caller, intends NaN or infinities."""
    handles_none: bool = True
    """Whether the target itself names `None`, or tests for truth."""

    def __call__(self, draft: Draft) -> bool:
        """Whether each argument and each state is of a known kind and as documented."""
        states = [(each.place, each.value) for each in draft.before if each.sets]
        if not self.handles_none and any(
            has_gaps(text) or (not place.startswith(on_receiver("")) and has_empty_keys(text))
            for place, text in states
        ):
            return False
        known = all(self.takes(name, text) for name, text in (*draft.arguments, *states))
        given = dict(draft.arguments)
        return (
            known
            and self.documented.allows(given)
            and not self.ties.has_tie(given)
            and are_times(self.clocks, given)
        )

    def is_usual(self, draft: Draft) -> bool:
        """Whether the arguments also satisfy the invariants of all recorded calls.

        Outside of these lie the inputs that a target rejects, but also those that nobody meant.
        """
        return self(draft) and not self.domain.refusal(named_arguments(draft))

    def takes(self, name: str, text: str) -> bool:
        """Whether a parameter accepts a value by its kind. Non-literals are accepted."""
        if _NO_ARRAY.search(text):
            return False
        if name in self.declared and not items_fit(self.declared[name], text):
            return False
        known = self.kinds.get(name, UNKNOWN)
        kind = kind_of(text)
        return not known or not kind or kind in known


def named_arguments(draft: Draft) -> dict[str, str]:
    """Return arguments by name, and the attributes that the receiver is made with or set to."""
    states = [each for each in draft.before if each.is_on_receiver and each.value]
    attributes = {f"self.{attribute_of(each.place)}": each.value for each in states}
    return {**constructor_keywords(draft.receiver), **attributes, **dict(draft.arguments)}


def plausible(
    inputs: Inputs, block: Block, recorded: Sequence[Draft], domain: Domain | None = None
) -> PlausibleValues:
    """Return what is known of the kinds of a target's arguments.

    Args:
        inputs: what can be given to the target.
        block: the target's text.
        recorded: recorded calls of the target.
        domain: invariants of these calls, where known.
    """
    functions = [f for f in block.functions if not isinstance(f, ast.Lambda)]
    documented = DocumentedDomain() if not functions else documented_domain(functions[0])
    ties = NumberTies() if not functions else number_ties(functions[0])
    nests = any(map(nests_mappings, functions))
    streams = frozenset(name for each in functions[:1] for name in streamed(each))
    counts = frozenset(name for each in functions[:1] for name in compared_with_counts(each))
    numbers = frozenset(name for each in functions[:1] for name in converted_numbers(each))
    clocks = frozenset(name for each in functions[:1] for name in clock_parameters(each))
    defaults = {arg.arg: d for f in functions[:1] for arg, d in defaults_of(f.args)}
    marks = frozenset(
        name for name, d in defaults.items() if isinstance(d, ast.Name | ast.Attribute)
    )
    marked = marks.union(*map(_marked_keys, functions[:1]))
    known = PlausibleValues(
        dict(inputs.kinds),
        handles_none=any(map(handles_none, functions)),
        treats_gaps=_treats_gaps(functions, recorded),
        marked=marked,
        documented=documented,
        ties=ties,
        clocks=clocks,
        nests=nests,
        has_broad_items=any(map(_tests_items, functions)),
        broad=frozenset(name for each in functions[:1] for name in _broad(each)),
        tested={name: test for each in functions[:1] for name, test in class_tests(each).items()},
        returned_or_stored=frozenset[str]().union(*map(returned_or_stored, functions[:1])),
    )
    if any(_refuses_kinds(each) for each in functions):
        return known
    names = {a.arg for f in functions[:1] for a in _arguments(f.args)}
    opened = {name for each in functions for name in _handled_kinds(each, names)}
    declared = {a.arg: a.annotation for f in functions[:1] for a in _arguments(f.args)}
    found = dict(inputs.kinds)
    looked_for: dict[str, Kinds] = {}
    written: dict[str, ast.expr] = {}
    for pool in inputs.pools:
        is_open = pool.name in opened
        annotation = declared.get(pool.name)
        passed = [text for each in recorded for n, text in each.arguments if n == pool.name]
        default = [ast.unparse(defaults[pool.name])] if pool.name in defaults else []
        if annotation is not None:
            kinds = annotated_kinds(annotation)
            if not is_open and pool.how in ("keyword", "position"):
                seen = (*passed, *pool.texts[:1])  # recorded values, and the likeliest value
                if all(items_fit(annotation, text) for text in seen):
                    written[pool.name] = annotation
        else:
            kinds = UNKNOWN if is_open else _kinds(passed + default)
            kinds = kinds or (COUNTS if pool.name in counts and not is_open else UNKNOWN)
            kinds = kinds | COUNTS if pool.name in numbers and kinds & COUNTS else kinds
        tested = [t for f in functions[:1] for t in _tested(f, pool.name)]
        lookalikes = known.tested[pool.name].lookalikes if pool.name in known.tested else UNKNOWN
        documented_kinds = UNKNOWN.union(*(_documented_kinds(f, pool.name) for f in functions[:1]))
        looked_for[pool.name] = lookalikes.union(documented_kinds, *tested, map(kind_of, default))
        if pool.name in known.broad:
            looked_for[pool.name] |= neighbour_kinds(looked_for[pool.name])
        if kinds and all(tested) and pool.how in ("keyword", "position"):
            found[pool.name] = kinds.union(documented_kinds, map(kind_of, default), *tested)
    widened = (domain or Domain()).widened(looked_for)
    return replace(known, kinds=found, domain=widened, streams=streams, declared=written)


def _marked_keys(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Yield keys of collected keywords that are read with a sentinel as default."""
    collected = function.args.kwarg.arg if function.args.kwarg else ""
    for node in ast.walk(function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=mapping), attr="pop" | "get"),
                args=[ast.Constant(value=str() as key), ast.Name() | ast.Attribute()],
            ) if mapping == collected:
                yield key
            case _:
                pass


def informed(inputs: Inputs, known: PlausibleValues, recorded: Sequence[Draft]) -> Inputs:
    """Return the inputs with recorded values first, and without values of implausible kinds."""
    pools: list[Pool] = []
    for pool in inputs.pools:
        passed = (text for each in recorded for n, text in each.arguments if n == pool.name)
        first = [text for text in dict.fromkeys(passed) if kind_of(text)][:_MOST_RECORDED]
        taken = [text for text in pool.texts if known.takes(pool.name, text)]
        is_data = known.treats_gaps and not pool.is_optional
        gaps = GAPS if is_data and is_number([*first, *taken][:1]) else ()
        texts = tuple(dict.fromkeys((*first, *taken, *gaps))) or pool.texts
        pools.append(replace(pool, texts=texts))
    return replace(inputs, pools=tuple(pools))


def is_number(texts: Sequence[str]) -> bool:
    """Whether all of some expressions are numbers."""
    return bool(texts) and all(kind_of(text) in ("int", "float") for text in texts)


def _treats_gaps(functions: Sequence[ast.AST], recorded: Sequence[Draft]) -> bool:
    """Whether code names what recognises NaN or infinities, or somebody passes one."""
    names = (
        getattr(node, "attr", getattr(node, "id", ""))
        for function in functions
        for node in ast.walk(function)
    )
    passed = (text for draft in recorded for _, text in draft.arguments)
    return any(name in _GAP_NAMES for name in names) or any("('nan')" in text for text in passed)


def _kinds(texts: Sequence[str]) -> Kinds:
    """Return the kinds of some values; `UNKNOWN` if one is not known, or all are `None`."""
    kinds = frozenset(map(kind_of, texts))
    if kinds <= {"NoneType"} or "" in kinds:
        return UNKNOWN
    return kinds | {"int"} if "float" in kinds else kinds


def _arguments(args: ast.arguments) -> list[ast.arg]:
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


def _broad(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    yield from class_tests(function)
    for each in _arguments(function.args):
        if each.annotation and _BROAD & set(_WORD.findall(ast.unparse(each.annotation))):
            yield each.arg


def _tests_items(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function tests the builtin class of something that is no parameter."""
    given = {each.arg for each in _arguments(function.args)}
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.expr() as tested, cls]):
                is_given = isinstance(tested, ast.Name) and tested.id in given
                parts = cls.elts if isinstance(cls, ast.Tuple) else [cls]
                if not is_given and any(map(annotated_kinds, parts)):
                    return True
            case _:
                pass
    return False


def _documented_kinds(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Kinds:
    """Return the kinds that the docstring gives a parameter, if it names all of them."""
    text = documented_type(ast.get_docstring(function), name)
    return annotated_kinds(annotation_from_prose(text)) if text else UNKNOWN


def _refuses_kinds(function: ast.AST) -> bool:
    """Whether a function itself raises `TypeError`. Then every kind belongs to its domain."""
    return any(
        isinstance(node, ast.Raise)
        and node.exc is not None
        and "TypeError" in {getattr(n, "id", "") for n in ast.walk(node.exc)}
        for node in ast.walk(function)
    )


def _handled_kinds(function: ast.AST, parameters: Collection[str]) -> Collection[str]:
    """Return the parameters whose kind a function tests, or for which it handles a wrong kind.

    These are all parameters if it tests something else, since that may come from any of them.
    """
    found: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=tested), *_]) if (
                name in _GUARDS and tested in parameters
            ):
                found.add(tested)
            case ast.Call(func=ast.Name(id=name)) if name in _GUARDS:
                return parameters
            case ast.ExceptHandler(type=None) | ast.MatchClass():
                return parameters
            case ast.ExceptHandler(type=ast.expr() as caught) if _ACCIDENTS & {
                getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(caught)
            }:
                return parameters
            case _:
                pass
    return found


def _tested(function: ast.AST, name: str) -> Iterator[Kinds]:
    """Yield the kinds that a parameter is tested for, test by test; none for unknown classes."""
    for node in ast.walk(function):
        match node:
            case ast.Call(
                func=ast.Name(id="isinstance"), args=[ast.Name(id=tested), ast.Tuple(elts=classes)]
            ) if tested == name:
                yield from map(annotated_kinds, classes)
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=tested), cls]) if (
                tested == name
            ):
                yield annotated_kinds(cls)
            case _:
                pass
