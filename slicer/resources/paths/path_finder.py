"""Find every path expression of the kept code that leads to a place in the repository.

Only the outermost expression of a path counts, where it is used: `HERE = Path(__file__).parent`
reads nothing, `HERE / "x.json"` reads one file, and `open(HERE / name)` may read any file below.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...analysis.scopes.definitions import (
    ClassInfo,
    ComprehensionNode,
    Scope,
    comprehension_scope,
    function_scope,
    module_class,
    module_scope,
    nested_class,
)
from ...analysis.values.texts import Text, Texts, is_place
from ...repo.repository import Module
from ...repo.units import Unit
from ...syntax.nodes import children, defaults_of
from .path_statements import BEGINNINGS, KeptStatement
from .paths import Paths

_SEARCH_PATHS = frozenset(
    "sys.path.insert sys.path.append sys.path.extend sys.path.remove sys.path.index "
    "sys.path.count site.addsitedir".split()
)
_READ_NOTHING = frozenset(
    "os.makedirs os.mkdir os.path.relpath os.path.commonpath os.path.commonprefix builtins.print "
    "builtins.isinstance builtins.len builtins.repr builtins.hash warnings.warn".split()
)
_METHODS_READ_NOTHING = frozenset(
    "mkdir relative_to is_relative_to startswith endswith debug info warning error exception "
    "critical".split()
)
_OPENERS = frozenset(
    "builtins.open io.open os.stat os.path.getsize os.path.getmtime shutil.copy shutil.copyfile "
    "tokenize.open linecache.getlines".split()
)
_METHODS_THAT_OPEN = frozenset({"open", "read_text", "read_bytes", "stat"})


@dataclass(frozen=True, slots=True)
class Read:
    """A place that the kept code may read."""

    place: Text
    path: str
    """Path of the file whose code reads it."""
    line: int
    is_bound: bool
    """Whether a name is bound to the place here; its uses then show what is read."""


class Finder:
    """Walks kept statements, scope by scope."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self.shows_file = False
        self.extends_path = False
        self._count = 0
        """Number of places found so far."""
        self.walked: set[KeptStatement] = set()
        self.holders: set[str] = set()
        """Names, attributes and functions that hold or return a path, or read one."""
        self.itself: dict[tuple[str, int], None] = {}
        """Path and line where code opens its own file."""
        self._reads: dict[Read, None] = {}
        self._returned: dict[tuple[str, str], list[Read]] = {}
        """Places that module-level functions return; they are read where the function is called."""
        self._passed_on: set[tuple[str, str]] = set()
        """Functions that are used in other ways than by a call."""
        self._module: Module
        self._unit: Unit
        self._function: tuple[str, str] | None = None

    def found(self) -> Iterator[Read]:
        """Yield every read, in the order of modules and statements."""
        yield from self._reads
        for key in sorted(self._passed_on):
            yield from self._returned.get(key, ())

    # ------------------------------------------------------------------ statements

    def walk(self, part: KeptStatement) -> None:
        """Find the paths in a statement."""
        self.walked.add(part)
        self._module, self._unit = part.module, part.unit
        before = self._count
        if part.unit.kind == "import":
            for node in part.unit.nodes:
                self._import(node)
        elif part.cls is None:
            for node in part.unit.nodes:
                self._visit(node, module_scope(part.module))
        elif part.member is None:
            self._class_header(part.cls)
        else:
            for node in part.member.nodes:
                self._visit(node, part.cls.scope)
        statement = part.member or part.unit
        if self._count > before and (
            statement.kind in ("variable", "statement")
            or getattr(statement.node, "decorator_list", ())
        ):
            self.holders.update(statement.binds)

    def _import(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            reads = isinstance(node, ast.ImportFrom) and BEGINNINGS.search(node.module or "")
            for alias in node.names:
                if reads or alias.name in self.holders or BEGINNINGS.search(alias.name):
                    self.holders.add(alias.asname or alias.name)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._def(node, scope)
            case ast.Lambda():
                self._defaults(node.args, scope)
                self._visit(node.body, function_scope(node, scope, None))
            case ast.ClassDef():
                if scope.parent is None and node in self._unit.nodes:
                    cls = module_class(self._module, self._unit, node)
                else:
                    cls = nested_class(scope, self._unit, node)
                self._class_header(cls)
                for statement in node.body:
                    self._visit(statement, cls.scope)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, scope)
            case ast.Assign():
                for target in node.targets:
                    self._visit(target, scope)
                self._bind(node.value, scope, node.targets)
            case ast.AnnAssign(value=ast.expr() as value):
                self._visit(node.target, scope)
                self._bind(value, scope, [node.target])
            case ast.AnnAssign():
                return
            case ast.Return(value=ast.expr() as value):
                if self._function:
                    self._bind(value, scope)
                else:
                    self._visit(value, scope)
            case ast.expr():
                self._expression(node, scope)
            case _:
                for child in children(node):
                    self._visit(child, scope)

    def _def(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        for decorator in node.decorator_list:
            self._visit(decorator, scope)
        self._defaults(node.args, scope)
        owner = scope.owner if scope.is_class else None
        inner = function_scope(node, scope, owner)
        before = self._function
        traced = (
            scope.parent is None
            and isinstance(node, ast.FunctionDef)
            and all(_is_cache(decorator) for decorator in node.decorator_list)
        )
        self._function = (self._module.name, node.name) if traced else None
        for statement in node.body:
            self._visit(statement, inner)
        self._function = before

    def _defaults(self, args: ast.arguments, scope: Scope) -> None:
        for _, default in defaults_of(args):
            before, self._function = self._function, None
            self._bind(default, scope)
            self._function = before

    def _class_header(self, cls: ClassInfo) -> None:
        node = cls.node
        for part in [*node.decorator_list, *node.bases, *(k.value for k in node.keywords)]:
            self._visit(part, cls.enclosing)

    def _comprehension(self, node: ComprehensionNode, scope: Scope) -> None:
        inner = comprehension_scope(node, scope)
        for number, generator in enumerate(node.generators):
            self._visit(generator.iter, inner if number else scope)
            for condition in generator.ifs:
                self._visit(condition, inner)
        for field in ("elt", "key", "value"):
            part = getattr(node, field, None)
            if isinstance(part, ast.expr):
                self._visit(part, inner)

    def _bind(self, value: ast.expr, scope: Scope, targets: Sequence[ast.expr] = ()) -> None:
        """Record a value that a name, attribute, parameter or caller receives."""
        before = self._count
        texts = self.paths.evaluate(value, scope)
        if isinstance(value, (ast.Tuple, ast.List)):
            for part in value.elts:
                self._bind(part, scope)
        elif is_place(texts):
            self._record(texts, value, is_bound=True)
            self._consume(value, scope)
        else:
            self._visit(value, scope)
        if self._count > before:
            self.holders.update(_bound_names(targets, scope))

    # ------------------------------------------------------------------ expressions

    def _expression(self, node: ast.expr, scope: Scope) -> None:
        if isinstance(node, ast.Constant) or not isinstance(getattr(node, "ctx", _LOAD), ast.Load):
            self._children(node, scope)
            return
        texts = self.paths.evaluate(node, scope)
        if is_place(texts):
            self._record(texts, node, is_bound=False)
        if self._is_known(node, scope):
            self._consume(node, scope)
            return
        match node:
            case ast.Call():
                self._call(node, scope)
            case ast.Compare():
                self._consume(node, scope)
            case ast.Name() | ast.Attribute():
                function = self.paths.local_function(node, scope)
                if function is not None:
                    self._passed_on.add((function[0].name, function[1]))
                self._mention(node)
                self._children(node, scope)
            case _:
                self._children(node, scope)

    def _call(self, node: ast.Call, scope: Scope) -> None:
        names = self.paths.external_names(node.func, scope)
        if any(name in _SEARCH_PATHS for name in names):
            self.extends_path = True
            return
        if self.paths.local_function(node.func, scope) is None:
            self._visit(node.func, scope)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        read = self.paths.resources.reads(node, scope)
        if is_place(read):
            self._record(read, node, is_bound=False)
        self._note_itself(node, names, scope)
        located = self._located_files(arguments, scope)
        if located:
            self._record(located, node, is_bound=False)
        silent = any(name in _READ_NOTHING for name in names) or (
            isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS_READ_NOTHING
        )
        for argument in arguments:
            if silent and is_place(self.paths.evaluate(argument, scope)):
                self._consume(argument, scope)
            else:
                self._visit(argument, scope)

    def _note_itself(self, node: ast.Call, names: Sequence[str], scope: Scope) -> None:
        """Record a call that opens its own file, or tests what is in it."""
        opened = node.args[:1] if not _OPENERS.isdisjoint(names) else []
        if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS_THAT_OPEN:
            opened = [*opened, node.func.value]
        places = [text for part in opened for text in self.paths.evaluate(part, scope)]
        if any(text.is_place and text.path == self._module.path for text in places):
            self.itself.setdefault((self._module.path, node.lineno))

    def _located_files(self, arguments: Sequence[ast.expr], scope: Scope) -> Texts:
        """Return files that one argument names and another locates: `load("x.json", __file__)`."""
        names = [a.value for a in arguments if isinstance(a, ast.Constant)]
        names = [name for name in names if isinstance(name, str) and _FILE.fullmatch(name)]
        places = [
            text
            for argument in (arguments if names else ())
            if not isinstance(argument, ast.Constant)
            for text in self.paths.evaluate(argument, scope)
            if text.is_place and not text.is_open
        ]
        repository = self.paths.inference.repository
        folders = [
            text.text.rpartition("/")[0] if text.text.endswith(".py") else text.text
            for text in places
        ]
        found = (Text(f"{folder}/{name}") for folder in folders for name in names)
        return tuple(text for text in found if repository.is_file(text.path))

    def _consume(self, node: ast.expr, scope: Scope) -> None:
        """Walk below an expression whose own value is already recorded."""
        self._mention(node)
        for part in _operands(node):
            if self._is_known(part, scope) or _is_part_of_path(part):
                self._consume(part, scope)
            else:
                self._visit(part, scope)

    def _is_known(self, node: ast.expr, scope: Scope) -> bool:
        texts = self.paths.evaluate(node, scope)
        return is_place(texts) or not any(text.is_open for text in texts)

    def _children(self, node: ast.expr, scope: Scope) -> None:
        for child in children(node):
            self._visit(child, scope)

    def _mention(self, node: ast.expr) -> None:
        match node:
            case ast.Name(id="__file__") | ast.Attribute(attr="__file__"):
                self.shows_file = True
            case _:
                return

    def _record(self, texts: Texts, node: ast.expr, *, is_bound: bool) -> None:
        self._count += 1
        for text in texts:
            if text.is_place:
                read = Read(text, self._module.path, node.lineno, is_bound)
                if is_bound and self._function:
                    used = Read(text, self._module.path, node.lineno, is_bound=False)
                    self._returned.setdefault(self._function, []).append(used)
                    self.holders.add(self._function[1])
                if not (is_bound and text.is_open):
                    self._reads.setdefault(read)


_LOAD = ast.Load()
_FILE = re.compile(r"[\w-][\w./ -]*\.\w+")
"""A text that may be a file path with an extension."""


def _bound_names(targets: Sequence[ast.expr], scope: Scope) -> Iterator[str]:
    """Yield names and attributes that other statements can see."""
    for target in targets:
        match target:
            case ast.Name(id=name):
                if scope.parent is None or scope.is_class or name in scope.module_names:
                    yield name
            case ast.Attribute(attr=name):
                yield name
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                yield from _bound_names(parts, scope)
            case _:
                continue


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the operands of an expression."""
    match node:
        case ast.Call(func=func):
            if isinstance(func, ast.Attribute):
                yield func.value
            yield from node.args
            yield from (keyword.value for keyword in node.keywords)
        case ast.Lambda():
            return
        case _:
            for child in children(node):
                if isinstance(child, ast.expr):
                    yield child


def _is_part_of_path(node: ast.expr) -> bool:
    """Whether the expression has a meaning only inside the enclosing path expression."""
    match node:
        case ast.FormattedValue() | ast.Tuple() | ast.Attribute(attr="parents"):
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ("split", "rsplit", "splitext", "partition", "rpartition")
        case _:
            return False


def _is_cache(decorator: ast.expr) -> bool:
    func = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return name in ("cache", "lru_cache")
