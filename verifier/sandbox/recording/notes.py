"""Record the arguments of functions while tests run: targets, and constructors of related classes.

Each such function gets a statement at its beginning that records its parameters, inserted when the
file is loaded. A target's arguments are written as expressions at once; constructor arguments are
kept until an instance has to be written.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import json
import keyword
import os

from ..raw import class_of
from .likeness import likeness
from .reprs import UnwritableError, Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..raw import Raw

_NOTE = "__slice_func_note__"
_MOST_INSTANCES = 5000
"""Most instances whose constructor arguments are kept: the first overall, and again for each
test."""
_MOST_TRIED = 400
"""Most calls of a function that are inspected."""
_MOST_TRIED_OF_TEST = 200
_MOST_ITEMS = 12
"""Most items with which an instance is refilled."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class RecordedFunction:
    """A recorded function, and the calls kept of it."""

    def __init__(
        self, path: str, qualname: str, kind: str, names: tuple[str, ...], defaults: Raw
    ) -> None:
        self.path = path
        self.qualname = qualname
        self.kind = kind
        """A sign for each parameter."""
        self.names = names
        self.defaults = defaults
        """Expressions of the parameters' defaults; `None` if calls are not kept."""
        self.is_constructor = qualname.endswith("__init__") and kind[:1] == "s"
        self.seen: set[str] = set()
        self.similar: dict[Raw, int] = {}
        self.tried = 0
        self.test = ""
        self.tried_of_test = 0


class Notes:
    """The calls recorded so far."""

    def __init__(self, suite: Mapping[str, Raw], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._most = suite["most"]
        self._most_similar = suite["most_alike"]
        self._functions: list[RecordedFunction] = []
        self._lasting: dict[int, tuple[Raw, Raw]] = {}
        self._made: dict[int, tuple[Raw, Raw]] = {}
        self._writer = Writer(suite["root"], self._made_of)
        self._test = ""
        self.count = 0
        """Number of distinct calls kept so far."""
        self.is_busy = False

    @property
    def test(self) -> str:
        """Return the current test."""
        return self._test

    @test.setter
    def test(self, name: str) -> None:
        self._test = name
        self._made = {}

    @property
    def is_full(self) -> bool:
        """Whether nothing more is wanted."""
        wanted = [each for each in self._functions if each.defaults is not None]
        return len(wanted) == 1 and self._is_full(wanted[0])

    def add(self, function: RecordedFunction) -> int:
        """Register a function. Return its number."""
        self._functions.append(function)
        return len(self._functions) - 1

    def record_arguments(self, number: int, values: Raw) -> None:
        """Record the arguments of a function."""
        if self.is_busy:
            return
        self.is_busy = True
        try:
            function = self._functions[number]
            if function.is_constructor:
                self._note_made(function, values)
            if function.defaults is not None and not self._is_full(function):
                self._note_call(function, values)
        except Exception:  # noqa: BLE001 - the values' own code may raise; the test goes on
            return
        finally:
            self.is_busy = False

    def _is_full(self, function: RecordedFunction) -> bool:
        return len(function.seen) >= self._most or function.tried >= _MOST_TRIED

    def _note_made(self, function: RecordedFunction, values: Raw) -> None:
        """Keep the arguments of an instance's first constructor."""
        made = (values[0], (function.kind, function.names, values))
        known = self._lasting.get(id(values[0])) or self._made.get(id(values[0]))
        if known is not None and known[0] is values[0]:
            return
        if len(self._lasting) < _MOST_INSTANCES:
            self._lasting[id(values[0])] = made
        elif len(self._made) < _MOST_INSTANCES:
            self._made[id(values[0])] = made

    def _note_call(self, function: RecordedFunction, values: Raw) -> None:
        if function.test != self._test:
            function.test, function.tried_of_test = self._test, 0
        if function.tried_of_test >= _MOST_TRIED_OF_TEST:
            return
        function.tried += 1
        function.tried_of_test += 1
        key = likeness(values)
        if function.similar.get(key, 0) >= self._most_similar:
            return
        self._writer.has_cut = False
        kind, names = function.kind, function.names
        takes_self = kind[:1] == "s" and not function.is_constructor
        receiver: dict[str, Raw] = {"receiver": "", "states": []}
        if takes_self:
            receiver = self._receiver(values[0])
        pairs = zip(kind, values)  # noqa: B905 - new in 3.10
        texts = [self._text(value) if sign not in "sc" else "" for sign, value in pairs]
        given = [
            [name, text]
            for name, sign, default, text in zip(names, kind, function.defaults, texts)  # noqa: B905
            if sign not in "sc" and (text != default or not text)
        ]
        text = json.dumps({**receiver, "arguments": given})
        if text not in function.seen:
            function.seen.add(text)
            function.similar[key] = function.similar.get(key, 0) + 1
            self.count += 1
            where = {"path": function.path, "qualname": function.qualname, "test": self._test,
                     "cut": self._writer.has_cut}  # fmt: skip
            self._emit(f'{{"kind":"call","call":{text},{json.dumps(where)[1:]}')

    def _text(self, value: Raw) -> str:
        """Return an expression; empty if there is none."""
        try:
            return self._writer.text(value)
        except UnwritableError:
            return ""

    def _receiver(self, value: Raw) -> dict[str, Raw]:
        """Return an expression for the instance, and its later changes.

        These are values by attribute in `states`, or values by key or method in `contents`.
        """
        text = self._text(value)
        noted = self._made_of(value)
        found: dict[str, Raw] = {"receiver": text, "states": []}
        if not text or noted is None:
            return found
        try:
            positional, named = noted
            made = class_of(value)(*positional, **dict(named))
            fresh: dict[str, Raw] = dict(made.__dict__)
        except Exception:  # noqa: BLE001 - a constructor may do anything
            return found
        try:
            filled = self._filled(made, value)
        except Exception:  # noqa: BLE001 - so may what fills it
            filled = None
        if filled is not None:
            return {**found, "contents": filled}
        for name, attribute in list(value.__dict__.items()):
            now = self._text(attribute)
            if now and (name not in fresh or self._text(fresh[name]) not in ("", now)):
                found["states"].append([name, now])
        return found

    def _filled(self, fresh: Raw, value: Raw) -> list[list[str]] | None:
        """Return what refills a new instance with this one's items; `None` if impossible.

        Each is a key, or `.append` and the like, with a value.

        Args:
            fresh: a new instance, which is filled.
            value: the original instance; a copy is read, since reading may change it.
        """
        import copy

        cls = class_of(value)
        is_mapping = hasattr(cls, "keys") and hasattr(cls, "__setitem__")
        how = next((each for each in ("append", "add") if hasattr(cls, each)), "")
        if not hasattr(cls, "__iter__") or not (is_mapping or how) or len(value) > _MOST_ITEMS:
            return None
        copied = copy.deepcopy(value)
        filled: list[list[str]] = []
        for item in list(copied):
            if is_mapping:
                content = copied[item]
                filled.append([self._writer.text(item), self._writer.text(content)])
                fresh[item] = content
            else:
                filled.append([f".{how}", self._writer.text(item)])
                getattr(fresh, how)(item)
        return filled if self._all_of(fresh) == self._all_of(value) else None

    def _all_of(self, value: Raw) -> dict[str, str]:
        return {name: self._text(attribute) for name, attribute in list(value.__dict__.items())}

    def _made_of(self, value: Raw) -> Raw:
        """Return an instance's constructor arguments: positional ones, and named pairs."""
        found = self._lasting.get(id(value)) or self._made.get(id(value))
        if found is None or found[0] is not value:
            return _as_validated(value)
        return _as_given(*found[1])


def _as_validated(value: Raw) -> Raw:
    """Return the given fields of a pydantic model, whose constructor names none; else `None`."""
    try:
        cls: Raw = class_of(value)
        fields: Raw = getattr(cls, "model_fields", None) or getattr(cls, "__fields__", None)
        if class_of(fields) is not dict:
            return None
        given: Raw = getattr(value, "model_fields_set", None) or value.__fields_set__
        attributes: Raw = value.__dict__
        names = [name for name in fields if name in given and name in attributes]
        pairs = [(getattr(fields[name], "alias", None) or name, attributes[name]) for name in names]
        return ([], pairs) if all(_is_keyword_of_call(name) for name, _ in pairs) else None
    except Exception:  # noqa: BLE001 - any class may have such names
        return None


def _is_keyword_of_call(name: Raw) -> bool:
    return type(name) is str and name.isidentifier() and not keyword.iskeyword(name)


def _as_given(kind: str, names: tuple[str, ...], values: Raw) -> tuple[list[Raw], list[Raw]]:
    """Return arguments as written in a call: positional values, and named pairs."""
    place = kind.find("*")
    has_rest = place >= 0 and bool(values[place])
    positional: list[Raw] = []
    named: list[Raw] = []
    for number, (name, sign, value) in enumerate(zip(names, kind, values)):  # noqa: B905
        if sign == "*":
            positional += value
        elif sign == "2":
            named += value.items()
        elif sign == "/" or (sign == "=" and has_rest and number < place):
            positional.append(value)
        elif sign == "=":
            named.append((name, value))
    return positional, named


def instrument_imports(suite: Mapping[str, Raw], notes: Notes) -> None:
    """Compile the repository's files with the recording statements."""
    setattr(builtins, _NOTE, notes.record_arguments)
    loader: Raw = importlib.machinery.SourceFileLoader
    usual = loader.get_code
    root = suite["root"].rstrip(os.sep) + os.sep
    files = {root + path for path in suite["files"]}
    target = root + suite["target_file"] if suite["target"] else ""

    def get_code(self: Raw, name: str) -> Raw:
        path = os.path.realpath(self.get_filename(name))
        if path not in files and path != target:
            return usual(self, name)
        try:
            tree = ast.parse(self.get_data(path))
            wanted = suite["target"] if path == target else ""
            adder = _Adder(notes, path[len(root) :], wanted, takes_all=not suite["target"])
            adder.add(tree.body, "", None)
            return compile(tree, self.get_filename(name), "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return usual(self, name)

    loader.get_code = get_code


class _Adder:
    """Inserts recording statements into the functions of one file."""

    def __init__(self, notes: Notes, path: str, target: str, *, takes_all: bool) -> None:
        self._notes = notes
        self._path = path
        self._target = target
        self._takes_all = takes_all

    def add(self, body: list[Raw], prefix: str, owner: Raw) -> None:
        """Insert them into all recorded functions among some statements and their classes."""
        for node in body:
            if isinstance(node, ast.ClassDef):
                self.add(node.body, f"{prefix}{node.name}.", node)
            elif isinstance(node, _FUNCTIONS):
                qualname = prefix + node.name
                is_target = self._takes_all or qualname == self._target
                if is_target or (owner is not None and node.name == "__init__"):
                    self._add_note(node, qualname, is_target=is_target, is_member=owner is not None)
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                for part in ("body", "orelse", "finalbody"):
                    self.add(getattr(node, part, []), prefix, owner)

    def _add_note(self, node: Raw, qualname: str, *, is_target: bool, is_member: bool) -> None:
        """Insert the statement after the docstring."""
        args = node.args
        signs = [(arg, "/") for arg in args.posonlyargs] + [(arg, "=") for arg in args.args]
        decorators = {ast.unparse(each) for each in node.decorator_list}
        if is_member and signs and "staticmethod" not in decorators:
            is_class = "classmethod" in decorators or node.name in ("__new__", "__init_subclass__")
            signs[0] = (signs[0][0], "c" if is_class else "s")
        signs += [(args.vararg, "*")] if args.vararg else []
        signs += [(arg, "=") for arg in args.kwonlyargs]
        signs += [(args.kwarg, "2")] if args.kwarg else []
        names = tuple(arg.arg for arg, _ in signs)
        kind = "".join(sign for _, sign in signs)
        defaults = tuple(map(_default_texts(args).get, names)) if is_target else None
        number = self._notes.add(RecordedFunction(self._path, qualname, kind, names, defaults))
        read: list[ast.expr] = [ast.Name(arg.arg, ast.Load()) for arg, _ in signs]
        given: list[ast.expr] = [ast.Constant(number), ast.Tuple(read, ast.Load())]
        note = ast.Call(ast.Name(_NOTE, ast.Load()), given, [])
        place = 1 if ast.get_docstring(node, clean=False) is not None else 0
        first = node.body[min(place, len(node.body) - 1)]
        statement = ast.copy_location(ast.Expr(note), first)
        node.body.insert(place, ast.fix_missing_locations(statement))


def _default_texts(args: ast.arguments) -> dict[str, str]:
    """Map each parameter to the expression of its default."""
    order = [*args.posonlyargs, *args.args]
    last = zip(reversed(order), reversed(args.defaults))  # noqa: B905 - new in 3.10
    named = zip(args.kwonlyargs, args.kw_defaults)  # noqa: B905
    pairs: list[tuple[ast.arg, ast.expr | None]] = [*last, *named]
    return {arg.arg: ast.unparse(default) for arg, default in pairs if default is not None}
