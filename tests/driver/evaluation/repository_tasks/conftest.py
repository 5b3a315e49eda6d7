"""A small repository with a history, its tasks, and an index that has pytest and nothing else."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import pytest
from slicefunc.driver.datasets.building.plan import RepositoryPlan
from slicefunc.driver.evaluation.repository_tasks.class_tasks import class_tasks
from slicefunc.driver.evaluation.repository_tasks.feature_tasks import LeftOut, feature_tasks
from slicefunc.driver.evaluation.repository_tasks.grading import Grader
from slicefunc.driver.evaluation.repository_tasks.local_repository import local_repository
from slicefunc.driver.evaluation.repository_tasks.task_file import RepositoryTask
from slicefunc.verifier.execution.commands.sandboxed_command import CommandLimits

from tests.driver.datasets.conftest import git

_PACKAGES = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
FIRST = '''\
"""Words of texts."""


def first(text):
    return text.split()[0]
'''
LAST = '''

def last(text):
    """The last word."""
    return text.split()[-1]
'''
TESTS = """\
from words import text


def test_first():
    assert text.first("a b") == "a"
"""
NEW_TESTS = """

def test_last():
    assert text.last("a b") == "b"


def test_last_of_one():
    assert text.last("a") == "a"


def test_last_of_none():
    assert text.last("a b c") == "c"
"""
CLASSES = '''\
"""Counts of words."""

import json
from collections import Counter, OrderedDict

from words.text import first


class Base:
    """Anything with words."""


class Heads(Base):
    """First words, and how often each came."""

    known: int = 0

    def __init__(self, lines: list[str]) -> None:
        self.counts = Counter(first(line) for line in lines)

    def often(self, word: str) -> int:
        """How often a line began with a word."""
        return self.counts[first(word)]

    def most(self) -> str:
        return first(max(self.counts, key=self.counts.get))

    def to_json(self) -> str:
        return json.dumps(self.counts, sort_keys=True)


class Tails(Base):
    def both(self) -> OrderedDict:
        return OrderedDict()
'''
OLD_CLASSES = (
    CLASSES.replace("class Base:\n", "")
    .replace('    """Anything with words."""\n', "")
    .replace("Heads(Base)", "Tops")
    .replace("word:", "term:")
    .replace("(word)", "(term)")
).partition("class Tails")[0]
CLASS_TESTS = """\
from words.counts import Heads


def test_often():
    assert Heads(["a b", "a c", "d"]).often("a x") == 2


def test_most():
    assert Heads(["a b", "a c", "d"]).most() == "a"


def test_json():
    assert Heads(["a b"]).to_json() == '{"a": 1}'
"""


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone with two commits: a function with its tests, and classes with theirs."""

    folder: Path

    def write(self, **texts: str) -> None:
        for name, text in texts.items():
            file = self.folder / f"{name.replace('__', '/')}.py"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)

    def commit(self, message: str) -> str:
        git(self.folder, "add", ".")
        git(self.folder, "commit", "--quiet", "-m", message)
        return git(self.folder, "rev-parse", "HEAD")


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    made = Clone(tmp_path_factory.mktemp("clone") / "lingua+words")
    made.folder.mkdir()
    git(made.folder, "init", "--quiet")
    (made.folder / "pyproject.toml").write_text('[project]\nname = "words"\nversion = "1"\n')
    made.write(words__text=FIRST, tests__test_text=TESTS)
    (made.folder / "words/__init__.py").touch()
    made.commit("Begin")
    (made.folder / "README.md").write_text("Words.\n")
    made.write(words__text=FIRST + LAST, tests__test_text=TESTS + NEW_TESTS)
    made.commit("Give the last word\n\nOf any text.")
    made.write(words__counts=CLASSES, tests__test_counts=CLASS_TESTS, words__old=OLD_CLASSES)
    made.commit("Count")
    return made


@pytest.fixture(scope="session")
def index() -> Iterator[Path]:
    """The packages of this interpreter, as wheels, and an index with nothing else."""
    folder = Path(tempfile.mkdtemp(prefix="slice-func-tests-"))
    for name in _PACKAGES:
        _wheel(folder, name)
    (folder / "no-index").mkdir()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module", autouse=True)
def _pytest_without_network(_own_cache: None, index: Path) -> Iterator[None]:
    """Of this folder alone: tests elsewhere install other things in the same process."""
    folder = index
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLICE_FUNC_CACHE", str(folder / "cache"))
        patch.setenv("UV_FIND_LINKS", str(folder))
        patch.setenv("UV_DEFAULT_INDEX", (folder / "no-index").as_uri())
        yield


def _wheel(folder: Path, name: str) -> None:
    found = distribution(name)
    stem = f"{name}-{found.version}"
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as archive:
        for each in found.files or ():
            if each.suffix != ".pyc" and ".." not in each.parts and each.name != "direct_url.json":
                archive.writestr(str(each), each.read_binary())


@pytest.fixture(scope="session")
def grader() -> Iterator[Grader]:
    with closing(Grader(limits=CommandLimits(wall_seconds=60))) as made:
        yield made


@pytest.fixture(scope="session")
def plan(clone: Clone) -> RepositoryPlan:
    with local_repository(str(clone.folder)) as (found, _):
        return found


@pytest.fixture(scope="session")
def features(clone: Clone, grader: Grader) -> list[RepositoryTask | LeftOut]:
    """What became of the commits."""
    with local_repository(str(clone.folder)) as (origin, objects):
        return list(feature_tasks(origin, objects, grader, 5))


@pytest.fixture(scope="session")
def feature(features: list[RepositoryTask | LeftOut]) -> RepositoryTask:
    """The task of the function."""
    return next(
        each
        for each in features
        if isinstance(each, RepositoryTask) and each.name == "Give the last word"
    )


@pytest.fixture(scope="session")
def classes(plan: RepositoryPlan, grader: Grader) -> list[RepositoryTask | LeftOut]:
    """What became of the classes."""
    return list(class_tasks(plan, grader, 5))


@pytest.fixture(scope="session")
def heads(classes: list[RepositoryTask | LeftOut]) -> RepositoryTask:
    """The task of the class."""
    (found,) = (each for each in classes if isinstance(each, RepositoryTask))
    return found
