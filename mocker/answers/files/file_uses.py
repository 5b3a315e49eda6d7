"""The places where a slice reads, writes, lists and removes files, and their possible paths."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...source.kept_code import KeptCode, KeptStatement
from ...source.text_values import Texts
from .file_formats import READERS

if TYPE_CHECKING:
    from ...contacts import Border

Does = Literal["read", "write", "list", "remove"]

_OPENERS = ("builtins.open", "io.open", "codecs.open", "aiofiles.open", "gzip.open", "os.open",
            "zipfile.ZipFile", "tarfile.open", "wave.open", "h5py.File")  # fmt: skip
_FROM_STREAM = (
    "json.load", "json.loads", "orjson.loads", "ujson.load", "simplejson.load", "csv.reader",
    "csv.DictReader", "yaml.safe_load", "yaml.load", "yaml.full_load", "yaml.safe_load_all",
    "toml.loads", "tomllib.load", "tomllib.loads", "tomli.load", "tomlkit.parse",
    "configparser.ConfigParser", "configparser.RawConfigParser", "configparser.SafeConfigParser",
    "pickle.load", "pickle.loads", "dill.load", "bs4.BeautifulSoup",
)  # fmt: skip
_FUNCTIONS: dict[str, tuple[Does, int]] = {
    **dict.fromkeys(
        ("os.listdir", "os.scandir", "os.walk", "glob.glob", "glob.iglob"), ("list", 0)),
    **dict.fromkeys(
        ("os.makedirs", "os.mkdir", "os.chmod", "os.utime", "os.truncate", "numpy.save",
         "numpy.savez", "numpy.savetxt", "cv2.imwrite", "logging.FileHandler",
         "logging.basicConfig", "logging.handlers.RotatingFileHandler",
         "logging.handlers.TimedRotatingFileHandler", "shutil.make_archive",
         "matplotlib.pyplot.savefig"), ("write", 0)),
    **dict.fromkeys(
        ("shutil.copy", "shutil.copyfile", "shutil.copy2", "shutil.copytree", "pickle.dump",
         "joblib.dump", "os.link", "os.symlink"), ("write", 1)),
    **dict.fromkeys(
        ("os.remove", "os.unlink", "os.rmdir", "os.removedirs", "shutil.rmtree", "shutil.move",
         "os.rename", "os.replace"), ("remove", 0)),
    "linecache.getlines": ("read", 0), "numpy.fromfile": ("read", 0),
    "cv2.VideoCapture": ("read", 0),
    "cv2.CascadeClassifier": ("read", 0), "pygame.mixer.Sound": ("read", 0),
    "os.path.getsize": ("read", 0), "os.stat": ("read", 0),
}  # fmt: skip
_METHODS: dict[str, Does] = {
    "read_text": "read", "read_bytes": "read", "iterdir": "list", "rglob": "list",
    "write_text": "write", "write_bytes": "write", "unlink": "remove", "rmdir": "remove",
    "touch": "write", "mkdir": "write",
}  # fmt: skip
_WRITERS = (
    "to_csv",
    "to_json",
    "to_excel",
    "to_pickle",
    "to_html",
    "savefig",
    "save",
    "dump_stats",
)
_CONFIGPARSERS = ("configparser.ConfigParser", "configparser.RawConfigParser")


@dataclass(frozen=True, slots=True)
class FileUse:
    """A call that uses a file or folder."""

    kept: KeptStatement
    call: ast.Call
    does: Does
    text: str
    """The path, with `ANY` and `GIVEN` for parts that are not literal."""
    reader: str
    """The format that the function itself reads; "" for plain reading."""
    name: str
    """Dotted name of the function."""


def file_uses(border: Border, code: KeptCode) -> Iterator[FileUse]:
    """Yield each use of a file in the kept code, once for each possible path."""
    texts = Texts(code)
    parses = bool(border.named(*_CONFIGPARSERS))
    for kept, call in code.calls:
        for does, path, reader, name in _paths(code, kept, call, parses=parses):
            for text in sorted(texts.of(path, kept)):
                yield FileUse(kept, call, does, text, reader, name)


def _paths(
    code: KeptCode, kept: KeptStatement, call: ast.Call, *, parses: bool
) -> Iterator[tuple[Does, ast.expr, str, str]]:
    name = code.dotted(call.func, kept.path)
    reader = READERS.get(name, "")
    first = call.args[0] if call.args else _named(call)
    if name in _OPENERS:
        if first is not None:
            does: Does = "write" if _writes(call, name) else "read"
            yield does, first, reader if name != "gzip.open" else "gzip", name
    elif name in _FUNCTIONS:
        does, index = _FUNCTIONS[name]
        path = call.args[index] if len(call.args) > index else None
        path = path or (_named(call) if does == "write" and not index else None)
        if path is not None:
            yield does, path, "", name
        if name in ("shutil.move", "os.rename", "os.replace") and len(call.args) > 1:
            yield "write", call.args[1], "", name
        if name.startswith("shutil.copy") and call.args:
            yield "read", call.args[0], "", name
    elif reader:
        if first is not None and name not in _FROM_STREAM:
            yield "read", first, reader, name
    elif isinstance(call.func, ast.Attribute):
        yield from _method(call, call.func, name, parses=parses)


def _method(
    call: ast.Call, function: ast.Attribute, name: str, *, parses: bool
) -> Iterator[tuple[Does, ast.expr, str, str]]:
    attribute = function.attr
    first = call.args[0] if call.args else None
    if attribute in _METHODS:
        yield _METHODS[attribute], function.value, "", f"pathlib.Path().{attribute}"
        if attribute == "rglob" and first is not None:
            path = ast.BinOp(function.value, ast.Div(), first)
            yield "list", path, "", "pathlib.Path().glob"
    elif attribute == "glob" and first is not None and not name.startswith("glob."):
        yield "list", ast.BinOp(function.value, ast.Div(), first), "", "pathlib.Path().glob"
    elif attribute == "open" and not name:
        does: Does = "write" if _writes(call, name, at=0) else "read"
        yield does, function.value, "", "pathlib.Path().open"
    elif attribute == "open" and name.startswith("pathlib.Path"):
        does = "write" if _writes(call, name, at=0) else "read"
        yield does, function.value, "", name
    elif attribute in ("rename", "replace") and name.startswith("pathlib.Path"):
        yield "remove", function.value, "", name
    elif attribute == "read" and parses and first is not None:
        paths = first.elts if isinstance(first, (ast.List, ast.Tuple)) else [first]
        for path in paths:
            yield "read", path, "ini", "configparser.ConfigParser().read"
    elif attribute in _WRITERS and first is not None:
        yield "write", first, "", attribute


def _named(call: ast.Call) -> ast.expr | None:
    names = ("file", "filepath_or_buffer", "path", "fp", "filename", "io", "fname", "source")
    return next((word.value for word in call.keywords if word.arg in names), None)


def _writes(call: ast.Call, name: str, at: int = 1) -> bool:
    """Whether a call's mode only writes."""
    mode = call.args[at] if len(call.args) > at else None
    mode = mode or next((word.value for word in call.keywords if word.arg == "mode"), None)
    if isinstance(mode, ast.Constant) and isinstance(mode.value, str):
        return mode.value[:1] in ("w", "x") or (mode.value[:1] == "a" and "+" not in mode.value)
    return name == "os.open"
