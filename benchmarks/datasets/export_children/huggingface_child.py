"""Opens an export for Hugging Face with its library: `huggingface_child.py EXPORT CANDIDATES`.

Each row's files are written as its card says, and score the row's own code and an empty body.
"""

import json
import sys
import tempfile
from pathlib import Path

from datasets import load_dataset
from slicefunc.driver.places.scorer_pool import ScorerPool


def main():
    """Print the rewards of each kind of candidate as JSON."""
    export, candidates = Path(sys.argv[1]), Path(sys.argv[2])
    given = {each["id"]: each for each in map(json.loads, candidates.read_text().splitlines())}
    found = {"gold": [], "empty": []}
    with tempfile.TemporaryDirectory() as made:
        rows = load_dataset(str(export), split="train", cache_dir=f"{made}/cache")
        assert rows.column_names[0] == "id"
        with ScorerPool(f"{made}/environments") as pool:
            for row in rows:
                folder = Path(made) / "environments" / row["id"]
                folder.mkdir(parents=True)
                for file in row["files"]:
                    (folder / file["name"]).write_text(file["content"], "utf-8")
                found["gold"].append(pool.score(row["id"], row["code"]).reward)
                found["empty"].append(pool.score(row["id"], given[row["id"]]["empty"]).reward)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
