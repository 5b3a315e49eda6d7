"""The interpreter of a lock, with all distributions that it names installed."""

from __future__ import annotations

from ...verifier.execution.environments.environment_cache import Cache, Environment
from ...verifier.execution.environments.environment_locks import Lock
from ...verifier.execution.environments.install_policy import Policy
from ...verifier.execution.environments.installer.environment_errors import InstallError
from ...verifier.execution.environments.installer.pythons import find_python
from ...verifier.execution.executors.interface import Profile
from ..settings.cache_folders import cache_folder

_SCIENTIFIC = ("numpy", "pandas")


def profile_of(lock: Lock) -> Profile:
    """Return the environment of a lock, installed if it does not exist yet.

    Raises:
        InstallError: nothing can be installed, or no interpreter of that version is here.
    """
    cache = environments()
    python = find_python(f"=={lock.python}.*", cache.folder)
    if python is None:
        raise InstallError(f"the environment needs Python {lock.python}", "install that Python")
    return profile_in(cache.get(lock, Policy(python)))


def profile_in(environment: Environment) -> Profile:
    """Return an environment's profile, which preloads scientific packages if installed."""
    lock = environment.lock
    is_scientific = any(lock.version(name) for name in _SCIENTIFIC)
    return Profile("scientific" if is_scientific else "bare", environment.python)


def environments() -> Cache:
    """Return all environments that were installed on this machine."""
    return Cache(cache_folder() / "environments")
