"""GitHub's search of repositories: `github:QUERY`, page by page.

A search gives at most 1,000 results. A query with `created:FROM..TO` that has more is cut into
windows of dates that have fewer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, cast

from .....slicer.errors import OptionError
from ..candidates import Candidate
from .github_client import GitHubClient
from .metadata_fields import candidate_of_fields
from .source import Said, Source, SourceOptions

PREFIX = "github:"
PAGE = 100
"""Results of one page, which is the most that GitHub gives."""
MOST = 1000
"""Results of one query."""
_WINDOW = re.compile(r"\bcreated:(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)")
_FIELDS = (
    "archived", "clone_url", "created_at", "description", "fork", "full_name", "language",
    "license", "pushed_at", "size", "stargazers_count", "topics",
)  # fmt: skip
"""Fields of a result that are kept."""


@dataclass(slots=True)
class Pages:
    """Finished pages of searches, in a file of JSON lines from which a stopped run resumes."""

    file: Path | None
    _found: dict[tuple[str, str, int], dict[str, Any]] = field(
        default_factory=dict[tuple[str, str, int], dict[str, Any]]
    )

    def __post_init__(self) -> None:
        """Read the file; a line that was cut off is left out."""
        if self.file is None or not self.file.exists():
            return
        for line in self.file.read_text("utf-8", "replace").splitlines():
            try:
                row: Any = json.loads(line)
                self._found[row["api"], row["query"], row["page"]] = row
            except (ValueError, KeyError, TypeError):
                continue

    def __len__(self) -> int:
        return len(self._found)

    def get(self, api: str, query: str, page: int) -> dict[str, Any] | None:
        """Return a finished page."""
        return self._found.get((api, query, page))

    def add(self, row: dict[str, Any]) -> None:
        """Keep a finished page."""
        self._found[row["api"], row["query"], row["page"]] = row
        if self.file is not None:
            with self.file.open("a+b") as file:
                if file.tell():
                    file.seek(-1, 2)
                    cut = file.read(1) != b"\n"
                    file.write(b"\n" if cut else b"")
                file.write(json.dumps(row).encode() + b"\n")


def _takes(word: str) -> bool:
    return word.startswith(PREFIX)


def _read(word: str, options: SourceOptions) -> Iterator[Said]:
    """Yield the repositories that a search finds, each once.

    Raises:
        SliceFuncError: GitHub refuses the search, or cannot be reached.
    """
    query = word.removeprefix(PREFIX).strip()
    if not query:
        raise OptionError(
            "github: has no query", "write one, as 'github:language:python stars:>50'"
        )
    pages = Pages(options.state)
    if len(pages):
        options.report(f"GitHub: {len(pages)} pages are taken from {options.state}")
    client = GitHubClient(options.github_api, options.token, options.report)
    search = _Search(client, pages, options)
    seen: set[str] = set()
    for row in search.rows(query):
        said = candidate_of_fields(row, f"{word}:{row.get('full_name')}")
        if isinstance(said, Candidate) and said.repo.lower() in seen:
            continue  # results move between pages while they are read
        seen.add(said.repo.lower())
        yield said


@dataclass(frozen=True, slots=True)
class _Search:
    client: GitHubClient
    pages: Pages
    options: SourceOptions

    def rows(self, query: str) -> Iterator[dict[str, Any]]:
        """Yield the results of a query, or of its windows."""
        first = self._page(query, 1)
        total = int(first["total"])
        halves = _halves(query) if total > MOST else None
        if halves is not None:
            for half in halves:
                yield from self.rows(half)
            return
        if total > MOST:
            self.options.report(
                f"GitHub: gives {MOST} of {total} results of {query!r}; "
                "with created:FROM..TO in the query, all are found"
            )
        yield from first["items"]
        for number in range(2, -(-min(total, MOST) // PAGE) + 1):
            items = self._page(query, number)["items"]
            yield from items
            if not items:
                break

    def _page(self, query: str, number: int) -> dict[str, Any]:
        known = self.pages.get(self.options.github_api, query, number)
        if known is not None:
            return known
        asked = {"q": query, "per_page": PAGE, "page": number}
        answer = self.client.get("search/repositories", asked)
        if answer.get("incomplete_results"):
            self.options.report(f"GitHub: ran out of time for {query!r}; results are missing")
        items = cast("list[Mapping[str, Any]]", answer.get("items") or [])
        row = {
            "api": self.options.github_api,
            "query": query,
            "page": number,
            "total": answer.get("total_count", len(items)),
            "items": [{name: item.get(name) for name in _FIELDS} for item in items],
        }
        self.pages.add(row)
        return row


def _halves(query: str) -> tuple[str, str] | None:
    """Return the query for each half of its window of dates; `None` if it has no two days."""
    found = _WINDOW.search(query)
    if found is None:
        return None
    try:
        start, end = date.fromisoformat(found[1]), date.fromisoformat(found[2])
    except ValueError:
        return None
    if start >= end:
        return None
    middle = start + (end - start) // 2
    before = f"created:{start}..{middle}"
    after = f"created:{middle + timedelta(days=1)}..{end}"
    head, tail = query[: found.start()], query[found.end() :]
    return f"{head}{before}{tail}", f"{head}{after}{tail}"


SOURCE = Source(_takes, _read)
