"""Settings of a curation: thresholds of the rules, and how functions are chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

KEEPABLE = ("forks", "archived", "tests", "generated", "vendored")
"""What is left out unless it is kept by `--keep`."""
REQUIRABLE = ("tests", "ci")
"""What `--require` can ask a repository for."""
MAX_SIZE_MB = 10
PERMISSIVE = "permissive"
ANY = "any"

SampleBy = Literal["example", "repository"]
WithoutBy = Literal["words", "imports"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a run."""

    licences: tuple[str, ...] = (PERMISSIVE,)
    """SPDX identifiers, `permissive`, or `any`."""
    keep: frozenset[str] = frozenset()
    """Some of `KEEPABLE`."""
    require: frozenset[str] = frozenset()
    """Some of `REQUIRABLE`."""
    max_size_mb: int = MAX_SIZE_MB
    """0 is no limit."""
    min_lines: int = 0
    created_after: str | None = None
    """First date that counts, `YYYY-MM-DD`."""
    created_before: str | None = None
    """First date that no longer counts."""
    last_commit_before: str | None = None
    min_python: int = 0
    """Least share of Python among the bytes of source code, in per cent."""
    max_functions: int = 0
    """Most functions of one repository; 0 is no limit."""
    max_trivial: int = 0
    """Most trivial functions of one repository."""
    without_gpu_cloud: WithoutBy | None = None
    """How functions of GPU and cloud tasks are recognised, if they are left out."""
    sample: int = 0
    """Number of functions over all repositories; 0 takes all."""
    sample_by: SampleBy = "example"
    seed: int = 0
    fetches: bool = True
    """Whether remote repositories are fetched, so that their files can be judged."""
