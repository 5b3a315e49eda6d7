"""TRL: rows for GRPO with a reward function, for SFT, and for DPO."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ......slicer.model import EmittedFile
from ...answers import messages, reply, wrong_definitions
from ...exporter import Consumer, Exporter, Pair
from ...reward_files import HIDDEN, REWARD, reward_text, scoring_files
from ...task_files import json_lines

_KINDS = ("grpo", "sft", "dpo")


def _files(pairs: Iterable[Pair]) -> Iterator[EmittedFile]:
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for pair in pairs:
        row, environment = pair
        prompt, chosen = messages(row, environment), [reply(row.code)]
        about = {"task_id": row.id, "repo": row.repo, "path": row.path, "function": row.qualname}
        wrong = [[reply(each)] for each in wrong_definitions(row, environment)]
        made = (
            [{"prompt": prompt, **about}],
            [{"prompt": prompt, "completion": chosen, **about}],
            [{"prompt": prompt, "chosen": chosen, "rejected": each, **about} for each in wrong],
        )
        for kind, some in zip(_KINDS, made, strict=True):
            rows.setdefault((kind, row.split), []).extend(some)
        yield from scoring_files(pair)
    for (kind, split), some in sorted(rows.items()):
        yield json_lines(f"{kind}/{split}.jsonl", some)
    yield EmittedFile(REWARD, reward_text(__name__, "reward.py.txt").encode())


EXPORTER = Exporter(
    gives="rows for GRPO, SFT and DPO, and the reward function of GRPO",
    consumers=(Consumer("trl", "1.16.0", "3.12"),),
    files=_files,
    hidden=(*HIDDEN, "sft/*", "dpo/*"),
)
