"""Clients of services that want an account: stand-ins that are asked, and answer what is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.mocker.model import Example

from tests.mocker.test_examples import run

EXAMPLES = (
    Example(
        title="a bucket of Google's",
        source="""\
from google.cloud import storage
from google.cloud.exceptions import NotFound


class Store:
    def __init__(self, bucket):
        self.client = storage.Client()
        self.bucket = self.client.bucket(bucket)

    def save(self, name, text):
        blob = self.bucket.blob(name)
        try:
            blob.upload_from_string(text, content_type="text/plain")
        except NotFound:
            return None
        return f"gs://{name}"
""",
        target="Store.save",
        call="Store('b').save('a.txt', 'text')",
        gives="'gs://a.txt'",
        effects=(
            "call google.cloud.storage.Client", "call google.cloud.storage.Client().bucket",
            "call google.cloud.storage.Client().bucket().blob",
            "call google.cloud.storage.Client().bucket().blob().upload_from_string",
        ),
    ),
    Example(
        title="rows of a query",
        source="""\
from google.cloud import bigquery

client = bigquery.Client(project="p")


def totals(day):
    job = bigquery.QueryJobConfig(
        query_parameters=[bigquery.ScalarQueryParameter("day", "DATE", day)]
    )
    rows = client.query("SELECT name, total FROM t WHERE day = @day", job_config=job).result()
    return sum(int(row["total"]) for row in rows) >= 0
""",
        target="totals",
        call="totals('2024-01-01')",
        gives="True",
        effects=(
            "call google.cloud.bigquery.ScalarQueryParameter",
            "call google.cloud.bigquery.QueryJobConfig",
            "call google.cloud.bigquery.Client().query",
            "call google.cloud.bigquery.Client().query().result",
        ),
    ),
    Example(
        title="documents of firebase",
        source="""\
import firebase_admin
from firebase_admin import credentials, firestore

if not firebase_admin._apps:
    firebase_admin.initialize_app(credentials.Certificate("key.json"))
db = firestore.client()


def rename(user, name):
    document = db.collection("users").document(user)
    document.set({"name": name}, merge=True)
    return document.get().exists is not None
""",
        target="rename",
        call="rename('u', 'Ann')",
        gives="True",
        effects=(
            "call firebase_admin.firestore.client().collection",
            "call firebase_admin.firestore.client().collection().document",
            "call firebase_admin.firestore.client().collection().document().set",
            "call firebase_admin.firestore.client().collection().document().get",
        ),
    ),
    Example(
        title="blobs and secrets of Azure",
        source="""\
from azure.core.exceptions import ResourceNotFoundError
from azure.identity import DefaultAzureCredential
from azure.keyvault.secrets import SecretClient
from azure.storage.blob import BlobServiceClient


def fetch(container, name):
    credential = DefaultAzureCredential()
    vault = SecretClient(vault_url="https://v.vault.azure.net", credential=credential)
    service = BlobServiceClient.from_connection_string(vault.get_secret("storage").value)
    try:
        data = service.get_blob_client(container, name).download_blob().readall()
    except ResourceNotFoundError:
        return None
    return data is not None
""",
        target="fetch",
        call="fetch('c', 'n')",
        gives="True",
        effects=(
            "call azure.identity.DefaultAzureCredential",
            "call azure.keyvault.secrets.SecretClient",
            "call azure.keyvault.secrets.SecretClient().get_secret",
            "call azure.storage.blob.BlobServiceClient.from_connection_string",
            "call azure.storage.blob.BlobServiceClient.from_connection_string().get_blob_client",
            "call azure.storage.blob.BlobServiceClient.from_connection_string().get_blob_client()"
            ".download_blob",
            "call azure.storage.blob.BlobServiceClient.from_connection_string().get_blob_client()"
            ".download_blob().readall",
        ),
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
            "call google.oauth2.service_account.Credentials.from_service_account_file",
            "call gspread.authorize", "call gspread.authorize().open",
            "call gspread.authorize().open().sheet1.append_row",
            "call wandb.init", "call wandb.log", "call wandb.finish",
        ),
    ),
)  # fmt: skip


@pytest.mark.parametrize("example", [pytest.param(e, id=e.title) for e in EXAMPLES])
def test_a_client_of_a_cloud_is_stubbed(example: Example, tmp_path: Path):
    (found,) = run(example, tmp_path, "other")
    assert found["gives"] == example.gives, found["stderr"]
    assert found["effects"] == list(example.effects)
    assert found["connections"] == []
