"""Hubs of models and data, without a network: what is downloaded is made up here."""

from __future__ import annotations

import os
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import record, replace
from .absent_models import (
    AbsentConfig,
    AbsentOutput,
    AbsentTokenizer,
    absent_array,
    absent_model,
    absent_pipeline,
    absent_text,
    absent_vector,
)


def no_hub() -> None:
    """Answer `from_pretrained` and `pipeline` of transformers, and downloads from the hub."""
    auto = "transformers.models.auto"
    for module, classes, make in (
        ("transformers.tokenization_utils_base", "PreTrainedTokenizerBase", _tokenizer),
        (f"{auto}.tokenization_auto", "AutoTokenizer", _tokenizer),
        ("transformers.modeling_utils", "PreTrainedModel", _model),
        (f"{auto}.auto_factory", "_BaseAutoModelClass", _model),
        ("transformers.configuration_utils", "PretrainedConfig PreTrainedConfig", _config),
        (f"{auto}.configuration_auto", "AutoConfig", _config),
        ("transformers.processing_utils", "ProcessorMixin", _processor),
        (f"{auto}.processing_auto", "AutoProcessor", _processor),
        ("transformers.image_processing_base", "ImageProcessingMixin", _processor),
        (f"{auto}.image_processing_auto", "AutoImageProcessor", _processor),
        ("transformers.feature_extraction_utils", "FeatureExtractionMixin", _processor),
        (f"{auto}.feature_extraction_auto", "AutoFeatureExtractor", _processor),
        ("transformers.generation.configuration_utils", "GenerationConfig", _config),
    ):
        on_import(module, lambda loaded, c=classes, m=make: _pretrained(loaded, c.split(), m))
    on_import("transformers.pipelines", _patch_pipelines)
    for module in ("huggingface_hub.file_download", "huggingface_hub._snapshot_download"):
        on_import(module, _patch_downloads)
    on_import("huggingface_hub", _patch_downloads)
    on_import("datasets", _patch_datasets)


def _pretrained(module: Any, classes: list[str], make: Any) -> None:
    for name in classes:
        if hasattr(module, name):
            owner = getattr(module, name)
            real = owner.from_pretrained.__func__
            replace(owner, "from_pretrained", classmethod(_from_pretrained(real, make)))


def _from_pretrained(real: Any, make: Any) -> Any:
    def from_pretrained(cls: Any, name: Any = "", *args: Any, **named: Any) -> Any:
        if os.path.isdir(str(name)):
            return real(cls, name, *args, **named)
        record("read", f"{cls.__name__}.from_pretrained", str(name))
        return make(cls, str(name), named)

    return from_pretrained


def _tokenizer(cls: Any, name: str, named: dict[str, Any]) -> Any:
    return AbsentTokenizer(name)


def _model(cls: Any, name: str, named: dict[str, Any]) -> Any:
    known = {key: named[key] for key in ("num_labels", "id2label") if key in named}
    return absent_model(name, cls.__name__, **known)


def _config(cls: Any, name: str, named: dict[str, Any]) -> Any:
    return AbsentConfig(name, **named)


def _processor(cls: Any, name: str, named: dict[str, Any]) -> Any:
    return AbsentProcessor(name)


class AbsentProcessor(AbsentTokenizer):
    """Makes pictures, sounds and texts into what models take."""

    sampling_rate = 16000
    size = {"height": 224, "width": 224}

    @property
    def tokenizer(self) -> AbsentTokenizer:
        """What cuts the texts."""
        return self

    image_processor = feature_extractor = tokenizer

    def __call__(self, *args: Any, return_tensors: Any = None, **named: Any) -> Any:
        """Numbers of texts, and pixels or sounds of the rest."""
        texts = named.pop("text", None) or next((a for a in args if _is_text(a)), None)
        found = AbsentOutput()
        if texts is not None:
            found.update(super().__call__(texts, return_tensors=return_tensors, padding=True))
        others = [a for a in (*args, named.get("images"), named.get("audio")) if a is not None]
        if any(not _is_text(other) for other in others):
            picture = [[[[0.0] * 2] * 2] * 3]
            found["pixel_values"] = absent_array(picture, return_tensors)
            found["input_features"] = absent_array([[[0.0] * 2] * 80], return_tensors)
        return found


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], str)
    )


def _patch_pipelines(module: Any) -> None:
    replace(module, "pipeline", absent_pipeline)


def _patch_downloads(module: Any) -> None:
    """A download gives the path of a file which then is not there, as for a hub out of reach."""

    def hf_hub_download(repo_id: str, filename: str, **_named: Any) -> str:
        record("request", f"hub {repo_id}", filename)
        return os.path.join("hub", str(repo_id).replace("/", "--"), filename)

    def snapshot_download(repo_id: str, **_named: Any) -> str:
        record("request", f"hub {repo_id}")
        return os.path.join("hub", str(repo_id).replace("/", "--"))

    for name, function in (
        ("hf_hub_download", hf_hub_download),
        ("snapshot_download", snapshot_download),
    ):
        if name in vars(module) or module.__name__ == "huggingface_hub":
            replace(module, name, function)
    if module.__name__ == "huggingface_hub":
        for name in ("login", "logout", "notebook_login"):
            replace(module, name, lambda *_args, **_named: None)


def _patch_datasets(datasets: Any) -> None:
    def load_dataset(
        path: str, name: Any = None, *_args: Any, split: Any = None, **_named: Any
    ) -> Any:
        record("read", "datasets.load_dataset", str(path), name, split)
        rows = {"text": ["first text", "second text"], "label": [0, 1]}
        if split is not None:
            return datasets.Dataset.from_dict(rows)
        parts = ("train", "validation", "test")
        return datasets.DatasetDict({part: datasets.Dataset.from_dict(rows) for part in parts})

    replace(datasets, "load_dataset", load_dataset)


# ------------------------------------------------------------------- nltk and spacy

_STOPWORDS = (
    "a about after all also an and any are as at be because been but by can could did do does for "
    "from had has have he her his how i if in into is it its just me more most my no not now of on "
    "only or other our out over she so some such than that the their them then there these they "
    "this to too up was we were what when where which who will with would you your"
).split()


def no_corpora() -> None:
    """Let nltk and spacy do with rules what they do with downloaded data."""
    on_import("nltk", _patch_nltk)
    on_import("spacy", _patch_spacy)


def _patch_nltk(nltk: Any) -> None:
    import re

    def download(what: Any = None, *_args: Any, **_named: Any) -> bool:
        record("request", "nltk.download", str(what))
        return True

    def sent_tokenize(text: str, language: str = "english") -> list[str]:
        return [part for part in re.split(r"(?<=[.!?])\s+", text.strip()) if part]

    def word_tokenize(
        text: str, language: str = "english", preserve_line: bool = False
    ) -> list[str]:
        return nltk.tokenize.NLTKWordTokenizer().tokenize(text)

    def pos_tag(tokens: Any, **_named: Any) -> list[tuple[str, str]]:
        ends = {"ing": "VBG", "ed": "VBD", "ly": "RB", "s": "NNS"}
        found = []
        for token in tokens:
            end = next((tag for end, tag in ends.items() if token.endswith(end)), "NN")
            found.append((token, end if token.isalpha() else "."))
        return found

    for owner in (nltk, nltk.tokenize):
        replace(owner, "sent_tokenize", sent_tokenize)
        replace(owner, "word_tokenize", word_tokenize)
    for owner in (nltk, nltk.tag):
        replace(owner, "pos_tag", pos_tag)
    replace(nltk, "download", download)
    replace(nltk.data, "find", lambda name, *_args: str(name))
    words = {
        "stopwords": _STOPWORDS, "words": ["apple", "house", "tree", "word"],
        "names": ["Ann", "Bob"], "wordnet": [],
    }  # fmt: skip
    for name, found in words.items():
        replace(nltk.corpus, name, SmallCorpus(found))

    def lemmatize(_self: Any, word: str, pos: str = "n") -> str:
        return word[:-1] if pos == "n" and re.search(r"[^s]s$", word) and len(word) > 3 else word

    replace(nltk.stem.WordNetLemmatizer, "lemmatize", lemmatize)


class SmallCorpus:
    """A few words in place of a corpus."""

    NOUN, VERB, ADJ, ADV = "n", "v", "a", "r"

    def __init__(self, found: list[str]) -> None:
        self.found = found

    def words(self, *_args: Any, **_named: Any) -> list[str]:
        """The words."""
        return list(self.found)

    def synsets(self, *_args: Any, **_named: Any) -> list[Any]:
        """None are known."""
        return []

    def fileids(self) -> list[str]:
        """One file."""
        return ["english"]

    def ensure_loaded(self) -> None:
        """It is."""


def _patch_spacy(spacy: Any) -> None:
    def load(name: Any, *_args: Any, **_named: Any) -> Any:
        record("read", "spacy.load", str(name))
        language = str(name)[:2] if str(name)[2:3] == "_" else "en"
        made = spacy.blank(language)
        made.add_pipe("sentencizer")
        return made

    replace(spacy, "load", load)
    replace(
        spacy.cli, "download", lambda name, *_args, **_named: record("request", f"spacy {name}")
    )


# ------------------------------------------------------------------- libraries that are stubs


class SentenceTransformer:
    """Embeds texts: those that share words lie near each other."""

    def __init__(self, model_name_or_path: Any = "", *_args: Any, **_named: Any) -> None:
        self.name = str(model_name_or_path)
        self.max_seq_length = 256
        self.device = "cpu"
        record("read", "SentenceTransformer", self.name)

    def encode(
        self, sentences: Any, *_args: Any, convert_to_tensor: bool = False,
        convert_to_numpy: bool = True, **_named: Any,
    ) -> Any:  # fmt: skip
        """A vector for a text, and rows of them for several."""
        size = self.get_sentence_embedding_dimension()
        is_one = isinstance(sentences, str)
        rows = [absent_vector(str(text), size) for text in ([sentences] if is_one else sentences)]
        kind = "pt" if convert_to_tensor else "np"
        found = absent_array(rows[0] if is_one else rows, kind)
        if not hasattr(found, "dtype") or kind == "pt":
            return found
        return found.astype("float32") if convert_to_numpy else list(found)

    def get_sentence_embedding_dimension(self) -> int:
        """As many as such models have."""
        return 384 if "mini" in self.name.lower() else 768

    get_embedding_dimension = get_sentence_embedding_dimension
    encode_query = encode_document = encode

    def similarity(self, one: Any, other: Any) -> Any:
        """The cosines."""
        return cosines(one, other)

    def tokenize(self, texts: list[str]) -> Any:
        """Numbers of words."""
        return AbsentTokenizer(self.name)(texts, padding=True)

    def to(self, *_args: Any) -> SentenceTransformer:
        """It stays where it is."""
        return self

    eval = to

    def save(self, path: Any, *_args: Any, **_named: Any) -> None:
        """Note it."""
        record("write", "SentenceTransformer.save", str(path))

    def fit(self, *_args: Any, **_named: Any) -> None:
        """Nothing is learnt."""


def cosines(one: Any, other: Any) -> Any:
    """The cosines of rows of vectors."""
    import numpy as np

    a, b = (np.atleast_2d(np.asarray(each, dtype=float)) for each in (one, other))
    a, b = (each / (np.linalg.norm(each, axis=1, keepdims=True) + 1e-12) for each in (a, b))
    return absent_array((a @ b.T).tolist(), "pt")


class CrossEncoder:
    """Scores pairs of texts by the words that they share."""

    def __init__(self, model_name_or_path: Any = "", *_args: Any, **_named: Any) -> None:
        record("read", "CrossEncoder", str(model_name_or_path))

    def predict(self, sentences: Any, *_args: Any, **_named: Any) -> Any:
        """A score for each pair."""
        is_one = bool(sentences) and isinstance(sentences[0], str)
        scores = []
        for one, other in [sentences] if is_one else sentences:
            first, second = ({*str(text).lower().split()} for text in (one, other))
            scores.append(len(first & second) / (len(first | second) or 1))
        return absent_array(scores[0] if is_one else scores, "np")


class WhisperModel:
    """Hears what models write."""

    def __init__(self, name: Any = "", *_args: Any, **_named: Any) -> None:
        record("read", "whisper", str(name))
        self.device = "cpu"

    def transcribe(self, audio: Any, *_args: Any, **_named: Any) -> dict[str, Any]:
        """The text, as openai-whisper gives it."""
        record("read", "whisper.transcribe", audio if isinstance(audio, str) else "<audio>")
        text = absent_text()
        segment = {
            "id": 0,
            "start": 0.0,
            "end": 1.0,
            "text": text,
            "tokens": [],
            "no_speech_prob": 0,
        }
        return {"text": text, "segments": [segment], "language": "en"}


class FasterWhisperModel(WhisperModel):
    """The same, in the form of faster-whisper."""

    def transcribe(self, audio: Any, *_args: Any, **_named: Any) -> Any:
        """Segments, and what is known of the language."""
        whole = super().transcribe(audio)
        found = iter([AbsentOutput(segment) for segment in whole["segments"]])
        info = {"language": "en", "language_probability": 1.0, "duration": 1.0}
        return found, AbsentOutput(info)


class DiffusionPipeline:
    """Draws grey pictures of the size that is asked for."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.scheduler = AbsentOutput(config={})

    @classmethod
    def from_pretrained(cls, name: Any = "", *_args: Any, **_named: Any) -> DiffusionPipeline:
        """The pipeline of that name."""
        record("read", f"{cls.__name__}.from_pretrained", str(name))
        return cls(str(name))

    from_single_file = from_config = from_pretrained

    def __call__(self, prompt: Any = None, *_args: Any, **named: Any) -> Any:
        """Pictures of a prompt."""
        from PIL import Image

        plain = {k: v for k, v in named.items() if isinstance(v, (str, int, float))}
        record("call", self.name, prompt, **plain)
        size = (int(named.get("width") or 512), int(named.get("height") or 512))
        count = int(named.get("num_images_per_prompt") or 1)
        count *= len(prompt) if isinstance(prompt, list) else 1
        return AbsentOutput(images=[Image.new("RGB", size, "grey") for _ in range(count)])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_args, **_named: self


def cut_out(data: Any, *_args: Any, only_mask: bool = False, **named: Any) -> Any:
    """A picture without its edge, in the form in which it came: as bytes, picture or array."""
    import io

    from PIL import Image

    record("call", "rembg.remove")
    is_packed, is_picture = isinstance(data, (bytes, bytearray)), isinstance(data, Image.Image)
    if is_packed:
        picture = Image.open(io.BytesIO(data))
    else:
        picture = data if is_picture else Image.fromarray(data)
    made = picture.convert("RGBA")
    mask = Image.new("L", made.size, 0)
    (left, right), (top, bottom) = ((max(1, side // 8), side - side // 8) for side in made.size)
    mask.paste(255, (left, top, max(left, right), max(top, bottom)))
    made.putalpha(mask)
    found = mask if only_mask else made
    if is_packed or named.get("force_return_bytes"):
        stream = io.BytesIO()
        found.save(stream, "PNG")
        return stream.getvalue()
    if is_picture:
        return found
    import numpy as np

    return np.asarray(found)
