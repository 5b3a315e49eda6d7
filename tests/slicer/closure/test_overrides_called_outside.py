"""Overrides that the code of standard classes calls are in the slice.

What is called is not written down here but seen: for each class there is one that derives from it,
overrides every method that is written in Python or C, and notes which of them run.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

from slicefunc.slicer import Repository, slice_function

USES = """\
threading.Thread: d = D(target=int); d.start(); d.join()
threading.Timer: d = D(0, int); d.start(); d.join()
queue.Queue: d = D(); d.put(1); d.get()
queue.PriorityQueue: d = D(); d.put(1); d.get()
queue.LifoQueue: d = D(3); d.put(1); d.get_nowait(); d.qsize()
logging.Handler: logger = logging.Logger('x'); logger.addHandler(D()); logger.warning('a')
logging.StreamHandler: h = D(io.StringIO()); g = logging.Logger('x'); g.addHandler(h); g.error('a')
logging.Formatter: D('%(asctime)s %(message)s').format(logging.makeLogRecord({'msg': 'a'}))
logging.Filter: g = logging.Logger('x'); g.addFilter(D()); g.warning('a')
logging.LoggerAdapter: D(logging.Logger('x'), {}).warning('a')
logging.Logger: D('x').warning('%s', 1)
argparse.ArgumentParser: p = D(); p.add_argument('--x'); p.parse_args(['--x', '1']); p.format_help()
argparse.ArgumentParser: p = D(); p.add_argument('x'); p.parse_args([])
argparse.Action: p = argparse.ArgumentParser(); p.add_argument('x', action=D); p.parse_args(['1'])
argparse.HelpFormatter: argparse.ArgumentParser(formatter_class=D).format_help()
json.JSONEncoder: json.dumps([1, {'a': 2}], cls=D)
json.JSONEncoder: json.dumps([object()], cls=D)
json.JSONDecoder: json.loads('[1]', cls=D)
cmd.Cmd: d = D(); d.onecmd('help'); d.onecmd('x y')
html.parser.HTMLParser: d = D(); d.feed('<a href=1>x</a><!-- c -->'); d.close()
collections.UserDict: d = D(a=1); d['b'] = 2; d.update(c=3); d.get('a'); d.pop('a'); list(d.items())
collections.UserList: d = D([1, 2]); d.append(3); d.extend([4]); d + [1]; d.sort(); d[0]; d.pop()
collections.UserString: d = D('ab'); d.upper(); d + 'c'; len(d); d.encode()
collections.OrderedDict: d = D(a=1); d.update(b=2); d.move_to_end('a'); d.popitem(); d.copy()
collections.Counter: d = D('aab'); d.update('c'); d.most_common(1); d + d; d.subtract('a')
collections.defaultdict: d = D(list); d['a'].append(1); d.get('b')
collections.ChainMap: d = D({'a': 1}); d['a']; d.new_child(); 'b' in d; d.get('c'); d['x'] = 1
dict: d = D(a=1); d.update(b=2); d.get('a'); d['c'] = 1; d.setdefault('x', 2); d.pop('a'); list(d)
list: d = D([1]); d.append(2); d.extend([3]); d.sort(); d[0]; len(d)
str: d = D('x'); d.upper(); d + 'y'; f'{d}'; str(d)
int: d = D(3); d + 1; int(d); f'{d}'; [1, 2, 3, 4][d]
set: d = D([1]); d.add(2); d | {3}; 1 in d
io.StringIO: d = D(); d.write('x'); d.getvalue(); print('a', file=d); d.close()
io.BytesIO: d = D(b'a'); d.read(); d.seek(0); list(d); d.close()
io.TextIOWrapper: d = D(io.BytesIO(b'a')); d.readline(); d.close()
string.Formatter: D().format('{} {a!r:>4} {0.real}', 1, a=2)
string.Template: D('$a ${b}').safe_substitute(a=1)
configparser.ConfigParser: d = D(); d.read_string('[a]\\nb=1\\n'); d['a']['b']; d.getint('a', 'b')
contextlib.ExitStack: d = D(); d.__enter__(); d.callback(int); d.pop_all(); d.close()
ast.NodeVisitor: D().visit(ast.parse('a + 1'))
ast.NodeTransformer: D().visit(ast.parse('a + 1'))
textwrap.TextWrapper: D(width=10).fill('a b c d e f g h i j k')
pprint.PrettyPrinter: D().pformat({'a': [1] * 50})
reprlib.Repr: D().repr([1, {'a': 2}])
random.Random: d = D(1); d.randint(1, 3); d.choice([1]); d.shuffle([1, 2]); d.sample([1, 2], 1)
datetime.tzinfo: datetime.datetime.now(D())
datetime.datetime: d = D(2020, 1, 1); d.isoformat(); str(d); d.replace(year=2021); d.strftime('%Y')
datetime.date: d = D(2020, 1, 1); d.isoformat(); str(d); f'{d:%Y}'
pathlib.PurePosixPath: d = D('/a/b'); d / 'c'; str(d); d.with_suffix('.x'); d.relative_to('/a')
pathlib.PosixPath: d = D('/'); d.exists(); d.is_dir(); d.resolve(); d.joinpath('x')
types.SimpleNamespace: d = D(a=1); d.a; repr(d); d == d
csv.DictReader: list(D(io.StringIO('a,b')))
csv.DictWriter: d = D(io.StringIO(), ['a']); d.writeheader(); d.writerow({'a': 1})
code.InteractiveInterpreter: D().runsource('1 + 1'); D().runsource('1 / 0')
optparse.OptionParser: d = D(); d.add_option('--x'); d.parse_args(['--x', '1']); d.format_help()
xml.sax.handler.ContentHandler: xml.sax.parseString(b'<a b="1">x</a>', D())
pickle.Pickler: D(io.BytesIO()).dump([1])
pickle.Unpickler: D(io.BytesIO(pickle.dumps([1]))).load()
socketserver.BaseRequestHandler: D(None, None, None)
sched.scheduler: d = D(); d.enter(0, 1, int); d.run()
email.message.Message: d = D(); d['To'] = 'x'; d.set_payload('a'); d.as_string()
email.message.EmailMessage: d = D(); d['To'] = 'x'; d.set_content('a'); d.as_string()
concurrent.futures.ThreadPoolExecutor: d = D(1); d.submit(int).result(); list(d.map(int, ['1']))
concurrent.futures.Future: d = D(); d.set_result(1); d.result(); d.done(); repr(d)
gettext.NullTranslations: d = D(); d.gettext('x'); d.ngettext('a', 'b', 2)
fractions.Fraction: d = D(1, 2); d + 1; str(d); float(d); d.limit_denominator(3)
urllib.request.BaseHandler: urllib.request.build_opener(D())
urllib.request.Request: d = D('http://x/'); d.get_method(); d.add_header('a', 'b')
http.cookies.SimpleCookie: d = D(); d['a'] = 'b'; d.output(); d.load('x=y')
http.cookiejar.CookieJar: D().add_cookie_header(urllib.request.Request('http://x/'))
shlex.shlex: list(D('a b "c d"'))
difflib.SequenceMatcher: d = D(None, 'abc', 'abd'); d.ratio(); d.get_opcodes()
difflib.HtmlDiff: D().make_table(['a'], ['b'])
zipfile.ZipFile: d = D(io.BytesIO(), 'w'); d.writestr('a', 'b'); d.close()
tarfile.TarFile: d = D(fileobj=io.BytesIO(), mode='w'); d.getmembers(); d.close()
statistics.NormalDist: d = D(0, 1); d.cdf(1); d + 1
calendar.TextCalendar: D().formatmonth(2020, 1)
calendar.HTMLCalendar: D().formatmonth(2020, 1)
weakref.WeakValueDictionary: d = D(); d.get('a'); 'a' in d; list(d.items())
functools.partial: d = D(int, '3'); d(); repr(d)
"""

KEPT_ANYWAY = frozenset(
    """__new__ __init_subclass__ __subclasshook__ __getattribute__ __setattr__ __delattr__ __hash__
    __class_getitem__ __dir__ __sizeof__ __del__""".split()
)
METHODS = (types.FunctionType, types.WrapperDescriptorType, types.MethodDescriptorType)

WATCH = """\
import json, os, sys
import mod
found = {}
for name in [name for name in vars(mod) if name[:1] == "f" and name[1:].isdigit()]:
    here, there = os.pipe()
    if not os.fork():
        for number in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
        try:
            vars(mod)[name]()
        except BaseException:
            pass
        os.write(there, json.dumps(sorted(set(mod.RAN))).encode())
        os._exit(0)
    os.close(there)
    with open(here) as pipe:
        found[name] = json.load(pipe)
    os.wait()
print(json.dumps(found))
"""


def _overrides(base: type) -> Iterator[tuple[str, object]]:
    """Methods of the base that a class can override without another outcome."""
    found: dict[str, object] = {}
    for owner in reversed(base.__mro__[:-1]):
        found.update(vars(owner))
    for name, member in found.items():
        if isinstance(member, METHODS) and name not in KEPT_ANYWAY:
            yield name, member


def _derived(number: int, name: str) -> str:
    module, _, short = name.rpartition(".")
    text = f"class D{number}({name}):\n    pass\n\n"
    for method, member in _overrides(getattr(importlib.import_module(module or "builtins"), short)):
        begin, wait = ("async ", "await ") if inspect.iscoroutinefunction(member) else ("", "")
        text += f"    {begin}def {method}(self, *given, **named):\n"
        text += f"        RAN.append({method!r})\n"
        text += f"        return {wait}super().{method}(*given, **named)\n\n"
    return text


def test_overrides_that_run_are_kept(tmp_path: Path) -> None:
    uses = [line.partition(": ") for line in USES.splitlines()]
    modules = {name.rpartition(".")[0] for name, _, _ in uses if "." in name} | {"xml.sax"}
    text = "".join(f"import {module}\n" for module in sorted(modules)) + "\nRAN = []\n\n\n"
    for number, (name, _, use) in enumerate(uses):
        body = re.sub(r"\bD\b", f"D{number}", use)
        text += f"{_derived(number, name)}\ndef f{number}():\n    {body}\n\n\n"
    (tmp_path / "mod.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", WATCH], cwd=tmp_path, capture_output=True, text=True, check=True,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    ran: dict[str, list[str]] = json.loads(done.stdout)
    assert sum(map(bool, ran.values())) >= len(uses) - 2  # nearly all run some override
    repository = Repository(tmp_path)
    lacking: dict[str, list[str]] = {}
    for number, (name, _, use) in enumerate(uses):
        sliced = slice_function(repository, f"mod.py::f{number}", constructors=False)
        kept = {d.qualname for d in sliced.manifest.definitions}
        if missing := [each for each in ran[f"f{number}"] if f"D{number}.{each}" not in kept]:
            lacking[f"{name}: {use}"] = missing
    assert lacking == {}
