"""Reads an export for LLaMA-Factory with its loader: `llamafactory_child.py EXPORT CANDIDATES DIR`.

It trains on rows and asks for no reward, so the answers that it has read are scored here: those of
SFT and the chosen ones, then the rejected ones. The third word is a folder of environments by id.
"""

import json
import sys
from pathlib import Path

from llamafactory.data.loader import _get_merged_dataset
from llamafactory.hparams import DataArguments, ModelArguments
from slicefunc.driver.places.scorer_pool import ScorerPool
from transformers import Seq2SeqTrainingArguments

_KINDS = {"alpaca": "sft", "sharegpt": "sft", "dpo": "rm"}


def main():
    """Print the rewards of each kind of answer as JSON."""
    folder, candidates = Path(sys.argv[1]), Path(sys.argv[2])
    model = ModelArguments(model_name_or_path="none")
    training = Seq2SeqTrainingArguments(output_dir="unused", use_cpu=True)
    read = {}
    for kind, stage in _KINDS.items():
        name = f"slice_func_{kind}_train"
        data = DataArguments(dataset=name, dataset_dir=str(folder), overwrite_cache=True)
        data.dataset = [name]
        read[kind] = list(_get_merged_dataset([name], model, data, training, stage))
    given = list(map(json.loads, candidates.read_text().splitlines()))
    by_gold = {one["gold"]: one for one in given}
    ids = {kind: [_environment(by_gold, row) for row in rows] for kind, rows in read.items()}
    with ScorerPool(sys.argv[3]) as pool:
        found = {
            "gold": _rewards(pool, ids["alpaca"], read["alpaca"], 0),
            "rows": {kind: len(rows) for kind, rows in read.items()},
        }
        wrong = _rewards(pool, ids["dpo"], read["dpo"], 1)
    empties = {one["id"]: one["empty"] for one in given}
    answers = [row["_response"][1]["content"] for row in read["dpo"]]
    found["empty"] = [
        reward
        for reward, each, text in zip(wrong, ids["dpo"], answers, strict=True)
        if text == empties[each]
    ]
    found["rejected"] = {"answers": len(wrong), "passed": sum(each != 0 for each in wrong)}
    chosen = [row["_response"][0]["content"] for kind in read for row in read[kind]]
    assert set(chosen) == set(by_gold)
    print(json.dumps(found))


def _environment(by_gold, row):
    return by_gold[row["_response"][0]["content"]]["id"]


def _rewards(pool, ids, rows, at):
    return [
        pool.score(each, row["_response"][at]["content"]).reward
        for each, row in zip(ids, rows, strict=True)
    ]


if __name__ == "__main__":
    main()
