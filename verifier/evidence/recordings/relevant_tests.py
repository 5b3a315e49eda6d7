"""Choose the repository's tests that most likely call a function, by names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice

from ....slicer.analysis.names.word_mentions import Mentions
from ....slicer.repo.repository import Repository

_MOST_FILES = 8
_MOST_SITES = 10
_LEAST_WORD = 4
"""Least length of a word in a file's name that says what it is about."""
_OF_MODULE, _OF_FUNCTION = 3.0, 6.0
"""Weight of a word in a test's name that no other test's name has."""


def search_words(repository: Repository, qualname: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return names that show a call in a test: of the target, and of its callers."""
    return _words(qualname), _callers(Mentions(repository), qualname)


def relevant_test_files(repository: Repository, path: str, qualname: str) -> tuple[str, ...]:
    """Return the few test files that name the target, its class or its module."""
    mentions = Mentions(repository)
    named = [set(mentions.files([word])) for word in _words(qualname)]
    calling = [set(mentions.files([word])) for word in _callers(mentions, qualname)]
    tests = [file for file in mentions.paths if is_test(file)]
    weights = _name_weights(tests, path, qualname)
    found: list[tuple[float, str]] = []
    for file in tests:
        score = sum(2 for files in named if file in files) + weights[file]
        score += any(file in files for files in calling)
        found.append((-score, file))
    return tuple(file for score, file in sorted(found)[:_MOST_FILES] if score)


def _name_weights(tests: Sequence[str], path: str, qualname: str) -> dict[str, float]:
    """Weigh tests by words in their names that match a function; rare words weigh more."""
    *_, stem = path.removesuffix(".py").removesuffix("/__init__").split("/")
    *above, name = qualname.lower().split(".")
    weights = dict.fromkeys((stem.strip("_").lower(), *above), _OF_MODULE)
    weights |= dict.fromkeys(name.split("_"), _OF_FUNCTION)
    scores = dict.fromkeys(tests, 0.0)
    for word, weight in weights.items():
        having = [file for file in tests if word in file.rpartition("/")[2]]
        for file in having if len(word) >= _LEAST_WORD else ():
            scores[file] += weight / math.sqrt(len(having))
    return scores


def _callers(mentions: Mentions, qualname: str) -> tuple[str, ...]:
    """Return definitions that call the target or make instances of its class."""
    *_, name = [qualname.partition(".")[0], *_words(qualname)]
    found: dict[str, None] = {}
    for word in dict.fromkeys((name, qualname.partition(".")[0])):
        for site in islice(mentions.calls(word), _MOST_SITES):
            if not is_test(site.module.path):
                found.update(dict.fromkeys(site.unit.binds))
    return tuple(found)[:_MOST_SITES]


def is_test(path: str) -> bool:
    """Whether a file holds tests, by its name."""
    *_, short = path.split("/")
    return (
        short.startswith("test_")
        or short.endswith(("_test.py", "_tests.py"))
        or (short in ("test.py", "tests.py"))
    )


def _words(qualname: str) -> tuple[str, ...]:
    parts = qualname.split(".")
    return tuple(part for part in parts if not part.startswith("__"))
