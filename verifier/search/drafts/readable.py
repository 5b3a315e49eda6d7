"""Rewrite generated expressions for readers: imports on top, stand-ins as small classes.

Drafts consist of expressions that stand alone, since expressions can be varied. A case is read by
people, so imports and classes become statements before the call. The observation stays the same but
for the names of such classes; `polish` checks that.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from keyword import iskeyword
from typing import Literal

from ...execution.executors.interface import Case
from ...observation.compare_observations import first_difference
from ...observation.decode_records import decode_text
from ...observation.observation import Malformed
from ...script.expression_layout import lines_of_statements, person_like
from .raising_expressions import CALLS, awaited, coroutine, thrown, thrown_later

Style = Literal["namespaces", "classes", "named classes"]
"""How to write a stand-in that only has attributes: as a `SimpleNamespace`, as a class, or as a
class that says how its instances are printed."""
STYLES: tuple[Style, ...] = ("namespaces", "classes", "named classes")
"""All styles, the most readable first."""
_LOCAL = re.compile(r"\b(?:__case__\.<locals>\.)?case\w*\.<locals>\.")
_ALIASES = {"numpy": "np", "pandas": "pd"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def readable(case: Case, style: Style = "namespaces") -> Case:
    """Return the readable form of a case. A case that is no single function stays as it is."""
    match ast.parse(case.code).body:
        case [ast.FunctionDef() | ast.AsyncFunctionDef() as function]:
            pass
        case _:
            return case
    if "__import__" in case.code or "type(" in case.code:
        _with_statements(function, style)
    _Unpacked().visit(function)
    person_like(function)
    ast.fix_missing_locations(function)
    return replace(case, code="\n".join((*lines_of_statements([function]), "")))


def same_but_for_names(one: str, other: str) -> bool:
    """Whether two observations agree but for the scopes of the classes that the case defines.

    What nobody compares does not count: a warning is only given the first time.
    """
    if not one:
        return False
    one, other = _LOCAL.sub("", one), _LOCAL.sub("", other)
    if one == other:
        return True
    left, right = decode_text(one), decode_text(other)
    if isinstance(left, Malformed) or isinstance(right, Malformed):
        return False
    return first_difference(left, right) is None


def _with_statements(function: _Function, style: Style) -> None:
    """Move what a function's expressions import and define to statements at its head."""
    used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
    used |= {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
    _Coroutines().visit(function)
    logs = _Logs()
    logs.visit(function)
    imports = _Imports(used | set(dir(builtins)))
    imports.visit(function)
    inner = {n.target for n in ast.walk(function) if isinstance(n, ast.comprehension)}
    stored = {n.id for n in ast.walk(function) if isinstance(getattr(n, "ctx", None), ast.Store)
              and isinstance(n, ast.Name) and n not in inner}  # fmt: skip
    classes = _Classes(imports, style, stored)
    classes.visit(function)
    _Promises().visit(function)
    function.body[:0] = [*imports.statements(), *logs.made, *classes.made.values()]


class _Unpacked(ast.NodeTransformer):
    """Passes the items of an unpacked literal as separate arguments."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        args: list[ast.expr] = []
        for each in node.args:
            match each:
                case ast.Starred(value=ast.List(elts=items) | ast.Tuple(elts=items)):
                    args += items
                case _:
                    args.append(each)
        node.args = args
        keywords = [made for each in node.keywords for made in _unpacked(each)]
        names = [each.arg for each in keywords if each.arg]
        if len(names) == len(set(names)):
            node.keywords = keywords
        return node


def _unpacked(keyword: ast.keyword) -> list[ast.keyword]:
    match keyword:
        case ast.keyword(arg=None, value=ast.Dict(keys=keys, values=values)):
            made = [
                ast.keyword(key.value, value)
                for key, value in zip(keys, values, strict=True)
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
                and _is_name(key.value)
            ]  # fmt: skip
            return made if len(made) == len(keys) else [keyword]
        case _:
            return [keyword]


# ------------------------------------------------------------------------------- imports


@dataclass(slots=True)
class _Imports(ast.NodeTransformer):
    """Replaces imports inside expressions by names."""

    taken: set[str]
    """Names that have another meaning in the case."""
    modules: dict[str, str] = field(default_factory=dict[str, str])
    """Maps each module to its name."""
    members: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """Maps each module and member to its name."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        module = _inner_module(node.value)
        if module and isinstance(node.ctx, ast.Load):
            name = self.member(module, node.attr)
            if name:
                return ast.Name(name, ast.Load())
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(
                func=ast.Name(id="__import__"), args=[ast.Constant(value=str(module))], keywords=[]
            ) if module.isidentifier():
                name = self.module(module)
                return ast.Name(name, ast.Load()) if name else node
            case _:
                return self.generic_visit(node)

    def module(self, module: str) -> str:
        """Return the name of a module, or an empty text if the name is taken."""
        if module not in self.modules:
            wanted = (_ALIASES.get(module, module), module)
            name = next((each for each in wanted if each not in self.taken), "")
            if not name:
                return ""
            self.taken.add(name)
            self.modules[module] = name
        return self.modules[module]

    def member(self, module: str, member: str) -> str:
        """Return the name of a member of a module, or an empty text if the name is taken."""
        if (module, member) not in self.members:
            if member in self.taken or member.startswith("__"):
                return ""
            self.taken.add(member)
            self.members[module, member] = member
        return self.members[module, member]

    def statements(self) -> list[ast.stmt]:
        """Return the import statements, in the order of their modules."""
        found: list[ast.stmt] = []
        for module, name in sorted(self.modules.items()):
            alias = ast.alias(module, name if name != module else None)
            found.append(ast.Import([alias]))
        for module in sorted({module for module, _ in self.members}):
            names = sorted(member for owner, member in self.members if owner == module)
            found.append(ast.ImportFrom(module, [ast.alias(name) for name in names], 0))
        return found


def _inner_module(node: ast.expr) -> str:
    """Return the module from which an expression imports a member, inside a package or not."""
    match node:
        case (
            ast.Call(
                func=ast.Name(id="__import__"),
                args=[ast.Constant(value=str(module))],
                keywords=[ast.keyword(arg="fromlist")],
            )
            | ast.Call(
                func=ast.Attribute(
                    value=ast.Call(
                        func=ast.Name(id="__import__"), args=[ast.Constant(value="importlib")]
                    ),
                    attr="import_module",
                ),
                args=[ast.Constant(value=str(module))],
                keywords=[],
            )
        ):
            return module if all(part.isidentifier() for part in module.split(".")) else ""
        case _:
            return ""


# ------------------------------------------------------------------------------- calls


@dataclass(slots=True)
class _Logs(ast.NodeTransformer):
    """Moves the lists in which stand-ins record their calls to statements."""

    made: list[ast.stmt] = field(default_factory=list[ast.stmt])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)]), body=body),
                args=[ast.List(elts=[])],
            ) if name == CALLS:
                pass
            case _:
                return node
        wanted = f"{CALLS}_{len(self.made) + 1}" if self.made else CALLS
        for each in _names(body):
            each.id = wanted if each.id == CALLS else each.id
        self.made.append(ast.Assign([ast.Name(wanted, ast.Store())], ast.List([], ast.Load())))
        return body


# ------------------------------------------------------------------------------- coroutines


class _Coroutines(ast.NodeTransformer):
    """Marks methods that make coroutines: these await what they answer."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        method = awaited(node)
        return node if method is None else ast.Lambda(method.args, ast.Await(method.body))

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        raised = thrown_later(node.body)
        return node if raised is None else ast.Lambda(node.args, ast.Await(raised))


class _Promises(ast.NodeTransformer):
    """Turns marked methods back into expressions where they did not become methods of a class."""

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        match node.body:
            case ast.Await(value=given):
                waits = ast.BoolOp(ast.Or(), [ast.Yield(), given])
                return coroutine(ast.Lambda(node.args, waits))
            case _:
                return node


# ------------------------------------------------------------------------------- stand-ins


@dataclass(slots=True)
class _Classes(ast.NodeTransformer):
    """Moves the classes that expressions make to statements."""

    imports: _Imports
    style: Style
    stored: set[str]
    """Names that the case itself binds."""
    made: dict[str, ast.ClassDef] = field(default_factory=dict[str, ast.ClassDef])
    outer: list[set[str]] = field(default_factory=list[set[str]])
    """Parameters of the enclosing lambdas."""

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.outer.append(_parameters(node))
        self.generic_visit(node)
        self.outer.pop()
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Call(
                    func=ast.Name(id="type"),
                    args=[
                        ast.Constant(value=str(name)),
                        ast.Tuple(elts=bases),
                        ast.Dict(keys=keys, values=values),
                    ],
                    keywords=[],
                ),
                args=[],
                keywords=[],
            ) if all(isinstance(base, ast.Name) for base in bases):
                members = _members(keys, values)
                return node if members is None else self._stand_in(name, bases, members) or node
            case _:
                return node

    def _stand_in(
        self, name: str, bases: list[ast.expr], members: dict[str, ast.expr]
    ) -> ast.expr | None:
        """Return the expression for a new instance; `None` if its class must be made in place."""
        plain = {key: value for key, value in members.items() if key != "__repr__"}
        if self.style != "named classes":
            members = plain
        if (
            self.style == "namespaces"
            and not bases
            and all(_is_plain(k, v) for k, v in plain.items())
        ):
            namespace = self.imports.member("types", "SimpleNamespace")
            if namespace:
                keywords = [ast.keyword(key, value) for key, value in plain.items()]
                return ast.Call(ast.Name(namespace, ast.Load()), [], keywords)
        is_constant = all(
            isinstance(value, (ast.Constant, ast.Lambda)) for value in members.values()
        )
        used = set[str]().union(*map(_free, (*bases, *members.values())))
        inside = set[str]().union(self.stored, *self.outer)
        if not _is_name(name) or used & inside or (self.outer and not is_constant):
            return None
        made = _class(name, bases, members)
        known = self.made.get(name)
        if known is None:
            if name in self.imports.taken:
                return None
            self.imports.taken.add(name)
            self.made[name] = made
        elif not is_constant or ast.dump(known) != ast.dump(made):
            return None
        return ast.Call(ast.Name(name, ast.Load()), [], [])


def _members(
    keys: Sequence[ast.expr | None], values: Sequence[ast.expr]
) -> dict[str, ast.expr] | None:
    """Return the members of a class by name; `None` if no class body can hold them."""
    found: dict[str, ast.expr] = {}
    for key, value in zip(keys, values, strict=True):
        match key:
            case ast.Constant(value=str(name)) if _is_name(name) and name not in found:
                # class-level names hide outer ones, and private ones are mangled
                if name.startswith("__") and not name.endswith("__"):
                    return None
                found[name] = value
            case _:
                return None
    inside = {n.id for v in found.values() if not isinstance(v, ast.Lambda) for n in _names(v)}
    return None if inside & found.keys() else found


def _is_name(text: str) -> bool:
    return text.isidentifier() and not iskeyword(text)


def _is_plain(name: str, value: ast.expr) -> bool:
    """Whether an instance attribute behaves the same as a class attribute."""
    if name.startswith("__"):
        return False
    match value:
        case ast.Lambda(args=ast.arguments(args=args), body=body):
            is_value = thrown(body) is None and not isinstance(body, ast.Await)
            return not args and is_value  # a lambda that takes `self` is a method
        case _:
            return True


def _class(name: str, bases: list[ast.expr], members: dict[str, ast.expr]) -> ast.ClassDef:
    body = [_member(key, value) for key, value in members.items()]
    # attributes first, `__repr__` last
    body.sort(key=lambda m: isinstance(m, _Function) + (getattr(m, "name", "") == "__repr__"))
    made = ast.parse(f"class {name}:\n    pass").body[0]
    assert isinstance(made, ast.ClassDef)
    made.body = body or made.body
    made.bases = bases
    return made


def _member(name: str, value: ast.expr) -> ast.stmt:
    if not isinstance(value, ast.Lambda):
        return ast.Assign([ast.Name(name, ast.Store())], value)
    word = "async def" if isinstance(value.body, ast.Await) else "def"
    made = ast.parse(f"{word} {name}():\n    pass").body[0]
    assert isinstance(made, _Function)
    made.args = value.args
    made.body = _statements(value.body)
    return made


def _statements(value: ast.expr) -> list[ast.stmt]:
    """Return the statements of a method that gives this value, as a person would write them."""
    match value:
        case ast.Await(value=given):
            return _statements(given)
        case ast.BoolOp(op=ast.Or(), values=[ast.Call() as note, given]) if _is_note(note):
            return [ast.Expr(note), *_statements(given)]
        case ast.BoolOp(op=ast.Or(), values=[*parts]) if all(map(_is_setting, parts)):
            return [statement for part in parts for statement in _statements(part)]
        case ast.Call() if (raised := thrown(value)) is not None:
            return [ast.Raise(raised)]
        case ast.Call() if _is_note(value):
            return [ast.Expr(value)]
        case ast.Call(
            func=ast.Name(id="setattr"),
            args=[ast.Name() as holder, ast.Constant(value=str(name)), given],
        ):
            return [ast.Assign([ast.Attribute(holder, name, ast.Store())], given)]
        case _:
            return [ast.Return(value)]


def _is_setting(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Name(id="setattr"), args=[_, _, _]):
            return True
        case _:
            return False


def _is_note(call: ast.Call) -> bool:
    """Whether a call appends to the list of calls that a stand-in records."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name), attr="append"):
            return name.startswith(CALLS)
        case _:
            return False


def _parameters(node: ast.Lambda) -> set[str]:
    return {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}


def _names(node: ast.AST) -> list[ast.Name]:
    return [each for each in ast.walk(node) if isinstance(each, ast.Name)]


def _free(node: ast.expr) -> set[str]:
    """Return the free variables of an expression."""
    own = _parameters(node) if isinstance(node, ast.Lambda) else set[str]()
    return {each.id for each in _names(node)} - own
