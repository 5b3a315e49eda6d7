"""Write values as Python expressions, the way a person would make them.

Literals and containers of them; well-known classes of the standard library; classes and functions
by their names; instances by the recorded call that made them (`made`), else by their fields. A
class or function of the repository becomes a call of `REPOSITORY` with its file and name, since
only the parent knows its name in the script. A path below the repository or a temporary folder
becomes a call of `PLACE` with the rest of the path and the files there.
"""

from __future__ import annotations

import ast
import builtins
import enum
import os
import re
import sys
import types

from ..raw import class_of, derives

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..raw import Class, Raw

REPOSITORY = "slice_func_repository"
_STAND_IN = "(lambda *args, **named: None)"
"""Replaces a function that cannot be written."""
UNKNOWN = "slice_func_unknown"
_OWN_VALUE = (BaseException, str, bytes, int, float, tuple, list, dict, set)
STATE = "slice_func_state"
PLACE = "slice_func_place"
_TEMPORARY = re.compile(r"^.*?/(?:pytest-of-[^/]+/pytest-\d+/[^/]+|tmp[a-z0-9_]{6,})(?=/|\Z)")
"""Matches a test's own temporary folder."""
_MOST_FILES = 8
_LARGEST = 4000
"""Largest file at a place, in bytes."""
_LONGEST = 600
"""Longest literal in characters."""
_LONGEST_WHOLE = 12_000
_DEEPEST_STATE = 4
_DEEPEST = 6
_MOST_ITEMS = 40
_METHOD = types.MethodDescriptorType
_TYPE_FORMS = frozenset(
    "GenericAlias UnionType InitVar NewType TypeVar _GenericAlias _SpecialGenericAlias "
    "_SpecialForm _UnionGenericAlias Union _LiteralGenericAlias _CallableGenericAlias "
    "_CallableType _TupleType".split()
)
"""Classes of annotation objects."""
_OF_TYPES = frozenset(("typing", "types", "dataclasses", "collections.abc"))
_STREAMS = {"_io.BufferedReader": "BytesIO", "_io.TextIOWrapper": "StringIO"}
"""Maps classes of files to the stand-in for a file that is read."""
_REFERENCES = (types.FunctionType, types.BuiltinFunctionType, type)
_AS_SHOWN = frozenset(
    "datetime.date datetime.datetime datetime.time datetime.timedelta decimal.Decimal "
    "fractions.Fraction uuid.UUID".split()
)
"""Classes whose `repr` is a plain constructor call."""
_PLAIN_CALL = re.compile(r"\([\d, ]*\)\Z")


class UnwritableError(Exception):
    """There is no expression for such a value."""


def _whole(cls: Class) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _ahead(stream: Raw) -> Raw:
    """Return the unread part of a file without moving its position."""
    if not (stream.readable() and stream.seekable()):
        raise UnwritableError("a stream that is no file")
    place = stream.tell()
    found = stream.read(_LARGEST + 1)
    stream.seek(place)
    if len(found) > _LARGEST:
        raise UnwritableError("too long")
    return found


class Writer:
    """Writes values; `made` returns class and arguments of an instance, if recorded."""

    def __init__(self, root: str, made: Callable[[Raw], Raw] = lambda _value: None) -> None:
        self._root = root.rstrip(os.sep) + os.sep
        self._made = made
        self._above: list[int] = []
        self.has_cut = False
        """Whether a text was cut since this was last reset."""

    def text(self, value: Raw) -> str:
        """Return an expression that makes such a value.

        Raises:
            UnwritableError: there is none, or it would be too long.
        """
        self._above = []
        try:
            found = self._text(value)
        except UnwritableError:
            raise
        except Exception as error:  # foreign code may raise anything
            raise UnwritableError(str(type(error))) from error
        if len(found) > _LONGEST_WHOLE:
            raise UnwritableError("too long")
        return found

    def _text(self, value: Raw) -> str:
        if id(value) in self._above or len(self._above) > _DEEPEST:
            raise UnwritableError("too deep")
        self._above.append(id(value))
        try:
            return self._written(value)
        finally:
            self._above.pop()

    def _written(self, value: Raw) -> str:
        cls = class_of(value)
        if value is None or value is ... or value is NotImplemented or cls is bool:
            return repr(value) if value is not ... else "..."
        if cls in (int, str, bytes, complex):
            return self._literal(value)
        if cls is float:
            return repr(value) if value - value == 0 else f"float({str(value)!r})"
        if cls in (list, tuple, set, frozenset, dict):
            return self._container(value, cls)
        if cls is _METHOD:
            return f"{self._reference(value.__objclass__)}.{value.__name__}"
        if isinstance(value, _REFERENCES):
            return self._reference(value)
        if cls is types.ModuleType:
            return self._module(value)
        if isinstance(value, enum.Enum):
            return f"{self._reference(cls)}.{value.name}"
        if cls.__qualname__ in _TYPE_FORMS and cls.__module__ in _OF_TYPES:
            return self._type_form(value, cls.__qualname__)
        return self._library(value, cls) or self._instance(value, cls)

    def _literal(self, value: Raw) -> str:
        if class_of(value) is str and "/" in value:
            base = self._base(value)
            if base:
                return _place(value, base)
            if self._root in value or "/pytest-of-" in value:
                raise UnwritableError("a place of this machine")
        if class_of(value) in (str, bytes):
            self.has_cut |= len(value) > _LONGEST
            return repr(value[:_LONGEST])  # the beginning of a long text is evidence enough
        text = repr(value)
        if len(text) > _LONGEST:
            raise UnwritableError("too long")
        return text

    def _base(self, path: str) -> str:
        """Return the folder in place of the working folder if the path is inside; else empty."""
        outer = self._root[:-1] if path.startswith(self._root) else ""
        found = _TEMPORARY.match(path[len(outer) :])
        return outer + found[0] if found else outer

    def _container(self, value: Raw, cls: Class) -> str:
        if len(value) > _MOST_ITEMS:
            raise UnwritableError("too long")
        if cls is dict:
            pairs = [f"{self._text(k)}: {self._text(v)}" for k, v in list(value.items())]
            return "{" + ", ".join(pairs) + "}"
        items = [self._text(item) for item in list(value)]
        if cls is list:
            return f"[{', '.join(items)}]"
        if cls is tuple:
            return f"({', '.join(items)}{',' * (len(items) == 1)})"
        whole = "{" + ", ".join(sorted(items)) + "}" if items else ""
        return whole if cls is set and items else f"{cls.__name__}({whole})"

    # -------------------------------------------------------------- classes and functions

    def _reference(self, value: Raw) -> str:
        """Return the name under which a class or function is found again."""
        qualname = getattr(value, "__qualname__", "") or getattr(value, "__name__", "")
        if getattr(builtins, qualname, None) is value:
            return qualname
        module = sys.modules.get(getattr(value, "__module__", None) or "")
        if module is not None and _found(module, qualname) is value:
            path = getattr(module, "__file__", None) or ""
            if not path.startswith(self._root):
                name = module.__name__
                return f"__import__('importlib').import_module({name!r}).{qualname}"
            if not _is_test(path[len(self._root) :]):
                return f"{REPOSITORY}({path[len(self._root) :]!r}, {qualname!r})"
        if isinstance(value, types.FunctionType):
            try:
                return self._function(value)
            except (UnwritableError, OSError, SyntaxError):
                return _STAND_IN
        raise UnwritableError(qualname)

    def _module(self, module: Raw) -> str:
        """Return an expression for a module outside the repository."""
        path = getattr(module, "__file__", None) or ""
        if path.startswith(self._root) or sys.modules.get(module.__name__) is not module:
            raise UnwritableError("a module of the repository")
        return f"__import__('importlib').import_module({module.__name__!r})"

    def _function(self, function: Raw) -> str:
        """Return a function that only returns an expression as a lambda."""
        code = function.__code__
        if code.co_freevars or function.__kwdefaults__ or code.co_flags & 0x2A0:
            raise UnwritableError("a function that needs more")
        import inspect
        import textwrap

        node = _lambda_of(textwrap.dedent(inspect.getsource(function)), code)
        names = {n.id for n in ast.walk(node.body) if isinstance(n, ast.Name)}
        unknown = names - set(code.co_varnames) - set(dir(builtins))
        if unknown or node.args.defaults:
            raise UnwritableError("a function that needs more")
        return f"({ast.unparse(node)})"

    def _type_form(self, value: Raw, kind: str) -> str:
        """Return an annotation object: `list[int]`, `Optional[str]`, `int | None`, `Any`."""
        if kind == "InitVar":
            return f"__import__('dataclasses').InitVar[{self._text(value.type)}]"
        if kind == "NewType":
            made = f"{value.__name__!r}, {self._text(value.__supertype__)}"
            return self._found_or(value, f"__import__('typing').NewType({made})")
        if kind == "TypeVar":
            return self._found_or(value, f"__import__('typing').TypeVar({value.__name__!r})")
        given: Raw = getattr(value, "__args__", None)
        texts = [self._text(None if each is type(None) else each) for each in given or ()]
        if kind == "UnionType":
            return f"({' | '.join(texts)})"
        origin: Raw = getattr(value, "__origin__", None)
        name = getattr(origin, "_name", None) or getattr(value, "_name", None)
        is_of_typing = hasattr(sys.modules.get("typing"), name or "")
        base = f"__import__('typing').{name}" if is_of_typing else self._reference(origin)
        if kind == "_CallableGenericAlias":
            texts = ["..." if given[0] is ... else f"[{', '.join(texts[:-1])}]", texts[-1]]
        return f"{base}[{', '.join(texts)}]" if texts else base

    def _found_or(self, value: Raw, otherwise: str) -> str:
        try:
            return self._reference(value)
        except UnwritableError:
            return otherwise

    # ------------------------------------------------------------------------- instances

    def _library(self, value: Raw, cls: Class) -> str:
        """Return an expression for an instance of a standard library class; else empty."""
        shown = next((each for each in cls.__mro__ if _whole(each) in _AS_SHOWN), cls)
        if shown is not cls and _PLAIN_CALL.search(shown.__repr__(value)):
            cls = shown  # for example, of a frozen clock in a test
        module, short = cls.__module__.partition(".")[0], cls.__qualname__
        name = f"__import__({module!r}).{short}"
        whole = f"{module}.{short}"
        if whole in _AS_SHOWN:
            _, sign, rest = cls.__repr__(value).partition("(")
            if "datetime." in rest:
                raise UnwritableError("a time zone")
            return f"__import__({module!r}).{short}{sign}{rest}"
        if whole == "logging.Logger":
            return f"__import__('logging').getLogger({self._text(value.name)})"
        if module == "pathlib":
            return f"__import__('pathlib').{short.replace('Posix', '')}({self._text(str(value))})"
        if whole == "re.Pattern":
            flags = value.flags & ~32  # without the flag of all text patterns
            more = f", {flags}" if flags else ""
            return f"__import__('re').compile({self._text(value.pattern)}{more})"
        if whole == "re.Match":
            return self._match(value)
        if module in ("numpy", "pandas"):
            return self._array(value, module)
        if whole == "sqlite3.Connection":
            return self._database(value)
        if whole == "sqlite3.Cursor":
            return f"{self._database(value.connection)}.cursor()"
        if whole in _STREAMS:
            return f"__import__('io').{_STREAMS[whole]}({_ahead(value)!r})"
        given = self._given(value, whole)
        if given is not None:
            return f"{name}({', '.join(given)})"
        if cls in (range, slice):
            return repr(value)
        if isinstance(value, BaseException) and cls.__module__ == "builtins":
            return f"{short}({', '.join(map(self._text, value.args))})"
        return ""

    def _match(self, match: Raw) -> str:
        """Return a match object by a call of its pattern that finds the same."""
        for how in ("match", "fullmatch", "search"):
            for start in (match.pos, match.start()):
                found = getattr(match.re, how)(match.string, start, match.endpos)
                if found is not None and found.regs == match.regs:
                    given = self._text(match.string) + _bounds(found)
                    return f"{self._text(match.re)}.{how}({given})"
        raise UnwritableError("a match of something else")

    def _array(self, value: Raw, module: str) -> str:
        """Return a small array, a library's number, or a table; empty for other instances."""
        kind = class_of(value).__name__
        made = f"__import__({module!r})."
        if module == "numpy":
            if getattr(getattr(value, "dtype", None), "kind", "") not in tuple("biufU"):
                return ""
            name = str(value.dtype)
            if kind != "ndarray":
                return f"{made}{kind}({self._text(value.item())})"
            plain = name in ("int64", "float64", "bool") or value.dtype.kind == "U"
            more = "" if plain and value.size else f", dtype={name!r}"
            return f"{made}array({self._small(value)}{more})"
        if kind == "Timestamp":
            return f"{made}Timestamp({str(value)!r})"
        if kind == "DatetimeIndex":
            zone = value.tz
            plain = value.tz_convert("UTC").tz_localize(None) if zone is not None else value
            texts = [each.isoformat() for each in plain.tolist()[: _MOST_ITEMS + 1]]
            zoned = f".tz_localize('UTC').tz_convert({str(zone)!r})" if zone is not None else ""
            return f"{made}DatetimeIndex({self._text(texts)}){zoned}"
        if kind == "Index":
            return f"{made}Index({self._small(value)})"
        if kind not in ("Series", "DataFrame"):
            return ""
        is_series = kind == "Series"
        content = self._small(value) if is_series else self._columns(value)
        index = "" if class_of(value.index).__name__ == "RangeIndex" else self._text(value.index)
        more = [f"index={index}"] if index else []
        if is_series and value.name is not None:
            more.append(f"name={self._text(value.name)}")
        if is_series and str(value.dtype) not in ("int64", "float64", "bool", "object", "str"):
            more.append(f"dtype={str(value.dtype)!r}")
        return f"{made}{kind}({', '.join((content, *more))})"

    def _columns(self, table: Raw) -> str:
        pairs = [f"{self._text(name)}: {self._small(table[name])}" for name in table.columns]
        return "{" + ", ".join(pairs) + "}"

    def _small(self, value: Raw) -> str:
        """Return the items of an array as nested lists."""
        if value.size > _MOST_ITEMS:
            raise UnwritableError("a large array")
        return self._text(value.tolist())

    def _database(self, connection: Raw) -> str:
        """Return an in-memory database with the tables and rows of a connection."""
        dump = "\n".join(connection.iterdump())
        if len(dump) > _LARGEST:
            raise UnwritableError("a large database")
        steps = [f"db.executescript({dump!r})"]
        if connection.row_factory is not None:
            steps.append(f"setattr(db, 'row_factory', {self._text(connection.row_factory)})")
        made = "__import__('sqlite3').connect(':memory:')"
        return f"(lambda db: ({', '.join(steps)}, db)[-1])({made})"

    def _given(self, value: Raw, name: str) -> list[str] | None:
        """Return the constructor arguments of a standard library instance."""
        if name == "collections.OrderedDict":
            return [self._text(list(value.items()))]
        if name == "collections.Counter":
            return [self._text(dict(value))]
        if name == "collections.deque":
            return [self._text(list(value))]
        if name == "collections.defaultdict":
            return [self._text(value.default_factory), self._text(dict(value))]
        if name == "types.SimpleNamespace":
            return [self._named(value.__dict__.items())]
        if name in ("_io.StringIO", "_io.BytesIO"):
            return [self._text(value.getvalue())]
        if name == "builtins.bytearray":
            return [repr(bytes(value))]
        if name == "functools.partial":
            texts = [self._text(part) for part in (value.func, *value.args)]
            return [*texts, *filter(None, [self._named(value.keywords.items())])]
        return None

    def _instance(self, value: Raw, cls: Class) -> str:
        """Return an instance of another class: by a recorded call, else by its fields."""
        name = self._reference(cls)
        noted = self._made(value)
        positional: list[Raw] = noted[0] if noted else []
        named: Iterable[Raw] = noted[1] if noted else _fields(value, cls)
        defaults = _defaults(cls)
        texts = [self._text(each) for each in positional]
        for key, given in named:
            text = self._argument(given, may_be_left_out=key in defaults)
            if text and not (key in defaults and defaults[key] is given):
                texts.append(f"{key}={text}")
        if name.startswith(REPOSITORY) and len(self._above) <= _DEEPEST_STATE:
            texts += self._state(value, cls)
        return f"{name}({', '.join(texts)})"

    def _state(self, value: Raw, cls: Class) -> Iterator[str]:
        """Yield the attributes of the instance, for scripts that lack the constructor."""
        init = cls.__init__
        path = getattr(getattr(init, "__code__", None), "co_filename", "")
        made_by = (path[len(self._root) :], init.__qualname__)
        pairs = [f"'__init__': {made_by if path.startswith(self._root) else ('', '')!r}"]
        for key, attribute in list(getattr(value, "__dict__", {}).items()):
            try:
                pairs.append(f"{key!r}: {self._text(attribute)}")
            except UnwritableError:
                continue
        yield f"{STATE}={{{', '.join(pairs)}}}"

    def _argument(self, value: Raw, *, may_be_left_out: bool) -> str:
        """Return a constructor argument; empty if it cannot be written and is optional."""
        try:
            return self._text(value)
        except UnwritableError:
            if may_be_left_out:
                return ""
            if len(self._above) > 1:
                raise
            return UNKNOWN  # the parent may know another value

    def _named(self, pairs: Iterable[tuple[str, Raw]]) -> str:
        return ", ".join(f"{key}={self._text(each)}" for key, each in pairs)


def _place(path: str, base: str) -> str:
    """Return a path with the files there; folders end with a slash."""
    place = path[len(base) :].strip("/")
    name = place or os.path.basename(base.rstrip("/"))
    if not place and os.path.isfile(path):
        place = name
    files: dict[str, str] = {}
    if os.path.isfile(path):
        files[place] = _content(path)
    elif os.path.isdir(path):
        files[f"{place}/"] = ""
        for folder, folders, names in os.walk(path):
            folders.sort()
            if "/." in folder or len(files) + len(names) > _MOST_FILES:
                raise UnwritableError("more than a few files")
            for each in sorted(names):
                whole = os.path.join(folder, each)
                files[whole[len(base) :].strip("/")] = _content(whole)
    return f"{PLACE}({place or '.'!r}, {files!r})"


def _content(path: str) -> str:
    if os.path.getsize(path) > _LARGEST:
        raise UnwritableError("a large file")
    with open(path, "rb") as file:
        return file.read().decode()  # binary content cannot be written


def _defaults(cls: Class) -> dict[str, Raw]:
    """Return the defaults of a constructor's parameters."""
    init: Raw = getattr(cls, "__init__", None)
    code = getattr(init, "__code__", None)
    if code is None:
        return {}
    order = code.co_varnames[: code.co_argcount]
    values = init.__defaults__ or ()
    found = dict(zip(order[len(order) - len(values) :], values))  # noqa: B905 - new in 3.10
    return {**found, **(init.__kwdefaults__ or {})}


def _found(module: Raw, qualname: str) -> Raw:
    found = module
    for part in qualname.split("."):
        found = getattr(found, part, None)
    return found


def _is_test(path: str) -> bool:
    *folders, name = path.split("/")
    is_named = name.startswith(("test_", "conftest")) or name.endswith("_test.py")
    return is_named or bool({"tests", "test", "testing"} & set(folders))


def _lambda_of(source: str, code: types.CodeType) -> ast.Lambda:
    """Return the function as a lambda, from its source text."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise UnwritableError("a function in the middle of something") from error
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    found = [node for node in ast.walk(tree) if _is_simple(node, code.co_name)]
    if len(found) != 1:
        raise UnwritableError("a function that does more")
    node: Raw = found[0]
    names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    if tuple(names) != given:
        raise UnwritableError("another function")
    if isinstance(node, ast.Lambda):
        return node
    for arg in ast.walk(node.args):
        if isinstance(arg, ast.arg):
            arg.annotation = None
    body = node.body[0]
    value = body.value if isinstance(body, ast.Return) and body.value else ast.Constant(None)
    return ast.Lambda(node.args, value)


def _is_simple(node: ast.AST, name: str) -> bool:
    if name == "<lambda>":
        return isinstance(node, ast.Lambda)
    if not isinstance(node, ast.FunctionDef) or node.name != name or node.decorator_list:
        return False
    return len(node.body) == 1 and isinstance(node.body[0], (ast.Return, ast.Pass))


def _bounds(match: Raw) -> str:
    """Return the bounds of a match's search, as further arguments."""
    if match.endpos != len(match.string):
        return f", {match.pos}, {match.endpos}"
    return f", {match.pos}" if match.pos else ""


class _Plain:
    """An empty class."""


def _keeps_more(cls: Class) -> bool:
    """Whether instances have state besides their dictionary, in slots or in C."""
    least: Class = _Plain if cls.__dictoffset__ else object
    return cls.__basicsize__ > least.__basicsize__


def _is_of_c(cls: Class) -> bool:
    """Whether no Python function makes its instances."""
    made: tuple[Raw, ...] = (cls.__init__, cls.__new__)
    return not any(isinstance(each, types.FunctionType) for each in made)


def _fields(value: Raw, cls: Class) -> Iterator[tuple[str, Raw]]:
    """Yield constructor arguments that the instance holds under the same names."""
    names: Raw = getattr(cls, "_fields", None)
    if names is not None and derives(cls, tuple):
        yield from zip(names, value)  # noqa: B905 - new in 3.10
        return
    attributes: dict[str, Raw] = getattr(value, "__dict__", {})
    if cls.__init__ is object.__init__ and cls.__new__ is object.__new__:
        if attributes or _keeps_more(cls):
            raise UnwritableError("a state that no constructor makes")
        return
    if any(derives(cls, each) for each in _OWN_VALUE):
        raise UnwritableError("a class of its own")
    import inspect

    if not attributes and _keeps_more(cls) and _is_of_c(cls):
        raise UnwritableError("a state in C")
    own = tuple(inspect.signature(cls.__init__).parameters.values())[1:]
    for parameter in own:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        for name in (parameter.name, f"_{parameter.name}"):
            if name in attributes or hasattr(cls, name):
                given = attributes[name] if name in attributes else getattr(value, name)
                yield parameter.name, given
                break
        else:
            raise UnwritableError(f"nothing says what {parameter.name} was")
