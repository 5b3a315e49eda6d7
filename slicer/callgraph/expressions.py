"""Expressions to constraints: each gives the variable that holds its value, or `None`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .bindings import Bindings
from .builder import Builder, Scope
from .facts import (
    ClassFacts,
    Concatenate,
    ContainerKind,
    Copy,
    FunctionFacts,
    ImportModule,
    ImportName,
    Invoke,
    Iterate,
    LoadItem,
    LoadSlice,
    NewContainer,
    NewFunction,
    Operate,
    StoreItem,
    Super,
    Variable,
)
from .known import COMPARISONS, MUTATORS, OPERATORS, UNARY

_LONGEST_TEXT = 80
"""Longer strings are no names."""
_LARGEST_INDEX = 64
_MOST_CONSTANTS = 32
"""Items of a longer display of constants are not followed."""


class Expressions:
    """One extraction: walks expressions, and holds what the walk of statements collects."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.functions: list[FunctionFacts | None] = []
        self.classes: list[ClassFacts | None] = []
        self.stored: dict[int, set[str]] = {}
        """Attributes that the methods of each class assign on their first parameter."""
        self.finishers: list[Callable[[], None]] = []
        """What is left to do when all bodies have been walked."""
        self.imports: dict[str, ImportModule | ImportName] = {}
        self.stars: list[tuple[str | None, int]] = []
        self.exports: tuple[str, ...] | None = None
        self._visit: dict[type[ast.expr], Callable[..., Variable | None]] = {
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.Constant: self._constant,
            ast.BinOp: self._binary,
            ast.BoolOp: self._boolean,
            ast.Compare: self._compare,
            ast.UnaryOp: self._unary,
            ast.IfExp: self._conditional,
            ast.Subscript: self._subscript,
            ast.List: self._sequence,
            ast.Tuple: self._sequence,
            ast.Set: self._sequence,
            ast.Dict: self._dict,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._comprehension,
            ast.Lambda: self._lambda,
            ast.JoinedStr: self._joined,
            ast.FormattedValue: self._formatted,
            ast.NamedExpr: self._walrus,
            ast.Await: self._await,
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield_from,
            ast.Starred: self._starred,
            ast.Slice: self._slice,
        }

    def evaluate(self, node: ast.expr | None) -> Variable | None:
        """The variable that holds the expression's value."""
        if node is None:
            return None
        visit = self._visit.get(type(node))
        return None if visit is None else visit(node)

    def discard(self, node: ast.expr) -> None:
        """Walk an expression whose value is dropped."""
        if isinstance(node, ast.Call):
            self._call(node, wanted=False)
        elif not isinstance(node, ast.Constant):
            self.evaluate(node)

    # ------------------------------------------------------ names and members

    def _name(self, node: ast.Name) -> Variable | None:
        return self.builder.read(node.id, (), node.lineno)

    def _attribute(self, node: ast.Attribute) -> Variable | None:
        chain = [node.attr]
        base = node.value
        while isinstance(base, ast.Attribute):
            chain.append(base.attr)
            base = base.value
        chain.reverse()
        if isinstance(base, ast.Name):
            value = self.builder.read(base.id, tuple(chain), node.lineno)
        else:
            value = self.evaluate(base)
        for name in chain:
            value = self.builder.load(value, name, node.lineno)
        return value

    def _constant(self, node: ast.Constant) -> Variable | None:
        value = node.value
        if isinstance(value, str):
            return (
                self.builder.constant(value) if len(value) <= _LONGEST_TEXT else self.builder.text()
            )
        if type(value) is int and -_LARGEST_INDEX <= value <= _LARGEST_INDEX:
            return self.builder.constant(value)
        return None

    def _subscript(self, node: ast.Subscript) -> Variable | None:
        value = self.evaluate(node.value)
        bounds = _constant_slice(node.slice)
        key = None if bounds else self.evaluate(node.slice)
        if value is None:
            return None
        target = self.builder.new()
        caller = self.builder.scope.definition
        if bounds:
            operation = LoadSlice(value, *bounds, target, caller, node.lineno)
        else:
            operation = LoadItem(value, key, target, caller, node.lineno)
        self.builder.emit(operation)
        return target

    def _slice(self, node: ast.Slice) -> None:
        for bound in (node.lower, node.upper, node.step):
            self.evaluate(bound)

    # -------------------------------------------------------------- operators

    def _binary(self, node: ast.BinOp) -> Variable | None:
        spine = [node]
        left = node.left
        while isinstance(left, ast.BinOp):  # long sums are nested to the left
            spine.append(left)
            left = left.left
        value = self.evaluate(left)
        for inner in reversed(spine):
            value = self._operate(inner, value, self.evaluate(inner.right), left)
            left = inner
        return value

    def _operate(
        self, node: ast.BinOp, left: Variable | None, right: Variable | None, first: ast.expr
    ) -> Variable | None:
        numeric = _is_number(first) and _is_number(node.right)
        if numeric or (left is None and right is None):
            return None
        target = self.builder.new()
        method, reflected = OPERATORS[type(node.op)]
        if isinstance(node.op, ast.Add) and not _is_number(node.right):
            self.builder.emit(Concatenate((left, right), target))
        self._emit_operation(left, method, reflected, right, target, node.lineno)
        return target

    def _emit_operation(
        self,
        left: Variable | None,
        method: str,
        reflected: str,
        right: Variable | None,
        target: Variable | None,
        line: int,
    ) -> None:
        caller = self.builder.scope.definition
        self.builder.emit(Operate(left, method, reflected, right, target, caller, line))

    def _boolean(self, node: ast.BoolOp) -> Variable | None:
        return self.builder.union([self.evaluate(value) for value in node.values])

    def _compare(self, node: ast.Compare) -> None:
        left_node: ast.expr = node.left
        left = self.evaluate(left_node)
        for operator, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.evaluate(right_node)
            names = COMPARISONS.get(type(operator))
            plain = isinstance(left_node, ast.Constant) and isinstance(right_node, ast.Constant)
            if names is not None and not plain and (left is not None or right is not None):
                method, reflected = names
                sides = (right, left) if method == "__contains__" else (left, right)
                if method != "__contains__" or right is not None:
                    self._emit_operation(sides[0], method, reflected, sides[1], None, node.lineno)
            left, left_node = right, right_node

    def _unary(self, node: ast.UnaryOp) -> Variable | None:
        if isinstance(node.op, ast.Not):
            self.truth(node.operand)
            return None
        if _is_number(node):
            value = ast.literal_eval(node)
            small = type(value) is int and abs(value) <= _LARGEST_INDEX
            return self.builder.constant(value) if small else None
        value = self.evaluate(node.operand)
        if value is None:
            return None
        target = self.builder.new()
        self._emit_operation(value, UNARY[type(node.op)], "", None, target, node.lineno)
        return target

    def truth(self, node: ast.expr) -> None:
        """Walk an expression whose truth is asked for."""
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                self.truth(value)
            return
        value = self.evaluate(node)
        if value is not None and not isinstance(node, (ast.Constant, ast.Compare)):
            self._emit_operation(value, "__bool__", "__len__", None, None, node.lineno)

    def _conditional(self, node: ast.IfExp) -> Variable | None:
        self.truth(node.test)
        return self.builder.union([self.evaluate(node.body), self.evaluate(node.orelse)])

    def _joined(self, node: ast.JoinedStr) -> Variable | None:
        parts = [self.evaluate(value) for value in node.values]
        if len(parts) == 1 and not isinstance(node.values[0], ast.FormattedValue):
            return parts[0]
        target = self.builder.new()
        self.builder.emit(Concatenate(tuple(parts), target))
        return target

    def _formatted(self, node: ast.FormattedValue) -> Variable | None:
        value = self.evaluate(node.value)
        self.evaluate(node.format_spec)
        if value is not None:
            method = {"r": "__repr__", "s": "__str__"}.get(chr(max(node.conversion, 0)))
            self._emit_operation(
                value, method or "__format__", "" if method else "__str__", None, None, node.lineno
            )
        return value if node.format_spec is None else None

    # --------------------------------------------------------------- displays

    def _sequence(self, node: ast.List | ast.Tuple | ast.Set) -> Variable | None:
        kind: ContainerKind = "list"
        if not isinstance(node, ast.List):
            kind = "tuple" if isinstance(node, ast.Tuple) else "set"
        plain = len(node.elts) > _MOST_CONSTANTS
        items: list[tuple[str | int | None, Variable]] = []
        spreads: list[Variable] = []
        for index, item in enumerate(node.elts):
            if plain and isinstance(item, ast.Constant):
                continue
            if isinstance(item, ast.Starred):
                value = self.evaluate(item.value)
                if value is not None:
                    spreads.append(value)
                continue
            value = self.evaluate(item)
            if value is not None:
                known = kind != "set" and not spreads and index <= _LARGEST_INDEX
                items.append((index if known else None, value))
        target = self.builder.new()
        self.builder.emit(NewContainer(target, kind, tuple(items), tuple(spreads)))
        return target

    def _dict(self, node: ast.Dict) -> Variable | None:
        items: list[tuple[str | int | None, Variable]] = []
        spreads: list[Variable] = []
        computed: list[tuple[Variable, Variable]] = []
        for key, value_node in zip(node.keys, node.values, strict=True):
            key_variable = self.evaluate(key)
            value = self.evaluate(value_node)
            if value is None:
                continue
            if key is None:
                spreads.append(value)
            elif isinstance(key, ast.Constant) and isinstance(key.value, (str, int)):
                items.append((key.value, value))
            elif key_variable is None:
                items.append((None, value))
            else:
                computed.append((key_variable, value))
        target = self.builder.new()
        self.builder.emit(NewContainer(target, "dict", tuple(items), tuple(spreads)))
        caller = self.builder.scope.definition
        for key_variable, value in computed:
            self.builder.emit(StoreItem(target, key_variable, value, caller, node.lineno))
        return target

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> Variable | None:
        builder = self.builder
        outer = builder.scope
        inner = Scope(
            "comprehension", outer.definition, outer, Bindings(set(), set(), set(), set())
        )
        inner.klass = outer.klass
        inner.function = outer.function
        inner.receiver = outer.receiver
        for index, clause in enumerate(node.generators):
            if index:
                builder.scope = inner
            items = self.iterate(clause.iter, is_async=bool(clause.is_async))
            builder.scope = inner
            for name in _names(clause.target):
                inner.env[name] = None
            self.assign(clause.target, items)
            for test in clause.ifs:
                self.truth(test)
        key: Variable | None = None
        if isinstance(node, ast.DictComp):
            key = self.evaluate(node.key)
            value = self.evaluate(node.value)
        else:
            value = self.evaluate(node.elt)
        builder.scope = outer
        kind: ContainerKind = "list"
        if isinstance(node, (ast.SetComp, ast.DictComp)):
            kind = "set" if isinstance(node, ast.SetComp) else "dict"
        target = builder.new()
        items_known = ((None, value),) if value is not None and key is None else ()
        builder.emit(NewContainer(target, kind, items_known, ()))
        if value is not None and key is not None:
            builder.emit(StoreItem(target, key, value, outer.definition, node.lineno))
        return target

    def iterate(self, node: ast.expr, *, is_async: bool = False) -> Variable | None:
        """The variable that holds the items of an iterable expression."""
        source = self.evaluate(node)
        if source is None:
            return None
        target = self.builder.new()
        caller = self.builder.scope.definition
        self.builder.emit(Iterate(source, target, caller, node.lineno, is_async))
        return target

    # -------------------------------------------------------------- functions

    def _lambda(self, node: ast.Lambda) -> Variable:
        from .functions import Header, define_function

        builder = self.builder
        name = builder.next_lambda()
        end = node.end_lineno or node.lineno
        definition = builder.define("lambda", name, node.lineno, end)
        builder.link(definition)
        index = define_function(self, definition, node.args, node.body, Header())
        target = builder.new()
        builder.emit(NewFunction(target, index))
        return target

    def _yield(self, node: ast.Yield) -> None:
        value = self.evaluate(node.value)
        target = self._yields()
        if value is not None and target is not None:
            self.builder.emit(Copy(value, target))

    def _yield_from(self, node: ast.YieldFrom) -> None:
        value = self.evaluate(node.value)
        if value is not None:
            caller = self.builder.scope.definition
            self.builder.emit(Iterate(value, self._yields(), caller, node.lineno, False))

    def _yields(self) -> Variable | None:
        scope: Scope | None = self.builder.scope
        while scope is not None and scope.kind == "comprehension":
            scope = scope.parent
        if scope is None or scope.kind != "function":
            return None
        if scope.yields is None:
            scope.yields = self.builder.new()
        return scope.yields

    def _await(self, node: ast.Await) -> Variable | None:
        value = self.evaluate(node.value)
        if value is not None and not isinstance(node.value, ast.Call):
            self._emit_operation(value, "__await__", "", None, None, node.lineno)
        return value

    def _walrus(self, node: ast.NamedExpr) -> Variable | None:
        value = self.evaluate(node.value)
        self.builder.bind(node.target.id, value)
        return value

    def _starred(self, node: ast.Starred) -> Variable | None:
        return self.evaluate(node.value)

    # ------------------------------------------------------------------ calls

    def _call(self, node: ast.Call, wanted: bool = True) -> Variable | None:
        callee = self._callee(node)
        self.builder.note_call(node.func, callee)
        arguments: list[Variable | None] = []
        spreads: list[Variable] = []
        late: list[Variable] = []
        for argument in node.args:
            value = self.evaluate(argument)
            if isinstance(argument, ast.Starred):
                if value is not None:
                    spreads.append(value)
            elif not spreads:
                arguments.append(value)
            elif value is not None:
                late.append(value)
        keywords: list[tuple[str | None, Variable]] = []
        for keyword in node.keywords:
            value = self.evaluate(keyword.value)
            if value is not None:
                keywords.append((keyword.arg, value))
        if callee is None:
            return None
        target = self.builder.new() if wanted else None
        if self._is_super(node) and target is not None:
            self._emit_super(callee, target, node.lineno)
        else:
            self.builder.emit(
                Invoke(
                    callee,
                    tuple(arguments),
                    tuple(spreads),
                    tuple(late),
                    tuple(keywords),
                    target,
                    self.builder.scope.definition,
                    node.lineno,
                    False,
                )
            )
        if isinstance(node.func, ast.Name) and node.func.id == "eval":
            return self._evaluated_text(node, target)
        return target

    def _callee(self, node: ast.Call) -> Variable | None:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in MUTATORS:
            self.mutated(function.value)
        return self.evaluate(function)

    def mutated(self, node: ast.expr) -> None:
        """Note that a global object, or what hangs on it, is changed in place."""
        chain: list[str] = []
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            if isinstance(node, ast.Attribute):
                chain.append(node.attr)
            else:
                chain.clear()
            node = node.value
        if isinstance(node, ast.Name) and self._is_global(node.id):
            names = (node.id, *reversed(chain))
            self.builder.refer(names, node.lineno, kind="mutates")

    def _is_global(self, name: str) -> bool:
        scope = self.builder.scope
        while scope.parent is not None:
            if name in scope.bindings.global_:
                return True
            if name in scope.bindings.bound or name in scope.env:
                return False
            scope = scope.parent
        return True

    def _is_super(self, node: ast.Call) -> bool:
        return (
            isinstance(node.func, ast.Name)
            and node.func.id == "super"
            and not node.args
            and not node.keywords
        )

    def _emit_super(self, callee: Variable, target: Variable, line: int) -> None:
        builder = self.builder
        caller = builder.scope.definition
        builder.emit(Invoke(callee, (), (), (), (), None, caller, line, False))
        scope: Scope | None = builder.scope
        while scope is not None:
            if scope.kind == "function" and scope.klass is not None and scope.receiver:
                receiver = scope.parameters[scope.receiver]
                builder.emit(Super(scope.klass, receiver, target, caller, line))
                return
            scope = scope.parent

    def _evaluated_text(self, node: ast.Call, target: Variable | None) -> Variable | None:
        match node.args:
            case [ast.Constant(value=str(text)), *_]:
                try:
                    inner = ast.parse(text.strip(), mode="eval").body
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    return target
                for child in ast.walk(inner):
                    if isinstance(child, (ast.expr, ast.keyword)):
                        child.lineno = node.lineno
                        child.end_lineno = None
                return self.builder.union([target, self.evaluate(inner)])
            case _:
                return target

    # ---------------------------------------------------------------- binding

    def assign(self, target: ast.expr, value: Variable | None) -> None:
        """Bind a target of an assignment to a value."""
        from .targets import assign

        assign(self, target, value)


def _constant_slice(node: ast.expr) -> tuple[int, int | None] | None:
    match node:
        case ast.Slice(lower=lower, upper=upper, step=None):
            low = 0 if lower is None else _small_number(lower)
            high = None if upper is None else _small_number(upper)
            if low is None or (upper is not None and high is None):
                return None
            return low, high
        case _:
            return None


def _small_number(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int(number)) if 0 <= number <= _LARGEST_INDEX:
            return number
        case _:
            return None


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex))


def _names(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]
