"""String evaluation: which paths and names an expression may give, as far as they are known.

A small demand-driven evaluator over constants, `__file__`, `pathlib`, `os.path` and
`importlib.resources`. Files of the repository are texts below an imaginary root, so that the rules
of POSIX paths apply to them. Whatever it does not understand is an unknown text.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Mapping

from ...analysis.inference import Inference
from ...analysis.scopes.definitions import (
    ClassInfo,
    FunctionInfo,
    Scope,
    function_scope,
    module_scope,
)
from ...analysis.values.abstract_values import (
    ClassValue,
    External,
    FunctionValue,
    Instance,
    ModuleValue,
)
from ...analysis.values.texts import (
    NOTHING_KNOWN,
    Text,
    Texts,
    any_of,
    below,
    filled,
    is_known,
    is_place,
    mapped,
    place,
    summed,
)
from ...repo.repository import Module
from .callees import external_names, local_function, receivers
from .named_texts import NamedTexts, module_dunder_texts
from .package_resources import LOCATORS, Resources
from .path_bindings import class_bindings, default_of, returned_values
from .path_library import (
    CONSTANTS,
    FUNCTIONS,
    METHODS,
    NAME_PARTS,
    ancestor,
    call_function,
    call_method,
    path_splitter,
    split_part,
)

SOURCE_FILES = frozenset("inspect.getfile inspect.getsourcefile inspect.getabsfile".split())
_DEEPEST = 6
"""Maximum depth of nested calls of local functions that are followed."""
_MOST_CALLS = 200
"""Maximum number of calls followed for one call; longer computations name no file."""
_UNDERSTOOD = (ast.Constant, ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.JoinedStr,
               ast.Subscript, ast.IfExp, ast.BoolOp, ast.NamedExpr)  # fmt: skip


class Paths:
    """Evaluation of texts for one slice, memoised."""

    def __init__(self, inference: Inference, classes: Iterable[ClassInfo]) -> None:
        self.inference = inference
        self.resources = Resources(inference, self.evaluate)
        self._names = NamedTexts(inference.names, self.evaluate, self._part)
        self._classes = tuple(classes)
        self._memo: dict[tuple[str, ast.AST], Texts] = {}
        """Texts of expressions within the call that is being followed."""
        self._active: set[tuple[str, ast.AST]] = set()
        self._attributes: dict[str, list[tuple[ast.expr, Scope]]] | None = None
        self._depth = 0
        self._followed = 0

    # ------------------------------------------------------------------ expressions

    def evaluate(self, node: ast.expr, scope: Scope) -> Texts:
        """Return the texts that an expression may have."""
        if not isinstance(node, _UNDERSTOOD):
            return NOTHING_KNOWN
        key = (scope.module.name, node)
        if key in self._memo:
            return self._memo[key]
        if key in self._active:
            return NOTHING_KNOWN  # a recursive expression
        self._active.add(key)
        texts = self._texts(node, scope)
        self._active.remove(key)
        self._memo[key] = texts
        return texts

    def _texts(self, node: ast.expr, scope: Scope) -> Texts:
        match node:
            case ast.Constant(value=str(text)):
                return (Text(text),)
            case ast.Name():
                return self._names.local(node, scope)
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.Call():
                return self._call(node, scope)
            case ast.BinOp():
                return self._binary(node, scope)
            case ast.JoinedStr():
                return self._formatted(node, scope)
            case ast.Subscript():
                return self._subscript(node, scope)
            case ast.IfExp(body=first, orelse=second):
                return self._one_of((first, second), scope)
            case ast.BoolOp(values=values):
                return self._one_of(values, scope)
            case ast.NamedExpr(value=value):
                return self.evaluate(value, scope)
            case _:
                return NOTHING_KNOWN

    def _one_of(self, nodes: Iterable[ast.expr], scope: Scope) -> Texts:
        return any_of(text for node in nodes for text in self.evaluate(node, scope))

    # ------------------------------------------------------------------ operators

    def _binary(self, node: ast.BinOp, scope: Scope) -> Texts:
        match node.op:
            case ast.Div() | ast.Add():
                left = self.evaluate(node.left, scope)
                right = self.evaluate(node.right, scope)
                return (below if isinstance(node.op, ast.Div) else summed)([left, right])
            case ast.Mod():
                values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
                known = [self.evaluate(value, scope) for value in values]
                return filled(self.evaluate(node.left, scope), "%", known)
            case _:
                return NOTHING_KNOWN

    def _formatted(self, node: ast.JoinedStr, scope: Scope) -> Texts:
        return summed(self._piece(part, scope) for part in node.values)

    def _piece(self, node: ast.expr, scope: Scope) -> Texts:
        match node:
            case ast.FormattedValue(value=value, format_spec=None):
                return self.evaluate(value, scope)
            case ast.FormattedValue():
                return NOTHING_KNOWN
            case _:
                return self.evaluate(node, scope)

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Texts:
        match node.value, node.slice:
            case ast.Attribute(value=path, attr="parents"), ast.Constant(value=int(number)):
                return ancestor(self.evaluate(path, scope), number)
            case ast.Call() as call, ast.Constant(value=int(index)):
                return self._part(call, index, scope)
            case text, ast.Slice(lower=None, step=None, upper=upper):
                stop = _integer(upper)
                if stop is None:
                    return NOTHING_KNOWN
                return mapped(self.evaluate(text, scope), lambda t: t[:stop], closed=True)
            case _:
                return NOTHING_KNOWN

    def _part(self, call: ast.Call, index: int, scope: Scope) -> Texts:
        """Return one part of the result of `os.path.split`, `splitext`, `str.split` or similar."""
        match call:
            case ast.Call(
                func=ast.Attribute(
                    value=text, attr="split" | "rsplit" | "partition" | "rpartition" as name
                ),
                args=[ast.Constant(value=str(separator)), *more],
            ):
                most = _integer(more[0]) if more else None
                return split_part(name, self.evaluate(text, scope), separator, most, index)
            case ast.Call(args=[path]):
                split = path_splitter(self.external_names(call.func, scope))
                if split is None or index not in (-2, -1, 0, 1):
                    return NOTHING_KNOWN
                return mapped(self.evaluate(path, scope), lambda text: split(text)[index])
            case _:
                return NOTHING_KNOWN

    # ------------------------------------------------------------------ attributes

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Texts:
        if node.attr == "parent":
            return mapped(self.evaluate(node.value, scope), posixpath.dirname)
        if node.attr in NAME_PARTS:
            known = self.evaluate(node.value, scope)
            if is_place(known):
                return mapped(known, NAME_PARTS[node.attr], closed=True)
        values = receivers(self.inference, node.value, scope)
        if values is None:
            bindings = self._by_attribute(node.attr)
            return any_of(t for value, where in bindings for t in self.evaluate(value, where))
        return any_of(t for value in values for t in self._attribute_of(value, node.attr))

    def _attribute_of(self, value: object, name: str) -> Texts | tuple[()]:
        match value:
            case ModuleValue(module=Module() as module):
                return module_dunder_texts(module).get(name, ()) or self._names.of_module(
                    module, name
                )
            case External(name=owner):
                return CONSTANTS.get(f"{owner}.{name}", ())
            case Instance(cls=cls) | ClassValue(cls=cls):
                return tuple(
                    text
                    for owner in self.inference.mro(cls)
                    for expression, where in class_bindings(owner, name)
                    for text in self.evaluate(expression, where)
                )
            case _:
                return ()

    def _by_attribute(self, name: str) -> list[tuple[ast.expr, Scope]]:
        """Return what the slice's classes assign to an attribute, for unknown receivers."""
        if self._attributes is None:
            table: dict[str, list[tuple[ast.expr, Scope]]] = {}
            for cls in self._classes:
                for attribute in {*cls.table, *cls.self_assignments}:
                    table.setdefault(attribute, []).extend(class_bindings(cls, attribute))
            self._attributes = table
        return self._attributes.get(name, [])

    # ------------------------------------------------------------------ calls

    def external_names(self, func: ast.expr, scope: Scope) -> tuple[str, ...]:
        """Return the dotted names of the external functions that an expression may be."""
        return external_names(self.inference, func, scope)

    def local_function(self, func: ast.expr, scope: Scope) -> tuple[Module, str] | None:
        """Return the module-level function of the repository that an expression names."""
        return local_function(self.inference, func, scope)

    def _call(self, node: ast.Call, scope: Scope) -> Texts:
        func, args = node.func, node.args
        if isinstance(func, ast.Attribute):
            if func.attr == "enter_context" and len(args) == 1:
                return self.evaluate(args[0], scope)
            if func.attr in METHODS:
                texts = self.evaluate(func.value, scope)
                if is_known(texts):
                    return call_method(func.attr, texts, self._all(args, scope))
        for name in self.external_names(func, scope):
            texts = self._external(name, args, scope)
            if is_known(texts):
                return texts
        found = self.local_function(func, scope)
        return self._returned(*found, node, scope) if found else NOTHING_KNOWN

    def _all(self, nodes: Iterable[ast.expr], scope: Scope) -> list[Texts]:
        found: list[Texts] = []
        for node in nodes:
            match node:
                case ast.Starred(value=ast.List(elts=parts) | ast.Tuple(elts=parts)):
                    found += self._all(parts, scope)
                case ast.Starred(value=ast.Name(id=name)) if holder := scope.lookup(name):
                    found += self._names.rest.get((holder, name), (NOTHING_KNOWN,))
                case _:
                    found.append(self.evaluate(node, scope))
        return found

    def _external(self, name: str, args: list[ast.expr], scope: Scope) -> Texts:
        if name in FUNCTIONS:
            return call_function(name, self._all(args, scope))
        if name in SOURCE_FILES and args:
            return self._source_file(args[0], scope)
        if name in LOCATORS:
            return self.resources.located(args, scope)
        return NOTHING_KNOWN

    def _source_file(self, node: ast.expr, scope: Scope) -> Texts:
        """Return the file that defines an object; for a frame or lambda, this module's."""
        if isinstance(node, (ast.Call, ast.Lambda)):
            return (place(scope.module.path),)
        found: list[Text] = []
        for value in receivers(self.inference, node, scope) or ():
            match value:
                case (
                    ModuleValue(module=Module() as module)
                    | ClassValue(cls=ClassInfo(module=module))
                    | Instance(cls=ClassInfo(module=module))
                    | FunctionValue(function=FunctionInfo(module=module))
                ):
                    found.append(place(module.path))
                case _:
                    continue
        return any_of(found)

    def _returned(self, module: Module, name: str, call: ast.Call, caller: Scope) -> Texts:
        """Return what a local function returns for these arguments."""
        node = module.bindings[name][0].node
        if not isinstance(node, ast.FunctionDef) or self._depth >= _DEEPEST:
            return NOTHING_KNOWN
        scope = function_scope(node, module_scope(module), None)
        parameters = [*node.args.posonlyargs, *node.args.args]
        positional = self._all(call.args, caller)
        given = dict(zip([p.arg for p in parameters], positional, strict=False))
        given |= {k.arg: self.evaluate(k.value, caller) for k in call.keywords if k.arg}
        self._followed = self._followed + 1 if self._depth else 1
        if self._followed > _MOST_CALLS:
            return NOTHING_KNOWN
        return self._follow(node, scope, given, tuple(positional[len(parameters) :]))

    def _follow(
        self, node: ast.FunctionDef, scope: Scope, given: Mapping[str, Texts],
        rest: tuple[Texts, ...],
    ) -> Texts:  # fmt: skip
        """Return what the function returns if its parameters have these texts."""
        names = self._names
        before, memo = (names.arguments, names.rest), self._memo
        self._memo = {}
        if node.args.vararg is not None:
            names.rest = {**names.rest, (scope, node.args.vararg.arg): rest}
        names.arguments = {**names.arguments, **{(scope, k): texts for k, texts in given.items()}}
        for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            default = default_of(node, arg)
            if arg.arg not in given and default is not None:
                known = self.evaluate(default, module_scope(scope.module))
                names.arguments[scope, arg.arg] = known
        self._depth += 1
        found = self._one_of(returned_values(node), scope)
        self._depth -= 1
        names.arguments, names.rest = before
        self._memo = memo
        return found


def _integer(node: ast.expr | None) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case _:
            return None
