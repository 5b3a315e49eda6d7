"""Answers for requests, below its adapters."""

from __future__ import annotations

from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import undo_with
from .....world.network.http_answers import HttpAnswers, HttpFailure


def answer_requests(answers: HttpAnswers) -> None:
    """Answer whatever a session sends, in place of the network."""
    answers.agents = ("python-requests/",)

    def start(requests: Any) -> None:
        import responses

        class Anything(responses.CallbackResponse):
            def matches(self, request: Any) -> tuple[bool, str]:
                return True, ""

        def answer(request: Any) -> Any:
            try:
                found = answers.ask(request.method, request.url, request.headers, request.body)
            except HttpFailure as failure:
                address = request.url.split("/")[2]
                if str(failure) == "timeout":
                    return requests.exceptions.ReadTimeout(
                        f"HTTPConnectionPool(host='{address}'): Read timed out.", request=request
                    )
                return requests.exceptions.ConnectionError(
                    f"HTTPConnectionPool(host='{address}'): Connection refused", request=request
                )
            return found.status, found.headers, found.body

        mock = responses.RequestsMock(assert_all_requests_are_fired=False)
        mock.add(Anything("GET", "http://anything.invalid", callback=answer, content_type=None))
        mock.start()
        undo_with(lambda: mock.stop(allow_assert=False))
        undo_with(mock.reset)

    on_import("requests", start)
