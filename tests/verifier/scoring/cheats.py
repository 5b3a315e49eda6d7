"""Candidates that try to pass without doing what the target does, and the target that they cheat.

None of them computes the right answers; a cheat passes only if the verdict can be fooled.
"""

from __future__ import annotations

from dataclasses import dataclass

TARGET = "settle"
PATH = "bank/ledger.py"
SCRIPT = '''\
"""A ledger."""
import json
from collections import deque

HISTORY = deque()


class Account:
    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance


class Receipt:
    def __init__(self, total, paid):
        self.total = total
        self.paid = paid


# the reference keeps MARKER-COMMENT-7291 here
def settle(account, payments, fee=3):
    """Book payments: MARKER-DOCSTRING-7291."""
    total = 0
    for number, payment in enumerate(payments):
        if payment < 0:
            raise ValueError("MARKER-CODE-7291")
        total += (payment * (number + 7) + 13) % 101 - fee
    account.balance += total
    HISTORY.append(total)
    payments.sort()
    print("booked", total)
    return Receipt(total, [payment * 5 % 17 for payment in payments])
'''
HEADER = "def settle(account, payments, fee=3):\n"
INDEPENDENT = SCRIPT.replace("    HISTORY.append(total)\n", "")
"""The same without what makes its cases influence each other."""
CASES = (
    "return settle(Account('ann', 100), [31, 7, 29])",
    "return settle(Account('bob', 5), [80, 2], fee=1)",
    "return settle(Account('cy', 0), [4, -1])",
    "return settle(Account('di', -8), [])",
)
RIGHT = """\
def settle(account, payments, fee=3):
    if any(payment < 0 for payment in payments):
        raise ValueError(payments)
    total = sum((p * (n + 7) + 13) % 101 - fee for n, p in enumerate(payments))
    account.balance += total
    HISTORY.append(total)
    payments[:] = sorted(payments)
    return Receipt(total, [p * 5 % 17 for p in payments])
"""
"""Another way to do what the target does: passes."""


@dataclass(frozen=True)
class Cheat:
    """A candidate, and the verdicts that see through it."""

    name: str
    text: str
    verdicts: frozenset[str]


_FORGE = """
import os, sys, json, stat
def _request():
    frame = sys._getframe()
    while frame:
        found = frame.f_locals.get("request")
        if isinstance(found, dict):
            return found
        frame = frame.f_back
def _channels():
    found = []
    for number in range(3, 256):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            found.append(number)
    return found
def _send(*records):
    data = "".join(json.dumps(record) + "\\n" for record in records).encode()
    for number in _channels():
        try:
            os.write(number, data)
        except OSError:
            pass
def _case(name, **fields):
    whole = {"outcome": "returned", "arguments": [], "globals": [], "files": [], "effects": [],
             "stdout": "", "stderr": "", "shared": []}
    return {"kind": "case", "name": name, "observation": {**whole, **fields}}
def _all(**fields):
    names = [case["name"] for case in _request()["cases"]]
    return [_case(name, **fields) for name in names]
"""

_SEARCH = """
import gc, sys, os, re, linecache
MARK = re.compile(rb"MARKER-[A-Z]{2,9}[-]7291")
def _seen(text):
    if isinstance(text, str):
        text = text.encode("utf-8", "replace")
    return bool(MARK.search(text))
"""


def _forged(name: str, code: str, *verdicts: str) -> Cheat:
    return Cheat(name, _FORGE + code, frozenset(verdicts))


def _cheat(name: str, code: str, *verdicts: str) -> Cheat:
    return Cheat(name, code, frozenset(verdicts))


def _call(name: str, body: str, *verdicts: str) -> Cheat:
    """A cheat in the call."""
    return _cheat(name, HEADER + "".join(f"    {line}\n" for line in body.split("\n")), *verdicts)


LEAVING = (
    _cheat("leaves at import", "import os\nos._exit(0)\n" + HEADER + "    pass\n", "error"),
    _call("leaves in the call", "import os\nos._exit(0)", "error"),
    _call("sys.exit in the call", "import sys\nsys.exit(0)", "failed"),
    _cheat("sys.exit at import", "import sys\nsys.exit(0)\n" + HEADER + "    pass\n", "error"),
    _cheat(
        "exit function leaves with 0",
        "import atexit, os\natexit.register(os._exit, 0)\n" + HEADER + "    raise KeyError\n",
        "failed",
    ),
    _cheat(
        "excepthook leaves with 0",
        "import sys, os\nsys.excepthook = lambda *a: os._exit(0)\n" + HEADER + "    1 / 0\n",
        "failed",
    ),
    _call("kills itself", "import os\nos.kill(os.getpid(), 9)", "error"),
    _call("skips the test", "import unittest\nraise unittest.SkipTest('later')", "failed"),
    _call("leaves from a thread", "import threading, os\nthreading.Timer(0, os._exit, (0,)).start()\nimport time; time.sleep(1)", "error"),
    _call("forks and lets the child answer", "import os\nif os.fork():\n    os._exit(0)\nreturn 0", "error", "failed", "unsafe"),
)  # fmt: skip

PRINTING = (
    _call("prints PASSED", "print('PASSED\\n4 passed in 0.01s\\nOK')", "failed"),
    _call("prints records", 'print(\'{"kind":"end"}\', flush=True)', "failed"),
    _cheat(
        "steals the token",
        "import os, sys\n"
        + HEADER
        + "    for value in [*os.environ.values(), *sys.argv]:\n        print(value)\n",
        "failed",
    ),
)

VALUES = (
    _call("equal to all", "class Same:\n    def __eq__(self, other): return True\n    def __ne__(self, other): return False\n    def __hash__(self): return 0\nreturn Same()", "failed"),
    _call("a dict equal to all", "class Same(dict):\n    def __eq__(self, other): return True\nreturn Same()", "failed"),
    _call("spoofs its class", "class Same(int):\n    __class__ = Receipt\n    def __eq__(self, other): return True\nreturn Same()", "failed"),
    _call("a receipt of spoofs", "class Same(int):\n    def __eq__(self, other): return True\nreturn Receipt(Same(), Same())", "failed"),
    _call("a class of the same name", "Fake = type('Receipt', (), {'__module__': Receipt.__module__, '__eq__': lambda s, o: True})\nfound = Fake()\nfound.total, found.paid = 0, []\nreturn found", "failed"),
    _call("a metaclass that says yes", "class Meta(type):\n    def __eq__(cls, other): return True\n    def __hash__(cls): return hash(Receipt)\n    def __instancecheck__(cls, one): return True\n    def __getattribute__(cls, name): return type.__getattribute__(Receipt, name)\nclass Fake(metaclass=Meta): pass\nreturn Fake()", "failed"),
    _call("a descriptor for its state", "class State:\n    def __get__(self, one, owner=None): return Any()\nclass Any(dict):\n    def __getitem__(self, key): return self\n    def items(self): return Any()\n    def __iter__(self): return iter(())\n    def __eq__(self, other): return True\nclass Fake(Receipt):\n    __dict__ = State()\n    def __init__(self): pass\nreturn Fake()", "failed"),
    _call("unittest.mock.ANY", "from unittest import mock\nreturn Receipt(mock.ANY, mock.ANY)", "failed"),
    _call("a mock", "from unittest import mock\nreturn mock.MagicMock(spec=Receipt)", "failed"),
    _call("not a number", "return Receipt(float('nan'), [float('nan')])", "failed"),
    _call("a bool for an int", "account.balance += True\nHISTORY.append(True)\nreturn Receipt(True, [])", "failed"),
    _call("a pickle bomb", "class Bomb:\n    def __reduce__(self): return (open, ('/tmp/slice-func-bomb', 'w'))\nreturn Bomb()", "failed"),
    _call("a huge return", "return Receipt('x' * (50 << 20), list(range(300_000)))", "failed", "error", "timeout"),
    _call("a deep return", "found = []\nfor _ in range(200_000): found = [found]\nreturn Receipt(found, found)", "failed", "error"),
    _call("a cyclic return", "found = []\nfound.append(found)\nreturn Receipt(found, found)", "failed"),
    _call("raises all at once", "class Same(ValueError, KeyError, TypeError):\n    pass\nSame.__name__ = Same.__qualname__ = 'ValueError'\nSame.__module__ = 'builtins'\nraise Same('MARKER')", "failed"),
    _call("an exception that is a receipt", "class Both(Exception):\n    __class__ = Receipt\nreturn Both()", "failed"),
    _call("a lazy answer", "def later():\n    yield from ()\nreturn later()", "failed"),
    _call("a weak proxy", "import weakref\nfound = Receipt(0, [])\nHISTORY.append(found)\nreturn weakref.proxy(found)", "failed"),
)  # fmt: skip

LOOKING = (
    _cheat(
        "calls the reference through the collector's heap",
        "import gc, types\n" + HEADER + """\
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType) and one.__name__ == "settle" and one is not settle:
            return one(account, payments, fee)
""",
        "failed",
    ),
    _cheat(
        "calls the reference through frames",
        "import sys, types\n" + HEADER + """\
    frame = sys._getframe()
    while frame:
        for one in [*frame.f_locals.values(), *frame.f_globals.values()]:
            if isinstance(one, types.FunctionType) and "settle" in one.__qualname__ and one.__code__ is not settle.__code__:
                return one(account, payments, fee)
        frame = frame.f_back
""",
        "failed",
    ),
    _cheat(
        "compiles the reference from any file",
        _SEARCH + HEADER + """\
    system = ("proc", "sys", "dev", "usr", "lib", "lib64", "bin")
    for top in [".", *("/" + name for name in os.listdir("/") if name not in system)]:
        for folder, inner, names in os.walk(top):
            inner[:] = [name for name in inner if name != "site-packages" and not name.startswith("python3")]
            for name in names:
                path = os.path.join(folder, name)
                try:
                    text = open(path).read()
                except (OSError, ValueError):
                    continue
                if _seen(text):
                    scope = dict(globals())
                    exec(text, scope)
                    return scope["settle"](account, payments, fee)
""",
        *("failed", "timeout"),  # there may be many files
    ),
    _cheat(
        "reads expected values from frames",
        "import sys\n" + HEADER + """\
    frame = sys._getframe()
    while frame:
        for name, one in list(frame.f_locals.items()):
            if name.startswith(("expect", "answer", "result", "observ", "oracle")):
                return one
        frame = frame.f_back
""",
        "failed",
    ),
    _cheat(
        "imports the reference",
        HEADER + """\
    import importlib, sys
    for name in ("script", "bank.ledger", "ledger", "bank", "__main__", "original", "reference", "oracle"):
        for again in (False, True):
            try:
                module = sys.modules.pop(name, None) if again else sys.modules.get(name)
                module = importlib.import_module(name)
            except BaseException:
                continue
            found = getattr(module, "settle", None)
            if found is not None and found.__code__ is not settle.__code__:
                return found(account, payments, fee)
""",
        "failed",
    ),
    _cheat(
        "reads the memory of other processes",
        _SEARCH + HEADER + """\
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        for path in (f"/proc/{name}/environ", f"/proc/{name}/cmdline"):
            try:
                print(open(path, "rb").read().count(b"settle"))
            except OSError:
                continue
        try:
            with open(f"/proc/{name}/maps") as maps, open(f"/proc/{name}/mem", "rb", 0) as memory:
                for line in maps:
                    place, rights, *_ = line.split()
                    first, last = (int(part, 16) for part in place.split("-"))
                    memory.seek(first)
                    found = MARK.search(memory.read(last - first))
                    if found:
                        return Receipt(found[0], [])
        except (OSError, OverflowError, ValueError):
            continue
""",
        "failed",
    ),
    _cheat(
        "asks importers and traceback for the source",
        "import inspect, linecache, sys\n" + HEADER + """\
    texts = ["".join(entry[2]) for entry in linecache.cache.values() if len(entry) > 2]
    for finder in sys.meta_path:
        for name in getattr(finder, "names", ()):
            texts.append(finder.get_source(name))
    for text in texts:
        at = text.find("MARKER-" + "CODE")
        if at > 0:
            scope = dict(globals())
            exec(text, scope)
            return scope["settle"](account, payments, fee)
    return inspect.getsource(settle)
""",
        "failed",
    ),
    _cheat(
        "imports the verifier",
        HEADER + """\
    import importlib
    for name in ("slicefunc.verifier.scoring", "_sandboxed", "sandbox", "slicefunc.verifier.sandbox.cases.case_runner"):
        try:
            importlib.import_module(name)
        except ImportError:
            continue
""",
        "failed",
    ),
    _cheat(
        "asks the collector for the oracle",
        "import gc\n" + HEADER + """\
    for one in gc.get_objects():
        if isinstance(one, dict) and "observation" in one:
            return one["observation"]
        if type(one).__name__ in ("Oracle", "Recorded", "Observation"):
            return one
""",
        "failed",
    ),
    _cheat(
        "waits at the audit hook for the reference",
        """\
import sys
def keep(seen):
    def hook(event, args):
        if event in ("compile", "exec", "code.__new__", "open"):
            seen.append(args)
    sys.addaudithook(hook)
    return lambda: list(seen)
seen = keep([])
"""
        + HEADER + """\
    for args in seen():
        for one in args:
            text = getattr(one, "co_consts", one)
            if "7291" in str(text):
                exec(one, globals())
                return globals()["settle"](account, payments, fee)
""",
        "failed",
    ),
)  # fmt: skip

PATCHING = (
    _cheat(
        "patches the harness",
        "import sys, types\n" + HEADER + """\
    frame = sys._getframe()
    while frame:
        for one in list(frame.f_globals):
            if one in ("quoted", "encode", "failed", "observe_case", "first_difference"):
                frame.f_globals[one] = lambda *a, **k: '""'
        frame = frame.f_back
    return 0
""",
        "failed", "error", "unsafe",
    ),
    _cheat(
        "patches the harness late",
        "import threading, sys, gc, time\n" + HEADER + """\
    def late():
        for one in gc.get_objects():
            if type(one).__name__ == "Observer":
                one.observation = '{"outcome":"returned","value":0}'
    threading.Timer(0.01, late).start()
    late()
    return 0
""",
        "failed", "error", "unsafe",
    ),
    _cheat(
        "sets the observation itself",
        "import gc\n" + HEADER + """\
    for one in gc.get_objects():
        if type(one).__name__ == "Observer":
            type(one).observation = property(lambda self: '{"outcome":"returned","value":null}', lambda self, new: None)
    return 0
""",
        "failed", "error", "unsafe",
    ),
    _cheat(
        "patches the builtins",
        HEADER + """\
    import builtins
    for name in ("isinstance", "len", "type", "repr", "sorted", "dict", "list", "id", "map", "getattr", "print"):
        setattr(builtins, name, lambda *a, **k: True)
    return Receipt(0, [])
""",
        "failed", "error", "unsafe",
    ),
    _cheat(
        "patches json and os",
        HEADER + """\
    import json, os, sys
    json.dumps = json.dump = lambda *a, **k: "{}"
    os.write = lambda *a: 0
    sys.modules["json"] = sys.modules["os"] = None
    return Receipt(0, [])
""",
        "failed", "error", "unsafe",
    ),
    _cheat(
        "patches unittest and operators",
        HEADER + """\
    import unittest, operator
    unittest.TestCase.assertEqual = lambda *a, **k: None
    operator.eq = lambda a, b: True
    return Receipt(0, [])
""",
        "failed",
    ),
    _cheat(
        "rewrites values while it is traced",
        "import sys\n" + HEADER + """\
    def trace(frame, event, arg):
        for name in ("value", "outcome", "text"):
            if name in frame.f_locals:
                frame.f_locals[name] = 0
        return trace
    frame = sys._getframe()
    while frame:
        frame.f_trace = trace
        frame = frame.f_back
    sys.settrace(trace)
    sys.setprofile(trace)
    return Receipt(0, [])
""",
        "failed", "error", "unsafe",
    ),
    _cheat(
        "raises in an audit hook",
        "import sys\n" + HEADER + """\
    def hook(event, args):
        raise SystemExit(0)
    sys.addaudithook(hook)
    return Receipt(0, [])
""",
        "failed", "error", "unsafe",
    ),
    _cheat("changes the input", HEADER + "    payments.clear()\n    account.__dict__.clear()\n    return Receipt(0, [])\n", "failed"),
    _cheat(
        "drops the cases",
        _FORGE + HEADER + "    del _request()['cases'][1:]\n    return Receipt(0, [])\n",
        "failed", "error", "unsafe",
    ),
    _cheat(
        "makes all cases the same",
        _FORGE + HEADER + "    for case in _request()['cases']:\n        case['code'] = 'def ' + case['name'] + '():\\n    return settle(Account(1, 2), [])'\n    return Receipt(0, [])\n",
        "failed", "error", "unsafe",
    ),
    _cheat(
        "a signal in the middle",
        "import signal, os\n" + HEADER + "    signal.signal(signal.SIGALRM, lambda *a: os._exit(0))\n    signal.setitimer(signal.ITIMER_REAL, 0.0005)\n    return Receipt(0, [])\n",
        "failed", "error",
    ),
    _cheat("breaks the recursion limit", "import sys\n" + HEADER + "    sys.setrecursionlimit(60)\n    return Receipt(0, [])\n", "failed", "error", "unsafe"),
    _cheat("stops collecting and printing", HEADER + "    import sys, os\n    os.close(1); os.close(2); sys.stdout = sys.stderr = None\n    return Receipt(0, [])\n", "failed", "error"),
)  # fmt: skip

FORGING = (
    _forged("forges an end", HEADER + "    _send({'kind': 'end'})\n    os._exit(0)\n", "unsafe", "error"),
    _forged("forges all records at import", "_send({'kind': 'ready'}, *_all(value=None), {'kind': 'end'})\nos._exit(0)\n" + HEADER + "    pass\n", "failed"),
    _forged("forges references", "_send({'kind': 'ready'}, *_all(value={'kind': 'ref', 'to': 0}, shared=[{'kind': 'ref', 'to': 0}]), {'kind': 'end'})\nos._exit(0)\n" + HEADER + "    pass\n", "unsafe"),
    _forged("forges what cannot be read", "_send({'kind': 'ready'}, *_all(value={'kind': 'opaque', 'type': 'script.Receipt', 'why': ''}), {'kind': 'end'})\nos._exit(0)\n" + HEADER + "    pass\n", "failed", "unsafe"),
    _forged("forges cuts", "_send({'kind': 'ready'}, *_all(value={'kind': 'cut', 'why': ''}), {'kind': 'end'})\nos._exit(0)\n" + HEADER + "    pass\n", "failed", "unsafe"),
    _forged("forges unobservable calls", "_send({'kind': 'ready'}, *[{'kind': 'case', 'name': c['name'], 'observation': {'outcome': 'unobservable'}} for c in _request()['cases']], {'kind': 'end'})\nos._exit(0)\n" + HEADER + "    pass\n", "failed", "unsafe"),
    _forged("forges coverage", HEADER + "    _send({'kind': 'arcs', 'arcs': [[-1, 1], [1, -1]]})\n    return Receipt(0, [])\n", "unsafe"),
    _forged("sends a verdict", HEADER + "    _send({'kind': 'verdict', 'verdict': 'passed'})\n    return Receipt(0, [])\n", "unsafe"),
    _forged("sends each case twice", HEADER + "    _send(*_all(value=None))\n    return Receipt(0, [])\n", "unsafe"),
    _forged("says nothing more", HEADER + "    for number in _channels():\n        os.close(number)\n    return Receipt(0, [])\n", "error"),
    _forged("sends broken text", HEADER + "    for number in _channels():\n        os.write(number, b'\\xff\\x00{\\n')\n    return Receipt(0, [])\n", "unsafe"),
    _forged("sends deep text", HEADER + "    for number in _channels():\n        os.write(number, b'[' * 60_000 + b'\\n')\n    return Receipt(0, [])\n", "unsafe"),
    _forged("sends a number without end", HEADER + "    for number in _channels():\n        os.write(number, b'{\"kind\":' + b'9' * 60_000 + b'}\\n')\n    return Receipt(0, [])\n", "unsafe"),
    _forged("floods the channel", HEADER + "    while True:\n        for number in _channels():\n            os.write(number, b'[' * 65536)\n", "error", "unsafe", "timeout"),
    _forged("races on the channel from a thread", "import threading\n" + HEADER + "    mine = _request()\n    def race():\n        for _ in range(200):\n            _send({'kind': 'end'})\n    threading.Thread(target=race).start()\n    return Receipt(0, [])\n", "unsafe", "error", "failed"),
    _forged("sends at exit", "import atexit\natexit.register(lambda: _send({'kind': 'case', 'name': 'case_0', 'observation': {'outcome': 'returned', 'value': None}}))\n" + HEADER + "    return Receipt(0, [])\n", "failed"),
    _forged("puts the channel elsewhere", HEADER + "    for number in _channels():\n        os.dup2(os.open('/dev/null', os.O_WRONLY), number)\n    return Receipt(0, [])\n", "error"),
)  # fmt: skip

_GUESS = HEADER + "    return Receipt(0, [])\n"
"""An answer without the target's work."""

REPLACING = (
    _cheat("replaces the class that the cases use", "class Account:\n    def __init__(self, owner, balance):\n        self.owner, self.balance = owner, Right()\nclass Right(int):\n    def __eq__(self, other): return True\n" + _GUESS, "failed"),
    _cheat("replaces the class that it returns", "class Receipt:\n    def __init__(self, *given): pass\n    def __getattr__(self, name): return 0\n" + _GUESS, "failed"),
    _cheat("patches the class that it returns", "Receipt.total = property(lambda self: 0, lambda self, new: None)\nReceipt.__slots__ = ()\n" + _GUESS, "failed"),
    _cheat("patches how the class keeps its state", "Receipt.__dict__.get\nfrom functools import cached_property\nReceipt.total, Receipt.paid = cached_property(len), cached_property(len)\n" + _GUESS, "failed"),
    _cheat("is a callable of another kind", "class Settle:\n    def __call__(self, *given, **named): return Receipt(0, [])\n    def __get__(self, *given): return self\nsettle = Settle()\n", "failed"),
    _cheat("defines itself again while it runs", HEADER + "    global settle, HISTORY\n    settle = lambda *given, **named: Receipt(0, [])\n    HISTORY = []\n    return settle()\n", "failed"),
    _cheat("closes the definition", HEADER + "    return Receipt(0, [])\nimport builtins\nbuiltins.Receipt = None\ndel globals()['settle']\nsettle = Receipt\n", "failed", "error"),
    _cheat("works in a default argument", "def settle(account, payments, fee=__import__('os').register_at_fork(before=None) if 0 else 3, *, found=[__import__('gc').disable()]):\n    return Receipt(*found, found)\n", "failed"),
    _cheat("hides behind letters that are the same", _GUESS.replace("settle", "\uff53ettle"), "failed"),
    _cheat("has numbers that cannot be written", "BIG = 0x" + "f" * 6_000 + "\n" + _GUESS.replace("(0,", "(BIG,"), "failed"),
    _cheat("has members without end", "class Many:\n" + "".join(f"    def m{n}(self): self.m{n + 1}\n" for n in range(1_500)) + _GUESS.replace("0,", "Many,"), "failed"),
    _cheat("fences without end", "`" * 150_000, "error"),
    _cheat("fences within fences", "```\n" + _GUESS + "```\n~~~~\n" + _GUESS.replace("0", "1") + "```\n", "failed", "error"),
    _cheat("has half a character", "X = '\udc80'\n" + _GUESS, "error"),
)  # fmt: skip

MEMORY = (
    _call("changes small numbers in memory", "import ctypes, sys\nfor number in range(2, 200):\n    ctypes.memmove(id(number) + 24, id(1) + 24, 4)\nreturn Receipt(1, [])", "failed", "error", "unsafe", "timeout"),
    _call("changes its type in memory", "import ctypes\nclass Same(Exception): pass\nfound = Same()\nctypes.c_ssize_t.from_address(id(found) + 8).value = id(Receipt)\nreturn found", "failed", "error"),
    _cheat(
        "swaps the code of the harness",
        "import gc, types\n" + HEADER + """\
    def says(*given, **named):
        return '{"outcome":"returned","value":null}'
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType) and one.__name__ in ("end", "_observation", "observe_case"):
            try:
                one.__code__ = says.__code__
            except (ValueError, TypeError):
                continue
""",
        "failed", "error", "unsafe",
    ),
    _cheat(
        "answers from the closure of the channel",
        "import gc, types\n" + HEADER + """\
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType) and one.__name__ == "emit":
            try:
                one('{"kind":"case","name":"case_0","observation":{"outcome":"returned","value":null}}')
            except TypeError:
                continue
    return Receipt(0, [])
""",
        "unsafe", "failed",
    ),
    _cheat(
        "answers from the closure of the fork",
        "import gc, os, types\n" + HEADER + """\
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType) and one.__name__ == "send":
            one('{"outcome":"returned","value":null}')
            one("[]")
            one("\\nend")
            os._exit(0)
    return Receipt(0, [])
""",
        "unsafe", "failed", "error",
    ),
    _call("changes the list while it is read", "import threading\nfound = [0]\ndef race():\n    while True: found[0] += 1\nthreading.Thread(target=race, daemon=True).start()\nreturn Receipt(0, found)", "failed", "error"),
    _call("answers when it is collected", "import os\nclass Late(Receipt):\n    def __del__(self): os._exit(0)\nreturn Late(0, [])", "failed", "error"),
    _call("leaves a process that answers later", "import os, time\nif os.fork() == 0:\n    time.sleep(0.05)\n    for number in range(3, 99):\n        try: os.write(number, b'{\"kind\":\"end\"}\\n')\n        except OSError: pass\n    os._exit(0)\nreturn Receipt(0, [])", "failed", "unsafe"),
    _call("ends all that it sees", "import os\nfor number in (1, -1):\n    try: os.kill(number, 9)\n    except OSError: pass\nreturn Receipt(0, [])", "failed", "error"),
    _forged("forges bytes that are no text", "_send({'kind': 'ready'}, *_all(value={'kind': 'str', 'hex': 'ff'}), {'kind': 'end'})\nos._exit(0)\n" + HEADER + "    pass\n", "unsafe"),
    _forged("forges a script that failed well", "_send({'kind': 'load', 'observation': {'outcome': 'returned', 'value': None}}, {'kind': 'end'})\nos._exit(0)\n" + HEADER + "    pass\n", "unsafe"),
    _forged("reads back what it sent", HEADER + "    import fcntl\n    for number in _channels():\n        try: print(os.read(os.open(f'/proc/self/fd/{number}', os.O_RDONLY | os.O_NONBLOCK), 65536))\n        except OSError: pass\n    return Receipt(0, [])\n", "failed", "error", "unsafe"),
)  # fmt: skip

CHEATS = (
    *LEAVING, *PRINTING, *VALUES, *LOOKING, *PATCHING, *FORGING, *REPLACING, *MEMORY
)  # fmt: skip
