from __future__ import annotations

import json
from pathlib import Path

import pytest
from slicefunc.driver.cli.command import main
from slicefunc.driver.datasets.curation.candidates import Candidate
from slicefunc.driver.datasets.curation.sources import read_sources
from slicefunc.driver.datasets.curation.sources.github_client import GitHubClient, GitHubError
from slicefunc.driver.datasets.curation.sources.source import SourceOptions
from slicefunc.slicer.errors import OptionError

from .github_server import GitHub, repository, serving


def _found(github: GitHub, query: str, state: Path | None = None) -> list[str]:
    options = SourceOptions(github.url, state=state)
    said = read_sources([f"github:{query}"], options)
    return [each.repo for each in said if isinstance(each, Candidate)]


def test_pages_are_read_to_the_end() -> None:
    with serving(GitHub([repository(number) for number in range(250)])) as github:
        assert len(_found(github, "language:python")) == 250
    assert github.asked == [("language:python", page) for page in (1, 2, 3)]


def test_fields_of_a_result() -> None:
    with serving(GitHub([repository(3, fork=True, archived=True)])) as github:
        (found,) = read_sources(["github:x"], SourceOptions(github.url))
    assert found == Candidate(
        "owner/name3",
        "https://github.com/owner/name3.git",
        licence="MIT",
        created="2024-01-04",
        pushed="2024-06-01",
        size_kb=100,
        is_fork=True,
        is_archived=True,
        metadata={"language": "Python", "stars": 3},
    )


def test_window_of_dates_is_cut_until_all_results_are_given() -> None:
    every = [repository(number) for number in range(1200)]
    with serving(GitHub(every)) as github:
        found = _found(github, "created:2024-01-01..2024-01-31 stars:>1")
    assert sorted(found) == sorted(each["full_name"] for each in every)
    assert {query for query, _ in github.asked} == {
        "created:2024-01-01..2024-01-31 stars:>1",
        "created:2024-01-01..2024-01-16 stars:>1",
        "created:2024-01-17..2024-01-31 stars:>1",
    }


def test_without_a_window_the_missing_results_are_told() -> None:
    told: list[str] = []
    with serving(GitHub([repository(number) for number in range(1200)])) as github:
        said = list(read_sources(["github:x"], SourceOptions(github.url, report=told.append)))
    assert len(said) == 1000
    assert told == [
        "GitHub: gives 1000 of 1200 results of 'x'; "
        "with created:FROM..TO in the query, all are found"
    ]


def test_stopped_search_resumes_after_its_last_page(tmp_path: Path) -> None:
    state = tmp_path / "pages.jsonl"
    with serving(GitHub([repository(number) for number in range(250)])) as github:
        github.refusals = []
        _found(github, "x", state)
        lines = state.read_text().splitlines(keepends=True)
        state.write_text("".join(lines[:2]) + lines[2][:50])  # killed while it wrote page 3
        github.asked.clear()
        assert len(_found(github, "x", state)) == 250
        assert github.asked == [("x", 3)]
        github.asked.clear()
        assert len(_found(github, "x", state)) == 250
    assert github.asked == []


def _client(github: GitHub, slept: list[float]) -> GitHubClient:
    return GitHubClient(github.url, "secret", lambda _line: None, slept.append)


def _get(github: GitHub, slept: list[float], times: int = 1) -> None:
    client = _client(github, slept)
    for _ in range(times):
        client.get("search/repositories", {"q": "x", "per_page": 100, "page": 1})


LIMIT = "You have exceeded a secondary rate limit."
DATE = "Mon, 01 Jan 2024 01:00:00 GMT"
WAITS: dict[str, tuple[list[tuple[int, dict[str, str], str]], list[float]]] = {
    "secondary limit": ([(403, {"Retry-After": "7"}, LIMIT)], [7]),
    "secondary limit that says no time": ([(403, {}, LIMIT), (429, {}, "slow")], [60, 120]),
    "primary limit, by the server's clock": (
        [
            (
                403,
                {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1704070842", "Date": DATE},
                "x",
            )
        ],
        [43],
    ),
    "failure of the server": ([(502, {}, "bad"), (500, {}, "bad")], [1, 2]),
}


@pytest.mark.parametrize("name", WAITS)
def test_request_is_repeated_after_a_wait(name: str) -> None:
    refusals, expected = WAITS[name]
    slept: list[float] = []
    with serving(GitHub([], list(refusals))) as github:
        _get(github, slept)
    assert slept == expected
    assert len(github.asked) == len(refusals) + 1


def test_used_up_limit_is_waited_for_before_the_next_request() -> None:
    slept: list[float] = []
    with serving(GitHub([], limit_after=1)) as github:
        _get(github, slept, times=2)
    assert slept == [43]


def test_retry_after_is_really_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(GitHub([repository(1)], [(429, {"Retry-After": "1"}, "slow")])) as github:
        monkeypatch.setenv("GITHUB_API_URL", github.url)
        assert main(["curate", "github:x", "--no-fetch", "-q"]) == 0


REFUSALS: dict[str, tuple[tuple[int, dict[str, str], str], type[Exception], str]] = {
    "token": ((401, {}, "Bad credentials"), OptionError, "refuses the token: 401 Bad credentials"),
    "query": ((422, {}, "Validation Failed"), OptionError, "refuses the query: 422 Validation"),
    "other": ((403, {}, "Forbidden"), GitHubError, "refuses the request: 403 Forbidden"),
    "long wait": ((403, {"Retry-After": "9000"}, LIMIT), GitHubError, "asks to wait for 9000 s"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusal_that_no_wait_helps(name: str) -> None:
    refusal, error, said = REFUSALS[name]
    slept: list[float] = []
    with serving(GitHub([], [refusal])) as github, pytest.raises(error, match=said):
        _get(github, slept)
    assert slept == []


def test_server_that_is_not_there_is_tried_some_times() -> None:
    with serving(GitHub([])) as github:
        pass
    slept: list[float] = []
    with pytest.raises(GitHubError, match=r"127\.0\.0\.1 failed 6 times: .*refused"):
        _get(github, slept)


def test_token_is_sent_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    monkeypatch.setenv("GH_TOKEN", "secret")
    with serving(GitHub([repository(number) for number in range(3)])) as github:
        out = str(tmp_path / "r.jsonl")
        words = ["curate", "github:x", "--no-fetch", "--github-api", github.url, "-o", out]
        assert main(words) == 0
    assert github.tokens == ["Bearer secret"]
    shown = "".join(capfd.readouterr()) + "".join(each.read_text() for each in tmp_path.iterdir())
    assert "secret" not in shown
    assert [each.name for each in sorted(tmp_path.iterdir())] == ["r.jsonl", "r.rejected.jsonl"]


def test_metadata_spares_the_fetch_of_what_falls(tmp_path: Path) -> None:
    """Each address leads nowhere, so that a fetch would be another rejection."""
    every = [
        repository(1, fork=True),
        repository(2, archived=True),
        repository(3, size=20_000),
        repository(4, license={"spdx_id": "GPL-3.0"}),
        repository(5, license=None),
        repository(6),
    ]
    for each in every:
        each["clone_url"] = f"file://{tmp_path}/nowhere"
    with serving(GitHub(every)) as github:
        out = tmp_path / "r.jsonl"
        main(["curate", "github:x", "--github-api", github.url, "-o", str(out), "-q"])
    rows = map(json.loads, (tmp_path / "r.rejected.jsonl").read_text().splitlines())
    assert [(row["repo"][-1], row["rule"]) for row in rows] == [
        ("1", "forks"),
        ("2", "archived"),
        ("3", "size"),
        ("4", "licence"),
        ("5", "unreadable"),
        ("6", "unreadable"),
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["github:"], "github: has no query"),
        (["github:x", "--github-api", "ftp://x"], "ftp://x is no address of an API"),
        (
            ["github:x", "--no-fetch", "--min-lines", "5"],
            "--no-fetch leaves nothing to judge by: lines",
        ),
    ],
)
def test_wrong_words(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["curate", *words]) == 2
    assert said in capsys.readouterr().err
