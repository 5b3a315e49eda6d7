"""Accounts of Google in this process: credentials of any kind are good, and nobody is asked."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from typing import Any

from ..core.on_import import on_import
from ..core.world import chosen, record, replace
from ..network.http_answers import shown_bytes
from ..network.session_servers import serve_session, served_json

GOOGLE_ACCOUNT = {
    "type": "service_account",
    "project_id": "project",
    "client_email": "account@project.iam.gserviceaccount.com",
    "token_uri": "https://oauth2.googleapis.com/token",
}
_google_servers: list[Any] = []
_accounts_given: list[bool] = []


def google_accounts(claims: dict[str, Any] | None = None) -> None:
    """Give credentials to whoever asks; tokens that are to be verified hold these claims."""
    google_claims.update(claims or {})
    if _accounts_given:
        return
    _accounts_given.append(True)
    on_import("google.auth._service_account_info", _patch_account_info)
    on_import("google.auth._default", lambda module: replace(module, "default", _google_default))
    on_import("google.auth", lambda module: replace(module, "default", _google_default))
    for name in ("credentials", "_credentials_async"):
        on_import(f"google.auth.{name}", _patch_credentials)
    for name in ("oauth2.service_account", "oauth2.credentials", "auth.compute_engine.credentials"):
        on_import(f"google.{name}", _patch_credentials)
    on_import("google.oauth2.service_account", _patch_service_account)
    on_import("google.oauth2.id_token", _patch_id_tokens)
    on_import("google.auth.transport.requests", _patch_authorized_session)
    on_import("google.cloud.client", _patch_factory)


google_claims: dict[str, Any] = {"default": {}}


def google_server(answer: Any) -> None:
    """Have requests of Google's clients answered by a function, where it does not give `None`."""
    _google_servers.append(answer)


def _ask_google(sent: Any) -> Any:
    for each in _google_servers:
        found = each(sent)
        if found is not None:
            return found
    if not sent.host.endswith(("googleapis.com", "google.com", "google.internal")):
        return None
    record("request", f"{sent.method} https://{sent.host}{sent.path}", shown_bytes(sent.body))
    return served_json({})


def _patch_authorized_session(module: Any) -> None:
    session = module.AuthorizedSession
    before = session.__init__

    def init(self: Any, *args: Any, **options: Any) -> None:
        before(self, *args, **options)
        serve_session(self, _ask_google)

    replace(session, "__init__", init)


def google_signer() -> Any:
    """What signs, with no key."""
    from google.auth import crypt

    class Signer(crypt.Signer):
        key_id = "key"

        def sign(self, message: Any) -> bytes:
            text = message.encode() if isinstance(message, str) else message
            return hashlib.sha256(text).digest()

    return Signer()


def google_credentials() -> Any:
    """The credentials of a machine that has an account."""
    from google.oauth2 import service_account

    return service_account.Credentials(
        google_signer(), GOOGLE_ACCOUNT["client_email"], GOOGLE_ACCOUNT["token_uri"],
        project_id=google_project(),
    )  # fmt: skip


def google_project() -> str:
    """The project that is meant where none is named."""
    return os.environ.get("GOOGLE_CLOUD_PROJECT") or GOOGLE_ACCOUNT["project_id"]


def _google_default(scopes: Any = None, *_args: Any, **_options: Any) -> Any:
    return google_credentials(), google_project()


def _patch_account_info(module: Any) -> None:
    replace(module, "from_dict", lambda *_args, **_options: google_signer())
    replace(
        module, "from_filename", lambda name, *_, **__: (google_account_file(name), google_signer())
    )


def google_account_file(path: Any) -> dict[str, Any]:
    """What a file with a key says; what any account has where there is no such file."""
    found: Any = {}
    with contextlib.suppress(OSError, ValueError), open(path, encoding="utf-8") as file:
        found = json.load(file)
    return {**GOOGLE_ACCOUNT, **(found if isinstance(found, dict) else {})}


def _patch_credentials(module: Any) -> None:
    """Credentials are valid, and need nobody to become so."""

    def before_request(self: Any, request: Any, method: Any, url: Any, headers: Any) -> None:
        self.token = self.token or "token"
        headers["authorization"] = "Bearer token"

    def refresh(self: Any, request: Any) -> None:
        self.token = "token"

    for name in ("Credentials", "IDTokenCredentials"):
        owner = getattr(module, name, None)
        if owner is not None:
            replace(owner, "before_request", before_request)
            replace(owner, "refresh", refresh)


def _patch_service_account(module: Any) -> None:
    for owner in (module.Credentials, module.IDTokenCredentials):
        real = owner._from_signer_and_info.__func__

        def made(cls: Any, signer: Any, info: Any, _real: Any = real, **options: Any) -> Any:
            return _real(cls, signer, {**GOOGLE_ACCOUNT, **info}, **options)

        replace(owner, "_from_signer_and_info", classmethod(made))


def _patch_factory(module: Any) -> None:
    def from_file(cls: Any, json_credentials_path: Any, *args: Any, **options: Any) -> Any:
        return cls.from_service_account_info(
            google_account_file(json_credentials_path), *args, **options
        )

    replace(module._ClientFactoryMixin, "from_service_account_json", classmethod(from_file))


def _patch_id_tokens(module: Any) -> None:
    def verified(
        id_token: Any, request: Any = None, audience: Any = None, *_: Any, **__: Any
    ) -> Any:
        found = chosen("google id token", {**google_claims, "invalid": None})
        if found is None:
            raise ValueError("Could not verify token signature.")
        return {**_google_claims(audience), **found}

    for name in ("verify_token", "verify_oauth2_token", "verify_firebase_token"):
        replace(module, name, verified)
    replace(module, "fetch_id_token", lambda request, audience: "token")


def _google_claims(audience: Any) -> dict[str, Any]:
    return {
        "iss": "https://accounts.google.com", "aud": audience, "sub": "1", "email_verified": True,
        "email": "user1@example.com", "name": "name 1", "exp": 1893456000, "iat": 1767268800,
    }  # fmt: skip
