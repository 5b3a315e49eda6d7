"""NeMo Gym: a resources server that scores answers, its configuration, and rows for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ......slicer.model import EmittedFile
from ...answers import messages
from ...exporter import Consumer, Exporter, Pair
from ...reward_files import HIDDEN, reward_text, scoring_files
from ...task_files import json_lines, requirement, text_of

_FOLDER = "resources_servers/slice_func"
_DATASET = """\
      - name: {split}
        type: {kind}
        jsonl_fpath: {folder}/data/{split}.jsonl
        license: TBD
"""


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    rows: dict[str, list[dict[str, Any]]] = {}
    for pair in pairs:
        row, environment = pair
        about = {"repo": row.repo, "path": row.path, "function": row.qualname}
        rows.setdefault(row.split, []).append(
            {
                "responses_create_params": {"input": messages(row, environment)},
                "verifier_metadata": {"environment": row.id, **about},
            }
        )
        for each in scoring_files(pair):
            yield EmittedFile(f"{_FOLDER}/{each.path}", each.content)
    config = text_of(__name__, "config.yaml.txt")
    for split, some in sorted(rows.items()):
        yield json_lines(f"{_FOLDER}/data/{split}.jsonl", some)
        kind = "train" if split == "train" else "validation"
        config += _DATASET.format(split=split, kind=kind, folder=_FOLDER)
    yield EmittedFile(f"{_FOLDER}/app.py", reward_text(__name__, "reward.py.txt").encode())
    yield EmittedFile(f"{_FOLDER}/configs/slice_func.yaml", config.encode())
    yield EmittedFile(f"{_FOLDER}/requirements.txt", f"nemo-gym\n{requirement()}\n".encode())


EXPORTER = Exporter(
    gives="a resources server with its configuration and rows",
    consumers=(Consumer("nemo-gym", "0.7.0", "3.13"),),
    files=_files,
    hidden=tuple(f"{_FOLDER}/{each}" for each in HIDDEN),
)
