"""What an unfinished file can reach: its imports, what is behind them, and what those use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from slicefunc.llm.retrieval.chunks import Chunk
from slicefunc.llm.retrieval.code_corpus import CodeCorpus, corpus_of
from slicefunc.llm.retrieval.embedders.hashed import HashedEmbedder
from slicefunc.llm.retrieval.ranking import Query, best_chunks, bm25
from slicefunc.llm.retrieval.reachable_names import Hole, NameGraph, Weights, reachable
from slicefunc.slicer import Repository

HEAD = 'def total(order):\n    """Sum the order up, with its tax."""\n'
FILES = {
    "shop/__init__.py": "",
    "shop/money.py": (
        "SCALE = 100\n\n\ndef quantize(x):\n    return round(x, 2)\n\n\n"
        "def widen(x):\n    return x * SCALE\n"
    ),
    "shop/texts.py": "def total_order_tax(order):\n    return 'total order tax sum'\n",
    "shop/used.py": "def footer():\n    return 1\n",
    "shop/cart.py": (
        "class Basket:\n    size = 1\n\n    def pour(self):\n        return 2\n\n"
        "    def spill(self):\n        return 3\n"
    ),
    "shop/deep.py": "def reach():\n    return abyss()\n\n\ndef abyss():\n    return 4\n",
    "shop/far.py": "def unrelated():\n    return 5\n",
}


@dataclass
class Shop:
    """A repository with an unfinished file."""

    folder: Path

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def hole(self, imports: str, rest: str = "", draft: str = "") -> Hole:
        text = f"{imports}\n\n{HEAD}    ...\n\n\n{rest}"
        self.write({"shop/sums.py": text})
        return Hole("shop/sums.py", text, HEAD, draft)

    def corpus(self) -> CodeCorpus:
        return corpus_of(self.folder, HashedEmbedder())

    def graph(self, corpus: CodeCorpus) -> NameGraph:
        return NameGraph(Repository(self.folder), corpus)

    def scores(self, hole: Hole, weights: Weights | None = None) -> dict[str, float]:
        """Return the scores of definitions, and of blocks by their file."""
        corpus = self.corpus()
        found = self.graph(corpus).scores(hole, weights or Weights())
        return {
            each.name or each.path: round(float(score), 3)
            for each, score in zip(corpus.chunks, found, strict=True)
            if score > 0
        }

    def ranked(self, hole: Hole, count: int = 9) -> list[Chunk]:
        corpus = self.corpus()
        ranker = reachable(self.graph(corpus), hole, bm25, Weights())
        return best_chunks(corpus, Query(HEAD), ranker, count)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    made = Shop(tmp_path)
    made.write(FILES)
    return made


def test_an_import_that_nothing_uses_yet_comes_first_without_a_shared_word(shop: Shop) -> None:
    hole = shop.hole("from .money import quantize")
    first, *others = [each.name for each in shop.ranked(hole) if each.path != hole.path]
    assert first == "quantize"
    assert "total_order_tax" in others


def test_what_the_file_uses_already_is_worth_less(shop: Shop) -> None:
    scores = shop.scores(
        shop.hole(
            "from .money import quantize\nfrom .used import footer",
            "def other():\n    return footer()\n",
        )
    )
    assert scores["quantize"] > scores["footer"] > 0


def test_what_is_not_imported_is_not_reached(shop: Shop) -> None:
    scores = shop.scores(shop.hole("from .money import quantize"))
    assert not {"unrelated", "footer", "Basket"} & scores.keys()


@pytest.mark.parametrize(
    "imports",
    [
        "from .money import quantize",
        "from shop.money import quantize",
        "from .money import quantize as q",
        "from . import money",
        "from . import money as m",
        "import shop.money",
        "import shop.money as m",
        "from shop import money",
        "if True:\n    from .money import quantize",
        "try:\n    from shop.money import quantize\nexcept ImportError:\n    quantize = None",
    ],
)
def test_any_kind_of_import_reaches_a_definition(shop: Shop, imports: str) -> None:
    assert shop.scores(shop.hole(imports))["quantize"] > 0


def test_a_module_reaches_all_its_definitions_and_each_is_worth_less(shop: Shop) -> None:
    scores = shop.scores(shop.hole("import shop.money as m"))
    assert scores["quantize"] == scores["widen"] == pytest.approx(0.6)
    assert scores["quantize"] < shop.scores(shop.hole("from .money import quantize"))["quantize"]


def test_a_definition_of_a_module_that_a_draft_names_comes_first(shop: Shop) -> None:
    scores = shop.scores(shop.hole("import shop.money as m", draft="return m.widen(order)"))
    assert scores["widen"] > scores["quantize"]


@pytest.mark.parametrize(
    "files",
    [
        {"shop/__init__.py": "from .money import quantize\n"},
        {"shop/__init__.py": "from .money import *\n"},
        {
            "shop/__init__.py": "from .api import quantize\n",
            "shop/api.py": "from .money import *\n",
        },
        {
            "shop/__init__.py": "from .api import quantize\n",
            "shop/api.py": "from shop.inner import rounded as quantize\n",
            "shop/inner.py": "from .money import quantize as rounded\n",
        },
    ],
    ids=["named", "star", "twice", "under other names"],
)
def test_re_exports_are_followed(shop: Shop, files: dict[str, str]) -> None:
    shop.write(files)
    scores = shop.scores(shop.hole("from shop import quantize"))
    assert scores["quantize"] == 1.0


def test_re_exports_in_a_circle_end(shop: Shop) -> None:
    shop.write(
        {
            "shop/one.py": "from .two import thing\n",
            "shop/two.py": "from .one import thing\n",
        }
    )
    assert "thing" not in shop.scores(shop.hole("from .one import thing"))


@pytest.mark.parametrize(("named", "other"), [("quantize", "widen"), ("widen", "quantize")])
def test_of_two_imports_the_one_that_a_draft_names_comes_first(
    shop: Shop, named: str, other: str
) -> None:
    imports = "from .money import quantize, widen"
    plain = shop.scores(shop.hole(imports))
    assert plain[named] == plain[other]
    hole = shop.hole(imports, draft=f"def total(order):\n    return {named}(order)\n")
    first, second, *_ = [each.name for each in shop.ranked(hole) if each.path != hole.path]
    assert (first, second) == (named, other)


def test_a_used_import_that_the_head_mentions_is_worth_more(shop: Shop) -> None:
    rest = "def other():\n    return footer(), quantize()\n"
    hole = shop.hole("from .money import quantize\nfrom .used import footer", rest)
    scores = shop.scores(replace(hole, head=f"{HEAD}# like footer\n"))
    assert scores["footer"] > scores["quantize"] > 0


def test_members_of_an_imported_class_follow_it(shop: Shop) -> None:
    scores = shop.scores(shop.hole("from .cart import Basket"))
    assert scores["Basket"] == 1.0
    assert scores["Basket.pour"] == scores["Basket.spill"] == pytest.approx(0.7)


def test_what_a_reached_definition_uses_follows_it(shop: Shop) -> None:
    scores = shop.scores(shop.hole("from .deep import reach"))
    assert (scores["reach"], scores["abyss"]) == (1.0, 0.5)


def test_what_a_reached_definition_imports_follows_it(shop: Shop) -> None:
    shop.write({"shop/deep.py": "from .far import unrelated\n\ndef reach():\n    unrelated()\n"})
    assert shop.scores(shop.hole("from .deep import reach"))["unrelated"] == 0.5


def test_scores_go_only_so_many_steps(shop: Shop) -> None:
    calls = "".join(f"def d{n}():\n    return d{n + 1}()\n\n\n" for n in range(5))
    shop.write({"shop/deep.py": calls})
    hole = shop.hole("from .deep import d0")
    for steps in range(4):
        scores = shop.scores(hole, Weights(steps=steps))
        assert [name for name in sorted(scores) if name.startswith("d")] == [
            f"d{n}" for n in range(steps + 1)
        ]


def test_a_variable_reaches_the_block_that_it_stands_in(shop: Shop) -> None:
    scores = shop.scores(shop.hole("from .money import SCALE"))
    assert scores == {"shop/money.py": 1.0}


@pytest.mark.parametrize(
    "imports", ["", "import os", "from nowhere import thing", "from ... import x", "import ("]
)
def test_a_file_that_imports_nothing_from_here_reaches_nothing(shop: Shop, imports: str) -> None:
    assert shop.scores(shop.hole(imports)) == {}


def test_a_repository_with_a_broken_file_is_searched_all_the_same(shop: Shop) -> None:
    shop.write({"shop/broken.py": "def f(:\n"})
    scores = shop.scores(shop.hole("from .money import quantize\nfrom .broken import f"))
    assert scores["quantize"] == 1.0


def test_words_decide_between_what_is_as_near(shop: Shop) -> None:
    text = "def aaa(x):\n    return 1\n\n\ndef tax_of_order(x):\n    return 1\n"
    shop.write({"shop/money.py": text})
    hole = shop.hole("from .money import aaa, tax_of_order")
    found = [each.name for each in shop.ranked(hole) if each.path != hole.path]
    assert found[:2] == ["tax_of_order", "aaa"]


def test_a_graph_gives_the_same_scores_twice(shop: Shop) -> None:
    hole = shop.hole("from .deep import reach\nfrom .cart import Basket")
    corpus = shop.corpus()
    graph = shop.graph(corpus)
    assert np.array_equal(graph.scores(hole, Weights()), graph.scores(hole, Weights()))


def test_a_hole_does_not_have_the_imports_of_another_one_in_its_file(shop: Shop) -> None:
    first = shop.hole("from .money import quantize")
    graph = shop.graph(shop.corpus())
    graph.scores(first, Weights())
    other = replace(first, text=first.text.replace("money import quantize", "used import footer"))
    assert np.array_equal(
        graph.scores(other, Weights()), shop.graph(shop.corpus()).scores(other, Weights())
    )


def test_what_only_the_hidden_body_imports_is_not_reached(shop: Shop) -> None:
    hole = shop.hole("import os")
    original = hole.text.replace("    ...", "    from .far import unrelated\n    unrelated()")
    shop.write({"shop/sums.py": original, "shop/user.py": f"from .sums import total\n\n{HEAD}"})
    corpus = shop.corpus()
    graph = shop.graph(corpus)
    user = Hole("shop/user.py", f"from .sums import total\n\n{HEAD}    ...\n", HEAD)
    graph.scores(user, Weights())  # which passes through the file of the next hole
    assert not graph.scores(hole, Weights()).any()
