"""`boto3` and `botocore` stay real: `moto` answers in this process, and what is named exists."""

from __future__ import annotations

import ast
import json
from typing import cast

from ....answers.services.http_sites import object_contents
from ....contacts import Border, Contact, Example, Family, Mock, Treated
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
    """Anything of boto3 and botocore."""
    return border.named("boto3", "botocore", "aioboto3", "aiobotocore", "s3fs")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Keys and a region are supplied; services start empty, but for what the slice names."""
    del contacts
    more = ", has_requests=True" if border.named("requests") else ""
    held = (_held(border, _SECRETS), _held(border, _PARAMETERS))
    keys = _listed_keys(border)
    listed = ""
    if keys:
        body = object_contents(border, ("boto3",), _BODIES)["default"]
        listed = f"keep_objects({keys!r}, {body!r})\n"
    return Mock(
        treated=(
            Treated("boto3", "faked", "moto answers in place of the services"),
            Treated("botocore", "faked", "moto answers in place of the services"),
        ),
        setup=f"moto_clouds({_profiles(border)!r}{more})\nkeep_secrets{held!r}\n{listed}",
        pieces=("moto_clouds",),
        requirements=("moto[all]>=5.0",) if _is_rare(border) else ("moto>=5.0",),
    )


def _listed_keys(border: Border) -> list[str]:
    """Keys of objects that the slice reads from a listing; none where it reads none."""
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


def _held(border: Border, places: tuple[str, ...]) -> str:
    """What a secret or a parameter holds, as text."""
    value = variants_at(border, *places, kind="text")[0].value
    text = value if isinstance(value, str) else json.dumps(value)
    return text or "{}"


def _is_rare(border: Border) -> bool:
    """Whether services are used for which moto needs more than itself."""
    text = b"".join(file.content for file in border.sliced.files)
    return any(f'"{name}"'.encode() in text or f"'{name}'".encode() in text for name in _RARE)


_RARE = ("lambda", "batch", "cloudformation", "cognito-idp", "stepfunctions", "glue", "appsync")


def _profiles(border: Border) -> list[str]:
    """Names of profiles that the slice asks for."""
    found: set[str] = set()
    for file in border.sliced.files:
        if b"profile_name" in file.content:
            for node in ast.walk(ast.parse(file.content)):
                if isinstance(node, ast.keyword) and node.arg == "profile_name":
                    value = node.value
                    if isinstance(value, ast.Constant) and isinstance(value.value, str):
                        found.add(value.value)
    return sorted(found)


_NEEDS = ("boto3", "moto")
EXAMPLES = (
    Example(
        title="a bucket that is there",
        source="""\
import json

import boto3
from botocore.exceptions import ClientError

s3 = boto3.client("s3")
BUCKET = "my-data"


def save(key, value):
    s3.put_object(Bucket=BUCKET, Key=key, Body=json.dumps(value).encode())


def load(key):
    try:
        return json.loads(s3.get_object(Bucket=BUCKET, Key=key)["Body"].read())
    except ClientError as error:
        if error.response["Error"]["Code"] == "NoSuchKey":
            return None
        raise


def both(key):
    before = load(key)
    save(key, {"a": 1})
    return before, load(key)
""",
        target="both",
        call="both('x/y.json')",
        gives="(None, {'a': 1})",
        effects=(
            "query aws s3.GetObject",
            "request aws s3.PutObject",
            "query aws s3.GetObject",
        ),
        needs=_NEEDS,
    ),
    Example(
        title="a table in an object",
        source="""\
import boto3
from boto3.dynamodb.conditions import Key


class Users:
    def __init__(self, table="users"):
        self.table = boto3.resource("dynamodb", region_name="eu-west-1").Table(table)

    def add(self, user_id, name):
        self.table.put_item(Item={"user_id": user_id, "name": name})
        return self.table.get_item(Key={"user_id": user_id}).get("Item")

    def find(self, user_id):
        reply = self.table.query(KeyConditionExpression=Key("user_id").eq(user_id))
        return self.add(user_id, "Ann"), reply["Items"]
""",
        target="Users.add",
        call="Users().add('u1', 'Ann')",
        gives="{'user_id': 'u1', 'name': 'Ann'}",
        effects=("request aws dynamodb.PutItem", "query aws dynamodb.GetItem"),
        needs=_NEEDS,
    ),
    Example(
        title="a queue, and a topic",
        source="""\
import boto3


class Worker:
    def __init__(self, name, topic, session=None):
        session = session or boto3.Session(profile_name="work")
        self.sqs = session.client("sqs", region_name="us-east-1")
        self.sns = session.client("sns", region_name="us-east-1")
        self.url = self.sqs.get_queue_url(QueueName=name)["QueueUrl"]
        self.topic = topic

    def once(self, text):
        self.sqs.send_message(QueueUrl=self.url, MessageBody=text)
        found = self.sqs.receive_message(QueueUrl=self.url, MaxNumberOfMessages=10)
        for message in found.get("Messages", []):
            self.sns.publish(TopicArn=self.topic, Message=message["Body"].upper())
            self.sqs.delete_message(QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"])
        return [message["Body"] for message in found.get("Messages", [])]
""",
        target="Worker.once",
        call="Worker('jobs', 'arn:aws:sns:us-east-1:123456789012:done').once('hello')",
        gives="['hello']",
        effects=(
            "query aws sqs.GetQueueUrl",
            "request aws sqs.SendMessage",
            "query aws sqs.ReceiveMessage",
            "request aws sns.Publish",
            "request aws sqs.DeleteMessage",
        ),
        needs=_NEEDS,
    ),
    Example(
        title="a page that goes into a bucket",
        source="""\
import boto3
import requests


def mirror(url, bucket):
    s3 = boto3.client("s3")
    page = requests.get(url, timeout=3)
    s3.put_object(Bucket=bucket, Key="page", Body=page.content)
    again = requests.get(url, timeout=3).status_code
    return page.status_code, again, len(s3.list_objects_v2(Bucket=bucket)["Contents"])
""",
        target="mirror",
        call="mirror('https://there.example/', 'pages')",
        gives="(200, 200, 1)",
        effects=(
            "request GET https://there.example/",
            "request aws s3.PutObject",
            "request GET https://there.example/",
            "query aws s3.ListObjectsV2",
        ),
        needs=_NEEDS,
    ),
    Example(
        title="secrets and parameters",
        source="""\
import json

import boto3


def settings(name):
    client = boto3.client("secretsmanager", region_name="us-east-1")
    secret = json.loads(client.get_secret_value(SecretId=name)["SecretString"])
    ssm = boto3.client("ssm", region_name="us-east-1")
    value = ssm.get_parameter(Name=f"/{name}/url", WithDecryption=True)["Parameter"]["Value"]
    return sorted(secret), secret["password"].isspace(), type(value).__name__
""",
        target="settings",
        call="settings('app')",
        gives="(['password'], False, 'str')",
        effects=("query aws secretsmanager.GetSecretValue", "query aws ssm.GetParameter"),
        needs=_NEEDS,
    ),
    Example(
        title="what an account has",
        source="""\
import boto3

iam_client = boto3.client("iam")
ec2_client = boto3.client("ec2")


def survey():
    roles = [role["RoleName"] for role in iam_client.list_roles()["Roles"]]
    vpcs = [vpc["CidrBlock"] for vpc in ec2_client.describe_vpcs()["Vpcs"]]
    who = boto3.client("sts").get_caller_identity()["Account"]
    pages = boto3.client("s3").get_paginator("list_objects_v2").paginate(Bucket="my-logs", Prefix="p/")
    return roles, vpcs, who, [item["Key"] for page in pages for item in page.get("Contents", [])]
""",
        target="survey",
        call="survey()",
        gives="([], ['172.31.0.0/16'], '123456789012', ['p/key-1', 'p/key-2'])",
        effects=(
            "query aws iam.ListRoles",
            "query aws ec2.DescribeVpcs",
            "query aws sts.GetCallerIdentity",
            "query aws s3.ListObjectsV2",
        ),
        needs=_NEEDS,
    ),
    Example(
        title="what others have put into a bucket",
        source="""\
import json

import boto3

s3 = boto3.client("s3")


def names(bucket, prefix):
    found = []
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
        for item in page.get("Contents", []):
            if item["Key"].endswith(".json"):
                body = s3.get_object(Bucket=bucket, Key=item["Key"])["Body"].read()
                found.append((item["Key"], json.loads(body)["name"]))
    return found


def own(bucket):
    s3.put_object(Bucket=bucket, Key="a", Body=b"{}")
    return [item["Key"] for item in s3.list_objects_v2(Bucket=bucket)["Contents"]]


def all_names():
    return names("theirs", "in/"), own("mine")
""",
        target="all_names",
        call="(all_names(), __import__('slice_func_mocks').choose(**{'aws.listing': 'empty'}), names('other', ''))",
        gives="(([('in/key-1.json', 'name-1'), ('in/key-2.json', 'name-1')], ['a']), None, [])",
        effects=(
            "query aws s3.ListObjectsV2",
            "query aws s3.GetObject",
            "query aws s3.GetObject",
            "request aws s3.PutObject",
            "query aws s3.ListObjectsV2",
            "query aws s3.ListObjectsV2",
        ),
        needs=_NEEDS,
    ),
    Example(
        title="files up and down",
        source="""\
import io
import os

import boto3


def copy(path, bucket, key):
    s3 = boto3.resource("s3")
    with open(path, "w") as file:
        file.write("text")
    s3.meta.client.upload_file(path, bucket, key)
    os.remove(path)
    found = io.BytesIO()
    s3.Bucket(bucket).download_fileobj(key, found)
    url = s3.meta.client.generate_presigned_url(
        "get_object", Params={"Bucket": bucket, "Key": key}, ExpiresIn=60
    )
    return found.getvalue(), [o.key for o in s3.Bucket(bucket).objects.all()], url.split("?")[0]
""",
        target="copy",
        call="copy('a.txt', 'files', 'in/a.txt')",
        gives="(b'text', ['in/a.txt'], 'https://files.s3.amazonaws.com/in/a.txt')",
        effects=(
            "request aws s3.PutObject",
            "query aws s3.HeadObject",
            "query aws s3.GetObject",
            "query aws s3.ListObjects",
        ),
        needs=_NEEDS,
    ),
)

FAMILY = Family("aws", applies, stub, EXAMPLES)
