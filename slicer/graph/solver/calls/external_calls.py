"""Calls of external callables."""

from __future__ import annotations

from collections.abc import Mapping

from ...library_tables import CALLED_ARGUMENTS
from ..interned_values import ExternalValue
from ..program import BUILTIN
from ..site_table import Site
from .call_edges import Calls
from .library_models import Model


def call_external(
    models: Mapping[str, Model], calls: Calls, site: Site, value: ExternalValue
) -> None:
    """Apply the model of a library function; without one, return a library object."""
    is_builtin = value.path.startswith(BUILTIN)
    model = models.get(value.path) if not value.calls else None
    if model is None or model.listed:
        calls.edge(site.caller, value.path, site.line)
    if model is not None:
        model.action(calls, site, value)
        if model.final:
            return
    for position in CALLED_ARGUMENTS.get(value.path, ()):
        calls.call_argument(site, position, ())
    if site.target is None:
        return
    if site.decorates and site.arguments and site.arguments[0] is not None:
        calls.engine.connect(site.arguments[0], site.target)
    if not is_builtin and not value.calls and model is None:
        result = ExternalValue(value.path, value.calls + 1)
        calls.engine.put(site.target, calls.values.number(result))
