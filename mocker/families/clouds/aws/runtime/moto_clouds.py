"""Amazon's services in this process: moto answers, and what the script names exists already."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import chosen, record, replace, restart_with, undo_with
from .....world.data.file_contents import content_bytes

_KEYS = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_SESSION_TOKEN": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    # nothing of the machine's own settings
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
}
_READS = ("Get", "List", "Describe", "Head", "Scan", "Query", "Receive", "Select", "BatchGet")
_busy: list[bool] = []


def moto_clouds(profiles: list[str], *, has_requests: bool = False) -> None:
    """Answer boto3 and botocore; a bucket, queue, table or the like is made when first named.

    Where the script uses requests as well, these are left to whoever answers them.
    """
    for name, value in _KEYS.items():
        before = os.environ.get(name)
        os.environ[name] = value
        undo_with(_set_again, name, before)
    # a session that the host has made holds its keys, and one of the script's is not for the host
    on_import("boto3", lambda module: replace(module, "DEFAULT_SESSION", None))
    on_import("botocore.client", lambda client: _start(client, has_requests))
    if profiles:
        on_import("botocore.session", lambda module: _any_profile(module, profiles))


def _set_again(name: str, before: str | None) -> None:
    if before is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = before


def _any_profile(module: Any, profiles: list[str]) -> None:
    """The profiles that the script names are there, whatever files the machine has."""
    session = module.Session
    keys = module.botocore.credentials.Credentials("testing", "testing")
    replace(session, "_build_profile_map", lambda _self: {name: {} for name in profiles})
    replace(session, "available_profiles", property(lambda _self: list(profiles)))
    replace(session, "get_credentials", lambda self: self._credentials or keys)


def _start(client: Any, has_requests: bool) -> None:
    """Once clients can be made: until then nobody needs the fake, which is slow to load."""
    real_init = client.BaseClient.__init__
    started: list[Any] = []

    def init(self: Any, *args: Any, **named: Any) -> None:
        if not started:
            from moto import mock_aws

            mock = mock_aws()
            started.append(mock)
            mock.start(reset=True)
            undo_with(mock.stop)
            _begin_anew(mock)
            restart_with(_begin_anew, mock)
            if has_requests:
                from moto.core.models import responses_mock

                responses_mock.stop()
        real_init(self, *args, **named)
        from moto.core import patch_client

        with contextlib.suppress(Exception):
            patch_client(self)

    replace(client.BaseClient, "__init__", init)
    call = vars(client.BaseClient)["_make_api_call"]

    def noted(self: Any, operation_name: str, api_params: dict[str, Any]) -> Any:
        service = self.meta.service_model.service_name
        if _busy:
            return call(self, operation_name, api_params)
        kind = "query" if operation_name.startswith(_READS) else "request"
        plain = {name: _plain_aws(value) for name, value in api_params.items()}
        record(kind, f"aws {service}.{operation_name}", **plain)
        _busy.append(True)
        try:
            _provide(self, service, operation_name, api_params)
            return call(self, operation_name, api_params)
        finally:
            _busy.pop()

    replace(client.BaseClient, "_make_api_call", noted)


def _begin_anew(mock: Any) -> None:
    """Empty services, whose identifiers come in the same order each time."""
    from moto.moto_api._internal import mock_random

    mock.reset()
    mock_random.seed(0)
    _made_already.clear()


def _plain_aws(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _plain_aws(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain_aws(each) for each in value]
    if isinstance(value, (str, int, float, bool, bytes, type(None))):
        return value
    if hasattr(value, "read"):
        return "<stream>"
    return str(value)


def _provide(client: Any, service: str, operation: str, params: dict[str, Any]) -> None:
    """Make what an operation names, where the operation itself does not, and it is not there."""
    if service == "s3" and not operation.startswith(_READS):
        _made_already.setdefault("s3 own", set()).add(params.get("Bucket"))
    if operation.startswith(("Create", "Delete", "Run")) or _cloud_made(service, params) is None:
        return
    if operation in ("ListObjects", "ListObjectsV2"):
        _make_listed(client, params)
    key = _cloud_made(service, params)
    found = _made_already.setdefault(f"{service} {client.meta.region_name}", set())
    if key in found:
        return
    found.add(key)
    with contextlib.suppress(Exception):
        _MAKERS[service](client, operation, params)


def _make_listed(client: Any, params: dict[str, Any]) -> None:
    """Have a listing hold what the script reads from it, where it has put nothing there itself."""
    keys = (
        chosen("aws.listing", {"default": _objects_listed["keys"], "empty": []})
        if _objects_listed
        else []
    )
    own = _made_already.setdefault("s3 own", set())
    if params["Bucket"] in own or not keys:
        return
    own.add(params["Bucket"])
    with contextlib.suppress(Exception):
        _make_bucket(client, "", params)
    for key in keys:
        prefix = params.get("Prefix") or ""
        name = key if key.startswith(prefix) else prefix + key
        client.put_object(
            Bucket=params["Bucket"], Key=name, Body=content_bytes(_objects_listed["body"], name)
        )


_objects_listed: dict[str, Any] = {}
_made_already: dict[str, set[Any]] = {}
_NAMED = {
    "s3": "Bucket", "sqs": "QueueName", "dynamodb": "TableName", "sns": "TopicArn",
    "secretsmanager": "SecretId", "ssm": "Name", "kinesis": "StreamName", "logs": "logGroupName",
    "lambda": "FunctionName",
}  # fmt: skip


def _cloud_made(service: str, params: dict[str, Any]) -> Any:
    if service == "sqs" and "QueueUrl" in params:
        return params["QueueUrl"].rpartition("/")[2]
    return params.get(_NAMED.get(service, ""))


def _make_bucket(client: Any, _operation: str, params: dict[str, Any]) -> None:
    region = client.meta.region_name
    there = {} if region in (None, "us-east-1", "aws-global") else {
        "CreateBucketConfiguration": {"LocationConstraint": region}
    }  # fmt: skip
    client.create_bucket(Bucket=params["Bucket"], **there)


def _make_queue(client: Any, _operation: str, params: dict[str, Any]) -> None:
    name = _cloud_made("sqs", params)
    fifo = {"Attributes": {"FifoQueue": "true"}} if name.endswith(".fifo") else {}
    client.create_queue(QueueName=name, **fifo)


def _make_cloud_table(client: Any, operation: str, params: dict[str, Any]) -> None:
    """A table whose key is what the first operation names."""
    asked = params.get("Key") or {}
    item = params.get("Item") or {}
    names = list(asked) or [next((n for n in item if n.lower() in _KEY_NAMES), "")]
    names = [name for name in names if name] or list(item)[:1] or ["id"]
    kinds = {"str": "S", "int": "N", "Decimal": "N", "bytes": "B"}

    def kind(name: str) -> str:
        value = asked.get(name, item.get(name, ""))
        return (
            next(iter(value)) if isinstance(value, dict) else kinds.get(type(value).__name__, "S")
        )

    roles = ("HASH", "RANGE")
    client.create_table(
        TableName=params["TableName"],
        KeySchema=[{"AttributeName": n, "KeyType": r} for n, r in zip(names, roles, strict=False)],
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": kind(n)} for n in names[:2]],
        BillingMode="PAY_PER_REQUEST",
    )


_KEY_NAMES = ("id", "pk", "key", "uuid", "name", "user_id", "userid", "username", "email")


def _make_topic(client: Any, _operation: str, params: dict[str, Any]) -> None:
    client.create_topic(Name=params["TopicArn"].rpartition(":")[2])


def _make_secret(client: Any, _operation: str, params: dict[str, Any]) -> None:
    client.create_secret(Name=params["SecretId"], SecretString=_secrets["secret"])


def _make_parameter(client: Any, operation: str, params: dict[str, Any]) -> None:
    if operation == "GetParameter":
        client.put_parameter(Name=params["Name"], Value=_secrets["parameter"], Type="SecureString")


def _make_stream(client: Any, _operation: str, params: dict[str, Any]) -> None:
    client.create_stream(StreamName=params["StreamName"], ShardCount=1)


def _make_log(client: Any, _operation: str, params: dict[str, Any]) -> None:
    client.create_log_group(logGroupName=params["logGroupName"])


_secrets = {"secret": "{}", "parameter": "{}"}
_MAKERS: dict[str, Any] = {
    "s3": _make_bucket, "sqs": _make_queue, "dynamodb": _make_cloud_table, "sns": _make_topic,
    "secretsmanager": _make_secret, "ssm": _make_parameter, "kinesis": _make_stream,
    "logs": _make_log,
}  # fmt: skip


def keep_secrets(secret: str, parameter: str) -> None:
    """What secrets and parameters hold."""
    _secrets.update(secret=secret, parameter=parameter)


def keep_objects(keys: list[str], body: Any) -> None:
    """What listings of objects hold where the script has put nothing."""
    _objects_listed.update(keys=keys, body=body)
