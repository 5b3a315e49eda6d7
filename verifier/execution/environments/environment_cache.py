"""The cache of environments: one folder for each lock, built once, completely or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .environment_locks import Lock
from .install_policy import Policy
from .install_reasons import failure
from .installer.bytecode import compile_bytecode
from .installer.environment_errors import InstallError, NotInstalledError
from .installer.process_lock import alone
from .installer.uv_process import run_uv

_LOCK_FILE = "slice-func-lock.txt"
_FILES = "slice-func-files.txt"
"""Name of the file beside the lock with a digest of all names and sizes, which reveals damage."""


@dataclass(frozen=True, slots=True)
class Environment:
    """An installed environment. Its interpreter runs foreign code from the start: sandbox it."""

    folder: Path
    lock: Lock

    @property
    def python(self) -> Path:
        """Return the path of its interpreter."""
        return self.folder / "bin" / "python"

    @property
    def site_packages(self) -> Path:
        """Return the folder of its distributions."""
        return self.folder / "lib" / f"python{self.lock.python}" / "site-packages"


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of environments, shared by processes."""

    folder: Path

    def find(self, lock: Lock) -> Environment | None:
        """Return the environment of a lock if it was built and is undamaged."""
        place = self._place(lock)
        return Environment(place, lock) if _is_whole(place) else None

    def get(self, lock: Lock, policy: Policy) -> Environment:
        """Return the environment of a lock, built if missing, by one process at a time.

        Raises:
            InstallError: uv is absent, or the index cannot be reached.
            NotInstalledError: a distribution of the lock cannot be installed.
        """
        found = self.find(lock)
        if found is not None:
            return found
        self.folder.mkdir(parents=True, exist_ok=True)
        with alone(self.folder / f".{lock.digest}.lock"):
            found = self.find(lock)  # another process may have built it meanwhile
            if found is None:
                self._build(lock, policy)
        return Environment(self._place(lock), lock)

    def _place(self, lock: Lock) -> Path:
        return self.folder.resolve() / lock.digest

    def _build(self, lock: Lock, policy: Policy) -> None:
        """Build beside the final place and rename, so that an interrupted build starts anew."""
        draft = self.folder.resolve() / f".{lock.digest}.part"
        _remove(draft)
        try:
            made = ("venv", "--relocatable", "--python", str(policy.python), str(draft))
            self._uv(made, policy)
            (draft / _LOCK_FILE).write_text(lock.text(), encoding="utf-8")
            if lock.packages:
                self._install(draft, policy, is_forced=self._place(lock).exists())
            (draft / _FILES).write_text(_digest(draft), encoding="utf-8")
            _remove(self._place(lock))  # an incomplete environment is useless
            draft.rename(self._place(lock))
        finally:
            _remove(draft)

    def _install(self, draft: Path, policy: Policy, *, is_forced: bool) -> None:
        hashes = "--hash=" in (draft / _LOCK_FILE).read_text(encoding="utf-8")
        words = (
            "pip", "install", "--python", str(draft / "bin" / "python"), "--no-deps",
            *(("--require-hashes",) if hashes else ()), *policy.sources(),
            "-r", str(draft / _LOCK_FILE),
        )  # fmt: skip
        # uv's cache may hold the same damaged file; otherwise only files that were not
        # downloaded before come from the index
        first = "--no-cache" if is_forced else "--offline"
        if not self._is_installed((*words, first), policy):
            self._uv(words, policy)
        if policy.compiles_bytecode:
            store = self.folder / "bytecode"
            compile_bytecode(draft / "lib", store, policy.python, policy.seconds)

    def _is_installed(self, words: tuple[str, ...], policy: Policy) -> bool:
        try:
            return run_uv(words, self.folder, policy.seconds).status == 0
        except InstallError:
            return False

    def _uv(self, words: tuple[str, ...], policy: Policy) -> None:
        ran = run_uv(words, self.folder, policy.seconds)
        if ran.status:
            raise NotInstalledError(failure(ran.messages).detail)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _is_whole(place: Path) -> bool:
    """Whether an environment is complete, including its interpreter.

    Environments of earlier versions are not checked in detail.
    """
    if not ((place / _LOCK_FILE).is_file() and (place / "bin" / "python").is_file()):
        return False
    known = place / _FILES
    return not known.is_file() or known.read_text(encoding="utf-8") == _digest(place)


def _digest(place: Path) -> str:
    lines = sorted(f"{size} {name}" for name, size in _sizes(str(place)))
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _sizes(folder: str, below: str = "") -> Iterator[tuple[str, int]]:
    """Yield files with their sizes, by relative path, without bytecode, which Python adds."""
    with os.scandir(folder) as entries:
        for each in entries:
            name = f"{below}{each.name}"
            if each.is_dir(follow_symlinks=False):
                if each.name != "__pycache__":
                    yield from _sizes(each.path, f"{name}/")
            elif name != _FILES:
                yield name, each.stat(follow_symlinks=False).st_size
