"""Environment variables that the slice needs and that are not set."""

from __future__ import annotations

import os
from typing import Any

from .....world.core.world import replace, undo_with


def set_variables(values: dict[str, str]) -> None:
    """Set what is not set; all the rest stays as it is."""
    for name, value in values.items():
        if name not in os.environ:
            os.environ[name] = value
            undo_with(os.environ.pop, name, None)


def offer_dotenv(values: dict[str, str]) -> None:
    """A `.env` file with these variables, and no search for one in the folders above."""
    import dotenv
    import dotenv.main

    def load_dotenv(*arguments: Any, **named: Any) -> bool:
        return True

    def find_dotenv(*arguments: Any, **named: Any) -> str:
        return ""

    def dotenv_values(*arguments: Any, **named: Any) -> dict[str, Any]:
        return {name: os.environ.get(name, value) for name, value in values.items()}

    for owner in (dotenv, dotenv.main):
        replace(owner, "load_dotenv", load_dotenv)
        replace(owner, "find_dotenv", find_dotenv)
        replace(owner, "dotenv_values", dotenv_values)


def search_no_settings() -> None:
    """Keep python-decouple and environs from looking for files in the folders above."""
    try:
        import decouple
    except ImportError:
        pass
    else:
        replace(decouple.AutoConfig, "_find_file", lambda self, path: "")
    try:
        import environs
    except ImportError:
        pass
    else:
        replace(environs.Env, "read_env", staticmethod(lambda *arguments, **named: True))
