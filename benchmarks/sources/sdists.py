"""The ten real packages of the benchmarks: pinned sources, and environments to run them in.

Everything is fetched by pip, checked against the pinned digest, and kept in the work folder.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .sdist import Sdist
from .sdists_further import FURTHER
from .sdists_hubs import HUBS

DEFAULT_WORK = Path(__file__).resolve().parents[2] / ".work"


SDISTS: tuple[Sdist, ...] = (
    Sdist(
        "click",
        "8.5.1",
        "9bbfada76703fd1d784b83eea012e3e8c6a001a876543ef104fa56aaaeb072b4",
        packages=("src/click",),
        root="src",
        tests="tests",
        test_requirements=("pytest",),
    ),
    Sdist(
        "requests",
        "2.34.2",
        "f288924cae4e29463698d6d60bc6a4da69c89185ad1e0bcc4104f584e960b9ed",
        packages=("src/requests",),
        root="src",
        extras="socks",
        tests="tests",
        test_requirements=("pytest<10", "pytest-httpbin==2.1.0", "httpbin~=0.10.0", "trustme"),
    ),
    Sdist(
        "flask",
        "3.1.3",
        "0ef0e52b8a9cd932855379197dd8f94047b359ca0a78695144304cb45f87c9eb",
        packages=("src/flask",),
        root="src",
        extras="async,dotenv",
        tests="tests",
        test_requirements=("pytest", "asgiref", "greenlet", "python-dotenv"),
    ),
    Sdist(
        "httpx",
        "0.28.1",
        "75e98c5f16b0f35b567856f597f06ff2270a374470a5c2392242528e3e3e42fc",
        packages=("httpx",),
        root=".",
        extras="brotli,cli,http2,socks,zstd",
        tests="tests",
        test_requirements=(
            "pytest<9",
            "chardet",
            "trio",
            "trustme",
            "uvicorn",
            "cryptography",
        ),
    ),
    Sdist(
        "attrs",
        "26.1.0",
        "d03ceb89cb322a8fd706d4fb91940737b6642aa36998fe130a9bc96c985eff32",
        packages=("src/attr", "src/attrs"),
        root="src",
        tests="tests",
        test_requirements=("pytest", "hypothesis", "pympler", "cloudpickle"),
    ),
    Sdist(
        "starlette",
        "1.10.0",
        "b8399098d4c1e3522734f7235dc79b1fc967f96cf139c81e0fa30479e0685f9b",
        packages=("starlette",),
        root=".",
        extras="full",
        tests="tests",
        test_requirements=("pytest", "trio", "blockbuster", "opentelemetry-sdk"),
    ),
    Sdist(
        "werkzeug",
        "3.1.9",
        "55ca7c70a75689be937aa27f8ff4b018f06ff4838fc73045560bf0f5a1291060",
        packages=("src/werkzeug",),
        root="src",
        extras="watchdog",
        tests="tests",
        test_requirements=(
            "pytest",
            "pytest-timeout",
            "cffi",
            "cryptography",
            "ephemeral-port-reserve",
            "watchdog",
        ),
    ),
    Sdist(
        "jinja2",
        "3.1.6",
        "0137fb05990d35f1275a587e9aee6d56da821fc83491a0fb838183be43f66d6d",
        packages=("src/jinja2",),
        root="src",
        extras="i18n",
        tests="tests",
        test_requirements=("pytest", "trio"),
    ),
    Sdist(
        "rich",
        "15.0.0",
        "edd07a4824c6b40189fb7ac9bc4c52536e9780fbbfbddf6f1e2502c31b068c36",
        packages=("rich",),
        root=".",
        extras="jupyter",
    ),
    Sdist(
        "sympy",
        "1.14.0",
        "d3d3fe8df1e5a0b42f0e7bdf50541697dbe7d23746e894990c030e2b05e72517",
        packages=("sympy",),
        root=".",
        tests="sympy",
        test_requirements=("pytest", "hypothesis"),
    ),
)

NAMES = tuple(sdist.name for sdist in SDISTS)


FAKES = ("responses", "respx", "aioresponses", "fakeredis", "mongomock", "time-machine")
"""What mocked slices may need installed beside their package's dependencies."""


def sdist_named(name: str) -> Sdist:
    """The pinned sdist of that name; raises `KeyError` for any other."""
    return {sdist.name: sdist for sdist in (*SDISTS, *FURTHER, *HUBS)}[name]


def fetch_sdist(name: str, work: Path = DEFAULT_WORK) -> Path:
    """The folder of the unpacked sdist, fetched when it is not there yet."""
    sdist = sdist_named(name)
    folder = work / "sdists" / sdist.folder
    with _locked(work, f"sdist-{name}"):
        if not folder.is_dir():
            _unpack(fetch_archive(name, work), folder)
    return folder


def fetch_archive(name: str, work: Path = DEFAULT_WORK) -> Path:
    """The sdist's archive, checked against the pinned digest."""
    sdist = sdist_named(name)
    folder = work / "archives"
    archive = folder / f"{sdist.folder}.tar.gz"
    if not archive.is_file():
        # pip asks the build backend for the metadata before it hands over the archive; only the
        # package itself must come as source, the backend may be a wheel.
        _run(
            *(sys.executable, "-m", "pip", "download", "-qq", "--no-deps"),
            *("--no-binary", name, "--dest", str(folder), f"{name}=={sdist.version}"),
        )
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != sdist.sha256:
        archive.unlink()
        raise SystemExit(f"{archive.name}: sha256 is {digest}, pinned is {sdist.sha256}")
    return archive


def environment(
    name: str,
    *,
    installed: bool = False,
    tests: bool = False,
    fakes: bool = False,
    work: Path = DEFAULT_WORK,
) -> Path:
    """A virtual environment with the package's dependencies, its extras included.

    Args:
        name: The package.
        installed: Whether the package itself is there too. Both kinds are made the same way, and
            where it is not wanted the package is uninstalled at the end: the rest is the same.
        tests: Whether what the package's test suite needs is there too.
        fakes: Whether the fakes that mocked slices name are there too, and what these need.
        work: The cache folder.

    Returns:
        The environment's folder; its interpreter is `bin/python`.
    """
    sdist = sdist_named(name)
    kind = ("with" if installed else "without") + ("-tests" if tests else "")
    kind += "-fakes" if fakes else ""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = work / "environments" / f"{sdist.folder}-py{python}-{kind}"
    with _locked(work, f"environment-{folder.name}"):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            added = (*(sdist.test_requirements if tests else ()), *(FAKES if fakes else ()))
            _make_environment(sdist, folder, installed=installed, added=added, work=work)
            (folder / "complete").touch()
    return folder


def interpreter(folder: Path) -> Path:
    """The interpreter of a virtual environment."""
    return folder / "bin" / "python"


def frozen(folder: Path) -> tuple[str, ...]:
    """The distributions of an environment, as `name==version`, sorted."""
    listing = _run(
        *(sys.executable, "-m", "pip", "--python", str(interpreter(folder))),
        *("list", "--format", "freeze"),
    )
    return tuple(sorted(listing.split()))


def _make_environment(
    sdist: Sdist, folder: Path, *, installed: bool, added: Sequence[str], work: Path
) -> None:
    """Create the environment and install into it; the caller holds the lock."""
    print(f"benchmarks: making the environment {folder.name}", file=sys.stderr)
    _run(sys.executable, "-m", "venv", "--without-pip", str(folder))
    pip = (sys.executable, "-m", "pip", "--python", str(interpreter(folder)))
    extras = f"[{sdist.extras}]" if sdist.extras else ""
    own = f"{sdist.name}{extras} @ {fetch_archive(sdist.name, work).as_uri()}"
    _run(*pip, "install", "-qq", own, *added)
    if not installed:
        _run(*pip, "uninstall", "-qq", "--yes", sdist.name)


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack through a folder beside it, so that a broken run leaves nothing half done."""
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    with tarfile.open(archive) as tar:
        tar.extractall(partial, filter="data")
    (partial / folder.name).rename(folder)
    shutil.rmtree(partial)


@contextlib.contextmanager
def _locked(work: Path, name: str) -> Iterator[None]:
    """Hold a lock between processes: several benchmarks share one work folder."""
    locks = work / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / name).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run(*command: str) -> str:
    """Run a command and return what it printed; its errors go to standard error."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"benchmarks: failed with exit {done.returncode}: {' '.join(command)}")
    return done.stdout


def main() -> int:
    """Fetch every sdist and make the environments that the benchmarks use."""
    for sdist in SDISTS:
        print(fetch_sdist(sdist.name))
        for installed in (False, True):
            print(environment(sdist.name, installed=installed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
