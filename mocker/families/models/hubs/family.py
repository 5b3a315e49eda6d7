"""Models and data from hubs: the libraries stay real where they are small, and have no weights.

transformers, datasets, huggingface_hub, nltk and spacy are real and find nothing on the hub;
sentence_transformers, whisper, rembg and diffusers draw gigabytes after them for weights that are
not here, so they are stubbed.
"""

from __future__ import annotations

from ....answers.services.model_answers import model_places, model_variants
from ....contacts import Border, Contact, Example, Family, Mock, StubModule, Treated

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
    """Anything of these libraries; of those that are only rules, what reads data."""
    return border.named(*_REAL, *{name.partition(".")[0] for name in _STUBS}, *_TOKENS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Models write what the slice can read; vectors come from the words of texts."""
    del contacts
    stubbed = sorted({n.partition(".")[0] for n in _STUBS if border.named(n.partition(".")[0])})
    treated = [
        Treated(n, "stubbed", "draws gigabytes after it for absent weights") for n in stubbed
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
    treated += [Treated(n, "faked", "runs without what it downloads") for n in real]
    if border.named(*_TOKENS):
        pieces.append("approximate_tokens")
        setup.append("approximate_tokens()\n")
        treated.append(Treated("tiktoken", "faked", "cuts texts by rules, without its files"))
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
    """What the stubs themselves stand on."""
    pictures = ("pillow>=9",) if {"diffusers", "rembg"} & set(stubbed) else ()
    return ("numpy>=1.24", *pictures) if stubbed else ()


_TRANSFORMERS = ("transformers", "torch")
EXAMPLES = (
    Example(
        title="embeddings of sentences",
        source="""\
import numpy as np
from sentence_transformers import SentenceTransformer, util


class Search:
    def __init__(self, texts, model="all-MiniLM-L6-v2"):
        self.model = SentenceTransformer(model)
        self.texts = texts
        self.vectors = self.model.encode(texts, show_progress_bar=False)

    def best(self, question):
        scores = np.asarray(util.cos_sim(self.model.encode(question), self.vectors))[0]
        hit = util.semantic_search(self.model.encode([question]), self.vectors, top_k=1)[0][0]
        assert hit["corpus_id"] == int(scores.argmax())
        return self.texts[int(scores.argmax())], self.vectors.shape
""",
        target="Search.best",
        call="Search(['red apple', 'blue sky', 'green tea']).best('an apple a day')",
        gives="('red apple', (3, 384))",
        effects=("read SentenceTransformer",),
    ),
    Example(
        title="what is heard",
        source="""\
import whisper
from faster_whisper import WhisperModel

model = whisper.load_model("base")


def heard(path):
    text = model.transcribe(path, fp16=False)["text"].strip()
    segments, info = WhisperModel("tiny", device="cuda", compute_type="float16").transcribe(path)
    return text, [segment.text for segment in segments], info.language
""",
        target="heard",
        call="heard('a.mp3')",
        gives="('This is the answer.', ['This is the answer.'], 'en')",
        effects=("read whisper.transcribe", "read whisper", "read whisper.transcribe"),
    ),
    Example(
        title="tokens are counted",
        source="""\
import tiktoken


def chunks(text, size=4, model="gpt-4o"):
    try:
        encoding = tiktoken.encoding_for_model(model)
    except KeyError:
        encoding = tiktoken.get_encoding("cl100k_base")
    tokens = encoding.encode(text)
    parts = [encoding.decode(tokens[at : at + size]) for at in range(0, len(tokens), size)]
    return len(tokens), parts, "".join(parts) == text
""",
        target="chunks",
        call="chunks('The quick brown fox jumps over it', model='unknown')",
        gives="(7, ['The quick brown fox', ' jumps over it'], True)",
        needs=("tiktoken",),
    ),
    Example(
        title="words without corpora",
        source="""\
import nltk
from nltk.corpus import stopwords
from nltk.stem import WordNetLemmatizer
from nltk.tokenize import sent_tokenize, word_tokenize

nltk.download("punkt")
nltk.download("stopwords")
STOP = set(stopwords.words("english"))
lemmatizer = WordNetLemmatizer()


def words(text):
    found = [
        lemmatizer.lemmatize(word.lower())
        for sentence in sent_tokenize(text)
        for word in word_tokenize(sentence)
        if word.isalpha() and word.lower() not in STOP
    ]
    return found, len(sent_tokenize(text)), nltk.pos_tag(["running"])
""",
        target="words",
        call="words('The cats sat on a mat. They were happy!')",
        gives="(['cat', 'sat', 'mat', 'happy'], 2, [('running', 'VBG')])",
        needs=("nltk",),
    ),
    Example(
        title="pipelines of tasks",
        source="""\
from transformers import pipeline

classifier = pipeline("sentiment-analysis", model="distilbert-base-uncased")


def read(texts):
    labels = [found["label"] for found in classifier(texts)]
    short = pipeline("summarization")(texts[0], max_length=20)[0]["summary_text"]
    topic = pipeline("zero-shot-classification")(texts[0], candidate_labels=["sport", "news"])
    return labels, short, topic["labels"][0]
""",
        target="read",
        call="read(['good', 'bad'])",
        gives="(['POSITIVE', 'POSITIVE'], 'This is the answer.', 'sport')",
        effects=(
            "call pipeline sentiment-analysis",
            "call pipeline summarization",
            "call pipeline zero-shot-classification",
        ),
        needs=_TRANSFORMERS,
    ),
    Example(
        title="a tokenizer and a model",
        source="""\
import torch
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification, AutoTokenizer


class Classifier:
    def __init__(self, name="bert-base-uncased", labels=3):
        self.tokenizer = AutoTokenizer.from_pretrained(name)
        self.model = AutoModelForSequenceClassification.from_pretrained(name, num_labels=labels)
        self.model.to("cpu").eval()

    def classify(self, texts):
        batch = self.tokenizer(texts, return_tensors="pt", padding=True, truncation=True)
        with torch.no_grad():
            scores = torch.softmax(self.model(**batch).logits, dim=-1)
        return tuple(scores.shape), self.model.config.id2label[int(scores[0].argmax())][:6]

    def write(self, text):
        model = AutoModelForCausalLM.from_pretrained("gpt2", torch_dtype=torch.float16)
        inputs = self.tokenizer(text, return_tensors="pt").to(model.device)
        made = model.generate(**inputs, max_new_tokens=20)
        new = made[0][inputs["input_ids"].shape[1] :]
        return self.tokenizer.decode(new, skip_special_tokens=True), self.classify([text, "b c"])
""",
        target="Classifier.write",
        call="Classifier().write('once upon a time')",
        gives="('This is the answer.', ((2, 3), 'LABEL_'))",
        effects=(
            "read AutoTokenizer.from_pretrained",
            "read AutoModelForSequenceClassification.from_pretrained",
            "read AutoModelForCausalLM.from_pretrained",
            "call gpt2 generate",
        ),
        needs=_TRANSFORMERS,
    ),
    Example(
        title="pictures",
        source="""\
from diffusers import DPMSolverMultistepScheduler, StableDiffusionPipeline


def draw(prompt, path):
    pipe = StableDiffusionPipeline.from_pretrained("runwayml/stable-diffusion-v1-5")
    pipe.scheduler = DPMSolverMultistepScheduler.from_config(pipe.scheduler.config)
    pipe = pipe.to("cuda")
    pipe.enable_attention_slicing()
    image = pipe(prompt, width=64, height=32, num_inference_steps=5).images[0]
    return image.size, image.mode
""",
        target="draw",
        call="draw('a cat', 'cat.png')",
        gives="((64, 32), 'RGB')",
        effects=(
            "read StableDiffusionPipeline.from_pretrained",
            "read DPMSolverMultistepScheduler.from_pretrained",
            "call runwayml/stable-diffusion-v1-5",
        ),
        needs=("PIL",),
    ),
    Example(
        title="what stands before the background",
        source="""\
import io

from PIL import Image
from rembg import new_session, remove

session = new_session("u2net_human_seg")


def cut(image_bytes):
    output = Image.open(io.BytesIO(remove(image_bytes)))
    mask = remove(output, session=session, only_mask=True)
    return output.mode, output.size, mask.mode, output.getpixel((0, 0))[3]


def both(color="red"):
    stream = io.BytesIO()
    Image.new("RGB", (8, 6), color).save(stream, "JPEG")
    return cut(stream.getvalue())
""",
        target="both",
        call="both()",
        gives="('RGBA', (8, 6), 'L', 0)",
        effects=("call rembg.remove", "call rembg.remove"),
        needs=("PIL",),
    ),
)

FAMILY = Family("model hubs", applies, stub, EXAMPLES)
