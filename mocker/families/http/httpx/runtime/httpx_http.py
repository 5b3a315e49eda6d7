"""Answers for httpx, below its transports."""

from __future__ import annotations

from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import undo_with
from .....world.network.http_answers import HttpAnswers, HttpFailure


def answer_httpx(answers: HttpAnswers) -> None:
    """Answer whatever a client sends; transports given by hand stay as they are."""
    answers.agents = ("python-httpx/",)

    def start(httpx: Any) -> None:
        import respx

        def answer(request: Any) -> Any:
            try:
                found = answers.ask(
                    request.method, str(request.url), request.headers, request.content
                )
            except HttpFailure as failure:
                if str(failure) == "timeout":
                    raise httpx.ReadTimeout(
                        "The read operation timed out", request=request
                    ) from None
                raise httpx.ConnectError("Connection refused", request=request) from None
            return httpx.Response(found.status, headers=found.headers, content=found.body)

        router = respx.MockRouter(assert_all_called=False, assert_all_mocked=False)
        router.route().mock(side_effect=answer)
        router.start()
        undo_with(lambda: router.stop(quiet=True))

    on_import("httpx", start)
