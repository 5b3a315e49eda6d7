"""The task `cases`: load the script as a module, run each case, and send the observations.

Records, in order: `ready` once the script was executed (`load` instead if it raised), one `case`
for each case, `arcs` if requested, and `end`.
"""

from __future__ import annotations

import builtins
import contextvars
import json
import linecache
import os
import sys
import types
from functools import partial

from ..encoders.nodes import quoted
from ..isolation.wire import END
from ..state.determinism import Determinism
from ..state.leftovers import Folder
from ..state.namespaces import Known
from ..state.observed_state import Bounds, Globals, own_modules
from ..state.reset_surroundings import Surroundings
from . import warned
from .arcs import collecting
from .carried_code import reused
from .case_code import CaseError, code_of
from .forks import carried_modules, import_here, run_in_fork
from .observe import Observer, failed
from .threads import let_threads_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from ..raw import Raw
    from .case_code import Compiled
    from .forks import Send

__builtins__ = dict(vars(builtins))

_copy_context = contextvars.copy_context
_read = os.read
_decode = json.JSONDecoder().decode
_READY = '{"kind":"ready"}'


def run_cases(request: Mapping[str, Raw], emit: Callable[[str], None], channel: int = -1) -> None:
    """Answer one request with records, one `emit` each.

    `request` has the fields of a job: `source`, `name`, `target`, `cases` (each with `name` and
    `code`), and optionally `isolated` (whether each runs in a fork), `aliases` (modules that count
    as the script's own), `own_folders` (beside the working one: what is new there goes after each
    case), `determinism` (`seed`, `clock`, `entropy`) and `trace` (two lines, of the script or of
    the carried module whose path ends with `trace_file`). With `goes_on`, more cases are read from
    `channel` after the `end`, and answered likewise.
    """
    loaded = loaded_script(request, emit)
    if loaded is None:
        return

    is_isolated = request.get("isolated")
    observed = _forked(loaded, emit, channel) if is_isolated else partial(_observed, loaded)
    folder = loaded.recorded_folder()
    arcs: set[Raw] = set()

    def run_all(cases: Raw) -> None:
        for case in cases:
            text, more = observed(case, request.get("trace"))
            arcs.update(more)
            emit(f'{{"kind":"case","name":{quoted(case["name"])},"observation":{text}}}')
            folder.restore()  # otherwise the next case would find this one's files

    run_all(request["cases"])
    if request.get("trace"):
        emit(f'{{"kind":"arcs","arcs":{pairs(sorted(arcs))}}}')
    emit(END)
    if request.get("goes_on") and (more := _rest_of(channel)):
        emit(_READY)
        run_all(_decode(more))
        emit(END)


def _rest_of(channel: int) -> str:
    """Read everything that the supervisor sends until it closes its end."""
    parts: list[bytes] = []
    while part := _read(channel, 1 << 16):
        parts.append(part)
    return b"".join(parts).decode()


def _observed(loaded: Loaded, case: Raw, span: Raw) -> tuple[str, list[Raw]]:
    """Run a case here. Return its observation, and the arcs in the span of lines, if any."""
    if not span:
        return loaded.observed(case), []
    with collecting(loaded.traced, *span) as collector:
        return loaded.observed(case, collector.trace), collector.arcs()


def _forked(
    loaded: Loaded, emit: Callable[[str], None], channel: int
) -> Callable[[Raw, Raw], tuple[str, list[Raw]]]:
    """Return a function like `_observed` that runs each case in a fork.

    If the fork does not come to its end, this process ends likewise.
    """
    loaded.look()

    def observed(case: Raw, span: Raw) -> tuple[str, list[Raw]]:
        loaded.code(case)  # here, and not in the fork

        def work(send: Send) -> None:
            text, arcs = _observed(loaded, case, span)
            send(text)
            send(pairs(arcs))

        found = run_in_fork(work, channel)
        if found.imported is None or len(found.lines) != 2:
            for line in found.lines:  # the judge of the run sees what a candidate has sent
                emit(line)
            found.die_alike()
        carried = carried_modules()  # what the script loads late, each case must see it load
        import_here([name for name in found.imported if name not in carried])
        text, arcs = found.lines
        return text, list(map(tuple, _decode(arcs)))

    return observed


class Loaded:
    """A script that was executed as a module, and how its cases are observed."""

    def __init__(
        self,
        request: Mapping[str, Raw],
        determinism: Determinism,
        namespace: dict[str, Raw],
        name: str,
    ) -> None:
        self.namespace = namespace
        self.folder = os.getcwd()
        self._own_folders = request.get("own_folders", ())
        self.traced = request.get("trace_file") or os.path.join(self.folder, request["name"])
        self._target = request["target"]
        self._codes: dict[tuple[str, str], Compiled] = {}
        self._determinism = determinism
        self._own_names = frozenset({"__main__", name, *request.get("aliases", ())})
        self.bounds = Bounds()
        self.known = Known()
        """Contents of namespaces, kept from one case to the next."""
        modules = [each for each in own_modules(namespace) if each[0] != "slice_func_mocks"]
        own = {*self._own_names, *(label for label, _ in modules)}
        self._surroundings = Surroundings([each for _, each in modules], own, request["source"])

    def recorded_folder(self) -> Folder:
        """Record the folders as they are now, so that each case finds them so."""
        return Folder(self.folder, self._own_folders)

    def look(self) -> None:
        """Read the namespaces before anything runs, and have mocks keep what they hold then: forks
        start from that.
        """
        _restart_mocks()
        Globals(self.namespace, self._own_names, self.bounds, self.known).snapshot()

    def observed(self, case: Mapping[str, str], trace: Raw = None) -> str:
        """Run one case from a fresh state. Return its observation as JSON."""
        return self.ready(case, trace)()

    def ready(self, case: Mapping[str, str], trace: Raw = None) -> Callable[[], str]:
        """Reset everything. Return a function that runs the case."""
        let_threads_end()
        self._surroundings.restart(case["code"])
        self._determinism.restart()
        warned.restart()
        _restart_mocks()
        observer = Observer(
            self.namespace, self._own_names, self.folder, trace, self.bounds, self.known
        )
        observer.unwatched = self._determinism.unwatched
        given = (self.code(case), self.namespace, observer, self._own_names)
        if self._surroundings.has_variables:
            return lambda: _copy_context().run(observe_case, *given)
        return lambda: observe_case(*given)

    def code(self, case: Mapping[str, str]) -> Compiled:
        """Return the code of a case, or the error; each is compiled once."""
        key = (case["name"], case["code"])
        if key not in self._codes:
            self._codes[key] = code_of(case, self._target)
        return self._codes[key]


def loaded_script(request: Mapping[str, Raw], emit: Callable[[str], None]) -> Loaded | None:
    """Load the script. If it raises, send all records and return `None`."""
    settings: dict[str, Raw] = request.get("determinism") or {}
    determinism = Determinism(**settings)
    determinism.install()
    determinism.restart()
    warned.install()
    name = module_name(request["name"])
    file = os.path.join(os.getcwd(), request["name"])
    try:
        with reused(request.get("modules", ())):
            namespace = load(request["source"], name, file)
    except BaseException as error:  # noqa: BLE001 - a script may fail in any way
        own_names = frozenset({"__main__", name})
        emit(f'{{"kind":"load","observation":{failed("raised", error, own_names)}}}')
        emit(END)
        return None
    emit(_READY)
    return Loaded(request, determinism, namespace, name)


def pairs(arcs: Collection[tuple[int, int]]) -> str:
    """Return arcs as JSON."""
    return "[" + ",".join([f"[{int(a)},{int(b)}]" for a, b in arcs]) + "]"


def _restart_mocks() -> None:
    """Reset the mocks, if the script carries any."""
    restart = vars(sys.modules.get("slice_func_mocks", builtins)).get("restart")
    if restart is not None:
        restart()


def module_name(file_name: str) -> str:
    """Return the module name for the script: its own, unless another module has it."""
    stem = os.path.basename(file_name).partition(".")[0]
    name = stem if stem.isidentifier() else "script"
    taken = getattr(sys, "stdlib_module_names", ())
    return f"{name}_script" if name in taken or name in sys.modules else name


def load(source: str, name: str, file: str) -> dict[str, Raw]:
    """Execute the script as a module that tracebacks and `inspect` know. Return its namespace."""
    module = types.ModuleType(name)
    module.__file__ = file
    sys.modules[name] = module
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace = module.__dict__
    # the process's own builtins, as for any module: `exec` would pass on the private copy
    namespace["__builtins__"] = builtins
    exec(compile(source, file, "exec", dont_inherit=True), namespace)  # noqa: S102 - its purpose
    return namespace


def observe_case(
    code: Compiled,
    namespace: dict[str, Raw],
    observer: Observer,
    own_names: Collection[str],
) -> str:
    """Run one case. Return the observation of its call as JSON."""
    if isinstance(code, Exception):
        is_no_case = isinstance(code, (CaseError, SyntaxError))
        return failed("invalid" if is_no_case else "not_called", code, own_names)
    try:
        function = case_function(code, namespace, observer)
    except SyntaxError as error:
        return failed("invalid", error, own_names)
    except BaseException as error:  # noqa: BLE001 - what stands beside the case, an import perhaps
        return failed("not_called", error, own_names)
    try:
        result = _run(function, observer)
    except BaseException as error:  # noqa: BLE001 - the target may raise anything
        if observer.observation is None:
            return failed("not_called", error, own_names)
        observer.end_of_case("raised", error)
    else:
        observer.end_of_case("returned", result)
    if observer.observation is None:
        return failed("not_called", CaseError("the case ended without a call"), own_names)
    if observer.calls > 1:
        return failed("invalid", CaseError("the target was called more than once"), own_names)
    return observer.observation


def _run(function: Raw, observer: Observer) -> Raw:
    result = function()
    if type(result) is types.CoroutineType:
        result = _asyncio_run(result)
    if observer.observation is None and observer.pending is not None:
        if type(observer.pending) is types.CoroutineType:
            _asyncio_run(observer.pending)
        else:
            _asyncio_run(_exhaust(observer.pending))
    return result


def _asyncio_run(coroutine: Raw) -> Raw:
    import asyncio

    return asyncio.run(coroutine)


async def _exhaust(generator: Raw) -> None:
    async for _ in generator:
        pass


def case_function(
    code: types.CodeType, namespace: dict[str, Raw], observer: Observer
) -> Callable[[], Raw]:
    """Return the case as a function without parameters, with its call of the target observed."""
    made: dict[str, Raw] = {}
    exec(code, namespace, made)  # noqa: S102 - a case is code
    return made["__case__"](observer)
