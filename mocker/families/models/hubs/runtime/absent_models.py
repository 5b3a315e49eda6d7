"""Models whose weights are not here: tokenizers, models and pipelines that behave like theirs."""

from __future__ import annotations

import re
import sys
from typing import Any

from .....world.core.world import chosen, record
from .....world.network.model_values import ANSWER, vector_of

_words: dict[int, str] = {}
_absent_answers: dict[str, dict[str, Any]] = {"default": {"content": ANSWER}}
_SPECIAL = {0: "[PAD]", 101: "[CLS]", 102: "[SEP]", 103: "[MASK]"}


def expect_texts(variants: dict[str, Any]) -> None:
    """Say what models write."""
    _absent_answers.clear()
    _absent_answers.update(variants)


def absent_text() -> str:
    """What a model writes, as the case has chosen it."""
    return chosen("models", _absent_answers).get("content", "")


def absent_array(rows: Any, kind: str | None = "pt") -> Any:
    """Numbers as the caller wants them: a tensor, an array, or lists."""
    if kind == "pt" and "torch" in sys.modules:
        return sys.modules["torch"].tensor(rows)
    if kind in ("pt", "np", "tf", "jax"):
        import numpy as np

        return np.array(rows)
    return rows


def absent_vector(text: object, size: int) -> list[float]:
    """An embedding."""
    return vector_of(text, size)


class AbsentOutput(dict):
    """What models and tokenizers give: by key, attribute or position."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, key: Any) -> Any:
        return (
            list(self.values())[key] if isinstance(key, (int, slice)) else super().__getitem__(key)
        )

    def to(self, *_args: Any, **_named: Any) -> AbsentOutput:
        """It stays where it is."""
        return self

    def to_tuple(self) -> tuple[Any, ...]:
        """The values."""
        return tuple(self.values())

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class AbsentConfig(AbsentOutput):
    """What is said of a model: the usual sizes, and whatever else is asked for."""

    def __init__(self, name: str, **named: Any) -> None:
        super().__init__()
        size = 1024 if "large" in name else 768
        count = named.get("num_labels") or len(named.get("id2label") or ()) or 2
        labels = named.get("id2label") or {index: f"LABEL_{index}" for index in range(count)}
        self.update(
            _name_or_path=name, name_or_path=name, hidden_size=size, num_labels=count, dim=size,
            id2label=labels, label2id={label: index for index, label in labels.items()},
            vocab_size=30522, max_position_embeddings=512, num_hidden_layers=12, d_model=size,
            num_attention_heads=12, pad_token_id=0, eos_token_id=102, bos_token_id=101,
            model_type="bert", is_encoder_decoder=False, max_length=20, use_cache=True,
            image_size=224, decoder_start_token_id=0,
        )  # fmt: skip
        self.update(named)

    def to_dict(self) -> dict[str, Any]:
        """All of it."""
        return dict(self)


class AbsentTokenizer:
    """Cuts texts into words: a number for each, from which decoding gives it back."""

    pad_token, cls_token, sep_token, mask_token = "[PAD]", "[CLS]", "[SEP]", "[MASK]"
    eos_token, bos_token, unk_token = "[SEP]", "[CLS]", "[UNK]"
    pad_token_id, cls_token_id, sep_token_id, mask_token_id, unk_token_id = 0, 101, 102, 103, 100
    eos_token_id, bos_token_id = 102, 101
    vocab_size = 30522
    model_max_length = 512
    padding_side = "right"
    chat_template = None

    def __init__(self, name: str) -> None:
        self.name_or_path = name

    def __len__(self) -> int:
        return self.vocab_size

    def tokenize(self, text: str, **_named: Any) -> list[str]:
        """The words."""
        return re.findall(r"\[[A-Z]+\]|\w+|[^\w\s]", text)

    def convert_tokens_to_ids(self, tokens: Any) -> Any:
        """Their numbers."""
        if isinstance(tokens, str):
            return absent_number(tokens)
        return [absent_number(token) for token in tokens]

    def convert_ids_to_tokens(self, ids: Any, **_named: Any) -> Any:
        """The words of numbers."""
        if isinstance(ids, int):
            return _SPECIAL.get(ids) or _words.get(ids, "[UNK]")
        return [self.convert_ids_to_tokens(int(each)) for each in ids]

    def encode(
        self, text: Any, text_pair: Any = None, add_special_tokens: bool = True,
        max_length: int | None = None, truncation: Any = False, return_tensors: Any = None,
        **_named: Any,
    ) -> Any:  # fmt: skip
        """The numbers of a text."""
        ids = self.convert_tokens_to_ids(self.tokenize(text))
        if text_pair is not None:
            ids += [102, *self.convert_tokens_to_ids(self.tokenize(text_pair))]
        limit = (max_length or self.model_max_length) - 2 * add_special_tokens
        ids = ids[:limit] if truncation else ids
        ids = [101, *ids, 102] if add_special_tokens else ids
        return absent_array([ids], return_tensors) if return_tensors else ids

    def __call__(
        self, text: Any = None, text_pair: Any = None, padding: Any = False,
        return_tensors: Any = None, max_length: int | None = None, **named: Any,
    ) -> Any:  # fmt: skip
        """The numbers of a text, or of several, with masks."""
        is_many = isinstance(text, (list, tuple))
        texts = list(text) if is_many else [text]
        pairs = text_pair if isinstance(text_pair, (list, tuple)) else [text_pair] * len(texts)
        rows = [
            self.encode(one, two, max_length=max_length, **named)
            for one, two in zip(texts, pairs, strict=False)
        ]
        longest = max(map(len, rows), default=0)
        size = max_length if padding == "max_length" and max_length else longest
        masks = [[1] * len(row) for row in rows]
        if padding or return_tensors:
            masks = [mask + [0] * (size - len(mask)) for mask in masks]
            rows = [row + [0] * (size - len(row)) for row in rows]
        kinds = [[0] * len(row) for row in rows]
        found = {"input_ids": rows, "token_type_ids": kinds, "attention_mask": masks}
        if return_tensors:
            found = {name: absent_array(value, return_tensors) for name, value in found.items()}
        elif not is_many:
            found = {name: value[0] for name, value in found.items()}
        return AbsentOutput(found)

    encode_plus = batch_encode_plus = __call__

    def decode(self, token_ids: Any, skip_special_tokens: bool = False, **_named: Any) -> str:
        """The text of numbers."""
        ids = [int(each) for each in (token_ids if hasattr(token_ids, "__iter__") else [token_ids])]
        words = self.convert_ids_to_tokens(
            [each for each in ids if not (skip_special_tokens and each in _SPECIAL)]
        )
        return re.sub(r" ([.,!?;:'])", r"\1", " ".join(words))

    def batch_decode(self, sequences: Any, **named: Any) -> list[str]:
        """The texts of several rows of numbers."""
        return [self.decode(row, **named) for row in sequences]

    def apply_chat_template(
        self,
        conversation: Any,
        tokenize: bool = True,
        add_generation_prompt: bool = False,
        **named: Any,
    ) -> Any:
        """The turns of a talk as one text."""
        text = "".join(f"<{turn['role']}> {turn['content']}\n" for turn in conversation)
        text += "<assistant>" if add_generation_prompt else ""
        if not tokenize:
            return text
        kind = named.get("return_tensors")
        if named.get("return_dict"):
            return self(text, return_tensors=kind)
        return self.encode(text, return_tensors=kind)

    def add_tokens(self, tokens: Any, **_named: Any) -> int:
        """They are known already."""
        return len(tokens)

    add_special_tokens = add_tokens

    def get_vocab(self) -> dict[str, int]:
        """The words that were met."""
        return {word: number for number, word in sorted(_words.items())}

    def save_pretrained(self, folder: Any, **_named: Any) -> None:
        """Note it."""
        record("write", "save_pretrained", str(folder))


def absent_number(word: str) -> int:
    """The number of a word: always the same."""
    import hashlib

    for number, special in _SPECIAL.items():
        if word == special:
            return number
    number = 1000 + int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % 29000
    _words.setdefault(number, word)
    return number


def absent_model(name: str, kind: str, **named: Any) -> Any:
    """A model of a kind of class: a module of torch where torch is."""
    base: Any = sys.modules["torch"].nn.Module if "torch" in sys.modules else object

    class AbsentModel(base):
        def __init__(self) -> None:
            super().__init__()
            self.config = AbsentConfig(name, **named)
            self.generation_config = AbsentConfig(name)
            self.name_or_path = name
            if base is not object:
                torch = sys.modules["torch"]
                self.weight = torch.nn.Parameter(torch.zeros(1))
            for each in (
                "save_pretrained",
                "gradient_checkpointing_enable",
                "print_trainable_parameters",
            ):
                object.__setattr__(self, each, _noted(each))

        @property
        def device(self) -> Any:
            return sys.modules["torch"].device("cpu") if base is not object else "cpu"

        def __call__(self, *args: Any, **inputs: Any) -> Any:
            return absent_outputs(self, kind, *args, **inputs)

        def forward(self, *args: Any, **inputs: Any) -> Any:
            return absent_outputs(self, kind, *args, **inputs)

        def generate(self, inputs: Any = None, **more: Any) -> Any:
            ids = inputs if inputs is not None else more.get("input_ids")
            rows = _rows(ids)
            record("call", f"{name} generate", rows=rows)
            tokenizer = AbsentTokenizer(name)
            made = [*tokenizer.encode(absent_text(), add_special_tokens=False), 102]
            is_free = re.search(
                r"Seq2Seq|ConditionalGeneration|T5|Bart|Marian|Vision|Speech|Blip", kind
            )
            return absent_array([made if is_free else [*row, *made] for row in rows or [[]]])

        def resize_token_embeddings(self, *_args: Any) -> None:
            return None

    if base is object:
        for each in ("to", "eval", "train", "cuda", "half", "cpu"):
            setattr(AbsentModel, each, lambda self, *_args, **_named: self)
    AbsentModel.__name__ = AbsentModel.__qualname__ = kind
    return AbsentModel()


def _noted(what: str) -> Any:
    def noted(*args: Any, **_named: Any) -> None:
        record("write" if what.startswith("save") else "call", what, *map(str, args))

    return noted


def _rows(values: Any) -> list[list[int]]:
    if values is None:
        return []
    rows = values.tolist() if hasattr(values, "tolist") else list(values)
    return rows if rows and isinstance(rows[0], list) else [rows]


def absent_outputs(model: Any, kind: str, *args: Any, **inputs: Any) -> AbsentOutput:
    """What a model of that kind computes, in the shapes that it has."""
    ids = inputs.get("input_ids", args[0] if args else None)
    given = ids if ids is not None else next(iter(inputs.values()), None)
    rows = _rows(given)
    if ids is None:
        rows = [[0] for _ in rows] or [[0]]
    config = model.config
    found = AbsentOutput()
    if inputs.get("labels") is not None:
        weight = getattr(model, "weight", None)
        found["loss"] = 0.5 if weight is None else (weight * 0).sum() + 0.5
    length = max(map(len, rows))
    if "SequenceClassification" in kind or "ImageClassification" in kind:
        found["logits"] = _numbers([vector_of(row, config.num_labels) for row in rows])
    elif "TokenClassification" in kind:
        found["logits"] = _numbers([[vector_of(t, config.num_labels) for t in row] for row in rows])
    elif "QuestionAnswering" in kind:
        for name in ("start_logits", "end_logits"):
            found[name] = _numbers([vector_of([name, *row], length) for row in rows])
    elif "LM" in kind or "Generation" in kind:
        found["logits"] = _numbers([[vector_of(t, 1000) for t in row] for row in rows])
    else:
        size = config.hidden_size
        found["last_hidden_state"] = _numbers([[vector_of(t, size) for t in row] for row in rows])
        found["pooler_output"] = _numbers([vector_of(row, size) for row in rows])
    return found


def _numbers(rows: Any) -> Any:
    return absent_array(rows, "pt")


# ------------------------------------------------------------------- pipelines


def absent_pipeline(task: Any = None, model: Any = None, **named: Any) -> Any:
    """A pipeline of a task."""
    name = model if isinstance(model, str) else getattr(model, "name_or_path", "")
    return AbsentPipeline(task or named.get("task") or "text-generation", str(name))


_FLAT = (
    "text-classification", "sentiment-analysis", "summarization", "translation",
    "text2text-generation",
)  # fmt: skip


class AbsentPipeline:
    """Answers in the form of its task."""

    def __init__(self, task: str, name: str) -> None:
        self.task = "text-generation" if task == "conversational" else task
        self.name = name
        self.tokenizer = AbsentTokenizer(name)
        self.model = absent_model(name, "AutoModel")

    def __call__(self, inputs: Any = None, *args: Any, **named: Any) -> Any:
        """An answer, or one for each of a list."""
        plain = inputs if isinstance(inputs, (str, list, dict)) else f"<{type(inputs).__name__}>"
        record("call", f"pipeline {self.task}", plain)
        is_talk = isinstance(inputs, list) and bool(inputs) and isinstance(inputs[0], dict)
        if isinstance(inputs, list) and not is_talk:
            found = [self._one(each, args, named) for each in inputs]
            is_flat = all(isinstance(each, list) and len(each) == 1 for each in found)
            return [one for (one,) in found] if is_flat and self.task in _FLAT else found
        return self._one(inputs, args, named)

    def _one(self, given: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        task, text = self.task, absent_text()
        labels = named.get("candidate_labels") or (args[0] if args else ["first", "second"])
        if task in ("text-classification", "sentiment-analysis"):
            best = {"label": "POSITIVE", "score": 0.9}
            other = {"label": "NEGATIVE", "score": 0.1}
            wants_all = named.get("top_k", 1) is None or named.get("return_all_scores")
            return [best, other] if wants_all else [best]
        if "zero-shot" in task:
            names = labels.split(",") if isinstance(labels, str) else list(labels)
            scores = [round(2.0**-at, 4) for at in range(1, len(names) + 1)]
            return {"sequence": given, "labels": names, "scores": scores}
        if task in ("ner", "token-classification"):
            word = next(iter(re.findall(r"[A-Z]\w+", str(given))), "")
            at = str(given).find(word)
            entity = {"entity": "B-PER", "entity_group": "PER", "score": 0.9, "word": word}
            return [{**entity, "index": 1, "start": at, "end": at + len(word)}] if word else []
        if "question-answering" in task:
            return {"answer": text, "score": 0.9, "start": 0, "end": len(text)}
        if task == "summarization":
            return [{"summary_text": text}]
        if task.startswith("translation"):
            return [{"translation_text": text}]
        if task == "automatic-speech-recognition":
            return {"text": text, "chunks": [{"timestamp": (0.0, 1.0), "text": text}]}
        if task in ("feature-extraction", "image-feature-extraction"):
            return [[vector_of(word, 768) for word in str(given).split() or [""]]]
        if task == "fill-mask":
            return [{"sequence": text, "score": 0.9, "token": 1000, "token_str": text}]
        if task == "image-classification":
            return [{"label": "object", "score": 0.9}]
        if task == "object-detection":
            box = {"xmin": 0, "ymin": 0, "xmax": 1, "ymax": 1}
            return [{"label": "object", "score": 0.9, "box": box}]
        if isinstance(given, list):
            return [{"generated_text": [*given, {"role": "assistant", "content": text}]}]
        full = named.get("return_full_text", True) and task == "text-generation"
        return [{"generated_text": f"{given} {text}" if full else text}]
