"""Waits for rewards as SkyRL does: `skyrl_waits.py PLAN REWARD`.

Its generator makes an environment for each answer and calls `step` when the answer has ended, in
one of 32 threads.
"""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import skyrl_gym
from omegaconf import OmegaConf
from recorded_step import plan, report, reward_module

_THREADS = 32
"""Its default of `environment.skyrl_gym.max_env_workers`."""


def main():
    """Print what was waited for as JSON."""
    answers, generation = plan()
    reward_module().register_slice_func()
    report(*asyncio.run(_asked(answers, generation)))


async def _asked(answers, generation):
    threads, loop = ThreadPoolExecutor(_THREADS), asyncio.get_running_loop()
    start = time.monotonic()

    async def one(answer):
        extras = {"reward_spec": {"method": "rule", "ground_truth": answer["environment"]}}
        made = skyrl_gym.make("slice_func", env_config=OmegaConf.create({}), extras=extras)
        made.init([])
        await asyncio.sleep(start + answer["end"] - time.monotonic())
        return (await loop.run_in_executor(threads, made.step, answer["text"]))["reward"]

    rewards = await asyncio.gather(*map(one, answers))
    return rewards, time.monotonic() - start - generation


if __name__ == "__main__":
    main()
