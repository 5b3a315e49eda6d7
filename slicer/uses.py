"""What a piece of code uses: one walk over a definition, giving names, members, operators, imports.

The result does not depend on what is kept, so it is computed once per definition and serves every
target. Receivers are evaluated by `Inference`; what it cannot tell is a use with unknown values.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from .definitions import (
    ClassInfo,
    FunctionInfo,
    Scope,
    comprehension_scope,
    function_scope,
    module_scope,
    nested_class,
)
from .hooks import names_in_module
from .infer import TRANSPARENT_DECORATORS, Inference, decorator_name
from .known import (
    BINARY,
    BUILTIN_CALLS,
    COMPARE,
    DATA_METHODS,
    EQUALITY,
    ITERATION,
    MUTATORS,
    QUIET_MODULES,
    QUIET_PACKAGES,
    TEXT,
    TRUTH,
    UNARY,
)
from .names import ImportedName
from .nodes import children
from .repository import Module
from .units import Unit, is_typing_test, target_names
from .values import (
    ClassValue,
    External,
    ExternalInstance,
    FunctionValue,
    Instance,
    ModuleValue,
    Parameter,
    SuperValue,
    TupleOf,
    Value,
    Values,
    is_abstract,
)

Role = Literal["value", "call", "receiver", "write", "annotation", "test", "base", "store"]
"""What a name is used for; a `call` is a value that is only called, a `write` one whose object is
only changed (`TABLE[key] = value`)."""
VALUE_ROLES = ("value", "call")


class NameUse(NamedTuple):
    """A module-level name."""

    module: Module
    name: str
    role: Role
    line: int


PUBLIC = ("*",)
"""In place of member names: everything public."""
_FIELD = re.compile(r"\{([^{}!:\[\]]*\.[^{}!:\[\]]*)[}!:\[]")
_CODE_MARKS = ("=", "import ", "(")
"""Text that is run as code holds one of these, or is a name."""
_IMPORT_IN_TEXT = re.compile(r"\s*from\s+([A-Za-z_][\w.]*)\s+import\b")
_WORDS = re.compile(r"[A-Za-z_]\w+")


class MemberUse(NamedTuple):
    """An attribute of some values."""

    values: Values
    name: str
    role: Role
    line: int


class ProtocolUse(NamedTuple):
    """Members that an operator, statement or builtin asks values for; `None` is all of them."""

    values: Values
    members: tuple[str, ...] | None
    line: int
    method: str = ""
    """The method of an unknown receiver that the values are passed to."""


class DynamicUse(NamedTuple):
    """A computed attribute name: all members with the prefix and suffix."""

    values: Values
    prefix: str
    suffix: str
    line: int


class ImportUse(NamedTuple):
    """An import statement that runs with the code: all of its names."""

    module: Module
    node: ast.Import | ast.ImportFrom
    line: int


class ModuleUse(NamedTuple):
    """A module loaded by its name as text."""

    module: Module
    name: str
    line: int
    is_text: bool = False
    """Whether the import is a piece of text: the names that it takes are texts as well."""


class CallUse(NamedTuple):
    """A call of functions of ours, or the application of a decorator."""

    callee: Values
    arguments: tuple[Values, ...]
    """Of the positional parameters, in order."""
    keywords: tuple[tuple[str, Values], ...]
    is_open: bool
    """Whether `*` or `**` may give further arguments."""
    is_computed: bool
    """Whether a class may stand for a subclass, as `type(self)` does."""
    line: int


class GapUse(NamedTuple):
    """Something that cannot be decided statically."""

    kind: str
    line: int
    detail: str


Use = NameUse | MemberUse | ProtocolUse | DynamicUse | ImportUse | ModuleUse | CallUse | GapUse


@dataclass(frozen=True, slots=True)
class Uses:
    """Everything that one definition uses."""

    uses: tuple[Use, ...]
    externals: frozenset[str]
    """Dotted names of external objects that it mentions."""
    strings: frozenset[str]
    """Identifiers among its string literals: candidates for computed attribute names."""
    words: frozenset[str]
    """Words of its string literals, where its module runs text as code."""
    flags: frozenset[str]
    """Special names that it reads: `__name__`, `__file__`, `globals`, …"""


NO_USES = Uses((), frozenset(), frozenset(), frozenset(), frozenset())
_SPECIAL_NAMES = frozenset(
    {"__name__", "__file__", "__doc__", "__package__", "__spec__", "__path__", "__loader__",
     "__builtins__", "__annotations__"}
)  # fmt: skip
_SPECIAL_CALLS = frozenset({"globals", "vars", "dir", "locals", "eval", "exec"})


class UseCollector(ast.NodeVisitor):
    """The walk; one collector per definition."""

    def __init__(self, inference: Inference, module: Module, unit: Unit) -> None:
        self.inference = inference
        self.module = module
        self.unit = unit
        self.uses: dict[Use, None] = {}
        self.externals: set[str] = set()
        self.strings: set[str] = set()
        self.words: set[str] = set()
        self._runs_text = _runs_text(module)
        self.flags: set[str] = set()
        self.role: Role = "value"
        self.scope: Scope
        self.changed: ast.Name | None = None
        """The name whose object the statement changes, and does nothing else with."""
        self.own_names: set[str] = set()
        """Module-level names that a `with` or `for` around the place has just bound."""

    def result(self) -> Uses:
        """What was found."""
        return Uses(
            tuple(self.uses), frozenset(self.externals), frozenset(self.strings),
            frozenset(self.words), frozenset(self.flags),
        )  # fmt: skip

    # ------------------------------------------------------------------ helpers

    def use(self, use: Use) -> None:
        self.uses.setdefault(use)

    def see(self, node: ast.AST | None, role: Role = "value") -> None:
        """Visit a node in a role."""
        if node is None:
            return
        before, self.role = self.role, role
        method = _VISITORS.get(type(node))
        if method is not None:
            method(self, node)
        else:
            for child in children(node):
                self.see(child)
        self.role = before

    def see_all(self, nodes: Iterable[ast.AST | None], role: Role = "value") -> None:
        for node in nodes:
            self.see(node, role)

    def see_in(self, scope: Scope, nodes: Iterable[ast.AST | None]) -> None:
        before, self.scope = self.scope, scope
        self.see_all(nodes)
        self.scope = before

    def values(self, node: ast.expr) -> Values:
        return self.inference.evaluate(node, self.scope)

    def possible(self, node: ast.expr) -> Values:
        """Values of the node, among them parameters."""
        return self.inference.possible(node, self.scope)

    def protocol(self, node: ast.expr, members: tuple[str, ...] | None) -> None:
        """The node's value is asked for the members."""
        self.ask(self.possible(node), members, node.lineno)

    def ask(self, values: Values, members: tuple[str, ...] | None, line: int) -> None:
        if members == ():
            return
        if members is None and is_abstract(self.inference.closed(values)):
            values = None
        if values is not None:
            values = frozenset(v for v in flattened(values) if _is_asked(v, _OURS))
            if not values:
                return
        self.use(ProtocolUse(values, members, line))

    def is_builtin(self, node: ast.expr, name: str) -> bool:
        return self.values(node) == frozenset({External(f"builtins.{name}")})

    # ------------------------------------------------------------------ names and attributes

    def see_name(self, node: ast.Name) -> None:
        holder = self.scope.lookup(node.id)
        if holder is not None:
            if holder.is_class and holder.owner and isinstance(node.ctx, ast.Load):
                # a class body reads its own names: `__or__ = union`, `x = property(_get)`
                owner = frozenset({ClassValue(holder.owner)})
                self.use(MemberUse(owner, node.id, self.role, node.lineno))
            self.see_imported_here(holder, node)
            return
        if node.id in self.own_names and self.scope.parent is None:
            return
        if node.id in _SPECIAL_NAMES:
            self.flags.add(node.id)
        role: Role = "store" if isinstance(node.ctx, (ast.Store, ast.Del)) else self.role
        role = "write" if node is self.changed else role
        name = mangled(node.id, self.scope)
        self.use(NameUse(self.module, name, role, node.lineno))
        if role in VALUE_ROLES:
            self.note_external(node)

    def see_imported_here(self, holder: Scope, node: ast.Name) -> None:
        """A name that an import inside the function binds: what it is used for counts."""
        for binder in holder.binders[node.id]:
            if not isinstance(binder.node, (ast.Import, ast.ImportFrom)):
                continue
            for alias in binder.node.names:
                if (alias.asname or alias.name) != node.id:
                    continue
                match self.inference.names.imported(self.module, binder.node, alias):
                    case ImportedName(module=source, name=name):
                        self.use(NameUse(source, name, self.role, node.lineno))
                    case _:
                        continue

    def note_external(self, node: ast.expr) -> None:
        for value in self.values(node) or ():
            if isinstance(value, External):
                self.externals.add(value.name)

    def see_attribute(self, node: ast.Attribute) -> None:
        role: Role = "store" if isinstance(node.ctx, (ast.Store, ast.Del)) else self.role
        values = self.possible(node.value)
        self.see(node.value, "receiver")
        self.member(values, node.attr, role, node.lineno)

    def member(self, values: Values, name: str, role: Role, line: int) -> None:
        if name in _SPECIAL_ATTRIBUTES:
            self.flags.add(name)
        if values is not None:
            for value in values:
                if isinstance(value, External):
                    self.externals.add(f"{value.name}.{name}")
            values = frozenset(v for v in values if _is_asked(v, _WITH_MEMBERS))
            if not values:
                return
        self.use(MemberUse(values, name, role, line))

    def see_constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            if self.role == "annotation":
                self.see_text(node.value, node.lineno, "annotation")
            elif node.value.isidentifier():
                self.strings.add(node.value)
            self.see_import_in_text(node)
            if self._runs_text and any(mark in node.value for mark in _CODE_MARKS):
                self.words.update(_WORDS.findall(node.value))

    def see_import_in_text(self, node: ast.Constant) -> None:
        """Text of generated code that imports names: `"from pkg.mod import " + names`."""
        found = _IMPORT_IN_TEXT.match(node.value)
        if found is not None and ("." in found[1] or node.value.rstrip().endswith("*")):
            self.use(ModuleUse(self.module, found[1], node.lineno, is_text=True))

    def see_expression(self, node: ast.Expr) -> None:
        match node.value:
            case ast.Constant():
                return  # a docstring is no value
            case ast.Call(func=ast.Attribute(value=ast.Name() as changed, attr=attr)):
                self.changed = changed if attr in MUTATORS else None
            case _:
                pass
        self.see(node.value)

    def see_text(self, text: str, line: int, role: Role = "value") -> None:
        """An expression that is written as text."""
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            return
        for item in ast.walk(tree):
            if isinstance(item, (ast.expr, ast.keyword)):
                item.lineno = line
        self.see(tree, role)

    def see_subscript(self, node: ast.Subscript) -> None:
        if self.role in ("annotation", "base"):
            self.see(node.value, self.role)
            if not _is_literal_type(node.value):
                self.see(node.slice, "annotation")
            return
        if self.names_by_text(node):
            return
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self.changed = node.value
        self.see(node.value, "receiver")
        self.see(node.slice)
        match node.ctx:
            case ast.Load():
                members: tuple[str, ...] = ("__getitem__", "__class_getitem__", "__missing__")
            case ast.Store():
                members = ("__setitem__",)
            case _:
                members = ("__delitem__",)
        self.protocol(node.value, members)
        if not isinstance(node.slice, (ast.Slice, ast.Constant)) and not self.is_type(node.value):
            self.protocol(node.slice, (*EQUALITY, "__index__"))

    def is_type(self, node: ast.expr) -> bool:
        """Whether the node is a class, so that a subscript of it is a generic alias."""
        values = self.values(node)
        return bool(values) and all(
            isinstance(v, ClassValue)
            or (
                isinstance(v, External)
                and v.name.startswith(("builtins.", "typing.", "collections."))
            )
            for v in values
        )

    def names_by_text(self, node: ast.Subscript) -> bool:
        """`globals()["do_" + name]`: the module's names with the prefix."""
        match node.value:
            case ast.Call(func=ast.Name(id="globals" | "vars" as name), args=[]):
                if name == "vars" and self.scope.parent is not None:
                    return False
            case _:
                return False
        self.see(node.slice)
        self.flags.add("globals")
        own = frozenset({ModuleValue(self.module, self.module)})
        for prefix, suffix, exact in name_patterns(node.slice, self.scope):
            if exact:
                self.use(NameUse(self.module, prefix, "value", node.lineno))
            else:
                self.use(DynamicUse(own, prefix, suffix, node.lineno))
                detail = (
                    f"a global named at run time: every {prefix}*{suffix} of the module is kept"
                )
                self.use(GapUse("dynamic-name", node.lineno, detail))
        return True

    # ------------------------------------------------------------------ calls

    def see_call(self, node: ast.Call) -> None:
        values = self.values(node.func)
        name = _builtin_name(values)
        special = _SPECIAL.get(name) if name else _common_special(values)
        if special is not None and special(self, node):
            return
        if isinstance(node.func, ast.Subscript):
            self.see(node.func.value)  # `Attribute[bool]("name")` makes an instance
        self.see_format(node)
        self.see(node.func, "call" if isinstance(node.func, (ast.Name, ast.Attribute)) else "value")
        self.see_all(node.args)
        self.see_all(keyword.value for keyword in node.keywords)
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                self.protocol(argument.value, ITERATION)
        for keyword in node.keywords:
            if keyword.arg is None:
                self.protocol(keyword.value, ("keys", "__getitem__"))
        self.called(values, node)

    def called(self, values: Values, node: ast.Call) -> None:
        """What the callee does to itself and to its arguments."""
        if values is not None or self.may_hold_instance(node.func):
            self.ask(self.possible(node.func), ("__call__",), node.lineno)
        self.binds(values, node)
        arguments = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
        arguments += [keyword.value for keyword in node.keywords]
        match node.func:
            case ast.Attribute(attr=attr) if values is None and not self.is_own_method(attr):
                if attr in DATA_METHODS:
                    for argument in arguments:
                        self.protocol(argument, DATA_METHODS[attr])
                else:
                    self.hand_out(arguments, node.lineno, method=attr)
            case _:
                pass
        for value in values or ():
            match value:
                case External(name=name):
                    asked = _external_protocol(name)
                    if asked is None:
                        self.hand_out(arguments, node.lineno, name)
                    for argument in arguments:
                        self.protocol(argument, asked)
                case ExternalInstance(name="typing.Callable"):
                    if values == self.possible(node.func):
                        self.use(MemberUse(None, "__call__", "value", node.lineno))
                case ExternalInstance():
                    for argument in arguments:
                        self.protocol(argument, None)
                case _:
                    continue

    def binds(self, values: Values, node: ast.Call) -> None:
        """What functions of ours are called with."""
        if not any(isinstance(v, (FunctionValue, ClassValue)) for v in values or ()):
            return
        starred = [isinstance(a, ast.Starred) for a in node.args]
        plain = node.args[: starred.index(True)] if any(starred) else node.args
        self.use(
            CallUse(
                values,
                tuple(self.possible(a) for a in plain),
                tuple((k.arg, self.possible(k.value)) for k in node.keywords if k.arg),
                any(starred) or any(k.arg is None for k in node.keywords),
                not isinstance(node.func, ast.Name),
                node.lineno,
            )
        )

    def is_own_method(self, name: str) -> bool:
        """Whether a class of this module has a member of the name."""
        return f"def {name}(" in self.module.source.text

    def see_format(self, node: ast.Call) -> None:
        """`"{0.url}".format(self)` reads attributes."""
        match node.func:
            case ast.Attribute(value=value, attr="format"):
                fields = [f for text in texts_of(value, self.scope) for f in _FIELD.findall(text)]
            case _:
                return
        for first, *rest in (field.split(".") for field in fields):
            values: Values = None
            if first.isdigit() and int(first) < len(node.args):
                values = self.possible(node.args[int(first)])
            for name in rest:
                self.member(values, name, "value", node.lineno)
                values = None

    def hand_out(
        self, arguments: Sequence[ast.expr], line: int, callee: str = "", method: str = ""
    ) -> None:
        """Instances of ours that code outside gets: it may call any public method that it names."""
        for argument in arguments:
            held = frozenset(v for v in self.values(argument) or () if isinstance(v, Instance))
            if held:
                self.use(ProtocolUse(held, (*PUBLIC, *_named_by(callee)), line, method))

    def may_hold_instance(self, func: ast.expr) -> bool:
        """Whether an unknown callee is more likely a stored object than somebody's method."""
        match func:
            case ast.Attribute(value=value, attr=attr):
                return any(
                    isinstance(v, Instance)
                    and not self.inference.find_member(v.cls, attr)
                    and attr in self.inference.assigned_attributes(v.cls)
                    for v in self.values(value) or ()
                )
            case _:
                return True

    def call_getattr(self, node: ast.Call) -> bool:
        if len(node.args) < 2:
            return False
        receiver, attribute, *rest = node.args
        self.see(node.func)
        self.see(receiver, "receiver")
        self.see(attribute)
        self.see_all(rest)
        values = self.values(receiver)
        writes = self.is_builtin(node.func, "setattr") or self.is_builtin(node.func, "delattr")
        role: Role = "store" if writes else "value"
        self.computed(values, attribute, role, node.lineno)
        return True

    def computed(self, values: Values, attribute: ast.expr, role: Role, line: int) -> None:
        """A member whose name is the value of an expression."""
        for prefix, suffix, exact in name_patterns(attribute, self.scope):
            if exact:
                for part in prefix.split("."):
                    self.member(values, part, role, line)
            elif role == "store" or (values is None and self.is_delegation(attribute)):
                continue  # setting an attribute needs no member of that name
            else:
                if values is not None:
                    known = frozenset(v for v in values if isinstance(v, _WITH_MEMBERS))
                    if not known:
                        continue
                    values = known
                self.use(DynamicUse(values, prefix, suffix, line))

    def is_delegation(self, attribute: ast.expr) -> bool:
        """Whether the name is the one that a `__getattr__` was asked for."""
        node = self.scope.node
        match attribute:
            case ast.Name(id=name) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return node.name in ("__getattr__", "__getattribute__") and name in {
                    arg.arg for arg in node.args.args
                }
            case _:
                return False

    def call_isinstance(self, node: ast.Call) -> bool:
        if len(node.args) != 2:
            return False
        self.see(node.func)
        self.see(node.args[0])
        self.see(node.args[1], "test")
        return True

    def call_super(self, node: ast.Call) -> bool:
        self.see(node.func)
        self.see_all(node.args, "test")
        return True

    def call_scope(self, node: ast.Call) -> bool:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        match node.args:
            case [ast.Constant(value=str(text)), *_] if name == "eval":
                self.flags.add("eval")
                self.see_text(text, node.lineno)
                self.see_all(node.args[1:])
                return True
            case _:
                pass
        if name in ("vars", "dir") and node.args:
            self.see(node.func)
            self.see(node.args[0], "receiver")
            values = self.values(node.args[0])
            if values is None or any(isinstance(v, _WITH_MEMBERS) for v in values):
                self.flags.add(name)
                if values is not None:
                    self.use(DynamicUse(values, "", "", node.lineno))
            return True
        self.flags.add(name)
        if name in ("globals", "vars", "locals", "dir"):
            if self.scope.parent is None or name == "globals":
                self.use(GapUse("dynamic-name", node.lineno, f"{name}() used as a table of names"))
        else:
            self.use(GapUse("dynamic-code", node.lineno, f"{name}() runs text as code"))
        return False

    def absolute(self, name: str) -> str:
        """A module name as text, made absolute."""
        if not name.startswith("."):
            return name
        level = len(name) - len(name.lstrip("."))
        rest = name.lstrip(".")
        base = self.module.resolve_relative(level, rest.rstrip(".") or None) or name
        return f"{base}." if rest.endswith(".") or not rest else base

    def call_import(self, node: ast.Call) -> bool:
        self.see(node.func)
        self.see_all(node.args)
        self.see_all(keyword.value for keyword in node.keywords)
        if not node.args:
            return True
        patterns = [(self.absolute(p), s, e) for p, s, e in name_patterns(node.args[0], self.scope)]
        names = [p for p, _, exact in patterns if exact]
        for prefix, suffix, exact in patterns:
            if exact:
                self.use(ModuleUse(self.module, prefix, node.lineno))
            elif "." in prefix:
                found = self.inference.repository.modules_like(prefix, suffix, self.module)
                names += found
                for name in found:
                    self.use(ModuleUse(self.module, name, node.lineno))
                if found:
                    detail = f"module named at run time; carried all of {prefix}*{suffix}"
                    self.use(GapUse("dynamic-import", node.lineno, detail))
        if not names:
            detail = f"module named at run time: {ast.unparse(node.args[0])[:60]}"
            self.use(GapUse("dynamic-import", node.lineno, detail))
        return True

    def call_attrgetter(self, node: ast.Call) -> bool:
        self.see(node.func)
        self.see_all(node.args)
        self.see_all(keyword.value for keyword in node.keywords)
        for argument in node.args:
            self.computed(None, argument, "value", node.lineno)
        return True

    def call_typevar(self, node: ast.Call) -> bool:
        self.see(node.func)
        self.see_all(node.args[:1])
        self.see_all(node.args[1:], "annotation")
        self.see_all((keyword.value for keyword in node.keywords), "annotation")
        return True

    def call_cast(self, node: ast.Call) -> bool:
        self.see(node.func)
        self.see_all(node.args[:1], "annotation")
        self.see_all(node.args[1:])
        return True

    # ------------------------------------------------------------------ operators

    def see_bin_op(self, node: ast.BinOp) -> None:
        if self.role == "annotation":
            self.see(node.left, "annotation")
            self.see(node.right, "annotation")
            return
        self.see(node.left)
        self.see(node.right)
        self.binary(node.left, node.op, node.right)

    def binary(self, left: ast.expr, op: ast.operator, right: ast.expr) -> None:
        stem = BINARY[type(op).__name__]
        if isinstance(op, ast.Mod) and _is_text(self.values(left)):
            self.protocol(right, TEXT)
            return
        self.protocol(left, (f"__{stem}__",))
        self.protocol(right, (f"__r{stem}__",))

    def see_aug_assign(self, node: ast.AugAssign) -> None:
        self.see(node.target)
        self.see(node.value)
        stem = BINARY[type(node.op).__name__]
        load = _as_load(node.target)
        self.see(load)
        self.protocol(load, (f"__i{stem}__", f"__{stem}__"))
        self.protocol(node.value, (f"__r{stem}__",))

    def see_unary_op(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.tested(node.operand)
        else:
            self.see(node.operand)
            self.protocol(node.operand, UNARY[type(node.op).__name__])

    def see_compare(self, node: ast.Compare) -> None:
        match node:
            case ast.Compare(
                left=ast.Constant(value=str(name)),
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Attribute(value=owner, attr="__dict__")],
            ):
                self.see(owner, "receiver")
                self.member(self.possible(owner), name, "value", node.lineno)
                return
            case _:
                pass
        operands = [node.left, *node.comparators]
        is_test = all(isinstance(o, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)) for o in node.ops)
        self.see_all(operands, "test" if is_test else "value")
        for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
            members = COMPARE[type(op).__name__]
            if not members or _is_none(left) or _is_none(right):
                continue
            self.protocol(left, members)
            self.protocol(right, members)

    def see_bool_op(self, node: ast.BoolOp) -> None:
        for value in node.values[:-1]:
            self.tested(value)
        self.see(node.values[-1])

    def tested(self, node: ast.expr | None) -> None:
        """The node's truth is asked for."""
        if node is None:
            return
        self.see(node)
        if not isinstance(node, (ast.Compare, ast.BoolOp, ast.Constant)) and not (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        ):
            self.protocol(node, TRUTH)

    def see_if(self, node: ast.If | ast.IfExp | ast.While) -> None:
        if isinstance(node, ast.If) and is_typing_test(node.test):
            self.see(node.test)
            self.see_all(node.orelse)
            return
        self.tested(node.test)
        outcome = platform_test(node.test, self.values)
        for field, taken in ((node.body, True), (node.orelse, False)):
            body = field if isinstance(field, list) else [field]
            if outcome is None or outcome is taken:
                self.see_all(body)
            elif body:
                detail = f"code for other platforms than {sys.platform} is not followed"
                self.use(GapUse("other-platform", body[0].lineno, detail))

    def see_assert(self, node: ast.Assert) -> None:
        self.tested(node.test)
        self.see(node.msg)

    def see_formatted(self, node: ast.FormattedValue) -> None:
        self.see(node.value)
        self.see(node.format_spec)
        self.protocol(node.value, TEXT)

    def see_display(self, node: ast.Dict | ast.Set) -> None:
        keys = node.keys if isinstance(node, ast.Dict) else node.elts
        self.see_all(keys)
        self.see_all(node.values if isinstance(node, ast.Dict) else ())
        for key in keys:
            if key is not None and not isinstance(key, (ast.Constant, ast.Starred)):
                self.protocol(key, EQUALITY)

    def see_starred(self, node: ast.Starred) -> None:
        self.see(node.value)
        if isinstance(node.ctx, ast.Load):
            self.protocol(node.value, ITERATION)

    # ------------------------------------------------------------------ statements

    def see_assign(self, node: ast.Assign) -> None:
        self.see(node.value)
        for target in node.targets:
            self.see(target)
            if isinstance(target, (ast.Tuple, ast.List)) and not isinstance(
                node.value, (ast.Tuple, ast.List)
            ):
                self.protocol(node.value, ITERATION)

    def see_ann_assign(self, node: ast.AnnAssign) -> None:
        self.see(node.target)
        self.see(node.annotation, "annotation")
        self.see(node.value)

    def see_for(self, node: ast.For | ast.AsyncFor) -> None:
        self.see(node.iter)
        before = self.bind_own([node.target])
        self.see(node.target)
        is_async = isinstance(node, ast.AsyncFor)
        self.protocol(node.iter, ("__aiter__", "__anext__") if is_async else ITERATION)
        if isinstance(node.target, (ast.Tuple, ast.List)):
            self.ask(self.inference.items(self.values(node.iter)), ITERATION, node.lineno)
        self.see_all(node.body + node.orelse)
        self.own_names = before

    def bind_own(self, targets: Iterable[ast.expr | None]) -> set[str]:
        """Note names that a statement at module level binds for its own body."""
        before = self.own_names
        names = {name for target in targets if target for name in target_names(target)}
        if self.scope.parent is None:
            self.own_names = before | names
        return before

    def see_with(self, node: ast.With | ast.AsyncWith) -> None:
        before = self.own_names
        for item in node.items:
            self.see(item.context_expr)
            self.bind_own([item.optional_vars])
            self.see(item.optional_vars)
            if isinstance(node, ast.AsyncWith):
                self.protocol(item.context_expr, ("__aenter__", "__aexit__"))
            else:
                self.protocol(item.context_expr, ("__enter__", "__exit__"))
        self.see_all(node.body)
        self.own_names = before

    def see_handler(self, node: ast.ExceptHandler) -> None:
        self.see(node.type, "test")
        self.see_all(node.body)

    def see_tuple(self, node: ast.Tuple | ast.List) -> None:
        role = self.role
        self.see_all(node.elts, role if role in ("test", "annotation", "base") else "value")

    def see_await(self, node: ast.Await) -> None:
        self.see(node.value)
        self.protocol(node.value, ("__await__",))

    def see_yield_from(self, node: ast.YieldFrom) -> None:
        self.see(node.value)
        self.protocol(node.value, (*ITERATION, "send", "throw", "close"))

    def see_match_class(self, node: ast.MatchClass) -> None:
        self.see(node.cls, "test")
        for name in node.kwd_attrs:
            self.use(MemberUse(None, name, "value", node.lineno))
        if node.patterns:
            self.use(MemberUse(None, "__match_args__", "value", node.lineno))
        self.see_all([*node.patterns, *node.kwd_patterns])

    def see_match_value(self, node: ast.MatchValue) -> None:
        self.see(node.value)
        self.use(ProtocolUse(None, EQUALITY, node.lineno))

    def see_match_mapping(self, node: ast.MatchMapping) -> None:
        self.see_all(node.keys)
        self.see_all(node.patterns)
        self.use(ProtocolUse(None, ("keys", "get", "__getitem__", "__len__"), node.lineno))

    def see_match_sequence(self, node: ast.MatchSequence) -> None:
        self.see_all(node.patterns)
        self.use(ProtocolUse(None, (*ITERATION, "__getitem__", "__len__"), node.lineno))

    def see_import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.use(ImportUse(self.module, node, node.lineno))

    # ------------------------------------------------------------------ nested scopes

    def see_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.see_all(node.decorator_list, "call")
        for index, decorator in enumerate(reversed(node.decorator_list)):
            self.decorated(decorator, None if index else node)
        self.see_signature(node)
        owner = self.scope.owner if self.scope.is_class else None
        scope = function_scope(node, self.scope, owner)
        if isinstance(returns := node.returns, ast.expr):
            self.see(returns, "annotation")
        self.see_type_params(scope, node)
        self.see_in(scope, node.body)

    def decorated(self, decorator: ast.expr, node: ast.AST | None = None) -> None:
        if decorator_name(decorator) in TRANSPARENT_DECORATORS:
            return
        values = self.values(decorator)
        self.ask(values, ("__call__", "__get__", "__set_name__"), decorator.lineno)
        if any(isinstance(v, FunctionValue) for v in values or ()):
            given: Values = None
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                owner = self.scope.owner if self.scope.is_class else None
                given = frozenset(
                    {FunctionValue(FunctionInfo(self.module, node, self.scope, owner))}
                )
            self.use(CallUse(values, (given,), (), False, False, decorator.lineno))

    def see_signature(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        args = node.args
        self.see_all([*args.defaults, *args.kw_defaults])
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
        self.see_all((arg.annotation for arg in every if arg is not None), "annotation")

    def see_type_params(self, scope: Scope, node: ast.AST) -> None:
        before, self.scope = self.scope, scope
        for param in getattr(node, "type_params", ()):
            self.see(getattr(param, "bound", None), "annotation")
            self.see(getattr(param, "default_value", None), "annotation")
        self.scope = before

    def see_lambda(self, node: ast.Lambda) -> None:
        self.see_signature(node)
        self.see_in(function_scope(node, self.scope, None), [node.body])

    def see_class(self, node: ast.ClassDef) -> None:
        info = nested_class(self.scope, self.unit, node)
        self.see_class_header(info)
        self.see_in(info.scope, node.body)

    def see_class_header(self, cls: ClassInfo) -> None:
        node = cls.node
        self.see_all(node.decorator_list)
        for decorator in node.decorator_list:
            self.decorated(decorator)
        self.see_all(node.bases, "base")
        self.see_all(keyword.value for keyword in node.keywords)
        self.see_type_params(cls.scope, node)

    def see_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> None:
        first, *others = node.generators
        self.see(first.iter)
        scope = comprehension_scope(node, self.scope)
        before, self.scope = self.scope, scope
        for generator in node.generators:
            asked = ("__aiter__", "__anext__") if generator.is_async else ITERATION
            self.protocol(generator.iter, asked)
            self.see(generator.target)
            for condition in generator.ifs:
                self.tested(condition)
        self.see_all(generator.iter for generator in others)
        if isinstance(node, ast.DictComp):
            self.see(node.key)
            self.see(node.value)
            self.protocol(node.key, EQUALITY)
        else:
            self.see(node.elt)
            if isinstance(node, ast.SetComp):
                self.protocol(node.elt, EQUALITY)
        self.scope = before


def platform_test(test: ast.expr, values: Callable[[ast.expr], Values]) -> bool | None:
    """What a test of the platform gives on this one; `None` for any other test."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            outcome = platform_test(inner, values)
            return None if outcome is None else not outcome
        case ast.BoolOp(op=op, values=[first, *_]):
            # `win and …` is false as soon as its first part is
            outcome = platform_test(first, values)
            return outcome if outcome is isinstance(op, ast.Or) else None
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=str(text))]):
            known = _platform_text(left, values)
            if known is None or not isinstance(op, (ast.Eq, ast.NotEq)):
                return None
            return (known == text) is isinstance(op, ast.Eq)
        case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Tuple(elts=parts)]):
            known = _platform_text(left, values)
            texts = [p.value for p in parts if isinstance(p, ast.Constant)]
            return None if known is None or len(texts) != len(parts) else known in texts
        case ast.Call(
            func=ast.Attribute(value=value, attr="startswith"), args=[ast.Constant(value=str(text))]
        ):
            known = _platform_text(value, values)
            return None if known is None else known.startswith(text)
        case _:
            return None


def _platform_text(node: ast.expr, values: Callable[[ast.expr], Values]) -> str | None:
    if not isinstance(node, (ast.Attribute, ast.Call, ast.Name)):
        return None
    for value in values(node.func if isinstance(node, ast.Call) else node) or ():
        match value, node:
            case External(name="sys.platform"), ast.Attribute() | ast.Name():
                return sys.platform
            case External(name="os.name"), ast.Attribute() | ast.Name():
                return os.name
            case External(name="platform.system"), ast.Call():
                return {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}.get(sys.platform)
            case _:
                continue
    return None


_OURS = (Instance, ClassValue, Parameter)
_WITH_MEMBERS = (Instance, ClassValue, ModuleValue, SuperValue, FunctionValue, Parameter)
_SPECIAL_ATTRIBUTES = frozenset({"__module__", "__globals__", "__code__", "__doc__"})


def _is_asked(value: Value, kinds: tuple[type, ...]) -> bool:
    """Whether the value is one of the kinds, or of a type outside that ours may derive from."""
    if isinstance(value, ExternalInstance):
        return value.is_declared or is_abstract(frozenset({value}))
    return isinstance(value, kinds)


def flattened(values: Iterable[Value]) -> Iterable[Value]:
    """The values, with the parts of tuples in place of these."""
    for value in values:
        if isinstance(value, TupleOf):
            for part in value.parts:
                yield from flattened(part or ())
        else:
            yield value


def mangled(name: str, scope: Scope | None) -> str:
    """A global name as Python looks it up inside a class: `__x` in class `C` is `_C__x`."""
    if not name.startswith("__") or name.endswith("__"):
        return name
    while scope is not None:
        if scope.owner is not None:
            return f"_{scope.owner.node.name.lstrip('_')}{name}"
        scope = scope.parent
    return name


def _builtin_name(values: Values) -> str:
    if values is not None and len(values) == 1:
        (value,) = values
        if isinstance(value, External):
            return value.name
    return ""


def _runs_text(module: Module) -> bool:
    """Whether the module may run text as code."""
    known = module.source.__dict__.get("_runs_text")
    if known is None:
        text = module.source.text
        known = any(call in text for call in ("exec(", "eval(", "compile("))
        module.source.__dict__["_runs_text"] = known
    return known


def _common_special(values: Values) -> Callable[[UseCollector, ast.Call], bool] | None:
    """What all of several callees have in common: the `TypeVar` of one module or of another."""
    found = {_SPECIAL.get(v.name) if isinstance(v, External) else None for v in values or ()}
    return found.pop() if len(found) == 1 else None


def _named_by(callee: str) -> list[str]:
    """Names that the standard module of a callee mentions; none where it may be any name."""
    parts = callee.replace("()", "").split(".")
    for length in range(len(parts) - 1, 0, -1):
        names = names_in_module(".".join(parts[:length]))
        if names is not None:
            return sorted(name for name in names if not name.startswith("_"))
    return []


def _external_protocol(name: str) -> tuple[str, ...] | None:
    """What an external callable asks its arguments for; `None` for anything."""
    module, _, short = name.rpartition(".")
    if module == "builtins":
        if short in BUILTIN_CALLS:
            return BUILTIN_CALLS[short]
        return TEXT if short.endswith(("Error", "Exception", "Warning", "Exit")) else None
    if module in ("copy", "pickle", "copyreg", "dill", "cloudpickle"):
        return _COPYING
    if module.removesuffix("()") in _CONTAINER_METHODS:
        if short in ("extend", "update", "union", "difference", "intersection"):
            return (*ITERATION, *EQUALITY, "__len__", "keys", "__getitem__")
        if module == "builtins.list" and short in _LIST_METHODS:
            return ()
        return ("__lt__", "__gt__") if short == "sort" else EQUALITY
    if short in ("__init__", "__new__", "__init_subclass__", "__class_getitem__", "__exit__"):
        return ()
    if module in ("builtins.str()", "builtins.str", "builtins.bytes()", "builtins.bytes"):
        return (*TEXT, *ITERATION, "__index__", "keys", "__getitem__")
    if module.startswith("builtins."):  # `KeyError.__str__(self)`
        return (*ITERATION, *EQUALITY, "__len__", "keys", "__getitem__")
    if name.split(".", maxsplit=1)[0] in QUIET_PACKAGES:
        return ()
    if (
        module == "gettext"
        or not QUIET_MODULES.isdisjoint((module.removesuffix("()"), _home(module)))
        or module.startswith("logging.")
    ):
        return (*TEXT, "__fspath__", "__index__", "__float__", *ITERATION)
    return None


def _home(module: str) -> str:
    """The module behind the result of one of its functions: `re` for `re.compile()`."""
    called, is_result, _ = module.partition("()")
    return called.rpartition(".")[0] if is_result else module


_COPYING = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__",
            "__setstate__", "__getnewargs__", "__getnewargs_ex__", "__new__",
            *EQUALITY)  # fmt: skip
_LIST_METHODS = frozenset({"append", "insert", "pop", "clear", "copy", "reverse"})
_CONTAINER_METHODS = frozenset(
    {"builtins.list", "builtins.dict", "builtins.set", "builtins.tuple", "builtins.frozenset",
     "collections.deque", "collections.OrderedDict", "collections.defaultdict",
     "collections.Counter", "builtins.iterator"}
)  # fmt: skip


def _is_text(values: Values) -> bool:
    return values is not None and values == frozenset({ExternalInstance("builtins.str")})


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_literal_type(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="Literal") | ast.Attribute(attr="Literal"):
            return True
        case _:
            return False


def _as_load(node: ast.expr) -> ast.expr:
    match node:
        case ast.Name(id=name):
            return ast.copy_location(ast.Name(name, ast.Load()), node)
        case ast.Attribute(value=value, attr=attr):
            return ast.copy_location(ast.Attribute(value, attr, ast.Load()), node)
        case ast.Subscript(value=value, slice=part):
            return ast.copy_location(ast.Subscript(value, part, ast.Load()), node)
        case _:
            return node


def name_patterns(node: ast.expr, scope: Scope, depth: int = 0) -> Sequence[tuple[str, str, bool]]:
    """What names a text expression can spell: (prefix, suffix, whether the prefix is the whole)."""
    match node:
        case ast.Constant(value=str(text)):
            return [(text, "", True)]
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Add()):
            return [(text, "", False)]
        case ast.BinOp(op=ast.Add(), right=ast.Constant(value=str(text))):
            return [("", text, False)]
        case ast.BinOp(left=ast.BinOp(left=ast.Constant(value=str(text))), op=ast.Add()):
            return [(text, "", False)]
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            return [(text.partition("%")[0], "", False)]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return [(text.partition("{")[0], "", False)]
        case ast.JoinedStr(values=[*parts]) if parts:
            first, last = parts[0], parts[-1]
            prefix = _constant_text(first)
            suffix = _constant_text(last) if len(parts) > 1 else ""
            return [(prefix, suffix, len(parts) == 1 and isinstance(first, ast.Constant))]
        case ast.IfExp(body=body, orelse=orelse):
            return [*name_patterns(body, scope, depth), *name_patterns(orelse, scope, depth)]
        case ast.Name(id=name) if depth < 3:
            return _bound_patterns(name, scope, depth)
        case ast.Subscript(value=ast.Name(id=name)) if depth < 3 and scope.lookup(name) is None:
            return _table_patterns(name, scope, depth)
        case _:
            return [("", "", False)]


def texts_of(node: ast.expr, scope: Scope) -> list[str]:
    """Texts that an expression may be: a literal, or a name for literals."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Name(id=name):
            holder = scope.lookup(name)
            if holder is not None:
                values = [binder.value for binder in holder.binders[name]]
            else:
                units = scope.module.bindings.get(name, ())
                values = [getattr(unit.node, "value", None) for unit in units]
            return [v.value for v in values
                    if isinstance(v, ast.Constant) and isinstance(v.value, str)]  # fmt: skip
        case _:
            return []


def _constant_text(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case _:
            return ""


def _table_patterns(name: str, scope: Scope, depth: int) -> Sequence[tuple[str, str, bool]]:
    """The values of a module-level dictionary or list display."""
    for unit in scope.module.bindings.get(name, ()):
        match getattr(unit.node, "value", None):
            case ast.Dict(values=values) | ast.List(elts=values) | ast.Tuple(elts=values):
                module = module_scope(scope.module)
                return [p for value in values for p in name_patterns(value, module, depth + 1)]
            case _:
                continue
    return [("", "", False)]


def _bound_patterns(name: str, scope: Scope, depth: int) -> Sequence[tuple[str, str, bool]]:
    holder = scope.lookup(name)
    anything = [("", "", False)]
    if holder is None:
        for unit in scope.module.bindings.get(name, ()):
            match unit.nodes:
                case (ast.Assign(value=value),):
                    return name_patterns(value, module_scope(scope.module), depth + 1)
                case _:
                    continue
        return anything
    found: list[tuple[str, str, bool]] = []
    for binder in holder.binders[name]:
        match binder.kind, binder.value:
            case "value", ast.expr() as value if not binder.path:
                found += name_patterns(value, holder, depth + 1)
            case "item", (ast.Tuple() | ast.List() | ast.Set()) as display:
                for element in display.elts:
                    for index in binder.path:
                        if isinstance(element, ast.Tuple) and 0 <= index < len(element.elts):
                            element = element.elts[index]  # noqa: PLW2901
                    found += name_patterns(element, holder, depth + 1)
            case _:
                return anything
    return found


_SPECIAL = {
    **dict.fromkeys(
        ("builtins.getattr", "builtins.setattr", "builtins.hasattr", "builtins.delattr",
         "builtins.object.__getattribute__", "builtins.object.__setattr__",
         "inspect.getattr_static"), UseCollector.call_getattr),
    **dict.fromkeys(("builtins.isinstance", "builtins.issubclass"), UseCollector.call_isinstance),
    **dict.fromkeys(
        tuple(f"builtins.{name}" for name in sorted(_SPECIAL_CALLS)), UseCollector.call_scope),
    **dict.fromkeys(("importlib.import_module", "builtins.__import__"), UseCollector.call_import),
    **dict.fromkeys(("operator.attrgetter", "operator.methodcaller"), UseCollector.call_attrgetter),
    **dict.fromkeys(("typing.TypeVar", "typing_extensions.TypeVar", "typing.NewType"),
                    UseCollector.call_typevar),
    "typing.cast": UseCollector.call_cast,
    "builtins.super": UseCollector.call_super,
}  # fmt: skip

_VISITORS: dict[type[ast.AST], Callable[[UseCollector, Any], None]] = {
    ast.Name: UseCollector.see_name,
    ast.Attribute: UseCollector.see_attribute,
    ast.Constant: UseCollector.see_constant,
    ast.Expr: UseCollector.see_expression,
    ast.Subscript: UseCollector.see_subscript,
    ast.Call: UseCollector.see_call,
    ast.BinOp: UseCollector.see_bin_op,
    ast.AugAssign: UseCollector.see_aug_assign,
    ast.UnaryOp: UseCollector.see_unary_op,
    ast.Compare: UseCollector.see_compare,
    ast.BoolOp: UseCollector.see_bool_op,
    ast.If: UseCollector.see_if,
    ast.IfExp: UseCollector.see_if,
    ast.While: UseCollector.see_if,
    ast.Assert: UseCollector.see_assert,
    ast.FormattedValue: UseCollector.see_formatted,
    ast.Dict: UseCollector.see_display,
    ast.Set: UseCollector.see_display,
    ast.Starred: UseCollector.see_starred,
    ast.Assign: UseCollector.see_assign,
    ast.AnnAssign: UseCollector.see_ann_assign,
    ast.For: UseCollector.see_for,
    ast.AsyncFor: UseCollector.see_for,
    ast.With: UseCollector.see_with,
    ast.AsyncWith: UseCollector.see_with,
    ast.ExceptHandler: UseCollector.see_handler,
    ast.Tuple: UseCollector.see_tuple,
    ast.List: UseCollector.see_tuple,
    ast.Await: UseCollector.see_await,
    ast.YieldFrom: UseCollector.see_yield_from,
    ast.MatchClass: UseCollector.see_match_class,
    ast.MatchValue: UseCollector.see_match_value,
    ast.MatchMapping: UseCollector.see_match_mapping,
    ast.MatchSequence: UseCollector.see_match_sequence,
    ast.Import: UseCollector.see_import,
    ast.ImportFrom: UseCollector.see_import,
    ast.FunctionDef: UseCollector.see_function,
    ast.AsyncFunctionDef: UseCollector.see_function,
    ast.Lambda: UseCollector.see_lambda,
    ast.ClassDef: UseCollector.see_class,
    ast.ListComp: UseCollector.see_comprehension,
    ast.SetComp: UseCollector.see_comprehension,
    ast.GeneratorExp: UseCollector.see_comprehension,
    ast.DictComp: UseCollector.see_comprehension,
}
