"""A service as trainers see it: over HTTP on loopback."""

from __future__ import annotations

import json
import signal
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from slicefunc.driver.datasets.scoring.catalogue import Catalogue
from slicefunc.driver.datasets.storage.dataset import EnvironmentFolder
from slicefunc.driver.record.score_log import read_score_log
from slicefunc.driver.services.rewards.client import Reward, RewardServiceError, score
from slicefunc.driver.services.rewards.http_app import BODIES_BYTES, BODY_BYTES

from tests.driver.conftest import run
from tests.driver.services.rewards.conftest import Started, serving

TOKEN = "a-token"
RIGHT = "def added(a, b):\n    return a + b\n"
WRONG = "def added(a, b):\n    return 3\n"
SLOW = "def added(a, b):\n    import time\n    time.sleep(0.05)\n    return a + b\n"


@pytest.fixture(scope="module")
def served(dataset: tuple[Path, dict[str, str]]) -> Iterator[Started]:
    with serving(dataset[0], SLICE_FUNC_TOKEN=TOKEN) as started:
        yield started


@pytest.fixture(scope="module")
def narrow(dataset: tuple[Path, dict[str, str]]) -> Iterator[Started]:
    """A service that holds three candidates at once."""
    words = ("--workers", "1", "--queue", "2")
    with serving(dataset[0], *words, SLICE_FUNC_TOKEN=TOKEN) as started:
        yield started


@pytest.fixture
def ids(dataset: tuple[Path, dict[str, str]]) -> dict[str, str]:
    return dataset[1]


def _sent(
    url: str, body: object, token: str = TOKEN, path: str = "/score", **headers: str
) -> tuple[int, Any, Any]:
    """Status, body and headers of the answer; a body that is not bytes is sent as JSON."""
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    given = {"Content-Type": "application/json", "Authorization": f"Bearer {token}", **headers}
    request = urllib.request.Request(url + path, data, given)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text, status, found = answer.read(), answer.status, answer.headers
    except urllib.error.HTTPError as error:
        text, status, found = error.read(), error.code, error.headers
    is_json = "json" in found["Content-Type"]
    return status, json.loads(text) if is_json else text.decode(), found


def _scored(started: Started, ids: dict[str, str], text: str, name: str = "added") -> Reward:
    return score(started[0], ids[name], text, TOKEN)


def test_what_does_the_same_is_rewarded(served: Started, ids: dict[str, str]) -> None:
    found = _scored(served, ids, RIGHT)
    assert (found.verdict, found.reward, found.answer["cases_passed"]) == ("passed", 1.0, 3)


def test_what_differs_is_told_in_which_case(served: Started, ids: dict[str, str]) -> None:
    found = _scored(served, ids, WRONG)
    assert (found.verdict, found.reward, found.answer["cases_passed"]) == ("failed", 0.0, 1)
    assert found.answer["first_difference"]["case"] == "case_2"


def test_nothing_is_told_of_hidden_cases(served: Started, ids: dict[str, str]) -> None:
    only_shown = "def longest(words):\n    return max(words) if words != ['ccc', 'dd'] else 'dd'\n"
    found = _scored(served, ids, only_shown, "longest")
    assert found.verdict == "failed"
    assert found.answer["first_difference"] is None
    assert (found.answer["hidden_passed"], found.answer["hidden"]) == (None, None)


def test_a_list_is_answered_in_its_order(served: Started, ids: dict[str, str]) -> None:
    texts = (WRONG, RIGHT, "def added(", RIGHT)
    status, found, _ = _sent(
        served[0], [{"environment": ids["added"], "candidate": each} for each in texts]
    )
    assert status == 200
    assert [each["verdict"] for each in found] == ["failed", "passed", "error", "passed"]


@pytest.mark.parametrize("identity", ["", "0" * 64, "../added", "added", "/etc/passwd", "\0"])
def test_an_id_that_is_none_is_not_found(served: Started, identity: str) -> None:
    status, found, _ = _sent(served[0], {"environment": identity, "candidate": RIGHT})
    assert status == 404
    assert "no environment has the id" in found["error"]


def test_a_client_is_told_what_the_service_says(served: Started) -> None:
    with pytest.raises(RewardServiceError, match="404: no environment has the id 'added'") as told:
        score(served[0], "added", RIGHT, TOKEN)
    assert told.value.status == 404
    with pytest.raises(RewardServiceError, match="401: a token is needed"):
        score(served[0], "added", RIGHT, "another")


def test_the_beginning_of_an_id_is_enough(served: Started, ids: dict[str, str]) -> None:
    found = score(served[0], ids["added"][:8], RIGHT, TOKEN)
    assert (found.reward, found.answer["environment"]) == (1.0, ids["added"])
    with pytest.raises(RewardServiceError, match=r"404: .* at least 8 characters"):
        score(served[0], ids["added"][:7], RIGHT, TOKEN)


def test_a_beginning_of_several_ids_is_refused(tmp_path: Path) -> None:
    ids = frozenset({"aaaaaaaa1", "aaaaaaaa2", "aaaaaaab1"})
    catalogue = Catalogue(EnvironmentFolder(tmp_path, {}), ids, None)
    assert catalogue.beginning("aaaaaaaa") == ["aaaaaaaa1", "aaaaaaaa2"]
    assert catalogue.beginning("aaaaaaaa2") == ["aaaaaaaa2"]
    assert catalogue.beginning("aaaaaaab") == ["aaaaaaab1"]
    assert catalogue.beginning("aaaaaaac") == []


def test_ids_are_listed_in_pages(served: Started, ids: dict[str, str]) -> None:
    first, second = sorted(ids.values())
    _, page, _ = _sent(served[0], None, path="/environments?limit=1")
    assert page == {"environments": [first], "of": 2, "after": first}
    _, page, _ = _sent(served[0], None, path=f"/environments?after={first}")
    assert page == {"environments": [second], "of": 2, "after": None}
    assert _sent(served[0], None, path="/environments?limit=x")[0] == 422


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{", 400, "no JSON"),
        (b"\xff\xfe", 400, "no JSON"),
        (b"[" * 100_000, 400, "no JSON"),
        (3, 422, "an object is needed"),
        ([], 422, "the list is empty"),
        ({"environment": "x"}, 422, "'candidate' is missing"),
        ({"environment": "x", "candidate": "", "path": "/"}, 422, "'path' is not known"),
        ({"environment": "x", "candidate": 1}, 422, "candidate must be text"),
        ([{"environment": "x", "candidate": ""}, None], 404, "item 0: no environment"),
        (b'"' + b"x" * BODY_BYTES + b'"', 413, "the body has more than"),
        ({"environment": "x", "candidate": "x" * (1 << 21)}, 413, "the candidate has more than"),
    ],
)
def test_a_wrong_request_is_told_in_one_line(
    served: Started, body: object, status: int, said: str
) -> None:
    got, found, _ = _sent(served[0], body)
    assert (got, "\n" in found["error"]) == (status, False)
    assert said in found["error"]


def _sent_until(status: int, url: str) -> tuple[int, Any, Any]:
    """Send what is no JSON until it is answered with that status."""
    for _ in range(200):
        found = _sent(url, b"x" * 100_000)
        if found[0] == status:
            return found
        time.sleep(0.05)
    raise AssertionError(found)


def test_many_large_bodies_at_once_are_refused_and_then_there_is_room(
    served: Started, ids: dict[str, str]
) -> None:
    place = urllib.parse.urlsplit(served[0])
    head = (
        f"POST /score HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {BODY_BYTES}\r\n\r\n"
    ).encode()
    with ExitStack() as open_ones:
        for _ in range(BODIES_BYTES // BODY_BYTES):
            client = socket.create_connection((place.hostname, place.port), timeout=30)
            open_ones.enter_context(client)
            client.sendall(head + b"x" * (BODY_BYTES - 1))  # all but the last byte
        _, told, headers = _sent_until(429, served[0])  # when the last of them has arrived
        assert "too much" in told["error"]
        assert headers["Retry-After"]
    _sent_until(400, served[0])  # when the server has seen that they are gone
    assert _scored(served, ids, RIGHT).reward == 1.0


def test_a_form_of_a_browser_is_refused(served: Started) -> None:
    headers = {"Content-Type": "text/plain"}
    assert _sent(served[0], b"{}", **headers)[0] == 415


@pytest.mark.parametrize("path", ["/score", "/metrics", "/environments"])
def test_without_the_token_nothing_is_told(served: Started, path: str) -> None:
    status, _, headers = _sent(served[0], {} if path == "/score" else None, "another", path)
    assert (status, headers["WWW-Authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize("path", ["/health", "/ready"])
def test_who_watches_needs_no_token(served: Started, path: str) -> None:
    assert _sent(served[0], None, "", path)[0] == 200


def test_no_path_leads_anywhere(served: Started) -> None:
    for path in ("/", "/score/../../etc/passwd", "/added/environment.json"):
        assert _sent(served[0], None, path=path)[0] in {404, 405}


def test_verdicts_are_counted(served: Started, ids: dict[str, str]) -> None:
    before = _metrics(served[0])
    _scored(served, ids, RIGHT + "# not seen before\n")
    after = _metrics(served[0])
    name = 'slice_func_scores_total{verdict="passed"}'
    assert after[name] == before.get(name, 0) + 1
    assert after["slice_func_score_seconds_count"] == before["slice_func_score_seconds_count"] + 1
    assert after["slice_func_queue_length"] == 0
    assert after["slice_func_warm_sandboxes"] >= 1
    assert after["slice_func_sandbox_bytes"] > 1 << 20


def _metrics(url: str) -> dict[str, float]:
    _, text, _ = _sent(url, None, path="/metrics")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_environments_of_one_lock_share_a_sandbox(served: Started, ids: dict[str, str]) -> None:
    _scored(served, ids, RIGHT)
    before = _metrics(served[0])["slice_func_sandbox_starts_total"]
    for number in range(3):
        _scored(served, ids, f"{RIGHT}# {number}\n")
        _scored(served, ids, f"def longest(words):\n    return words[{number}]\n", "longest")
    assert _metrics(served[0])["slice_func_sandbox_starts_total"] == before


def test_more_than_fits_is_refused_and_nothing_accepted_is_lost(
    narrow: Started, ids: dict[str, str]
) -> None:
    with ThreadPoolExecutor(12) as threads:
        body = {"environment": ids["added"], "candidate": SLOW}
        bodies = [{**body, "candidate": f"{SLOW}# {number}\n"} for number in range(12)]
        sent = [threads.submit(_sent, narrow[0], each) for each in bodies]
        answers = [each.result() for each in sent]
    too_many = _sent(narrow[0], [body] * 4)
    metrics = _metrics(narrow[0])
    counts = Counter(status for status, _, _ in answers)
    assert counts[200] >= 3
    assert counts[429] >= 1
    assert counts.total() == counts[200] + counts[429]
    assert all(int(headers["Retry-After"]) >= 1 for status, _, headers in answers if status == 429)
    assert metrics['slice_func_scores_total{verdict="passed"}'] == counts[200]
    assert too_many[0] == 413


def test_a_slow_candidate_keeps_nobody_waiting(narrow: Started, ids: dict[str, str]) -> None:
    slow = SLOW.replace("0.05", "1.5")  # in each of three cases
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(_scored, narrow, ids, slow)
        time.sleep(0.2)
        assert _scored(narrow, ids, RIGHT + "# beside it\n").reward == 1.0
        assert not first.done()
        assert first.result().reward == 1.0


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.nightly)]
)
def test_a_signal_ends_it_when_all_accepted_ones_are_answered(
    dataset: tuple[Path, dict[str, str]], number: int
) -> None:
    root, ids = dataset
    with serving(root, "--workers", "1") as (url, process), ThreadPoolExecutor(3) as threads:
        slow = SLOW.replace("0.05", "0.5")
        body = {"environment": ids["added"]}
        bodies = [{**body, "candidate": f"{slow}# {number}\n"} for number in range(3)]
        sent = [threads.submit(_sent, url, each, "") for each in bodies]
        accepted = ("slice_func_queue_length", "slice_func_running")
        while sum(map(_metrics(url).__getitem__, accepted)) < 3:
            time.sleep(0.02)
        process.send_signal(number)
        assert [each.result()[1]["verdict"] for each in sent] == ["passed"] * 3
        assert process.wait(20) == 0


def test_who_leaves_in_the_middle_of_a_request_leaves_no_trace(
    dataset: tuple[Path, dict[str, str]],
) -> None:
    with serving(dataset[0], "--workers", "1") as (url, process):
        head = "POST /score HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        with socket.create_connection(url.removeprefix("http://").split(":")) as client:
            client.sendall(f"{head}Content-Length: 9\r\n\r\n{{".encode())
        name = 'slice_func_responses_total{status="400"}'
        while _metrics(url).get(name) != 1:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        assert [line for line in process.stderr if "stopped" not in line] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--host", "0.0.0.0"), "no token is set"),
        (("--port", "70000"), "--port"),
        (("--token-file", "/nowhere"), "no token"),
        (("--hidden-counts", "--no-feedback"), "--hidden-counts is feedback"),
    ],
)
def test_wrong_options_are_refused(
    dataset: tuple[Path, dict[str, str]], words: tuple[str, ...], said: str
) -> None:
    found = run("serve", str(dataset[0]), *words)
    assert found.status == 2
    assert said in found.err


def test_a_folder_without_environments_is_refused(tmp_path: Path) -> None:
    found = run("serve", str(tmp_path))
    assert found.status == 2
    assert "no dataset" in found.err


def test_the_client_waits_for_a_busy_service(narrow: Started, ids: dict[str, str]) -> None:
    with ThreadPoolExecutor(6) as threads:
        sent = [threads.submit(score, narrow[0], ids["added"], SLOW, TOKEN) for _ in range(6)]
        assert [each.result().reward for each in sent] == [1.0] * 6


def test_each_answer_is_a_line_of_the_log_with_all_counts(
    dataset: tuple[Path, dict[str, str]], ids: dict[str, str], tmp_path: Path
) -> None:
    place = tmp_path / "log.jsonl"
    with serving(dataset[0], "--no-feedback", "--log", str(place)) as (url, process):
        for text in (RIGHT, WRONG, RIGHT):
            score(url, ids["added"][:12], text)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    found, damaged = read_score_log(place)
    assert damaged == 0
    assert {each.environment for each in found} == {ids["added"]}
    assert [each.candidate for each in found] == [RIGHT, WRONG, RIGHT]
    assert [each.reward for each in found] == [1.0, 0.0, 1.0]
    assert [(each.cases_passed, each.cases, each.hidden) for each in found] == [
        (3, 3, 2), (1, 3, 2), (3, 3, 2),
    ]  # fmt: skip
