"""Scores candidates with an export for SkyRL: `skyrl_child.py EXPORT CANDIDATES`.

As its generator does, it registers the class by its import path and makes one for each row, with
the row's other columns as extras.
"""

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import skyrl_gym
from omegaconf import OmegaConf
from skyrl_gym.envs import register


def main():
    """Print the rewards of each kind of candidate as JSON."""
    folder, candidates = Path(sys.argv[1]), Path(sys.argv[2])
    sys.path.insert(0, str(folder))
    register(id="slice_func", entry_point="slice_func_reward:SliceFuncEnv")
    rows = pq.read_table(folder / "train.parquet").to_pylist()
    by_id = {row["reward_spec"]["ground_truth"]: row for row in rows}
    found = {}
    for line in candidates.read_text().splitlines():
        one = json.loads(line)
        for kind in ("gold", "empty"):
            extras = dict(by_id[one["id"]])
            prompt, env_class = extras.pop("prompt"), extras.pop("env_class")
            made = skyrl_gym.make(env_class, env_config=OmegaConf.create({}), extras=extras)
            made.init(prompt)
            output = made.step(one[kind])
            assert output["done"]
            found.setdefault(kind, []).append(output["reward"])
            made.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
