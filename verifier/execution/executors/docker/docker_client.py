"""The connection to the Docker daemon: the parts of the SDK in use, with errors translated."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from typing import Any, Protocol, cast

from ....errors import SandboxError


class Client(Protocol):
    """The part of the SDK's `APIClient` that is used here, with types."""

    def ping(self) -> bool:
        """Whether the daemon answers."""
        ...

    def info(self) -> dict[str, Any]:
        """Return the daemon's properties."""
        ...

    def close(self) -> None:
        """End the connection."""
        ...

    def inspect_image(self, image: str) -> dict[str, Any]:
        """Return the properties of an image."""
        ...

    def import_image_from_file(self, filename: str, repository: str, tag: str) -> str:
        """Make an image from a tar archive."""
        ...

    def create_host_config(self, **settings: object) -> dict[str, Any]:
        """Return the settings of a container in the daemon's format."""
        ...

    def create_container(
        self, image: str, command: list[str], **settings: object
    ) -> dict[str, Any]:
        """Create a container without starting it. Return its `Id`, among others."""
        ...

    def inspect_container(self, container: str) -> dict[str, Any]:
        """Return the properties of a container."""
        ...

    def containers(self, *, all: bool, filters: dict[str, list[str]]) -> list[dict[str, Any]]:  # noqa: A002 - the SDK's name
        """Return the containers with the labels; ended ones, too, if `all` is true."""
        ...

    def attach_socket(self, container: str, params: dict[str, int]) -> object:
        """Return a connection to the streams of a container."""
        ...

    def start(self, container: str) -> None:
        """Start a container."""
        ...

    def update_container(self, container: str, *, mem_limit: int, memswap_limit: int) -> object:
        """Change the limits of a container."""
        ...

    def remove_container(self, container: str, *, force: bool) -> None:
        """Remove a container, ending it if necessary."""
        ...

    def wait(self, container: str, *, timeout: int, condition: str) -> object:
        """Wait until the condition holds."""
        ...


def connect() -> Client:
    """Connect to the daemon that the environment names.

    Raises:
        SandboxError: there is no SDK, or no daemon answers.
    """
    try:
        import docker
    except ImportError as error:
        raise SandboxError("no Docker SDK", "pip install 'slice-func[docker]'") from error
    with translate_errors("no Docker daemon answers", "start Docker"):
        client = cast("Client", docker.from_env().api)
        client.ping()
        return client


@contextlib.contextmanager
def translate_errors(what: str, advice: str = "") -> Generator[None]:
    """Raise errors of the SDK and its connection as `SandboxError`."""
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    try:
        yield
    except (DockerException, RequestException) as error:
        raise SandboxError(f"{what}: {_reason(error)}", advice) from error


def _reason(error: BaseException) -> str:
    """Return what the operating system said below an error of the SDK; else the error's text."""
    below = error
    while cause := below.__cause__ or below.__context__:
        below = cause
    return (below.strerror if isinstance(below, OSError) else None) or str(error)
