"""Google's models: `google.genai` stays real; the older `google.generativeai` is stubbed."""

from __future__ import annotations

from ....answers.services.model_answers import model_places, protocol_pieces, protocol_setup
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule

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
    """Return the contacts with either library."""
    return border.named("google.genai", _OLD)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The newer library is answered below httpx; a stub of the older one is carried."""
    del contacts
    keys = ("GOOGLE_API_KEY",)
    setup = protocol_setup(border, _PLACES, ("google",), keys)
    pieces = protocol_pieces(("google",))
    treated: list[ModuleTreatment] = []
    modules: list[StubModule] = []
    if border.named("google.genai"):
        reason = "its HTTP transport is answered in the script"
        treated.append(ModuleTreatment("google.genai", "faked", reason))
    if border.named(_OLD):
        reason = "speaks gRPC, needs 200 MB, and is no longer maintained"
        treated.append(ModuleTreatment(_OLD, "stubbed", reason))
        modules += [StubModule(_OLD, _STUB), StubModule(f"{_OLD}.types", _TYPES)]
        pieces = (*pieces, "old_gemini")
    return Mock(
        treated=tuple(treated),
        setup=setup,
        pieces=pieces,
        modules=tuple(modules),
        answers=model_places(border, _PLACES),
    )


FAMILY = Family("google models", stub, applies)
