"""Which files of a repository hold tests, in any language."""

from __future__ import annotations

import re

from ....verifier.evidence.recordings.relevant_tests import is_test

_JAVA_TEST = re.compile(
    r"(^|/)(tests?|integration-?[tT]est|testFixtures|src/it/java)/"
    r"|(^|/)([^/]*(Test|Tests|TestCase|IT)|Test[A-Z][^/]*)\.java$"
)
_OF_TESTS = re.compile(
    r"(^|/)(tests?|__tests__|spec)/|(^|/)(test_[^/]*|[^/]*[_.-]test|[^/]*Test)\.\w+$"
)
_SETTINGS = re.compile(
    r"(^|/)(conftest\.py|pytest\.ini|tox\.ini|\.mocharc[^/]*|ava\.config[^/]*)$"
    r"|^(pytest|_pytest|sitecustomize|usercustomize)(\.py$|/)"
)


def is_of_tests(path: str) -> bool:
    """Whether a file of any language is among the tests, by its folder and name."""
    return _OF_TESTS.search(path) is not None


def decides(path: str) -> bool:
    """Whether a file says which tests there are and how they run."""
    return is_of_tests(path) or _SETTINGS.search(path) is not None


def is_java_test(path: str) -> bool:
    """Whether a Java file holds tests or what only they use, by its folder and name."""
    return "src/main/" not in path and _JAVA_TEST.search(path) is not None


def is_test_file(path: str) -> bool:
    """Whether a file holds tests."""
    return is_java_test(path) if path.endswith(".java") else is_test(path)
