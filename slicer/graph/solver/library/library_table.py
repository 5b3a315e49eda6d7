"""The table of models: what each library function does with its arguments."""

from __future__ import annotations

from functools import partial as bind

from ...library_tables import CONVERSIONS, PASS_THROUGH, PROPERTIES, UNLISTED
from ..calls.library_models import Action, Model
from ..program import BUILTIN
from .library_calls import convert, map_items, plain, reduce_items, starmap, submit
from .library_containers import collect_items, copy_container, default_dict
from .library_decorators import partial_of, pass_through, wrap, wraps
from .library_iteration import chain, enumerate_items, extreme, iterator, next_item, zip_items
from .library_reflection import (
    get_attribute,
    globals_of,
    import_by_name,
    set_attribute,
    super_of,
    type_of,
)

_BUILTINS: dict[str, Action] = {
    "list": bind(copy_container, "list"),
    "tuple": bind(copy_container, "tuple"),
    "dict": bind(copy_container, "dict"),
    "set": bind(collect_items, "set"),
    "frozenset": bind(collect_items, "set"),
    "sorted": bind(collect_items, "list"),
    "iter": iterator,
    "next": next_item,
    "enumerate": enumerate_items,
    "zip": zip_items,
    "map": map_items,
    "filter": map_items,
    "min": extreme,
    "max": extreme,
    "sum": extreme,
    "getattr": get_attribute,
    "setattr": set_attribute,
    "super": super_of,
    "type": type_of,
    "globals": globals_of,
    "__import__": import_by_name,
}
"""Builtin → its model. Builtins of `CONVERSIONS` that are missing here call a special method."""

_OTHERS: dict[str, Action] = {
    "functools.wraps": wraps,
    "functools.partial": partial_of,
    "functools.partialmethod": partial_of,
    "functools.reduce": reduce_items,
    "importlib.import_module": import_by_name,
    "collections.defaultdict": default_dict,
    "collections.deque": bind(collect_items, "list"),
    "collections.OrderedDict": bind(copy_container, "dict"),
    "itertools.chain": chain,
    "itertools.starmap": starmap,
    "operator.itemgetter": plain,
}

_THREADS = ("threading.Thread", "multiprocessing.Process")


def library_models() -> dict[str, Model]:
    """Return the dotted name of a library function → its model."""
    actions = {f"{BUILTIN}.{name}": action for name, action in _builtin_actions().items()}
    actions |= dict.fromkeys(PASS_THROUGH, pass_through)
    actions |= dict.fromkeys(PROPERTIES, wrap)
    actions |= _OTHERS
    models = {path: Model(action) for path, action in actions.items()}
    models |= {f"{BUILTIN}.{name}": Model(wrap, listed=False) for name in UNLISTED}
    models |= {path: Model(bind(submit, "target"), final=False) for path in _THREADS}
    return models


def _builtin_actions() -> dict[str, Action]:
    return dict.fromkeys(CONVERSIONS, convert) | _BUILTINS
