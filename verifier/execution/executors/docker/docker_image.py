"""The image that containers start from: built from this machine's files, once per interpreter."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....errors import SandboxError
from ..host.interpreters import Interpreter, find_interpreter
from ..interface import Profile
from .docker_client import Client
from .docker_files import tag_of, write_files

REPOSITORY = "slice-func-sandbox"
OWN_IMAGE = "SLICE_FUNC_DOCKER_IMAGE"
"""Environment variable that names an image to use instead, made with the Dockerfile beside this."""
PYTHON_LABEL = "slice-func.python"
"""Label of such an image with the path of its interpreter."""


@dataclass(frozen=True, slots=True)
class Image:
    """The image of a container."""

    name: str
    interpreter: Interpreter
    built_in: tuple[Path, ...]
    """Folders of the interpreter inside the image."""
    shown: tuple[Path, ...]
    """Folders that must be mounted besides."""


def find_image(client: Client, interpreter: Interpreter, profile: Profile) -> Image:
    """Return the image for a profile: the one that the environment names, or a built one."""
    own = os.environ.get(OWN_IMAGE)
    if own:
        return _named_image(client, own, profile)
    environment = () if interpreter.environment is None else (interpreter.environment,)
    shown = dict.fromkeys((*environment, *interpreter.packages, *profile.readable))
    name = ensure_image(client, interpreter)
    return Image(name, interpreter, interpreter.libraries, tuple(shown))


def ensure_image(client: Client, interpreter: Interpreter) -> str:
    """Return the name of this interpreter's image; build it unless the daemon has it."""
    tag = tag_of(interpreter)
    name = f"{REPOSITORY}:{tag}"
    if _inspect(client, name) is None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "image.tar")
            with path.open("wb") as out:
                write_files(out, interpreter)
            client.import_image_from_file(str(path), REPOSITORY, tag)
    return name


def _named_image(client: Client, name: str, profile: Profile) -> Image:
    """Return a user's image; environments are mounted, the interpreter is its own."""
    found = _inspect(client, name)
    if found is None:
        raise SandboxError(
            f"the daemon has no image {name}, which {OWN_IMAGE} names", "build it, or name another"
        )
    labels: dict[str, str] = found["Config"].get("Labels") or {}
    python = labels.get(PYTHON_LABEL)
    if python is None:
        raise SandboxError(f"the image {name} has no label {PYTHON_LABEL}", "build it with that")
    if profile.python is None:
        return Image(name, Interpreter(Path(python)), (), profile.readable)
    interpreter = find_interpreter(profile.python)
    environment = () if interpreter.environment is None else (interpreter.environment,)
    return Image(name, interpreter, (), (*environment, *profile.readable))


def _inspect(client: Client, name: str) -> dict[str, Any] | None:
    from docker.errors import ImageNotFound

    try:
        return client.inspect_image(name)
    except ImageNotFound:
        return None
