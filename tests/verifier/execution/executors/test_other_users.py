"""The sandbox works for root, who becomes somebody else, and for ordinary users."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from slicefunc.verifier.errors import SandboxError
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import Job, Profile

ROOT = Path(__file__).resolve().parents[4]
SYSTEM_PYTHON = Path("/usr/bin/python3.11")
NOBODY = 65534

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")

SESSION = """
    import json, sys
    from pathlib import Path
    from slicefunc.verifier.execution.executors.choose_executor import ORDER
    from slicefunc.verifier.execution.executors.interface import Job, Limits, Profile
    shown = {}
    for name, make, _ in ORDER:
        if name == "docker":  # its daemon is root's
            continue
        executor = make()
        executor.start(Profile())
        limits = Limits(wall_seconds=2)
        outcomes = [executor.run(Job(each, limits=limits)) for each in sys.argv[1:]]
        shown[name] = {
            "lacks": executor.capabilities().missing_protections,
            "set_up": [each.is_set_up for each in outcomes],
            "ends": [each.end for each in outcomes],
            "printed": [each.stdout.decode() for each in outcomes],
        }
        executor.close()
    print(json.dumps(shown))
"""


@pytest.fixture
def readable_copy() -> Iterator[Path]:
    """The packages where everybody can read them."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    for name in ("slicer", "verifier"):
        shutil.copytree(ROOT / name, folder / "slicefunc" / name)
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    yield folder
    shutil.rmtree(folder)


@as_root
@pytest.mark.skipif(not SYSTEM_PYTHON.exists(), reason="no interpreter that everybody can read")
def test_an_ordinary_user_has_the_same_executors(readable_copy: Path) -> None:
    if not SYSTEM_PYTHON.exists():
        pytest.skip("no interpreter that everybody can use")
    scripts = ("print(1)", "while True: pass", "import os; os.listdir('/root')")
    done = subprocess.run(
        [SYSTEM_PYTHON, "-c", textwrap.dedent(SESSION), *scripts],
        user=NOBODY, group=NOBODY, extra_groups=[], cwd="/",
        env={"PYTHONPATH": str(readable_copy), "PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for told in json.loads(done.stdout).values():
        assert told["set_up"] == [True] * 3
        assert told["ends"] == ["exited", "timeout", "exited"]
        assert told["printed"] == ["1\n", "", ""]
        assert any("memory" in each for each in told["lacks"])  # no control group for nobody


MUTANTS = """
    import json
    from slicefunc.verifier.execution.executors.choose_executor import ORDER
    from slicefunc.verifier.execution.executors.interface import Case, Mutant, Profile
    from slicefunc.verifier.mutation.kill_matrix import kills
    from slicefunc.verifier.execution.batched_trials import Trial
    text = "def f(x):\\n    return x + 1\\n"
    bodies = {"same": "return x + 1", "less": "return x", "bomb": "while True: g()",
              "loop": "while True: pass", "flood": "print('x' * (3 << 20)); return x"}
    mutants = [Mutant(name, text.replace("return x + 1", body)) for name, body in bodies.items()]
    script = text + "import os; g = os.fork\\n"
    shown = {}
    for name, make, _ in ORDER:
        if name == "docker":
            continue
        executor = make()
        executor.start(Profile())
        case = Case("case_1", "def case_1():\\n    return f(3)\\n")
        found = kills(Trial(executor.run, script, "f", (1, 2)), [case], mutants)
        shown[name] = {"failure": found.failure, "alive": [
            name for name, cases in found.by_mutant.items() if not cases]}
        executor.close()
    print(json.dumps(shown))
"""


@as_root
@pytest.mark.skipif(not SYSTEM_PYTHON.exists(), reason="no interpreter that everybody can read")
def test_an_ordinary_user_tries_mutants_too(readable_copy: Path) -> None:
    done = subprocess.run(
        [SYSTEM_PYTHON, "-c", textwrap.dedent(MUTANTS)],
        user=NOBODY, group=NOBODY, extra_groups=[], cwd="/",
        env={"PYTHONPATH": str(readable_copy), "PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for name, told in json.loads(done.stdout).items():
        assert told == {"failure": "", "alive": ["same"]}, name


@as_root
def test_an_interpreter_in_a_private_home_works_and_the_rest_of_the_home_is_hidden(
    tmp_path: Path,
) -> None:
    if not SYSTEM_PYTHON.exists():
        pytest.skip("no interpreter that can be copied")
    home = tmp_path / "home"
    environment = home / "environment"
    subprocess.run([SYSTEM_PYTHON, "-m", "venv", "--without-pip", environment], check=True)
    (home / "secret").write_text("secret")
    home.chmod(0o700)
    executor = EmbeddedExecutor()
    try:
        executor.start(Profile(python=environment / "bin" / "python"))
    except SandboxError as error:
        pytest.skip(str(error))
    source = f"import os, sys; print(sys.prefix); print(os.listdir({str(home)!r}))"
    outcome = executor.run(Job(source))
    executor.close()
    assert outcome.stdout.decode().splitlines() == [str(environment), "['environment']"]


@as_root
def test_two_executors_are_two_users_and_neither_is_root() -> None:
    executors = [EmbeddedExecutor(), EmbeddedExecutor()]
    users: set[int] = set()
    for executor in executors:
        try:
            executor.start(Profile())
        except SandboxError as error:
            pytest.skip(str(error))
        users.add(Path(f"/proc/{executor.process_id}").stat().st_uid)
    for executor in executors:
        executor.close()
    assert len(users) == 2
    assert 0 not in users
