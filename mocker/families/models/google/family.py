"""Google's models: `google.genai` stays real; its elder `google.generativeai` is stubbed."""

from __future__ import annotations

from ....answers.services.model_answers import model_places, protocol_pieces, protocol_setup
from ....contacts import Border, Contact, Example, Family, Mock, StubModule, Treated

_OLD = "google.generativeai"
_PLACES = (
    "google.genai.Client().models.generate_content().text",
    "google.genai.Client().models.generate_content().candidates[].content.parts[].text",
    "google.genai.Client().aio.models.generate_content().text",
    "google.genai.Client().models.generate_content_stream()[].text",
    "google.genai.Client().chats.create().send_message().text",
    *(
        f"{_OLD}.GenerativeModel().{asking}.{text}"
        for asking in (
            "generate_content()", "generate_content_async()", "start_chat().send_message()",
            "start_chat().send_message_async()",
        )
        for text in ("text", "candidates[].content.parts[].text", "parts[].text")
    ),
)  # fmt: skip
_STUB = """\
import slice_func_mocks as _mocks
from slice_func_mocks import ChatSession, GenerativeModel

__version__ = "0.8.5"
embed_content = _mocks.gemini_embed
list_models = _mocks.gemini_models
upload_file = get_file = _mocks.gemini_upload


def configure(*args, **named):
    pass


def delete_file(name):
    pass


def get_model(name, **named):
    return _mocks.gemini_models()[0]


async def embed_content_async(*args, **named):
    return _mocks.gemini_embed(*args, **named)


class GenerationConfig(_mocks.GeminiObject):
    def __init__(self, **named):
        super().__init__(named)
        self.__dict__.update(named)


protos = _mocks.GeminiType()
from . import types
"""
_TYPES = """\
import slice_func_mocks as _mocks
from slice_func_mocks import GenerateContentResponse


class GenerationConfig(_mocks.GeminiObject):
    def __init__(self, **named):
        super().__init__(named)
        self.__dict__.update(named)


class BlockedPromptException(Exception):
    pass


class StopCandidateException(Exception):
    pass


class BrokenResponseError(Exception):
    pass


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _mocks.GeminiType()
"""


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of either library."""
    return border.named("google.genai", _OLD)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The younger one is answered below httpx, the elder one is carried as a stub."""
    del contacts
    keys = ("GOOGLE_API_KEY",)
    setup = protocol_setup(border, _PLACES, ("google",), keys)
    pieces = protocol_pieces(("google",))
    treated: list[Treated] = []
    modules: list[StubModule] = []
    if border.named("google.genai"):
        said = "its HTTP transport is answered in the script"
        treated.append(Treated("google.genai", "faked", said))
    if border.named(_OLD):
        said = "speaks gRPC, needs 200 MB, and is no longer maintained"
        treated.append(Treated(_OLD, "stubbed", said))
        modules += [StubModule(_OLD, _STUB), StubModule(f"{_OLD}.types", _TYPES)]
        pieces = (*pieces, "old_gemini")
    return Mock(
        treated=tuple(treated),
        setup=setup,
        pieces=pieces,
        modules=tuple(modules),
        answers=model_places(border, _PLACES),
    )


EXAMPLES = (
    Example(
        title="a client, and an answer of a form",
        source="""\
import os

from google import genai
from google.genai import types
from pydantic import BaseModel

client = genai.Client(api_key=os.environ.get("GEMINI_API_KEY"))


class Recipe(BaseModel):
    name: str
    minutes: int


def recipe(dish):
    text = client.models.generate_content(model="gemini-2.5-flash", contents=dish).text
    reply = client.models.generate_content(
        model="gemini-2.5-flash",
        contents=dish,
        config=types.GenerateContentConfig(
            response_mime_type="application/json", response_schema=Recipe, temperature=0
        ),
    )
    return text, reply.parsed
""",
        target="recipe",
        call="recipe('soup')",
        gives="('This is the answer.', Recipe(name='text', minutes=1))",
        effects=("request google generate_content", "request google generate_content"),
    ),
    Example(
        title="a chat that streams, asynchronously",
        source="""\
from google import genai


class Talk:
    def __init__(self):
        self.client = genai.Client()
        self.chat = self.client.aio.chats.create(model="gemini-2.5-pro")

    async def say(self, text):
        parts = []
        async for chunk in await self.chat.send_message_stream(text):
            parts.append(chunk.text)
        reply = await self.chat.send_message("and?")
        return parts, reply.text
""",
        target="Talk.say",
        call="await Talk().say('hello')",
        gives="(['This ', 'is ', 'the ', 'answer.'], 'This is the answer.')",
        effects=("request google generate_content", "request google generate_content"),
    ),
    Example(
        title="embeddings and errors",
        source="""\
from google import genai
from google.genai import errors


def vectors(texts):
    client = genai.Client(api_key="k")
    try:
        found = client.models.embed_content(model="gemini-embedding-001", contents=texts)
    except errors.APIError as error:
        return error.code
    return [len(each.values) for each in found.embeddings]


def both(texts):
    import slice_func_mocks

    first = vectors(texts)
    slice_func_mocks.choose(google="unauthorized")
    return first, vectors(texts)
""",
        target="both",
        call="both(['a', 'b'])",
        gives="([768, 768], 401)",
        effects=("request google embed_content", "request google embed_content"),
    ),
    Example(
        title="the elder library in an object",
        source="""\
import google.generativeai as genai


class Gemini:
    def __init__(self, key, model="gemini-1.5-flash"):
        genai.configure(api_key=key)
        self.model = genai.GenerativeModel(
            model, generation_config=genai.types.GenerationConfig(temperature=0.2)
        )
        self.chat = self.model.start_chat(history=[])

    def ask(self, text):
        plain = self.model.generate_content(["Be brief.", text]).text
        parts = [chunk.text for chunk in self.model.generate_content(text, stream=True)]
        return plain, len(parts), self.chat.send_message(text).text, len(self.chat.history)
""",
        target="Gemini.ask",
        call="Gemini('k').ask('hi')",
        gives="('This is the answer.', 4, 'This is the answer.', 2)",
        effects=("request google generate_content",) * 3,
    ),
    Example(
        title="the elder library, one of several providers",
        source="""\
import google.generativeai as genai
from google.generativeai.types import HarmBlockThreshold, HarmCategory

SAFE = {HarmCategory.HARM_CATEGORY_HARASSMENT: HarmBlockThreshold.BLOCK_NONE}


async def describe(texts, key=None):
    genai.configure(api_key=key)
    names = [m.name for m in genai.list_models() if "generateContent" in m.supported_generation_methods]
    model = genai.GenerativeModel(names[0], safety_settings=SAFE)
    reply = await model.generate_content_async(texts)
    vector = genai.embed_content(model="models/embedding-001", content=texts[0])["embedding"]
    return reply.candidates[0].content.parts[0].text, len(vector)
""",
        target="describe",
        call="await describe(['one'])",
        gives="('This is the answer.', 768)",
        effects=("request google generate_content", "request google embed_content"),
    ),
)

FAMILY = Family("google models", applies, stub, EXAMPLES)
