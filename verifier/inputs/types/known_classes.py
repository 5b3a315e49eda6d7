"""Constructor calls for instances of well-known classes."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable

_OF_PARTS = (UnicodeEncodeError, UnicodeDecodeError, UnicodeTranslateError, ExceptionGroup)
"""Exceptions whose constructors need more than a message."""
_DATETIME = '__import__("datetime")'
KNOWN: dict[str, str] = {
    "datetime.datetime": f"{_DATETIME}.datetime(2024, 1, 1, 10, 0)",
    "datetime.date": f"{_DATETIME}.date(2024, 1, 1)",
    "datetime.time": f"{_DATETIME}.time(10, 0)",
    "datetime.timedelta": f"{_DATETIME}.timedelta(hours=1)",
    "datetime.timezone": f"{_DATETIME}.timezone.utc",
    "decimal.Decimal": '__import__("decimal").Decimal("1.5")',
    "fractions.Fraction": '__import__("fractions").Fraction(1, 2)',
    "pathlib.Path": '__import__("pathlib").Path("path-1.txt")',
    "pathlib.PurePath": '__import__("pathlib").PurePath("path-1.txt")',
    "os.PathLike": '__import__("pathlib").Path("path-1.txt")',
    "enum.Enum": '__import__("uuid").SafeUUID.safe',
    "enum.IntEnum": '__import__("http").HTTPStatus.OK',
    "enum.StrEnum": '__import__("http").HTTPMethod.GET',
    "enum.Flag": '__import__("re").ASCII',
    "enum.IntFlag": '__import__("re").ASCII',
    "enum.EnumMeta": '__import__("uuid").SafeUUID',
    "enum.EnumType": '__import__("uuid").SafeUUID',
    "uuid.UUID": '__import__("uuid").UUID(int=1)',
    "logging.Logger": '__import__("logging").getLogger("stand-in")',
    "random.Random": '__import__("random").Random(1)',
    "io.StringIO": '__import__("io").StringIO("line-1\\nline-2\\n")',
    "typing.TextIO": '__import__("io").StringIO("line-1\\nline-2\\n")',
    "typing.IO": '__import__("io").StringIO("line-1\\nline-2\\n")',
    "io.TextIOWrapper": '__import__("io").StringIO("line-1\\nline-2\\n")',
    "io.BytesIO": '__import__("io").BytesIO(b"line-1\\nline-2\\n")',
    "io.BufferedReader": '__import__("io").BytesIO(b"line-1\\nline-2\\n")',
    "io.BufferedIOBase": '__import__("io").BytesIO(b"line-1\\nline-2\\n")',
    "io.RawIOBase": '__import__("io").BytesIO(b"line-1\\nline-2\\n")',
    "io.TextIOBase": '__import__("io").StringIO("line-1\\nline-2\\n")',
    "typing.BinaryIO": '__import__("io").BytesIO(b"line-1\\nline-2\\n")',
    "sqlite3.Connection": '__import__("sqlite3").connect(":memory:")',
    "sqlite3.Cursor": '__import__("sqlite3").connect(":memory:").cursor()',
    "queue.Queue": '__import__("queue").Queue()',
    "threading.Lock": '__import__("threading").Lock()',
    "threading.Event": '__import__("threading").Event()',
    "asyncio.Queue": '__import__("asyncio").Queue()',
    "asyncio.Lock": '__import__("asyncio").Lock()',
    "asyncio.Event": '__import__("asyncio").Event()',
    "collections.deque": '__import__("collections").deque([1, 2])',
    "collections.Counter": '__import__("collections").Counter("aab")',
    "argparse.ArgumentParser": '__import__("argparse").ArgumentParser()',
    "configparser.ConfigParser": '__import__("configparser").ConfigParser()',
    "requests.Session": '__import__("requests").Session()',
    "requests.sessions.Session": '__import__("requests").Session()',
    "httpx.Client": '__import__("httpx").Client()',
    "httpx.AsyncClient": '__import__("httpx").AsyncClient()',
    "re.Pattern": '__import__("re").compile("a")',
    "typing.Pattern": '__import__("re").compile("a")',
    "zipfile.ZipFile": '__import__("zipfile").ZipFile(__import__("io").BytesIO(), "w")',
    "xml.etree.ElementTree.Element": (
        '__import__("xml.etree.ElementTree", fromlist=["Element"]).Element("root")'
    ),
    "bs4.BeautifulSoup": '__import__("bs4").BeautifulSoup("<p>text-1</p>", "html.parser")',
    **dict.fromkeys(
        ("bs4.Tag", "bs4.element.Tag"),
        '__import__("bs4").BeautifulSoup("<p>text-1</p>", "html.parser").p',
    ),
    **dict.fromkeys(
        ("bs4.NavigableString", "bs4.element.NavigableString"),
        '__import__("bs4").NavigableString("text-1")',
    ),
    **dict.fromkeys(
        ("werkzeug.datastructures.FileStorage", "werkzeug.FileStorage"),
        '__import__("werkzeug.datastructures", fromlist=["FileStorage"]).FileStorage('
        '__import__("io").BytesIO(b"line-1\\nline-2\\n"), "file-1.txt")',
    ),
    **dict.fromkeys(
        ("lxml.etree._Element", "lxml.etree.Element"),
        '__import__("lxml.etree", fromlist=["fromstring"]).fromstring("<root>text-1</root>")',
    ),
    "tornado.httputil.HTTPServerRequest": (
        '__import__("tornado.httputil", fromlist=["HTTPServerRequest"]).HTTPServerRequest('
        'method="GET", uri="/path-1")'
    ),
    "numpy.ndarray": '__import__("numpy").arange(1.0, 5.0).reshape(2, 2)',
    "numpy.array": '__import__("numpy").arange(1.0, 5.0).reshape(2, 2)',
    "numpy.random.Generator": '__import__("numpy").random.default_rng(1)',
    "pandas.Series": '__import__("pandas").Series([1.5, 2.5, 3.5])',
    "torch.Tensor": '__import__("torch").arange(1.0, 5.0).reshape(2, 2)',
    "torch.tensor": '__import__("torch").arange(1.0, 5.0).reshape(2, 2)',
    "torch.FloatTensor": '__import__("torch").arange(1.0, 5.0).reshape(2, 2)',
    "torch.LongTensor": '__import__("torch").arange(4).reshape(2, 2)',
    "torch.device": '__import__("torch").device("cpu")',
    "PIL.Image.Image": '__import__("PIL.Image", fromlist=["new"]).new("RGB", (8, 8))',
    "PIL.Image": '__import__("PIL.Image", fromlist=["new"]).new("RGB", (8, 8))',
    "matplotlib.axes.Axes": '__import__("matplotlib.pyplot", fromlist=["gca"]).figure().gca()',
    "matplotlib.pyplot.Axes": '__import__("matplotlib.pyplot", fromlist=["gca"]).figure().gca()',
    "matplotlib.figure.Figure": '__import__("matplotlib.pyplot", fromlist=["gca"]).figure()',
    "networkx.Graph": '__import__("networkx").path_graph(3)',
    "networkx.DiGraph": '__import__("networkx").path_graph(3, __import__("networkx").DiGraph)',
    **dict.fromkeys(("tkinter.Tk", "tkinter.Misc", "tkinter.Wm"), '__import__("tkinter").Tk()'),
    "tkinter.Toplevel": '__import__("tkinter").Toplevel()',
    "tkinter.Frame": '__import__("tkinter").Frame()',
    "tkinter.Canvas": '__import__("tkinter").Canvas()',
    "tkinter.Widget": '__import__("tkinter").Frame()',
    "builtins.object": "object()",
    "builtins.BaseException": 'Exception("error-1")',
    **{
        f"builtins.{name}": f'{name}("error-1")'
        for name, cls in sorted(vars(builtins).items())
        if isinstance(cls, type) and issubclass(cls, Exception) and cls not in _OF_PARTS
    },
    "builtins.complex": "1j",
    "builtins.slice": "slice(0, 1)",
    "builtins.range": "range(2)",
    "builtins.type": "object",
    "typing.Any": "'any-1'",
}
_TREE = '__import__("bs4").BeautifulSoup("<p>text-1</p>", "html.parser")'
OTHER_INSTANCES: dict[str, tuple[str, ...]] = {
    "bs4.Tag": (
        f"{_TREE}.p.extract()",
        _TREE,
        '__import__("bs4").BeautifulSoup("", "html.parser")',
    ),
}
"""Further instances of these classes: without context, the whole document, an empty one."""
OTHER_INSTANCES["bs4.element.Tag"] = OTHER_INSTANCES["bs4.Tag"]
_ERRORS = (
    'ValueError("error-1 \\nline-2\\n")',
    'ExceptionGroup("errors-1", [KeyError("key-1"), ValueError()])',
)
OTHER_INSTANCES.update(dict.fromkeys(("builtins.Exception", "builtins.BaseException"), _ERRORS))


def inherited_constructor_arguments(bases: Iterable[str]) -> str:
    """Return constructor arguments for a class that inherits from one of these.

    Args:
        bases: dotted names of its base classes outside the repository.
    """
    for base in bases:
        if base == "builtins.type":  # instances of a metaclass are classes
            return "'Some', (), {}"
        if base.startswith("builtins.") or base not in KNOWN:
            continue
        made = ast.parse(KNOWN[base], mode="eval").body
        if isinstance(made, ast.Call) and ast.unparse(made.func).endswith(
            "." + base.split(".")[-1]
        ):
            return ast.unparse(made).removeprefix(ast.unparse(made.func))[1:-1]
    return ""


def is_of_library(name: str) -> bool:
    """Whether it is a known class of the standard library, builtins excluded."""
    top = name.partition(".")[0]
    return name in KNOWN and top in sys.stdlib_module_names and top != "builtins"
