"""`openai` before its version 1 is another library: stubbed, and answered as the younger one."""

from __future__ import annotations

from ....answers.services.model_answers import model_places, protocol_pieces, protocol_setup
from ....contacts import Border, Contact, Example, Family, Mock, StubModule, Treated

_RESOURCES = {
    "ChatCompletion": "chat/completions",
    "Completion": "completions",
    "Embedding": "embeddings",
    "Image": "images/generations",
    "Moderation": "moderations",
    "Audio": "audio/transcriptions",
    "Model": "models",
    "Edit": "completions",
    "File": "files",
    "FineTune": "fine_tuning/jobs",
    "FineTuningJob": "fine_tuning/jobs",
    "Engine": "models",
}
_NAMES = tuple(f"openai.{name}" for name in (*_RESOURCES, "error"))
_PLACES = tuple(
    f"openai.{name}.{asking}{read}"
    for name in ("ChatCompletion", "Completion")
    for asking in ("create()", "acreate()")
    for read in (".choices[].message.content", ".choices[].text", "[][][][]", "[][][]")
)
_STUB = """\
import slice_func_mocks as _mocks

__version__ = "0.28.1"
api_key = organization = api_version = proxy = log = None
api_base = "https://api.openai.com/v1"
api_type = "open_ai"
OpenAIError = _mocks.OpenAIError
"""
_ERRORS = """\
import slice_func_mocks as _mocks
from slice_func_mocks import OpenAIError


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _mocks.old_openai_error(name)
"""


def applies(border: Border) -> tuple[Contact, ...]:
    """The classes that only the old library has."""
    return border.named(*_NAMES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The old functions above the same protocol."""
    del contacts
    classes = "".join(
        f"{name} = _mocks.old_openai_resource({name!r}, {path!r})\n"
        for name, path in _RESOURCES.items()
    )
    text = f"{_STUB}{classes}from . import embeddings_utils, error, openai_object\n"
    utils = (
        "from slice_func_mocks import vector_of\n\n\n"
        "def get_embedding(text, *args, **named):\n    return vector_of(text, 1536)\n\n\n"
        "def cosine_similarity(a, b):\n"
        "    return sum(x * y for x, y in zip(a, b)) / (\n"
        "        sum(x * x for x in a) ** 0.5 * sum(y * y for y in b) ** 0.5\n    )\n"
    )
    modules = {
        "openai": text,
        "openai.error": _ERRORS,
        "openai.embeddings_utils": utils,
        "openai.openai_object": "from slice_func_mocks import OpenAIObject\n",
    }
    said = "uses the interface that went with version 1, beside which nothing newer installs"
    return Mock(
        treated=(Treated("openai", "stubbed", said),),
        setup=protocol_setup(border, _PLACES, ("openai",), ("OPENAI_API_KEY",)),
        pieces=(*protocol_pieces(("openai",)), "old_openai"),
        modules=tuple(StubModule(name, text) for name, text in modules.items()),
        answers=model_places(border, _PLACES),
    )


EXAMPLES = (
    Example(
        title="a key, and a completion",
        source="""\
import os

import openai

openai.api_key = os.getenv("OPENAI_API_KEY")


def chat(prompt, model="gpt-3.5-turbo"):
    response = openai.ChatCompletion.create(
        model=model, messages=[{"role": "user", "content": prompt}], temperature=0
    )
    return response.choices[0].message["content"], response["choices"][0]["message"]["role"]
""",
        target="chat",
        call="chat('hi')",
        gives="('This is the answer.', 'assistant')",
        effects=("request openai chat.completions",),
    ),
    Example(
        title="trying again",
        source="""\
import openai
from openai.error import APIError, RateLimitError


class Client:
    def __init__(self, key):
        openai.api_key = key
        self.failed = 0

    def complete(self, prompt, tries=3):
        for _ in range(tries):
            try:
                found = openai.Completion.create(engine="davinci", prompt=prompt, max_tokens=5)
                return found.choices[0].text.strip()
            except (RateLimitError, openai.error.Timeout, APIError):
                self.failed += 1
        return None


def both(prompt):
    import slice_func_mocks

    client = Client("k")
    slice_func_mocks.choose(openai="rate limit")
    first = client.complete(prompt)
    slice_func_mocks.choose(openai="default")
    return first, client.failed, client.complete(prompt)
""",
        target="both",
        call="both('x')",
        gives="(None, 3, 'This is the answer.')",
        effects=("request openai completions",) * 4,
    ),
    Example(
        title="a stream",
        source="""\
import openai


def told(text):
    parts = []
    for chunk in openai.ChatCompletion.create(
        model="gpt-4", messages=[{"role": "user", "content": text}], stream=True
    ):
        parts.append(chunk["choices"][0]["delta"].get("content", ""))
    return "".join(parts)
""",
        target="told",
        call="told('?')",
        gives="'This is the answer.'",
        effects=("request openai chat.completions",),
    ),
    Example(
        title="embeddings and pictures",
        source="""\
import openai


def both(text):
    vector = openai.Embedding.create(input=[text], model="text-embedding-ada-002")["data"][0]["embedding"]
    image = openai.Image.create(prompt=text, n=1, size="256x256")
    return len(vector), image["data"][0]["url"][:14]
""",
        target="both",
        call="both('a dog')",
        gives="(1536, 'https://images')",
        effects=("request openai embeddings", "request openai images.generations"),
    ),
    Example(
        title="functions that are called, asynchronously",
        source="""\
import json

import openai

FUNCTIONS = [
    {"name": "look", "parameters": {"type": "object", "properties": {"place": {"type": "string"}}}}
]


async def ask(text):
    reply = await openai.ChatCompletion.acreate(
        model="gpt-4", messages=[{"role": "user", "content": text}],
        functions=FUNCTIONS, function_call={"name": "look"},
    )
    called = reply.choices[0].message.function_call
    return called.name, json.loads(called.arguments)
""",
        target="ask",
        call="await ask('where?')",
        gives="('look', {'place': 'text'})",
        effects=("request openai chat.completions",),
    ),
)

FAMILY = Family("old openai", applies, stub, EXAMPLES)
