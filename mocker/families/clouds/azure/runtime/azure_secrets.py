"""Azure's key vaults in this process: every secret is there, and holds what the script can read."""

from __future__ import annotations

from typing import Any

from .....world.core.world import chosen, record, restart_with
from .....world.network.session_servers import Sent, Served, served_json
from .azure_accounts import azure_services

_vault_texts: dict[str, Any] = {}
_vault_own: dict[str, list[str] | None] = {}


def azure_secrets(texts: dict[str, Any]) -> None:
    """Answer key vaults; what nobody has written holds one of these texts."""
    _vault_texts.update({**texts, "missing": None})
    restart_with(_vault_own.clear)
    azure_services["keyvault-secrets"] = _answer_vault


def _vault_secret(host: str, name: str, value: str, number: int) -> dict[str, Any]:
    return {
        "value": value, "id": f"https://{host}/secrets/{name}/{number:032x}", "contentType": None,
        "attributes": {"enabled": True, "created": 1767268800, "updated": 1767268800},
    }  # fmt: skip


def _answer_vault(sent: Sent) -> Served:
    if "Authorization" not in sent.headers:
        # clients ask without first, and are told whom to show a token of
        resource = "https://" + (sent.host.partition(".")[2] or sent.host)
        asked = f'Bearer authorization="https://login.microsoftonline.com/tenant", resource="{resource}"'
        return Served(401, {"WWW-Authenticate": asked})
    match sent.method, [part for part in sent.parts if part]:
        case "GET", ["secrets", name, *version]:
            record("query", "azure secret.get", name)
            held = _vault_own.get(name) if name in _vault_own else _unwritten()
            number = int(version[0], 16) if version and version[0] else len(held or ())
            if not held or not 0 < number <= len(held):
                return _no_vault_secret(name)
            return served_json(_vault_secret(sent.host, name, held[number - 1], number))
        case "PUT", ["secrets", name, *_]:
            value = sent.json().get("value", "")
            record("request", "azure secret.set", name, value)
            held = _vault_own[name] = [*(_vault_own.get(name) or ()), value]
            return served_json(_vault_secret(sent.host, name, value, len(held)))
        case "DELETE", ["secrets", name, *_]:
            record("request", "azure secret.delete", name)
            held = _vault_own.get(name) if name in _vault_own else _unwritten()
            _vault_own[name] = None
            if not held:
                return _no_vault_secret(name)
            made = _vault_secret(sent.host, name, "", len(held))
            gone = {
                "recoveryId": f"https://{sent.host}/deletedsecrets/{name}",
                "deletedDate": 1767268800,
            }
            return served_json({**made, **gone, "value": None})
        case "GET", ["secrets"]:
            record("query", "azure secret.list")
            found = [
                _vault_secret(sent.host, n, "", 1) for n, held in sorted(_vault_own.items()) if held
            ]
            return served_json(
                {"value": [{**each, "value": None} for each in found], "nextLink": None}
            )
        case _:
            record("query", f"azure secret {sent.method}", sent.path)
            return served_json({"value": [], "nextLink": None})


def _unwritten() -> list[str]:
    text = chosen("azure.secret", _vault_texts)
    return [] if text is None else [text.decode() if isinstance(text, bytes) else str(text)]


def _no_vault_secret(name: str) -> Served:
    message = f"A secret with (name/id) {name} was not found in this key vault."
    return served_json({"error": {"code": "SecretNotFound", "message": message}}, 404)
