"""What a slice imports is installed to verify it, and again to score candidates."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from slicefunc.driver.places.commit_time import commit_time
from slicefunc.driver.places.repository_origin import origin_of

from tests.driver.conftest import Finished, empty_cache, run
from tests.driver.record.test_environment import needs_sandbox
from tests.verifier.execution.environments.wheels import Wheel, index

MODULE = """\
import tiny_one


def version():
    return tiny_one.VERSION


def lazily():
    import tiny_one
    return tiny_one.two()
"""
CASES = "def case():\n    return version()\n"
TWO = "def two():\n    import tiny_two\n    return tiny_two.VERSION\n"
WHEELS = (
    Wheel("tiny-one", "1.0", "VERSION = '1.0'\n", requires=("tiny-two",)),
    Wheel("tiny-one", "2.0", f"VERSION = '2.0'\n{TWO}", requires=("tiny-two",)),
    Wheel("tiny-two", "1.0", "VERSION = '1.0'\n"),
    Wheel("tiny-two", "2.0", "VERSION = '2.0'\n"),
    Wheel("tiny-lazy", "1.0", "def needs():\n    import tiny_three\n    return 3\n"),
    Wheel("tiny-three", "1.0"),
    Wheel("tiny-bound", "1.0", "import ctypes\nctypes.CDLL('libnot-here.so.4')\n"),
)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with one module that imports a distribution."""
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "code.py").write_text(MODULE)
    (tmp_path / "cases.py").write_text(CASES)
    index(tmp_path / "wheels", *WHEELS)
    (tmp_path / "no-index").mkdir()
    return folder


def _run(repo: Path, *words: str | Path) -> Finished:
    place = repo.parent
    settings = {
        "SLICE_FUNC_CACHE": str(empty_cache(place / "cache")),
        "UV_FIND_LINKS": str(place / "wheels"),
        "UV_DEFAULT_INDEX": (place / "no-index").as_uri(),
    }
    return run(*words, env={**os.environ, **settings})


def _verify(repo: Path, target: str, *words: str | Path) -> Finished:
    return _run(repo, repo, f"code.py::{target}", "--verify", *words)


def _record(folder: Path) -> dict[str, object]:
    record: dict[str, object] = json.loads((folder / "environment.json").read_text())
    return record


@needs_sandbox
def test_what_a_slice_imports_is_installed_and_locked(repo: Path, tmp_path: Path) -> None:
    env = tmp_path / "env"
    done = _verify(repo, "version", "--cases", tmp_path / "cases.py", "--env", env)
    assert done.status == 0, done.err
    assert _record(env)["requirements"] == ["tiny_one"]
    assert _record(env)["lock"] == "requirements.lock"
    assert "tiny-one==2.0" in (env / "requirements.lock").read_text()
    answer = tmp_path / "answer.py"
    answer.write_text("def version():\n    return tiny_one.VERSION\n")
    scored = _run(repo, "score", env, answer)
    assert scored.status == 0, scored.err + scored.out.decode()


@needs_sandbox
def test_environment_is_installed_again_where_it_is_scored(repo: Path, tmp_path: Path) -> None:
    env = tmp_path / "env"
    done = _verify(repo, "version", "--cases", tmp_path / "cases.py", "--env", env)
    assert done.status == 0, done.err
    (tmp_path / "cache").rename(tmp_path / "elsewhere")
    answer = tmp_path / "answer.py"
    answer.write_text("def version():\n    return '1.0'\n")
    scored = _run(repo, "score", env, answer)
    assert scored.status == 1
    assert b"failed, 0 of 1 cases" in scored.out
    assert list((tmp_path / "cache/environments").glob("*/bin/python"))


@needs_sandbox
@pytest.mark.nightly
def test_versions_that_the_repository_fixes_count(repo: Path) -> None:
    (repo / "requirements.txt").write_text("tiny-one==2.0\ntiny-two==1.0\n")
    env = repo.parent / "env"
    cases = repo.parent / "cases.py"
    cases.write_text("def case():\n    return lazily()\n")
    done = _verify(repo, "lazily", "--cases", cases, "--env", env)
    assert done.status == 0, done.err
    assert "tiny-two==1.0" in (env / "requirements.lock").read_text()
    assert "'1.0'" in (env / "observations.json").read_text().replace('"', "'")


@needs_sandbox
def test_versions_that_cannot_be_had_give_way(repo: Path) -> None:
    (repo / "requirements.txt").write_text("tiny-one==2.0\ntiny-two==0.1\n")
    done = _verify(repo, "version")
    assert done.status == 0, done.err
    assert "versions that the repository fixes and that cannot be had: tiny-two==0.1" in done.err


@needs_sandbox
@pytest.mark.nightly
def test_distribution_that_does_not_exist_is_a_reason(repo: Path) -> None:
    (repo / "code.py").write_text("import no_such\n\ndef f():\n    return no_such.x\n")
    done = _verify(repo, "f", "--mock", "none")
    assert done.status == 1
    assert "no_such: not installed: distribution-not-found" in done.err
    assert "FAILED: runs alone: ModuleNotFoundError: No module named 'no_such'" in done.err


@needs_sandbox
def test_distribution_that_does_not_exist_is_stubbed(repo: Path) -> None:
    text = (
        "import no_such\nimport tiny_one\n\n"
        "def f():\n    return f'{no_such.x()} {tiny_one.VERSION}'\n"
    )
    (repo / "code.py").write_text(text)
    cases, env = repo.parent / "cases.py", repo.parent / "env"
    cases.write_text("def case():\n    return f()\n")
    done = _verify(repo, "f", "--cases", cases, "--env", env)
    assert done.status == 0, done.err
    assert "stubbed, as it cannot be had: no_such" in done.err
    assert _record(env)["requirements"] == ["tiny_one"]
    assert "no_such.x() 2.0" in (env / "observations.json").read_text()


@needs_sandbox
def test_distribution_whose_system_library_is_missing_is_stubbed(repo: Path) -> None:
    text = (
        "import tiny_one\nfrom tiny_bound import x\n\n"
        "def f():\n    return f'{x()} {tiny_one.VERSION}'\n"
    )
    (repo / "code.py").write_text(text)
    cases, env = repo.parent / "cases.py", repo.parent / "env"
    cases.write_text("def case():\n    return f()\n")
    done = _verify(repo, "f", "--cases", cases, "--env", env)
    assert done.status == 0, done.err
    assert "stubbed, as it cannot be had: tiny_bound" in done.err
    assert "tiny_bound.x() 2.0" in (env / "observations.json").read_text()


@needs_sandbox
def test_module_that_a_case_misses_is_added(repo: Path) -> None:
    (repo / "code.py").write_text("import tiny_lazy\n\ndef f():\n    return tiny_lazy.needs()\n")
    cases, env = repo.parent / "cases.py", repo.parent / "env"
    cases.write_text("def case():\n    return [f()]\n")
    done = _verify(repo, "f", "--cases", cases, "--env", env)
    assert done.status == 0, done.err
    assert "added tiny_three: ModuleNotFoundError: No module named 'tiny_three'" in done.err
    assert _record(env)["requirements"] == ["tiny_lazy", "tiny_three"]


@needs_sandbox
def test_nothing_is_installed_when_told_so(repo: Path) -> None:
    done = _verify(repo, "version", "--no-install")
    assert done.status == 1
    assert "FAILED: runs alone: ModuleNotFoundError: No module named 'tiny_one'" in done.err
    assert not (repo.parent / "cache/environments").exists()


def test_no_install_needs_something_that_installs(repo: Path) -> None:
    done = _run(repo, repo, "code.py::version", "--no-install")
    assert (done.status, done.error) == (2, "--no-install is for --verify and --env; leave it out")


@needs_sandbox
def test_environment_for_another_python_is_refused(repo: Path, tmp_path: Path) -> None:
    env = tmp_path / "env"
    done = _verify(repo, "version", "--cases", tmp_path / "cases.py", "--env", env)
    assert done.status == 0, done.err
    from slicefunc.driver.record.environment_files import (
        environment_of,
        read_environment,
        write_environment,
    )

    found = read_environment(env)
    lock = found.files["requirements.lock"].replace("# python 3.", "# python 3.9")
    write_environment(tmp_path / "other", environment_of(found.oracle, found.record, lock))
    scored = _run(repo, "score", tmp_path / "other", tmp_path / "cases.py")
    assert scored.status == 4
    assert "the environment needs Python 3.9" in scored.error


# when a commit was made


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_time_of_a_commit(repo: Path, form: str) -> None:
    _commit(repo, form)
    assert origin_of(repo).time == "2024-02-03T02:05:06Z"
    _git(repo, "gc", "-q")
    assert origin_of(repo).time == "2024-02-03T02:05:06Z"
    _git(repo, "worktree", "add", "-q", "--detach", "../beside")
    assert origin_of(repo.parent / "beside").time == "2024-02-03T02:05:06Z"


def test_time_of_a_commit_that_is_not_there(repo: Path) -> None:
    _commit(repo, "sha1")
    assert commit_time(repo / ".git", "0" * 40) is None
    assert commit_time(repo / "no such folder", "0" * 40) is None


def test_repository_cannot_have_its_programs_started(repo: Path, tmp_path: Path) -> None:
    """The commit is missing, so that git would fetch it from the address, which is a program."""
    _commit(repo, "sha1")
    mark = tmp_path / "started"
    for name, value in {
        "core.fsmonitor": f"touch {mark}",
        "core.pager": f"touch {mark}",
        "remote.origin.url": f"ext::sh -c touch% {mark}",
        "remote.origin.promisor": "true",
        "protocol.ext.allow": "always",
        "extensions.partialClone": "origin",
        "core.repositoryFormatVersion": "1",
    }.items():
        _git(repo, "config", name, value)
    (repo / ".git/HEAD").write_text("1" * 40 + "\n")
    assert origin_of(repo).time is None
    assert not mark.exists()
    subprocess.run(["git", "cat-file", "commit", "1" * 40], cwd=repo, check=False)
    assert mark.exists(), "the trap does not work, so the test shows nothing"


def _commit(repo: Path, form: str) -> None:
    _git(repo, "init", "-q", f"--object-format={form}")
    who = ("-c", "user.name=a", "-c", "user.email=b")
    date = {"GIT_COMMITTER_DATE": "2024-02-03T04:05:06+0200"}
    words = ("commit", "-q", "--allow-empty", "-m", "committer x <y> 1 +0000")
    _git(repo, *who, *words, **date)


def _git(folder: Path, *words: str, **settings: str) -> None:
    command = ["git", *words]
    subprocess.run(
        command, cwd=folder, check=True, capture_output=True, env={**os.environ, **settings}
    )


@needs_sandbox
def test_without_a_network_there_is_advice(repo: Path) -> None:
    settings = {"SLICE_FUNC_CACHE": str(repo.parent / "cache"), "UV_OFFLINE": "1"}
    done = run(repo, "code.py::version", "--verify", env={**os.environ, **settings})
    assert done.status == 4
    assert done.error.startswith("the package index cannot be reached: ")
    assert done.error.endswith("; --no-install takes the interpreter at hand")


# in the repository itself


@needs_sandbox
def test_what_the_module_imports_beyond_the_slice_is_installed(
    repo: Path,
    tmp_path: Path,
) -> None:
    (repo / "code.py").write_text(
        "import tiny_one\nimport tiny_three\n\n\ndef version():\n    return tiny_one.VERSION\n"
    )
    env = tmp_path / "env"
    done = _verify(repo, "version", "--cases", tmp_path / "cases.py", "--env", env)
    assert done.status == 0, done.err
    assert "faithful: 1 case, as in the repository" in done.err
    record = _record(env)
    assert record["requirements"] == ["tiny_one"]
    assert record["metrics"]["faithful"] == {"compared": 1, "same": 1, "why_not": None}  # type: ignore[index]


@needs_sandbox
def test_what_cannot_be_installed_is_told(repo: Path, tmp_path: Path) -> None:
    (repo / "code.py").write_text("import tiny_nine\n\n\ndef version():\n    return 1\n")
    done = _verify(repo, "version", "--cases", tmp_path / "cases.py")
    assert done.status == 0, done.err
    assert "skipped: faithful: not comparable: missing_module: " in done.err
    assert "No module named 'tiny_nine'" in done.err
