"""The effect log, the choice of answers, and replacements that can be undone."""

from __future__ import annotations

import contextlib
import sys
import warnings
from typing import Any

effects: list[Any] = []
"""What the slice has done to the outside world: (kind, target, arguments), in order."""
choices: dict[str, str] = {}
"""Place → name of the variant that it answers with, as the case has chosen it."""
places: dict[str, list[str]] = {}
"""Place → names of its variants, for each that has been asked so far."""
_chosen_at: dict[str, tuple[str, int]] = {}
"""Name of a variant → the file and line that chose it."""
_warned: dict[str, int] = {}
_undo = contextlib.ExitStack()
_ways_to_tell: list[tuple[Any, tuple[Any, ...]]] = []
_restarts: list[tuple[Any, tuple[Any, ...]]] = []


def record(kind: str, target: str, *arguments: object, **named: object) -> None:
    """Note an effect: its kind (request, query, write, …), where it goes, and what with."""
    effect: Any = (kind, target, *arguments, *sorted(named.items()))
    for way, more in _ways_to_tell:
        effect = way(effect, *more)
    effects.append(effect)


def tell_with(way: Any, *arguments: Any) -> None:
    """Have each effect noted as a function gives it back: what only this process has is not told."""
    _ways_to_tell.append((way, arguments))


def choose(**variants: str) -> None:
    """Say what places answer: `choose(requests="404")`; nothing said is the first variant.

    `places` holds those that were asked: call the function, look there, choose, and call again.
    """
    frame = sys._getframe(1)
    _chosen_at.update(dict.fromkeys(variants.values(), (frame.f_code.co_filename, frame.f_lineno)))
    choices.update(variants)


def chosen(place: str, variants: dict[str, Any]) -> Any:
    """The variant of a place that the case has chosen; the first if it has not."""
    name = chosen_name(place, choices.get(place, "default"), *variants)
    return variants[name] if name in variants else next(iter(variants.values()))


def chosen_name(place: str, name: str, *variants: str) -> str:
    """The name of a variant as it is, told if the place has no such one; notes which it has."""
    known = places.setdefault(place, [])
    known += [variant for variant in variants if variant not in known]
    if name != "default" and name not in known:
        told = f"{place} has no variant {name!r}, but {', '.join(known)}: it answers as usual"
        file, line = _chosen_at.get(name, ("<slice_func_mocks>", 1))
        warnings.warn_explicit(told, RuntimeWarning, file, line, registry=_warned)
    return name


def replace(owner: Any, name: str, value: object) -> None:
    """Set an attribute until `stop`."""
    missing = object()
    before = vars(owner).get(name, missing)
    setattr(owner, name, value)
    if before is missing:
        _undo.callback(delattr, owner, name)
    else:
        _undo.callback(setattr, owner, name, before)


def undo_with(callback: Any, *arguments: Any) -> None:
    """Have a function called by `stop`."""
    _undo.callback(callback, *arguments)


def restart_with(callback: Any, *arguments: Any) -> None:
    """Have a function called by `restart`."""
    _restarts.append((callback, arguments))


def restart() -> None:
    """Begin anew, as before the first case: nothing is chosen, clocks and generators start over."""
    choices.clear()
    for callback, arguments in _restarts:
        callback(*arguments)


def stop() -> None:
    """Give the outside world back, in the reverse order."""
    _undo.close()
