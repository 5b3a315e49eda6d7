"""Generates stub modules, and the answers of their calls, from uses."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ..contacts import Border, StubModule, is_below
from ..shapes.answer_shape import shape_at, uses_at, variants_at
from ..shapes.shape import holds_objects
from .declared.declared_modules import Interface, interface_of
from .external_usage import Usage, usage_of
from .refined_answers import refined
from .standard_constants import standard_constant

_ERROR = re.compile(r"(Error|Exception|Warning)$")
_TEXTS = tuple(
    ("homeassistant.const", beginning)
    for beginning in ("CONF_", "ATTR_", "STATE_", "SERVICE_", "EVENT_")
)
"""Modules with constants that hold their own names: the part after a prefix, in lower case."""
_SAMPLE = re.compile(r"-1(\.\w+)?$|^user1@")
"""Suffixes and prefixes of sample texts without special meaning."""
_RUNTIME = re.compile(
    r"\b(?:Stub|StubClass|PlainStub|StubError|above|declared|declared_method|Held|Given|Entered"
    r"|Iterated|Streamed)\b(?=[(,)]|\n *(?:async )?def )|\bANYTHING\b"
)
"""Names in a stub's text that the runtime pieces define."""
_ENUM = "import enum\n\n"
_EMPTY = ("{}", "''", "0", "None")
"""Values that shape inference returns if it has found nothing."""


@dataclass(frozen=True, slots=True)
class StubPackages:
    """Stub modules, and the statements that set their answers."""

    modules: tuple[StubModule, ...]
    setup: str
    reasons: Mapping[str, str]
    """Module → why it is stubbed, and what its stub is generated from."""
    pieces: tuple[str, ...] = ("stubs",)
    inputs: tuple[str, ...] = ()
    """Inputs read from outside the repository."""
    answers: tuple[tuple[str, str], ...] = ()
    """Places that hold data, with the answer there; empty if unknown."""


SourceOf = Callable[[str], str | None]
"""Path of a value → its source, if known or guessed."""


def stub_packages(
    border: Border,
    reasons: Mapping[str, str],
    written: SourceOf | None = None,
    guess: SourceOf | None = None,
    by_hand: Sequence[str] = (),
    open_places: Sequence[str] = (),
    *,
    is_distributed: bool = True,
) -> StubPackages:
    """Return stubs of some modules, made from the slice's uses and from declarations.

    Args:
        border: the border of the slice.
        reasons: dotted name of a module → why it is stubbed, with everything below it.
        written: takes precedence over inference from the uses of a value.
        guess: applies where inference finds nothing.
        by_hand: modules below these that have text and answers from elsewhere.
        open_places: places in `by_hand` modules that still get inferred answers.
        is_distributed: whether the modules' distributions may declare their interface.
    """
    usage = usage_of(border, tuple(reasons))
    usage = replace(usage, modules=tuple(sorted({*usage.modules, *by_hand})))
    declared = interface_of(usage, tuple(reasons), by_hand) if is_distributed else Interface()
    usage = replace(
        usage,
        modules=tuple(sorted({*usage.modules, *declared.modules})),
        kinds=declared.kinds(),
    )
    answers = dict(_answers(border, usage, declared, written, guess, by_hand, open_places))
    texts = tuple(
        _module(name, usage, declared, answers, _reason(name, reasons))
        for name in sorted({*usage.modules, *reasons} - {*by_hand})
    )
    holders = {declared.canonical(place) for place in _holders(border, usage)} - answers.keys()
    answers = {declared.canonical(place): found for place, found in answers.items()}
    reason_texts = {m: _format_reason(m, why, declared, by_hand) for m, why in reasons.items()}
    pieces = ("stubs", "stub_declared") if declared.items else ("stubs",)
    setup = _setup(usage, answers)
    setup += f"hold({', '.join(map(repr, sorted(holders)))})\n" if holders else ""
    known = tuple(_data(usage, answers, by_hand))
    return StubPackages(texts, setup, reason_texts, pieces, declared.inputs, known)


def _data(
    usage: Usage, answers: dict[str, dict[str, str]], by_hand: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield the places that hold data, except those inside a known one."""
    for place in sorted({use.path for use in usage.uses}):
        is_ours = any(is_below(place, hand) for hand in by_hand)
        if place in usage.modules or is_ours or _is_object(place, usage):
            continue
        is_inside = any(_is_inside(place, above) for above in answers)
        if place not in usage.kinds and not is_inside:
            yield place, answers.get(place, {}).get("default", "")


def _is_inside(place: str, above: str) -> bool:
    """Whether a place is part of the value at another one."""
    return place.startswith((f"{above}[", f"{above}.", f"{above}("))


def _format_reason(module: str, reason: str, declared: Interface, by_hand: Sequence[str]) -> str:
    if any(is_below(hand, module) for hand in by_hand):
        return f"{reason}; written by hand"
    return f"{reason}; written from {' and '.join(declared.sources(module)) or 'usage'}"


def _reason(module: str, reasons: Mapping[str, str]) -> str:
    return reasons[max((m for m in reasons if is_below(module, m)), key=len)]


# ------------------------------------------------------------------- what calls answer


def _answers(
    border: Border,
    usage: Usage,
    declared: Interface,
    written: SourceOf | None,
    guess: SourceOf | None,
    by_hand: Sequence[str],
    open_places: Sequence[str],
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield place → its variants as source; the `default` first."""
    errors: dict[str, list[str]] = {}
    for guarded in usage.guarded:
        if guarded.error not in errors.setdefault(f"{guarded.path}()", []):
            errors[f"{guarded.path}()"].append(guarded.error)
    known: list[str] = []
    for place in sorted({use.path for use in usage.uses}, key=lambda p: (len(p), p)):
        if any(_is_inside(place, above) for above in known) or place in usage.modules:
            continue
        if usage.kinds.get(place) == "value":
            continue
        values: dict[str, str] = {}
        constant = standard_constant(place)
        if constant is not None:
            values = _user_answer(place, border) or {"default": constant}
        elif not _is_object(place, usage):
            values = (
                _user_answer(place, border)
                or _fitting_source(place, usage, written)
                or _better(
                    _values(border, place, usage, declared.values.get(place)),
                    _fitting_source(place, usage, guess),
                )
            )
        is_known = bool(values)
        values = _with_variants(values, place, border)
        if values and place not in open_places and any(is_below(place, m) for m in by_hand):
            first, *others = values.items()
            values = {"default": "ANYTHING", "inferred": first[1], **dict(others)}
        raised = {e.rpartition(".")[2]: f"Raises({e!r})" for e in errors.get(place, ())}
        if values:
            known += [place] * is_known  # in addition to the answers inferred inside it
            yield place, {**values, **raised}
        elif raised:
            yield place, {"default": "ANYTHING", **raised}


def _holders(border: Border, usage: Usage) -> Iterator[str]:
    """Yield the containers that the slice tests with `in`, and goes on only if it is true."""
    for place in {use.path for use in usage.uses}:
        uses = uses_at(border, place)
        for fact in uses.facts:
            if fact.kind == "compare" and uses.follower is not None:
                sign, _ = cast("tuple[str, int]", fact.value)
                if sign == "has" and uses.follower.preferred_outcome(fact) is True:
                    yield place
                if sign == "has not" and uses.follower.preferred_outcome(fact) is False:
                    yield place


def _is_object(place: str, usage: Usage) -> bool:
    """Whether a place is a function, a class, or an instance of a class, rather than data."""
    roles = usage.roles(place) - {"read"}
    constructed = place.removesuffix("()")
    is_class = place.endswith("()") and _is_class(constructed, usage)
    return bool(roles) or is_class or _is_class(place, usage) or _is_error(place, usage)


def _better(inferred: dict[str, str], guessed: dict[str, str]) -> dict[str, str]:
    """Return the inferred variants, with the guessed default if theirs is arbitrary."""
    if not inferred or not guessed:
        return inferred or guessed
    value, guess = (_value(values["default"]) for values in (inferred, guessed))
    is_any = (
        bool(_SAMPLE.search(value))
        if isinstance(value, str)
        else isinstance(value, (int, float)) and abs(value) < 4
    )
    is_same_kind = isinstance(value, str) == isinstance(guess, str) and (
        isinstance(value, (int, float)) == isinstance(guess, (int, float))
    )
    return {**inferred, **guessed} if is_any and is_same_kind else inferred


def _value(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except ValueError:
        return None  # a number without a literal


def _user_answer(place: str, border: Border) -> dict[str, str]:
    """Return the user's answer at a place."""
    value = dict(border.settings.answers).get(place)
    return {} if value is None else {"default": value}


def _with_variants(values: dict[str, str], place: str, border: Border) -> dict[str, str]:
    """Return the known variants of a place, and those that the user adds."""
    more = [text for named, text in border.settings.variants if named == place]
    if not more:
        return values
    given = {f"given {number}": text for number, text in enumerate(more, 1)}
    return {"default": "ANYTHING", **values, **given}


def _fitting_source(place: str, usage: Usage, source_of: SourceOf | None) -> dict[str, str]:
    value = source_of(place) if source_of else None
    if value is None or not _fits(ast.literal_eval(value), place, usage):
        return {}
    return {"default": value}


def _fits(value: object, place: str, usage: Usage) -> bool:
    """Whether a value has the attributes and items that the slice reads from it."""
    needs_items = any(use.path.startswith(f"{place}[]") for use in usage.uses)
    has_items = isinstance(value, (dict, list, tuple))
    return (has_items or not needs_items) and all(
        hasattr(value, name) for name in usage.below(place)
    )


def _values(
    border: Border, place: str, usage: Usage, declared: str | None = None
) -> dict[str, str]:
    shape = shape_at(border, place)
    if holds_objects(shape):
        return {}  # data have no attributes: the universal stand-in supports more
    variants = variants_at(border, place)
    if declared is not None:
        default = refined(shape, declared)
        others = {variant.name: repr(variant.value) for variant in variants[1:]}
        return {"default": default, **others} if others or default != declared else {}
    default = variants[0].value if variants else None
    if repr(default) in _EMPTY and len(variants) == 1:
        return {}  # the value is arbitrary; otherwise the slice's tests determine it
    if not _fits(default, place, usage):
        return {}
    return {variant.name: repr(variant.value) for variant in variants}


def _setup(usage: Usage, answers: dict[str, dict[str, str]]) -> str:
    names = {f"{module}.{name}" for module in usage.modules for name in _names(module, usage)}
    of_calls = {
        place: found for place, found in answers.items() if place not in names or len(found) > 1
    }
    if not of_calls and not usage.decorators and not usage.coroutines:
        return ""
    lines = [
        f"    {place!r}: {{{', '.join(f'{name!r}: {value}' for name, value in found.items())}}},\n"
        for place, found in of_calls.items()
    ]
    inside = f"{{\n{''.join(lines)}}}" if lines else "{}"
    coroutines = f", {usage.coroutines!r}" if usage.coroutines else ""
    return f"expect({inside}, {usage.decorators!r}{coroutines})\n"


# ------------------------------------------------------------------- the text of a module


def _module(
    name: str, usage: Usage, declared: Interface, answers: dict[str, dict[str, str]], reason: str
) -> StubModule:
    aliases = {p[len(name) + 1 :]: home for p, home in declared.aliases.items() if _is_in(p, name)}
    items = {p[len(name) + 1 :]: item for p, item in declared.items.items() if _is_in(p, name)}
    used = [each for each in _names(name, usage) if f"{name}.{each}" not in usage.modules]
    inside = [each for each in used if each not in items and each not in aliases]
    errors = [each for each in inside if _is_error(f"{name}.{each}", usage)]
    classes = [each for each in inside if each not in errors and _is_class(f"{name}.{each}", usage)]
    others = [each for each in inside if each not in errors and each not in classes]
    parts = [
        "".join(_constant(name, each, answers) for each in others)
        + "".join(item.text for item in items.values() if item.kind == "value"),
        *(_error(name, each) for each in errors),
        *(_class(name, each, usage) for each in classes),
        *(item.text for item in items.values() if item.kind != "value"),
        f"__getattr__ = stub_getattr(__name__, {aliases!r})\n" if aliases else "",
    ]
    body = "\n".join(f"{part}\n" for part in parts if part).rstrip("\n")
    found: list[str] = _RUNTIME.findall(body)
    runtime = sorted({*found, *(("stub_getattr",) if aliases else ())})
    imported = f"from slice_func_mocks import {', '.join(runtime)}\n\n" if runtime else ""
    exported = [each for each in used if not hasattr(builtins, each)]
    listed = f"__all__ = {exported!r}\n\n" if exported else ""
    sources = sorted({item.source for item in items.values()})
    enums = re.search(r"^class .*[(, ]enum[.]", body, re.MULTILINE)
    origin = f"as {' and '.join(sources)} declares" if sources else "from what the slice uses of"
    text = (
        f'"""Stands in for {name}, which {reason}: written {origin} it."""\n\n'
        f"{_ENUM * bool(enums)}"
        f"{imported}{listed}{body}"
    )
    return StubModule(name, text.rstrip("\n") + "\n", is_open=not aliases)


def _is_in(path: str, module: str) -> bool:
    return path.rpartition(".")[0] == module


def _names(module: str, usage: Usage) -> list[str]:
    starred = {name for source, name in usage.starred if source == module}
    found = starred | set(usage.below(module))
    return sorted(
        each
        for each in found
        if each.isidentifier() and (not each.startswith("__") or "version" in each)
    )


def _constant(module: str, name: str, answers: dict[str, dict[str, str]]) -> str:
    path = f"{module}.{name}"
    if len(answers.get(path, ())) > 1:
        return f"# {name}: {answers[path]['default']}, or what the case chooses\n"
    if path in answers:
        return f"{name} = {answers[path]['default']}\n"
    for place, beginning in _TEXTS:
        if module == place and name.startswith(beginning):
            return f"{name} = {name.removeprefix(beginning).lower()!r}\n"
    return f"{name} = Stub({path!r})\n"


def _error(module: str, name: str) -> str:
    base = "StubError, Warning" if name.endswith("Warning") else "StubError"
    return f'class {name}({base}):\n    """Stands in for {module}.{name}."""\n'


def _class(module: str, name: str, usage: Usage) -> str:
    path = f"{module}.{name}"
    base = "PlainStub" if "base beside another" in usage.roles(path) else "StubClass"
    members = usage.below(f"{path}()")
    given = usage.keywords(path)
    sentences = [f"Stands in for {path}."]
    sentences += [f"Called with {', '.join(given)}."] if given else []
    sentences += [f"Used: {', '.join(members)}."] if members else []
    return f'class {name}({base}):\n    """{" ".join(sentences)}"""\n'


def _is_error(path: str, usage: Usage) -> bool:
    if path in usage.kinds:
        return usage.kinds[path] == "error"
    name = path.rpartition(".")[2]
    if "(" in path or not name[:1].isupper():
        return False
    return "error" in usage.roles(path) or bool(_ERROR.search(name))


def _is_class(path: str, usage: Usage) -> bool:
    if path in usage.kinds:
        return usage.kinds[path] == "class"
    name = path.rpartition(".")[2]
    if "(" in path or "[" in path or _is_error(path, usage) or path in usage.modules:
        return False
    roles = usage.roles(path)
    if roles & {"base", "base beside another", "class"}:
        return True
    is_camel = name[:1].isupper() and not name.isupper()
    return is_camel or (name.isupper() and "called" in roles)
