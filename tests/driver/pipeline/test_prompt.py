"""What a writer of candidates is shown."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Literal

import pytest
from slicefunc.driver.pipeline.passes import Options, compile_slice
from slicefunc.driver.record.reader_context import context_of
from slicefunc.driver.record.writer_prompt import Prompt, prompt_of
from slicefunc.slicer import Repository

RATES = '''\
"""Rates."""
from __future__ import annotations
import json
from pathlib import Path

import requests

TABLE = Path(__file__).with_name("table.json")
HELP = """



far below
"""


def unrelated():
    return [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
    ]


def rate(country):
    if country in json.loads(TABLE.read_text()):
        return len(HELP)
    return requests.get("https://rates.example/" + country).json()["rate"]
'''
PRICE = '''\
from __future__ import annotations
from shop.rates import rate


def price(net, country):
    """The price."""
    return net + net * rate(country)
'''
Emit = Literal["flat", "modules"]


@pytest.fixture
def shop(repo: Path) -> Path:
    (repo / "shop/rates.py").write_text(RATES)
    (repo / "shop/price.py").write_text(PRICE)
    (repo / "shop/table.json").write_text('["secret-content"]')
    return repo


def _prompt(repo: Path, target: str, emit: Emit) -> tuple[str, Prompt]:
    sliced = compile_slice(Repository(repo), (target,), Options(emit=emit))
    text = (repo / target.partition("::")[0]).read_text()
    return sliced.source, prompt_of(text, sliced)


def test_the_context_of_modules_is_the_repository_s_code_alone(shop: Path) -> None:
    script, prompt = _prompt(shop, "shop/price.py::price", "modules")
    assert "slice_func_mocks" in script  # else there would be nothing to leave out
    assert "_slice_func(" in script
    context = prompt.context
    assert "slice_func" not in context
    assert "# >>>" not in context
    assert "# <<<" not in context
    assert "secret-content" not in context
    assert "# data files: shop/table.json\n" in context
    helper, _, own = context.partition("# shop/price.py\n")
    assert 'return requests.get("https://rates.example/" + country)' in helper
    assert "# shop/rates.py\n" in helper
    assert own == PRICE.replace("return net + net * rate(country)", "...")
    assert len(context) < len(RATES) + len(PRICE)


@pytest.mark.parametrize("indent", ["", "    "])
def test_a_docstring_is_shown_as_it_is_written(repo: Path, indent: str) -> None:
    docstring = (
        f'''{indent}    """Add.\n\n{indent}    Args:\n{indent}        a: one.\n{indent}    """\n'''
    )
    head = "class A:\n" if indent else ""
    code = f"{head}{indent}def add(self, a):\n{docstring}{indent}    return a + 1\n"
    (repo / "add.py").write_text(code)
    _, prompt = _prompt(repo, "add.py::A.add" if indent else "add.py::add", "flat")
    assert docstring in prompt.file_with_hole
    assert prompt.docstring == "Add.\n\nArgs:\n    a: one."


def test_a_literal_of_the_context_keeps_its_blank_lines(shop: Path) -> None:
    _, prompt = _prompt(shop, "shop/price.py::price", "modules")
    assert 'HELP = """\n\n\n\nfar below\n"""\n' in prompt.context
    (lines, *_) = prompt.context.partition("# shop/price.py")[0].split("def rate")
    assert not lines.endswith("\n\n\n\n")  # nothing stands for what was left out


def test_a_carried_target_comes_last_with_its_hole(shop: Path) -> None:
    # its module is asked for while it loads, so it is no visible body
    rates = (
        "import shop.price\n\nNAME = shop.price.__name__\n\ndef rate(country):\n    return NAME\n"
    )
    (shop / "shop/rates.py").write_text(rates)
    script, prompt = _prompt(shop, "shop/price.py::price", "modules")
    assert script.rstrip().endswith("from shop.price import price")
    assert prompt.context.startswith("# shop/rates.py\nimport shop.price\n")
    own = PRICE.replace("return net + net * rate(country)", "...")
    assert prompt.context.endswith(f"# shop/price.py\n{own}")


def test_the_context_of_a_flat_script_has_no_mocks(repo: Path) -> None:
    (repo / "shop/tax.py").write_text(
        "import requests\n\n\ndef add_tax(net):\n"
        "    return net + requests.get('https://rates.example').json()\n"
    )
    script, prompt = _prompt(repo, "shop/orders.py::Order.total", "flat")
    assert "slice_func_mocks" in script
    assert "slice_func" not in prompt.context
    assert "requests.get(" in prompt.context
    ast.parse(prompt.context)


def test_what_holds_nothing_of_ours_stays_as_it_is() -> None:
    script = "import a\n\n\n\n\n\ndef f():\n    _slice_func = 1\n"
    assert context_of(script, "f.py") == script
