"""Secret Manager in this process: every secret is there, and holds what the slice can read."""

from __future__ import annotations

from typing import Any

from .....world.core.world import chosen, record, restart_with
from .....world.google.google_channel import GrpcRefusal, google_channels

_secret_texts: dict[str, Any] = {}
_own_secrets: dict[str, list[bytes]] = {}


def google_secrets(texts: dict[str, Any]) -> None:
    """Answer Secret Manager; what nobody has written holds one of these texts."""
    _secret_texts.update({**texts, "missing": None})
    restart_with(_own_secrets.clear)
    google_channels({
        "SecretManagerService/AccessSecretVersion": _access,
        "SecretManagerService/CreateSecret": _create_secret,
        "SecretManagerService/AddSecretVersion": _add_version,
        "SecretManagerService/GetSecret": _get_secret,
        "SecretManagerService/DeleteSecret": _delete_secret,
        "SecretManagerService/ListSecrets": _list_secrets,
    })  # fmt: skip


def _secret_types() -> Any:
    from google.cloud.secretmanager_v1 import types

    return types


def _no_secret(name: str) -> GrpcRefusal:
    return GrpcRefusal("NOT_FOUND", f"Secret [{name}] not found or has no versions.")


def _access(request: Any) -> Any:
    record("query", "google secretmanager.access", request.name)
    secret, _, version = request.name.partition("/versions/")
    if secret in _own_secrets:
        held = _own_secrets[secret]
        number = len(held) if version in ("latest", "") else int(version)
        if not 0 < number <= len(held):
            raise _no_secret(secret)
        data = held[number - 1]
    else:
        text = chosen("google.secretmanager", _secret_texts)
        if text is None:
            raise _no_secret(secret)
        data, number = text if isinstance(text, bytes) else str(text).encode(), 1
    name = f"{secret}/versions/{number}"
    return _secret_types().AccessSecretVersionResponse(name=name, payload={"data": data})


def _create_secret(request: Any) -> Any:
    name = f"{request.parent}/secrets/{request.secret_id}"
    record("request", "google secretmanager.create", name)
    if name in _own_secrets:
        raise GrpcRefusal("ALREADY_EXISTS", f"Secret [{name}] already exists.")
    _own_secrets[name] = []
    return _secret_types().Secret(name=name)


def _add_version(request: Any) -> Any:
    record("request", "google secretmanager.add_version", request.parent)
    held = _own_secrets.setdefault(request.parent, [])
    held.append(request.payload.data)
    return _secret_types().SecretVersion(name=f"{request.parent}/versions/{len(held)}")


def _get_secret(request: Any) -> Any:
    record("query", "google secretmanager.get", request.name)
    if request.name not in _own_secrets and chosen("google.secretmanager", _secret_texts) is None:
        raise _no_secret(request.name)
    return _secret_types().Secret(name=request.name)


def _delete_secret(request: Any) -> Any:
    record("request", "google secretmanager.delete", request.name)
    _own_secrets.pop(request.name, None)
    return None


def _list_secrets(request: Any) -> Any:
    record("query", "google secretmanager.list", request.parent)
    found = [_secret_types().Secret(name=name) for name in sorted(_own_secrets)]
    return _secret_types().ListSecretsResponse(secrets=found)
