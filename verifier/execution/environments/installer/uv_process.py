"""Run uv, the installer: the only place that uses the network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .environment_errors import InstallError

_PASSED = (
    "PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY",
    "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
    "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS",
    "UV_TORCH_BACKEND", "UV_NATIVE_TLS", "UV_SYSTEM_CERTS", "UV_OFFLINE", "UV_HTTP_TIMEOUT",
    "UV_INSECURE_HOST",
)  # fmt: skip
"""Environment variables about access to the network and the index."""

_UNREACHABLE = (
    "error sending request", "Failed to fetch", "Request failed after", "Network connectivity",
    "dns error", "Connection refused", "timed out", "network was disabled",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class InstallerRun:
    """One run of uv."""

    status: int
    output: str
    """Standard output; the lock after resolving."""
    messages: str
    """Standard error."""


@lru_cache(maxsize=1)
def find_uv() -> str:
    """Return the path of uv: the one installed beside slice-func, else the first on the PATH.

    Raises:
        InstallError: uv is not installed.
    """
    candidates = [Path(sysconfig.get_path("scripts"), "uv")]
    # packages of another Python than the running one: `lib/python3.11/site-packages`, `bin`
    candidates += [Path(p).parents[2] / "bin/uv" for p in sys.path if p.endswith("site-packages")]
    found = next((str(path) for path in candidates if path.is_file()), shutil.which("uv"))
    if found is None:
        raise InstallError(
            "uv is not installed, and nothing is installed without it", "pip install uv"
        )
    return found


def configured_indexes() -> dict[str, str]:
    """Return the environment's settings for indexes."""
    return {name: os.environ[name] for name in _PASSED if name[:3] == "UV_" and name in os.environ}


def run_uv(
    words: Sequence[str], cache: Path, seconds: float, given: str = "", folder: Path | None = None
) -> InstallerRun:
    """Run uv with its own cache in `cache`, ignoring project settings.

    Raises:
        InstallError: the index cannot be reached, or the time is over.
    """
    environment = {name: os.environ[name] for name in _PASSED if name in os.environ}
    environment |= {"UV_CACHE_DIR": str(cache / "uv"), "UV_PYTHON_DOWNLOADS": "never"}
    command = [find_uv(), *words, "--no-config", "--no-progress", "--color", "never"]
    cache.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(
            command, input=given, env=environment, cwd=folder or cache, timeout=seconds,
            capture_output=True, encoding="utf-8", errors="replace", check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise InstallError(f"uv {' '.join(words[:2])} was not done after {seconds:.0f} s") from None
    except OSError as error:
        raise InstallError(f"{command[0]} does not start: {error.strerror or error}") from None
    if done.returncode and any(text in done.stderr for text in _UNREACHABLE):
        detail = " ".join(done.stderr.split())[:300]
        raise InstallError(f"the package index cannot be reached: {detail}")
    return InstallerRun(done.returncode, done.stdout, done.stderr)
