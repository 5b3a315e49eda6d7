"""`--verify`, `--cases`, `--env` and `score`, from end to end."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest
from slicefunc.driver.cli.commands.score_files import score_files
from slicefunc.driver.pipeline.cases.written_cases import CasesError, read_cases
from slicefunc.driver.pipeline.checks import HiddenCases, Thresholds, verify
from slicefunc.driver.pipeline.record_fields import environment_record
from slicefunc.driver.places.environment_scorer import ScoreOptions, open_scorer
from slicefunc.driver.places.repository_origin import origin_of
from slicefunc.driver.places.script_environment import current_interpreter
from slicefunc.driver.record.environment_files import (
    EnvironmentRecordError,
    environment_of,
    read_environment,
    write_environment,
)
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.model import Slice
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.choose_executor import choose
from slicefunc.verifier.execution.executors.interface import Case, Profile
from slicefunc.verifier.scoring.oracle.oracle import Oracle, OracleCase
from slicefunc.verifier.scoring.score import Candidate

from tests.driver.conftest import run, shop_in
from tests.nightly import all_but

TARGET = "shop/orders.py::Order.total"
CASES = '''\
"""Cases."""
from shop.orders import Order

NET = 100


def case_small():
    return Order(NET).total()


def case_text():
    return Order("x").total()
'''


def _has_sandbox() -> bool:
    try:
        choose()
    except SandboxError:
        return False
    return True


needs_sandbox = pytest.mark.skipif(not _has_sandbox(), reason="no sandbox works here")


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """A file of cases."""
    file = tmp_path / "cases.py"
    file.write_text(CASES)
    return file


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment of the target with these cases, which tests only read."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "cases.py").write_text(CASES)
    built = folder / "env"
    done = run(shop_in(folder), TARGET, "--cases", folder / "cases.py", "--env", built)
    assert done.status == 0, done.err
    return built


def _slice(repo: Path, emit: str = "flat") -> Slice:
    return slice_function(Repository(repo), (TARGET,), emit=emit)  # type: ignore[arg-type]


# from end to end


@needs_sandbox
@pytest.mark.parametrize("emit", all_but({"modules"}, ["flat", "modules"]))
def test_environment_scores_candidates(repo: Path, tmp_path: Path, cases: Path, emit: str) -> None:
    env = tmp_path / "env"
    done = run(repo, TARGET, "--emit", emit, "--cases", cases, "--verify", "--env", env)
    assert done.status == 0, done.err
    assert "FAILED" not in done.err
    assert b"def total" in done.out
    right, wrong, broken = (tmp_path / f"{name}.py" for name in ("right", "wrong", "broken"))
    right.write_text("def total(self):\n    return self.net + self.net * 20 // 100\n")
    wrong.write_text("def total(self):\n    return self.net\n")
    broken.write_text("def total(self:\n")
    assert run("score", env, right).status == 0
    scored = run("score", env, right, wrong, broken, "--json", "--jobs", "2")
    assert scored.status == 1, scored.err
    found = json.loads(scored.out)
    assert [each["candidate"] for each in found] == [str(p) for p in (right, wrong, broken)]
    assert [each["verdict"] for each in found] == ["passed", "failed", "error"]
    assert [each["cases_passed"] for each in found] == [2, 0, 0]
    assert found[1]["first_difference"]["case"] == "case_1"
    assert found[1]["first_difference"]["expected"] == "120"
    assert found[1]["first_difference"]["observed"] == "100"
    assert {"cases", "seconds"} <= found[0].keys()
    assert [each["reward"] for each in found] == [1.0, 0.0, 0.0]
    alone = run("score", env, right, wrong, "--json", "--no-feedback")
    assert json.loads(alone.out) == [
        {"candidate": str(right), "verdict": "passed", "reward": 1.0},
        {"candidate": str(wrong), "verdict": "failed", "reward": 0.0},
    ]
    assert run("score", env, wrong, "--no-feedback").out.decode() == f"{wrong}: failed\n"


@needs_sandbox
def test_environment_scores_candidates_from_python(env: Path) -> None:
    right, wrong = "return add_tax(self.net)\n", "return self.net\n"
    with open_scorer(env, ScoreOptions(jobs=2)) as scorer:
        found = list(scorer.score_all([Candidate("a", right), Candidate("b", wrong)]))
    assert [(each.candidate, each.verdict) for each in found] == [("a", "passed"), ("b", "failed")]


@needs_sandbox
def test_a_candidate_has_the_seconds_that_are_given(env: Path, tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("def total(self):\n    import time; time.sleep(2); return add_tax(self.net)\n")
    short = run("score", env, slow, "--candidate-seconds", "1")  # of two cases
    assert (short.status, b"timeout, " in short.out) == (1, True)
    assert run("score", env, slow, "--candidate-seconds", "40").status == 0


def test_a_place_that_cannot_be_written_is_told_before_anything_runs(repo: Path) -> None:
    done = run(repo, TARGET, "--verify", "-o", "no/such/out.py")
    assert done.status == 2
    assert [line.split(": ")[1] for line in done.err.splitlines()] == ["error", "hint"]
    assert "does not exist" in done.err


@needs_sandbox
def test_record_has_what_others_read(env: Path) -> None:
    record = json.loads((env / "environment.json").read_text())
    assert record["schema"] == 3
    assert record["target"] == {"path": "shop/orders.py", "qualname": "Order.total"}
    assert [case["name"] for case in record["cases"]] == ["case_small", "case_text"]
    assert (record["repo"], record["commit"], record["licence"]) == ("repo", None, None)
    assert record["metrics"]["branch_coverage"] == 1.0
    assert record["metrics"]["ast_equal"] is True
    assert record["metrics"]["faithful"] == {"compared": 2, "same": 2, "why_not": None}
    assert record["metrics"]["stable_runs"] == 4  # two, one on another day, one of another seed
    prompt = record["prompt"]
    assert prompt["signature"] == "def total(self):"
    assert prompt["docstring"] is None
    assert "        ...\n" in prompt["file_with_hole"]
    assert "add_tax(self.net)" not in prompt["context"] + prompt["file_with_hole"]
    assert "net * RATE" in prompt["context"]
    assert record["tool_version"] == version("slice-func")
    names = "id requirements lock observations compares externals gaps mocks data_files reasons"
    assert set(names.split()) <= record.keys()


@needs_sandbox
def test_same_environment_has_the_same_bytes(
    env: Path, repo: Path, tmp_path: Path, cases: Path
) -> None:
    again = tmp_path / "env"
    assert run(repo, TARGET, "--cases", cases, "--env", again).status == 0
    for file in ("environment.json", "script.py", "observations.json"):
        assert (again / file).read_bytes() == (env / file).read_bytes()


@needs_sandbox
def test_failed_checks_are_status_1(repo: Path, tmp_path: Path) -> None:
    cases = tmp_path / "cases.py"
    cases.write_text("def case():\n    return Order(hash('seed')).total()\n")
    done = run(repo, TARGET, "--cases", cases, "--verify", "--env", tmp_path / "env")
    assert done.status == 1
    left = "while clocks and entropy stand still; case: under another hash seed"
    assert f"FAILED: cases: 0 of 1 observed, {left}" in done.err
    assert not (tmp_path / "env").exists()


@needs_sandbox
def test_script_that_does_not_run_is_status_1(repo: Path) -> None:
    (repo / "shop/tax.py").write_text(
        "import no_such_module\ndef add_tax(net): return no_such_module\n"
    )
    done = run(repo, TARGET, "--verify", "--mock", "none")
    assert done.status == 1
    assert "FAILED: runs alone: ModuleNotFoundError" in done.err


@needs_sandbox
def test_survivors_that_are_not_shown_are_counted(repo: Path, tmp_path: Path) -> None:
    (repo / "shop/tax.py").write_text(
        "def add_tax(net):\n    if net < 0:\n        return (net * 3 + 7) // 5 - 11\n    return 0\n"
    )
    cases = tmp_path / "cases.py"
    cases.write_text("from shop.tax import add_tax\n\ndef case():\n    return add_tax(1)\n")
    done = run(repo, "shop/tax.py::add_tax", "--cases", cases, "--no-install", "--verify")
    assert done.status == 1
    told = r"mutants killed: (\d+) of (\d+); alive: (.*); and (\d+) more \(all: metrics\.mutants"
    seen = re.search(told, done.err)
    assert seen, done.err
    killed, mutants, more = (int(seen[n]) for n in (1, 2, 4))
    assert len(seen[3].split("; ")) + more == mutants - killed


@needs_sandbox
def test_mutants_that_no_case_was_made_for_are_told_and_judged(repo: Path, tmp_path: Path) -> None:
    (repo / "shop/tax.py").write_text(
        "def add_tax(net):\n    if net < 0:\n        return (net * 3 + 7) // 5 - 11\n    return 0\n"
    )
    cases = tmp_path / "cases.py"
    cases.write_text("from shop.tax import add_tax\n\ndef case():\n    return add_tax(1)\n")
    asked = (
        "--cases",
        cases,
        "--no-install",
        "--verify",
        "--min-branches",
        "0",
        "--min-killed",
        "0",
    )
    done = run(repo, "shop/tax.py::add_tax", *asked, "--min-unseen", "0")
    assert re.search(r"ok: unseen mutants killed: \d+ of \d+; alive: ", done.err), done.err
    done = run(repo, "shop/tax.py::add_tax", *asked)
    assert done.status == 1
    assert "FAILED: unseen mutants killed" in done.err


@needs_sandbox
def test_of_few_mutants_all_are_seen(repo: Path, tmp_path: Path) -> None:
    (repo / "shop/tax.py").write_text("def add_tax(net):\n    return net + 1\n")
    cases = tmp_path / "cases.py"
    cases.write_text("from shop.tax import add_tax\n\ndef case():\n    return add_tax(1)\n")
    done = run(repo, "shop/tax.py::add_tax", "--cases", cases, "--no-install", "--verify")
    assert re.search(r"ok: mutants killed: (\d+) of \1\b", done.err), done.err
    assert "unseen" not in done.err


@needs_sandbox
def test_candidate_may_come_from_standard_input(env: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.md"
    answer.write_text("```python\nreturn self.net + self.net * 20 // 100\n```\n")
    with answer.open() as given:
        done = subprocess.run(
            [sys.executable, "-m", "slicefunc.driver.cli.command", "score", env, "-"],
            stdin=given,
            capture_output=True,
            check=False,
        )
    assert (done.returncode, done.stdout) == (0, b"-: passed, 2 of 2 cases\n")


@needs_sandbox
@pytest.mark.parametrize("emit", all_but({"flat"}, ["flat", "modules"]))
def test_a_generator_is_covered_by_what_it_yields(repo: Path, tmp_path: Path, emit: str) -> None:
    (repo / "shop/lazy.py").write_text(
        "from .tax import add_tax\n\n"
        "def prices(nets):\n    for net in nets:\n        if net:\n            yield add_tax(net)\n"
    )
    cases = tmp_path / "cases.py"
    cases.write_text("def case():\n    return prices([0, 100, 50])\n")
    words = ("shop/lazy.py::prices", "--emit", emit, "--cases", cases, "--verify", "--no-install")
    done = run(repo, *words)
    assert done.status == 0, done.err
    assert "branch coverage: 100 % of the target's branches" in done.err


# options


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--env", "x"), "--env needs cases"),
        (("--cases", "x"), "--cases is for --verify and --env"),
        (("--verify", "--min-branches", "50"), "--min-branches is a threshold for cases"),
        (("--verify", "--cases", "x", "--min-branches", "101"), "from 0 to 100"),
        (("shop/tax.py::add_tax", "--verify"), "take one target"),
        (("--verify", "--emit", "package", "-o", "x"), "--test and --env take one script"),
    ],
)
def test_options_that_do_not_fit_are_told(repo: Path, words: tuple[str, ...], message: str) -> None:
    done = run(repo, TARGET, *words)
    assert done.status in {2, 3}
    assert message in done.error


def test_missing_files_are_told(repo: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    assert run(repo, TARGET, "--cases", missing, "--verify").status == 2
    assert "name a folder that --env has written" in run("score", missing, missing).error
    record = tmp_path / "e" / "environment.json"
    record.parent.mkdir()
    record.write_text("{}")
    assert f"name the folder that it is in, {record.parent}" in run("score", record, record).error
    record.unlink()
    os.mkfifo(record)
    assert "no plain file" in run("score", record.parent, missing).error


@needs_sandbox
def test_candidates_that_are_none_cost_the_others_nothing(env: Path, tmp_path: Path) -> None:
    endless, empty, binary = Path("/dev/zero"), tmp_path / "empty", tmp_path / "binary"
    empty.write_text("")
    binary.write_bytes(bytes(range(256)))
    done = run("score", env, endless, empty, binary, "--json")
    assert [each["verdict"] for each in json.loads(done.out)] == ["error"] * 3
    for wrong in (tmp_path, tmp_path / "missing"):
        done = run("score", env, empty, wrong)
        assert (done.status, done.out) == (2, b"")
        assert str(wrong) in done.error


@needs_sandbox
def test_a_pipe_is_a_candidate_where_somebody_writes_to_it(
    env: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("slicefunc.driver.cli.commands.score_files._PIPE_SECONDS", 3.0)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = "def total(self):\n    return self.net + self.net * 20 // 100\n"
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    scores = score_files(str(env), (str(pipe),), ScoreOptions(), print)
    assert [each.verdict for each in scores] == ["passed"]
    writer.join()
    with pytest.raises(TimeoutError, match="nobody writes"):
        list(score_files(str(env), (str(pipe),), ScoreOptions(), print))


# cases


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def case(:\n", ":1: "),
        ("x = 1\n", "no case"),
        ("def case(): f()\nf()\n", ":2: only imports"),
        ("def case(): f()\ndef case(): g()\n", ":1: two cases are called case"),
        (
            "from shop.tax import unknown\ndef case(): Order(1).total()\n",
            ":1: the slice does not hold unknown",
        ),
        ("def case():\n    found = f()\n    assert found == 7\n", ":3: a case says what the call"),
        ("def check(a):\n    assert a == 7\ndef case(): check(f())\n", ":2: a case says"),
        ("def case():\n    return f() == 7\n", ":2: a case says what the call"),
        ("async def case():\n    return await f() == 7\n", ":2: a case says what the call"),
        (
            "from shop.tax import unknown\n"  # which another slice may contain
            "def tree():\n    return Order(1)\ndef case(): return tree().total()\n",
            ":2: tree has no parameters, so it is taken for a case: 0 calls of Order.total, not "
            "one; .* give a helper a parameter, or begin its name with an underscore",
        ),
    ],
)
def test_what_is_no_file_of_cases_is_told(
    repo: Path, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "cases.py"
    file.write_text(text)
    with pytest.raises(CasesError, match=message):
        read_cases(str(file), Repository(repo), _slice(repo))


def test_a_helper_without_parameters_begins_with_an_underscore(repo: Path, tmp_path: Path) -> None:
    file = tmp_path / "cases.py"
    file.write_text("def _one(): return Order(1)\ndef case(): return _one().total()\n")
    (case,) = read_cases(str(file), Repository(repo), _slice(repo))
    assert case.code.startswith("def _one():")


@needs_sandbox
def test_a_wrong_file_of_cases_is_told_before_anything_runs(repo: Path, tmp_path: Path) -> None:
    file = tmp_path / "cases.py"
    file.write_text("def case():\n    return Order(1).total() + Order(2).total()\n")
    done = run(repo, TARGET, "--cases", file, "--test", "--verify")
    assert done.status == 2
    assert done.err.startswith(f"slice-func: error: {file}:1: case has no parameters")
    assert ": 2 calls of Order.total, not one" in done.err


def test_each_case_is_given_what_stands_beside(repo: Path, tmp_path: Path) -> None:
    file = tmp_path / "cases.py"
    file.write_text(
        "import json\nfrom shop.orders import Order as O\nfrom shop.tax import add_tax\n"
        "def make(net): return O(net)\n"
        "async def one():\n    'Gives 7.'\n    return make(1).total()\n"
    )
    (case,) = read_cases(str(file), Repository(repo), _slice(repo))
    assert case.name == "one"
    assert case.code == (
        "import json\nO = Order\ndef make(net):\n    return O(net)\n"
        "async def one():\n    return make(1).total()\n"
    )
    (case,) = read_cases(str(file), Repository(repo), _slice(repo, "modules"))
    assert "from shop.orders import Order as O\n" in case.code


PASSED_ON = "from .orders import Order\nfrom . import tax\n"


@pytest.mark.parametrize(
    ("text", "flat", "modules"),
    [
        (
            "from shop import Order\ndef case(): return Order(1).total()\n",
            "def case():\n    return Order(1).total()\n",
            "from shop.orders import Order\ndef case():\n    return Order(1).total()\n",
        ),
        (
            "import shop\ndef case(): return shop.Order(shop.tax.RATE).total()\n",
            "def case():\n    return Order(RATE).total()\n",
            "import shop\nimport shop.orders\nimport shop.tax\n"
            "def case():\n    return shop.orders.Order(shop.tax.RATE).total()\n",
        ),
        (
            "def case():\n    from shop import tax as t, Order as O\n"
            "    return O(t.RATE).total()\n",
            "def case():\n    O = Order\n    return O(RATE).total()\n",
            "import shop.tax\ndef case():\n    from shop import tax as t\n"
            "    from shop.orders import Order as O\n    return O(shop.tax.RATE).total()\n",
        ),
    ],
)
def test_what_a_package_passes_on_is_taken_from_where_it_is_defined(
    repo: Path, tmp_path: Path, text: str, flat: str, modules: str
) -> None:
    (repo / "shop/__init__.py").write_text(PASSED_ON)
    file = tmp_path / "cases.py"
    file.write_text(text)
    for emit, code in (("script", flat), ("modules", modules)):
        (case,) = read_cases(str(file), Repository(repo), _slice(repo, emit))
        assert case.code == code


@needs_sandbox
@pytest.mark.parametrize("emit", all_but({"flat"}, ["flat", "modules"]))
def test_cases_import_what_a_package_passes_on(repo: Path, tmp_path: Path, emit: str) -> None:
    (repo / "shop/__init__.py").write_text(PASSED_ON)
    cases = tmp_path / "cases.py"
    cases.write_text(
        "import shop\nfrom shop import Order\n"
        "def one(): return Order(shop.tax.RATE).total()\n"
        "def two(): return shop.Order('x').total()\n"
    )
    done = run(repo, TARGET, "--cases", cases, "--verify", "--emit", emit)
    assert done.status == 0, done.err
    assert "ok: cases: 2 of 2 observed" in done.err


@pytest.mark.parametrize("emit", ["script", "modules"])
@pytest.mark.parametrize(
    "text", ["from shop import unrelated\n", "import shop\ndef case(): shop.unrelated()\n"]
)
def test_what_the_slice_does_not_hold_is_told(
    repo: Path, tmp_path: Path, emit: str, text: str
) -> None:
    (repo / "shop/__init__.py").write_text("from .orders import unrelated\n")
    file = tmp_path / "cases.py"
    file.write_text(f"{text}def other(): return Order(1).total()\n")
    with pytest.raises(CasesError, match=r"keep it with --with shop/orders.py::unrelated"):
        read_cases(str(file), Repository(repo), _slice(repo, emit))


# the record


_OBSERVATION = '{"outcome":"returned","value":"\\u00e9"}'


def _environment() -> tuple[Oracle, dict[str, object]]:
    recorded = OracleCase(Case("a", "def a(): return f()\n"), _OBSERVATION)
    oracle = Oracle("def f(): return 'é'\r\n", "a.py", "f", (recorded,), is_isolated=True)
    return oracle, {"compares": "strict", "lock": None}


def test_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    oracle, about = _environment()
    write_environment(tmp_path / "env", environment_of(oracle, about))
    found = read_environment(tmp_path / "env")
    assert found.oracle == oracle
    assert found.compares == "strict"


@needs_sandbox
def test_an_environment_that_is_not_as_good_as_asked_says_so(
    repo: Path, tmp_path: Path, cases: Path
) -> None:
    env = tmp_path / "env"
    (repo / "shop/tax.py").write_text(
        "def add_tax(net):\n    return net + net * 20 // 100 if net else 0\n"
    )
    target = "shop/tax.py::add_tax"
    cases.write_text("from shop.tax import add_tax\ndef case_zero(): return add_tax(0)\n")
    done = run(repo, target, "--cases", cases, "--env", env, "--no-install")
    assert done.status == 1
    assert f"warning: {env} is written, but not accepted: few_" in done.err
    assert json.loads((env / "environment.json").read_bytes())["accepted"] is False
    answer = tmp_path / "answer.py"
    answer.write_text("return 0\n")
    scored = run("score", env, answer)
    assert scored.status == 0
    assert f"warning: {env} is not accepted" in scored.err


def _with_hidden() -> tuple[Oracle, dict[str, object]]:
    oracle, about = _environment()
    more = tuple(OracleCase(Case(n, f"def {n}(): return f()\n"), _OBSERVATION) for n in ("b", "c"))
    return replace(oracle, hidden=more), about


def test_hidden_cases_lie_in_a_file_of_their_own(tmp_path: Path) -> None:
    oracle, about = _with_hidden()
    environment = environment_of(oracle, about)
    write_environment(tmp_path / "env", environment)
    assert read_environment(tmp_path / "env").oracle == oracle
    assert environment.record["hidden"] == "hidden.json"
    hidden = json.loads((tmp_path / "env/hidden.json").read_bytes())
    assert [each["name"] for each in hidden["cases"]] == ["b", "c"]
    assert [each["case"] for each in hidden["observations"]] == ["b", "c"]
    assert "def b" not in json.dumps(environment.record)


def test_an_environment_that_was_written_before_is_told_so(tmp_path: Path) -> None:
    environment = environment_of(*_environment())
    write_environment(tmp_path / "env", environment)
    record = {**environment.record, "schema": 2}
    (tmp_path / "env/environment.json").write_text(json.dumps(record))
    with pytest.raises(EnvironmentRecordError, match=r"of schema 2, .*write the environment anew"):
        read_environment(tmp_path / "env")


@pytest.mark.parametrize("file", ["script.py", "observations.json", "hidden.json"])
def test_changed_environment_is_refused(tmp_path: Path, file: str) -> None:
    write_environment(tmp_path / "env", environment_of(*_with_hidden()))
    place = tmp_path / "env" / file
    place.write_bytes(place.read_bytes().replace(b"f()", b"f( )").replace(b"outcome", b"x") + b" ")
    with pytest.raises(EnvironmentRecordError):
        read_environment(tmp_path / "env")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"schema": 99}', '{"schema": 3}'])
def test_what_is_no_record_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "environment.json").write_text(content)
    with pytest.raises(EnvironmentRecordError, match=r"environment\.json"):
        read_environment(tmp_path)


def test_files_lie_beside_the_record(tmp_path: Path) -> None:
    record = {"schema": 3, "script": "../x", "observations": "o"}
    (tmp_path / "environment.json").write_text(json.dumps(record))
    with pytest.raises(EnvironmentRecordError, match="beside"):
        read_environment(tmp_path)


@needs_sandbox
def test_hidden_cases_are_recorded_measured_and_decide(repo: Path, tmp_path: Path) -> None:
    hidden = [
        Case("negative", "def negative():\n    return Order(-100).total()\n"),
        Case(
            "random",
            "import os\ndef random():\n    return Order(int.from_bytes(os.urandom(4))).total()\n",
        ),
        Case("none", "def none():\n    return Order(None).total()\n"),
    ]
    shown = [Case("hidden_1", "def hidden_1():\n    return Order(0).total()\n")]
    choice = choose()
    sliced = _slice(repo)
    found = verify(repo, sliced, shown, Thresholds(), choice, Profile(), hidden=hidden)
    assert found.oracle is not None
    assert found.passed, found.checks
    assert found.hidden == HiddenCases(3, 2, (("unstable", 1),))
    assert [each.case.name for each in found.oracle.every] == ["hidden_1", "hidden_2", "hidden_4"]
    (cases,) = (check.detail for check in found.checks if check.name == "cases")
    assert cases == "1 of 1 observed, 2 of 3 hidden ones"
    alone = verify(repo, sliced, shown, Thresholds(), choice, Profile())
    assert alone.strength is not None
    assert found.strength is not None
    assert found.strength.killed > alone.strength.killed
    place = current_interpreter(sliced.manifest)
    origin = origin_of(repo)
    environment = environment_record(Repository(repo), origin, sliced, found, place, {})
    assert environment is not None
    told = {"given": 3, "kept": 2, "left_out": {"unstable": 1}}
    assert environment.record["metrics"]["hidden"] == told
    write_environment(tmp_path / "env", environment)
    wrong = tmp_path / "wrong.py"
    wrong.write_text("return add_tax(self.net) if self.net else 0\n")
    for words, count in (((), None), (("--hidden-counts",), 1)):
        scored = run("score", tmp_path / "env", wrong, "--json", *words)
        assert scored.status == 1, scored.err
        (row,) = json.loads(scored.out)
        assert (row["cases_passed"], row["cases"]) == (1, 1)
        assert (row["hidden_passed"], row["hidden"]) == (count, 2)
        assert row["first_difference"] is None


# where a repository comes from


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def test_origin_of_a_clone(repo: Path) -> None:
    _git(repo, "init", "-q")
    _git(
        repo, "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "--allow-empty", "-m", "x"
    )
    _git(repo, "remote", "add", "origin", "https://name:secret@example.org/shop.git")
    (repo / "LICENSE").write_text("\n  MIT License\n\nCopyright\n")
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=repo, text=True).strip()
    found = origin_of(repo)
    assert (found.repo, found.commit) == ("https://example.org/shop.git", commit)
    assert found.licence == "MIT License"
    _git(repo, "pack-refs", "--all")
    assert origin_of(repo).commit == commit
    _git(repo, "worktree", "add", "-q", "--detach", "../beside")
    assert origin_of(repo.parent / "beside").commit == commit


# which executor


@needs_sandbox
def test_executor_is_chosen_and_told(repo: Path, tmp_path: Path, cases: Path) -> None:
    env = tmp_path / "env"
    done = run(repo, TARGET, "--cases", cases, "--env", env, "--executor", "plain")
    assert done.status == 0, done.err
    assert "executor plain: " in done.err
    answer = tmp_path / "answer.py"
    answer.write_text("return self.net + self.net * 20 // 100\n")
    scored = run("score", env, answer)
    assert scored.status == 0
    assert "executor embedded: " in scored.err or "executor docker: " in scored.err
    assert "protections in force" in scored.err
    nowhere = {**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/no.sock"}
    refused = run("score", env, answer, "--executor", "docker", env=nowhere)
    assert refused.status == 4
    assert refused.error.startswith("no executor works here: docker: ")


def test_executor_is_for_what_runs_something(repo: Path) -> None:
    done = run(repo, TARGET, "--executor", "plain")
    assert (done.status, done.error) == (
        2, "--executor is for --verify, --test and --env; leave it out",
    )  # fmt: skip


# clocks and entropy


@needs_sandbox
def test_clocks_and_entropy_stand_still_where_cases_need_it(repo: Path, tmp_path: Path) -> None:
    (repo / "clock.py").write_text(
        "import time, uuid\nfrom datetime import datetime\n\n"
        "def stamp():\n    return datetime.now(), time.time(), str(uuid.uuid4())\n"
    )
    cases, env = tmp_path / "cases.py", tmp_path / "env"
    cases.write_text("def case():\n    return stamp()\n")
    done = run(repo, "clock.py::stamp", "--cases", cases, "--verify", "--env", env)
    assert done.status == 0, done.err
    assert "1 of 1 observed, while clocks and entropy stand still" in done.err
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    body = "now = datetime.now()\nreturn now, now.timestamp(), str(uuid.uuid4())\n"
    right.write_text(body)
    wrong.write_text(body.replace("uuid4", "uuid1"))
    scored = run("score", env, right, wrong)
    assert scored.out.decode().splitlines()[0] == f"{right}: passed, 1 of 1 cases"
    assert scored.out.decode().splitlines()[1].startswith(f"{wrong}: failed")


LICENCES = {
    "license.txt": ("# MIT License\n", "MIT License"),
    "License.md": ("\n  # Apache License\n", "Apache License"),
    "UNLICENSE": ("This is free\n", "This is free"),
    "license.py": ("import sys\n", None),
    "LICENSES": ("MIT\n", None),
    "pyproject.toml": ('[project]\nlicense = "BSD-3-Clause"\n', "BSD-3-Clause"),
}


@pytest.mark.parametrize("name", LICENCES)
def test_a_licence_is_found_by_its_file_or_in_the_metadata(tmp_path: Path, name: str) -> None:
    text, expected = LICENCES[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert origin_of(tmp_path).licence == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[project]\nlicense = {text = "MIT"}\n', "MIT"),
        ('[project]\nlicense = {file = "L"}\n', None),
        ("[project\n", None),
    ],
)
def test_metadata_may_say_no_licence(tmp_path: Path, text: str, expected: str | None) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert origin_of(tmp_path).licence == expected
