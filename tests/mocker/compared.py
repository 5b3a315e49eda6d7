"""The same call of the same program: with everything real, and in its mocked slice."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.slicer import Repository

HERE = Path(__file__).parent


def real(source: str, call: str, folder: Path, **env: str) -> object:
    """What a call gives where nothing is replaced."""
    program = folder / "program.py"
    program.write_text(source)
    child = [sys.executable, str(HERE / "call_for_real.py"), str(program), call]
    return ast.literal_eval(output(child, folder, env))


def mocked(source: str, target: str, call: str, folder: Path, prepare: str = "") -> tuple:
    """What a call gives in the mocked slice of its function, and the effects of the call.

    `prepare` are statements for the module `slice_func_mocks`, before the call.
    """
    repository = folder / "repository"
    repository.mkdir(exist_ok=True)
    (repository / "program.py").write_text(source)
    sliced = compile_slice(Repository(repository), [f"program.py::{target}"], Options(mock="auto"))
    script = folder / "mocked.py"
    prepared = f"import slice_func_mocks as _m\nexec({prepare!r}, vars(_m))\n_m.effects.clear()\n"
    script.write_text(f"{sliced.source}\n{prepared}")
    child = [
        sys.executable,
        str(HERE / "call_for_real.py"),
        str(script),
        f"({call}, list(_effects))",
    ]
    return ast.literal_eval(output(child, folder, {}))


def output(command: list[str], folder: Path, env: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False,
        stdin=subprocess.DEVNULL, env={**os.environ, **env},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]
