"""Constraints from string concatenation and formatting: all texts of known parts."""

from __future__ import annotations

from itertools import islice, product

from ...facts import Concatenate
from ..interned_values import ANY, TEXT, PrefixValue
from .constraint_loader import Loader

_MOST_TEXTS = 64


def concatenate(loader: Loader, op: Concatenate) -> None:
    """Make the target hold the joined parts, or their known prefix."""
    parts = [loader.at(part) for part in op.parts]
    target = loader.base + op.target

    def each(_: int) -> None:
        texts = [_texts_of(loader, part) for part in parts]
        if all(texts):
            for combined in islice(product(*texts), _MOST_TEXTS):
                loader.engine.put(target, loader.values.constant("".join(combined)))

    def otherwise() -> None:
        texts = [_texts_of(loader, part) for part in parts]
        if all(texts) or not any(_is_text(loader, part) for part in parts):
            return
        loader.engine.put(target, TEXT)
        for text in texts[0][:_MOST_TEXTS]:
            if text:
                loader.engine.put(target, loader.values.number(PrefixValue(text)))

    for part in dict.fromkeys(parts):
        if part is not None:
            loader.engine.watch(part, each)
    loader.calls.late.append(otherwise)


def _texts_of(loader: Loader, variable: int | None) -> list[str]:
    values = loader.engine.holds[variable] if variable is not None else ()
    constants = [loader.values.constant_of(n) for n in sorted(values, reverse=True) if n < ANY]
    return [text for text in constants if isinstance(text, str)]


def _is_text(loader: Loader, variable: int | None) -> bool:
    if variable is None:
        return False
    return bool(_texts_of(loader, variable)) or TEXT in loader.engine.holds[variable]
