"""BigQuery: its client stays real, and queries answer rows of the shape that the slice reads."""

from __future__ import annotations

from typing import cast

from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....shapes.answer_shape import variants_at

_MODULE = "google.cloud.bigquery"
_ASKED = tuple(f"{_MODULE}.Client().{how}()" for how in ("query", "query_and_wait", "list_rows"))
_ROWS = (
    *(f"{asked}[]" for asked in _ASKED),
    *(f"{_MODULE}.Client().query().result(){part}" for part in ("[]", ".__next__()")),
)
_FRAMES = (
    *(f"{asked}.to_dataframe()" for asked in _ASKED),
    f"{_MODULE}.Client().query().result().to_dataframe()",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of BigQuery."""
    return border.named(_MODULE)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Queries give two rows; what is inserted or loaded into a table is found there again."""
    del contacts
    columns = _columns(border)
    rows = {v.name: v.value for v in variants_at(border, *_ROWS)}
    if columns:
        rows = {"default": columns} if not rows["default"] else rows
    return Mock(
        treated=(Treated(_MODULE, "faked", "its services are answered in this process"),),
        setup=f"google_accounts()\ngoogle_tables({rows!r})\n",
        pieces=("google_accounts", "google_tables"),
    )


def _columns(border: Border) -> dict[str, object]:
    """The columns of a frame that the slice takes, each with a value."""
    found = variants_at(border, *_FRAMES)[0].value
    if not isinstance(found, dict):
        return {}
    return {
        str(name): value if isinstance(value, str | int | float) else 1
        for name, value in cast("dict[object, object]", found).items()
    }


EXAMPLES: tuple[Example, ...] = (
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
    return {row["name"]: row.total + 1 for row in rows}
""",
        target="totals",
        call="totals('2024-01-01')",
        gives="{'name 1': 2, 'name 2': 2}",
        effects=("query google bigquery",),
        needs=(_MODULE,),
    ),
    Example(
        title="rows that are streamed into a table",
        source="""\
from google.api_core.exceptions import Conflict, NotFound
from google.cloud import bigquery


class Sink:
    def __init__(self, dataset, table):
        self.client = bigquery.Client()
        self.table_id = f"{self.client.project}.{dataset}.{table}"
        self.schema = [
            bigquery.SchemaField("name", "STRING", mode="REQUIRED"),
            bigquery.SchemaField("size", "INTEGER"),
        ]

    def ensure(self):
        try:
            return self.client.create_table(bigquery.Table(self.table_id, schema=self.schema))
        except Conflict:
            return self.client.get_table(self.table_id)

    def add(self, *rows):
        table = self.ensure()
        errors = self.client.insert_rows_json(self.table_id, list(rows))
        if errors:
            raise RuntimeError(errors)
        again = self.ensure()
        return [(row.name, row["size"]) for row in self.client.list_rows(table)], again.table_id
""",
        target="Sink.add",
        call="Sink('logs', 'files').add({'name': 'a', 'size': 1}, {'name': 'b', 'size': 2})",
        gives="([('a', 1), ('b', 2)], 'files')",
        effects=(
            "request google bigquery.create_table",
            "request google bigquery.insert",
            "request google bigquery.create_table",
            "query google bigquery.get_table",
            "query google bigquery.list_rows",
        ),
        needs=(_MODULE,),
    ),
    Example(
        title="a table that is not there",
        source="""\
from google.api_core import exceptions
from google.cloud import bigquery


def count(client: bigquery.Client, table):
    try:
        for row in client.query_and_wait(f"SELECT COUNT(*) AS n FROM `{table}`"):
            return row.n
    except exceptions.NotFound:
        return -1
    except exceptions.BadRequest as error:
        return int(error.code)


def counts(table):
    return count(bigquery.Client(), table)
""",
        target="counts",
        call="[[__import__('slice_func_mocks').choose(**{'google.bigquery': v}), counts('a.b')][1] for v in ('default', 'missing', 'invalid', 'empty')]",
        gives="[1, -1, 400, None]",
        effects=("query google bigquery",) * 4,
        needs=(_MODULE,),
    ),
    Example(
        title="a file that is loaded, and a statement that changes",
        source="""\
import io
import json

from google.cloud import bigquery

client = bigquery.Client()


def load(table, records):
    config = bigquery.LoadJobConfig(
        source_format=bigquery.SourceFormat.NEWLINE_DELIMITED_JSON,
        write_disposition=bigquery.WriteDisposition.WRITE_TRUNCATE,
        autodetect=True,
    )
    job = client.load_table_from_json(records, table, job_config=config)
    job.result()
    changed = client.query(f"UPDATE `{table}` SET done = TRUE WHERE id = 1")
    changed.result()
    names = [row["name"] for row in client.query(f"SELECT name FROM `{table}`")]
    return job.output_rows, changed.num_dml_affected_rows, names
""",
        target="load",
        call="load('p.d.t', [{'id': 1, 'name': 'a'}, {'id': 2, 'name': 'b'}])",
        gives="(2, 1, ['a', 'b'])",
        effects=(
            "request google bigquery.load",
            "query google bigquery",
            "query google bigquery",
        ),
        needs=(_MODULE,),
    ),
    Example(
        title="rows that are taken by place, and a job that is priced first",
        source="""\
from google.cloud import bigquery
from google.oauth2 import service_account


class Warehouse:
    def __init__(self, key="key.json"):
        self.credentials = service_account.Credentials.from_service_account_file(key)
        self.client = bigquery.Client(
            credentials=self.credentials, project=self.credentials.project_id
        )

    def price(self, sql):
        config = bigquery.QueryJobConfig(dry_run=True, use_query_cache=False)
        return self.client.query(sql, job_config=config).total_bytes_processed / 1e9 * 5

    def first(self, sql):
        if self.price(sql) > 10:
            return None
        results = self.client.query(sql).result()
        rows = list(results)
        return rows[0][0].upper(), round(rows[0][1] / 3), results.total_rows
""",
        target="Warehouse.first",
        call="Warehouse().first('SELECT name, amount FROM sales')",
        gives="('TEXT-1', 1, 2)",
        effects=("query google bigquery", "query google bigquery"),
        needs=(_MODULE,),
    ),
)

FAMILY = Family("bigquery", applies, stub, EXAMPLES)
