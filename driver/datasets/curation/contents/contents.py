"""What the files of a repository say that rules ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from .....slicer.errors import SourceError
from .....slicer.repo.repository import Repository
from .checkout import Checkout
from .file_kinds import is_generated, is_test_file, is_vendored
from .languages import language_shares
from .licences import licence_of

_CI_FILES = frozenset({
    ".appveyor.yml", ".circleci/config.yml", ".cirrus.yml", ".drone.yml", ".gitlab-ci.yml",
    ".travis.yml", "appveyor.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", "Jenkinsfile",
})  # fmt: skip
_CI_FOLDERS = (".github/workflows/", ".azure-pipelines/", ".buildkite/", ".woodpecker/")


@dataclass(frozen=True)
class Contents:
    """The files of a repository, and facts about them that are worked out once."""

    checkout: Checkout

    @cached_property
    def repository(self) -> Repository:
        """Return the files as the slicer reads them."""
        return Repository(self.checkout.folder)

    @cached_property
    def licence(self) -> str | None:
        """Return the SPDX expression of the licence."""
        return licence_of(self.checkout)

    @cached_property
    def size_kb(self) -> int:
        """Return the size of all files together, rounded up."""
        return -(-sum(self.checkout.sizes.values()) // 1024)

    @cached_property
    def lines(self) -> int:
        """Return the number of lines of Python."""
        return sum(self._lines.values())

    @cached_property
    def generated_lines(self) -> int:
        """Return the number of lines in generated files."""
        files = self._texts.items()
        return sum(self._lines[path] for path, text in files if is_generated(path, text))

    @cached_property
    def vendored_lines(self) -> int:
        """Return the number of lines in copies of other projects' files."""
        return sum(lines for path, lines in self._lines.items() if is_vendored(path))

    @cached_property
    def shares(self) -> Mapping[str, float]:
        """Return each programming language's share of the source code."""
        return language_shares(self.checkout.sizes)

    @cached_property
    def has_tests(self) -> bool:
        """Whether there is a Python file of tests."""
        return any(is_test_file(path) and not is_vendored(path) for path in self._texts)

    @cached_property
    def has_ci(self) -> bool:
        """Whether there are settings of a service that runs the tests."""
        paths = self.checkout.sizes
        return any(path in _CI_FILES or path.startswith(_CI_FOLDERS) for path in paths)

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for path in self.repository.python_files():
            try:
                found[path] = self.repository.text(path)
            except SourceError:
                found[path] = ""
        return found

    @cached_property
    def _lines(self) -> Mapping[str, int]:
        return {path: len(text.splitlines()) for path, text in self._texts.items()}
