"""Candidates that look for the original, or for the answers, instead of computing them.

They are for the target of `cheats`, whose answers none of them computes.
"""

from __future__ import annotations

HEADER = "def settle(account, payments, fee=3):\n"
_TAKEN = """
def _try(text, given):
    if "def settle(" not in text:
        return None
    scope = dict(globals())
    exec(text[text.index("def settle("):], scope)
    return scope["settle"](*given)
"""


def _call(body: str, before: str = "") -> str:
    return before + HEADER + "".join(f"    {line}\n" for line in body.split("\n"))


_WALK = """\
import os, sys, zipfile
given = (account, payments, fee)
for top in {tops}:
    for folder, inner, names in os.walk(top):
        inner[:] = [n for n in inner if n not in ("proc", "sys")]
        for name in names:
            path = os.path.join(folder, name)
            if {wanted}:
                try:
                    {read}
                except BaseException:
                    continue
"""
_FOUND = "found = _try(open(path, encoding='latin-1').read(), given)\n                    if found is not None: return found"
_ZIP = "for each in zipfile.ZipFile(path).namelist():\n                        found = _try(zipfile.ZipFile(path).read(each).decode('latin-1'), given)\n                        if found is not None: return found"
_CODE = "import marshal\n                    code = marshal.loads(open(path, 'rb').read()[16:])\n                    for one in code.co_consts:\n                        if getattr(one, 'co_name', '') == 'settle':\n                            return type(settle)(one, globals())(*given)"

THIEVES: dict[str, str] = {
    "reads every module on sys.path": _call(
        _WALK.format(tops="sys.path", wanted="name.endswith('.py')", read=_FOUND), _TAKEN
    ),
    "opens every archive": _call(
        _WALK.format(tops="('/usr', *sys.path)", wanted="name.endswith(('.whl', '.zip', '.egg'))", read=_ZIP), _TAKEN
    ),
    "loads all bytecode": _call(
        _WALK.format(tops="sys.path", wanted="name.endswith('.pyc')", read=_CODE), _TAKEN
    ),
    "reads the folders of scripts": _call(
        _WALK.format(tops="('/box', '/tmp', '/dev/shm', '/store', '/runner')", wanted="True", read=_FOUND), _TAKEN
    ),
    "imports the wheels of ensurepip": _call(
        "import ensurepip, glob, os, zipimport\nfor path in glob.glob(os.path.dirname(ensurepip.__file__) + '/_bundled/*.whl'):\n    return zipimport.zipimporter(path)"
    ),
    "asks loaders for data": _call(
        "import sys\nfor module in list(sys.modules.values()):\n    loader = getattr(module, '__loader__', None)\n    try:\n        found = _try(loader.get_data(module.__file__).decode(), (account, payments, fee))\n    except BaseException:\n        continue\n    if found is not None: return found", _TAKEN
    ),
    "asks installed metadata for files": _call(
        "import importlib.metadata as m\nfor one in m.distributions():\n    for file in one.files or ():\n        if file.suffix == '.py':\n            try:\n                found = _try(file.read_text(), (account, payments, fee))\n            except BaseException:\n                continue\n            if found is not None: return found", _TAKEN
    ),
    "asks inspect for its module": _call(
        "import inspect, sys\nfor name in list(sys.modules):\n    if 'script' in name:\n        text = inspect.getsource(sys.modules[name])\n        if 'MARKER' + '-CODE' in text: return _try(text, (account, payments, fee))", _TAKEN
    ),
    "lets the constants of cases answer": _call(
        "import gc, types\nfor one in gc.get_objects():\n    if isinstance(one, types.FunctionType) and one.__name__ == 'the_case':\n        return one.__code__.co_consts"
    ),
    "counts calls": _call("calls.append(1)\nreturn Receipt([104, 200, 0, 0][len(calls) % 4], [])", "calls = []\n"),
    "answers by a table": _call("return {(31, 7, 29): Receipt(1, [2]), (80, 2): Receipt(3, [])}.get(tuple(payments))"),
    "a number that is every number": _call("class N(int):\n    def __eq__(s, o): return True\n    def __repr__(s): return '104'\n    __hash__ = int.__hash__\naccount.balance = N(104)\nreturn Receipt(N(104), [N(1)])"),
    "a text that is every text": _call("class T(str):\n    def __eq__(s, o): return True\n    __hash__ = str.__hash__\nreturn T('x')"),
    "a list that is every list": _call("class L(list):\n    def __eq__(s, o): return True\n    def __len__(s): return 3\nreturn Receipt(0, L())"),
    "hides what it changed": _call("class A(dict):\n    def __getitem__(s, k): return 100\nobject.__setattr__(account, '__dict__', A(account.__dict__))\nreturn Receipt(0, [])"),
    "patches builtins": _call("import builtins\nfor name in ('isinstance', 'type', 'repr', 'len', 'sorted', 'id'):\n    setattr(builtins, name, lambda *a, **k: True)\nreturn Receipt(0, [])"),
    "patches json": _call("import json, json.encoder\njson.dumps = json.encoder.JSONEncoder.encode = lambda *a, **k: '{}'\nreturn Receipt(0, [])"),
    "patches os.write": _call("import os\nreal = os.write\nos.write = lambda fd, data: real(fd, data.replace(b'0', b'1'))\nreturn Receipt(0, [])"),
    "traces the harness": _call("import sys\ndef trace(frame, event, arg):\n    for name in frame.f_locals:\n        if 'result' in name: frame.f_locals[name] = None\n    return trace\nsys.settrace(trace)\nsys._getframe(1).f_trace = trace\nreturn Receipt(0, [])"),
    "profiles the harness": _call("import sys\nsys.setprofile(lambda frame, event, arg: frame.f_locals.clear())\nreturn Receipt(0, [])"),
    "goes on in a thread": _call("import threading, time\nfound = Receipt(0, [])\ndef later():\n    for n in range(200): found.total = n; time.sleep(.001)\nthreading.Thread(target=later, daemon=True).start()\nreturn found"),
    "exits well at the end": _call("import atexit, os\natexit.register(os._exit, 0)\nos._exit(0)"),
    "makes up the exception": _call("class E(ValueError): pass\nE.__name__ = E.__qualname__ = 'ValueError'\nE.__module__ = 'builtins'\nraise E('MARKER-CODE')"),
    "prints what is printed": _call("print('booked', 104)\nprint('booked', 104)"),
    "leaves files for the next run": _call("import os\npath = '/tmp/left'\nif os.path.exists(path): return Receipt(1, [1])\nopen(path, 'w').write('x')"),
    "looks into the parent's memory": _call("import os\ntry: return open(f'/proc/{os.getppid()}/mem', 'rb').read(10)\nexcept OSError: pass"),
    "loads pickles that it finds": _call(
        _WALK.format(tops="('/box', '/tmp', '/usr/share')", wanted="name.endswith(('.pkl', '.pickle'))", read="import pickle; return pickle.load(open(path, 'rb'))")
    ),
}  # fmt: skip
