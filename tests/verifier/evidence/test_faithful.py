"""The cases of a slice run in its repository, and what they do there is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from slicefunc.driver.pipeline.passes import compile_slice
from slicefunc.driver.settings.options import Options
from slicefunc.slicer import Repository
from slicefunc.slicer.model import Slice
from slicefunc.verifier.evidence.faithfulness import Faithfulness, faithful
from slicefunc.verifier.evidence.in_place.in_place_script import in_place
from slicefunc.verifier.evidence.in_place.repository_copy import copy_of
from slicefunc.verifier.execution.executors.embedded_executor import EmbeddedExecutor
from slicefunc.verifier.execution.executors.interface import Case, Executor, Limits, Profile
from slicefunc.verifier.scoring.oracle.oracle import Oracle, record

LIMITS = Limits(wall_seconds=60, cpu_seconds=5)
SHOP = {
    "shop/__init__.py": "from .orders import Order\n",
    "shop/money.py": (
        "RATES = {'A': 20}\nSEEN = []\n\n\n"
        "class Money:\n    def __init__(self, cents):\n        self.cents = cents\n\n\n"
        "def taxed(net, kind):\n    SEEN.append(net)\n    return Money(net + net * RATES[kind])\n"
    ),
    "shop/orders.py": (
        "from .money import Money, taxed\n\nCOUNT = 0\n\n\n"
        "class Order:\n    def __init__(self, net):\n        self.net = net\n\n\n"
        "def bill(order: Order, kind='A'):\n    global COUNT\n    COUNT += 1\n"
        "    return taxed(order.net, kind), order\n"
    ),
}
BILL = "shop/orders.py::bill"


@pytest.fixture(scope="module")
def executors() -> Iterator[Callable[[Profile], Executor]]:
    """Makes started executors."""
    made: list[Executor] = []

    def start(profile: Profile) -> Executor:
        executor = EmbeddedExecutor()
        executor.start(profile)
        made.append(executor)
        return executor

    yield start
    for each in made:
        each.close()


@pytest.fixture
def compared(
    tmp_path: Path, executors: Callable[[Profile], Executor]
) -> Callable[..., Faithfulness]:
    """What comes of running cases in a repository of these files."""

    def run(
        files: dict[str, str], target: str, *calls: str, emit: str = "script",
        change: Callable[[str], str] = str, keep: tuple[str, ...] = (),
    ) -> Faithfulness:  # fmt: skip
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        repository = Repository(tmp_path)
        options = Options(emit=emit, keep=keep)  # type: ignore[arg-type]
        sliced: Slice = compile_slice(repository, target, options)
        sliced = replace(sliced, source=change(sliced.source))
        cases = [Case(f"c{n}", _code(f"c{n}", call)) for n, call in enumerate(calls)]
        path, qualname = target.split("::")
        bare = Oracle(sliced.source, path, qualname, ())
        oracle, rejected = record(executors(Profile()).run, bare, cases, LIMITS)
        assert not rejected
        copy = copy_of(repository)
        assert copy is not None
        place = in_place(repository, sliced, Path(copy.name))
        executor = executors(Profile(readable=(Path(copy.name),)))
        return faithful(executor.run, oracle, place)

    return run


def _code(name: str, call: str) -> str:
    *before, last = call.split("; ")
    return "".join(f"    {line}\n" for line in (f"def {name}():", *before, f"return {last}"))[4:]


def _told(found: Faithfulness) -> tuple[int, int, str]:
    return found.compared, found.same, found.why_not.code if found.why_not else ""


# the same


@pytest.mark.parametrize("emit", ["flat", "modules"])
def test_values_classes_and_globals_have_the_same_names_in_every_layout(
    compared: Callable[..., Faithfulness], emit: str
) -> None:
    found = compared(SHOP, BILL, "bill(Order(3))", "bill(Order('x'))", emit=emit)
    assert _told(found) == (2, 2, "")


def test_what_a_build_writes_is_there(compared: Callable[..., Faithfulness]) -> None:
    files = {
        "pyproject.toml": (
            '[project]\nname = "Shop-tools"\n[tool.setuptools_scm]\n'
            'version_file = "shop/_version.py"\n'
        ),
        "shop/__init__.py": (
            "from importlib.metadata import version\nfrom ._version import version_tuple\n"
            "NUMBER = version('shop-tools')\n"
        ),
        "shop/sums.py": "def double(x):\n    return 2 * x\n",
    }
    assert _told(compared(files, "shop/sums.py::double", "double(2)")) == (1, 1, "")


def test_a_merged_name_of_another_module_is_taken_from_there(
    compared: Callable[..., Faithfulness],
) -> None:
    calls = ("bill(Order(Money(1).cents))", "global RATES; RATES = {'A': 7}; bill(Order(1))")
    assert _told(compared(SHOP, BILL, *calls, emit="flat")) == (2, 2, "")


def test_a_merged_name_may_mean_something_else_in_the_targets_module(
    compared: Callable[..., Faithfulness],
) -> None:
    files = {
        "a.py": (
            "from b import twice\n\n\ndef make():\n    return 'a'\n\n\n"
            "def f(x):\n    return twice(x)\n"
        ),
        "b.py": "def make():\n    return 'b'\n\ndef twice(x):\n    return make() + x + make()\n",
    }
    found = compared(files, "a.py::f", "f(make())", emit="flat", keep=("b.py::make",))
    assert _told(found) == (1, 1, "")


def test_a_builtin_stays_one_where_the_module_has_another_of_its_name(
    compared: Callable[..., Faithfulness],
) -> None:
    text = "def type(kind, value):\n    return kind\n\n\ndef f(x):\n    return x.size\n"
    call = "f(type('Sized', (), {'size': 3})())"
    assert _told(compared({"m.py": text}, "m.py::f", call)) == (1, 1, "")


def test_a_name_that_is_imported_for_types_alone_is_taken_from_its_module(
    compared: Callable[..., Faithfulness],
) -> None:
    files = {
        "a.py": (
            "import typing\nfrom b import twice\n\nif typing.TYPE_CHECKING:\n"
            "    from b import Box\n\n\ndef f(box: 'Box'):\n    return twice(box.size)\n"
        ),
        "b.py": (
            "class Box:\n    def __init__(self):\n        self.size = 3\n\n\n"
            "def twice(x):\n    return 2 * x\n"
        ),
    }
    assert _told(compared(files, "a.py::f", "f(Box())", emit="flat")) == (1, 1, "")


def test_files_that_are_found_beside_the_module_have_the_same_paths(
    compared: Callable[..., Faithfulness],
) -> None:
    files = {
        "p/__init__.py": "",
        "p/m.py": (
            "import os\nimport tempfile\nfrom pathlib import Path\n\n"
            "HERE = Path(__file__).parent\n\n\n"
            "def f(n):\n    return n, (HERE / 'd.txt').read_text()\n"
        ),
        "p/d.txt": "data",
    }
    assert _told(compared(files, "p/m.py::f", "f('d.txt')")) == (1, 1, "")
    files["p/m.py"] = files["p/m.py"].replace(
        "def f(n):\n",
        "def f(n):\n    os.makedirs('/srv/out', exist_ok=True)\n"
        "    tempfile.mkdtemp()\n    n = HERE\n",
    )
    assert _told(compared(files, "p/m.py::f", "f('d.txt')")) == (1, 1, ""), "with mocked files"


def test_mocks_of_the_slice_answer_in_the_repository(compared: Callable[..., Faithfulness]) -> None:
    files = {
        "m.py": (
            "import socket\n\n\ndef f(host):\n    with socket.create_connection((host, 80)) as s:\n"
            "        s.sendall(b'x')\n        return s.recv(10)\n"
        )
    }
    assert _told(compared(files, "m.py::f", "f('example.org')")) == (1, 1, "")


def test_mocks_answer_all_modules_of_the_repository(compared: Callable[..., Faithfulness]) -> None:
    files = {
        "p/__init__.py": "",
        "p/machine.py": "import os\n\n\ndef who():\n    return os.getpid(), os.getlogin()\n",
        "p/m.py": "from .machine import who\n\n\ndef f():\n    return who()\n",
    }
    assert _told(compared(files, "p/m.py::f", "f()")) == (1, 1, "")


def test_a_module_may_be_called_like_the_script(compared: Callable[..., Faithfulness]) -> None:
    files = {"script.py": "class A:\n    pass\n\n\ndef f():\n    return A()\n"}
    assert _told(compared(files, "script.py::f", "f()")) == (1, 1, "")


def test_a_package_that_imports_the_module_while_it_loads(
    compared: Callable[..., Faithfulness],
) -> None:
    files = {
        "p/__init__.py": "LATE = []\nfrom .m import f\nLATE.append(f)\n",
        "p/m.py": "import p\n\n\ndef f(x):\n    return len(p.LATE), x\n",
    }
    calls = ("f(1)", "class Made: pass; f(Made())")
    assert _told(compared(files, "p/m.py::f", *calls)) == (2, 2, "")


# another


def test_a_statement_that_the_slice_lacks_is_seen(compared: Callable[..., Faithfulness]) -> None:
    files = {"m.py": "STATE = {'n': 5}\n\n\ndef f(x):\n    return x + STATE['n']\n"}
    found = compared(files, "m.py::f", "f(1)", change=lambda text: text.replace("5", "0"))
    assert _told(found) == (1, 0, "")
    assert str(found) == "c0: value: 6 in the repository, 1 here"


def test_a_write_that_the_slice_lacks_is_seen(compared: Callable[..., Faithfulness]) -> None:
    found = compared(
        SHOP, BILL, "bill(Order(3))", emit="modules",
        change=lambda text: text.replace("SEEN.append(net)", "SEEN.count(net)"),
    )  # fmt: skip
    assert _told(found) == (1, 0, "")
    assert "global shop.money.SEEN" in str(found)


# not comparable


@pytest.mark.parametrize(
    ("top", "code"),
    [
        ("import no_such_library\n", "missing_module"),
        ("from pkg._speedups import fast\n", "own_module"),
        ("raise SystemExit(3)\n", "ends"),
        ("open('/no/such/file')\n", "needs_file"),
        ("1 / 0\n", "import_fails"),
        ("import os; os._exit(0)\n", "ends"),
    ],
)
def test_a_module_that_cannot_be_imported_is_not_compared(
    compared: Callable[..., Faithfulness], top: str, code: str
) -> None:
    files = {"pkg/__init__.py": "", "pkg/m.py": f"{top}\n\ndef f(x):\n    return x\n"}
    assert _told(compared(files, "pkg/m.py::f", "f(1)")) == (0, 0, code)


def test_what_the_repository_does_otherwise_each_time_is_not_compared(
    compared: Callable[..., Faithfulness],
) -> None:
    files = {"m.py": "import time\n\nSEED = time.thread_time_ns()\n\n\ndef f():\n    return SEED\n"}
    found = compared(
        files, "m.py::f", "f()", change=lambda text: text.replace("time.thread_time_ns()", "1")
    )
    assert _told(found) == (0, 0, "unstable")
