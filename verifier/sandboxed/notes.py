"""What functions are given while tests run: the target, and the constructors of classes near it.

They get a statement at their beginning that notes the values of their parameters; it is put there
when their file is loaded, whoever loads it. What the target was given is written down at once, as
expressions; what instances were made of is kept for when one of them has to be written.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import json
import keyword
import os

from .raw import class_of
from .written import UnwritableError, Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .raw import Raw

_NOTE = "__slice_func_note__"
_MOST_INSTANCES = 5000
"""Of which it is kept what they were made of."""
_MOST_TRIED = 400
"""Calls that are looked at."""
_MOST_STATES = 3
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Notes:
    """What was noted so far."""

    def __init__(self, suite: Mapping[str, Raw], emit: Callable[[str], None]) -> None:
        self._emit = emit
        self._most = suite["most"]
        self._most_of_test = suite["most_of_test"]
        self._seen: set[str] = set()
        self._made: dict[int, tuple[Raw, Raw]] = {}
        self._of_test: dict[str, int] = {}
        self._tried = 0
        self._writer = Writer(suite["root"], self._made_of)
        self.test = ""
        self.is_busy = False

    @property
    def count(self) -> int:
        """Distinct calls that were kept so far."""
        return len(self._seen)

    @property
    def is_full(self) -> bool:
        """Whether nothing more is wanted."""
        return len(self._seen) >= self._most or self._tried >= _MOST_TRIED

    def note(self, kind: str, names: tuple[str, ...], defaults: Raw, values: Raw) -> None:
        """Take what a function was given.

        Args:
            kind: a sign for each parameter; a function that is not the target has no defaults.
            names: of the parameters.
            defaults: expressions of what is given where nothing is; `None` for a constructor whose
                instances may be asked for.
            values: of the parameters.
        """
        if self.is_busy:
            return
        self.is_busy = True
        try:
            if defaults is not None:
                if not self.is_full:
                    self._note_call(kind, names, defaults, values)
            elif kind[:1] == "s" and len(self._made) < _MOST_INSTANCES:
                self._made.setdefault(id(values[0]), (values[0], (kind, names, values)))
        finally:
            self.is_busy = False

    def _note_call(self, kind: str, names: tuple[str, ...], defaults: Raw, values: Raw) -> None:
        if self._of_test.get(self.test, 0) >= self._most_of_test:
            return
        self._tried += 1
        receiver, states = self._receiver(values[0]) if kind[:1] == "s" else ("", [])
        pairs = zip(kind, values)  # noqa: B905 - new in 3.10
        texts = [self._text(value) if sign not in "sc" else "" for sign, value in pairs]
        given = [
            [name, text]
            for name, sign, default, text in zip(names, kind, defaults, texts)  # noqa: B905
            if sign not in "sc" and (text != default or not text)
        ]
        text = json.dumps({"receiver": receiver, "states": states, "arguments": given})
        if text not in self._seen:
            self._seen.add(text)
            self._of_test[self.test] = self._of_test.get(self.test, 0) + 1
            self._emit(f'{{"kind":"call","call":{text}}}')

    def _text(self, value: Raw) -> str:
        """An expression; empty where there is none."""
        try:
            return self._writer.text(value)
        except UnwritableError:
            return ""

    def _receiver(self, value: Raw) -> tuple[str, list[str]]:
        """An expression for the instance, and what has changed since it was made."""
        text = self._text(value)
        noted = self._made_of(value)
        if not text or noted is None:
            return text, []
        try:
            positional, named = noted
            fresh: dict[str, Raw] = class_of(value)(*positional, **dict(named)).__dict__
        except Exception:  # noqa: BLE001 - a constructor may do anything
            return text, []
        states: list[str] = []
        for name, held in list(value.__dict__.items()):
            now = self._text(held)
            if now and (name not in fresh or self._text(fresh[name]) not in ("", now)):
                states.append(f"{{it}}.{name} = {now}")
        return text, states[:_MOST_STATES]

    def _made_of(self, value: Raw) -> Raw:
        """What the instance was made of: positional values, and pairs of names and values."""
        found = self._made.get(id(value))
        if found is None or found[0] is not value:
            return _as_validated(value)
        return _as_given(*found[1])


def _as_validated(value: Raw) -> Raw:
    """What a model of pydantic has been given, whose constructor names nothing; else `None`."""
    try:
        cls: Raw = class_of(value)
        fields: Raw = getattr(cls, "model_fields", None) or getattr(cls, "__fields__", None)
        if class_of(fields) is not dict:
            return None
        given: Raw = getattr(value, "model_fields_set", None) or value.__fields_set__
        held: Raw = value.__dict__
        names = [name for name in fields if name in given and name in held]
        pairs = [(getattr(fields[name], "alias", None) or name, held[name]) for name in names]
        return ([], pairs) if all(_is_keyword_of_call(name) for name, _ in pairs) else None
    except Exception:  # noqa: BLE001 - any class may have such names
        return None


def _is_keyword_of_call(name: Raw) -> bool:
    return type(name) is str and name.isidentifier() and not keyword.iskeyword(name)


def _as_given(kind: str, names: tuple[str, ...], values: Raw) -> tuple[list[Raw], list[Raw]]:
    """Parameters as they are written in a call; of what has a name, that stands before it."""
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


def note_on_load(suite: Mapping[str, Raw], notes: Notes) -> None:
    """Have the files compiled with the statements that note."""
    setattr(builtins, _NOTE, notes.note)
    loader: Raw = importlib.machinery.SourceFileLoader
    usual = loader.get_code
    root = suite["root"].rstrip(os.sep) + os.sep
    files = {root + path for path in suite["files"]}
    target = root + suite["target_file"]

    def get_code(self: Raw, name: str) -> Raw:
        path = os.path.realpath(self.get_filename(name))
        if path not in files and path != target:
            return usual(self, name)
        tree = ast.parse(self.get_data(path))
        _add_notes(tree.body, suite["target"] if path == target else "", "", None)
        return compile(tree, self.get_filename(name), "exec", dont_inherit=True)

    loader.get_code = get_code


def _add_notes(body: list[Raw], target: str, prefix: str, owner: Raw) -> None:
    for node in body:
        if isinstance(node, ast.ClassDef):
            _add_notes(node.body, target, f"{prefix}{node.name}.", node)
        elif isinstance(node, _FUNCTIONS):
            is_target = prefix + node.name == target
            if is_target or (owner is not None and node.name == "__init__"):
                _add_note(node, is_target, owner)
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            for part in ("body", "orelse", "finalbody"):
                _add_notes(getattr(node, part, []), target, prefix, owner)


def _add_note(node: Raw, is_target: bool, owner: Raw) -> None:
    """Put the statement behind the docstring."""
    args = node.args
    signs = [(arg, "/") for arg in args.posonlyargs] + [(arg, "=") for arg in args.args]
    decorators = {ast.unparse(each) for each in node.decorator_list}
    if owner is not None and signs and "staticmethod" not in decorators:
        is_class = "classmethod" in decorators or node.name in ("__new__", "__init_subclass__")
        signs[0] = (signs[0][0], "c" if is_class else "s")
    signs += [(args.vararg, "*")] if args.vararg else []
    signs += [(arg, "=") for arg in args.kwonlyargs]
    signs += [(args.kwarg, "2")] if args.kwarg else []
    read: list[ast.expr] = [ast.Name(arg.arg, ast.Load()) for arg, _ in signs]
    names = tuple(arg.arg for arg, _ in signs)
    kind = "".join(sign for _, sign in signs)
    defaults = ast.Constant(None)
    if is_target:
        defaults = _texts(tuple(map(_default_texts(args).get, names)))
    given: list[ast.expr] = [ast.Constant(kind), _texts(names), defaults]
    given.append(ast.Tuple(read, ast.Load()))
    note = ast.Call(ast.Name(_NOTE, ast.Load()), given, [])
    place = 1 if ast.get_docstring(node, clean=False) is not None else 0
    first = node.body[min(place, len(node.body) - 1)]
    statement = ast.copy_location(ast.Expr(note), first)
    node.body.insert(place, ast.fix_missing_locations(statement))


def _texts(items: tuple[str | None, ...]) -> ast.expr:
    return ast.Tuple([ast.Constant(item) for item in items], ast.Load())


def _default_texts(args: ast.arguments) -> dict[str, str]:
    """Parameter → the expression of its default."""
    order = [*args.posonlyargs, *args.args]
    last = zip(reversed(order), reversed(args.defaults))  # noqa: B905 - new in 3.10
    named = zip(args.kwonlyargs, args.kw_defaults)  # noqa: B905
    pairs: list[tuple[ast.arg, ast.expr | None]] = [*last, *named]
    return {arg.arg: ast.unparse(default) for arg, default in pairs if default is not None}
