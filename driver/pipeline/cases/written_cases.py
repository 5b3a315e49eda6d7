"""Cases written by hand: the functions without parameters in a Python file.

All other statements of the file, such as imports and helpers, are part of every case. A function
whose name begins with an underscore is a helper, with or without parameters.
"""

from __future__ import annotations

import ast
from itertools import chain
from pathlib import Path

from ....slicer import Repository
from ....slicer.errors import SliceFuncError
from ....slicer.model import Slice
from ....verifier.execution.executors.interface import Case
from ....verifier.sandbox.cases.case_code import CaseError, case_code
from .case_imports import CaseImports, NotInScriptError
from .case_operators import by_name

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_GIVEN = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.ClassDef, *_FUNCTION)


class CasesError(SliceFuncError):
    """A file of cases that cannot be used."""

    advice = "write each case as a function without parameters, with one call of the target"


class NotInSliceError(CasesError):
    """A file of cases that uses a name that the slice does not contain."""


def read_cases(file: str, repository: Repository, sliced: Slice) -> tuple[Case, ...]:
    """Return the cases of a file, in its order.

    Args:
        file: its path.
        repository: the repository that its imports may refer to.
        sliced: the slice that they call; names that it contains are imported from there.

    Raises:
        CasesError: it does not parse, or contains a statement that is no case, a case without the
            one call, or no case at all.
        NotInSliceError: it uses a name of the repository that the slice does not contain.
        OSError: it cannot be read.
    """
    try:
        body = ast.parse(Path(file).read_bytes()).body
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        reason = getattr(error, "msg", str(error))
        raise CasesError(f"{file}:{line}: {reason}") from error
    found = [node for node in body if isinstance(node, _FUNCTION) and _is_case(node)]
    given = [node for node in body if node not in found and not _is_idle(node)]
    for node in given:
        if not isinstance(node, _GIVEN):
            raise CasesError(
                f"{file}:{node.lineno}: only imports, assignments, classes and functions can stand "
                "beside cases"
            )
    if not found:
        raise CasesError(f"{file}: no case")
    names = [node.name for node in found]
    for node in found:
        if names.count(node.name) > 1:
            raise CasesError(f"{file}:{node.lineno}: two cases are called {node.name}")
    target = sliced.manifest.targets[0].qualname
    for node in found:
        by_name(node, target)
    for node in body:
        _refuse_expectations(file, node)
    imported = _imported_names(body)
    for node in found:
        if not _reads_attribute_of(node, imported):  # else its calls may be written differently
            _require_call(f"{file}:{node.lineno}", Case(node.name, _text(node)), target)
    imports = CaseImports(repository, sliced)
    try:
        preamble = "".join(map(_text, chain.from_iterable(map(imports.written, given))))
        texts = ["".join(map(_text, imports.written(_without_docstring(node)))) for node in found]
    except NotInScriptError as error:
        raise NotInSliceError(f"{file}:{error.line}: {error}") from error
    cases = tuple(Case(name, preamble + text) for name, text in zip(names, texts, strict=True))
    for node, case in zip(found, cases, strict=True):
        _require_call(f"{file}:{node.lineno}", case, target)
    return cases


def _imported_names(body: list[ast.stmt]) -> frozenset[str]:
    """Return the names that imports bind anywhere in the file."""
    nodes = (node for statement in body for node in ast.walk(statement))
    imports = (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    aliases = chain.from_iterable(each.names for each in imports)
    return frozenset(each.asname or each.name.partition(".")[0] for each in aliases)


def _reads_attribute_of(case: ast.stmt, names: frozenset[str]) -> bool:
    """Whether a case reads an attribute of one of these names."""
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        and node.value.id in names
        for node in ast.walk(case)
    )  # fmt: skip


def _require_call(place: str, case: Case, target: str) -> None:
    """Refuse a case without the one call of the target, which may be meant as a helper."""
    try:
        case_code({"name": case.name, "code": case.code}, target)
    except CaseError as error:
        raise CasesError(
            f"{place}: {case.name} has no parameters, so it is taken for a case: {error}",
            "call the target once in each case; give a helper a parameter, or begin its name with "
            "an underscore",
        ) from error


def _text(node: ast.stmt) -> str:
    return f"{ast.unparse(node)}\n"


def _refuse_expectations(file: str, node: ast.stmt) -> None:
    """Refuse statements with the expected result, because candidates can read them."""
    is_case = isinstance(node, _FUNCTION) and _is_case(node)
    for inner in ast.walk(node):
        match inner:
            case ast.Assert():
                pass
            case ast.Compare(left=left, comparators=others) if is_case and any(
                isinstance(side, (ast.Call, ast.Await)) for side in (left, *others)
            ):
                pass
            case _:
                continue
        raise CasesError(
            f"{file}:{inner.lineno}: a case says what the call should give, and candidates could "
            "read that here",
            "only make the call: what it gives is observed",
        )


def _without_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
    """Return a case without its docstring, which may reveal the result too."""
    match node.body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest] if rest:
            node.body = rest
        case _:
            pass
    return node


def _is_case(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    given = node.args
    if node.name.startswith("_"):
        return False
    return not (given.posonlyargs or given.args or given.kwonlyargs or given.vararg or given.kwarg)


def _is_idle(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.ImportFrom(module="__future__"):
            return True
        case _:
            return False
