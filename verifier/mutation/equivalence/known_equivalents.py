"""Changes of calls and handlers without effect, by the rules of language and library.

A name counts only if the file binds it by an import alone, or not at all for a builtin.
"""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Iterator
from functools import cached_property
from typing import cast

from ....slicer.syntax.scopes import assigned_values, bound_by, imported_names
from ..mutated_block import Block
from ..operators.expression_operators import Change
from .certain_values import CertainValues

_HOMES = frozenset({"asyncio", "binascii", "http.client", "io", "json", "socket", "ssl"})
"""Modules whose exceptions are known, besides the builtins."""
_TRANSLATORS = frozenset({"gettext.gettext"})
"""Calls that return their argument, since no catalogue is installed where cases run."""
_CATALOGUES = frozenset("bindtextdomain textdomain translation install".split())
_CONSUMERS = frozenset("sorted list tuple set frozenset".split())
"""Builtins that consume all items at once, so that a list in between changes nothing."""
_COPIERS = frozenset({"list", "tuple"})
_ITERATORS = _CONSUMERS | frozenset("all any enumerate iter len max min".split())
"""Builtins that treat a mapping like its keys."""

_DISPLAYS = (ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.Tuple)


class KnownNames:
    """The known facts about the names of a file."""

    def __init__(self, block: Block) -> None:
        self._block = block

    def is_same(self, change: Change) -> bool:
        """Whether a change has no effect on the block.

        Args:
            change: a change of the block.
        """
        if id(change.node) in self._for_checkers:
            return True
        match change.operator, change.node:
            case "except type", ast.Tuple(elts=elements):
                return self._catches_the_same(elements, change.text)
            case "dropped call", ast.Call(func=func, args=[given]):
                return (
                    self._is_untranslated(func)
                    or id(change.node) in self._copied
                    or (id(change.node) in self._decided and self._is_only_tested(func, given))
                    or (self._path(func) == "builtins.str" and self._is_value_of_text(given))
                    or (self._path(func) == "builtins.int" and self._certain.is_integer(given))
                    or (id(change.node) in self._joined_keys and self._is_set(func, given))
                )
            case "dropped call", ast.Call(func=ast.Attribute(attr="keys"), args=[], keywords=[]):
                return id(change.node) in self._iterated and not self._defines_keys
            case _:
                return self._is_same_value(change)

    def _is_same_value(self, change: Change) -> bool:
        """Whether the changed expression certainly has the same value."""
        match change.operator, change.node:
            case "returned default" | "stored default", ast.Name():
                return change.text == "None" and id(change.node) in self._certain.none
            case "None for falsy", ast.UnaryOp(operand=inner):
                return self._certain.is_true_or_none(inner)
            case "None for falsy", ast.expr() as inner:
                return self._certain.is_true_or_none(inner)
            case "sibling builtin", ast.Name(id="int" | "round"):
                given = self._only_arguments.get(id(change.node))
                return given is not None and self._certain.is_integer(given)
            case "first entry wins", ast.stmt():
                return id(change.node) in self._certain.absent
            case "sibling method", ast.Attribute(attr=name) as func:
                other = change.text.rpartition(".")[2]
                return {name, other} == {"match", "search"} and self._certain.begins_at_start(func)
            case _:
                return False

    @cached_property
    def _certain(self) -> CertainValues:
        return CertainValues(self._block, self._tree, self._path)

    @cached_property
    def _only_arguments(self) -> dict[int, ast.expr]:
        """Map the id of each callee with a single argument to that argument."""
        calls = (node for node in ast.walk(self._block.tree) if isinstance(node, ast.Call))
        return {id(n.func): n.args[0] for n in calls if len(n.args) == 1 and not n.keywords}

    # ------------------------------------------------------------------------- names

    @cached_property
    def _tree(self) -> ast.Module:
        try:
            return ast.parse(self._block.text)
        except (SyntaxError, ValueError, RecursionError):
            return ast.Module([], [])

    @cached_property
    def _imported(self) -> dict[str, str]:
        """Map names to what imports bind; empty if ambiguous or bound otherwise.

        Of the file's other definitions only the names are bound where the block stands.
        """
        found: dict[str, str] = {}
        for node in (*_outside(self._tree), *ast.walk(self._block.tree)):
            for name, value in _bindings(node):
                found[name] = value if found.get(name, value) == value else ""
        return found

    def _path(self, node: ast.expr) -> str:
        """Return the dotted name that an expression stands for; empty if unknown."""
        match node:
            case ast.Name(id=name) if name in self._imported:
                return self._imported[name]
            case ast.Name(id=name) if "*" not in self._imported and self._tree.body:
                return f"builtins.{name}" if hasattr(builtins, name) else ""
            case ast.Attribute(value=value, attr=attr):
                owner = self._path(value)
                return f"{owner}.{attr}" if owner else ""
            case _:
                return ""

    # ------------------------------------------------------------------------- what they do

    def _catches_the_same(self, elements: list[ast.expr], text: str) -> bool:
        """Whether the remaining types of a handler also catch the removed one."""
        kept = {
            ast.unparse(each) for each in ast.walk(ast.parse(text)) if isinstance(each, ast.expr)
        }
        missing = [each for each in elements if ast.unparse(each) not in kept]
        others = [self._class(each) for each in elements if each not in missing]
        return all(
            (cls := self._class(each)) is not None
            and any(other is not None and issubclass(cls, other) for other in others)
            for each in missing
        )

    def _class(self, node: ast.expr) -> type[BaseException] | None:
        module, _, name = self._path(node).rpartition(".")
        if module != "builtins" and module not in _HOMES:
            return None
        found: object = getattr(importlib.import_module(module), name, None)
        is_exception = isinstance(found, type) and issubclass(found, BaseException)
        return cast("type[BaseException]", found) if is_exception else None

    def _is_untranslated(self, func: ast.expr) -> bool:
        if self._path(func) not in _TRANSLATORS:
            return False
        names = (
            n.attr if isinstance(n, ast.Attribute) else n.id
            for n in ast.walk(self._tree)
            if isinstance(n, ast.Attribute | ast.Name)
        )
        return not _CATALOGUES & {*names}

    @cached_property
    def _copied(self) -> set[int]:
        """Return ids of calls that make a list for another call to consume, as
        `sorted(list(x))`.
        """
        found: set[int] = set()
        for node in ast.walk(self._block.tree):
            match node:
                case ast.Call(
                    func=ast.Name() as outer,
                    args=[ast.Call(func=ast.Name() as inner, keywords=[]) as call, *_],
                ):
                    paths = self._path(outer), self._path(inner)
                    names = [path.removeprefix("builtins.") for path in paths]
                    if names[0] in _CONSUMERS and names[1] in _COPIERS:
                        found.add(id(call))
                case _:
                    pass
        return found

    def _is_set(self, func: ast.expr, given: ast.expr) -> bool:
        """Whether a call makes a set of keys, which behave like one."""
        is_keys = isinstance(given, ast.Call) and getattr(given.func, "attr", "") == "keys"
        return is_keys and self._path(func) in {"builtins.set", "builtins.frozenset"}

    @cached_property
    def _joined_keys(self) -> set[int]:
        """Return ids of right operands of `|`, `&`, `-` and `^`."""
        signs = (ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub)
        nodes = (n for n in ast.walk(self._block.tree) if isinstance(n, ast.BinOp))
        return {id(node.right) for node in nodes if isinstance(node.op, signs)}

    @cached_property
    def _decided(self) -> set[int]:
        """Return ids of expressions that are only tested for truth."""
        pending: list[ast.expr] = []
        for node in ast.walk(self._block.tree):
            match node:
                case (
                    ast.If(test=test)
                    | ast.While(test=test)
                    | ast.IfExp(test=test)
                    | ast.Assert(test=test)
                    | ast.UnaryOp(op=ast.Not(), operand=test)
                ):
                    pending.append(test)
                case ast.comprehension(ifs=tests):
                    pending += tests
                case _:
                    pass
        for node in pending:  # grows while it is read
            pending += node.values if isinstance(node, ast.BoolOp) else ()
        return {id(node) for node in pending}

    def _is_only_tested(self, func: ast.expr, given: ast.expr) -> bool:
        """Whether a call has its argument's truth value, where only that is tested."""
        match self._path(func):
            case "builtins.bool":
                return True
            case "builtins.len":
                return isinstance(given, ast.Name) and given.id in self._containers
            case _:
                return False

    @cached_property
    def _containers(self) -> frozenset[str]:
        """Return names that the block binds only to builtin collections."""
        nodes = list(ast.walk(self._block.tree))
        given = {node.arg for node in nodes if isinstance(node, ast.arg)}
        return frozenset(
            name
            for name, values in assigned_values(nodes).items()
            if name not in given and all(map(self._is_container, values))
        )

    def _is_container(self, value: ast.expr | None) -> bool:
        match value:
            case ast.BinOp(left=ast.Name(ctx=ast.Store())):
                return True  # an augmented assignment keeps the collection
            case ast.Call(func=func):
                return self._path(func).removeprefix("builtins.") in _CONSUMERS | {"dict"}
            case _:
                return isinstance(value, _DISPLAYS)

    @cached_property
    def _iterated(self) -> set[int]:
        """Return ids of what is iterated over or searched: there a mapping stands for its keys."""
        found: list[ast.expr] = []
        for node in ast.walk(self._block.tree):
            match node:
                case ast.For(iter=each) | ast.comprehension(iter=each):
                    found.append(each)
                case ast.Compare(ops=operators, comparators=others):
                    pairs = zip(operators, others, strict=True)
                    found += [each for op, each in pairs if isinstance(op, ast.In | ast.NotIn)]
                case ast.Call(func=ast.Name() as func, args=[each, *_]):
                    name = self._path(func).removeprefix("builtins.")
                    found += [each] * (name in _ITERATORS)
                case _:
                    pass
        return {id(each) for each in found}

    @cached_property
    def _defines_keys(self) -> bool:
        """Whether a class of the file defines `keys`."""
        functions = (n for n in ast.walk(self._tree) if isinstance(n, ast.FunctionDef))
        return any(function.name == "keys" for function in functions)

    def _is_value_of_text(self, node: ast.expr) -> bool:
        """Whether it is `self.value` in an enumeration of texts."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr="value"):
                return name == self._instance and self._is_enumeration_of_texts
            case _:
                return False

    @cached_property
    def _instance(self) -> str:
        """Return the name of the method's instance; empty if unknown."""
        match self._block.functions:
            case (ast.FunctionDef(args=ast.arguments(args=[first, *_]), decorator_list=[]),):
                return first.arg
            case _:
                return ""

    @cached_property
    def _is_enumeration_of_texts(self) -> bool:
        """Whether the enclosing class is `(str, Enum)` or `StrEnum` with unchanged values."""
        body, cls = self._tree.body, None
        for name in self._block.enclosing:
            classes = [each for each in body if isinstance(each, ast.ClassDef)]
            cls = next((each for each in classes if each.name == name), None)
            body = cls.body if cls else []
        if cls is None:
            return False
        bases = {self._path(base) for base in cls.bases}
        is_named = {getattr(each, "name", "") for each in cls.body}
        return (
            "enum.StrEnum" in bases or {"builtins.str", "enum.Enum"} <= bases
        ) and not is_named & {"__new__", "__init__", "value"}

    @cached_property
    def _for_checkers(self) -> set[int]:
        """Return ids of what only type checkers read: types in `cast`, `TYPE_CHECKING` blocks."""
        found: list[ast.AST] = []
        for node in ast.walk(self._block.tree):
            match node:
                case ast.Call(func=func, args=[ast.Constant() as cls, _]):
                    found += [cls] * (self._path(func) in {"typing.cast", "typing_extensions.cast"})
                case ast.If(test=test, body=body):
                    found += body * (self._path(test) == "typing.TYPE_CHECKING")
                case _:
                    pass
        return {id(inner) for node in found for inner in ast.walk(node)}


def _outside(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes outside definitions, and the `global` statements inside."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from (each for each in ast.walk(node) if isinstance(each, ast.Global))
        else:
            pending += ast.iter_child_nodes(node)


def _bindings(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield names that a node binds, with the import's dotted name or an empty text."""
    match node:
        case ast.Import() | ast.ImportFrom():
            for name, dotted in imported_names(node):
                yield name, "" if dotted.startswith(".") else dotted
        case ast.arg(arg=name):
            yield name, ""
        case ast.Global(names=names):
            yield from ((name, "") for name in names)
        case ast.alias():
            return
        case _:
            yield from ((name, "") for name in bound_by(node))
