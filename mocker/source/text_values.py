"""The possible texts of a slice's expressions: paths mostly, as far as they are literal."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ...slicer.syntax.nodes import defaults_of
from .kept_code import Function, KeptCode, KeptStatement

ANY = "*"
"""Stands for a part that is not literal."""
GIVEN = "\0"
"""Stands for a part supplied by the caller of the target."""
_MOST = 12
_DEPTH = 8
_SAME = frozenset({  # calls that return their first argument as a path
    "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.WindowsPath", "builtins.str",
    "os.fspath", "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.path.expanduser",
    "os.path.expandvars", "builtins.open", "os.fsdecode", "anyio.Path",
})  # fmt: skip
_METHODS = frozenset("resolve absolute expanduser as_posix strip lower format joinpath".split())
_GLOBS = frozenset({"glob.glob()", "glob.iglob()"})
_HOME = frozenset({"pathlib.Path.home()"})
_HERE = frozenset({"os.getcwd()", "pathlib.Path.cwd()", "os.curdir"})
_SAFE = frozenset({"tempfile.gettempdir()", "tempfile.mkdtemp()", "tempfile.mkstemp()"})


@dataclass(slots=True)
class Texts:
    """Finds the possible texts of expressions; results are cached."""

    code: KeptCode
    _busy: set[int] = field(default_factory=set[int])

    def of(self, node: ast.expr, kept: KeptStatement, depth: int = 0) -> frozenset[str]:
        """Return the possible texts of an expression, with `ANY` and `GIVEN` for unknown parts."""
        if depth > _DEPTH or id(node) in self._busy:
            return frozenset({ANY})
        self._busy.add(id(node))
        try:
            found = self._of(node, kept, depth + 1)
        finally:
            self._busy.discard(id(node))
        return frozenset(sorted(found)[:_MOST])

    def _of(self, node: ast.expr, kept: KeptStatement, depth: int) -> set[str]:
        match node:
            case ast.Constant(value=str(text)):
                return {text}
            case ast.JoinedStr(values=parts):
                return self._joined([self._part(part, kept, depth) for part in parts])
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._joined([self.of(left, kept, depth), self.of(right, kept, depth)])
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self._below([self.of(left, kept, depth), self.of(right, kept, depth)])
            case ast.BinOp(left=left, op=ast.Mod()):
                return {_filled(text) for text in self.of(left, kept, depth)}
            case ast.BoolOp(values=values):
                return {text for value in values for text in self.of(value, kept, depth)}
            case ast.IfExp(body=body, orelse=other):
                return {*self.of(body, kept, depth), *self.of(other, kept, depth)}
            case ast.Name(id=name):
                return self._name(name, kept, depth)
            case ast.Attribute():
                return self._attribute(node, kept, depth)
            case ast.Call():
                return self._call(node, kept, depth)
            case ast.Subscript(value=value, slice=ast.Constant(value=str(key))):
                return self._item(value, key, kept, depth) or self._from([value], kept, depth)
            case ast.Subscript(value=value):
                return self._from([value], kept, depth)
            case ast.Await(value=value):
                return set(self.of(value, kept, depth))
            case _:
                return {ANY}

    def _from(self, parts: list[ast.expr], kept: KeptStatement, depth: int) -> set[str]:
        """Return `GIVEN` if a part depends on the caller's input, else `ANY`."""
        given = any(GIVEN in text for part in parts for text in self.of(part, kept, depth))
        return {GIVEN if given else ANY}

    def _part(self, node: ast.expr, kept: KeptStatement, depth: int) -> frozenset[str]:
        inner = node.value if isinstance(node, ast.FormattedValue) else node
        return self.of(inner, kept, depth)

    @staticmethod
    def _joined(parts: list[frozenset[str]]) -> set[str]:
        texts = {""}
        for part in parts:
            texts = {before + text for before in sorted(texts) for text in sorted(part)}
            texts = set(sorted(texts)[:_MOST])
        return texts

    @staticmethod
    def _below(parts: list[frozenset[str]]) -> set[str]:
        texts = {""}
        for part in parts:
            texts = {
                text if text.startswith(("/", "~")) or before in ("", ".")
                else f"{before.rstrip('/')}/{text}" if text else before
                for before in sorted(texts)
                for text in sorted(part)
            }  # fmt: skip
            texts = set(sorted(texts)[:_MOST])
        return texts

    # ------------------------------------------------------------------ names

    def _name(self, name: str, kept: KeptStatement, depth: int) -> set[str]:
        if name == "__file__":
            return {ANY}
        if isinstance(kept.node, Function):
            local = self.code.assigned_in(kept.node).get(name, ())
            found = {text for value in local for text in self.of(value, kept, depth)}
            looped = _looped(self.code, kept.node, name)
            if looped is not None:
                found |= self._items(looped, kept, depth)
            parameters = kept.node.args
            names = [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]
            if any(argument.arg == name for argument in names):
                found |= self._parameter(name, kept, kept.node, depth)
            rest = parameters.vararg, parameters.kwarg
            if any(argument is not None and argument.arg == name for argument in rest):
                found.add(GIVEN)
            if found:
                return found
        found = self._bound(name, depth)
        return found or {ANY}

    def _items(self, node: ast.expr, kept: KeptStatement, depth: int) -> set[str]:
        match node:
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                return {text for item in items for text in self.of(item, kept, depth)}
            case ast.Name(id=name):
                values = self.code.bindings.get(name, ())
                plain = [(k, v) for k, v in values if isinstance(v, (ast.List, ast.Tuple))]
                found = {t for k, v in plain for t in self._items(v, k, depth)}
                return found or self._from([node], kept, depth)
            case ast.Call(func=ast.Name(id="sorted" | "list" | "reversed"), args=[inner, *_]):
                return self._items(inner, kept, depth)
            case ast.Call(args=[first, *_]) if self.code.dotted(node, kept.path) in _GLOBS:
                return set(self.of(first, kept, depth))
            case ast.Call(func=ast.Attribute(value=value, attr="iterdir" | "glob" | "rglob")):
                ending = self.of(node.args[0], kept, depth) if node.args else frozenset({ANY})
                return self._below([self.of(value, kept, depth), ending])
            case ast.Call(args=arguments):
                return self._from(arguments, kept, depth)
            case _:
                return self._from([node], kept, depth)

    def _bound(self, name: str, depth: int) -> set[str]:
        found: set[str] = set()
        for kept, value in self.code.bindings.get(name, ())[:_MOST]:
            found |= self.of(value, kept, depth)
        return found

    def _attribute(self, node: ast.Attribute, kept: KeptStatement, depth: int) -> set[str]:
        dotted = self.code.dotted(node, kept.path)
        if dotted in _HERE:
            return {"."}
        if node.attr in ("parent", "name", "stem"):
            above = self.of(node.value, kept, depth)
            return {_above(text) if node.attr == "parent" else ANY for text in above}
        found = self._bound(node.attr, depth)
        own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        return found or ({ANY} if own else self._from([node.value], kept, depth))

    def _item(self, value: ast.expr, key: str, kept: KeptStatement, depth: int) -> set[str]:
        name = value.id if isinstance(value, ast.Name) else getattr(value, "attr", "")
        found: set[str] = set()
        for where, bound in self.code.bindings.get(name, ()):
            if isinstance(bound, ast.Dict):
                for at, item in zip(bound.keys, bound.values, strict=True):
                    if isinstance(at, ast.Constant) and at.value == key:
                        found |= self.of(item, where, depth)
        return found

    # ------------------------------------------------------------------ calls

    def _parameter(
        self, name: str, kept: KeptStatement, function: Function, depth: int
    ) -> set[str]:
        """Return the texts of a parameter: its default, and the arguments of the slice's calls."""
        arguments = function.args
        positional = [*arguments.posonlyargs, *arguments.args]
        found: set[str] = set()
        for argument, value in defaults_of(arguments):
            if argument.arg == name and not (isinstance(value, ast.Constant) and not value.value):
                found |= self.of(value, kept, depth)
        names = [argument.arg for argument in positional]
        if kept.owner and names[:1] in (["self"], ["cls"]):
            names = names[1:]
        called = kept.owner if function.name == "__init__" else function.name
        calls = self.code.calls_by_name.get(called, ())
        for where, call in calls[:_MOST]:
            value = next((k.value for k in call.keywords if k.arg == name), None)
            if value is None and name in names and names.index(name) < len(call.args):
                value = call.args[names.index(name)]
            if value is not None and not isinstance(value, ast.Starred):
                found |= self.of(value, where, depth)
        if kept.is_target or not calls:
            found.add(GIVEN)
        return found

    def _call(self, node: ast.Call, kept: KeptStatement, depth: int) -> set[str]:
        dotted = self.code.dotted(node, kept.path)
        if dotted in _HERE:
            return {"."}
        if dotted in _HOME:
            return {"~"}
        if dotted in _SAFE:
            return {GIVEN}
        called = dotted.removesuffix("()")
        if called in ("os.environ.get", "os.getenv") and len(node.args) == 2:
            return {ANY, *self.of(node.args[1], kept, depth)}
        if called == "os.path.dirname" and node.args:
            return {_above(text) for text in self.of(node.args[0], kept, depth)}
        if called in ("os.path.join", "pathlib.Path", "pathlib.PurePath") and node.args:
            return self._below([self.of(argument, kept, depth) for argument in node.args])
        if called in _SAME and node.args:
            return set(self.of(node.args[0], kept, depth))
        match node.func:
            case ast.Attribute(value=value, attr="joinpath"):
                parts = [value, *node.args]
                return self._below([self.of(part, kept, depth) for part in parts])
            case ast.Attribute(value=value, attr=attr) if attr in _METHODS:
                return {_filled(text) for text in self.of(value, kept, depth)}
            case ast.Name(id=name):
                return self._returned(name, depth) or self._from(node.args, kept, depth)
            case ast.Attribute(value=value, attr=name):
                found = self._returned(name, depth)
                inner = [] if self.code.dotted(value, kept.path) else [value]
                return found or self._from([*inner, *node.args], kept, depth)
            case _:
                return {ANY}

    def _returned(self, name: str, depth: int) -> set[str]:
        found: set[str] = set()
        for kept, value in self.code.returned.get(name, ()):
            found |= self.of(value, kept, depth)
        return found


def _looped(code: KeptCode, function: Function, name: str) -> ast.expr | None:
    """Return the iterable of a `for` loop over this name, if any."""
    for node in code.walk(function):
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            target = node.target
            if isinstance(target, ast.Name) and target.id == name:
                return node.iter
    return None


def _above(text: str) -> str:
    head, slash, _ = text.replace("\\", "/").rstrip("/").rpartition("/")
    return head if slash else (text if ANY in text or GIVEN in text else ".")


def _filled(text: str) -> str:
    """Return a template with `ANY` for its placeholders."""
    found = ""
    rest = text
    while rest:
        before, brace, after = rest.partition("{")
        found += before + (ANY if brace else "")
        rest = after.partition("}")[2] if brace else ""
    parts = found.split("%")
    return parts[0] + "".join(ANY + part.lstrip("0123456789.-")[1:] for part in parts[1:])
