"""`openai` before version 1 is a different library: stubbed, with the answers of the newer one."""

from __future__ import annotations

from ....answers.services.model_answers import model_places, protocol_pieces, protocol_setup
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule

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
    """Return the contacts with classes that only the old library has."""
    return border.named(*_NAMES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The old functions, over the same protocol."""
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
    reason = "uses the interface that went with version 1, beside which nothing newer installs"
    return Mock(
        treated=(ModuleTreatment("openai", "stubbed", reason),),
        setup=protocol_setup(border, _PLACES, ("openai",), ("OPENAI_API_KEY",)),
        pieces=(*protocol_pieces(("openai",)), "old_openai"),
        modules=tuple(StubModule(name, text) for name, text in modules.items()),
        answers=model_places(border, _PLACES),
    )


FAMILY = Family("old openai", stub, applies)
