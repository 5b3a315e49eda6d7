"""Objects of an untrusted repository, read with git.

A repository's own configuration can name programs that git then starts. So git reads its objects
through an empty repository made here, which has no such configuration and fetches nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_SECONDS = 30
_SETTINGS = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "TZ": "UTC"}
TRANSFER = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_ALLOW_PROTOCOL": "https:http:ssh:git:file",
}
"""Settings for a transfer: no questions, no large files, and no protocol that starts a program of
the address's choice."""
_PASSED_ON = ("PATH", "SSH_AUTH_SOCK", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO")
_PROXIES = ("http_proxy", "https_proxy", "no_proxy", "all_proxy")


@dataclass(frozen=True, slots=True)
class GitObjects:
    """An empty repository that borrows the objects of another one."""

    folder: str

    def run(self, *words: str, given: bytes = b"", seconds: int = _SECONDS) -> bytes | None:
        """Return git's output; `None` if git fails, is missing, or takes too long."""
        done = run_git(self.folder, *words, given=given, seconds=seconds)
        return None if isinstance(done, str) else done


def run_git(
    folder: str, *words: str, given: bytes = b"", seconds: int = _SECONDS, **settings: str
) -> bytes | str:
    """Run git on a folder made by us, without the configuration of anybody.

    Args:
        folder: the repository, bare.
        words: of the command.
        given: its standard input.
        seconds: time limit.
        settings: further variables of the environment.

    Returns:
        Git's output; or a text that says why there is none.
    """
    program = shutil.which("git")
    if program is None:
        return "git is not installed"
    names = (*_PASSED_ON, *_PROXIES, *map(str.upper, _PROXIES))
    passed_on = {name: os.environ[name] for name in names if name in os.environ}
    try:
        done = subprocess.run(
            [program, "--git-dir", folder, *words],
            input=given,
            capture_output=True,
            timeout=seconds,
            check=False,
            env={"PATH": os.defpath, **passed_on, "HOME": folder, **_SETTINGS, **settings},
            cwd=folder,
        )
    except subprocess.TimeoutExpired:
        return f"git {words[0]} took more than {seconds} s"
    except OSError as error:
        return f"git does not start: {error.strerror}"
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        told = (line for line in lines if line.startswith(("fatal: ", "error: ")))
        return next(told, lines[-1] if lines else f"git {words[0]} failed")
    return done.stdout


@contextmanager
def git_objects(git: Path, commit: str) -> Generator[GitObjects | None]:
    """Open the objects of a repository.

    Args:
        git: the folder that holds `objects`, and `shallow` if the history is cut off.
        commit: the hash of one of its commits, by which the kind of its hashes is known.

    Yields:
        `None` if git is not installed.
    """
    with tempfile.TemporaryDirectory() as empty:
        objects = GitObjects(empty)
        form = f"--object-format={'sha256' if len(commit) == 64 else 'sha1'}"
        if objects.run("init", "--quiet", "--bare", "--template=", form) is None:
            yield None
            return
        (Path(empty) / "objects/info").mkdir(exist_ok=True)
        quoted = os.fsencode((git / "objects").resolve())
        (Path(empty) / "objects/info/alternates").write_bytes(quoted + b"\n")
        if (git / "shallow").is_file():
            shutil.copyfile(git / "shallow", Path(empty) / "shallow")
        yield objects
