"""Firebase in this process: its database is a tree, users are there, and messages are noted."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from .....world.core.on_import import on_import
from .....world.core.world import choices, chosen, chosen_name, record, replace, restart_with
from .....world.google.google_accounts import google_account_file, google_credentials, google_server
from .....world.google.google_objects import google_refusal
from .....world.network.session_servers import Sent, Served, served_json


class FirebaseWorld:
    """What the database holds, and who is known."""

    values: dict[str, Any] = {}
    """Variant → what a place of the database holds to which nobody has written."""
    claims: dict[str, Any] = {}
    tree: dict[str, Any] = {}
    users: dict[str, dict[str, Any]] = {}
    pushed: list[int] = []


def firebase(values: dict[str, Any], claims: dict[str, Any]) -> None:
    """Answer Firebase's own services; its documents and objects are those of Google's cloud.

    Args:
        values: what the database holds where nobody has written, by variant.
        claims: what tokens say that are to be verified, by variant.
    """
    FirebaseWorld.values = {**values, "missing": None}
    FirebaseWorld.claims = {"default": {}, **claims}
    for held in (FirebaseWorld.tree, FirebaseWorld.users, FirebaseWorld.pushed):
        restart_with(held.clear)
    google_server(_answer_firebase)
    on_import("firebase_admin.credentials", _patch_certificates)
    on_import("firebase_admin._auth_client", _patch_tokens)
    on_import("firebase_admin.db", _patch_listening)
    on_import("firebase_admin", _patch_apps)


def _patch_apps(module: Any) -> None:
    """There is an app for whoever asks, though the script has begun none."""
    replace(module, "_apps", {})
    get_app, initialize = module.get_app, module.initialize_app
    own: list[Any] = []

    def get(name: str = module._DEFAULT_APP_NAME) -> Any:
        if name not in module._apps and name == module._DEFAULT_APP_NAME:
            options = {
                "databaseURL": "https://project.firebaseio.com",
                "storageBucket": "project.appspot.com",
            }
            own.append(initialize(module.credentials.Certificate({}), options))
        return get_app(name)

    def begin(*args: Any, **options: Any) -> Any:
        for app in own:
            module.delete_app(app)
        own.clear()
        return initialize(*args, **options)

    replace(module, "get_app", get)
    replace(module, "initialize_app", begin)


def _patch_certificates(module: Any) -> None:
    """Keys are good, whether there is a file or not."""

    def init(self: Any, cert: Any) -> None:
        info = cert if isinstance(cert, dict) else google_account_file(cert)
        super(module.Certificate, self).__init__()
        self._g_credential = google_credentials()
        self._project_id = info.get("project_id") or "project"
        self._service_account_email = (
            info.get("client_email") or "account@project.iam.gserviceaccount.com"
        )

    replace(module.Certificate, "__init__", init)
    for name in ("project_id", "service_account_email"):
        hidden = f"_{name}"
        replace(module.Certificate, name, property(lambda self, n=hidden: getattr(self, n)))
    replace(module.Certificate, "signer", property(lambda self: self._g_credential.signer))


def _patch_tokens(module: Any) -> None:
    def verify(self: Any, id_token: Any, *_args: Any, **_options: Any) -> Any:
        from firebase_admin import auth

        variants = {**FirebaseWorld.claims, "invalid": None, "expired": None, "revoked": None}
        found = chosen("firebase auth", variants)
        if not isinstance(id_token, (str, bytes)) or not id_token:
            raise ValueError(
                f"Illegal ID token provided: {id_token}. ID token must be a non-empty string."
            )
        if found is None:
            match choices.get("firebase auth"):
                case "expired":
                    raise auth.ExpiredIdTokenError("Token expired", cause=None)
                case "revoked":
                    raise auth.RevokedIdTokenError("The Firebase ID token has been revoked.")
                case _:
                    raise auth.InvalidIdTokenError("Could not verify token signature.")
        return {
            "iss": "https://securetoken.google.com/project", "aud": "project", "uid": "user-1",
            "sub": "user-1", "user_id": "user-1", "email": "user1@example.com",
            "email_verified": True, "auth_time": 1767268800, "iat": 1767268800, "exp": 1893456000,
            **found,
        }  # fmt: skip

    replace(module.Client, "verify_id_token", verify)
    if hasattr(module.Client, "verify_session_cookie"):
        replace(module.Client, "verify_session_cookie", verify)


def _patch_listening(module: Any) -> None:
    """Whoever listens is told once of what is there."""

    def listen(self: Any, callback: Any) -> Any:
        callback(module.Event(_Put({"path": "/", "data": self.get()})))

        class Told:
            def close(self) -> None:
                """Nobody is told any more."""

        return Told()

    replace(module.Reference, "listen", listen)


class _Put:
    """An event of the stream."""

    event_type = "put"

    def __init__(self, data: Any) -> None:
        self.data = json.dumps(data)


def _answer_firebase(sent: Sent) -> Served | None:
    if sent.path.endswith(".json") and (
        "firebaseio" in sent.host or "firebasedatabase" in sent.host
    ):
        return _tree_service(sent)
    match sent.host:
        case "fcm.googleapis.com":
            return _cloud_message(sent)
        case "identitytoolkit.googleapis.com":
            return _user_service(sent)
        case "iid.googleapis.com":
            record("request", f"firebase {sent.path}", sent.json())
            return served_json({"results": [{}]})
        case _:
            return None


# -------------------------------------------------------------------------- the database


def _tree_service(sent: Sent) -> Served:
    path = [unquote(part) for part in sent.path[: -len(".json")].split("/") if part]
    shown = "/" + "/".join(path)
    name = chosen_name("firebase", choices.get("firebase", "default"), "forbidden")
    if name == "forbidden":
        return served_json({"error": "Permission denied"}, 401)
    headers = {"ETag": "etag"}
    if sent.method == "GET":
        record("query", "firebase get", shown)
        return served_json(_filtered(_in_tree(path), sent.query), 200, **headers)
    data = json.loads(sent.body or b"null")
    what = {"PUT": "set", "PATCH": "update", "POST": "push", "DELETE": "delete"}[sent.method]
    record("request", f"firebase {what}", shown, *([data] if what != "delete" else []))
    match sent.method:
        case "POST":
            FirebaseWorld.pushed.append(1)
            key = f"-N{len(FirebaseWorld.pushed):018}"
            _put_in_tree([*path, key], data)
            return served_json({"name": key})
        case "PATCH":
            for key, value in data.items():
                _put_in_tree([*path, *key.split("/")], value)
        case _:
            _put_in_tree(path, None if sent.method == "DELETE" else data)
    if sent.query.get("print") == "silent":
        return Served(204, headers)
    return served_json(data, 200, **headers)


def _in_tree(path: list[str]) -> Any:
    found: Any = FirebaseWorld.tree
    for at, part in enumerate(path):
        if isinstance(found, list) and part.isdigit():
            found = dict(enumerate(found)).get(int(part))
        elif not isinstance(found, dict):
            return None
        elif part not in found and at == 0:
            return chosen("firebase", FirebaseWorld.values)  # nobody has written near it
        else:
            found = found.get(part)
    return found or (chosen("firebase", FirebaseWorld.values) if not path else found)


def _put_in_tree(path: list[str], value: Any) -> None:
    place: Any = FirebaseWorld.tree
    if not path:
        place.clear()
        place.update(value or {})
        return
    for part in path[:-1]:
        if not isinstance(place.get(part), dict):
            place[part] = {}
        place = place[part]
    if isinstance(value, dict) and value == {".sv": "timestamp"}:
        value = 1767268800000
    place[path[-1]] = value
    if value is None and len(path) > 1:
        del place[path[-1]]


def _filtered(found: Any, query: dict[str, str]) -> Any:
    """What a query lets through."""
    if "shallow" in query and isinstance(found, dict):
        return dict.fromkeys(found, True)
    if "orderBy" not in query or not isinstance(found, dict):
        return found
    by = json.loads(query["orderBy"])

    def value(key: str) -> Any:
        held: Any = found[key]
        if by == "$key":
            return key
        for part in [] if by == "$value" else by.split("/"):
            held = held.get(part) if isinstance(held, dict) else None
        return held

    def rank(key: str) -> Any:
        held = value(key)
        kind = (
            0
            if held is None
            else 1
            if isinstance(held, bool)
            else 2
            if isinstance(held, (int, float))
            else 3
        )
        return kind, held if kind > 0 else 0, key

    keys = sorted(found, key=rank)
    for name, test in (
        ("equalTo", lambda own, other: own == other),
        ("startAt", lambda own, other: own is not None and own >= other),
        ("endAt", lambda own, other: own is not None and own <= other),
    ):
        if name in query:
            other = json.loads(query[name])
            keys = [key for key in keys if test(value(key), other)]
    if "limitToFirst" in query:
        keys = keys[: int(query["limitToFirst"])]
    if "limitToLast" in query:
        keys = keys[-int(query["limitToLast"]) :]
    return {key: found[key] for key in keys}


# ---------------------------------------------------------------------- messages and users


def _cloud_message(sent: Sent) -> Served:
    said = sent.json()
    record("request", "firebase message", said.get("message", {}))
    name = chosen_name(
        "firebase messaging",
        choices.get("firebase messaging", "default"),
        "default",
        "unregistered",
    )
    if name == "unregistered":
        detail = {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "UNREGISTERED",
        }
        error = {"code": 404, "message": "Requested entity was not found.", "status": "NOT_FOUND"}
        return served_json({"error": {**error, "details": [detail]}}, 404)
    FirebaseWorld.pushed.append(1)
    return served_json({"name": f"projects/project/messages/{len(FirebaseWorld.pushed)}"})


def _user(uid: str, **said: Any) -> dict[str, Any]:
    return {
        "localId": uid, "email": "user1@example.com", "emailVerified": True, "displayName": "name 1",
        "validSince": "1767268800", "disabled": False, "createdAt": "1767268800000",
        "lastLoginAt": "1767268800000", "providerUserInfo": [], **said,
    }  # fmt: skip


def _user_service(sent: Sent) -> Served:
    said = sent.json()
    what = sent.path.rpartition("/")[2]
    if sent.method == "GET" or what == "accounts:lookup":
        record("query", f"firebase {what}", said or sent.query)
        return _looked_up(said)
    record("request", f"firebase {what}", said)
    users = FirebaseWorld.users
    match what:
        case "accounts":
            uid = said.get("localId") or f"user-{len(users) + 1}"
            if any(u.get("email") == said["email"] for u in users.values() if "email" in said):
                return google_refusal(400, "EMAIL_EXISTS")
            if uid in users:
                return google_refusal(400, "DUPLICATE_LOCAL_ID")
            given = {k: v for k, v in said.items() if k != "password"}
            users[uid] = {
                **_user(uid),
                "email": None,
                "emailVerified": False,
                "displayName": None,
                **given,
                "localId": uid,
            }
            return served_json({"localId": uid})
        case "accounts:update":
            uid = said["localId"]
            users[uid] = {**(users.get(uid) or _user(uid)), **said}
            return served_json({"localId": uid})
        case "accounts:delete":
            uid = said["localId"]
            if (
                uid not in users
                and chosen("firebase users", {"default": True, "missing": None}) is None
            ):
                return google_refusal(400, "USER_NOT_FOUND")
            users[uid] = {}
            return served_json({})
        case "accounts:sendOobCode":
            return served_json({"oobLink": "https://project.firebaseapp.com/__/auth/action?code=1"})
        case _:
            return served_json({"sessionCookie": "cookie"})


def _looked_up(said: dict[str, Any]) -> Served:
    users = FirebaseWorld.users
    if not said:
        return served_json({"users": [user for user in users.values() if user]})
    found: list[dict[str, Any]] = []
    for key, name in (("localId", "localId"), ("email", "email"), ("phoneNumber", "phoneNumber")):
        for wanted in said.get(key, ()):
            mine = [u for u in users.values() if u.get(name) == wanted]
            gone = key == "localId" and users.get(wanted) == {}
            there = chosen("firebase users", {"default": True, "missing": None})
            if not mine and not gone and there:
                mine = [_user(wanted if key == "localId" else "user-1", **{name: wanted})]
            found += mine
    return served_json({"users": found} if found else {})
