"""The SDKs of groq, together, mistralai, cohere and ollama stay real: answered below httpx."""

from __future__ import annotations

from ....answers.services.model_answers import model_places, protocol_pieces, protocol_setup
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_SDKS: dict[str, tuple[tuple[str, ...], str]] = {
    "groq": (("openai",), "GROQ_API_KEY"),
    "together": (("openai",), "TOGETHER_API_KEY"),
    "mistralai": (("openai",), "MISTRAL_API_KEY"),
    "cerebras": (("openai",), "CEREBRAS_API_KEY"),
    "openrouter": (("openai",), "OPENROUTER_API_KEY"),
    "cohere": (("cohere",), "CO_API_KEY"),
    "ollama": (("ollama",), ""),
}
_CHAT = "choices[].message.content"
_PLACES = (
    *(
        f"{client}.chat.completions.create().{_CHAT}"
        for client in (
            "groq.Groq()", "groq.AsyncGroq()", "together.Together()", "together.AsyncTogether()",
            "cerebras.cloud.sdk.Cerebras()",
        )
    ),
    *(f"mistralai.Mistral().chat.{name}().{_CHAT}" for name in ("complete", "complete_async")),
    *(f"cohere.{client}().chat().text" for client in ("Client", "AsyncClient")),
    "cohere.ClientV2().chat().message.content[].text",
    "cohere.Client().generate().generations[].text",
    *(
        f"ollama.{client}chat(){content}"
        for client in ("", "Client().", "AsyncClient().")
        for content in (".message.content", "[][]")
    ),
    *(
        f"ollama.{client}generate(){content}"
        for client in ("", "Client().", "AsyncClient().")
        for content in (".response", "[]")
    ),
)  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of these SDKs."""
    return border.named(*_SDKS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each service is answered in its own protocol."""
    used = [name for name in _SDKS if border.named(name)]
    protocols = tuple(dict.fromkeys(p for name in used for p in _SDKS[name][0]))
    keys = [_SDKS[name][1] for name in used if _SDKS[name][1]]
    said = "its HTTP transport is answered in the script"
    return Mock(
        treated=tuple(Treated(name, "faked", said) for name in used),
        setup=(
            f"at_once({', '.join(map(repr, used))})\n"
            f"{protocol_setup(border, _PLACES, protocols, keys)}"
        ),
        pieces=protocol_pieces(protocols),
        answers=model_places(border, _PLACES),
    )


EXAMPLES = (
    Example(
        title="groq in a bot",
        source="""\
import os

from groq import Groq

client = Groq(api_key=os.environ.get("GROQ_API_KEY"))


class Assistant:
    def __init__(self, limit=4):
        self.limit = limit
        self.turns = []

    def reply(self, text):
        self.turns.append({"role": "user", "content": text})
        done = client.chat.completions.create(
            messages=self.turns[-self.limit :], model="llama-3.3-70b-versatile", temperature=0.5
        )
        answer = done.choices[0].message.content
        self.turns.append({"role": "assistant", "content": answer})
        return answer
""",
        target="Assistant.reply",
        call="Assistant().reply('hi')",
        gives="'This is the answer.'",
        effects=("request groq chat.completions",),
    ),
    Example(
        title="ollama's functions",
        source="""\
import ollama


def summarize(text, model="llama3"):
    reply = ollama.chat(
        model=model,
        messages=[{"role": "user", "content": f"Summarize: {text}"}],
        options={"temperature": 0},
    )
    plain = ollama.generate(model=model, prompt=text)
    return reply["message"]["content"] == reply.message.content == plain["response"], reply["done"]
""",
        target="summarize",
        call="summarize('a text')",
        gives="(True, True)",
        effects=("request ollama chat", "request ollama generate"),
    ),
    Example(
        title="an asynchronous client of ollama that streams",
        source="""\
from ollama import AsyncClient, ResponseError


class Local:
    def __init__(self, host="http://gpu.example:11434"):
        self.client = AsyncClient(host=host)

    async def tell(self, text):
        parts = []
        try:
            stream = await self.client.chat(
                model="mistral", messages=[{"role": "user", "content": text}], stream=True
            )
            async for part in stream:
                parts.append(part["message"]["content"])
        except ResponseError as error:
            return f"{error.status_code}"
        return "".join(parts)
""",
        target="Local.tell",
        call="await Local().tell('a story')",
        gives="'This is the answer.'",
        effects=("request gpu.example:11434 chat",),
    ),
    Example(
        title="embeddings, models, and answers of a form",
        source="""\
import json

from ollama import Client
from pydantic import BaseModel


class Country(BaseModel):
    name: str
    languages: list[str]


def facts(text):
    client = Client()
    names = [model.model for model in client.list().models]
    reply = client.chat(
        model=names[0],
        messages=[{"role": "user", "content": text}],
        format=Country.model_json_schema(),
    )
    country = Country.model_validate_json(reply.message.content)
    vectors = client.embed(model="nomic-embed-text", input=[text, country.name])["embeddings"]
    return names, country.languages, [len(vector) for vector in vectors]
""",
        target="facts",
        call="facts('Malta')",
        gives="(['llama3:latest'], ['text'], [768, 768])",
        effects=("request ollama tags", "request ollama chat", "request ollama embed"),
    ),
    Example(
        title="errors of groq",
        source="""\
import groq


async def careful(text):
    async with groq.AsyncGroq() as client:
        try:
            reply = await client.chat.completions.create(
                model="x", messages=[{"role": "user", "content": text}]
            )
        except groq.RateLimitError as error:
            return error.status_code
        except groq.APIConnectionError as error:
            return type(error).__name__
    return reply.choices[0].message.content


async def each(text):
    import slice_func_mocks

    found = []
    for variant in ("rate limit", "timeout", "no connection", "empty"):
        slice_func_mocks.choose(openai=variant)
        found.append(await careful(text))
    return found
""",
        target="each",
        call="await each('x')",
        gives="[429, 'APITimeoutError', 'APIConnectionError', '']",
        effects=("request groq chat.completions",) * 10,
    ),
)

FAMILY = Family("other models", applies, stub, EXAMPLES)
