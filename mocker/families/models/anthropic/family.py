"""`anthropic` stays real: requests of its clients are answered below httpx."""

from __future__ import annotations

from ....answers.services.model_answers import (
    model_places,
    places_of,
    protocol_pieces,
    protocol_setup,
)
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_CLIENTS = ("Anthropic()", "AsyncAnthropic()", "AnthropicBedrock()", "AnthropicVertex()")
_PLACES = (
    *places_of("anthropic", _CLIENTS, "messages", ("create()",), "content[].text"),
    *places_of("anthropic", _CLIENTS, "beta.messages", ("create()",), "content[].text"),
    *places_of("anthropic", _CLIENTS, "completions", ("create()",), "completion"),
    *places_of("anthropic", _CLIENTS, "messages", ("stream()",), "text_stream[]"),
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of anthropic."""
    return border.named("anthropic")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each message is answered as the protocol says, with a text that the slice can read."""
    del contacts
    setup = protocol_setup(border, _PLACES, ("anthropic",), ("ANTHROPIC_API_KEY",))
    return Mock(
        treated=(Treated("anthropic", "faked", "its HTTP transport is answered in the script"),),
        setup=f'at_once("anthropic")\n{setup}',
        pieces=protocol_pieces(("anthropic",)),
        answers=model_places(border, _PLACES),
    )


EXAMPLES = (
    Example(
        title="a client of an object",
        source="""\
import os

from anthropic import Anthropic


class BlogWriter:
    def __init__(self):
        self.client = Anthropic(api_key=os.getenv("CLAUDE_API_KEY"))

    def write(self, items):
        try:
            reply = self.client.messages.create(
                model="claude-sonnet-4-5",
                max_tokens=1000,
                messages=[{"role": "user", "content": f"Write about {self._joined(items)}"}],
            )
            return reply.content[0].text
        except Exception as error:
            raise Exception(f"failed: {error}")

    def _joined(self, items):
        return ", ".join(item["title"] for item in items)
""",
        target="BlogWriter.write",
        call="BlogWriter().write([{'title': 'cats'}])",
        gives="'This is the answer.'",
        effects=("request anthropic messages",),
    ),
    Example(
        title="a stream of texts",
        source="""\
import anthropic

client = anthropic.Anthropic()


def told(question):
    found = []
    with client.messages.stream(
        model="claude-haiku-4-5",
        max_tokens=100,
        messages=[{"role": "user", "content": question}],
    ) as stream:
        for text in stream.text_stream:
            found.append(text)
        message = stream.get_final_message()
    return found, message.stop_reason
""",
        target="told",
        call="told('?')",
        gives="(['This ', 'is ', 'the ', 'answer.'], 'end_turn')",
        effects=("request anthropic messages",),
    ),
    Example(
        title="a tool that must be used, asynchronously",
        source="""\
from anthropic import AsyncAnthropic

TOOL = {
    "name": "save",
    "description": "Save what was found.",
    "input_schema": {
        "type": "object",
        "properties": {
            "names": {"type": "array", "items": {"type": "string"}},
            "mood": {"type": "string", "enum": ["good", "bad"]},
        },
    },
}


class Finder:
    def __init__(self, client: AsyncAnthropic | None = None):
        self.client = client or AsyncAnthropic()

    async def find(self, text):
        reply = await self.client.messages.create(
            model="claude-sonnet-4-5",
            max_tokens=500,
            tools=[TOOL],
            tool_choice={"type": "tool", "name": "save"},
            messages=[{"role": "user", "content": text}],
        )
        for block in reply.content:
            if block.type == "tool_use":
                return block.input, reply.stop_reason
        return None
""",
        target="Finder.find",
        call="await Finder().find('Ann and Bob are happy')",
        gives="({'names': ['text'], 'mood': 'good'}, 'tool_use')",
        effects=("request anthropic messages",),
    ),
    Example(
        title="errors of the library",
        source="""\
import anthropic
from anthropic import APIError, APIStatusError, RateLimitError


def ask(text, key="k"):
    client = anthropic.Anthropic(api_key=key, max_retries=1)
    try:
        reply = client.messages.create(
            model="claude-opus-4-1", max_tokens=9, system="Be brief.",
            messages=[{"role": "user", "content": text}],
        )
    except RateLimitError:
        return "later"
    except APIStatusError as error:
        return f"status {error.status_code}"
    except APIError as error:
        return "failed"
    return reply.usage.input_tokens


def later(text):
    import slice_func_mocks

    found = []
    for variant in ("rate limit", "unauthorized", "timeout", "default"):
        slice_func_mocks.choose(anthropic=variant)
        found.append(ask(text))
    return found
""",
        target="later",
        call="later('hello there')",
        gives="['later', 'status 401', 'failed', 6]",
        effects=("request anthropic messages",) * 6,
    ),
    Example(
        title="an event loop over raw events",
        source="""\
import asyncio

from anthropic import AsyncAnthropic


async def _one(client, text):
    parts = []
    stream = await client.messages.create(
        model="claude-haiku-4-5", max_tokens=10, stream=True,
        messages=[{"role": "user", "content": text}],
    )
    async for event in stream:
        if event.type == "content_block_delta":
            parts.append(event.delta.text)
    return "".join(parts)


async def all_of(texts):
    async with AsyncAnthropic() as client:
        return await asyncio.gather(*(_one(client, text) for text in texts))
""",
        target="all_of",
        call="await all_of(['a', 'b'])",
        gives="['This is the answer.', 'This is the answer.']",
        effects=("request anthropic messages", "request anthropic messages"),
    ),
)

FAMILY = Family("anthropic", applies, stub, EXAMPLES)
