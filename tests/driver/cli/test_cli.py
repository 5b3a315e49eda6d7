from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from slicefunc.driver.cli import command as cli
from slicefunc.slicer import errors

from tests.driver.conftest import Finished, run, run_anew

TARGET = "shop/orders.py::Order.total"


def _total(script: bytes, folder: Path) -> str:
    """What `Order(1000).total()` gives in a process that has nothing but the script."""
    return _printed(script + b"\nprint(Order(1000).total())\n", folder)


def _printed(script: bytes, folder: Path) -> str:
    place = folder / "alone.py"
    place.write_bytes(script)
    done = subprocess.run(
        [sys.executable, "-I", place], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


# results


@pytest.mark.parametrize("emit", ["script", "modules"])
def test_the_script_on_standard_output_runs_alone(repo: Path, tmp_path: Path, emit: str) -> None:
    done = run_anew(repo, TARGET, "--emit", emit)
    assert done.status == 0, done.err
    assert b"# in cents" in done.out
    assert b"unrelated" not in done.out
    assert _total(done.out, tmp_path) == "1200\n"


def test_the_file_holds_the_same_bytes(repo: Path, tmp_path: Path) -> None:
    done = run(repo, TARGET, "-o", tmp_path / "out.py")
    assert (done.status, done.out) == (0, b"")
    assert (tmp_path / "out.py").read_bytes() == run(repo, TARGET).out


def test_the_layout_that_was_taken_is_told(repo: Path) -> None:
    assert re.search(r"^slice-func: layout (flat|modules): \S", run(repo, TARGET).err, re.MULTILINE)


def test_a_package_is_a_pruned_tree(repo: Path, tmp_path: Path) -> None:
    done = run(repo, TARGET, "--emit", "package", "-o", tmp_path / "out")
    assert (done.status, done.out) == (0, b""), done.err
    assert (tmp_path / "out/shop/tax.py").read_text() == (repo / "shop/tax.py").read_text()
    assert "unrelated" not in (tmp_path / "out/shop/orders.py").read_text()


def test_json_is_the_manifest_and_the_script_goes_only_to_the_file(
    repo: Path, tmp_path: Path
) -> None:
    manifest = json.loads(run(repo, TARGET, "--json").out)
    assert manifest["target"] == {"path": "shop/orders.py", "qualname": "Order.total"}
    assert {d["qualname"] for d in manifest["definitions"]} >= {"add_tax", "RATE"}
    both = run(repo, TARGET, "--json", "-o", tmp_path / "out.py")
    assert json.loads(both.out)["definitions"] == manifest["definitions"]
    assert _total((tmp_path / "out.py").read_bytes(), tmp_path) == "1200\n"


def test_explain_leaves_the_script_alone(repo: Path) -> None:
    done = run(repo, TARGET, "--explain")
    assert done.out == run(repo, TARGET).out
    assert re.search(r"^ +add_tax \(function, shop/tax\.py:4\): ", done.err, re.MULTILINE)


def test_with_keeps_more(repo: Path) -> None:
    done = run(repo, "shop/tax.py::add_tax", "--with", "shop/orders.py::unrelated")
    assert b"def unrelated" in done.out
    assert b"def unrelated" not in run(repo, "shop/tax.py::add_tax").out


def test_several_targets_share_one_script(repo: Path, tmp_path: Path) -> None:
    done = run(repo, "shop/tax.py::add_tax", TARGET)
    assert done.status == 0, done.err
    assert (
        _printed(done.out + b"\nprint(add_tax(100), Order(1000).total())", tmp_path) == "120 1200\n"
    )


def test_a_flat_script_is_refused_where_it_is_not_safe(repo: Path) -> None:
    (repo / "other.py").write_text(
        "from shop import tax\nRATE = 1\n\n\ndef f():\n    return tax.add_tax(RATE)\n"
    )
    done = run(repo, "other.py::f", "--emit", "flat")
    assert done.status == 3
    assert "flat" in done.error


def test_two_equal_names_need_a_package(repo: Path, tmp_path: Path) -> None:
    (repo / "shop/other.py").write_text("def add_tax(net):\n    return net\n")
    targets = ("shop/tax.py::add_tax", "shop/other.py::add_tax")
    done = run(repo, *targets)
    assert done.status == 2
    assert "--emit package" in done.error
    assert run(repo, *targets, "--emit", "package", "-o", tmp_path / "out").status == 0


def test_line_ends_and_bytes_survive_any_stream(repo: Path) -> None:
    (repo / "crlf.py").write_bytes("def f():\r\n    return 'ä€😀'\r\n".encode())
    done = run_anew(repo, "crlf.py::f", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.status == 0, done.err
    assert "def f():\r\n    return 'ä€😀'\r\n".encode() in done.out


def test_the_same_bytes_from_any_folder_and_hash_seed(repo: Path, tmp_path: Path) -> None:
    first = run_anew(repo, TARGET, "--json", "-o", tmp_path / "1.py", cwd=tmp_path)
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    second = run_anew("repo", TARGET, "--json", "-o", tmp_path / "2.py", cwd=tmp_path, env=env)
    assert (tmp_path / "1.py").read_bytes() == (tmp_path / "2.py").read_bytes()
    without_time = [{**json.loads(done.out), "seconds": 0} for done in (first, second)]
    assert without_time[0] == without_time[1]


def test_a_folder_called_graph_is_written_with_a_dot(repo: Path) -> None:
    repo.rename(repo.parent / "graph")
    done = run("./graph", TARGET, cwd=repo.parent)
    assert done.status == 0
    assert b"class Order" in done.out


# wrong input


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["missing", TARGET], 2, "missing"),
        (["repo/shop/tax.py", TARGET], 2, "tax.py"),
        (["repo", "shop/nothing.py::f"], 2, "shop/nothing.py"),
        (["repo", "shop/tax.py::add_tex"], 2, "add_tax"),
        (["repo", "shop/orders.py::Order.totel"], 2, "total"),
        (["repo", "shop/tax.py::nope"], 2, "nope; name what it has: add_tax"),
        (["repo", "shop/tax.py"], 2, "shop/tax.py"),
        (["repo", "::add_tax"], 2, ""),
        (["repo", "shop/tax.py::"], 2, ""),
        (["repo", ""], 2, ""),
        (["", TARGET], 2, ""),
        (["repo", "../outside.py::f"], 2, "outside"),
        (["repo", "shop::f"], 2, "shop"),
        (["repo", "empty.py::f"], 2, "empty.py"),
        (["repo", "binary.py::f"], 2, "binary.py"),
        (["repo", "broken.py::f"], 2, "broken.py:1"),
        (["repo", "shop/tax.py::add_tax", "--with", "shop/tax.py::nothing"], 2, "nothing"),
        (["repo", "shop/tax.py::add_tax", "--root", "nowhere"], 2, "nowhere"),
        (["repo", "shop/tax.py::add_tax\n"], 2, ""),
        (["repo", "shop/tax.py::\x1b[31mred"], 2, r"\x1b[31mred"),
        (["repo", "shop/\udcff.py::f"], 2, r"\udcff"),
        (["repo", "shop/tax.py::add_tax", "-o", "no/out.py"], 2, "does not exist"),
        (["repo", "shop/tax.py::add_tax", "-o", "repo"], 2, "is a folder"),
        (["repo", "shop/tax.py::add_tax", "-o", "/dev/full"], 2, "No space left"),
        (["repo", "shop/tax.py::add_tax", "--emit", "package", "-o", "repo"], 2, "not empty"),
        (["graph", "missing"], 2, "missing"),
    ],
)
def test_wrong_input_is_one_line(repo: Path, words: list[str], status: int, message: str) -> None:
    (repo / "empty.py").touch()
    (repo / "binary.py").write_bytes(bytes(range(256)) * 8)
    (repo / "broken.py").write_text("def f(:\n")
    (repo.parent / "outside.py").write_text("def f():\n    pass\n")
    done = run(*words, cwd=repo.parent)
    assert done.status == status, done.err
    assert message in done.error
    assert done.out == b""


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["repo", "shop/tax::add_tax"], "did you mean shop/tax.py?"),
        (["repo", "shop.tax::add_tax"], "did you mean shop/tax.py?"),
        (["repo", r"shop\tax.py::add_tax"], "did you mean shop/tax.py?"),
        (["repo", "repo/shop/tax.py::add_tax"], "did you mean shop/tax.py?"),
        (["repo", "shop/tax.py"], "did you mean shop/tax.py::add_tax?"),
        (["repo", "shop/tax.py:add_tax"], "did you mean shop/tax.py::add_tax?"),
        (["repo", "add_tax"], "did you mean shop/tax.py::add_tax?"),
        (["repo", "shop.add_tax"], "did you mean shop/tax.py::add_tax?"),
        (["repo", "orders.Order.total"], "did you mean shop/orders.py::Order.total?"),
        (["repo", "no_such"], "write PATH::QUALNAME"),
        (["repo", TARGET, "--verfy"], "did you mean --verify?"),
        (["scroe", "env", "a.py"], "did you mean slice-func score?"),
        (["all", "repo"], "did you mean slice-func REPO --all?"),
        (["repo.zip", TARGET], "unpacked"),
    ],
)
def test_a_slip_is_answered_with_what_was_meant(repo: Path, words: list[str], advice: str) -> None:
    (repo.parent / "repo.zip").touch()
    assert advice in run(*words, cwd=repo.parent).error


@pytest.mark.parametrize(
    "words",
    [
        ["-o", "no/out.py"],
        ["-o", "repo"],
        ["--emit", "package", "-o", "repo"],
        ["--verify", "--cases", "no.py"],
        ["--test", "--env", "no/env"],
    ],
)
def test_places_are_looked_at_before_any_work(repo: Path, words: list[str]) -> None:
    done = run("repo", TARGET, *words, cwd=repo.parent)
    assert done.status == 2
    assert len(done.err.splitlines()) == 2


def test_a_result_does_not_replace_a_source(repo: Path) -> None:
    before = (repo / "shop/tax.py").read_bytes()
    done = run(repo, TARGET, "-o", repo / "shop/tax.py")
    assert done.status == 2
    assert "shop/tax.py" in done.error
    assert (repo / "shop/tax.py").read_bytes() == before


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "-" * 200_000 + "1\n",
        "x = " + "(" * 5_000 + ")" * 5_000 + "\n",
        "x = " + "+".join(["1"] * 50_000) + "\n",
        "x" + ".a" * 50_000 + "\n",
    ],
    ids=["signs", "parentheses", "sum", "attributes"],
)
def test_text_nested_too_deeply_is_no_traceback(repo: Path, text: str) -> None:
    (repo / "deep.py").write_text(text + "\ndef f():\n    return x\n")
    done = run(repo, "deep.py::f")
    assert done.status in (0, 2), done.err
    if done.status:
        assert done.error


# streams


def test_a_reader_that_goes_away_is_no_error(repo: Path) -> None:
    line = "    print('x' * 80)  #" + "x" * 400 + "\n"
    (repo / "long.py").write_text("def f():\n" + line * 10_000)  # more than a pipe holds
    with subprocess.Popen(
        [sys.executable, "-m", "slicefunc.driver.cli.command", repo, "long.py::f"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        messages = process.stderr.read().decode()
    assert process.returncode == 141
    assert "error" not in messages
    assert "Traceback" not in messages


def test_a_full_disk_is_reported(repo: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run_anew(repo, TARGET, stdout=full, stderr=subprocess.PIPE)
    assert done.status == 2
    assert "No space left" in done.error


@pytest.mark.parametrize("target", [TARGET, "shop/tax.py::absent"])
def test_messages_that_cannot_be_written_change_nothing(repo: Path, target: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run_anew(repo, target, stdout=subprocess.PIPE, stderr=full)
    assert (done.status, bool(done.out)) == ((0, True) if target == TARGET else (2, False))


def test_a_cache_that_cannot_be_written_is_named(repo: Path) -> None:
    done = run_anew(repo, TARGET, "--verify", env={**os.environ, "SLICE_FUNC_CACHE": "/proc/no"})
    assert done.status in {0, 2, 4}  # 0 where nothing is to be kept
    if done.status == 2:
        assert "SLICE_FUNC_CACHE" in done.error


@pytest.mark.parametrize(("closing", "status"), [(">&-", 2), ("2>&-", 0), (">&- 2>&-", 2)])
def test_closed_streams_do_no_harm(repo: Path, closing: str, status: int) -> None:
    command = f'"{sys.executable}" -m slicefunc.driver.cli.command "{repo}" {TARGET} {closing}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert ("class Order" in done.stdout) == (status == 0)


# a shell's background jobs, and their children, ignore interrupts
INTERRUPTIBLE = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("slicefunc.driver.cli.command", run_name="__main__", alter_sys=True)
"""


EARLY = """
import sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == "argparse":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
sys.argv = ["slice-func", "--version"]
from slicefunc.driver.cli.start import main
sys.exit(main())
"""


def test_an_interrupt_while_the_command_loads_is_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "slice-func: interrupted\n")


def test_the_command_begins_where_interrupts_are_heard() -> None:
    (entry,) = entry_points(group="console_scripts", name="slice-func")
    assert entry.value == "slicefunc.driver.cli.start:main"


def test_an_interrupt_leaves_no_half_file(repo: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "never.py")
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, repo, TARGET, "-o", tmp_path / "never.py"],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()  # the slice is made; now it waits for a reader
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 130
    assert "Traceback" not in first + rest
    assert sorted(p.name for p in tmp_path.iterdir()) == ["never.py", "repo"]


# what goes wrong inside


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (RecursionError(), 2, "nested too deeply"),
        (MemoryError(), 2, "too large"),
        (PermissionError(13, "Permission denied", "a.py"), 2, "a.py: Permission denied"),
        (errors.NotSupportedError("no flat layout"), 3, "no flat layout"),
        (KeyError("x"), 70, "internal: KeyError: 'x'"),
    ],
)
def test_each_failure_has_its_status(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    status: int,
    message: str,
) -> None:
    def fail(_words: object, **_given: object) -> int:
        raise error

    monkeypatch.setattr(cli, "_run", fail)
    monkeypatch.setattr(cli, "_drop_stdout", lambda: None)
    assert cli.main([]) == status
    assert message in capsys.readouterr().err


def test_a_missing_library_of_an_optional_part_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_words: object, **_given: object) -> int:
        raise ModuleNotFoundError("No module named 'numpy.linalg'", name="numpy.linalg")

    monkeypatch.setattr(cli, "_run", fail)
    monkeypatch.setattr(cli, "_drop_stdout", lambda: None)
    assert cli.main([]) == 2
    told = capsys.readouterr().err
    assert "numpy is not installed" in told
    assert "pip install 'slice-func[datasets]'" in told


# start-up


@pytest.mark.parametrize("command", [(), ("graph",), ("score",), ("curate",), ("completion",)])
def test_help_is_short_and_help_all_has_every_option(command: tuple[str, ...]) -> None:
    short, whole = run(*command, "--help").out.decode(), run(*command, "--help-all").out.decode()
    assert len(short.splitlines()) <= 40
    assert max(map(len, whole.splitlines())) <= 96
    shown = set(re.findall(r"^  .*?(--[\w-]+)", short, re.MULTILINE))
    every = set(re.findall(r"^  .*?(--[\w-]+)", whole, re.MULTILINE))
    assert shown <= every
    assert {"--help", "--help-all"} <= shown
    if not command:
        assert {"--test", "--verify", "--env", "--all", "--mock", "--output"} <= shown
        assert {"--llm", "--min-killed", "--include", "--executor", "--root"} <= every - shown


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); from slicefunc.driver.cli.command import main\n"
        "main(['--help']); print(*set(sys.modules) - before, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "slicefunc.driver.cli.grammar" in loaded
    assert not loaded & {
        "slicefunc.slicer.model",
        "networkx",
        "ast",
        "dataclasses",
        "typing",
        "inspect",
    }
    assert not any(name.startswith("importlib.metadata") for name in loaded)


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    done = run("--version")
    assert done == Finished(0, f"slice-func {version('slice-func')}\n".encode(), "")


# graphs


def test_the_graph_is_json_with_the_kind_of_each_edge(repo: Path) -> None:
    graph = json.loads(run("graph", repo).out)
    edges = {(edge["source"], edge["kind"], edge["target"]) for edge in graph["edges"]}
    assert ("shop.orders.Order.total", "calls", "shop.tax.add_tax") in edges
    assert ("shop.tax.add_tax", "uses", "shop.tax.RATE") in edges


def test_the_graph_of_one_target_is_what_it_reaches(repo: Path) -> None:
    graph = json.loads(run("graph", repo, "shop/tax.py::add_tax").out)
    names = {node["id"] for node in graph["nodes"]}
    assert {"shop.tax.add_tax", "shop.tax.RATE"} <= names
    assert not any(name.startswith("shop.orders") for name in names)


def test_the_graph_in_the_format_of_pycg(repo: Path) -> None:
    graph = json.loads(run("graph", repo, "--format", "pycg").out)
    assert graph["shop.orders.Order.total"] == ["shop.tax.add_tax"]


def test_the_graph_goes_to_a_file(repo: Path, tmp_path: Path) -> None:
    done = run("graph", repo, "--format", "dot", "-o", tmp_path / "g.dot")
    assert (done.status, done.out) == (0, b"")
    assert (tmp_path / "g.dot").read_bytes() == run("graph", repo, "--format", "dot").out
    assert (tmp_path / "g.dot").read_text().startswith("digraph ")


def test_a_file_that_does_not_parse_is_left_out_of_the_graph_with_a_warning(repo: Path) -> None:
    (repo / "broken.py").write_text("def f(:\n")
    done = run("graph", repo)
    assert done.status == 0
    assert "warning: left out: broken.py:1" in done.err
    assert json.loads(done.out)["nodes"]


def test_a_wrong_target_of_a_graph_is_one_line(repo: Path) -> None:
    done = run("graph", repo, "shop/tax.py::nothing")
    assert done.status == 2
    assert "nothing" in done.error


def test_a_dash_is_standard_output(repo: Path) -> None:
    assert run(repo, "shop/tax.py::add_tax", "-o", "-").out == run(repo, "shop/tax.py::add_tax").out
    assert not Path("-").exists()


@pytest.mark.parametrize("further", [(), ("--verify",)])
def test_a_class_is_not_tested_but_one_of_its_methods(repo: Path, further: tuple[str, ...]) -> None:
    done = run(repo, "shop/orders.py::Order", "--test", *further)
    assert (done.status, done.out) == (2, b"")
    assert done.err == (
        "slice-func: error: shop/orders.py::Order is a class: --test takes one of its methods\n"
        "slice-func: hint: name one, as shop/orders.py::Order.total\n"
    )
