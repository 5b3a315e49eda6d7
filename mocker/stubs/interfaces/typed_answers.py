"""From annotations to answers: source of a value of the declared type."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from ...shapes import value_of
from ...shapes.shape import Plain
from .declared_members import Member, decorators_of, derives_from_unread, is_exception, members_of
from .stub_reader import Found, Reader

ANYTHING = "ANYTHING"
"""Source of an answer about which nothing is known."""
_DEPTH = 6
_PLAIN: dict[str, Literal["int", "float", "text", "bytes", "bool"]] = {
    "int": "int", "float": "float", "str": "text", "bytes": "bytes", "bool": "bool",
    "bytearray": "bytes", "LiteralString": "text", "AnyStr": "text", "SupportsInt": "int",
}  # fmt: skip
_LISTS = frozenset(
    "list List Sequence MutableSequence Iterable Collection Reversible deque".split()
)
_MAPPINGS = frozenset("dict Dict Mapping MutableMapping OrderedDict defaultdict".split())
_ITERATORS = frozenset("Iterator Generator".split())
_STREAMS = frozenset("AsyncIterator AsyncIterable AsyncGenerator".split())
_MANAGERS = frozenset(
    "ContextManager AbstractContextManager _GeneratorContextManager AsyncContextManager"
    " AbstractAsyncContextManager _AsyncGeneratorContextManager".split()
)
_AWAITABLE = frozenset("Awaitable Coroutine Future Task".split())
_PASSED = frozenset("Final ClassVar Annotated Required NotRequired ReadOnly TypeGuard".split())
_TYPING = ("typing", "typing_extensions", "types", "contextlib", "asyncio", "collections")


@dataclass(frozen=True, slots=True)
class _Request:
    """The request for a value of an annotation."""

    module: str
    hint: str
    """Name of the value."""
    own: str
    """Source of the object whose method answers."""
    depth: int = 0
    n: int = 1
    """Number of the value, among several."""

    def deeper(self, name_hint: str = "", n: int = 0) -> _Request:
        """Return the same request for a part of the type."""
        return replace(self, hint=name_hint or self.hint, depth=self.depth + 1, n=n or self.n)


@dataclass(slots=True)
class Answers:
    """Generates answers, and the stubs whose instances they are."""

    reader: Reader
    home: Callable[[Found], str | None]
    """Class → the dotted name of its stub; `None` for one without a stub."""

    def returned(
        self, module: str, node: ast.FunctionDef | ast.AsyncFunctionDef, own: str = ""
    ) -> str | None:
        """Return a function's result as source; `None` if it is undeclared.

        Args:
            module: the module that its names are looked up in.
            node: the definition of the function.
            own: source of the object, for methods that return `self`.
        """
        if node.returns is None:
            return None
        annotation = _parsed(node.returns)
        if decorators_of(node) & {"contextmanager", "asynccontextmanager"}:
            inner = next(_arguments(annotation), None)
            value = self.of(module, inner, node.name, own) if inner is not None else None
            return f"Entered({value or ANYTHING})"
        return self.of(module, annotation, node.name, own)

    def attribute_source(self, member: Member) -> str | None:
        """Return an attribute or property as source; `None` if it is undeclared."""
        module = member.owner.module
        for node in member.nodes:
            match node:
                case ast.FunctionDef():
                    return self.returned(module, node)
                case ast.AnnAssign(annotation=annotation):
                    return self.of(module, annotation, member.name)
                case _:
                    continue
        return None

    def of(self, module: str, node: ast.expr, name_hint: str = "", own: str = "") -> str | None:
        """Return a value of an annotation's type as source; `None` if it states none."""
        return self._of(node, _Request(module, name_hint, own))

    def awaited(self, module: str, node: ast.expr | None) -> ast.expr | None:
        """Return the type that awaiting a value yields; `None` if it is not awaitable."""
        node = _parsed(node) if node is not None else None
        if isinstance(node, ast.Subscript):
            found = self.reader.meaning(module, node.value)
            if found and found.name in _AWAITABLE and not found.nodes:
                return list(_arguments(node))[-1]
        return None

    def _of(self, node: ast.expr, request: _Request) -> str | None:
        if request.depth > _DEPTH:
            return None
        node = _parsed(node)
        match node:
            case ast.Constant(value=None):
                return "None"
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self._first([left, right], request)
            case ast.Subscript(value=base):
                return self._of_generic(base, list(_arguments(node)), request)
            case ast.Name() | ast.Attribute():
                found = self.reader.meaning(request.module, node)
                return self._of_name(found, request) if found else None
            case _:
                return None

    def _first(self, nodes: list[ast.expr], request: _Request) -> str | None:
        """Return a value of the first known type of a union, and `None` last."""
        values = [self._of(node, request.deeper()) for node in nodes]
        known = [value for value in values if value not in (None, "None")]
        if known or None in values:
            return known[0] if known else None
        return "None"

    def _of_generic(self, base: ast.expr, inner: list[ast.expr], request: _Request) -> str | None:
        found = self.reader.meaning(request.module, base)
        if found is None or found.nodes or not inner:
            return self._of_name(found, request) if found and found.nodes else None
        name = found.name
        if name in ("Optional", "Union"):
            return self._first(inner, request)
        if name == "Literal":
            return _literal(inner[0])
        if name in _PASSED:
            return self._of(inner[0], request.deeper())
        if name in ("tuple", "Tuple"):
            is_open = isinstance(inner[-1], ast.Constant) and inner[-1].value is Ellipsis
            parts = self._parts([inner[0], inner[0]] if is_open else inner, request)
            return f"({', '.join(parts)},)" if len(parts) == 1 else f"({', '.join(parts)})"
        if name in _MAPPINGS:
            key, value = (
                self._of(inner[0], request.deeper("key")),
                self._of(inner[-1], request.deeper()),
            )
            return f"{{{key}: {value}}}" if key and value and _is_literal(key) else None
        if name in _MANAGERS:
            return f"Entered({self._of(inner[0], request.deeper()) or ANYTHING})"
        if name in (*_LISTS, *_ITERATORS, *_STREAMS):
            several = f"[{', '.join(self._parts([inner[0], inner[0]], request))}]"
            wrapped = "Streamed" if name in _STREAMS else "Iterated"
            return several if name in _LISTS else f"{wrapped}({several})"
        return None

    def _parts(self, nodes: list[ast.expr], request: _Request) -> list[str]:
        """Return one value for each of several types, all slightly different."""
        return [self._of(n, request.deeper(n=i + 1)) or ANYTHING for i, n in enumerate(nodes)]

    def _of_name(self, found: Found, request: _Request) -> str | None:
        if not found.nodes:
            if found.name == "Self":
                return request.own or None
            is_known = found.module == "builtins" or found.module.startswith(_TYPING)
            kind = _PLAIN.get(found.name) if is_known else None
            return repr(value_of(Plain(kind, hint=request.hint), request.n)) if kind else None
        if found.cls is not None:
            return self._of_class(found, request)
        inside = replace(request.deeper(), module=found.module)
        match found.nodes[0]:
            case ast.Assign(value=ast.Call(func=func, args=args, keywords=keywords)):
                kind = getattr(func, "attr", getattr(func, "id", ""))
                if kind == "NewType" and len(args) == 2:
                    return self._of(args[1], inside)
                bound = next((k.value for k in keywords if k.arg == "bound"), None)
                return self._of(bound, inside) if kind == "TypeVar" and bound else None
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                return self._of(value, inside)
            case _:
                return None

    def _of_class(self, found: Found, request: _Request) -> str | None:
        if derives_from_unread(
            self.reader, found, "typing.TypedDict", "typing_extensions.TypedDict"
        ):
            inside = replace(request.deeper(), module=found.module, own="")
            fields = [
                (member.name, self._of(node.annotation, replace(inside, hint=member.name)))
                for member in members_of(found)
                for node in member.nodes
                if isinstance(node, ast.AnnAssign)
            ]
            return f"{{{', '.join(f'{name!r}: {value or ANYTHING}' for name, value in fields)}}}"
        if is_exception(self.reader, found):
            return None
        home = self.home(found)
        return f"Given({home!r})" if home else None


def _parsed(node: ast.expr) -> ast.expr:
    """Return an annotation, parsed if it is a string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Constant(Ellipsis)
    return node


def _arguments(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Subscript):
        inner = node.slice
        yield from inner.elts if isinstance(inner, ast.Tuple) else (inner,)


def _literal(node: ast.expr) -> str | None:
    try:
        return repr(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True
