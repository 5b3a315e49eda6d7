"""Real environments, built by the real installer from a folder of tiny wheels."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.execution.environments import (
    Cache,
    InstallError,
    Policy,
    ProvidedEnvironment,
    find_python,
    provide,
    provide_merged,
    read_lock,
    resolve,
    resolve_versions,
    run_with_repairs,
)
from slicefunc.verifier.execution.environments.installer.pythons import allows
from slicefunc.verifier.execution.environments.installer.uv_process import InstallerRun, find_uv

from tests.verifier.execution.environments.wheels import Wheel, index

WHEELS = (
    Wheel("tiny-one", "1.0", requires=("tiny-two>=1",)),
    Wheel("tiny-two", "1.0"),
    Wheel("tiny-two", "2.0"),
    Wheel("tiny-elsewhere", tag="cp27-cp27m-win32"),
    Wheel("tiny-broken", requires=("no-such-distribution",)),
    Wheel("tiny-lazy", code="def f():\n    import tiny_one\n    return tiny_one.VERSION\n"),
    Wheel("tiny-choosy", code="raise ImportError(\"Missing optional dependency 'tiny-two'\")\n"),
    Wheel("tiny-startup", code="STARTED = True\n"),
)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    place = index(tmp_path_factory.mktemp("index") / "wheels", *WHEELS)
    (place / "tiny-source-1.0.tar.gz").write_bytes(b"")
    return Policy(find_links=(str(place),), no_index=True)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def run(made: ProvidedEnvironment, code: str) -> subprocess.CompletedProcess[str]:
    command = [made.environment.python, "-I", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_requirements_become_an_environment(cache: Cache, policy: Policy) -> None:
    made = provide(["tiny-one", "Tiny_Two<2"], cache, policy)
    assert made.problems == ()
    assert [f"{p.name}=={p.version}" for p in made.environment.lock.packages] == [
        "tiny-one==1.0",
        "tiny-two==1.0",
    ]
    assert all(p.hashes for p in made.environment.lock.packages)
    done = run(made, "import tiny_one, tiny_two; print(tiny_one.VERSION, tiny_two.VERSION)")
    assert done.stdout == "1.0 1.0\n", done.stderr
    stored = (made.environment.folder / "slice-func-lock.txt").read_text()
    assert read_lock(stored) == made.environment.lock
    assert list(made.environment.site_packages.glob("__pycache__/tiny_one.*.pyc"))


def test_scripts_with_the_same_lock_share_one_environment(cache: Cache, policy: Policy) -> None:
    one = provide(["tiny-two==2.0"], cache, policy).environment
    before = one.folder.stat().st_ino
    other = provide(["tiny_two"], cache, replace(policy, find_links=policy.find_links)).environment
    assert other.folder == one.folder
    assert other.folder.stat().st_ino == before


def test_a_script_that_needs_nothing_has_an_environment_too(cache: Cache, policy: Policy) -> None:
    made = provide([], cache, policy)
    assert made.environment.lock.packages == ()
    assert run(made, "print(1)").stdout == "1\n"


@pytest.mark.parametrize("damage", ["gone", "short", "no interpreter"])
def test_a_damaged_environment_is_built_anew(cache: Cache, policy: Policy, damage: str) -> None:
    made = provide(["tiny-two==2.0"], cache, policy)
    (module,) = made.environment.site_packages.glob("tiny_two.py")
    if damage == "short":
        module.write_text("")  # the same file in the cache of the installer
    else:
        (module if damage == "gone" else made.environment.python).unlink()
    again = replace(made, environment=cache.get(made.environment.lock, policy))
    assert run(again, "import tiny_two; print(tiny_two.VERSION)").stdout == "2.0\n"
    before = again.environment.folder.stat().st_ino
    assert cache.get(made.environment.lock, policy).folder.stat().st_ino == before


@pytest.mark.parametrize(
    ("requirement", "code"),
    [
        ("no-such-distribution", "distribution-not-found"),
        ("tiny-broken", "distribution-not-found"),
        ("tiny-elsewhere", "no-wheel-here"),
        ("tiny-source", "needs-compilation"),
        ("tiny @ git+https://example.org/tiny.git", "direct-reference"),
        ("-r other.txt", "invalid-requirement"),
    ],
)
def test_what_cannot_be_installed_costs_only_itself(
    cache: Cache, policy: Policy, requirement: str, code: str
) -> None:
    made = provide(["tiny-two", requirement], cache, policy)
    (problem,) = made.problems
    assert (problem.code, problem.requirement, problem.is_relaxed) == (code, requirement, False)
    assert made.not_installable == (problem.distribution,)
    assert made.environment.lock.version("tiny-two") == "2.0"


def test_a_version_that_does_not_exist_is_relaxed(cache: Cache, policy: Policy) -> None:
    made = provide(["tiny-two==9", "tiny-one==1.0"], cache, policy)
    (problem,) = made.problems
    assert (problem.code, problem.requirement, problem.is_relaxed) == (
        "no-such-version", "tiny-two==9", True)  # fmt: skip
    assert made.not_installable == ()
    assert made.environment.lock.version("tiny-two") == "2.0"


@pytest.mark.parametrize("text", ["tiny-two>=1.*", "tiny-two ; python_version > 3"])
def test_a_requirement_that_no_tool_reads_is_relaxed(
    cache: Cache, policy: Policy, text: str
) -> None:
    made = provide([text, "tiny-one==1.0"], cache, policy)
    (problem,) = made.problems
    assert (problem.code, problem.distribution, problem.is_relaxed) == (
        "invalid-requirement", "tiny-two", True)  # fmt: skip
    assert made.environment.lock.version("tiny-two") == "2.0"


def test_an_address_that_does_not_build_is_not_taken_from_the_index(
    cache: Cache, policy: Policy, tmp_path: Path
) -> None:
    building = replace(policy, builds_sources=True)
    made = provide([f"tiny-two @ file://{tmp_path}/nowhere", "tiny-lazy"], cache, building)
    assert made.not_installable == ("tiny-two",)
    assert [p.name for p in made.environment.lock.packages] == ["tiny-lazy"]


def test_several_bad_requirements_are_all_found(cache: Cache, policy: Policy) -> None:
    made = provide(["no-such-a==1", "no-such-b", "tiny-elsewhere", "tiny-one"], cache, policy)
    assert set(made.not_installable) == {"no-such-a", "no-such-b", "tiny-elsewhere"}
    assert made.environment.lock.version("tiny-one") == "1.0"


def test_what_does_not_exist_leaves_the_versions_of_others_as_they_are_fixed(
    cache: Cache, policy: Policy
) -> None:
    fixed = replace(policy, constraints=("tiny-two==1.0",))
    made = provide(["no-such-a==1", "no-such-b", "tiny-one"], cache, fixed)
    assert set(made.not_installable) == {"no-such-a", "no-such-b"}
    assert made.environment.lock.version("tiny-two") == "1.0"
    assert made.notes == ()


def test_locks_that_agree_share_one_environment(cache: Cache, policy: Policy) -> None:
    asked = (["tiny-one"], ["tiny-lazy"], ["tiny-two==1.0"])
    locks = [resolve(wanted, cache.folder, policy).lock for wanted in asked]
    merged, environments = provide_merged(locks, cache, policy)
    assert merged.summary() == "2 environments serve 3 scripts"
    names = [{p.name for p in made.lock.packages} for made in environments]
    assert names == [{"tiny-one", "tiny-two", "tiny-lazy"}, {"tiny-two"}]


def _build(folder: Path, policy: Policy) -> str:
    made = provide(["tiny-one"], Cache(folder), policy).environment
    return f"{made.folder} {(made.site_packages / 'tiny_one.py').stat().st_ino}"


def test_processes_that_want_the_same_at_once_build_it_once(cache: Cache, policy: Policy) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        places = pool.starmap(_build, [(cache.folder, policy)] * 3)
    assert len(set(places)) == 1
    left = [p.name for p in cache.folder.iterdir() if p.name.endswith(".part")]
    assert left == []


class _Index(SimpleHTTPRequestHandler):
    """An index whose pages have to be asked for each time."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=0, must-revalidate")
        super().end_headers()


def test_what_was_downloaded_is_installed_without_the_index(cache: Cache, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    for wheel in (Wheel("tiny-one", requires=("tiny-two",)), Wheel("tiny-two")):
        page = pages / wheel.name
        page.mkdir(parents=True)
        name = wheel.write(page).name
        (page / "index.html").write_text(f'<a href="{name}">{name}</a>')
    handler = partial(_Index, directory=pages)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        policy = Policy(index=f"http://127.0.0.1:{server.server_port}")
        both = resolve(["tiny-one"], cache.folder, policy).lock
        one = resolve(["tiny-two"], cache.folder, policy).lock
        cache.get(both, policy)
        server.shutdown()
    made = cache.get(one, policy)
    assert (made.site_packages / "tiny_two.py").is_file()


def test_a_build_that_was_killed_is_begun_anew(cache: Cache, policy: Policy) -> None:
    lock = resolve(["tiny-two"], cache.folder, policy).lock
    for name in (f".{lock.digest}.part", lock.digest):  # the draft, and a folder without a lock
        (cache.folder / name / "lib").mkdir(parents=True)
    assert cache.find(lock) is None
    made = cache.get(lock, policy)
    assert made.python.is_file()
    assert not (cache.folder / f".{lock.digest}.part").exists()


def test_nothing_of_an_environment_runs_while_it_is_built(
    cache: Cache, tmp_path: Path, policy: Policy
) -> None:
    trace = tmp_path / "ran"
    wheel = Wheel("tiny-pth", code=f"open({str(trace)!r}, 'w')\n").write(tmp_path)
    import zipfile

    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("tiny.pth", f"import pathlib; pathlib.Path({str(trace)!r}).touch()\n")
        archive.writestr("tiny_pth-1.0.dist-info/more", "")
    places = replace(policy, find_links=(*policy.find_links, str(tmp_path)))
    made = provide(["tiny-pth"], cache, places)
    assert made.problems == ()
    assert (made.environment.site_packages / "tiny.pth").is_file()
    assert not trace.exists()
    run(made, "")
    assert trace.exists(), "the trap works"


def test_an_index_that_does_not_answer_is_no_fault_of_a_package(cache: Cache) -> None:
    nobody = Policy(index="http://127.0.0.1:9/simple", seconds=60)
    with pytest.raises(InstallError, match="cannot be reached"):
        resolve(["tiny-one"], cache.folder, nobody)


def test_an_index_without_dates_is_noticed(cache: Cache, tmp_path: Path) -> None:
    page = tmp_path / "simple" / "tiny-two"
    page.mkdir(parents=True)
    wheel = Wheel("tiny-two").write(page)
    (page / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>')
    policy = Policy(index=f"file://{tmp_path}/simple", exclude_newer="2020-01-01T00:00:00Z")
    found = resolve(["tiny-two"], cache.folder, policy)
    assert found.lock.version("tiny-two") == "1.0"
    assert found.lock.exclude_newer == ""
    (note,) = found.notes
    assert "no upload dates" in note


def test_code_older_than_its_python_gets_versions_of_a_time_with_wheels(
    monkeypatch: pytest.MonkeyPatch, cache: Cache, policy: Policy
) -> None:
    asked: list[str] = []

    def compiled(_wanted: object, _cache: object, bound: Policy) -> InstallerRun:
        asked.append(bound.exclude_newer)
        is_early = bound.exclude_newer < "2021"
        said = "No solution found: Because tiny-one has no usable wheels and you require tiny-one"
        return InstallerRun(1, "", said) if is_early else InstallerRun(0, "tiny-one==1.0\n", "")

    monkeypatch.setattr(resolve_versions, "_compile", compiled)
    early = replace(policy, exclude_newer="2020-01-01T00:00:00Z")
    found = resolve(["tiny-one"], cache.folder, early)
    assert asked == ["2020-01-01T00:00:00Z", found.lock.exclude_newer]
    assert found.lock.exclude_newer > "2021"
    assert found.not_installable == ()
    (note,) = found.notes
    assert note.startswith("no wheels for Python 3.")
    assert found.lock.exclude_newer in note


def test_without_the_installer_the_message_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, cache: Cache
) -> None:
    monkeypatch.setattr("sysconfig.get_path", str)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if not p.endswith("site-packages")])
    monkeypatch.setenv("PATH", "/nowhere")
    find_uv.cache_clear()
    with pytest.raises(InstallError, match="pip install uv"):
        resolve(["tiny-one"], cache.folder, Policy())
    find_uv.cache_clear()


def test_a_python_is_found_that_the_repository_allows(cache: Cache) -> None:
    here = Path(sys.executable)
    assert find_python("", cache.folder) == here
    assert find_python(f">={sys.version_info[0]}.{sys.version_info[1]}", cache.folder) == here
    assert find_python(">=4.7", cache.folder) is None


def test_pythons_of_pyenv_are_found(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("4.10.2", "4.8.1", "4.6.0", "pypy4.9-7.3", "4.7.9"):
        place = tmp_path / "versions" / version / "bin"
        place.mkdir(parents=True)
        if version != "4.7.9":  # an installation that was not finished
            (place / "python").symlink_to(sys.executable)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert find_python(">=4.7", cache.folder) == tmp_path / "versions/4.8.1/bin/python"
    assert find_python(">=4.9", cache.folder) == tmp_path / "versions/4.10.2/bin/python"
    assert find_python(">=4.11", cache.folder) is None


@pytest.mark.parametrize(
    ("specifier", "yes", "no"),
    [
        (">=3.9,<3.12", "3.11", "3.12"),
        (">=3.9,<3.12", "3.9", "3.8"),
        ("<=3.11", "3.11", "3.12"),
        ("<3.11.4", "3.11", "3.12"),
        ("~=3.10", "3.12", "3.9"),
        ("~=3.10.2", "3.10", "3.11"),
        ("==3.11.*", "3.11", "3.12"),
        ("==3.11.4", "3.11", "3.10"),
        (">=3.8,!=3.9.*", "3.8", "3.9"),
        (">=3.8,!=3.9.1", "3.9", "3.7"),
        (">=3", "3.11", "2.7"),
        ("<4", "3.11", "4.0"),
    ],
)
def test_what_a_specifier_allows(specifier: str, yes: str, no: str) -> None:
    assert allows(specifier, yes)
    assert not allows(specifier, no)


def test_a_script_with_a_header_runs_by_itself(tmp_path: Path, policy: Policy) -> None:
    (tmp_path / "requirements.txt").write_text("tiny-two==1.0\n")
    (tmp_path / "mod.py").write_text(
        '"""Doc."""\nfrom __future__ import annotations\nimport tiny_two\n'
        "def version(a: no_such = 1):\n    return tiny_two.VERSION, __doc__\n"
    )
    made = slice_function(Repository(tmp_path), "mod.py::version")
    script = tmp_path / "script.py"
    script.write_text(made.source + "print(*version())\n")
    found = ("--no-index", "--find-links", policy.find_links[0], "--python", sys.executable)
    done = subprocess.run(
        [find_uv(), "run", "--no-config", *found, script], capture_output=True, text=True,
        check=False, env={**os.environ, "UV_CACHE_DIR": str(tmp_path / "uv")},
    )  # fmt: skip
    assert done.stdout == "1.0 Doc.\n", done.stderr


# ------------------------------------------------------------------------ repair


def _repaired(cache: Cache, policy: Policy, code: str, *wanted: str) -> tuple[list[str], int, int]:
    runs: list[str] = []

    def once(made: ProvidedEnvironment) -> subprocess.CompletedProcess[str]:
        runs.append(made.environment.lock.digest)
        return run(made, code)

    def error(done: subprocess.CompletedProcess[str]) -> str:
        return done.stderr if done.returncode else ""

    found = run_with_repairs(
        wanted, once, error, lambda name: name.replace("_", "-"), cache=cache, policy=policy
    )
    return [a.requirement for a in found.additions], found.result.returncode, len(runs)


def test_missing_distributions_are_added_one_after_the_other(cache: Cache, policy: Policy) -> None:
    code = "import tiny_lazy\ntiny_lazy.f()"
    assert _repaired(cache, policy, code) == (["tiny-lazy", "tiny-one"], 0, 3)


def test_an_optional_dependency_is_added_once(cache: Cache, policy: Policy) -> None:
    found = _repaired(cache, policy, "import tiny_choosy", "tiny-choosy")
    assert found == (["tiny-two"], 1, 2)


def test_at_most_three_distributions_are_added(cache: Cache, policy: Policy) -> None:
    names = ("tiny_two", "tiny_one", "tiny_lazy", "tiny_startup")
    code = "\n".join(f"import {name}" for name in names)
    added, status, runs = _repaired(cache, policy, code)
    assert (added, status, runs) == (["tiny-two", "tiny-one", "tiny-lazy"], 1, 4)


def test_what_no_index_has_is_not_asked_for_again(cache: Cache, policy: Policy) -> None:
    assert _repaired(cache, policy, "import no_such_thing") == (["no-such-thing"], 1, 1)
    again = _repaired(cache, policy, "import no_such_thing", "no-such-thing")
    assert again == ([], 1, 1)


def test_a_run_that_succeeds_needs_no_repair(cache: Cache, policy: Policy) -> None:
    assert _repaired(cache, policy, "print(1)") == ([], 0, 1)
