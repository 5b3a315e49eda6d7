"""BigQuery in this process: queries answer rows of the shape that the script reads."""

from __future__ import annotations

import base64
import re
from typing import Any

from .....world.core.world import choices, chosen, record, restart_with
from .....world.data.sample_values import sample_value
from .....world.google.google_accounts import google_server
from .....world.google.google_objects import google_refusal, upload_parts
from .....world.network.http_answers import shown_bytes
from .....world.network.session_servers import Sent, Served, served_json

_API_OF_TABLES = re.compile(
    r"/(upload/|resumable/upload/)?bigquery/v2/projects/[^/]+/.*", re.DOTALL
)


class TableWorld:
    """The tables of all projects, and the jobs that have been asked for."""

    rows: dict[str, Any] = {}
    """Variant → a row as a dictionary or a list; `None` for no rows."""
    count = 2
    jobs: dict[str, Any] = {}
    tables: dict[str, Any] = {}
    written: dict[str, list[dict[str, Any]]] = {}
    uploads: list[Any] = []


def google_tables(rows: dict[str, Any]) -> None:
    """Answer BigQuery; what nobody has written gives one of these rows."""
    TableWorld.rows = {**rows, "empty": None, "missing": ..., "invalid": ...}
    for held in (TableWorld.jobs, TableWorld.tables, TableWorld.written, TableWorld.uploads):
        restart_with(held.clear)
    google_server(_answer_tables)


def _answer_tables(sent: Sent) -> Served | None:
    if "bigquery" not in sent.host or not _API_OF_TABLES.fullmatch(sent.path):
        return None
    at = sent.parts.index("projects")
    project, parts = sent.parts[at + 1], sent.parts[at + 2 :]
    if "upload" in sent.parts[:at]:
        return _upload_rows(sent)
    match parts:
        case ["queries"]:
            said = sent.json()
            return _ask(project, said, {"query": said}) or _results(
                project, TableWorld.jobs[said["_id"]]
            )
        case ["queries", job]:
            return _results(project, TableWorld.jobs.get(job, {}), sent)
        case ["jobs"] if sent.method == "POST":
            said = sent.json()
            reference = said.get("jobReference") or {}
            job = reference.get("jobId", "job")
            refused = _ask(project, said, said.get("configuration", {}), job)
            return refused or served_json(_job(project, TableWorld.jobs[job]))
        case ["jobs"]:
            return served_json({"jobs": []})
        case ["jobs", job, *_]:
            return served_json(_job(project, TableWorld.jobs.get(job, {"id": job, "rows": []})))
        case ["datasets", dataset, "tables", table, "insertAll"]:
            return _insert_all(f"{dataset}.{table}", sent.json())
        case ["datasets", dataset, "tables", table, "data"]:
            record("query", "google bigquery.list_rows", f"{dataset}.{table}")
            found = _rows_of(f"{dataset}.{table}")
            fields = _fields_of(found)
            return served_json(
                {"totalRows": str(len(found)), "rows": [_row(r, fields) for r in found]}
            )
        case _:
            return _resource(project, parts, sent)


def _ask(project: str, said: dict[str, Any], asked: dict[str, Any], job: str = "") -> Served | None:
    """Begin a job: note it, and keep its rows; a refusal where the case wants one."""
    job = job or str(len(TableWorld.jobs) + 1)
    said["_id"] = job
    query = asked.get("query")
    kept = TableWorld.jobs[job] = {"id": job, "asked": asked, "rows": [], "fields": None}
    if query is None:
        kind = next((name for name in ("load", "extract", "copy") if name in asked), "job")
        told = asked.get(kind, {})
        table = told.get("destinationTable") or told.get("sourceTable") or {}
        name = f"{table.get('datasetId')}.{table.get('tableId')}"
        record(
            "request",
            f"google bigquery.{kind}",
            name,
            *(told.get("sourceUris") or ()),
            *(told.get("destinationUris") or ()),
        )
        return None
    sql = query["query"] if isinstance(query, dict) else query
    given = (query if isinstance(query, dict) else asked).get("queryParameters") or ()
    values = {each.get("name") or str(at): _query_parameter(each) for at, each in enumerate(given)}
    record("query", "google bigquery", sql, *([values] if values else []))
    place = chosen("google.bigquery", TableWorld.rows)
    if place is ...:
        if choices.get("google.bigquery") == "missing":
            return google_refusal(404, "Not found: Table was not found")
        return google_refusal(400, "Syntax error: Unexpected end of script")
    if (query.get("dryRun") if isinstance(query, dict) else None) or asked.get("dryRun"):
        return None
    if not re.match(r"\s*(--[^\n]*\n\s*)*(SELECT|WITH|\()", sql, re.IGNORECASE):
        kept["changed"] = 1
        return None
    columns = selected_columns(sql)
    table = re.search(r"\bFROM\s+`?([\w.\-]+)`?", sql, re.IGNORECASE)
    written = TableWorld.written.get(_table_name(table[1])) if table else None
    kept["rows"] = written if written is not None else _made_rows(place, columns)
    kept["fields"] = _fields_of(kept["rows"]) or [{"name": c, "type": "STRING"} for c in columns]
    return None


def _table_name(name: str) -> str:
    return ".".join(name.replace("`", "").split(".")[-2:])


def _query_parameter(said: dict[str, Any]) -> Any:
    value = said.get("parameterValue", {})
    if "arrayValues" in value:
        return [each.get("value") for each in value["arrayValues"]]
    return value.get("value", value)


def selected_columns(sql: str) -> list[str]:
    """The names of the columns that a query gives; none where it says `*`."""
    text = re.sub(r"--[^\n]*|/\*.*?\*/", " ", sql, flags=re.DOTALL)
    depth, at, start, end = 0, 0, None, len(text)
    for found in re.finditer(r"[()]|\b(SELECT|FROM)\b", text, re.IGNORECASE):
        word = found[0].upper()
        depth += (word == "(") - (word == ")")
        if depth == 0 and word == "SELECT" and start is None:
            start = found.end()
        elif depth == 0 and word == "FROM" and start is not None:
            end = found.start()
            break
    if start is None:
        return []
    items: list[str] = [""]
    depth = 0
    for at in range(start, end):
        depth += (text[at] in "([<") - (text[at] in ")]>")
        if text[at] == "," and depth == 0:
            items.append("")
        else:
            items[-1] += text[at]
    names: list[str] = []
    for number, item in enumerate(items):
        text = re.sub(r"^\s*(DISTINCT|ALL)\s+", "", item, flags=re.IGNORECASE).strip()
        if text.endswith("*") or not text:
            return []
        named = re.search(r"(?:\bAS\s+|[\s.`]|^)`?([A-Za-z_]\w*)`?$", text, re.IGNORECASE)
        names.append(named[1] if named else f"f{number}_")
    return names


def _made_rows(place: Any, columns: list[str]) -> list[dict[str, Any]]:
    if place is None:
        return []
    if isinstance(place, (list, tuple)):
        names = columns or [f"f{at}_" for at in range(len(place))]
        place = dict(zip(names, place, strict=False))
    if not isinstance(place, dict):
        place = {columns[0] if columns else "f0_": place}
    names = {**dict.fromkeys(columns), **dict.fromkeys(map(str, place))}
    return [
        {n: place[n] if n in place else sample_value(n, "", number) for n in names}
        for number in range(1, TableWorld.count + 1)
    ]


def _kind_of_cell(value: Any) -> str:
    kinds = {bool: "BOOLEAN", int: "INTEGER", float: "FLOAT", bytes: "BYTES", dict: "RECORD"}
    return kinds.get(type(value), "STRING")


def _fields_of(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The fields of rows, by their values."""
    found: list[dict[str, Any]] = []
    for name in dict.fromkeys(name for row in rows for name in row):
        value = next((row[name] for row in rows if row.get(name) is not None), None)
        mode = "NULLABLE"
        if isinstance(value, (list, tuple)):
            mode, value = "REPEATED", next(iter(value), "")
        below = {"fields": _fields_of([value])} if isinstance(value, dict) else {}
        found.append({"name": name, "type": _kind_of_cell(value), "mode": mode, **below})
    return found


def _cell(value: Any, field: dict[str, Any]) -> Any:
    if value is None:
        return None
    if field["mode"] == "REPEATED" and isinstance(value, (list, tuple)):
        return [{"v": _cell(each, {**field, "mode": ""})} for each in value]
    if isinstance(value, dict) and "fields" in field:
        return _row(value, field["fields"])
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return str(value)


def _row(row: dict[str, Any], fields: list[dict[str, Any]]) -> dict[str, Any]:
    return {"f": [{"v": _cell(row.get(field["name"]), field)} for field in fields]}


def _results(project: str, job: dict[str, Any], sent: Any = None) -> Served:
    rows, fields = job.get("rows", []), job.get("fields")
    reply: dict[str, Any] = {
        "kind": "bigquery#queryResponse", "jobComplete": True, "totalRows": str(len(rows)),
        "jobReference": {"projectId": project, "jobId": job.get("id", "job"), "location": "US"},
        "totalBytesProcessed": "0", "cacheHit": False,
    }  # fmt: skip
    if "changed" in job:
        reply["numDmlAffectedRows"] = str(job["changed"])
    reply["schema"] = {"fields": fields or []}
    if sent is None or sent.query.get("maxResults") != "0":
        reply["rows"] = [_row(row, fields or []) for row in rows]
    return served_json(reply)


def _job(project: str, job: dict[str, Any]) -> dict[str, Any]:
    asked = dict(job.get("asked") or {"query": {"query": ""}})
    destination = {"projectId": project, "datasetId": "_results", "tableId": f"t{job['id']}"}
    if "query" in asked:
        asked["query"] = {"destinationTable": destination, **asked["query"]}
    count = str(len(job["rows"]))
    changed = {"numDmlAffectedRows": str(job["changed"])} if "changed" in job else {}
    kind = "SELECT" if "changed" not in job else "INSERT"
    return {
        "kind": "bigquery#job", "id": f"{project}:US.{job['id']}", "configuration": asked,
        "jobReference": {"projectId": project, "jobId": job["id"], "location": "US"},
        "status": {"state": "DONE"}, "user_email": "account@project.iam.gserviceaccount.com",
        "statistics": {
            "creationTime": "1767268800000", "startTime": "1767268800000", "endTime": "1767268800000",
            "totalBytesProcessed": "0", "load": {"outputRows": str(job.get("loaded", count))},
            "query": {"totalBytesProcessed": "0", "totalBytesBilled": "0", "statementType": kind, **changed},
        },
    }  # fmt: skip


def _upload_rows(sent: Sent) -> Served:
    """Files that are loaded into a table."""
    if sent.query.get("uploadType") == "resumable" and sent.method == "POST":
        TableWorld.uploads.append([sent.json(), b""])
        number = len(TableWorld.uploads)
        url = f"https://{sent.host}{sent.path}?uploadType=resumable&upload_id={number}"
        return Served(200, {"Location": url})
    if "upload_id" in sent.query:
        session = TableWorld.uploads[int(sent.query["upload_id"]) - 1]
        session[1] += sent.body
        total = (sent.headers.get("content-range") or "").rpartition("/")[2]
        if total == "*" or (total.isdigit() and len(session[1]) < int(total)):
            return Served(308, {"Range": f"bytes=0-{len(session[1]) - 1}"})
        said, content = session
    else:
        kind = sent.headers.get("content-type") or ""
        said, content = upload_parts(sent.body, kind if isinstance(kind, str) else kind.decode())
    told = said.get("configuration", {}).get("load", {})
    table = told.get("destinationTable", {})
    name = f"{table.get('datasetId')}.{table.get('tableId')}"
    is_text = told.get("sourceFormat") in ("NEWLINE_DELIMITED_JSON", "CSV", None)
    shown = shown_bytes(content) if is_text else told.get("sourceFormat")
    record("request", "google bigquery.load", name, shown)
    job = said.get("jobReference", {}).get("jobId", "job")
    kept = {"id": job, "asked": said.get("configuration", {}), "rows": []}
    if told.get("sourceFormat") == "NEWLINE_DELIMITED_JSON":
        import json

        rows = [json.loads(line) for line in content.decode().splitlines() if line.strip()]
        TableWorld.written.setdefault(name, []).extend(rows)
        kept["loaded"] = len(rows)
    TableWorld.jobs[job] = kept
    return served_json(_job(table.get("projectId", "project"), kept))


def _insert_all(table: str, said: dict[str, Any]) -> Served:
    rows = [each["json"] for each in said.get("rows", [])]
    record("request", "google bigquery.insert", table, rows)
    if chosen("google.bigquery", TableWorld.rows) is ...:
        return google_refusal(404, f"Not found: Table {table}")
    TableWorld.written.setdefault(table, []).extend(rows)
    return served_json({"kind": "bigquery#tableDataInsertAllResponse"})


def _rows_of(table: str) -> list[dict[str, Any]]:
    if table in TableWorld.written:
        return TableWorld.written[table]
    found = chosen("google.bigquery", TableWorld.rows)
    return [] if found is ... else _made_rows(found, [])


def _resource(project: str, parts: tuple[str, ...], sent: Sent) -> Served:
    """Datasets and tables: made, described, listed, removed."""
    kind = "table" if "tables" in parts else "dataset"
    if sent.method == "GET" and parts[-1] in ("tables", "datasets"):
        above = ".".join(parts[1:2])
        record("query", f"google bigquery.list_{kind}s", *([above] if above else []))
        mine = [r for n, r in TableWorld.tables.items() if ("." in n) == (kind == "table")]
        return served_json({f"{kind}s": mine, "totalItems": len(mine)})
    if sent.method == "POST":
        said = sent.json()
        reference = said.get(f"{kind}Reference", {})
        name = ".".join(v for k, v in sorted(reference.items()) if k != "projectId")
        record("request", f"google bigquery.create_{kind}", name)
        if name in TableWorld.tables:
            return google_refusal(409, f"Already Exists: {kind.capitalize()} {project}:{name}")
        TableWorld.tables[name] = {"kind": f"bigquery#{kind}", "id": f"{project}:{name}", **said}
        if kind == "table":
            TableWorld.written.setdefault(name, [])
        return served_json(TableWorld.tables[name])
    name = ".".join(parts[1::2])
    record(
        "query" if sent.method == "GET" else "request",
        f"google bigquery.{_VERBS_OF_TABLES[sent.method]}_{kind}",
        name,
    )
    missing = chosen("google.bigquery", TableWorld.rows) is ...
    if missing and name not in TableWorld.tables:
        return google_refusal(404, f"Not found: {kind.capitalize()} {project}:{name}")
    if sent.method == "DELETE":
        TableWorld.tables.pop(name, None)
        TableWorld.written.pop(name, None)
        return Served(204, {})
    reference = {"projectId": project, "datasetId": parts[1]}
    if kind == "table":
        reference["tableId"] = parts[3]
    made: dict[str, Any] = {
        "kind": f"bigquery#{kind}",
        f"{kind}Reference": reference,
        "location": "US",
    }
    if kind == "table":
        rows = _rows_of(name)
        made |= {"schema": {"fields": _fields_of(rows)}, "numRows": str(len(rows)), "type": "TABLE"}
    changed = sent.json() if sent.method in ("PATCH", "PUT") else {}
    return served_json({**made, **TableWorld.tables.get(name, {}), **changed})


_VERBS_OF_TABLES = {"GET": "get", "DELETE": "delete", "PATCH": "update", "PUT": "update"}
