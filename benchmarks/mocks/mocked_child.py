"""Runs inside the sandbox: load a mocked slice, construct the target's class, call the target.

    python mocks_child.py      (reads plan.json and the slice in sliced.py; prints a line of JSON)

The target is watched: how each call of it ended, and whether an exception was raised on purpose,
by a `raise` or `assert` of the slice itself. Arguments come from the recorded tests first, then
from expressions that build stand-ins.
"""

from __future__ import annotations

import ast
import asyncio
import functools
import importlib.util
import inspect
import json
import linecache
import os
import sys
import types
from typing import Any

NEVER = (NameError, ImportError, ConnectionError)
NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
MOST_ITEMS = 1000

attempts: list[str] = []
"""Reaching for the network, and for files outside the box."""
processes: list[str] = []
calls: list[dict[str, Any]] = []


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what reaches for the network, for processes, and for files outside the box."""
    if event in NETWORK:
        named = arguments[1] if event == "socket.connect" else arguments[0]
        attempts.append(f"{event} {named!r}")
    elif event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
        processes.append(f"{event} {arguments[0]!r}")
    elif event == "open" and isinstance(arguments[0], str) and arguments[2]:
        path = os.path.abspath(arguments[0])
        is_written = arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        # what a library keeps beside its own code (numba does) is in the box, which refuses it
        own = (os.getcwd(), "/tmp", "/dev", "/proc", os.path.realpath("."), sys.prefix)
        if is_written and not path.startswith(own):
            attempts.append(f"open for writing {path}")


def main() -> None:
    """Load, construct, call, and tell."""
    with open("plan.json", encoding="utf-8") as stream:
        plan = json.load(stream)
    sys.addaudithook(watch)
    report: dict[str, Any] = {"imports": False, "constructs": None, "called": "", "why": ""}
    try:
        spec = importlib.util.spec_from_file_location("sliced", "sliced.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules["sliced"] = module
        spec.loader.exec_module(module)
        report["imports"] = True
        if plan.get("qualname"):
            _reach(module, plan, report)
    except BaseException as error:
        report["why"] = _why(error)
    report["attempts"] = attempts[:20]
    report["processes"] = processes[:20]
    os.write(1, ("\n" + json.dumps(report) + "\n").encode())
    os._exit(0)  # threads and handlers that the slice has started end here


def _reach(module: types.ModuleType, plan: dict[str, Any], report: dict[str, Any]) -> None:
    *classes, name = plan["qualname"].split(".")
    owner: Any = module
    for part in classes:
        owner = getattr(owner, part)
    _watch_calls(owner, name)
    carried = _carried(module, owner, name, plan, report)
    if carried:
        report["called"], report["how"] = "carried", carried
    if plan["receiver"]:
        try:
            eval(plan["receiver"], vars(module))
            report["constructs"] = True
        except BaseException as error:
            report["constructs"] = any(call.get("self") for call in calls)
            report["construction"] = _why(error)
    if not carried:
        _stand_in(module, plan, report)


def _stand_in(module: types.ModuleType, plan: dict[str, Any], report: dict[str, Any]) -> None:
    before = len(calls)
    try:
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        _driven(eval(compile(plan["call"], "<call>", "eval", flags), vars(module)))
    except BaseException as error:
        report["why"] = _why(error)
    ended = _good(calls[before:])
    if ended:
        report["called"], report["how"] = "stand-in", ended


def _carried(
    module: types.ModuleType, owner: Any, name: str, plan: dict[str, Any], report: dict[str, Any]
) -> str:
    """How calls from the recorded tests ended; empty where none ended well."""
    scope = _test_scope(module, owner, name, plan)
    if scope is None:
        return ""
    for test in plan["tests"]:
        try:
            _driven(scope[test]())
        except BaseException as error:
            report["carried"] = _why(error)
    return _good(calls)


def _test_scope(
    module: types.ModuleType, owner: Any, name: str, plan: dict[str, Any]
) -> dict[str, Any] | None:
    """The recorded script's imports, its tests, and helpers that only the tests have."""
    if not plan.get("recorded"):
        return None
    main_module = types.ModuleType("__main__")
    scope = vars(main_module)
    own = {k: v for k, v in vars(module).items() if not k.startswith("__")}
    scope.update(own)
    new = f"{name}_new_implementation"
    if isinstance(owner, type):
        setattr(owner, new, inspect.getattr_static(owner, name))
    else:
        scope[new] = getattr(owner, name)
    for node in ast.parse(plan["recorded"]).body:
        names = _bound(node)
        if names and all(n in own or n == new for n in names) and names[0] not in plan["tests"]:
            continue
        if isinstance(node, ast.If | ast.Expr):
            continue
        try:
            exec(compile(ast.Module([node], []), "recorded.py", "exec"), scope)
        except BaseException:
            continue
    scope.update(
        {k: v for k, v in own.items() if not k.startswith("__") and k not in plan["tests"]}
    )
    target = getattr(owner, name)
    if isinstance(owner, type):
        setattr(owner, new, inspect.getattr_static(owner, name))
    else:
        scope[new] = target
        scope[name] = target
    scope["__name__"] = "__main__"
    sys.modules["__main__"] = main_module
    return scope


def _bound(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [t.id for t in targets if isinstance(t, ast.Name)]
        case _:
            return []


# ------------------------------------------------------------------------------- watching


def _watch_calls(owner: Any, name: str) -> None:
    found = inspect.getattr_static(owner, name)
    kind = type(found) if isinstance(found, staticmethod | classmethod | property) else None
    function = found.fget if kind is property else getattr(found, "__func__", found)
    if not callable(function):
        return

    @functools.wraps(function)
    def watched(*arguments: Any, **keywords: Any) -> Any:
        record: dict[str, Any] = {"self": bool(arguments) and isinstance(owner, type)}
        calls.append(record)
        try:
            result = function(*arguments, **keywords)
        except BaseException as error:
            record.update(_ending(error))
            raise
        if inspect.iscoroutine(result):
            return _awaited(result, record)
        record["end"] = "returned"
        return result

    setattr(owner, name, kind(watched) if kind else watched)


async def _awaited(coroutine: Any, record: dict[str, Any]) -> Any:
    try:
        result = await coroutine
    except BaseException as error:
        record.update(_ending(error))
        raise
    record["end"] = "returned"
    return result


def _driven(result: Any) -> Any:
    """What a coroutine or generator does is part of the call."""
    if inspect.iscoroutine(result):
        return asyncio.run(result)
    if inspect.isasyncgen(result):

        async def collect() -> list[Any]:
            found = []
            async for item in result:
                found.append(item)
                if len(found) >= MOST_ITEMS:
                    break
            return found

        return asyncio.run(collect())
    if inspect.isgenerator(result):
        return [item for item, _ in zip(result, range(MOST_ITEMS), strict=False)]
    return result


def _ending(error: BaseException) -> dict[str, Any]:
    return {"end": "raised", "on_purpose": _is_on_purpose(error), "error": _why(error)}


def _is_on_purpose(error: BaseException) -> bool:
    if isinstance(error, NEVER) or "slice_func_mocks" in type(error).__module__:
        return False
    if isinstance(error, SystemExit):
        return True
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or "site-packages" in trace.tb_frame.f_code.co_filename:
        return False
    line = linecache.getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno).strip()
    file = trace.tb_frame.f_code.co_filename
    is_ours = not file.startswith("<") and "/lib/python" not in file
    return is_ours and line.startswith(("raise", "assert", "sys.exit", "exit("))


def _good(found: list[dict[str, Any]]) -> str:
    ends = ["returned" if c.get("end") == "returned" else "raised on purpose" for c in found
            if c.get("end") == "returned" or c.get("on_purpose")]  # fmt: skip
    return ends[0] if ends else ""


def _why(error: BaseException) -> str:
    trace = error.__traceback__
    place = ""
    while trace is not None:
        place = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}: {str(error)[:200]} ({place})"


if __name__ == "__main__":
    main()
