"""Trying cases and mutants in real executors: what one of them does touches no other."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution import batched_trials
from slicefunc.verifier.execution.batched_trials import Trial
from slicefunc.verifier.execution.executors.choose_executor import ORDER
from slicefunc.verifier.execution.executors.interface import Case, Executor, Limits, Mutant, Profile
from slicefunc.verifier.mutation.case_strength import MutationScore, strength
from slicefunc.verifier.mutation.kill_matrix import Kills, first_kills, kills, placed
from slicefunc.verifier.mutation.mutants import mutants_of
from slicefunc.verifier.mutation.mutated_block import Block

from tests.nightly import all_but


@pytest.fixture(scope="module", params=all_but({"plain"}, ["embedded", "plain"]))
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    """Each of the executors that need no daemon."""
    made = next(make for name, make, _ in ORDER if name == request.param)()
    try:
        made.start(Profile())
    except SandboxError as error:
        pytest.skip(str(error))
    yield made
    made.close()


class Tried:
    """A script whose target `f` is tried out."""

    def __init__(self, executor: Executor, script: str, seconds: float = 0.5) -> None:
        self.script = textwrap.dedent(script).lstrip("\n")
        lines = self.script.split("\n")
        first = next(
            i for i, line in enumerate(lines, 1) if line.startswith(("def f(", "async def f("))
        )
        last = next(
            (i for i, line in enumerate(lines[first:], first) if line and not line[0].isspace()),
            len(lines) - 1,
        )
        self.block = Block(self.script, first, last)
        self.trial = Trial(executor.run, self.script, "f", (first, last), seconds=seconds)

    def shown(self, *calls: str) -> list[str]:
        """How the calls ended, with plain values; `-` where nothing was seen."""
        found = self.trial.cases(cases(*calls))
        assert not found.failure
        return [_short(each.observation) for each in found.tried]

    def kills(self, calls: Sequence[str], *bodies: str) -> Kills:
        """Which calls tell the target from other bodies of it; mutants are named by number."""
        return kills(self.trial, cases(*calls), [self.mutant(n, b) for n, b in enumerate(bodies)])

    def mutant(self, number: int, body: str) -> Mutant:
        (function,) = self.block.functions
        head = self.block.source(function).split("\n")[0]
        text = head + "\n" + textwrap.indent(textwrap.dedent(body), "    ") + "\n"
        return Mutant(str(number), self.block.standing(tuple(text.encode().split(b"\n"))))

    def ends(self, *bodies: str) -> list[str]:
        """How the runs of other bodies ended on `f(3)`."""
        mutants = [self.mutant(n, body) for n, body in enumerate(bodies)]
        found = self.trial.mutants(cases("f(3)"), mutants)
        assert not found.failure
        return [run.end for run in found.mutants[1:]]

    def strength(self, *calls: str, is_isolated: bool = False) -> MutationScore:
        trial = replace(self.trial, is_isolated=is_isolated)
        return strength(trial, cases(*calls), self.block)


def cases(*calls: str) -> list[Case]:
    """Cases of one statement each."""
    made: list[Case] = []
    for n, call in enumerate(calls):
        body = call if "\n" in call or call.startswith("return ") else f"return {call}"
        name = f"case_{n}"
        made.append(Case(name, f"def {name}():\n{textwrap.indent(body, '    ')}\n"))
    return made


def _short(observation: str) -> str:
    if not observation:
        return "-"
    outcome = observation.split('"')[3]
    part = '"value":' if outcome == "returned" else '"exception":'
    return f"{outcome} {observation.partition(part)[2].partition(',')[0]}"


ADDS = """
    import os, sys, subprocess, threading, time, functools
    def f(x):
        return x + 1
"""

STOPS = """
    import os, re, signal, sys
    def f(x):
        if x == 1:
            while True: pass
        if x == 2:
            sum(iter(int, 1))
        if x == 3:
            while True:
                try:
                    while True: pass
                except BaseException:
                    pass
        if x == 4: os._exit(0)
        if x == 5: os.kill(os.getpid(), signal.SIGKILL)
        if x == 6: os.abort()
        if x == 7: os.fork()
        if x == 8: os.closerange(0, 200)
        if x == 9: os.write(1, b"x" * (3 << 20))
        return x
"""


@pytest.mark.parametrize("x", [1, 2, 3, 4, 5, 6])
def test_a_case_that_does_not_come_back_shows_nothing_and_the_others_do(
    x: int, executor: Executor
) -> None:
    found = Tried(executor, STOPS).shown(f"f({x})", "f(0)", f"f({x})", "f(10)")
    assert found == ["-", "returned 0", "-", "returned 10"]


@pytest.mark.parametrize("x", [7, 9])
def test_a_case_that_forks_or_floods_hides_no_other(x: int, executor: Executor) -> None:
    found = Tried(executor, STOPS).shown("f(0)", f"f({x})", "f(10)")
    assert (found[0], found[2]) == ("returned 0", "returned 10")


def test_a_case_that_closes_every_descriptor_hides_no_other(executor: Executor) -> None:
    found = Tried(executor, STOPS).shown("f(0)", "f(8)", "f(10)")
    assert (found[0], found[2]) == ("returned 0", "returned 10")


def test_an_exit_is_what_a_case_shows(executor: Executor) -> None:
    script = "import sys\ndef f(x):\n    sys.exit(x)\n"
    (shown,) = Tried(executor, script).shown("f(3)")
    assert shown.startswith("raised")


def test_a_script_that_does_not_load_is_told(executor: Executor) -> None:
    trial = Tried(executor, "def f(x): return 1\nraise KeyError('here')\n").trial
    found = trial.cases(cases("f(1)"))
    assert "KeyError" in found.failure
    assert not found.tried
    assert not found.is_loaded


def test_neither_the_hash_seed_nor_the_place_of_a_case_shows(executor: Executor) -> None:
    script = """
        import os

        def f(x):
            place = x.__code__.co_filename if callable(x) else ''
            return ('PYTHONHASHSEED' in os.environ, getattr(x, '__qualname__', ''), place)
    """
    found = Tried(executor, script)
    calls = ("f(lambda: 0)", "f(1)", "f(lambda: 0)")
    first, _, last = (e.observation for e in found.trial.cases(cases(*calls)).tried)
    assert first == last
    assert '[false,"case.<locals>.<lambda>","<case>"]' in first.replace(" ", "")


@pytest.mark.parametrize("is_isolated", [False, True])
def test_temporary_files_that_a_case_leaves_are_gone_in_the_next(
    executor: Executor, is_isolated: bool
) -> None:
    script = """
        import os
        import tempfile

        FIRST = tempfile.mkdtemp()

        def f(x):
            before = len(os.listdir(tempfile.gettempdir()))
            tempfile.NamedTemporaryFile(delete=False).close()
            os.mkdir(f"{tempfile.mkdtemp()}/inside")
            return before, os.path.isdir(FIRST)
    """
    trial = replace(Tried(executor, script).trial, is_isolated=is_isolated)
    observations = {each.observation for each in trial.cases(cases(*["f(1)"] * 3)).tried}
    assert len(observations) == 1
    assert "true" in observations.pop()


def test_variables_that_a_case_sets_are_gone_in_the_next(executor: Executor) -> None:
    script = """
        import os
        os.environ["OLD"] = "1"
        def f(x):
            before = os.environ.get("OLD"), os.environ.get("NEW")
            os.environ["NEW"] = os.environ["OLD"] = str(x)
            if x:
                del os.environ["OLD"]
            return before
    """
    found = Tried(executor, script).trial.cases(cases("f(0)", "f(1)", "f(0)")).tried
    values = [each.observation.split('"arguments"')[0] for each in found]
    assert values[0] == values[1] == values[2]


SURROUNDED = """
    import os, sys
    seen = []
    kinds = {"a": ["first"]}
    flag = False
    class Log:
        current = None
        def __init__(self):
            self.lines = []
    log = Log()
    os.environ["KEPT"] = "kept"
    def f(x):
        global flag
        found = [os.environ.get("MADE"), os.environ.get("KEPT"), sys.platform, sys.argv[1:],
                 list(seen), dict(kinds), flag, Log.current, len(log.lines)]
        seen.append(x)
        kinds["a"].append(x)
        kinds["b"] = x
        flag = True
        Log.current = log
        log.lines.append(x)
        os.environ["MADE"] = "made"
        os.environ.pop("KEPT", None)
        sys.argv.append("-v")
        return repr(found).replace(",", ";")
"""


def test_what_surrounds_a_case_is_made_anew_for_the_next(executor: Executor) -> None:
    first, second, other, last = Tried(executor, SURROUNDED).shown(
        "f(1)",
        "f(1)",
        "import sys\nsys.platform = 'win32'\nglobal flag\nflag = 3\nreturn f(1)",
        "f(1)",
    )
    assert first == second == last
    assert "'win32'" in other
    assert "; 3;" in other


def test_files_that_a_case_leaves_are_gone_in_the_next(executor: Executor) -> None:
    script = """
        import os, pathlib
        open("data", "w").write("old")
        os.makedirs("folder/deep")
        def f(x):
            before = sorted(str(p) for p in pathlib.Path(".").rglob("*") if p.suffix != ".py")
            before.append(open("data").read())
            if x:
                os.makedirs("a/b/c"); open("a/b/c/d", "w").write("x"); os.symlink("a", "link")
                open("data", "a").write("new"); open("folder/deep/file", "w").write("x")
                os.chmod("a/b", 0)
            else:
                os.unlink("data"); os.rmdir("folder/deep"); os.rmdir("folder")
            return before
    """
    tried = Tried(executor, script)
    found = tried.trial.cases(cases("f(0)", "f(1)", "f(0)")).tried
    values = [each.observation.split('"arguments"')[0] for each in found]
    assert values[0] == values[1] == values[2]
    assert tried.kills(["f(0)"], "os.unlink('data'); os.mkdir('x')", BODY_OF_FILES).by_mutant == {
        "0": {0}, "1": frozenset(),
    }  # fmt: skip


BODY_OF_FILES = """
    before = sorted(str(p) for p in pathlib.Path(".").rglob("*") if p.suffix != ".py")
    before.append(open("data").read())
    os.unlink("data"); os.rmdir("folder/deep"); os.rmdir("folder")
    return before
"""

# bodies that do not end as they should, and how that is seen
BODIES = [
    ("while True: pass", "timeout"),
    ("sum(iter(int, 1))", "timeout"),
    ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", "timeout"),
    ("os._exit(0)", "died"),
    ("os.kill(os.getpid(), 9)", "died"),
    ("os.closerange(0, 200)\nwhile True: pass", "died"),
    ("os.closerange(0, 200)\nreturn x + 1", "died"),
    ("raise MemoryError", "ended"),
    ("sys.exit(0)", "ended"),
    ("raise KeyboardInterrupt", "ended"),
    ("os.write(1, b'x' * (3 << 20))\nreturn x + 1", "ended"),
    ("print('x' * (3 << 20))\nreturn x + 1", "ended"),
    ("sys.setrecursionlimit(10**6)\nreturn f(x)", None),
    ("sys.settrace(None); os.chdir('/')\nreturn x + 1", "ended"),
    ("threading.Thread(target=time.sleep, args=(60,)).start()\nreturn x + 1", "ended"),
    ("subprocess.Popen(['sleep', '60'])\nreturn x + 1", "ended"),
    ("os.fork()\nreturn x + 1", None),
    ("for n in range(3, 200):\n    try: os.write(n, b'\\n{}\\nend\\n')\n    except OSError: pass\n"
     "return x + 1", None),
    ("while True:\n    try: os.fork()\n    except OSError: pass", None),
    ("os.setsid()\nwhile True:\n    if os.fork() == 0: time.sleep(60)", None),
]  # fmt: skip


@pytest.mark.parametrize(("body", "end"), BODIES)
def test_a_mutant_that_runs_wild_leaves_the_next_as_it_was(
    body: str, end: str | None, executor: Executor
) -> None:
    tried = Tried(executor, ADDS)
    before, found, same, other = tried.ends("return x + 1", body, "return x + 1", "return x - 1")
    assert (before, same, other) == ("ended", "ended", "ended")
    if end:
        assert found == end
    seen = tried.kills(["f(3)", "f(4)"], body, "return x + 1", "return x - 1")
    assert not seen.failure
    assert seen.by_mutant["1"] == frozenset()
    assert seen.by_mutant["2"] == {0, 1}
    if end in ("timeout", "died"):
        assert seen.by_mutant["0"]


def test_what_is_not_compared_kills_nobody(executor: Executor) -> None:
    tried = Tried(executor, "import sys\ndef f(x):\n    print(x)\n    raise KeyError('a')\n")
    found = tried.kills(["f(1)"], "raise KeyError('b')", "raise ValueError('a')")
    assert found.by_mutant == {"0": frozenset(), "1": {0}}
    tried = Tried(executor, "import sys\ndef f(x):\n    print(x)\n    return x\n")
    found = tried.kills(["f(1)"], "return x", "print(x, file=sys.stderr); return x", "return 2")
    assert found.by_mutant == {"0": frozenset(), "1": frozenset(), "2": {0}}
    tried = Tried(executor, "def f(x):\n    print(x)\n")
    assert tried.kills(["f(1)"], "print(x)", "print(2)").by_mutant == {"0": frozenset(), "1": {0}}


def test_one_killer_is_enough_where_it_is_asked_for(executor: Executor) -> None:
    tried = Tried(executor, "def f(x):\n    print(x)\n    return x\n")
    bodies = (
        "print(x)\nreturn x + 1",  # both cases kill it
        "print(2)\nreturn x if x == 1 else 0",  # what differs first is not compared
        "print(2)\nreturn x",
        "print(x)\nreturn x",
    )
    calls = cases("f(1)", "f(3)")
    found = first_kills(tried.trial, calls, [tried.mutant(n, b) for n, b in enumerate(bodies)])
    nobody = frozenset[int]()
    assert found.by_mutant == {"0": {0}, "1": {1}, "2": nobody, "3": nobody}
    assert found.only_printed == {"2"}
    every = tried.kills(["f(1)", "f(3)"], *bodies)
    assert every.by_mutant == {**found.by_mutant, "0": {0, 1}}


def test_a_mutant_is_tried_where_its_statement_runs(executor: Executor) -> None:
    tried = Tried(executor, "def f(x):\n    if x:\n        return 1\n    return 2\n")
    arcs = [each.arcs for each in tried.trial.cases(cases("f(0)", "f(1)", "f(2)")).tried]
    mutant = tried.mutant(0, "if x:\n    return 5\nreturn 2")
    at = placed(mutant, (3, 3), arcs)
    assert at.cases == (1, 2)
    found = kills(tried.trial, cases("f(0)", "f(1)", "f(2)"), [at])
    assert found.by_mutant == {"0": {1, 2}}
    assert tried.strength("f(0)", "f(1)").survived == ()


def test_files_that_a_case_leaves_kill_no_mutant_in_the_next(executor: Executor) -> None:
    tried = Tried(
        executor,
        """
        import os
        os.makedirs("notes")

        def f(name):
            found = sorted(os.listdir("notes"))
            open(f"notes/{name}", "w").close()
            return found
        """,
    )
    found = tried.kills(["f('a')", "f('b')"], "open(f'notes/{name}', 'w').close()\nreturn []")
    assert found.by_mutant["0"] == frozenset()


def test_many_calls_that_do_not_end_hide_no_other(executor: Executor) -> None:
    tried = Tried(
        executor,
        """
        def f(x):
            while x:
                pass
            return x
        """,
        seconds=1.0,
    )
    calls = ["f(0)", *["f(1)"] * 6, "f(0)"]
    found = tried.trial.cases(cases(*calls))
    assert [_short(each.observation) for each in found.tried] == [
        "returned 0", *["-"] * 6, "returned 0"
    ]  # fmt: skip


def test_a_mutant_that_is_no_body_of_the_target_is_not_applied(executor: Executor) -> None:
    tried = Tried(executor, ADDS)
    found = tried.kills(["f(1)"], "return (", "return x")
    assert found.not_applied == {"0"}
    assert found.by_mutant == {"1": {0}}


def test_where_the_original_does_not_end_nothing_is_known(executor: Executor) -> None:
    found = Tried(executor, "import os\ndef f(x):\n    os._exit(0)\n").kills(["f(1)"], "return 1")
    assert found.failure == "the original's run: died"
    assert not found.by_mutant


def test_what_cases_remember_reaches_no_mutant(executor: Executor) -> None:
    script = """
        import functools
        memory = {}
        @functools.lru_cache
        def g(x): return x
        def f(x):
            if x not in memory:
                memory[x] = x + 1
            return memory[x]
    """
    found = Tried(executor, script).kills(["f(1)"], "memory[x] = x + 1; return memory[x]",
        "if x not in memory:\n    memory[x] = x - 1\nreturn memory[x]")  # fmt: skip
    assert found.by_mutant == {"0": frozenset(), "1": {0}}


def test_a_module_that_is_imported_late_is_imported_once(executor: Executor) -> None:
    script = """
        def f(x):
            import decimal, sys
            return str(decimal.Decimal(x)), "decimal" in sys.modules
    """
    tried = Tried(executor, script)
    body = "import decimal, sys\nreturn str(decimal.Decimal(x)), 'decimal' in sys.modules"
    assert tried.kills(["f(1)"], body, "return 1").by_mutant == {"0": frozenset(), "1": {0}}


def test_strength_counts_what_is_killed_and_what_survives(executor: Executor) -> None:
    script = "def f(x):\n    y = 5\n    if x > 3:\n        return x\n    return 0\n"
    weak = Tried(executor, script).strength("f(1)")
    assert weak.rate is not None
    assert 0 < weak.rate < 1
    assert {"returns 0"} <= set(weak.cheap)
    assert weak.equivalent == 3
    strong = Tried(executor, script).strength("f(3)", "f(4)", "f(9)", "f(0)")
    assert (strong.rate, strong.cheap, strong.survived) == (1, (), ())
    assert strong.mutants == weak.mutants


def test_strength_tells_those_apart_that_no_case_was_made_for(executor: Executor) -> None:
    tried = Tried(executor, "def f(x):\n    return x * 3 + 1 if x > 3 else len(str(x)) - x // 2\n")
    strong, weak = tried.strength("f(3)", "f(4)", "f(9)", "f(0)", "f(-17)"), tried.strength("f(0)")
    made = mutants_of(tried.block).records
    assert strong.unseen == weak.unseen == sum(each.is_held_out for each in made) > 0
    assert strong.unseen_rate == 1
    assert weak.unseen_rate == weak.unseen_killed / weak.unseen < 1
    assert {each.is_held_out for each in weak.unseen_survived} == {True}


def test_printed_text_counts_only_where_some_case_is_compared_by_it(executor: Executor) -> None:
    script = """
        def f(x):
            print("one", x)
            if x:
                x.append(1)
            if len(x) > 3:
                print("many")
    """
    tried = Tried(executor, script)

    def texts(*calls: str, unrun: Collection[int] = ()) -> set[str]:
        found = strength(tried.trial, cases(*calls), tried.block, unrun=unrun)
        return {made.before for made in found.survived if made.only_prints}

    assert texts("f([1])", "f([1, 2, 3])") == set()
    last = len(tried.script.splitlines())
    assert '"many"' in texts("f([1])", unrun=[last])
    # one case is compared by what it prints, but not the one that prints "many"
    assert '"many"' not in texts("f([1])", "f([1, 2, 3])", "f([])")
    assert '"many"' in texts("f([1])", "f([])", unrun=[last])


def test_strength_of_cases_that_influence_each_other(executor: Executor) -> None:
    script = "calls = []\ndef f(x):\n    calls.append(x)\n    return len(calls) + x\n"
    apart = Tried(executor, script).strength("f(1)", "f(2)", is_isolated=True)
    assert not apart.failure
    # each is the first call where cases run apart, so there is always one
    assert {made.operator for made in apart.survived} == {"constant for computed"}


def test_cases_that_see_nothing_have_no_strength(executor: Executor) -> None:
    found = Tried(executor, "def f(x):\n    return x + 1\nf = lambda x, g=f: 4\n").strength("f(1)")
    assert "nothing is seen" in found.failure
    assert found.rate == 0


def test_of_what_is_no_function_there_is_no_strength(executor: Executor) -> None:
    trial = Trial(
        executor.run, "from functools import partial\nf = partial(int, '3')\n", "f", (2, 2)
    )
    found = strength(trial, cases("f()"), Block(trial.script, 2, 2))
    assert (found.rate, found.failure) == (None, "")


def test_a_lambda_is_tried_too(executor: Executor) -> None:
    trial = Trial(executor.run, "f = lambda x: x + 1\n", "f", (1, 1))
    found = strength(trial, cases("f(2)"), Block(trial.script, 1, 1))
    assert (found.failure, found.rate, found.cheap) == ("", 1, ())


def test_a_carried_module_is_mutated(executor: Executor) -> None:
    script = textwrap.dedent("""
        import sys, types
        code = "def g(x):\\n    return x + 1\\n"
        m = types.ModuleType("m")
        exec(compile(code, "/tmp/somewhere/pkg/m.py", "exec"), m.__dict__)
        f = m.g
    """)
    trial = Trial(executor.run, script, "f", (1, 2), "pkg/m.py")
    found = strength(trial, cases("f(2)"), Block("def g(x):\n    return x + 1\n", 1, 2))
    assert (found.failure, found.rate) == ("", 1)


def test_many_slow_mutants_are_tried_in_several_runs(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = Tried(executor, ADDS)
    mutants = [tried.mutant(n, "while True: pass") for n in range(6)]
    mutants.append(tried.mutant(6, "return x + 1"))
    monkeypatch.setattr(batched_trials, "_LIMITS", Limits(wall_seconds=2.5, memory_bytes=4 << 30))
    monkeypatch.setattr(batched_trials, "_MOST_RUNS", 20)
    found = tried.trial.mutants(cases("f(1)"), mutants)
    assert not found.failure
    assert [run.name for run in found.mutants] == ["", *"0123456"]
    assert found.mutants[-1].differs == ()
    assert all(run.differs for run in found.mutants[1:-1])


def test_a_case_that_waits_for_what_never_comes_is_ended_soon(executor: Executor) -> None:
    script = """
        import threading, time
        def f(x):
            if x: threading.Event().wait()
            time.sleep(0.2)
            return x
    """
    tried = Tried(executor, script, seconds=1.0)
    assert tried.shown("f(0)", "f(1)", "f(0)") == ["returned 0", "-", "returned 0"]
    (waited,) = tried.trial.cases(cases("f(1)")).tried
    assert waited.seconds < 5


def test_a_mutant_is_tried_on_its_cases_only(executor: Executor) -> None:
    tried = Tried(executor, ADDS)
    mutant = replace(tried.mutant(0, "return x * 2"), cases=(1, 2))
    found = kills(tried.trial, cases("f(3)", "f(1)", "f(4)", "f(5)"), [mutant])
    assert found.by_mutant == {"0": {2}}
    nowhere = replace(mutant, cases=())
    assert kills(tried.trial, cases("f(3)"), [nowhere]) == Kills({"0": frozenset()})


def test_cases_that_need_others_before_them_are_tried_with_those(executor: Executor) -> None:
    script = """
        import itertools
        numbers = itertools.count()
        def f(x):
            return x + next(numbers)
    """
    tried = Tried(executor, script)
    same = replace(tried.mutant(0, "return next(numbers) + x"), cases=(1,))
    other = replace(tried.mutant(1, "next(numbers)\nreturn x"), cases=(1,))
    found = kills(tried.trial, cases("f(3)", "f(1)"), [same, other])
    assert found.by_mutant == {"0": frozenset(), "1": {1}}


def test_a_variable_that_the_target_sets_is_gone_though_something_was_imported(
    executor: Executor,
) -> None:
    script = """
        import os
        def f(x):
            import xml.dom.minidom
            before = os.environ.get("TOKEN")
            os.environ["TOKEN"] = x
            return before
    """
    found = Tried(executor, script).shown("f('a')", "f('a')")
    assert found == ["returned null", "returned null"]


REGISTERS = """
    class Entry:
        def __init__(self, name):
            self.name = name
    seen = [Entry("first")]
    known = [Entry("first")]
    def f(x):
        seen.append(Entry(x))
"""


def test_of_globals_that_the_original_leaves_alone_only_another_object_tells(
    executor: Executor,
) -> None:
    tried = Tried(executor, REGISTERS)
    found = tried.kills(
        ["f(1)"],
        "seen.append(Entry(x + 1))",  # a change inside of what the original changes, too
        "seen.append(Entry(x)); globals()['known'] = [Entry('first')]",
        "seen.append(Entry(x)); known[0].name = 'other'",
    )
    assert {name for name, cases in found.by_mutant.items() if cases} == {"0", "1"}
