"""The task `cases`: load the script as a module, run each case, and send what was observed.

Records, in order: `ready` once the script was executed (`load` instead, where it raised), one
`case` for each case, `arcs` where they were asked for, and `end`.
"""

from __future__ import annotations

import ast
import builtins
import contextvars
import linecache
import os
import sys
import types

from . import warned
from .arcs import collecting
from .determinism import Determinism
from .holders import held_place
from .namespaces import Known
from .nodes import quoted
from .observe import Observer, failed
from .state import Bounds, Globals, own_modules
from .surroundings import Surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from .raw import Raw

__builtins__ = dict(vars(builtins))

_OBSERVER = "__observe__"
_copy_context = contextvars.copy_context


class CaseError(Exception):
    """A case that is not one function with one call of the target."""


def run_cases(request: Mapping[str, Raw], emit: Callable[[str], None]) -> None:
    """Answer one request with records, one `emit` each.

    `request` has the fields of a job: `source`, `name`, `target`, `cases` (each with `name` and
    `code`), and if wanted `aliases` (modules that count as the script's own), `determinism`
    (`seed`, `clock`, `entropy`) and `trace` (two lines, of the script or of the carried module
    whose path ends with `trace_file`).
    """
    loaded = loaded_script(request, emit)
    if loaded is None:
        return

    def run_all(trace: Raw = None) -> None:
        for case in request["cases"]:
            text = loaded.observed(case, trace)
            emit(f'{{"kind":"case","name":{quoted(case["name"])},"observation":{text}}}')

    if request.get("trace"):
        first, last = request["trace"]
        with collecting(loaded.traced, first, last) as collector:
            run_all(collector.trace)
        emit(f'{{"kind":"arcs","arcs":{pairs(collector.arcs())}}}')
    else:
        run_all()
    emit('{"kind":"end"}')


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
        self.traced = request.get("trace_file") or os.path.join(self.folder, request["name"])
        self._target = request["target"]
        self._codes: dict[tuple[str, str], types.CodeType | Exception] = {}
        self._determinism = determinism
        self._own_names = frozenset({"__main__", name, *request.get("aliases", ())})
        self.bounds = Bounds()
        self.known: Known | None = None
        """What namespaces hold, for who keeps it from one case to the next."""
        modules = [each for each in own_modules(namespace) if each[0] != "slice_func_mocks"]
        own = {*self._own_names, *(label for label, _ in modules)}
        self._surroundings = Surroundings([each for _, each in modules], own, request["source"])

    def look(self) -> None:
        """See what namespaces hold before anything runs, for forks to start from."""
        self.known = Known()
        Globals(self.namespace, self._own_names, Bounds(text=0), self.known).snapshot()

    def observed(self, case: Mapping[str, str], trace: Raw = None) -> str:
        """What one case shows, as JSON; everything begins anew before it."""
        self._surroundings.restart(case["code"])
        self._determinism.restart()
        _restart_mocks()
        observer = Observer(
            self.namespace, self._own_names, self.folder, trace, self.bounds, self.known
        )
        given = (self.code(case), self.namespace, observer, self._own_names)
        if self._surroundings.has_variables:
            text: str = _copy_context().run(observe_case, *given)
            return text
        return observe_case(*given)

    def code(self, case: Mapping[str, str]) -> types.CodeType | Exception:
        """What makes a case's function, or why that cannot be; each is compiled once."""
        key = (case["name"], case["code"])
        if key not in self._codes:
            try:
                self._codes[key] = case_code(case, self._target)
            except Exception as error:  # noqa: BLE001 - a text may be too much for the compiler
                self._codes[key] = error
        return self._codes[key]


def loaded_script(request: Mapping[str, Raw], emit: Callable[[str], None]) -> Loaded | None:
    """The script, loaded; where it raises, all records are sent, and there is none."""
    settings: dict[str, Raw] = request.get("determinism") or {}
    determinism = Determinism(**settings)
    determinism.install()
    determinism.restart()
    warned.install()
    name = module_name(request["name"])
    file = os.path.join(os.getcwd(), request["name"])
    try:
        namespace = load(request["source"], name, file)
    except BaseException as error:  # noqa: BLE001 - a script may fail in any way
        own_names = frozenset({"__main__", name})
        emit(f'{{"kind":"load","observation":{failed("raised", error, own_names)}}}')
        emit('{"kind":"end"}')
        return None
    emit('{"kind":"ready"}')
    return Loaded(request, determinism, namespace, name)


def pairs(arcs: Collection[tuple[int, int]]) -> str:
    """Arcs, as JSON."""
    return "[" + ",".join([f"[{int(a)},{int(b)}]" for a, b in arcs]) + "]"


def _restart_mocks() -> None:
    """What stands in for the outside world begins anew, too, where the script carries it."""
    restart = vars(sys.modules.get("slice_func_mocks", builtins)).get("restart")
    if restart is not None:
        restart()


def module_name(file_name: str) -> str:
    """The name that the script is imported under: its own, where no other module has it."""
    stem = os.path.basename(file_name).partition(".")[0]
    name = stem if stem.isidentifier() else "script"
    taken = getattr(sys, "stdlib_module_names", ())
    return f"{name}_script" if name in taken or name in sys.modules else name


def load(source: str, name: str, file: str) -> dict[str, Raw]:
    """The namespace of the script, executed as a module; tracebacks and `inspect` know its text."""
    module = types.ModuleType(name)
    module.__file__ = file
    sys.modules[name] = module
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace = module.__dict__
    # the process's own, as for any module: exec would hand over the copy that is kept for us here
    namespace["__builtins__"] = builtins
    exec(compile(source, file, "exec", dont_inherit=True), namespace)  # noqa: S102 - its purpose
    return namespace


def _is_last(function: Raw, outer: ast.expr) -> bool:
    """Whether a case ends with the call: it gives what that gives, or nothing."""
    last = function.body[-1]
    value = last.value if isinstance(last, (ast.Return, ast.Expr)) else None
    if isinstance(value, ast.Await):
        value = value.value
    return value is outer


def observe_case(
    code: types.CodeType | Exception,
    namespace: dict[str, Raw],
    observer: Observer,
    own_names: Collection[str],
) -> str:
    """Run one case; the observation of its call, as JSON."""
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


def case_code(case: Mapping[str, str], target: str) -> types.CodeType:
    """What makes a case's function: it defines `__case__`, which takes the observer.

    So the observer is in a closure, and the script's globals are left as they are.

    Raises:
        CaseError: there is no such function, or not exactly one call.
    """
    tree = ast.parse(case["code"])
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [n for n in tree.body if isinstance(n, functions) and n.name == case["name"]]
    if len(found) != 1:
        raise CaseError(f"no function {case['name']}")
    call = _the_call(found[0], target)
    if isinstance(call, ast.Call):
        is_held = held_place(call, target) is not None
        then = _calls_of_result(found[0], call)
        goes_on = not _is_last(found[0], then[-1] if then else call)
        _send_through_observer(call, then, is_held)
    else:
        goes_on = not _is_last(found[0], call)
        _Rewrite(call).visit(found[0])
    if goes_on:
        found[0].body.insert(0, _telling_that_it_goes_on(found[0].body[0]))
    maker: Raw = ast.parse(f"def __case__({_OBSERVER}):\n    return {case['name']}").body[0]
    maker.body = [*tree.body, *maker.body]
    module = ast.Module(body=[maker], type_ignores=[])
    code = compile(module, f"<case {case['name']}>", "exec", dont_inherit=True)
    return _without_name(code, f"__case__.<locals>.{case['name']}.")


def case_function(
    code: types.CodeType, namespace: dict[str, Raw], observer: Observer
) -> Callable[[], Raw]:
    """The case as a function without parameters whose call of the target is observed."""
    made: dict[str, Raw] = {}
    exec(code, namespace, made)  # noqa: S102 - a case is code
    return made["__case__"](observer)


def _without_name(code: types.CodeType, prefix: str) -> types.CodeType:
    """The code with what it defines named as if it stood in a case without a name.

    A function of the case may be printed, and how the case is called is not what it shows.
    """
    consts = tuple(
        _without_name(each, prefix) if isinstance(each, types.CodeType) else each
        for each in code.co_consts
    )
    rest = code.co_qualname.removeprefix(prefix)
    name = code.co_qualname if rest == code.co_qualname else f"case.{rest}"
    return code.replace(co_consts=consts, co_qualname=name)


def _the_call(function: Raw, target: str) -> ast.Call | ast.Attribute:
    """The one node that calls the target: a call, or the reading of a property."""
    *_, owner, name = ["", *target.split(".")]
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call)]
    by_name = [n for n in calls if isinstance(n.func, ast.Name) and n.func.id == name]
    by_attribute = [n for n in calls if isinstance(n.func, ast.Attribute) and n.func.attr == name]
    found = by_attribute if owner else by_name or by_attribute
    if not found and name in ("__init__", "__new__"):
        found = [n for n in calls if getattr(n.func, "id", getattr(n.func, "attr", "")) == owner]
    found = found or [n for n in calls if held_place(n, target) is not None]
    if not found and owner:
        found = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.Attribute) and n.attr == name and isinstance(n.ctx, ast.Load)
        ]
    if len(found) != 1:
        raise CaseError(f"{len(found)} calls of {target}, not one")
    return found[0]


def _telling_that_it_goes_on(place: Raw) -> ast.Assign:
    """A statement that tells the observer that more follows the call."""
    observer = ast.Attribute(ast.Name(_OBSERVER, ast.Load()), "goes_on", ast.Store())
    made = ast.Assign([observer], ast.Constant(True))
    return ast.fix_missing_locations(ast.copy_location(made, place))


def _calls_of_result(function: Raw, call: ast.Call) -> list[Raw]:
    """The calls that are made at once of what a call gives: of `call()(1)(2)` the later two."""
    callers = {id(n.func): n for n in ast.walk(function) if isinstance(n, ast.Call)}
    found: list[Raw] = []
    last: Raw = call
    while id(last) in callers:
        last = callers[id(last)]
        given = [*last.args, *(keyword.value for keyword in last.keywords)]
        if any(isinstance(n, _NOT_IN_LAMBDA) for each in given for n in ast.walk(each)):
            break
        found.append(last)
    return found


_RESULT = "__result__"
_NOT_IN_LAMBDA = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
"""What would mean something else there, or nothing."""


def _send_through_observer(call: Raw, then: list[Raw], is_held: bool) -> None:
    """Call the observer in place of the target; what calls the result becomes a part of that.

    What holds the target is not what it is called on.
    """
    more = [_taking_result(then)] if then else []
    function, outer = call.func, then[-1] if then else call
    outer.args, outer.keywords = call.args, call.keywords
    if isinstance(function, ast.Attribute) and not is_held:
        name = ast.Constant(function.attr)
        outer.func = _observing(function, "method", function.value, name, *more)
    else:
        outer.func = _observing(function, "function", function, *more)


def _taking_result(then: list[Raw]) -> ast.Lambda:
    """Some calls of a result as a function of it."""
    first, last = then[0], then[-1]
    body = ast.copy_location(ast.Call(last.func, last.args, last.keywords), last)
    (body if first is last else first).func = ast.Name(_RESULT, ast.Load())
    given = ast.arguments([], [ast.arg(_RESULT)], None, [], [], None, [])
    return ast.fix_missing_locations(ast.copy_location(ast.Lambda(given, body), last))


class _Rewrite(ast.NodeTransformer):
    """Sends the reading of one property through the observer."""

    def __init__(self, wanted: Raw) -> None:
        self._wanted = wanted

    def visit(self, node: ast.AST) -> ast.AST:
        changed: Raw = super().visit(node)
        if changed is not self._wanted:
            return changed
        return _observing(changed, "attribute", changed.value, ast.Constant(changed.attr))


def _observing(place: Raw, how: str, *args: Raw) -> ast.Call:
    """A call of the observer; only what is new in it gets its place, for trees are slow to walk."""
    observer = ast.Attribute(ast.Name(_OBSERVER, ast.Load()), how, ast.Load())
    made = ast.Call(observer, list(args), [])
    for node in (made, observer, observer.value, *args[1:]):
        ast.copy_location(node, place)
    return made
