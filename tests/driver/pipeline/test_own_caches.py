"""What a target keeps for itself decides nothing; what it keeps for the next call does."""

from __future__ import annotations

import json
from pathlib import Path

from tests.driver.conftest import run
from tests.driver.record.test_environment import needs_sandbox

CACHED = """\
_known = {}


def spelled(number):
    if number in _known:
        return _known[number]
    text = "x" * number
    _known[number] = text
    return text
"""
BALANCE = """\
class Account:
    def __init__(self, balance):
        self.balance = balance
        self.log = []

    def withdraw(self, amount):
        if sum(self.log) + amount > self.balance:
            return False
        self.log.append(amount)
        return True
"""


def _verdicts(repo: Path, target: str, cases: str, *candidates: str) -> list[str]:
    """What becomes of candidates in an environment of cases by hand."""
    folder = repo.parent
    (folder / "cases.py").write_text(cases)
    env = folder / "env"
    given = ("--cases", folder / "cases.py", "--verify", "--env", env, "--no-install")
    done = run(repo, target, *given, "--min-killed", "0", "--min-branches", "0")
    assert env.exists(), done.err
    files = [folder / f"candidate_{number}.py" for number in range(len(candidates))]
    for file, text in zip(files, candidates, strict=True):
        file.write_text(text)
    scored = run("score", env, *files, "--json")
    return [each["verdict"] for each in json.loads(scored.out)]


@needs_sandbox
def test_a_candidate_may_do_without_the_cache(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "a.py").write_text(CACHED)
    assert _verdicts(
        repo,
        "a.py::spelled",
        "def case():\n    return spelled(3)\n\ndef case_again():\n    spelled(2)\n"
        "    return spelled(2)\n",
        'def spelled(number):\n    return "x" * number\n',
        '_other = {}\ndef spelled(number):\n    return _other.setdefault(number, "x" * number)\n',
        'def spelled(number):\n    return _known.setdefault(0, "x" * number)\n',
        'def spelled(number):\n    return _known.setdefault(1, "y" * number)\n',
    ) == ["passed", "passed", "passed", "failed"]


@needs_sandbox
def test_calls_before_the_last_one_set_up_what_it_finds(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "a.py").write_text(BALANCE)
    assert _verdicts(
        repo,
        "a.py::Account.withdraw",
        "def case():\n    account = Account(9)\n    account.withdraw(5)\n    account.withdraw(3)\n"
        "    return account.withdraw(2)\n",
        "def withdraw(self, amount):\n    if sum([*self.log, amount]) > self.balance:\n"
        "        return False\n    self.log += [amount]\n    return True\n",
        "def withdraw(self, amount):\n    self.log += [amount]\n"
        "    return amount <= self.balance\n",
    ) == ["passed", "failed"]
