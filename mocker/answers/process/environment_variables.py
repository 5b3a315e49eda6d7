"""Environment variables that a slice reads, and values that it can use."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....slicer.syntax.memo import memo
from ...flow.fields import Field, declared_in
from ...source.kept_code import KeptCode, KeptStatement
from ...source.text_values import ANY, GIVEN, Texts
from .documented_variables import documented
from .missing_values import Absence, absence, absence_tested, catches_missing

if TYPE_CHECKING:
    from ...contacts import Border

_READ = ("os.environ", "os.getenv", "os.environ.get", "os.environ.pop", "os.environb")
_READERS = (
    "decouple.config", "decouple.AutoConfig()", "environs.Env()", "environs.env", "environ.Env()",
    "starlette.config.Config()",
)  # fmt: skip
_SETTINGS = ("pydantic_settings.BaseSettings", "pydantic.BaseSettings", "pydantic.v1.BaseSettings")
_LEFT_ALONE = frozenset({"PATH", "HOME", "USER", "LANG", "TERM", "SHELL", "PWD", "PYTHONPATH",
                         "DISPLAY", "CI", "DEBUG", "TMPDIR", "VIRTUAL_ENV"})  # fmt: skip
_MACHINES_OWN = re.compile(
    r"(HTTPS?|FTP|WSS?|SOCKS|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)|SSLKEYLOGFILE|\w*CA_BUNDLE|NETRC"
    r"|(NO|FORCE|CLI)_?COLOR\w*|COLORTERM|COLUMNS|LINES|EDITOR|VISUAL|PAGER|LESS|BROWSER"
    r"|XDG_\w+|LC_\w+|LANGUAGE|TZ|TE?MP|SSH_(AUTH_SOCK|CLIENT|CONNECTION|TTY)|PYTHON[A-Z]+"
)
"""Settings of a machine or session, without which a program behaves as usual."""
_NUMBERS = ("1", "1.0")
_TELEGRAM = f"123456789:{'A' * 35}"
_DATABASE = "sqlite://"
_ENGINES = ("create_engine", "create_async_engine", "engine_from_config", "make_url")
"""Functions that take a database URL, whatever the variable's name."""
_SERVER = "postgresql://user:key@localhost:5432/database"
"""Unlike a URL of SQLite, it accepts any dialect of SQL."""
_BY_NAME: tuple[tuple[str, str], ...] = (
    (r"DATABASE_UR[IL]|DB_UR[IL]|SQLALCHEMY|DSN$", _DATABASE),
    (r"REDIS_UR[IL]", "redis://localhost:6379/0"),
    (r"MONGO.*UR[IL]", "mongodb://localhost:27017/database"),
    (r"(AMQP|RABBIT).*UR[IL]", "amqp://guest:guest@localhost:5672/"),
    (r"LOG_?LEVEL", "INFO"),
    (r"TELEGRAM.*TOKEN|TG.*TOKEN", _TELEGRAM),
    (r"TIMEZONE|\bTZ\b", "UTC"),
    (r"REGION", "us-east-1"),
    (r"PORT$", "8000"),
    (r"EMAIL|MAIL_FROM|SENDER", "user@example.com"),
    (r"(?:^|_)(ID|IDS|COUNT|SIZE|LIMIT|TIMEOUT|INTERVAL|SECONDS|MINUTES|DAYS|NUM|MAX|MIN)$", "1"),
    (r"UR[IL]|ENDPOINT|WEBHOOK|BASE_?URL|API_BASE", "http://localhost:8000"),
    (r"HOST|SERVER|ADDRESS", "localhost"),
    (r"LOCALAPPDATA|APPDATA|USERPROFILE|PROGRAMFILES|HOMEPATH", "/home/user/AppData"),
    (r"PATH$|DIR$|FOLDER$|DIRECTORY$|ROOT$", "data"),
    (r"FILE(NAME)?$", "data.txt"),
    (r"(^|_)(ENABLE|USE|IS)_|ENABLED$", "true"),
    (r"USER(NAME)?$|LOGIN", "user"),
    (r"MODEL", "model"),
)


def variables(border: Border, code: KeptCode) -> dict[str, str]:
    """Return each variable that the slice requires → a value that it can use.

    A variable whose absence the slice tolerates or tests stays absent, as on a machine without any
    setup.
    """
    known = documented(border.repository)
    telegram = border.modules("telegram", "telebot", "aiogram", "pyrogram", "telethon")
    database = _database(border)
    found: dict[str, str] = {}
    own = _own_defaults(code)
    for name, guess in _needed(code):
        if name in own:
            if text := own[name]:
                found[name] = text
            continue
        if name in _LEFT_ALONE or not re.fullmatch(r"[A-Za-z_]\w*", name):
            continue
        fitting = (text for text in known.get(name, ()) if _fits(text, guess))
        value = next(fitting, guess) or _by_name(name)
        if value == "key" and telegram and re.search("TOKEN", name):
            value = _TELEGRAM
        # a variable used as a number in one place must be one everywhere
        if name not in found or (guess and found[name] not in _NUMBERS):
            found[name] = value.replace(_DATABASE, database)
    return found


def _fits(text: str, guess: str) -> bool:
    """Whether a documented value has the kind that the variable's use requires."""
    if guess in _NUMBERS:
        return re.fullmatch(r"[+-]?\d+(\.\d+)?", text) is not None and (
            "." in guess or "." not in text
        )
    return guess[:1] not in ("{", "[") or text[:1] == guess[:1]


def usable_value(code: KeptCode, name: str, kept: KeptStatement, node: ast.AST) -> str:
    """Return a likely value for a variable that a node of the kept code reads."""
    return _from_use(code, kept, node) or _by_name(name)


def _own_defaults(code: KeptCode) -> dict[str, str]:
    """Return variables that the slice gives a default → that default, if it is a literal."""
    texts = Texts(code)
    found: dict[str, str] = {}
    for kept, call in code.calls:
        if code.dotted(call.func, kept.path) == "os.environ.setdefault" and len(call.args) > 1:
            default = call.args[1]
            value = default.value if isinstance(default, ast.Constant) else None
            for name in texts.of(call.args[0], kept):
                found[name] = value if isinstance(value, str) else ""
    return found


def _database(border: Border) -> str:
    """Return a database URL that the slice's own library understands."""
    if border.modules("sqlalchemy.ext.asyncio"):
        return "sqlite+aiosqlite://"
    if border.modules("psycopg", "psycopg2", "asyncpg"):
        return _SERVER
    return _DATABASE


def dotenv_names(code: KeptCode) -> set[str]:
    """Return the names looked up in the values of a `.env` file."""
    found: set[str] = set()
    for kept, node in code.nodes(ast.Subscript, ast.Call):
        match node:
            case ast.Subscript(value=value, slice=ast.Constant(value=str(name))):
                inner = value
            case ast.Call(
                func=ast.Attribute(value=value, attr="get"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                inner = value
            case _:
                continue
        if code.dotted(inner, kept.path).startswith("dotenv.dotenv_values()"):
            found.add(name)
    return found


def _by_name(name: str) -> str:
    upper = name.upper()
    return next((value for pattern, value in _BY_NAME if re.search(pattern, upper)), "key")


# ----------------------------------------------------------------------------- what is read


@memo
def _needed(code: KeptCode) -> tuple[tuple[str, str], ...]:
    """Return the names that the slice requires, sorted, each with a value that its use suggests."""
    fates: dict[str, set[Absence]] = {}
    guesses: dict[str, list[str]] = {}
    texts = Texts(code)
    for kept, node in code.nodes(ast.Subscript, ast.Call, ast.Compare):
        for expression, cast, fate in _reads(code, kept, node):
            for name in sorted(texts.of(expression, kept)):
                if ANY not in name and GIVEN not in name:
                    may_be_absent = isinstance(node, ast.Call) and _MACHINES_OWN.fullmatch(
                        name.upper()
                    )
                    fates.setdefault(name, set()).add("handled" if may_be_absent else fate)
                    guesses.setdefault(name, []).append(cast or _from_use(code, kept, node))
    needed = {name for name, met in fates.items() if "handled" not in met and "fatal" in met}
    read = ((name, guess) for name in needed for guess in guesses[name])
    return tuple(sorted((*read, *_settings(code))))


def _reads(
    code: KeptCode, kept: KeptStatement, node: ast.AST
) -> Iterator[tuple[ast.expr, str, Absence]]:
    """Yield the name that is read, a value for its cast, and the effect of its absence."""
    match node:
        case ast.Subscript(value=value, slice=name, ctx=ast.Load()):
            if code.dotted(value, kept.path) == "os.environ":
                yield name, "", "handled" if catches_missing(code, kept, node) else "fatal"
        case ast.Compare(left=name, ops=[ast.In() | ast.NotIn()], comparators=[where]):
            if code.dotted(where, kept.path) == "os.environ":
                yield name, "", absence_tested(code, kept, node)
        case ast.Call(func=function, args=[name, *rest], keywords=words):
            dotted = code.dotted(function, kept.path)
            if dotted in _READ:
                default = [*rest, *(w.value for w in words if w.arg == "default")]
                if not default or _is_none(default[0]):
                    yield name, "", absence(code, kept, node)
                return
            reader = next((top for top in _READERS if dotted.startswith(top)), "")
            method = dotted.removeprefix(reader).lstrip(".")
            has_default = any(word.arg == "default" for word in words) or (
                reader.startswith("environs") and rest
            )
            if reader and not has_default and method not in ("read_env", "prefixed", "seal"):
                cast = next((w.value for w in words if w.arg in ("cast", "subcast")), None)
                kind = cast.id if isinstance(cast, ast.Name) else method
                yield name, _of_kind(kind), "fatal"
        case _:
            pass


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _of_kind(kind: str) -> str:
    return {
        "int": "1", "float": "1.0", "bool": "true", "Csv": "a,b", "list": "a,b", "json": "{}",
        "url": "http://localhost:8000", "path": "data", "decimal": "1", "date": "2024-01-01",
        "timedelta": "1", "log_level": "INFO", "uuid": "00000000-0000-4000-8000-000000000000",
        "datetime": "2024-01-01T12:00:00", "dict": "a=b",
    }.get(kind, "")  # fmt: skip


def _from_use(code: KeptCode, kept: KeptStatement, node: ast.AST) -> str:
    """Return a value that the uses of the variable accept; "" if any text will do."""
    above = code.parents(kept.node)
    parent = above.get(id(node))
    while isinstance(parent, (ast.BoolOp, ast.IfExp)):
        node, parent = parent, above.get(id(parent))
    if parent is None:
        return ""
    for one, use in _uses(code, kept, node):
        parents = code.parents(one.node)
        outer = parents.get(id(use))
        if outer is not None and _parses(outer, use):
            return _structure(code, one, outer)
        if outer is not None and (found := _taken_by(outer, use, parents)):
            return found
    return ""


def _uses(
    code: KeptCode, kept: KeptStatement, node: ast.AST
) -> Iterator[tuple[KeptStatement, ast.AST]]:
    """Yield the node, and the places that read the variable holding its value."""
    yield kept, node
    match code.parents(kept.node).get(id(node)):
        case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)]):
            yield from code.uses.get(name, ())
        case ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name)):
            yield from code.uses.get(name, ())
        case _:
            return


def _parses(call: ast.AST, text: ast.AST) -> bool:
    """Whether a call parses a text as a literal."""
    match call:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]):
            return first is text and name in ("loads", "literal_eval", "eval", "safe_load")
        case _:
            return False


def _structure(code: KeptCode, kept: KeptStatement, call: ast.AST) -> str:
    """Return the text of a literal whose value has the uses of the parsed one."""
    keys: list[str] = []
    kinds: set[str] = set()
    for one, use in _uses(code, kept, call):
        match code.parents(one.node).get(id(use)):
            case ast.Subscript(value=value, slice=ast.Constant(value=str(key))) if value is use:
                keys.append(key)
            case ast.Subscript(value=value) if value is use:
                kinds.add("list")
            case ast.Attribute(attr="items" | "keys" | "values" | "get" | "pop"):
                kinds.add("dict")
            case ast.For() | ast.comprehension() | ast.Starred() | ast.Compare(ops=[ast.In()]):
                kinds.add("list")
            case ast.Call(func=ast.Name(id="list" | "set" | "tuple" | "sorted" | "len" | "sum")):
                kinds.add("list")
            case ast.Attribute(attr="append" | "extend" | "index"):
                kinds.add("list")
            case (
                ast.BinOp() | ast.Compare() | ast.Call(func=ast.Name(id="int" | "float" | "range"))
            ):
                kinds.add("number")
            case _:
                continue
    if keys or "dict" in kinds:
        return json.dumps(dict.fromkeys(keys, "key"))
    if "list" in kinds:
        return "[1]"
    if "number" in kinds:
        return "1"
    return "1" if getattr(getattr(call, "func", None), "id", "") == "eval" else "{}"


def _taken_by(parent: ast.AST, node: ast.AST, above: dict[int, ast.AST]) -> str:
    match parent:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[first, *_]) if (
            first is node and name in _ENGINES
        ):
            return _SERVER
        case ast.Call(func=ast.Name(id="int"), args=[first, *_]) if first is node:
            return "1"
        case ast.Call(func=ast.Name(id="float"), args=[first, *_]) if first is node:
            return "1.0"
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if first is node:
            return {"strtobool": "true", "Path": "data", "Decimal": "1", "Fraction": "1"}.get(
                name, ""
            )
        case ast.Call(func=ast.Attribute(attr="b64decode"), args=[first, *_]) if first is node:
            return "a2V5"
        case ast.Attribute(value=value, attr="split") if value is node:
            return _split(above.get(id(parent)), above)
        case ast.Attribute(value=value, attr="lower" | "upper" | "strip") if value is node:
            call = above.get(id(parent))
            outer = above.get(id(call)) if call is not None else None
            return _taken_by(outer, call, above) if outer is not None and call is not None else ""
        case ast.Compare(left=left, comparators=[other]) if left is node:
            values = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]
            texts = [v.value for v in values if isinstance(v, ast.Constant)]
            return next((text for text in texts if isinstance(text, str) and text), "")
        case _:
            return ""


def _split(call: ast.AST | None, above: dict[int, ast.AST]) -> str:
    separator = ","
    match call:
        case ast.Call(args=[ast.Constant(value=str(text)), *_]):
            separator = text
        case _:
            separator = " "
    outer = above.get(id(call))
    numbers = isinstance(outer, (ast.comprehension, ast.Call)) and any(
        isinstance(node, ast.Name) and node.id in ("int", "float")
        for node in ast.walk(above.get(id(outer), outer))
    )
    return separator.join(("1", "2") if numbers else ("a", "b"))


# ----------------------------------------------------------------------------- settings classes


def _settings(code: KeptCode) -> Iterator[tuple[str, str]]:
    """Yield the fields without a default in classes of pydantic-settings."""
    for _, cls in settings_classes(code):
        prefix = next(_prefixes(cls), "")
        for each in _required(cls):
            name = each.text_of(*_ALIASES) or (prefix + each.name).upper()
            yield name, _of_annotation(code, each.annotation)


def settings_classes(code: KeptCode) -> list[tuple[str, ast.ClassDef]]:
    """Return the kept classes that pydantic-settings fills from variables, with their files."""
    return [
        (path, cls)
        for path, cls in code.classes
        if any(code.dotted(base, path) in _SETTINGS for base in cls.bases)
    ]


def _prefixes(cls: ast.ClassDef) -> Iterator[str]:
    for node in ast.walk(cls):
        match node:
            case ast.keyword(arg="env_prefix", value=ast.Constant(value=str(text))):
                yield text
            case ast.Assign(
                targets=[ast.Name(id="env_prefix")], value=ast.Constant(value=str(text))
            ):
                yield text
            case _:
                pass


_ALIASES = ("env", "alias", "validation_alias")
"""Options that name the variable of a field."""


def _required(cls: ast.ClassDef) -> Iterator[Field]:
    """Yield the annotated names without a default."""
    for each in declared_in(cls.body):
        if each.annotation is not None and each.is_needed and each.name != "model_config":
            yield each


def _of_model(code: KeptCode, cls: ast.ClassDef) -> str:
    """Return JSON with the fields that a model of the repository requires."""
    fields: dict[str, object] = {}
    for each in declared_in(cls.body):
        match each:
            case Field(annotation=None, value=ast.Constant(value=str(text))):
                return text  # an enumeration
            case _:
                continue
    for each in _required(cls):
        text = _of_annotation(code, each.annotation) or _by_name(each.name)
        is_nested = text[:1] in ("{", "[")
        name = each.text_of(*_ALIASES) or each.name
        fields[name] = json.loads(text) if is_nested else text
    return json.dumps(fields)


def _of_annotation(code: KeptCode, node: ast.expr | None) -> str:
    match node:
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            first = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
            return str(first.value) if isinstance(first, ast.Constant) else ""
        case ast.Subscript(value=ast.Name(id=name)):
            kind = name.lower()
            if kind in ("list", "set", "tuple", "sequence", "frozenset"):
                numbers = any(isinstance(n, ast.Name) and n.id == "int" for n in ast.walk(node))
                return "[1]" if numbers else '["a"]'
            return "{}" if kind in ("dict", "mapping") else ""
        case ast.Name(id=name) if (cls := code.class_named(name)) is not None:
            return _of_model(code, cls)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return {
                "int": "1", "float": "1.0", "bool": "true", "list": "[]", "dict": "{}",
                "HttpUrl": "http://localhost:8000", "AnyUrl": "http://localhost:8000",
                "AnyHttpUrl": "http://localhost:8000", "EmailStr": "user@example.com",
                "PostgresDsn": _SERVER,
                "RedisDsn": "redis://localhost:6379/0", "PositiveInt": "1",
                "UUID": _of_kind("uuid"),
                "MongoDsn": "mongodb://localhost:27017/database", "Path": "data", "Decimal": "1",
                "FilePath": "data.txt", "DirectoryPath": ".", "timedelta": "60",
            }.get(name, "")  # fmt: skip
        case _:
            return ""
