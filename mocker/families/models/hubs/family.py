"""Models and data from hubs: small libraries stay real, and there are no weights.

transformers, datasets, huggingface_hub, nltk and spacy are real and find nothing on the hub.
sentence_transformers, whisper, rembg and diffusers are stubbed: they would install gigabytes for
weights that are not here.
"""

from __future__ import annotations

from ....answers.services.model_answers import model_places, model_variants
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment, StubModule

_REAL = ("transformers", "huggingface_hub", "datasets", "nltk", "spacy")
_FIRST = "import slice_func_mocks as _mocks\n"
_ANY_PIPELINE = """\

DiffusionPipeline = _mocks.DiffusionPipeline
_made = {}


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name not in _made:
        _made[name] = type(name, (DiffusionPipeline,), {})
    return _made[name]
"""
_STUBS: dict[str, str] = {
    "sentence_transformers": f"""\
{_FIRST}from slice_func_mocks import CrossEncoder, SentenceTransformer
from . import util


class InputExample:
    def __init__(self, guid="", texts=None, label=0):
        self.guid, self.texts, self.label = guid, texts, label
""",
    "sentence_transformers.util": f"""\
{_FIRST}cos_sim = pytorch_cos_sim = dot_score = _mocks.cosines


def semantic_search(query_embeddings, corpus_embeddings, top_k=10, **named):
    found = []
    for row in cos_sim(query_embeddings, corpus_embeddings).tolist():
        order = sorted(range(len(row)), key=lambda at: -row[at])[:top_k]
        found.append([{{"corpus_id": at, "score": row[at]}} for at in order])
    return found
""",
    "sentence_transformers.cross_encoder": "from slice_func_mocks import CrossEncoder\n",
    "whisper": f"""\
{_FIRST}Whisper = _mocks.WhisperModel


def load_model(name, *args, **named):
    return _mocks.WhisperModel(name)


def available_models():
    return ["tiny", "base", "small", "medium", "large", "turbo"]
""",
    "faster_whisper": "from slice_func_mocks import FasterWhisperModel as WhisperModel\n",
    "rembg": f"""\
{_FIRST}from slice_func_mocks import cut_out as remove


def new_session(model_name="u2net", *args, **named):
    _mocks.record("read", "rembg", model_name)
    return _mocks.AbsentOutput(model_name=model_name)
""",
    "diffusers": f"{_FIRST}{_ANY_PIPELINE}",
    "diffusers.utils": f"""\
{_FIRST}from PIL import Image


def load_image(image, *args, **named):
    return image if isinstance(image, Image.Image) else Image.new("RGB", (64, 64), "grey")


def export_to_video(frames, path="out.mp4", **named):
    _mocks.record("write", "export_to_video", str(path))
    return path
""",
}
_PLACES = (
    "transformers.pipeline()()[][]", "transformers.pipeline()()[]",
    "transformers.AutoTokenizer.from_pretrained().decode()",
    "transformers.AutoTokenizer.from_pretrained().batch_decode()[]",
    "whisper.load_model().transcribe()[]", "faster_whisper.WhisperModel().transcribe()[][].text",
)  # fmt: skip
_TOKENS = ("tiktoken",)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with these libraries; of purely rule-based ones, those that read data."""
    return border.named(*_REAL, *{name.partition(".")[0] for name in _STUBS}, *_TOKENS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Models write text that the slice can read; vectors are computed from the words of texts."""
    del contacts
    stubbed = sorted({n.partition(".")[0] for n in _STUBS if border.named(n.partition(".")[0])})
    treated = [
        ModuleTreatment(n, "stubbed", "draws gigabytes after it for absent weights")
        for n in stubbed
    ]
    pieces: list[str] = []
    setup: list[str] = []
    real = [name for name in _REAL if border.named(name)]
    if real or stubbed:
        pieces.append("model_hubs")
        setup.append(f"expect_texts({model_variants(border, _PLACES)!r})\n")
    if any(name in real for name in ("nltk", "spacy")):
        setup.append("no_corpora()\n")
    if any(name in real for name in ("transformers", "huggingface_hub", "datasets")):
        setup.append("no_hub()\n")
    treated += [ModuleTreatment(n, "faked", "runs without what it downloads") for n in real]
    if border.named(*_TOKENS):
        pieces.append("approximate_tokens")
        setup.append("approximate_tokens()\n")
        treated.append(
            ModuleTreatment("tiktoken", "faked", "cuts texts by rules, without its files")
        )
    return Mock(
        treated=tuple(treated),
        setup="".join(setup),
        pieces=tuple(pieces),
        answers=model_places(border, _PLACES) if real or stubbed else (),
        requirements=_needed(stubbed),
        modules=tuple(
            StubModule(n, text) for n, text in _STUBS.items() if n.partition(".")[0] in stubbed
        ),
    )


def _needed(stubbed: list[str]) -> tuple[str, ...]:
    """Return the requirements of the stubs themselves."""
    pictures = ("pillow>=9",) if {"diffusers", "rembg"} & set(stubbed) else ()
    return ("numpy>=1.24", *pictures) if stubbed else ()


FAMILY = Family("model hubs", stub, applies)
