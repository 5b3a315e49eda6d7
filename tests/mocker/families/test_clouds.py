"""Clients of services that want an account: stand-ins that are asked, and answer what is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mocker.families.family_examples import Example
from tests.mocker.families.test_examples import check_alone, made

EXAMPLES = (
    Example(
        title="a picture in a bucket: storage is answered, and what looks at it is stubbed",
        source="""\
from google.cloud import storage, vision

client = vision.ImageAnnotatorClient()


def labels(bucket, name):
    blob = storage.Client().bucket(bucket).blob(name)
    if not blob.exists():
        return None
    image = vision.Image(content=blob.download_as_bytes())
    found = client.label_detection(image=image).label_annotations
    return [label.description.lower() for label in found if label.score > 0.5][:1]
""",
        target="labels",
        call="labels('b', 'a.png')",
        gives="['text-1']",
        effects=(
            "query google storage.objects.get", "query google storage.objects.get",
            "call google.cloud.vision.Image",
            "call google.cloud.vision.ImageAnnotatorClient().label_detection",
        ),
        needs=("google.cloud.storage",),
    ),
    Example(
        title="machines of Azure: the account is answered, and what manages machines is stubbed",
        source="""\
from azure.core.exceptions import HttpResponseError
from azure.identity import DefaultAzureCredential
from azure.mgmt.compute import ComputeManagementClient


def stop(subscription, group):
    client = ComputeManagementClient(DefaultAzureCredential(), subscription)
    try:
        for machine in client.virtual_machines.list(group):
            client.virtual_machines.begin_deallocate(group, machine.name).result()
    except HttpResponseError:
        return None
    return type(DefaultAzureCredential()).__module__
""",
        target="stop",
        call="stop('s', 'g')",
        gives="'azure.identity._credentials.default'",
        effects=(
            "call azure.mgmt.compute.ComputeManagementClient",
            "call azure.mgmt.compute.ComputeManagementClient().virtual_machines.list",
            *(
                "call azure.mgmt.compute.ComputeManagementClient().virtual_machines"
                f".begin_deallocate{more}"
                for more in ("", "().result") * 2
            ),
        ),
        needs=("azure.identity",),
    ),
    Example(
        title="rows of a sheet, and a run that is watched",
        source="""\
import gspread
import wandb
from google.oauth2.service_account import Credentials


def log(values):
    scopes = ["https://www.googleapis.com/auth/spreadsheets"]
    keys = Credentials.from_service_account_file("key.json", scopes=scopes)
    sheet = gspread.authorize(keys).open("Log").sheet1
    sheet.append_row(values)
    wandb.init(project="p", config={"values": len(values)})
    wandb.log({"sum": sum(values)})
    wandb.finish()
    return len(values)
""",
        target="log",
        call="log([1, 2])",
        gives="2",
        effects=(
            "call gspread.authorize", "call gspread.authorize().open",
            "call gspread.authorize().open().sheet1.append_row",
            "call wandb.init", "call wandb.log", "call wandb.finish",
        ),
        needs=("google.oauth2",),
    ),
)  # fmt: skip


@pytest.mark.parametrize("example", [pytest.param(e, id=e.title) for e in EXAMPLES])
def test_a_client_of_a_cloud_is_stubbed(example: Example, tmp_path: Path):
    check_alone(made(example, tmp_path), tmp_path)
