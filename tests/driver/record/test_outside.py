"""Which imports of the target's file candidates are offered."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.outside_names import allowed_imports
from slicefunc.driver.record.environment_files import (
    environment_of,
    read_environment,
    write_environment,
)
from slicefunc.driver.record.writer_prompt import prompt_of
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.model import Target
from slicefunc.verifier.execution.environments import Lock, LockedPackage
from slicefunc.verifier.execution.executors.interface import Case
from slicefunc.verifier.scoring.candidates.offered_names import OfferedName
from slicefunc.verifier.scoring.oracle.oracle import Oracle, OracleCase

from tests.driver.conftest import run
from tests.driver.record.test_environment import needs_sandbox
from tests.nightly import one_in

FILE = """\
from __future__ import annotations
import json, os.path
import os
import numpy as np
import absent_thing
from typing import TYPE_CHECKING, Any
from yaml import safe_load as load
from shop.tax import add_tax
from . import tax
import shop.tax as other
from re import *

if TYPE_CHECKING:
    from pathlib import Path
    from shop.tax import RATE

try:
    import simplejson as dumper
except ImportError:
    import json as dumper
try:
    import tomllib
except ImportError:
    tomllib = None
try:
    from yaml import CSafeLoader as Loader
except ImportError:
    from yaml import SafeLoader as Loader
try:
    import absent_too
except ImportError:
    absent_too = None
import decimal
decimal = decimal.Decimal
import heapq
del heapq


def price(net):
    return add_tax(net)


def unrelated():
    return 1
"""

LOCK = Lock("3.11", "linux-x86_64", (LockedPackage("pyyaml", "6.0.2"),))


@pytest.fixture
def shop(repo: Path) -> Path:
    (repo / "shop/price.py").write_text(FILE)
    return repo


def offered(folder: Path, lock: Lock | None) -> tuple[OfferedName, ...]:
    return allowed_imports(Repository(folder), Target("shop/price.py", "price"), lock)


def test_only_what_is_installed_is_offered(shop: Path) -> None:
    found = {(each.name, each.code) for each in offered(shop, LOCK)}
    tried = "try:\n    {}\nexcept ImportError:\n    {}"
    loaders = [f"from yaml import {name} as Loader" for name in ("CSafeLoader", "SafeLoader")]
    standard = {
        ("json", "import json"),
        ("os", "import os"),
        ("os", "import os.path"),
        ("TYPE_CHECKING", "from typing import TYPE_CHECKING"),
        ("Any", "from typing import Any"),
        ("Path", "from pathlib import Path"),
        ("dumper", "import json as dumper"),
        ("tomllib", tried.format("import tomllib", "tomllib = None")),
    }
    assert found == standard | {
        ("load", "from yaml import safe_load as load"),
        ("Loader", tried.format(*loaders)),
    }
    assert set(offered(shop, None)) == {OfferedName(*pair) for pair in standard}


def test_a_module_of_the_repository_is_its_own_whatever_it_is_called(shop: Path) -> None:
    (shop / "yaml").mkdir()
    (shop / "yaml/__init__.py").write_text("")
    assert {each.name for each in offered(shop, LOCK)}.isdisjoint({"load", "Loader"})


def test_the_prompt_says_which_names_are_there(shop: Path) -> None:
    text = FILE.replace("from re import *\n", "")
    (shop / "shop/price.py").write_text(text)
    for emit in ("flat", "modules"):
        sliced = slice_function(Repository(shop), ("shop/price.py::price",), emit=emit)  # type: ignore[arg-type]
        found = prompt_of(text, sliced, offered(shop, LOCK)).available
        names = {"Loader", "Path", "TYPE_CHECKING", "Any", "dumper", "json", "load", "os"}
        assert set(found) == {*names, "tomllib", "add_tax", "price"}
        assert list(found) == sorted(found)


def test_old_records_have_none(tmp_path: Path) -> None:
    recorded = OracleCase(Case("a", "def a(): return f()\n"), '{"outcome":"returned","value":"1"}')
    oracle = Oracle("def f(): return 1\n", "a.py", "f", (recorded,))
    about = {"compares": "outcome"}
    new = environment_of(
        Oracle(
            "def f(): return 1\n", "a.py", "f", (recorded,), imports=(OfferedName("a", "import a"),)
        ),
        about,
    )
    old = environment_of(oracle, about)
    assert new.record["id"] != old.record["id"]
    write_environment(tmp_path / "new", new)
    assert read_environment(tmp_path / "new").oracle.imports == (OfferedName("a", "import a"),)
    del old.record["imports"]
    assert old.oracle == oracle


@needs_sandbox
@pytest.mark.parametrize("emit", one_in(2, ["flat", "modules"]))
def test_candidates_use_what_the_file_imports(shop: Path, tmp_path: Path, emit: str) -> None:
    text = FILE.replace("import numpy as np\nimport absent_thing\n", "")
    text = text.replace("from yaml import safe_load as load\n", "").replace(
        "from re import *\n", ""
    )
    (shop / "shop/price.py").write_text(text)
    cases, env = tmp_path / "cases.py", tmp_path / "env"
    cases.write_text("def case():\n    return price(100)\n")
    words = ("shop/price.py::price", "--emit", emit, "--cases", cases, "--env", env)
    done = run(shop, *words, "--no-install", env={**os.environ})
    assert done.status == 0, done.err
    record = json.loads((env / "environment.json").read_text())
    assert {"json", "Path", "add_tax"} <= set(record["prompt"]["available"])
    texts = {
        "name": "def price(net: Path) -> Any:\n    return json.loads(str(net + 20))\n",
        "body": "    return json.loads(str(net + 20))\n",
        "own": "import json\n\ndef price(net):\n    return json.loads(str(net + 20))\n",
        "wrong": "def price(net):\n    return json.loads(str(net))\n",
        "pruned": "def price(net):\n    return net + RATE if 0 else unrelated()\n",
    }
    files = [tmp_path / name for name in texts]
    for file, candidate in zip(files, texts.values(), strict=True):
        file.write_text(candidate)
    scores = json.loads(run("score", env, *files, "--json").out)
    verdicts = [each["verdict"] for each in scores]
    assert verdicts[:4] == ["passed", "passed", "passed", "failed"], scores
    assert verdicts[4] != "passed"


@needs_sandbox
def test_candidates_use_what_the_file_imports_of_carried_modules(
    repo: Path, tmp_path: Path
) -> None:
    (repo / "shop/rates.py").write_text(
        "def part(net): return net // 5\ndef share(net): return part(net)\n"
    )
    (repo / "shop/price.py").write_text(
        "from .rates import part as _part, share\nimport shop.rates\n\n\n"
        "def price(net):\n    return net + share(net)\n\n\ndef other():\n    return _part(1)\n"
    )
    cases, env, candidate = tmp_path / "cases.py", tmp_path / "env", tmp_path / "candidate.py"
    cases.write_text("def case():\n    return price(100)\n")
    words = ("--emit", "modules", "--cases", cases, "--env", env, "--no-install")
    assert run(repo, "shop/price.py::price", *words).status == 0
    record = json.loads((env / "environment.json").read_text())
    assert "_part" in record["prompt"]["available"]
    candidate.write_text("def price(net):\n    return net + _part(net)\n")
    assert run("score", env, candidate).status == 0
