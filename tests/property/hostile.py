"""Broken and hostile text: strategies and tables of what no tool likes to read."""

# ruff: noqa: E501 (tables of texts)

from __future__ import annotations

import random
import sysconfig
from pathlib import Path

from hypothesis import strategies as st

STANDARD = ("textwrap", "enum", "contextlib", "dataclasses", "abc", "string", "heapq", "copy")
"""Modules of the standard library whose text is truncated and mutated."""

CHUNKS = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\x0c", b"\x1a", b"\t", b"\\\n", b"\\",
    b'"""', b"'''", b"(", b")", b"[", b"{", b"}", b":", b"\n\n\n", b"\n    ", b"\n", b"*", b"@",
    b"\xc3", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xf0\x9f\x90\x8d", b"\x85", b"\x0b",
    b"# -*- coding: utf-7 -*-\n", b"import ", b"from . import *\n", b"lambda: ", b"0777", b"1_",
    b"async ", b"await ", b"yield ", b"global x\n", b"return\n", b"f'{", b"print 'x'\n", b":=",
)  # fmt: skip
"""What mutation inserts."""

FILES: dict[str, bytes] = {
    "empty": b"",
    "one NUL": b"\0",
    "NUL in the middle": b"def f():\n    return 1\n\0\n",
    "only a byte-order mark": b"\xef\xbb\xbf",
    "byte-order mark and wrong cookie": b"\xef\xbb\xbf# coding: latin-1\ndef f(): pass\n",
    "two byte-order marks": b"\xef\xbb\xbf\xef\xbb\xbfdef f(): pass\n",
    "UTF-16": "def f(): pass\n".encode("utf-16"),
    "UTF-32 without mark": "def f(): pass\n".encode("utf-32-le"),
    "UTF-7 cookie": b"# coding: utf-7\ndef f(): return '+AGE-'\n",
    "cookie of a codec that is no text": b"# coding: rot13\nqrs s(): cnff\n",
    "base64 cookie": b"# coding: base64\nZGVmIGYoKTogcGFzcw==\n",
    "hex cookie": b"# coding: hex\n646566\n",
    "idna cookie": b"# coding: idna\ndef f(): pass\n",
    "punycode cookie": b"# coding: punycode\ndef f(): pass\n",
    "unicode_escape cookie": b"# coding: unicode_escape\ndef f(): return '\\x41'\n",
    "raw_unicode_escape cookie": b"# coding: raw_unicode_escape\ndef f(): return '\\u0041'\n",
    "undefined cookie": b"# coding: undefined\ndef f(): pass\n",
    "mbcs cookie": b"# coding: mbcs\ndef f(): pass\n",
    "unknown cookie": b"# coding: no-such-codec\ndef f(): pass\n",
    "endless cookie": b"# coding: " + b"a" * 100_000 + b"\ndef f(): pass\n",
    "cookie with a NUL": b"# coding: utf\0-8\ndef f(): pass\n",
    "Shift JIS": "# coding: shift_jis\ndef f(): return '\u8868'\n".encode("shift_jis"),
    "ISO-2022-JP": "# coding: iso2022_jp\ndef f(): return '\u8868'\n".encode("iso2022_jp"),
    "latin-1 without cookie": b"def f(): return '\xe9'\n",
    "latin-1 with cookie in line 2": b"#!x\n# coding: latin-1\ndef f(): return '\xe9'\n",
    "lone carriage returns": b"def f():\r    return 1\r",
    "mixed line ends": b"x = 1\r\ndef f():\r    return x\ny = 2\n\r",
    "carriage return in a string": b'def f():\n    return """a\rb\r\nc"""\n',
    "form feeds": b"\x0cdef f():\n\x0c    return 1\n\x0c\nx = 2\n",
    "vertical tabs": b"def f():\n\x0b    return 1\n",
    "control Z": b"def f(): pass\n\x1a",
    "line separators": "def f(): return '\u2028'  # \u2029 \x85\nx = 1\n".encode(),
    "tabs and spaces": b"def f():\n\tif 1:\n        return 1\n",
    "backslash at the end": b"def f(): pass\n\\",
    "backslash and blanks": b"x = 1 \\\n\n\ndef f(): return x\n",
    "semicolons": b"x = 1; def_ = 2; y = x; z = lambda: y\ndef f(): return z; return 1\n",
    "definition after a semicolon": b"x = 1; y = 2\nif x: y = 3; z = 4\ndef f(): return z\n",
    "no newline": b"def f(): return 1",
    "nul-like escapes": b"def f(): return '\\0\\x00\\N{SNAKE}'\n",
    "surrogates": b"def f(): return '\xed\xa0\x80'\n",
    "unknown character name": b"def f(): return '\\N{NO SUCH NAME}'\n",
    "unicode names": "def f(): return \u0434\u0430\n\u0434\u0430 = 1\n\ufb01x = 2\n".encode(),
    "names that normalise": "\u2102 = 1\ndef f(): return C\n".encode(),
    "deep parentheses": b"def f(): return " + b"(" * 150 + b"1" + b")" * 150 + b"\n",
    "too deep parentheses": b"def f(): return " + b"(" * 5000 + b"1" + b")" * 5000 + b"\n",
    "deep lists": b"x = " + b"[" * 95 + b"]" * 95 + b"\ndef f(): return x\n",
    "deep minus": b"def f(): return " + b"-" * 5000 + b"1\n",
    "deep not": b"def f(): return " + b"not " * 3000 + b"1\n",
    "deep attributes": b"x = 1\ndef f(): return x" + b".a" * 5000 + b"\n",
    "deep calls": b"x = 1\ndef f(): return x" + b"()" * 5000 + b"\n",
    "deep sums": b"x = 1\ndef f(): return " + b" + ".join([b"x"] * 8000) + b"\n",
    "deep blocks": b"def f():\n" + b"".join(b" " * i + b"if 1:\n" for i in range(1, 95)) + b" " * 95
    + b"pass\n",
    "deep elif": b"def f(x):\n    if x: pass\n"
    + b"".join(b"    elif x == %d: pass\n" % i for i in range(2000)),
    "deep functions": b"".join(b" " * i + b"def f():\n" for i in range(90)) + b" " * 90 + b"pass\n",
    "deep lambdas": b"f = " + b"lambda: " * 90 + b"1\n",
    "deep f-strings": b"def f(): return f'{f\"{1}\"}' f'{1:{2}}'\n",
    "deep decorators": b"def d(f): return f\n" + b"@d\n" * 3000 + b"def f(): pass\n",
    "huge line": b"x = [" + b"1, " * 200_000 + b"]\ndef f(): return x\n",
    "huge string": b"x = '" + b"a" * 2_000_000 + b"'\ndef f(): return x\n",
    "huge number": b"x = " + b"9" * 10_000 + b"\ndef f(): return x\n",
    "huge name": b"a" * 100_000 + b" = 1\ndef f(): return " + b"a" * 100_000 + b"\n",
    "many lines": b"\n" * 300_000 + b"def f(): pass\n",
    "many definitions": b"".join(b"def f%d(): return f%d()\n" % (i, i + 1) for i in range(3000))
    + b"def f(): return f0()\n",
    "many bindings": b"x = 0\n" + b"x = x + 1\n" * 5000 + b"def f(): return x\n",
    "bases in a chain": b"class C0: pass\n"
    + b"".join(b"class C%d(C%d): pass\n" % (i + 1, i) for i in range(2000))
    + b"def f(): return C2000()\n",
    "class of itself": b"class C(C): pass\nclass D(E): pass\nclass E(D): pass\ndef f(): return D()\n",
    "import of itself": b"from odd import *\nfrom odd import f as g\nimport odd\ndef f(): return g\n",
    "relative beyond the top": b"from .... import x\nfrom . import y\ndef f(): return x, y\n",
    "return at top level": b"return 1\ndef f(): pass\n",
    "yield at top level": b"x = yield 1\ndef f(): return x\n",
    "await at top level": b"x = await y\ndef f(): return x\n",
    "nonlocal at top level": b"nonlocal x\ndef f(): return x\n",
    "global at top level": b"global x\nx = 1\ndef f(): return x\n",
    "break at top level": b"break\ndef f(): pass\n",
    "star import in a function": b"def f():\n    from os import *\n",
    "future import too late": b"x = 1\nfrom __future__ import annotations\ndef f(): return x\n",
    "unknown future": b"from __future__ import braces\ndef f(): pass\n",
    "two equal parameters": b"def f(a, a): return a\n",
    "assignment to a keyword": b"__debug__ = 1\ndef f(): return __debug__\n",
    "starred target": b"*a, = 1, 2\ndef f(): return a\n",
    "Python 2": b"print 'x'\nexec 'y'\ndef f(): raise E, 'x'\n",
    "newer Python": b"def f[T](x: T) -> T: return x\ntype A = int\n",
    "cython": b"cdef int f(int x):\n    return x\n",
    "template": b"{% if x %}\ndef f(): pass\n{% endif %}\n",
    "merge conflict": b"<<<<<<< HEAD\ndef f(): pass\n=======\n>>>>>>> other\n",
    "git LFS pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    "a zip file": b"PK\x03\x04\x14\x00\x00\x00",
    "an ELF file": b"\x7fELF\x02\x01\x01\x00",
    "compiled Python": b"\xa7\r\r\n\x00\x00\x00\x00",
    "all without sense": b"__all__ = 5\n__all__ += x\ndef f(): pass\n",
    "all that unpacks": b"__all__ = [*x, 'f', None, 1]\nx = __all__\ndef f(): return x\n",
    "slots and names of classes": b"class f:\n    __slots__ = __name__ = f\n    f = f\n",
    "delete everything": b"def f(): return x\nx = 1\ndel x\ndel f\n",
    "only conditional": b"if 0:\n    def f(): pass\nelif 1:\n    def f(): return 2\nelse: f = 3\n",
    "quotes of both kinds": b"x = '''\"\"\"'''\ny = \"\"\"'''\"\"\"\ndef f(): return x, y, r'\\'\n"[:-2]
    + b"'\n",
    "exception groups": b"def f():\n    try: pass\n    except* ValueError as e: return e\n",
    "match with everything": b"def f(x):\n    match x:\n        case {'a': [1, *r], **k} | k as r:"
    b" return r\n        case _: return k\n",
    "type comments": b"def f(x):\n    # type: (int) -> Missing\n    y = x  # type: Missing[\n    return y\n",
    "broken annotations": b'def f(x: "1 +") -> "(": return x\n',
    "null bytes by escape in annotations": b'def f(x: "a\\0b", y: "\\ud800"): return x\n',
    "import of odd names": b"import __main__, builtins, sys as os, a.b.c.d.e.f\ndef f(): return a, os\n",
    "conflicting getattr": b"def __getattr__(n): return __getattr__\ndef __dir__(): return x\n"
    b"def f(): return y\n",
}  # fmt: skip
"""What it is called → the text of a file whose function `f` is asked for."""

TARGETS = (
    "", ":", "::", ":::", "::::", "a", "a::", "::b", "odd.py", "odd.py::", "odd.py::f::f",
    "odd.py::f.", "odd.py::.f", "odd.py::.", "odd.py::..", "odd.py::f.<locals>.g", "odd.py::f()",
    "odd.py:f", "odd::f", "odd.f", "./odd.py::f", "sub/../odd.py::f", "../odd.py::f",
    "../../../../etc/passwd::f", "/etc/passwd::f", "/dev/stdin::f", "/dev/zero::f", "..::f",
    ".::f", "sub::f", "sub/::f", "odd.py/::f", "odd.py/x::f", "C:\\odd.py::f", "sub\\mod.py::f",
    "\u00f6dd.py::f", "odd.py::\u00f6", "odd.py::\ud800", "\ud800.py::f", "odd.py::f\n",
    "odd\0.py::f", "odd.py::\0", " odd.py::f", "odd.py ::f", "odd.py:: f", "ODD.PY::f", "odd.py::F",
    "-::f", "--::f", "odd.py::<module>", "odd.py::<lambda>", "odd.py::*", "odd.py::f,g", "*.py::f",
    "odd.py::" + "f" * 10_000, "x/" * 5_000 + "odd.py::f", "odd.py::" + "f." * 5_000 + "f",
    "odd.pyc::f", "data.txt::f", "odd.py::__name__", "odd.py::print", "odd.py::x", "odd.py::os",
    "odd.py::f.__code__", "\u202eodd.py::f", "odd.py::f\x1b[31m", "~/odd.py::f", "$HOME/odd.py::f",
    "file:///odd.py::f", "odd.py::None", "odd.py::def", "odd.py::1", "odd.py::f#", "odd.py::f;f",
)  # fmt: skip

NAMES = (
    "a b.py", "a-b.py", "1.py", "class.py", "\u00e9.py", "e\u0301.py", "\U0001f40d.py", "a.b.py",
    "'.py", '".py', "\\.py", "a\nb.py", "a\rb.py", "a\tb.py", "-.py", "--emit.py", ".py", "..py",
    "#.py", "%s.py", "{x}.py", "$(x).py", "`.py", ";.py", "__init__.py", "__main__.py",
    "conftest.py", "builtins.py", "sys.py", "typing.py", "os.py", "__future__.py", "a::b.py",
    "a.PY", "\x7f.py", "\u202e.py", "\u2028.py", "x" * 200 + ".py", "sitecustomize.py", "f'''.py",
)  # fmt: skip
"""File names; all but the odd ones of Windows are allowed here."""

STATEMENTS = (
    "def f(x=g, *a, k: A = K, **r) -> B:\n    return g(x, C().m, K) + y",
    "def g(*a): return f(*a)", "async def h():\n    async with A() as y, g() as (z, *w): yield y",
    "class A(B, metaclass=M, k=g): m = g; K = K", "class B:\n    def m(self): return super().m",
    "class C(A.B, f(B)): x: int; y: 'A' = 1", "class M(type): pass", "class A: A = A",
    "from {m} import *", "from {m} import f as g, g as f", "import {m}", "import {m} as y",
    "from . import {m}", "from .{m} import A, B as C", "from .. import x", "import a.b, a.c as A",
    "try:\n    import {m}\nexcept ImportError:\n    {m} = None\nelse:\n    y = {m}.f\nfinally: z = 1",
    "if g: K = 1\nelif f():\n    def K(): pass\nelse:\n    class K: pass", "for y, (z, *w) in f(): g(y)",
    "while (K := g()): break\nelse: y = 2", "with open(f) as y, g() as (K, y.z): pass", "del y", "del K[0], A.m",
    "x, (y, *z) = K = g()", "x: int", "x: A[B] = g()", "K += 1", "K[f] = g; A.x = f", "A.x += K", "global K",
    "K.update(f=g)", "K = {{}}; K['x'] = lambda y=K: (y, K, x)", "g(K, A)", "@g\n@A.m(f)\ndef h(): return K",
    "@property\ndef y(self): pass\n@y.setter\ndef y(self, v): pass", "__all__ = ['f', 'A', 'nothing']",
    "__all__ += {m}.__all__", "__all__.extend(g())", "__getattr__ = lambda n: K", "__path__ = __path__ + K",
    "globals()['K'] = f; globals().update(A=g)", "setattr(A, 'm', f)", "exec('K = 1'); eval('A')",
    "import importlib; y = importlib.import_module('{m}'); z = importlib.import_module(K)", "__import__('{m}')",
    "import sys; sys.path.insert(0, __file__); sys.modules[__name__] = A()", "f = g = K = f, g, K",
    "match K:\n    case A(x=y) | [y, *_] | {{'k': y, **z}} if g(y): z = y\n    case _: pass",
    "assert f, g", "raise A from K", "print(f, file=K)", "[K for K in g() for y in K if y]", "...",
    "'a docstring'", "y = f'{{K!r:{{g}}}}' f''", "type(K)(f)", "lambda: (yield)",
    "async def f(): return [x async for x in g() if await x]", "def f(): global K, y; K = y = 1",
    "def g():\n    y = 1\n    def i():\n        nonlocal y; y = K\n    return i", "if __name__ == '__main__': f(input())",
    "from typing import *", "from typing import TYPE_CHECKING\nif TYPE_CHECKING: from {m} import A",
    "import os; K = os.path.join(__file__, 'x')", "try: f\nexcept* A as y: z = y",
    "from importlib.resources import files; K = files('{m}') / 'x'", "def f(self): self.__x = A._B__x", "f()()(g)[K].y",
)  # fmt: skip
"""Statements that parse, whatever they would do; `{m}` is a module."""


def standard_texts() -> list[bytes]:
    """Sources of the standard library."""
    folder = Path(sysconfig.get_path("stdlib"))
    return [(folder / f"{name}.py").read_bytes() for name in STANDARD]


@st.composite
def mutated(draw: st.DrawFn, texts: st.SearchStrategy[bytes]) -> bytes:
    """A text that is cut off, spliced, and sprinkled with what does not belong there.

    The places come from one random generator, because a draw for each byte would cost too much.
    """
    text = draw(texts)
    dice = random.Random(draw(st.integers(0, 2**32)))
    for change in draw(st.lists(st.sampled_from(CHANGES), min_size=1, max_size=6)):
        text = change(dice, text)
    return text


def cut(dice: random.Random, text: bytes) -> bytes:
    """The beginning only."""
    return text[: dice.randrange(len(text) + 1)]


def drop(dice: random.Random, text: bytes) -> bytes:
    """Without a small part of it."""
    start = dice.randrange(len(text) + 1)
    return text[:start] + text[start + dice.randrange(1, 40) :]


def insert(dice: random.Random, text: bytes) -> bytes:
    """With one odd chunk in it."""
    start = dice.randrange(len(text) + 1)
    return text[:start] + dice.choice(CHUNKS) + text[start:]


def drop_line(dice: random.Random, text: bytes) -> bytes:
    """Without one line."""
    lines = text.splitlines(keepends=True)
    return b"".join(line for i, line in enumerate(lines) if i != dice.randrange(len(lines)))


def swap_lines(dice: random.Random, text: bytes) -> bytes:
    """With two lines in each other's place."""
    lines = text.splitlines(keepends=True) or [b""]
    i, j = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"".join(lines)


def shift(dice: random.Random, text: bytes) -> bytes:
    """With one line indented otherwise."""
    lines = text.splitlines(keepends=True) or [b""]
    i = dice.randrange(len(lines))
    lines[i] = dice.choice((b" ", b"\t", b"    ", b"")) + lines[i].lstrip()
    return b"".join(lines)


def rename(dice: random.Random, text: bytes) -> bytes:
    """With one word instead of another, everywhere."""
    words = sorted(set(text.split())) or [b"x"]
    return text.replace(dice.choice(words), dice.choice(words))


CHANGES = (cut, drop, insert, drop_line, swap_lines, shift, rename)


@st.composite
def strange_modules(draw: st.DrawFn) -> dict[str, str]:
    """A few modules of statements that parse and that nobody would write together."""
    paths = draw(
        st.lists(
            st.sampled_from(("odd.py", "pkg/__init__.py", "pkg/a.py", "pkg/b.py", "a/__init__.py")),
            max_size=3,
            unique=True,
        )
    )
    names = [path.removesuffix(".py").removesuffix("/__init__").split("/")[-1] for path in paths]
    modules: dict[str, str] = {}
    for path in sorted({"odd.py", *paths}):
        chosen = draw(st.lists(st.sampled_from(STATEMENTS), max_size=8))
        of = [s.format(m=draw(st.sampled_from((*names, "odd", "pkg")))) for s in chosen]
        modules[path] = "\n".join(
            [*of, "def target(x): return f(x), A(g), K, y" * (path == "odd.py")]
        )
    return modules
