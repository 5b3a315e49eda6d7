"""What text an expression gives, as far as it is known: the paths and names that code reads by.

A small evaluator by demand over constants, `__file__`, `pathlib`, `os.path` and
`importlib.resources`. Files of the repository are texts below an imaginary root, so that the rules
of POSIX paths apply to them; whatever is not understood is a text of which nothing is known.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .definitions import (
    Binder,
    ClassInfo,
    FunctionInfo,
    Scope,
    function_scope,
    module_scope,
    unit_scope,
)
from .infer import Inference
from .names import Bound, FromStar, ImportedName
from .repository import Module, Namespace
from .values import ClassValue, External, FunctionValue, Instance, ModuleValue

ROOT = "/\0"
"""Stands for the repository's folder; no real path holds a NUL."""
_MOST = 64
"""Alternatives of one expression that are followed."""
_DEEPEST = 6
"""Calls of local functions that are followed inside each other."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string or path, or its known beginning."""

    text: str
    is_open: bool = False
    """Whether unknown characters follow."""

    @property
    def is_place(self) -> bool:
        """Whether it names something in the repository."""
        return self.text == ROOT or self.text.startswith(ROOT + "/")


UNKNOWN = Text("", is_open=True)
Texts = tuple[Text, ...]
NOTHING_KNOWN: Texts = (UNKNOWN,)


def any_of(texts: Iterable[Text]) -> Texts:
    """Alternatives, each once; nothing known where there is none."""
    found = tuple(dict.fromkeys(texts))[:_MOST]
    return found or NOTHING_KNOWN


def is_place(texts: Texts) -> bool:
    """Whether one of the alternatives names something in the repository."""
    return any(text.is_place for text in texts)


def _mapped(texts: Texts, change: Callable[[str], str], *, closed: bool = False) -> Texts:
    """Alternatives with known texts changed; open ones stay, or are given up."""
    return any_of(
        Text(change(item.text)) if not item.is_open else (UNKNOWN if closed else item)
        for item in texts
    )


def joined(first: Texts, second: Texts, *, as_path: bool) -> Texts:
    """Both texts one after the other, or joined as parts of a path."""
    found: list[Text] = []
    for left in first:
        for right in second:
            if as_path and right.text.startswith("/"):
                found.append(right)
            elif left.is_open:
                found.append(left)
            elif as_path:
                found.append(Text(posixpath.join(left.text, right.text), right.is_open))
            else:
                found.append(Text(left.text + right.text, right.is_open))
    return any_of(found)


class Paths:
    """Evaluation of text for one slice; remembers what it has seen."""

    def __init__(self, inference: Inference, classes: Iterable[ClassInfo]) -> None:
        self.inference = inference
        self.names = inference.names
        self.repository = inference.repository
        self.packages: dict[tuple[str, str], Module | Namespace | str] = {}
        """(importing module, package) → what resources are read from; a folder where it is bare."""
        self._classes = tuple(classes)
        self._memo: dict[tuple[str, ast.AST], Texts] = {}
        self._active: set[tuple[str, ast.AST]] = set()
        self._globals: dict[tuple[str, str, str], Texts] = {}
        self._arguments: dict[tuple[Scope, str], Texts] = {}
        self._attributes: dict[str, list[tuple[ast.expr, Scope]]] | None = None
        self._depth = 0

    # ------------------------------------------------------------------ expressions

    def evaluate(self, node: ast.expr, scope: Scope) -> Texts:
        """The texts that an expression may give."""
        method = _EVALUATORS.get(type(node))
        if method is None:
            return NOTHING_KNOWN
        key = (scope.module.name, node)
        if key in self._memo and not self._arguments:
            return self._memo[key]
        if key in self._active:
            return NOTHING_KNOWN  # an expression that leads back to itself
        self._active.add(key)
        texts = method(self, node, scope)
        self._active.remove(key)
        if not self._arguments:
            self._memo[key] = texts
        return texts

    def _constant(self, node: ast.Constant, scope: Scope) -> Texts:
        return (Text(node.value),) if isinstance(node.value, str) else NOTHING_KNOWN

    def _name(self, node: ast.Name, scope: Scope) -> Texts:
        holder = scope.lookup(node.id)
        if holder is None:
            binders = self._global_binders(scope.module, node.id) if scope.parent is None else []
            if len(binders) > 1:
                return self._bound(reaching(binders, scope, node.lineno), node.id, scope)
            return self.global_texts(scope.module, node.id)
        key = (holder, node.id)
        if key in self._arguments:
            return self._arguments[key]
        binders = holder.binders[node.id]
        if len(binders) > 1:
            binders = reaching(binders, holder, node.lineno if holder is scope else None)
        return self._bound(binders, node.id, holder)

    def global_texts(self, module: Module, name: str) -> Texts:
        """The texts of a module's name."""
        key = (module.path, module.name, name)
        known = self._globals.get(key)
        if known is None:
            self._globals[key] = NOTHING_KNOWN  # names that lead back to themselves
            known = self._globals[key] = self._global_texts(module, name)
        return known

    def _global_texts(self, module: Module, name: str) -> Texts:
        match self.names.lookup(module, name):
            case Bound():
                scope = module_scope(module)
                return self._bound(reaching(self._global_binders(module, name), scope), name, scope)
            case FromStar(local=local):
                return any_of(t for _, _, source in local for t in self.global_texts(source, name))
            case _:
                return _own_names(module).get(name, NOTHING_KNOWN)

    def _bound(self, binders: list[Binder], name: str, scope: Scope) -> Texts:
        return any_of(text for binder in binders for text in self._binder(binder, name, scope))

    def _binder(self, binder: Binder, name: str, scope: Scope) -> Texts:
        match binder.kind:
            case "value" | "enter" if binder.value is not None:
                return self._unpacked(binder.value, binder.path, scope)
            case "item" if binder.value is not None:
                parts = self._items(binder.value, scope)
                return any_of(t for part in parts for t in self._unpacked(part, binder.path, scope))
            case "annotated" if isinstance(binder.node, ast.AnnAssign) and binder.node.value:
                return self.evaluate(binder.node.value, scope)
            case "parameter" if isinstance(binder.node, ast.arg):
                default = _default(scope.node, binder.node)
                if default is None or scope.parent is None:
                    return NOTHING_KNOWN
                return any_of((*self.evaluate(default, scope.parent), UNKNOWN))
            case "import" if isinstance(binder.node, (ast.Import, ast.ImportFrom)):
                return self._imported(binder.node, name, scope.module)
            case _:
                return NOTHING_KNOWN

    def _unpacked(self, value: ast.expr, path: tuple[int, ...], scope: Scope) -> Texts:
        if not path:
            return self.evaluate(value, scope)
        match value:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if 0 <= path[0] < len(parts):
                return self._unpacked(parts[path[0]], path[1:], scope)
            case ast.Call() if len(path) == 1:
                return self._part(value, path[0], scope)
            case _:
                return NOTHING_KNOWN

    def _items(self, value: ast.expr, scope: Scope) -> tuple[ast.expr, ...]:
        """The elements of a literal, also of one that a name is bound to once."""
        match value:
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return tuple(parts)
            case ast.Dict(keys=keys):
                return tuple(key for key in keys if key is not None)
            case ast.Name(id=name):
                holder = scope.lookup(name)
                binders = (
                    holder.binders[name] if holder else self._global_binders(scope.module, name)
                )
                if len(binders) == 1 and binders[0].kind == "value" and not binders[0].path:
                    literal = binders[0].value
                    if isinstance(literal, (ast.Tuple, ast.List, ast.Set, ast.Dict)):
                        return self._items(literal, scope)
                return ()
            case _:
                return ()

    def _global_binders(self, module: Module, name: str) -> list[Binder]:
        units = [u for u in module.bindings.get(name, ()) if u.kind not in ("function", "class")]
        return [b for unit in units for b in unit_scope(module, unit).binders.get(name, [])]

    def _imported(self, node: ast.Import | ast.ImportFrom, name: str, module: Module) -> Texts:
        found: list[Text] = []
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                match self.names.imported(module, node, alias):
                    case ImportedName(module=source, name=origin) if source is not module:
                        found += self.global_texts(source, origin)
                    case _:
                        continue
        return any_of(found)

    # ------------------------------------------------------------------ operators

    def _binary(self, node: ast.BinOp, scope: Scope) -> Texts:
        match node.op:
            case ast.Div() | ast.Add():
                left = self.evaluate(node.left, scope)
                right = self.evaluate(node.right, scope)
                return joined(left, right, as_path=isinstance(node.op, ast.Div))
            case ast.Mod():
                values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
                return self._filled(self.evaluate(node.left, scope), "%s", values, scope)
            case _:
                return NOTHING_KNOWN

    def _filled(
        self, templates: Texts, hole: str, values: Iterable[ast.expr], scope: Scope
    ) -> Texts:
        found: list[Text] = []
        for template in templates:
            head, *rest = template.text.split(hole)
            texts: Texts = (Text(head, template.is_open and not rest),)
            filling = iter(values)
            for piece in rest:
                value = next(filling, None)
                part = self.evaluate(value, scope) if value is not None else NOTHING_KNOWN
                texts = joined(joined(texts, part, as_path=False), (Text(piece),), as_path=False)
            found += texts
        return any_of(found)

    def _formatted(self, node: ast.JoinedStr, scope: Scope) -> Texts:
        texts: Texts = (Text(""),)
        for part in node.values:
            value = part.value if isinstance(part, ast.FormattedValue) else part
            plain = not isinstance(part, ast.FormattedValue) or part.format_spec is None
            known = self.evaluate(value, scope) if plain else NOTHING_KNOWN
            texts = joined(texts, known, as_path=False)
        return texts

    def _choice(self, node: ast.IfExp, scope: Scope) -> Texts:
        return any_of((*self.evaluate(node.body, scope), *self.evaluate(node.orelse, scope)))

    def _either(self, node: ast.BoolOp, scope: Scope) -> Texts:
        return any_of(text for value in node.values for text in self.evaluate(value, scope))

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> Texts:
        return self.evaluate(node.value, scope)

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Texts:
        match node.slice:
            case ast.Constant(value=int(index)):
                match node.value:
                    case ast.Attribute(value=path, attr="parents"):
                        texts = self.evaluate(path, scope)
                        for _ in range(index + 1):
                            texts = _mapped(texts, posixpath.dirname)
                        return texts
                    case ast.Call() as call:
                        return self._part(call, index, scope)
                    case _:
                        return NOTHING_KNOWN
            case ast.Slice(lower=None, step=None, upper=upper):
                stop = _integer(upper)
                if stop is not None:
                    return _mapped(
                        self.evaluate(node.value, scope), lambda t: t[:stop], closed=True
                    )
                return NOTHING_KNOWN
            case _:
                return NOTHING_KNOWN

    def _part(self, call: ast.Call, index: int, scope: Scope) -> Texts:
        """One part of what `os.path.split`, `splitext`, `str.split` and their like give."""
        match call:
            case ast.Call(
                func=ast.Attribute(
                    value=text, attr="split" | "rsplit" | "partition" | "rpartition" as name
                ),
                args=[ast.Constant(value=str(separator)), *more],
            ):
                count = _integer(more[0]) if more else None
                limit = () if count is None else (count,)

                def taken(known: str) -> str:
                    parts = getattr(known, name)(separator, *limit)
                    return parts[index] if -len(parts) <= index < len(parts) else known

                return _mapped(self.evaluate(text, scope), taken, closed=True)
            case ast.Call(args=[path]):
                split = next((_SPLITTERS[n] for n in self.external_names(call.func, scope)
                              if n in _SPLITTERS), None)  # fmt: skip
                if split is not None and index in (-2, -1, 0, 1):
                    return _mapped(self.evaluate(path, scope), lambda text: split(text)[index])
                return NOTHING_KNOWN
            case _:
                return NOTHING_KNOWN

    # ------------------------------------------------------------------ attributes

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Texts:
        match node.attr:
            case "parent":
                return _mapped(self.evaluate(node.value, scope), posixpath.dirname)
            case "name" | "stem" | "suffix":
                known = self.evaluate(node.value, scope)
                if is_place(known):
                    return _mapped(known, _NAME_PARTS[node.attr], closed=True)
            case _:
                pass
        found: list[Text] = []
        values = self._receivers(node.value, scope)
        if values is None:
            for expression, place in self._by_attribute(node.attr):
                found += self.evaluate(expression, place)
            return any_of(found)
        for value in values:
            match value:
                case ModuleValue(module=Module() as module):
                    found += _own_names(module).get(node.attr, ()) or self.global_texts(
                        module, node.attr
                    )
                case Instance(cls=cls) | ClassValue(cls=cls):
                    for owner in self.inference.mro(cls):
                        for expression, place in _class_bindings(owner, node.attr):
                            found += self.evaluate(expression, place)
                case _:
                    continue
        return any_of(found)

    def _receivers(self, node: ast.expr, scope: Scope) -> frozenset[object] | None:
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.inference.evaluate(node, scope)
        return None

    def _by_attribute(self, name: str) -> list[tuple[ast.expr, Scope]]:
        """What the slice's classes assign to an attribute, for receivers that are not known."""
        if self._attributes is None:
            table: dict[str, list[tuple[ast.expr, Scope]]] = {}
            for cls in self._classes:
                for attribute in {*cls.table, *cls.self_assignments}:
                    table.setdefault(attribute, []).extend(_class_bindings(cls, attribute))
            self._attributes = table
        return self._attributes.get(name, [])

    # ------------------------------------------------------------------ calls

    def external_names(self, func: ast.expr, scope: Scope) -> tuple[str, ...]:
        """Dotted names of the external functions that an expression may be."""
        values = self._receivers(func, scope) or ()
        return tuple(sorted(value.name for value in values if isinstance(value, External)))

    def _call(self, node: ast.Call, scope: Scope) -> Texts:
        func, args = node.func, node.args
        if isinstance(func, ast.Attribute):
            if func.attr == "enter_context" and len(args) == 1:
                return self.evaluate(args[0], scope)
            if func.attr in _METHODS:
                texts = self.evaluate(func.value, scope)
                if texts != NOTHING_KNOWN:
                    return self._method(func.attr, texts, args, scope)
        for name in self.external_names(func, scope):
            texts = self._external(name, args, scope)
            if texts != NOTHING_KNOWN:
                return texts
        found = self.local_function(func, scope)
        return self._returned(*found, node, scope) if found else NOTHING_KNOWN

    def _method(self, name: str, texts: Texts, args: list[ast.expr], scope: Scope) -> Texts:
        known = [self.evaluate(arg, scope) for arg in args]
        match name, known:
            case "joinpath", parts:
                for part in parts:
                    texts = joined(texts, part, as_path=True)
                return texts
            case "with_name", [part]:
                return joined(_mapped(texts, posixpath.dirname), part, as_path=True)
            case "with_suffix", [part]:
                stems = _mapped(texts, lambda text: posixpath.splitext(text)[0])
                return joined(stems, part, as_path=False)
            case "format", _:
                return self._filled(texts, "{}", args, scope)
            case "replace", [(Text(is_open=False) as old,), (Text(is_open=False) as new,)]:
                return _mapped(texts, lambda text: text.replace(old.text, new.text), closed=True)
            case "removesuffix", [(Text(is_open=False) as end,)]:
                return _mapped(texts, lambda text: text.removesuffix(end.text), closed=True)
            case "rstrip", [(Text(is_open=False) as end,)]:
                return _mapped(texts, lambda text: text.rstrip(end.text), closed=True)
            case (("resolve" | "absolute" | "expanduser" | "as_posix" | "__str__" | "strip"), _):
                return texts
            case _:
                return NOTHING_KNOWN

    def _external(self, name: str, args: list[ast.expr], scope: Scope) -> Texts:
        if name in _JOINERS and args:
            texts = self.evaluate(args[0], scope)
            for arg in args[1:]:
                texts = joined(texts, self.evaluate(arg, scope), as_path=True)
            return texts
        if name in _SAME and args:
            return self.evaluate(args[0], scope)
        if name in _CHANGES and len(args) == 1:
            return _mapped(self.evaluate(args[0], scope), _CHANGES[name])
        if name in SOURCE_FILES and args:
            return self._source_file(args[0], scope)
        if name in _LOCATORS:
            return self._resource(args, scope)
        return NOTHING_KNOWN

    def _source_file(self, node: ast.expr, scope: Scope) -> Texts:
        """The file of the module that defines an object; of a frame or lambda, this module's."""
        if isinstance(node, (ast.Call, ast.Lambda)):
            return (Text(f"{ROOT}/{scope.module.path}"),)
        found: list[Text] = []
        for value in self._receivers(node, scope) or ():
            match value:
                case (
                    ModuleValue(module=Module() as module)
                    | ClassValue(cls=ClassInfo(module=module))
                    | Instance(cls=ClassInfo(module=module))
                    | FunctionValue(function=FunctionInfo(module=module))
                ):
                    found.append(Text(f"{ROOT}/{module.path}"))
                case _:
                    continue
        return any_of(found)

    def local_function(self, func: ast.expr, scope: Scope) -> tuple[Module, str] | None:
        """The module-level function of the repository that an expression names."""
        match func:
            case ast.Name(id=name) if scope.lookup(name) is None:
                return self._function_of(scope.module, name)
            case ast.Attribute(value=ast.Name() | ast.Attribute() as value, attr=name):
                for found in self.inference.evaluate(value, scope) or ():
                    if isinstance(found, ModuleValue) and isinstance(found.module, Module):
                        return self._function_of(found.module, name)
                return None
            case _:
                return None

    def _function_of(self, module: Module, name: str) -> tuple[Module, str] | None:
        for _ in range(8):
            match self.names.lookup(module, name):
                case Bound(units=(unit,)) if unit.kind == "function":
                    return (module, name)
                case Bound(units=(unit,)) if unit.kind == "import":
                    binder = next(iter(unit_scope(module, unit).binders.get(name, [])), None)
                    found = self._import_source(binder, name, module) if binder else None
                    if found is None:
                        return None
                    module, name = found
                case FromStar(local=[(_, _, source)]):
                    module = source
                case _:
                    return None
        return None

    def _import_source(
        self, binder: Binder, name: str, module: Module
    ) -> tuple[Module, str] | None:
        node = binder.node
        if not isinstance(node, ast.ImportFrom):
            return None
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                match self.names.imported(module, node, alias):
                    case ImportedName(module=source, name=origin) if source is not module:
                        return source, origin
                    case _:
                        return None
        return None

    def _returned(self, module: Module, name: str, call: ast.Call, caller: Scope) -> Texts:
        """What a local function returns for these arguments."""
        node = module.bindings[name][0].node
        if not isinstance(node, ast.FunctionDef) or self._depth >= _DEEPEST:
            return NOTHING_KNOWN
        scope = function_scope(node, module_scope(module), None)
        parameters = [*node.args.posonlyargs, *node.args.args]
        given = {
            p.arg: self.evaluate(a, caller) for p, a in zip(parameters, call.args, strict=False)
        }
        given |= {k.arg: self.evaluate(k.value, caller) for k in call.keywords if k.arg}
        before = self._arguments
        self._arguments = {**before, **{(scope, key): texts for key, texts in given.items()}}
        for arg in (*parameters, *node.args.kwonlyargs):
            default = _default(node, arg)
            if arg.arg not in given and default is not None:
                known = self.evaluate(default, module_scope(module))
                self._arguments[scope, arg.arg] = known
        self._depth += 1
        found = any_of(t for value in returned_values(node) for t in self.evaluate(value, scope))
        self._depth -= 1
        self._arguments = before
        return found

    # ------------------------------------------------------------------ resources

    def reads(self, call: ast.Call, scope: Scope) -> Texts:
        """What a call reads that names a package and a file in it; nothing known of other calls."""
        for name in self.external_names(call.func, scope):
            if name in _READERS:
                return self._resource(call.args, scope)
            if name in _TEMPLATE_LOADERS:
                folder = self._resource(call.args[:1], scope)
                path = [k.value for k in call.keywords if k.arg == "package_path"] or call.args[1:2]
                inside = self.evaluate(path[0], scope) if path else (Text("templates"),)
                return joined(folder, inside, as_path=True)
        return NOTHING_KNOWN

    def _resource(self, args: list[ast.expr], scope: Scope) -> Texts:
        if args:
            folders = self._package_folders(args[0], scope)
        else:
            folders = self._folder_of(scope.module.package or scope.module.name, scope.module)
        for arg in args[1:]:
            folders = joined(folders, self.evaluate(arg, scope), as_path=True)
        return folders

    def _package_folders(self, node: ast.expr, scope: Scope) -> Texts:
        found: list[Text] = []
        for text in self.evaluate(node, scope):
            if text.text and not text.is_open and not text.is_place:
                found += self._folder_of(text.text, scope.module)
        for value in self._receivers(node, scope) or ():
            if isinstance(value, ModuleValue):
                found += self._folder_of(value.module.name, scope.module)
        return any_of(found)

    def _folder_of(self, name: str, importer: Module) -> Texts:
        if not all(part.isidentifier() for part in name.split(".")):
            return NOTHING_KNOWN
        found = self.repository.find_module(name, importer)
        folder: str | None = None
        match found:
            case Module():
                folder = posixpath.dirname(found.path)
                self.packages[importer.name, name] = found
            case Namespace():
                folder = found.path
                self.packages[importer.name, name] = found
            case None:
                # a folder without any Python file is a package for those who read resources
                parent, _, last = name.rpartition(".")
                above = self._folder_of(parent, importer) if parent else tuple(
                    Text(f"{ROOT}/{root}") for root in self.repository.import_roots(importer.path)
                )  # fmt: skip
                for text in above:
                    place = text.text.removeprefix(ROOT).strip("/")
                    if text.is_place and f"{last}/" in self.repository.listing(place):
                        folder = posixpath.join(place, last)
                        self.packages[importer.name, name] = folder
                        break
        return NOTHING_KNOWN if folder is None else (Text(f"{ROOT}/{folder}".rstrip("/")),)


# ------------------------------------------------------------------------ pieces


def reaching(binders: list[Binder], scope: Scope, line: int | None = None) -> list[Binder]:
    """The bindings of a name that may hold at a line of its scope, or when the scope has run.

    By lines: the last assignment that runs for sure hides those before it, and what stands below
    the line counts only where a loop leads back.
    """
    if len(binders) == 1 or isinstance(scope.node, ast.Lambda):
        return binders
    body: list[ast.stmt] = getattr(scope.node, "body", [])
    sure: set[ast.AST | None] = {s for s in body if isinstance(s, ast.AugAssign)}
    sure.update(s.value for s in body if isinstance(s, (ast.Assign, ast.AnnAssign)))
    before = [b for b in binders if line is None or _end(b) < line]
    last = max((i for i, b in enumerate(before) if sure & {b.node, b.value}), default=0)
    again = [b for b in binders if line is not None and _end(b) >= line and _loops(body, line, b)]
    return [*before[last:], *again] or binders


def _end(binder: Binder) -> int:
    ends = (getattr(node, "end_lineno", None) for node in (binder.node, binder.value))
    return max(end or 0 for end in ends)


def _loops(body: list[ast.stmt], line: int, binder: Binder) -> bool:
    """Whether a loop holds both the line and the binding."""
    return any(
        isinstance(node, (ast.For, ast.AsyncFor, ast.While))
        and node.lineno <= line <= (node.end_lineno or 0)
        and node.lineno <= _end(binder) <= (node.end_lineno or 0)
        for statement in body
        if statement.lineno <= line <= (statement.end_lineno or 0)
        for node in ast.walk(statement)
    )


def _own_names(module: Module) -> dict[str, Texts]:
    return {
        "__file__": (Text(f"{ROOT}/{module.path}"),),
        "__name__": (Text(module.name),),
        "__package__": (Text(module.package),),
    }


def _default(function: ast.AST, arg: ast.arg) -> ast.expr | None:
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return None
    args = function.args
    positional = [*args.posonlyargs, *args.args]
    late = positional[len(positional) - len(args.defaults) :]
    pairs = [
        *zip(late, args.defaults, strict=True),
        *zip(args.kwonlyargs, args.kw_defaults, strict=True),
    ]
    return next((default for known, default in pairs if known is arg), None)


def returned_values(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """The expressions that a function returns itself."""
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _class_bindings(cls: ClassInfo, name: str) -> Iterator[tuple[ast.expr, Scope]]:
    for unit in cls.table.get(name, ()):
        for node in unit.nodes:
            match node:
                case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                    yield value, cls.scope
                case ast.FunctionDef(decorator_list=[ast.Name(id="property")]):
                    scope = function_scope(node, cls.scope, cls)
                    for value in returned_values(node):
                        yield value, scope
                case _:
                    continue
    for value, scope in cls.self_assignments.get(name, ()):
        found = value.value if isinstance(value, ast.AnnAssign) else value
        if isinstance(found, ast.expr):
            yield found, scope


def _integer(node: ast.expr | None) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case _:
            return None


_NAME_PARTS: dict[str, Callable[[str], str]] = {
    "name": posixpath.basename,
    "stem": lambda text: posixpath.splitext(posixpath.basename(text))[0],
    "suffix": lambda text: posixpath.splitext(text)[1],
}
_SPLITTERS: dict[str, Callable[[str], tuple[str, str]]] = {
    "os.path.split": posixpath.split,
    "os.path.splitext": posixpath.splitext,
}
_CHANGES: dict[str, Callable[[str], str]] = {
    "os.path.dirname": posixpath.dirname,
    "os.path.basename": posixpath.basename,
    "os.path.normpath": posixpath.normpath,
}
_METHODS = frozenset(
    "joinpath with_name with_suffix format replace removesuffix rstrip resolve absolute expanduser "
    "as_posix __str__ strip".split()
)
_JOINERS = frozenset(
    "pathlib.Path pathlib.PurePath pathlib.PosixPath pathlib.PurePosixPath os.path.join "
    "anyio.Path upath.UPath".split()
)
_SAME = frozenset(
    "builtins.str os.fspath os.fsdecode os.path.abspath os.path.realpath os.path.expanduser "
    "os.path.expandvars os.path.normcase importlib.resources.as_file "
    "importlib_resources.as_file".split()
)
SOURCE_FILES = frozenset("inspect.getfile inspect.getsourcefile inspect.getabsfile".split())
_RESOURCE_MODULES = ("importlib.resources", "importlib_resources")
_LOCATORS = frozenset(
    [f"{module}.{name}" for module in _RESOURCE_MODULES for name in ("files", "path")]
    + ["pkg_resources.resource_filename"]
)
_READERS = frozenset(
    [
        f"{module}.{name}"
        for module in _RESOURCE_MODULES
        for name in (
            "open_text",
            "open_binary",
            "read_text",
            "read_binary",
            "contents",
            "is_resource",
        )
    ]
    + [
        f"pkg_resources.resource_{name}"
        for name in ("string", "stream", "exists", "listdir", "isdir")
    ]
    + ["pkgutil.get_data"]
)
_TEMPLATE_LOADERS = ("jinja2.PackageLoader", "jinja2.loaders.PackageLoader")
RESOURCE_PREFIXES = (*_RESOURCE_MODULES, "pkg_resources", "pkgutil.get_data", *_TEMPLATE_LOADERS)
"""What the dotted names of everything that reads by package begin with."""

# ruff: noqa: SLF001 - the table below lists the class's own methods
_EVALUATORS: dict[type[ast.expr], Callable[..., Texts]] = {
    ast.Constant: Paths._constant,  # pyright: ignore[reportPrivateUsage]
    ast.Name: Paths._name,  # pyright: ignore[reportPrivateUsage]
    ast.Attribute: Paths._attribute,  # pyright: ignore[reportPrivateUsage]
    ast.BinOp: Paths._binary,  # pyright: ignore[reportPrivateUsage]
    ast.JoinedStr: Paths._formatted,  # pyright: ignore[reportPrivateUsage]
    ast.IfExp: Paths._choice,  # pyright: ignore[reportPrivateUsage]
    ast.BoolOp: Paths._either,  # pyright: ignore[reportPrivateUsage]
    ast.NamedExpr: Paths._walrus,  # pyright: ignore[reportPrivateUsage]
    ast.Subscript: Paths._subscript,  # pyright: ignore[reportPrivateUsage]
    ast.Call: Paths._call,  # pyright: ignore[reportPrivateUsage]
}
__all__ = ["NOTHING_KNOWN", "RESOURCE_PREFIXES", "ROOT", "SOURCE_FILES", "Paths", "Text", "Texts",
           "any_of", "is_place", "joined", "returned_values"]  # fmt: skip
