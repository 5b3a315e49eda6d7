"""The original is found in whatever file, archive or version of it scripts could read."""

from __future__ import annotations

import ast
import io
import py_compile
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from slicefunc.verifier.execution.executors.interface import Profile
from slicefunc.verifier.scoring.leaks.file_masks import masked, masks_of
from slicefunc.verifier.scoring.leaks.fingerprints import fingerprints
from slicefunc.verifier.scoring.leaks.original_reach import original_of, view_of

PATH = "src/pack/mod.py"
TEXT = '''\
"""A module."""


def settle(account, payments, fee=3):
    """Book payments."""
    total = 0
    for number, payment in enumerate(payments):
        if payment < 0:
            raise ValueError("negative")
        total += (payment * (number + 7) + 13) % 101 - fee
    account.balance += total
    return total
'''
REFORMATTED = """\
def settle(account, payments, fee=3):
    total = 0  # of all
    for number, payment in enumerate(payments):
        if payment < 0: raise ValueError('negative')
        total += ((payment*(number+7)+13) % 101) - fee
    account.balance += total
    return (total)
"""
OLDER = REFORMATTED.replace("    account.balance += total\n", "")
OTHER = "def settle(case):\n    case.is_open = False\n    return case.judge.decide(case.parties)\n"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("environment")
    words = [Path(sys.executable).resolve(), "-I", "-m", "venv", "--without-pip", folder]
    subprocess.run(words, check=True, capture_output=True)
    return folder


@pytest.fixture
def place(base: Path, tmp_path: Path) -> Callable[..., list[str]]:
    """Copies of the original that are found when a file lies in the environment's packages."""
    (packages,) = base.glob("lib/python*/site-packages")

    def found(name: str, content: bytes | str, text: str = TEXT, path: str = PATH) -> list[str]:
        file = packages / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        profile = Profile(python=base / "bin/python")
        own = [ast.get_source_segment(text, ast.parse(text).body[-1]) or ""]
        copies = [*view_of(profile, tmp_path).copies(original_of(path, "settle", text, own))]
        file.unlink()
        return [each.relative_to(packages).as_posix() for each in copies]

    return found


def _zip(name: str, text: str | bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, text)
    return out.getvalue()


def _tar(name: str, text: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        head = tarfile.TarInfo(name)
        head.size = len(text.encode())
        archive.addfile(head, io.BytesIO(text.encode()))
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pack/mod.py", TEXT),
        ("other/_vendor/pack/mod.py", TEXT),
        ("elsewhere.py", REFORMATTED),
        ("elsewhere.py", OLDER),
        ("pack/mod.py", OTHER),
        ("notes.txt", f"Not Python at all!\n\n{REFORMATTED}\nand so on"),
        ("old.py", f"print 'of Python 2'\n{REFORMATTED}"),
        ("some.whl", _zip("pack/mod.py", TEXT)),
        ("hidden.data", _zip("x", REFORMATTED)),
        ("outer.zip", _zip("inner.whl", _zip("m.py", TEXT))),
        ("some.tar.gz", _tar("a/b.py", REFORMATTED)),
        ("broken.zip", b"PK\3\4 and nothing"),
        ("pack/mod.cpython-311-x86_64-linux-gnu.so", b"\x7fELF\0"),
    ],
)
def test_copy_is_found(place: Callable[..., list[str]], name: str, content: bytes | str) -> None:
    assert place(name, content) == [name]


@pytest.mark.parametrize(
    ("name", "content"),
    [("elsewhere.py", OTHER), ("notes.txt", "def settle"), ("a/mod.py", "settle = 1\n")],
)
def test_other_text_is_none(place: Callable[..., list[str]], name: str, content: str) -> None:
    assert place(name, content) == []


def test_bytecode_without_a_source_is_searched(
    place: Callable[..., list[str]], tmp_path: Path
) -> None:
    source = tmp_path / "away.py"
    source.write_text(REFORMATTED)
    compiled = Path(py_compile.compile(str(source), str(tmp_path / "away.pyc"), doraise=True))
    for name in ("away.pyc", "__pycache__/away.cpython-311.pyc"):
        assert place(name, compiled.read_bytes()) == [name]


def test_what_anybody_would_write_is_no_copy_elsewhere(place: Callable[..., list[str]]) -> None:
    short = "def settle(self):\n    return self.total\n"
    assert place("elsewhere.py", short, short) == []
    assert place("a/pack/mod.py", short, short) == ["a/pack/mod.py"]


HOOK = """
def __getattr__(name):
    if name == {name!r}:
        warnings.warn("deprecated", DeprecationWarning, stacklevel=2)
        return _{name}
    raise AttributeError(f"module {{__name__!r}} has no attribute {{name!r}}")
"""


def test_hooks_of_modules_have_the_same_words_by_custom(tmp_path: Path) -> None:
    text = HOOK.format(name="Resolver")
    original = original_of(PATH, "__getattr__", text, [text])
    other = tmp_path / "other.py"
    other.write_text(HOOK.format(name="Quoter"))
    assert not original.is_in(other)
    other.write_text(text)
    assert original.is_in(other)


def test_index_is_made_again_when_a_file_changes(place: Callable[..., list[str]]) -> None:
    assert place("elsewhere.py", OTHER) == []
    assert place("elsewhere.py", REFORMATTED) == ["elsewhere.py"]
    assert place("elsewhere.py", OTHER) == []


SHARES = """\
def settle(kind):
    if kind == "cash" or kind == "card":
        return "at once"
    if kind == "cheque" or kind == "bill-of-exchange":
        return "in a week"
    return "later"
"""


@pytest.mark.parametrize(
    ("content", "is_compiled"),
    [
        (SHARES.replace("in a week", "tomorrow"), True),
        ("def settle(kind):\n    return kind\n", False),
        (SHARES.replace("kind", "sort"), False),
    ],
    ids=["another version", "lacks its texts", "lacks its names"],
)
def test_only_what_has_most_of_its_words_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, *, is_compiled: bool
) -> None:
    original = original_of(PATH, "settle", SHARES, [SHARES])
    seen: list[str] = []
    monkeypatch.setattr(
        "slicefunc.verifier.scoring.leaks.original_reach.fingerprints",
        lambda text: seen.append(text) or fingerprints(text),
    )
    (tmp_path / "other.py").write_text(content)
    assert original.is_in(tmp_path / "other.py") == is_compiled
    assert bool(seen) == is_compiled


def test_widest_mask_is_the_package_of_a_copy(base: Path) -> None:
    (packages,) = base.glob("lib/python*/site-packages")
    profile = Profile(python=base / "bin/python")
    copies = [packages / "other/_vendor/pack/mod.py", packages / "elsewhere.py"]
    found = masks_of(profile, PATH, copies)
    assert found == (
        ("other/_vendor/pack", "elsewhere.py"),
        ("other/_vendor/pack/mod.py", "elsewhere.py"),
    )
    assert masks_of(profile, PATH, []) == ()
    assert masks_of(profile, PATH, [Path("/usr/lib/x.so")]) == ()


def test_modules_of_the_interpreter_itself_cannot_be_masked(base: Path) -> None:
    import posixpath

    assert masks_of(Profile(python=base / "bin/python"), PATH, [Path(posixpath.__file__)]) == ()


def test_masks_hide_bytecode_too(base: Path) -> None:
    (packages,) = base.glob("lib/python*/site-packages")
    (packages / "masked_one.py").write_text(TEXT)
    py_compile.compile(str(packages / "masked_one.py"), doraise=True)
    profile = masked(Profile(python=base / "bin/python"), ["masked_one.py", "absent.py"])
    assert [each.suffix for each in profile.hidden] == [".py", ".pyc"]
    for each in profile.hidden:
        each.unlink()
