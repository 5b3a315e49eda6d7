"""`boto3` and `botocore` stay real: `moto` answers in this process, and named resources exist."""

from __future__ import annotations

import ast
import json
from typing import cast

from ....answers.services.http_defaults import object_contents
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
from ....shapes.answer_shape import variants_at

_CLIENTS = ("boto3.client()", "boto3.session.Session().client()", "boto3.Session().client()")
_SECRETS = tuple(f"{client}.get_secret_value()[]" for client in _CLIENTS)
_LISTINGS = tuple(
    f"{client}.{how}"
    for client in _CLIENTS
    for how in ("get_paginator().paginate()[]", "list_objects_v2()", "list_objects()")
)
_KEYS = tuple(
    f"{resource}.Bucket().objects.{how}()[].key"
    for resource in ("boto3.resource()", "boto3.Session().resource()")
    for how in ("all", "filter", "limit")
)
_BODIES = (
    *(f"{client}.get_object()[].read()" for client in _CLIENTS),
    "boto3.resource().Object().get()[].read()",
    "boto3.resource().Bucket().objects.all()[].get()[].read()",
    "boto3.resource().Bucket().objects.filter()[].get()[].read()",
)
_PARAMETERS = tuple(f"{client}.get_parameter()[][]" for client in _CLIENTS)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with boto3, botocore and libraries above them."""
    return border.named("boto3", "botocore", "aioboto3", "aiobotocore", "s3fs")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Keys and a region are set; services are empty except for resources that the slice names."""
    del contacts
    more = ", has_requests=True" if border.named("requests") else ""
    contents = (_content_at(border, _SECRETS), _content_at(border, _PARAMETERS))
    keys = _listed_keys(border)
    listed = ""
    if keys:
        body = object_contents(border, ("boto3",), _BODIES)["default"]
        listed = f"keep_objects({keys!r}, {body!r})\n"
    return Mock(
        treated=(
            ModuleTreatment("boto3", "faked", "moto answers in place of the services"),
            ModuleTreatment("botocore", "faked", "moto answers in place of the services"),
        ),
        setup=f"moto_clouds({_profiles(border)!r}{more})\nkeep_secrets{contents!r}\n{listed}",
        pieces=("moto_clouds",),
        requirements=("moto[all]>=5.0",) if _is_rare(border) else ("moto>=5.0",),
    )


def _listed_keys(border: Border) -> list[str]:
    """Return the keys of objects that the slice reads from a listing; empty if it reads none."""
    found: list[object] = [v.value for v in variants_at(border, *_KEYS, kind="text")[:1]]
    page = variants_at(border, *_LISTINGS)[0].value
    if isinstance(page, dict):
        listed = cast("dict[str, object]", page).get("Contents")
        items = cast("list[object]", listed) if isinstance(listed, list) else []
        rows = [cast("dict[str, object]", item) for item in items if isinstance(item, dict)]
        found += [row.get("Key", f"key-{number}") for number, row in enumerate(rows, 1)]
    texts = [key for key in found if isinstance(key, str) and key]
    whole = [f"key-{n}{k}" if k.startswith(".") else k for n, k in enumerate(texts, 1)]
    return sorted(set(whole))


def _content_at(border: Border, places: tuple[str, ...]) -> str:
    """Return the content of a secret or parameter, as text."""
    value = variants_at(border, *places, kind="text")[0].value
    text = value if isinstance(value, str) else json.dumps(value)
    return text or "{}"


def _is_rare(border: Border) -> bool:
    """Whether the slice uses services for which moto needs further packages."""
    text = b"".join(file.content for file in border.sliced.files)
    return any(f'"{name}"'.encode() in text or f"'{name}'".encode() in text for name in _RARE)


_RARE = ("lambda", "batch", "cloudformation", "cognito-idp", "stepfunctions", "glue", "appsync")


def _profiles(border: Border) -> list[str]:
    """Return the names of profiles that the slice uses."""
    found: set[str] = set()
    for file in border.sliced.files:
        if b"profile_name" in file.content:
            for node in ast.walk(ast.parse(file.content)):
                if isinstance(node, ast.keyword) and node.arg == "profile_name":
                    value = node.value
                    if isinstance(value, ast.Constant) and isinstance(value.value, str):
                        found.add(value.value)
    return sorted(found)


FAMILY = Family("aws", stub, applies)
