"""The task `paths`: run functions on symbolic arguments with CrossHair, and record concrete ones.

Each case is a function of annotated parameters that calls the target. A run takes one path, and the
solver tells which arguments lead there. The budget limits paths and processor time.

Records: those of a loaded script; a `path` for each with the number of the case and its arguments;
`absent` if CrossHair is not installed; `end`.
"""

from __future__ import annotations

import importlib
import inspect
import json

from ..cases.case_runner import loaded_script
from .reprs import UnwritableError, Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..raw import Raw

_MOST_PATHS = 80
_PATH_SECONDS = 1.0
_NOWHERE = "/nowhere/at/all"


def run_paths(request: Mapping[str, Raw], emit: Callable[[str], None]) -> None:
    """Answer one request with records, one `emit` each; `seconds` is the limit of one case."""
    try:
        importlib.import_module("crosshair.core_and_libs")  # its models of builtins
    except ImportError:
        emit('{"kind":"absent"}')
        return
    loaded = loaded_script(request, emit)
    if loaded is None:
        return
    for number, case in enumerate(request["cases"]):
        made: dict[str, Raw] = {}
        exec(compile(case["code"], "<case>", "exec", dont_inherit=True), loaded.namespace, made)  # noqa: S102
        _explore(number, made[case["name"]], request["seconds"], emit)
    emit('{"kind":"end"}')


def _explore(number: int, function: Raw, seconds: float, emit: Callable[[str], None]) -> None:
    core: Raw = importlib.import_module("crosshair.core")
    options: Raw = importlib.import_module("crosshair.options")
    spaces: Raw = importlib.import_module("crosshair.statespace")
    tracers: Raw = importlib.import_module("crosshair.tracers")
    writer = Writer(_NOWHERE)

    def run(given: Raw) -> Raw:
        return function(*given.args, **given.kwargs)

    def done(space: Raw, before: Raw, *_rest: Raw) -> bool:
        space.detach_path()
        found = core.deep_realize(before)
        with tracers.NoTracing():
            try:
                texts = {name: writer.text(value) for name, value in found.arguments.items()}
                emit(json.dumps({"kind": "path", "case": number, "arguments": texts}))
            except UnwritableError:
                pass
        return False

    chosen = options.AnalysisOptionSet(
        max_iterations=_MOST_PATHS, per_condition_timeout=seconds, per_path_timeout=_PATH_SECONDS
    )
    core.explore_paths(
        run,
        inspect.signature(function),
        options.DEFAULT_OPTIONS.overlay(chosen),
        spaces.RootNode(),
        done,
        lambda: None,
    )
