"""Runs of the standard library's modules, copied so that coverage.py measures them.

python library_runs.py FOLDER            imports and drives every copied module
python library_runs.py FOLDER TARGETS    does so once for each target, and prints its arcs

TARGETS is a JSON file of `[module, path, first line, last line]`. Each target has a process of its
own, because modules keep caches.
"""

from __future__ import annotations

import asyncio
import importlib
import io
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType


def _textwrap(m: ModuleType) -> None:
    text = (
        "  Hello there - this is a rather-long line, with   spaces.\n\tAnd a tab; a_very_long_word"
    )
    m.wrap(text, 12)
    m.fill(text, 20, initial_indent="* ", max_lines=2, fix_sentence_endings=True)
    m.shorten(text, 15)
    m.dedent("   a\n  b\n\n    c\n")
    m.indent("a\n\nb\n", "> ")
    with suppress(ValueError):
        m.wrap(text, 0)


def _shlex(m: ModuleType) -> None:
    m.split('a \'b c\' "d\\"e" f\\ g # comment', comments=True)
    m.split("a && b | c", posix=False)
    list(m.shlex("x=1;y='2'&z", punctuation_chars=True))
    m.join(["a b", "c", ""])
    with suppress(ValueError):
        m.split("a 'b")


def _json(m: ModuleType) -> None:
    encoder = importlib.import_module(m.__name__ + ".encoder")
    encoder.c_make_encoder = None
    encoder.encode_basestring_ascii = encoder.py_encode_basestring_ascii
    value = {"a": [1, 2.5, None, True, {"b": []}], 2: "é\n", 1.5: float("inf"), False: {}}
    m.dumps(value, indent=2)
    m.dumps(value, separators=(",", ":"), ensure_ascii=False)
    m.dump([1, [2]], io.StringIO())
    decoder = importlib.import_module(m.__name__ + ".decoder")
    reader = decoder.JSONDecoder()
    reader.parse_string = decoder.py_scanstring
    reader.scan_once = importlib.import_module(m.__name__ + ".scanner").py_make_scanner(reader)
    reader.decode('{"a": [1, -2.5e3, "x\\u00e9\\ud83d\\ude00", null], "b": {"c": true}, "d": []}')
    for wrong in ("{", "[1,", '{"a" 1}', '"\\x"', "[1] 2"):
        try:
            reader.decode(wrong)
        except ValueError as error:
            str(error)
    m.loads(b'{"a": 1}', object_hook=dict)


def _fractions(m: ModuleType) -> None:
    f = m.Fraction
    a, b = f(3, 4), f("-7/3")
    _ = (a + b, a - b, a * b, a / b, a // b, a % b, a**2, a**-1, b**3, 2**a, a + 1, 1.5 - a, 1 / b)
    _ = (a < b, a <= 1, a > 0.5, a >= b, a == b, a == 0.75, hash(a), str(a), repr(b), bool(a))
    _ = (round(b), round(b, 2), int(b), -a, +a, abs(b), f(1.25), f("1e-3"), a.limit_denominator(3))
    for wrong in (("x",), (1, 0), (1.5, 2)):
        with suppress(ValueError, ZeroDivisionError, TypeError):
            f(*wrong)


def _statistics(m: ModuleType) -> None:
    data = [1, 2, 2, 3.5, 10]
    for name in ("mean", "median", "median_low", "median_high", "mode", "stdev", "pvariance"):
        getattr(m, name)(data)
    m.quantiles(data, n=4, method="inclusive")
    m.multimode("aabbc")
    m.harmonic_mean([1, 2, 4])
    m.geometric_mean([1, 2, 4])
    m.correlation([1, 2, 3], [1, 3, 2])
    m.linear_regression([1, 2, 3], [1, 3, 2])
    n = m.NormalDist(1, 2)
    _ = (
        n.pdf(1),
        n.cdf(2),
        n + n,
        n * 2,
        n.overlap(m.NormalDist(0, 1)),
        n.zscore(3),
        n == m.NormalDist(),
    )
    for wrong in ([], [1]):
        with suppress(m.StatisticsError):
            m.variance(wrong)


def _configparser(m: ModuleType) -> None:
    parser = m.ConfigParser(allow_no_value=True)
    parser.read_string("[DEFAULT]\nx = 1\n[a]\ny = %(x)s\n long\nz\n; comment\n[b]\non = yes\n")
    _ = (parser.getboolean("b", "on"), parser.get("a", "y"), parser.sections(), parser["a"]["x"])
    parser.set("a", "new", "3")
    parser.write(io.StringIO())
    parser.remove_option("a", "new")
    for wrong in ("x = 1\n", "[a]\n[a]\n", "[a]\nx\n  = 2\nx = 3\n"):
        with suppress(m.Error):
            m.ConfigParser().read_string(wrong)
    m.ConfigParser(interpolation=m.ExtendedInterpolation()).read_dict(
        {"a": {"b": "${c}", "c": "d"}}
    )


def _difflib(m: ModuleType) -> None:
    a, b = "one\ntwo\nthree\nfour\n".splitlines(True), "ore\ntree\nthree\nfive\n".splitlines(True)
    list(m.ndiff(a, b))
    list(m.unified_diff(a, b, "a", "b"))
    list(m.context_diff(a, b))
    m.get_close_matches("appel", ["ape", "apple", "peach"])
    m.SequenceMatcher(lambda x: x == " ", "private a", "private volatile a").ratio()
    list(m.restore(m.ndiff(a, b), 1))


def _contextlib(m: ModuleType) -> None:
    @m.contextmanager
    def managed(fail: bool):  # noqa: ANN202
        try:
            yield 1
        except KeyError:
            if fail:
                raise

    with managed(False):
        pass
    with managed(False), m.suppress(KeyError):
        raise KeyError(1)
    try:
        with managed(True), m.ExitStack() as stack:
            stack.enter_context(managed(False))
            stack.callback(print, end="", file=io.StringIO())
            int("x")
    except ValueError:
        pass

    @m.asynccontextmanager
    async def waited():  # noqa: ANN202
        await asyncio.sleep(0)
        yield 2

    async def run() -> None:
        async with waited() as value, m.AsyncExitStack() as stack:
            await stack.enter_async_context(waited())
            stack.push_async_callback(asyncio.sleep, value - 2)

    asyncio.run(run())


def _pprint(m: ModuleType) -> None:
    deep = {"a" * 30: [list(range(40)), ("x" * 50, "y z " * 30)], "b": {1: {2: {3: {}}}}, "c": {1}}
    m.pformat(deep, width=40, depth=3, compact=True)
    m.pformat([b"x" * 90, deep], sort_dicts=False)
    recursive: list[object] = []
    recursive.append(recursive)
    _ = (m.isrecursive(recursive), m.isreadable(deep), m.saferepr({2: 1, "a": 2}))


def _string(m: ModuleType) -> None:
    m.capwords("a b  c")
    m.Template("$a ${b} $$ $c").safe_substitute(a=1, b=2)
    with suppress(ValueError):
        m.Template("$").substitute()
    m.Formatter().format("{0} {a[0]!r:>{w}}", 1, a=[2], w=4)


def _argparse(m: ModuleType) -> None:
    parser = m.ArgumentParser(prog="p", description="d", exit_on_error=False)
    parser.add_argument("path", nargs="*", help="where")
    parser.add_argument("-n", "--number", type=int, default=3, choices=[1, 2, 3])
    parser.add_argument("-v", action="count")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--on", action="store_true")
    group.add_argument("--off", action="store_false")
    parser.parse_args(["a", "-n2", "-vv", "--on"])
    parser.format_help()
    try:
        parser.parse_args(["--number", "x"])
    except m.ArgumentError as error:
        str(error)


def _ipaddress(m: ModuleType) -> None:
    net = m.ip_network("10.0.0.0/29")
    _ = (list(net.hosts()), net.is_private, list(net.subnets()), m.ip_address("::1"), net.netmask)
    _ = (m.ip_address("2001:db8::ff").exploded, net.supernet(), m.ip_interface("1.2.3.4/8").network)
    _ = list(m.summarize_address_range(m.ip_address("1.0.0.0"), m.ip_address("1.0.0.9")))
    _ = list(m.collapse_addresses([m.ip_network("1.0.0.0/25"), m.ip_network("1.0.0.128/25")]))
    for wrong in ("1.2.3", "1:2", "1.2.3.444", "::1::"):
        with suppress(ValueError):
            m.ip_address(wrong)


def _heapq(m: ModuleType) -> None:
    list(m.merge([1, 4], [2], []))
    list(m.merge(["aa", "b"], ["c"], key=len, reverse=True))
    next(m.merge([1], [2]))
    m.nlargest(2, [3, 1, 2], key=abs)
    m.nsmallest(1, [3, 1])


def _tokenize(m: ModuleType) -> None:
    text = 'def f(a, b=1.5e3):\n  """x\n  y"""\n  # c\n\n  return (a +\n b) \\\n + 1\nf(0x1, "s")'
    list(m.generate_tokens(io.StringIO(text).readline))
    list(m.tokenize(io.BytesIO(b"# coding: latin-1\nif x:\n\ty = '\xe9'\n").readline))
    m.untokenize(m.generate_tokens(io.StringIO("x = [1,\n 2]\n").readline))
    for wrong in ("(1,\n", "if x:\n    y\n  z\n", "'''a\n"):
        with suppress(m.TokenError, IndentationError):
            list(m.generate_tokens(io.StringIO(wrong).readline))


def _ast(m: ModuleType) -> None:
    tree = m.parse("class A(B):\n    x: int = 1\n    def f(self, *a): return [y for y in a if y]\n")
    _ = (list(m.walk(tree)), list(m.iter_child_nodes(tree.body[0])), m.dump(tree, indent=1))
    next(m.iter_fields(tree))
    m.literal_eval("[1, -2, {'a': (1 + 2j,)}]")
    m.get_docstring(tree.body[0])
    with suppress(ValueError):
        m.literal_eval("f()")


def _asyncio(m: ModuleType) -> None:
    async def fail() -> None:
        raise KeyError

    async def run() -> None:
        queue, lock, event = m.Queue(1), m.Lock(), m.Event()
        condition, semaphore = m.Condition(), m.BoundedSemaphore(1)

        async def produce() -> None:
            for number in range(3):
                async with lock, semaphore:
                    await queue.put(number)
            event.set()
            async with condition:
                condition.notify_all()

        async def consume() -> None:
            async with condition:
                await condition.wait_for(event.is_set)

        first, second = m.create_task(produce()), m.create_task(consume())
        _ = [await queue.get() for _ in range(3)]
        await m.gather(first, second, event.wait())
        await m.wait_for(m.sleep(0), 60)  # nothing is cancelled: what is in C raises the original's
        async with m.timeout(60):
            await m.sleep(0)
        await m.gather(fail(), return_exceptions=True)
        await m.wait([m.create_task(m.sleep(0)) for _ in range(2)])
        _ = [await each for each in m.as_completed([m.sleep(0), m.sleep(0, 1)])]
        async with m.TaskGroup() as group:
            group.create_task(m.sleep(0))

    m.run(run())


RUNS: dict[str, Callable[[ModuleType], None]] = {
    name.removeprefix("_"): run
    for name, run in list(globals().items())
    if name.startswith("_") and callable(run) and not name.startswith("__")
}


def drive(name: str) -> None:
    """Import a copied module and use it."""
    RUNS[name](importlib.import_module(f"copied_{name}"))


def _arcs_of(name: str, path: str, first: int, last: int) -> list[tuple[int, int]]:
    from slicefunc.verifier.sandbox.cases.arcs import collecting

    with collecting(path, first, last) as collector:
        drive(name)
    return collector.arcs()


def main(folder: Path, targets: Path | None) -> None:
    sys.path.insert(0, str(folder))
    if targets is None:
        for name in RUNS:
            drive(name)
        return
    for target in json.loads(targets.read_text(encoding="utf-8")):
        if not os.fork():
            sys.stdout.write(json.dumps(_arcs_of(*target)) + "\n")
            sys.stdout.flush()
            os._exit(0)
        if os.wait()[1]:
            raise SystemExit(f"{target} ended badly")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else None)
