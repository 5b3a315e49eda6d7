"""Random numbers and entropy that are the same in every run, and in every case."""

from __future__ import annotations

import os
import random
import sys
import types
import uuid
from typing import Any

from .....world.core.as_builtin import AsBuiltin
from .....world.core.world import replace, restart_with, undo_with

RANDOM_SEED = 0
_real_random_seed = random.Random.seed
_entropy = random.Random(RANDOM_SEED)
_shared_random: Any = vars(random)["_inst"]


def _urandom(size: int, /) -> bytes:
    return _entropy.randbytes(size)


def _seed(generator: Any, a: Any = None, version: Any = 2) -> None:
    """A generator that is seeded with nothing takes the next of our own entropy."""
    _real_random_seed(generator, _entropy.getrandbits(128) if a is None else a, version)


def seed_random() -> None:
    """Seed the generators that the slice draws from, now and at each restart."""
    state = _shared_random.getstate()
    undo_with(_shared_random.setstate, state)
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:  # it is seeded too
        undo_with(numpy.set_state, numpy.get_state())
    restart_with(_begin)
    if isinstance(os.urandom, types.BuiltinFunctionType):  # else somebody has done it already
        replace(os, "urandom", AsBuiltin(_urandom, "urandom"))
        replace(random, "_urandom", os.urandom)
        replace(random.Random, "seed", _seed)
        replace(random, "seed", lambda a=None, version=2: _seed(_shared_random, a, version))
        replace(uuid, "uuid1", lambda node=None, clock_seq=None: uuid.UUID(
            bytes=_urandom(16), version=1))  # fmt: skip
    _begin()


def seed_numpy() -> None:
    """The same for generators of numpy that are made without a seed."""
    import numpy as np

    real = np.random.default_rng

    def default_rng(seed: Any = None) -> Any:
        return real(RANDOM_SEED if seed is None else seed)

    undo_with(np.random.set_state, np.random.get_state())  # noqa: NPY002 - the old state is what is kept
    replace(np.random, "default_rng", default_rng)
    _begin()


def _begin() -> None:
    _real_random_seed(_entropy, RANDOM_SEED)
    _real_random_seed(_shared_random, RANDOM_SEED)
    numpy, torch = sys.modules.get("numpy.random"), sys.modules.get("torch")
    if numpy is not None:
        numpy.seed(RANDOM_SEED)
    if torch is not None and hasattr(torch, "manual_seed"):
        torch.manual_seed(RANDOM_SEED)
