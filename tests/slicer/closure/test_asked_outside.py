"""Each member that runs when code outside is handed an instance is in the slice.

What runs is not written down here but seen: a class with every special method notes which ones the
language, a builtin or the standard library calls.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from slicefunc.slicer import Repository, slice_function

SNIPPETS = """\
operator.add(A(), 1)
functools.reduce(operator.add, [A(), A()])
functools.reduce(operator.or_, map(A, [1, 2]))
functools.reduce(lambda a, b: a + b, [A(), A()])
list(map(len, [A()]))
list(map(str, [A()]))
','.join(map(str, [A()]))
sorted([A(), A()], key=str)
max([A(), A()], key=len)
list(filter(bool, [A()]))
list(filter(None, [A()]))
list(map(operator.itemgetter(0), [A()]))
operator.itemgetter(0)(A())
list(map(operator.methodcaller('size'), [A()]))
sum([A(), A()], A())
operator.contains(A(), 1)
operator.eq(A(), 1)
operator.not_(A())
operator.truth(A())
operator.index(A())
operator.getitem(A(), 1)
operator.lt(A(), 1)
operator.neg(A())
operator.iadd(A(), 1)
operator.invert(A())
operator.length_hint(A())
math.floor(A())
math.ceil(A())
math.trunc(A())
math.sqrt(A())
round(A(), 1)
divmod(A(), 2)
divmod(2, A())
2 + A()
A() + A()
pow(2, A())
abs(A())
hash(A())
{A(): 1}
{A(), A()}
A() in {1: 2}
{}.get(A())
set(map(A, [1]))
collections.Counter([A()])
os.fspath(A())
open(A())
pathlib.Path(A())
os.path.join(A(), 'x')
subprocess.list2cmdline([A()])
'%s' % A()
'%r' % (A(),)
'%d' % A()
'{}'.format(A())
'{:>5}'.format(A())
f'{A():>5}'
f'{A()!r}'
'{!r}'.format(A())
'{0.size}'.format(A())
'{0[1]}'.format(A())
'%(a)s' % {'a': A()}
'%(size)s' % A()
'{size}'.format_map(A())
'{size}'.format(**A())
print(A(), file=io.StringIO())
print([A()], file=io.StringIO())
print('x', file=A())
str([A()])
repr({'a': A()})
repr((A(), 1))
pprint.pformat(A())
pprint.pprint('x', A())
reprlib.repr([A()])
json.dumps(A(), default=str)
json.dumps([A()], default=lambda o: o.size())
copy.copy(A())
copy.deepcopy(A())
copy.deepcopy([A()])
pickle.dumps(A())
pickle.dumps([A()])
list(A())
[*A()]
a, *b = A()
dict(A())
{**A()}
max(*A(), default=0)
list(enumerate(A()))
list(zip(A(), A()))
list(itertools.chain(A()))
list(itertools.chain.from_iterable([A()]))
next(A())
list(reversed(A()))
len(A())
bool(A())
not A()
A() and 1
1 if A() else 2
any([A()])
all(map(A, [1]))
any(x for x in [A()])
assert A()
A() < A()
A() <= A()
sorted([A(), A()])
min(A(), A())
min([A(), A()])
[A(), A()].sort()
bisect.insort([A()], A())
heapq.heappush([A()], A())
heapq.nsmallest(1, [A(), A()])
(A(), 1) < (A(), 2)
[A()] == [A()]
{'a': A()} == {'a': 1}
A() in [A()]
[A()].index(1)
[A()].remove(1)
[A()].count(A())
collections.deque([A()]).index(1)
A() != A()
dir(A())
A()[1]
A()[1] = 2
del A()[1]
A()[1:2]
a = A(); a += 1
a = A(); a @= 1
a = A(); a -= 1
a = A(); a[0] += 1
~A()
A() ** 2
2 ** A()
range(A())
[1, 2][A()]
[1][A():]
'abc'[:A()]
bytes(A())
int(A())
float(A())
complex(A())
hex(A())
'x' * A()
[1] * A()
sys.getsizeof(A())
contextlib.ExitStack().enter_context(A())
with contextlib.closing(A()): pass
with contextlib.redirect_stdout(A()): print(1)
with contextlib.ExitStack() as s: s.enter_context(A())
with A(): pass
with A() as a, A() as b: pass
csv.writer(A()).writerow([1])
list(csv.reader(A()))
json.dump({}, A())
json.load(A())
pickle.dump(1, A())
pickle.load(A())
marshal.dump(1, A())
shutil.copyfileobj(A(), A())
configparser.ConfigParser().read_file(A())
logging.StreamHandler(A()).flush()
logging.getLogger('x').warning('%s', A())
zipfile.ZipFile(A())
tokenize.tokenize(A().readline)
threading.Thread(target=A()).run()
functools.partial(A())()
sorted([1], key=A())
list(map(A(), [1]))
re.sub('a', A(), 'a')
functools.lru_cache(A())(1)
asyncio.run(waits(A()))
asyncio.run(asyncio.wait_for(A(), 1))
asyncio.run(enters(A()))
asyncio.run(loops(A()))
os.environ.update(A())
{}.update(A())
[].extend(A())
set().union(A())
''.join(A())
collections.ChainMap(A())['a']
collections.deque(A())
datetime.timedelta(1) * A()
fractions.Fraction(1) + A()
decimal.Decimal(1) + A()
getattr(A(), 'size')()
inspect.getmembers(A())
for x in A(): pass
types.SimpleNamespace(**A())
string.Template('$size').substitute(A())
array.array('b', A())
struct.pack('i', A())
random.choice(A())
random.shuffle(A())
import_streams(A())
tuple.__str__((A(),))
list.__repr__([A()])
str.format('{}', A())
dict.fromkeys([A()])
dict.get({1: 2}, A())
frozenset([A()])
list(itertools.accumulate([A(), A()]))
list(itertools.groupby([A(), A()]))
functools.cmp_to_key(lambda a, b: a - b)(A()) < functools.cmp_to_key(max)(A())
configparser.ConfigParser({'a': 'b'}).write(A())
operator.attrgetter('size')(A())()
sorted([A(), A()], key=lambda a: operator.attrgetter('size')(a)())
list(itertools.compress([1], [A()]))
list(itertools.filterfalse(None, [A()]))
list(itertools.takewhile(bool, [A()]))
list(itertools.starmap(pow, [(A(), 2)]))
list(zip(*[A()]))
os.path.exists(A())
os.listdir(A())
int.from_bytes(A(), 'big')
contextlib.nullcontext(A()).__enter__().size()
"""

PRELUDE = """\
import array
import asyncio
import bisect
import collections
import configparser
import contextlib
import copy
import csv
import datetime
import decimal
import fractions
import functools
import heapq
import inspect
import io
import itertools
import json
import logging
import marshal
import math
import operator
import os
import pathlib
import pickle
import pprint
import random
import re
import reprlib
import shutil
import string
import struct
import subprocess
import sys
import threading
import time
import tokenize
import types
import zipfile

RAN = []


async def waits(a):
    return await a


async def enters(a):
    async with a as b:
        return b


async def loops(a):
    return [x async for x in a]


def import_streams(a):
    before = sys.stdout
    sys.stdout = a
    try:
        print(1)
    finally:
        sys.stdout = before


class A(collections.abc.Hashable):
    def __init__(self, one=1):
        self.one = one

"""

GIVES = {
    "__add__ __radd__ __iadd__ __sub__ __isub__ __mul__ __rmul__ __matmul__ __imatmul__ __pow__"
    " __rpow__ __or__ __ror__ __neg__ __invert__ __abs__ __enter__ __aiter__"
    " __getitem__ __copy__ __replace__": "self",
    "__len__ __length_hint__ __hash__ __int__ __floor__ __ceil__ __trunc__ __round__ __sizeof__"
    " seek tell": "1",
    "__index__ fileno": "999",  # no open file
    "__float__": "1.0",
    "__complex__": "1j",
    "__bytes__": "b'x'",
    "__str__ __repr__ __format__ __fspath__ encoding size": "'x'",
    "__bool__ __eq__ __lt__ __gt__ __le__ __ge__ __contains__ isatty": "True",
    "__ne__ __exit__": "False",
    "__divmod__ __rdivmod__": "(1, 1)",
    "__iter__ __reversed__ keys": "iter(())",
    "__await__": "iter(())",
    "__dir__ readlines": "[]",
    "__call__": "'x'",
    "read": "b''",
    "readline": "b''",
    "__setitem__ __delitem__ write writelines flush close": "None",
}
ASYNC = {
    "__aenter__": "return self",
    "__aexit__": "return None",
    "__anext__": "raise StopAsyncIteration",
}


def _module() -> str:
    text = PRELUDE
    for names, given in GIVES.items():
        for name in names.split():
            text += f"    def {name}(self, *given):\n        RAN.append({name!r})\n"
            text += f"        return {given}\n\n"
    text += (
        "    def __next__(self):\n        RAN.append('__next__')\n        raise StopIteration\n\n"
    )
    for name, does in ASYNC.items():
        text += f"    async def {name}(self, *given):\n        RAN.append({name!r})\n"
        text += f"        {does}\n\n"
    text += "    def __deepcopy__(self, memo):\n        RAN.append('__deepcopy__')\n"
    text += "        return self\n\n"
    text += "    def __reduce__(self):\n        RAN.append('__reduce__')\n        return A, ()\n\n"
    for number, snippet in enumerate(SNIPPETS.splitlines()):
        text += f"\ndef f{number}():\n    {snippet}\n"
    return text


WATCH = """\
import json, sys
import mod
sys.stdout = None
found = {}
for name in [name for name in vars(mod) if name[:1] == "f" and name[1:].isdigit()]:
    mod.RAN.clear()
    try:
        vars(mod)[name]()
    except BaseException:
        pass
    found[name] = sorted(set(mod.RAN))
json.dump(found, sys.__stdout__)
"""


def test_what_runs_is_kept(tmp_path: Path) -> None:
    (tmp_path / "mod.py").write_text(_module())
    done = subprocess.run(
        [sys.executable, "-c", WATCH], cwd=tmp_path, capture_output=True, text=True, check=True,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    ran: dict[str, list[str]] = json.loads(done.stdout)
    snippets = SNIPPETS.splitlines()
    assert len(ran) == len(snippets)
    assert all(ran.values())  # each runs something of the class
    repository = Repository(tmp_path)
    lacking: dict[str, list[str]] = {}
    for number, snippet in enumerate(snippets):
        sliced = slice_function(repository, f"mod.py::f{number}", constructors=False)
        kept = {d.qualname for d in sliced.manifest.definitions}
        if missing := [name for name in ran[f"f{number}"] if f"A.{name}" not in kept]:
            lacking[snippet] = missing
    assert lacking == {}
