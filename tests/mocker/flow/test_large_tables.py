"""Values are followed through large tables in time that grows with them."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from slicefunc.mocker.core.border import find_border
from slicefunc.mocker.flow.flow_graph import TAKERS, Graph, Label, labels_match
from slicefunc.mocker.settings import Settings
from slicefunc.mocker.shapes.answer_shape import variants_at
from slicefunc.mocker.shapes.texts.satisfying_scalars import Test as Asked
from slicefunc.mocker.shapes.texts.satisfying_scalars import solve
from slicefunc.slicer import Repository, slice_function

LABELS: tuple[Label, ...] = (
    ("attr", "a"), ("key", "a"), ("key", 1), ("key", 2), ("sub",), ("sub", "text"), ("item",),
    ("own key",), ("value",), ("call", 1, (), ()),
)  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_what_a_container_gives_is_everything_that_fits(seed: int) -> None:
    drawn = random.Random(seed)
    graph = Graph()
    nodes = [graph.new() for _ in range(12)]
    for _ in range(40):
        graph.store(drawn.choice(nodes), drawn.choice(nodes), drawn.choice(LABELS))
    for taken in LABELS:
        expected = {
            container: [source for put, source in held if labels_match(put, taken)]
            for container, held in graph.contents.items()
        }
        assert graph.giving(taken) == {c: found for c, found in expected.items() if found}


@pytest.mark.parametrize("put", LABELS)
def test_whatever_fits_is_found_by_the_kind_of_its_label(put: Label) -> None:
    fitting = [taken for taken in LABELS if labels_match(put, taken) and taken != put]
    assert {str(taken[0]) for taken in fitting} <= {*TAKERS.get(str(put[0]), ())}


def test_a_later_store_is_given_too() -> None:
    graph = Graph()
    container, first, second = graph.new(), graph.new(), graph.new()
    graph.store(first, container, ("item",))
    assert graph.giving(("item",)) == {container: [first]}
    graph.store(second, container, ("key", 0))
    assert graph.giving(("item",)) == {container: [first, second]}


@pytest.mark.parametrize("seed", range(20))
def test_listed_values_are_chosen_like_tested_ones(seed: int) -> None:
    drawn = random.Random(seed)
    values: list[object] = ["a", "b", "c", 1, 2, None, True, ""]
    listed, tested = [], []
    for _ in range(6):
        among = frozenset(drawn.sample(values, drawn.randint(1, 3)))
        wanted, weight = drawn.choice((True, False, None)), drawn.randint(1, 4)
        holds = among.__contains__
        listed.append(Asked(holds, wanted, weight, tuple(values), among))
        tested.append(Asked(holds, wanted, weight, tuple(values)))
    mixed = [drawn.choice(pair) for pair in zip(listed, tested, strict=True)]
    expected = solve(tested, values, lambda _: True)
    assert solve(listed, values, lambda _: True) == expected
    assert solve(mixed, values, lambda _: True) == expected


def test_a_table_of_thousands_of_entries(tmp_path: Path) -> None:
    rows = "".join(f"    {n}: ('V{n % 30}', '{n}', 'Name {n}', 'name_{n}'),\n" for n in range(6000))
    handlers = "".join(f"def write_{n}(value): return value\n\n" for n in range(30))
    table = ", ".join(f"'V{n}': write_{n}" for n in range(30))
    (tmp_path / "m.py").write_text(
        f"import requests\nROWS = {{\n{rows}}}\n"
        "NAMES = {row[3]: tag for tag, row in ROWS.items()}\n\n"
        f"{handlers}WRITERS = {{{table}}}\n\n"
        "def row_of(tag):\n    return ROWS[tag]\n\n"
        "def write(name, value):\n    return WRITERS[row_of(NAMES[name])[0]](value)\n\n"
        "def load(url):\n"
        "    data = requests.get(url).json()\n"
        "    if data['name'] in NAMES:\n"
        "        return write(data['name'], data['value'])\n"
        "    for row in ROWS.values():\n"
        "        if data['label'] == row[1]:\n"
        "            return row\n"
        "    return data['tag'] in ROWS\n"
    )
    repository = Repository(tmp_path)
    sliced = slice_function(repository, ("m.py::load",))
    begun = time.process_time()
    found = variants_at(find_border(repository, sliced, Settings()), "requests.get().json()")
    assert time.process_time() - begun < 4  # it takes less than one; to try all on all takes ten
    value = found[0].value
    assert isinstance(value, dict)
    assert (value["name"], value["label"]) == ("name_0", "0")
