"""Cases taken apart: the statements before the call of the target, and its arguments.

Cases are code that somebody else may have written. They are parsed here, and never run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ...execution.executors.interface import Case
from ..drafts.fixed_parts import fixed_nodes

_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})


@dataclass(frozen=True)
class CaseCall:
    """A case, with its last call of the target."""

    body: tuple[ast.stmt, ...]
    """Its statements. Nobody may change the nodes."""
    call: ast.Call | None
    """The call of the target; `None` if the target is a property, which is merely looked up."""

    @cached_property
    def arguments(self) -> Mapping[str, ast.expr]:
        """Map keywords, and positions as `0`, `1`, …, to the expressions that are passed."""
        if self.call is None:
            return {}
        found = {str(at): given for at, given in enumerate(self.call.args)}
        return found | {each.arg: each.value for each in self.call.keywords if each.arg}

    @cached_property
    def shape(self) -> tuple[int, tuple[str, ...]]:
        """Return the number of positional arguments, and the keywords."""
        if self.call is None:
            return 0, ()
        return len(self.call.args), tuple(each.arg or "**" for each in self.call.keywords)

    @cached_property
    def bound(self) -> frozenset[str]:
        """Return the names that the case binds itself."""
        names = (node for each in self.body for node in ast.walk(each))
        found = {n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for each in self.body:
            match each:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                    found.add(name)
                case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                    found.update((a.asname or a.name).partition(".")[0] for a in aliases)
                case _:
                    pass
        return frozenset(found)

    @cached_property
    def fixed(self) -> frozenset[int]:
        """Return the ids of the nodes that must stay: names of modules, of classes, of members."""
        nodes = [node for each in self.body for node in ast.walk(each)]
        whole = (node for node in nodes if _is_fixed(node))
        return fixed_nodes(nodes) | {id(inner) for each in whole for inner in ast.walk(each)}

    def is_closed(self, node: ast.expr) -> bool:
        """Whether an expression means the same in another case: it uses no name bound here."""
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        return not names & self.bound


def case_calls(cases: Iterable[Case], qualname: str) -> Iterator[CaseCall]:
    """Yield the cases that call the target or look it up; others cannot be varied.

    Args:
        cases: each a function without parameters.
        qualname: qualified name of the target.
    """
    for each in cases:
        body = _body(each.code)
        uses = [n for s in reversed(body) for n in ast.walk(s) if _uses(n, qualname)]
        if uses:
            call = next((node for node in uses if isinstance(node, ast.Call)), None)
            yield CaseCall(tuple(body), call)


def case_code(name: str, body: Iterable[ast.stmt]) -> str:
    """Return the text of a case with this name and these statements."""
    text = "\n".join(ast.unparse(ast.fix_missing_locations(each)) for each in body)
    lines = (f"    {line}" if line else "" for line in text.split("\n"))
    return f"def {name}():\n" + "\n".join(lines) + "\n"


def same_case(code: str) -> str:
    """Return what two cases share that differ in name and layout alone; empty for no case."""
    return "\n".join(map(ast.unparse, _body(code)))


def _is_fixed(node: ast.AST) -> bool:
    """Whether nothing inside may change: descriptions, clocks, variables, the mocked world."""
    match node:
        case ast.FunctionDef(name="__repr__"):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="slice_func_mocks" | "time"))):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Call(args=[ast.Constant(value="time")]))):
            return True
        case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr="environ"))]):
            return True
        case _:
            return False


def _body(code: str) -> list[ast.stmt]:
    try:
        match ast.parse(code).body:
            case [ast.FunctionDef(body=body)]:
                is_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
                return body[1:] if is_text else body
            case _:
                return []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _uses(node: ast.AST, qualname: str) -> bool:
    """Whether a node calls the target or looks it up; a constructor is called by its class."""
    *around, name = qualname.split(".")
    names = {name, around[-1]} if name in _CONSTRUCTORS and around else {name}
    match node:
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)):
            return called in names
        case ast.Attribute(attr=attribute):
            return bool(around) and attribute == name
        case ast.Call(
            func=ast.Call(
                func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str() as called), *_]
            )
        ):
            return called in names
        case _:
            return False
