"""Rankings: what is found first, and what is never found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.retrieval.chunks import Chunk
from slicefunc.llm.retrieval.code_corpus import CodeCorpus, corpus_of
from slicefunc.llm.retrieval.embedders.hashed import HashedEmbedder
from slicefunc.llm.retrieval.ranking import (
    Query,
    Ranker,
    best_chunks,
    bm25,
    dense,
    hybrid,
    scaled,
)
from slicefunc.llm.retrieval.source_files import source_files
from slicefunc.llm.retrieval.target_guard import hidden_target

AREA = "def area(shape):\n    width = shape.right - shape.left\n    return width * shape.height\n"
FILES = {
    "shapes/area.py": f"import math\n\n{AREA}",
    "shapes/volume.py": "def volume(body):\n    return area(body.floor) * body.height\n",
    "shapes/names.py": "def name_of(shape):\n    return shape.name.title()\n",
    "tools/read.py": "def read_tokens(file):\n    return file.read().split()\n",
    "old/area.py": AREA.replace("def area", "def area_before"),
}
RANKERS: dict[str, Ranker] = {"bm25": bm25, "dense": dense, "hybrid": hybrid(0.3)}
TARGET = hidden_target("shapes/area.py", 3, 5, "area", AREA)


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


@pytest.fixture
def corpus(tmp_path: Path) -> CodeCorpus:
    write(tmp_path, FILES)
    return corpus_of(tmp_path, HashedEmbedder())


def names(chunks: list[Chunk]) -> list[str]:
    return [each.name for each in chunks]


@pytest.mark.parametrize("ranker", RANKERS.values(), ids=RANKERS)
@pytest.mark.parametrize(
    ("query", "first"), [("read_tokens file", "read_tokens"), ("the volume of a body", "volume")]
)
def test_what_shares_words_with_a_query_is_found_first(
    corpus: CodeCorpus, ranker: Ranker, query: str, first: str
) -> None:
    assert best_chunks(corpus, Query(query), ranker, 3)[0].name == first


def test_a_path_is_a_part_of_what_a_chunk_is_found_by(corpus: CodeCorpus) -> None:
    assert best_chunks(corpus, Query("tools"), bm25, 3)[0].path == "tools/read.py"


@pytest.mark.parametrize(("weight", "alone"), [(0.0, bm25), (1.0, dense)])
@pytest.mark.parametrize("query", ["area shape height", "read file name", "volume", "zebra"])
def test_a_hybrid_with_all_weight_on_one_side_ranks_as_that_side(
    corpus: CodeCorpus, weight: float, alone: Ranker, query: str
) -> None:
    dense(corpus, Query(""))  # what is learnt from the corpus is the same for both
    mixed = hybrid(weight)(corpus, Query(query))
    assert np.array_equal(np.argsort(-mixed, kind="stable"), _order(corpus, alone, query))
    found = best_chunks(corpus, Query(query), hybrid(weight), 9)
    assert found == best_chunks(corpus, Query(query), alone, 9)


@pytest.mark.parametrize("ranker", [dense, hybrid(0.5)])
def test_a_query_has_the_same_scores_whenever_it_is_asked(
    corpus: CodeCorpus, ranker: Ranker
) -> None:
    first, again = (ranker(corpus, Query("area shape height")) for _ in range(2))
    assert np.array_equal(first, again)


def _order(corpus: CodeCorpus, ranker: Ranker, query: str) -> object:
    return np.argsort(-ranker(corpus, Query(query)), kind="stable")


@given(st.lists(st.floats(0, 1e6, width=32), min_size=1, max_size=9))
def test_scaling_keeps_the_order_and_ends_at_one(numbers: list[float]) -> None:
    scores = np.array(numbers, dtype=np.float32)
    found = scaled(scores)
    assert found.max() == (1.0 if scores.max() > 0 else 0.0)
    for one, other in zip(np.argsort(scores), np.argsort(scores)[1:], strict=False):
        assert found[one] <= found[other]


@pytest.mark.parametrize("ranker", RANKERS.values(), ids=RANKERS)
def test_an_empty_corpus_has_nothing_to_find(ranker: Ranker) -> None:
    assert best_chunks(CodeCorpus([], HashedEmbedder()), Query("area"), ranker, 3) == []


@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_more_is_found_than_asked_for(corpus: CodeCorpus, count: int) -> None:
    assert len(best_chunks(corpus, Query("shape"), bm25, count)) == count


def test_what_shares_no_word_is_not_found(corpus: CodeCorpus) -> None:
    assert names(best_chunks(corpus, Query("tokens"), bm25, 9)) == ["read_tokens"]
    assert best_chunks(corpus, Query("zebra"), bm25, 9) == []


@pytest.mark.parametrize("ranker", RANKERS.values(), ids=RANKERS)
def test_neither_the_target_nor_its_copy_is_found(corpus: CodeCorpus, ranker: Ranker) -> None:
    assert {"area", "area_before"} <= set(names(best_chunks(corpus, Query(AREA), ranker, 9)))
    found = names(best_chunks(corpus, Query(AREA, TARGET), ranker, 9))
    assert not {"area", "area_before"} & set(found)
    assert {"volume", "name_of"} <= set(found)


def test_what_is_hidden_takes_no_place_of_what_is_asked_for(corpus: CodeCorpus) -> None:
    assert len(best_chunks(corpus, Query(AREA, TARGET), bm25, 2)) == 2


def test_other_files_are_all_but_the_targets(corpus: CodeCorpus) -> None:
    own = "shapes/area.py"
    for other_files in (False, True):
        found = best_chunks(corpus, Query("import math", TARGET, other_files), bm25, 9)
        assert (own in {each.path for each in found}) != other_files


def test_equal_texts_are_found_once() -> None:
    texts = ["x = area\n", "x  =  area\n", "y = area\n"]
    chunks = [Chunk(f"{n}.py", 1, 1, "block", "", text) for n, text in enumerate(texts)]
    found = best_chunks(CodeCorpus(chunks, HashedEmbedder()), Query("area"), bm25, 9)
    assert [each.path for each in found] == ["0.py", "2.py"]


def test_a_symbol_is_found_once() -> None:
    chunks = [
        Chunk("a.py", n, n, "function", "A.x", f"def x(self, area):\n    return {n}\n")
        for n in (1, 2)
    ]
    chunks.append(Chunk("b.py", 1, 1, "function", "A.x", "def x(area)\n"))
    found = best_chunks(CodeCorpus(chunks, HashedEmbedder()), Query("def A.x"), bm25, 9)
    assert sorted(each.path for each in found) == ["a.py", "b.py"]


def test_blocks_of_a_file_are_all_found() -> None:
    chunks = [Chunk("a.py", n, n, "block", "", f"area = {n}\n") for n in (1, 2, 3)]
    found = best_chunks(CodeCorpus(chunks, HashedEmbedder()), Query("area"), bm25, 9)
    assert len(found) == 3


def test_of_equal_scores_the_first_chunk_is_found_first() -> None:
    paths = [f"{7 * n % 50}.py" for n in range(50)]
    words = ["area", "shape area"]
    chunks = [
        Chunk(path, 1, 1, "block", "", f"{words[n % 2]} {n}\n") for n, path in enumerate(paths)
    ]
    found = best_chunks(CodeCorpus(chunks, HashedEmbedder()), Query("shape area"), bm25, 50)
    assert [each.path for each in found] == paths[1::2] + paths[::2]


def test_a_reranker_has_the_last_word(corpus: CodeCorpus) -> None:
    given: list[Chunk] = []

    def backwards(query: Query, chunks: list[Chunk]) -> list[Chunk]:
        given.extend(chunks)
        return chunks[::-1]

    found = best_chunks(corpus, Query(AREA, TARGET), bm25, 1, backwards)
    assert 1 < len(given) <= 4
    assert found == [given[-1]]
    assert not any(TARGET.is_in(each) for each in given)


IDENTIFIERS = st.sampled_from(["area", "shape", "width", "height", "total", "price"])
STATEMENTS = st.builds("{} = {}.{} + {}".format, IDENTIFIERS, IDENTIFIERS, IDENTIFIERS, IDENTIFIERS)
BODIES = st.lists(STATEMENTS, min_size=2, max_size=5).map(
    lambda lines: "".join(f"    {line}\n" for line in lines)
)


@given(
    bodies=st.lists(BODIES, min_size=1, max_size=6),
    ranker=st.sampled_from(list(RANKERS.values())),
    count=st.integers(1, 9),
)
def test_what_is_found_never_holds_the_target_and_never_repeats(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[str], ranker: Ranker, count: int
) -> None:
    folder = tmp_path_factory.mktemp("repo")
    files = {f"f{n}.py": f"def f{n % 3}(shape):\n{body}" for n, body in enumerate(bodies)}
    write(folder, {**files, "copy.py": f"def again(shape):\n    x = 1\n{bodies[0]}"})
    target = hidden_target("f0.py", 1, bodies[0].count("\n") + 1, "f0", files["f0.py"])
    corpus = corpus_of(folder, HashedEmbedder())
    found = best_chunks(corpus, Query(files["f0.py"], target), ranker, count)
    assert not any(bodies[0] in each.text for each in found)
    assert len({each.text for each in found}) == len(found) <= count


@pytest.mark.parametrize(
    ("path", "is_read"),
    [
        ("a.py", True),
        ("deep/er/a.rs", True),
        ("notes.md", False),
        (".hidden/a.py", False),
        ("node_modules/a.js", False),
        ("vendor/a.go", False),
        ("env/lib/a.py", False),
    ],
)
def test_files_are_read_that_somebody_wrote_here(
    tmp_path: Path, path: str, *, is_read: bool
) -> None:
    write(tmp_path, {path: "x = 1\n", "env/pyvenv.cfg": ""})
    assert (path in source_files(tmp_path)) == is_read


def test_links_and_large_files_are_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n", "large.py": "x = 1\n" * 200_000})
    (tmp_path / "link.py").symlink_to(tmp_path / "a.py")
    assert list(source_files(tmp_path)) == ["a.py"]


def test_a_corpus_is_the_same_in_any_order_of_writing(tmp_path: Path) -> None:
    made: list[tuple[Chunk, ...]] = []
    orders: list[Callable[[dict[str, str]], list[str]]] = [sorted, lambda f: sorted(f)[::-1]]
    for number, order in enumerate(orders):
        folder = tmp_path / str(number)
        write(folder, {path: FILES[path] for path in order(FILES)})
        made.append(corpus_of(folder, HashedEmbedder()).chunks)
    assert made[0] == made[1]
