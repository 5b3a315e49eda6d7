"""LLaMA-Factory: rows for SFT in its two forms, pairs for DPO, and the file that names them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ......slicer.model import EmittedFile
from ...answers import question, reply, wrong_definitions
from ...exporter import Consumer, Exporter, Pair
from ...task_files import json_lines

_FORMS: dict[str, dict[str, Any]] = {
    "alpaca": {},
    "sharegpt": {"formatting": "sharegpt"},
    "dpo": {
        "formatting": "sharegpt",
        "ranking": True,
        "columns": {"messages": "conversations", "chosen": "chosen", "rejected": "rejected"},
    },
}


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    rows: dict[str, list[dict[str, Any]]] = {}
    for row, environment in pairs:
        asked, chosen = question(row, environment), reply(row.code)["content"]
        human, gpt = {"from": "human", "value": asked}, {"from": "gpt", "value": chosen}
        about = {"environment": row.id}
        made = {
            "alpaca": [{"instruction": asked, "input": "", "output": chosen, **about}],
            "sharegpt": [{"conversations": [human, gpt], **about}],
            "dpo": [
                {"conversations": [human], "chosen": gpt, "rejected": _gpt(wrong), **about}
                for wrong in wrong_definitions(row, environment)
            ],
        }
        for form, some in made.items():
            rows.setdefault(f"slice_func_{form}_{row.split}", []).extend(some)
    info: dict[str, Any] = {}
    for name, some in sorted(rows.items()):
        form = name.split("_")[2]
        info[name] = {"file_name": f"{name}.jsonl", **_FORMS[form]}
        yield json_lines(f"{name}.jsonl", some)
    yield EmittedFile("dataset_info.json", f"{json.dumps(info, indent=2)}\n".encode())


def _gpt(code: str) -> dict[str, str]:
    return {"from": "gpt", "value": reply(code)["content"]}


EXPORTER = Exporter(
    gives="rows for SFT (alpaca and sharegpt) and DPO, with dataset_info.json",
    consumers=(Consumer("llamafactory", "0.9.5", "3.12"),),
    files=_files,
    hidden=("slice_func_*",),
)
