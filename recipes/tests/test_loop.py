from __future__ import annotations

from pathlib import Path

import pytest

from recipes.loop import Loop, run_loop


@pytest.mark.nightly
def test_a_tiny_model_learns_the_functions_that_it_is_trained_on(
    slice_func: str, work: Path, dataset: Path
) -> None:
    before, after = run_loop(Loop(work / "loop", slice_func, (), held_back=0), dataset)
    assert (before.trained, before.of_trained) == (0, 2)
    assert after.trained == 2
