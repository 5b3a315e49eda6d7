"""The connection to the Docker daemon: what of the SDK is used, and its errors as ours."""

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
        """What the daemon is and can do."""
        ...

    def close(self) -> None:
        """End the connection."""
        ...

    def inspect_image(self, image: str) -> dict[str, Any]:
        """What is known of an image."""
        ...

    def import_image_from_file(self, filename: str, repository: str, tag: str) -> str:
        """Make an image of a tar archive."""
        ...

    def create_host_config(self, **settings: object) -> dict[str, Any]:
        """Settings of a container as the daemon takes them."""
        ...

    def create_container(
        self, image: str, command: list[str], **settings: object
    ) -> dict[str, Any]:
        """Make a container without starting it; its `Id` among others."""
        ...

    def inspect_container(self, container: str) -> dict[str, Any]:
        """What is known of a container."""
        ...

    def containers(self, *, all: bool, filters: dict[str, list[str]]) -> list[dict[str, Any]]:  # noqa: A002 - the SDK's name
        """Those that have the labels, ended ones too where `all` is true."""
        ...

    def attach_socket(self, container: str, params: dict[str, int]) -> object:
        """A connection to the streams of a container."""
        ...

    def start(self, container: str) -> None:
        """Start a container."""
        ...

    def update_container(self, container: str, *, mem_limit: int, memswap_limit: int) -> object:
        """Set other limits."""
        ...

    def remove_container(self, container: str, *, force: bool) -> None:
        """Remove a container, ending it if need be."""
        ...

    def wait(self, container: str, *, timeout: int, condition: str) -> object:
        """Return when the condition holds."""
        ...


def connect() -> Client:
    """A connection to the daemon that the environment names.

    Raises:
        SandboxError: no SDK, or no daemon answers.
    """
    try:
        import docker
    except ImportError as error:
        raise SandboxError("no Docker SDK: install slice-func with its extra `docker`") from error
    with translate_errors("no Docker daemon answers"):
        client = cast("Client", docker.from_env().api)
        client.ping()
        return client


@contextlib.contextmanager
def translate_errors(what: str) -> Generator[None]:
    """Raise errors of the SDK and of its connection as `SandboxError`."""
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    try:
        yield
    except (DockerException, RequestException) as error:
        raise SandboxError(f"{what}: {error}") from error
