from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from slicefunc.driver.datasets.curation.functions.sampling import (
    sample_by_example,
    sample_by_repository,
)

from .clones import curated, names, write

FUNCTIONS = st.lists(
    st.tuples(
        st.sampled_from("a/x a/y b/x c".split()),
        st.tuples(st.sampled_from(["a.py", "b.py"]), st.sampled_from("f g C.f C.g".split())),
    ),
    unique=True,
)
DRAWS = st.sampled_from([sample_by_example, sample_by_repository])


@given(FUNCTIONS, DRAWS, st.integers(0, 40), st.integers(), st.randoms(use_true_random=False))
def test_sample_depends_on_seed_and_functions_alone(functions, draw, size, seed, random) -> None:  # noqa: ANN001
    drawn = draw(functions, size, seed)
    shuffled = random.sample(functions, len(functions))
    assert draw(shuffled, size, seed) == drawn
    assert len(drawn) == min(size, len(functions))
    assert drawn <= set(functions)


@given(FUNCTIONS, DRAWS, st.integers(0, 10), st.integers())
def test_larger_sample_contains_the_smaller(functions, draw, size, seed) -> None:  # noqa: ANN001
    assert draw(functions, size, seed) <= draw(functions, size + 1, seed)


@given(FUNCTIONS, st.integers(0, 40), st.integers())
def test_by_repository_at_most_one_is_taken_in_part(functions, size, seed) -> None:  # noqa: ANN001
    drawn = sample_by_repository(functions, size, seed)
    repos = {repo for repo, _ in drawn}
    in_part = [r for r in repos if any(f[0] == r and f not in drawn for f in functions)]
    assert len(in_part) <= 1


def test_seeds_draw_different_functions() -> None:
    functions = [("a/b", ("a.py", f"f{number}")) for number in range(100)]
    for draw in (sample_by_example, sample_by_repository):
        assert len({draw(functions, 10, seed) for seed in range(5)}) == 5


def test_sample_of_a_run(tmp_path: Path) -> None:
    for repo in ("a__x", "b__y", "c__z"):
        text = "".join(f"def f{n}(a):\n    return a + {n}\n" for n in range(6))
        write(tmp_path / repo, {"a.py": text, "setup.py": ""})
        (tmp_path / repo / "setup.py").touch()
    whole = curated(tmp_path, sample=9, sample_by="repository", seed=1)
    assert sorted(len(each.functions or ()) for each in whole.kept) == [3, 6]
    assert [each.rule for each in whole.rejected] == ["sample"]
    assert len(names(curated(tmp_path, sample=9))) == 9
    moved = tmp_path.rename(tmp_path.with_name("elsewhere"))
    again = curated(moved, sample=9, sample_by="repository", seed=1)
    assert [each.functions for each in again.kept] == [each.functions for each in whole.kept]
