"""Tokens without the files that real encodings are downloaded from."""

from __future__ import annotations

import re
from typing import Any

from ..core.on_import import on_import
from ..core.world import replace

_TOKEN = re.compile(r" ?\w{1,6}|\s+| ?[^\w\s]{1,3}")


def approximate_tokens() -> None:
    """Have tiktoken cut texts into pieces of words: about as many as the real ones give."""
    on_import("tiktoken", _patch_tiktoken)


def _patch_tiktoken(tiktoken: Any) -> None:
    class Encoding(tiktoken.Encoding):
        """A token's number is made of its letters, so that decoding gives the text again."""

        n_vocab = 100_277
        max_token_value = 100_276
        eot_token = 100_257
        special_tokens_set = frozenset({"<|endoftext|>"})

        def __init__(self, name: str) -> None:
            self.name = name

        def __repr__(self) -> str:
            return f"<Encoding {self.name!r}>"

        def encode(self, text: str, **_named: Any) -> list[int]:
            tokens = []
            for piece in _TOKEN.findall(text):
                data = piece.encode("utf-8", "surrogatepass")
                tokens += [
                    int.from_bytes(b"\1" + data[at : at + 7], "big")
                    for at in range(0, len(data), 7)
                ]
            return tokens

        encode_ordinary = encode

        def encode_batch(self, text: list[str], **_named: Any) -> list[list[int]]:
            return [self.encode(each) for each in text]

        encode_ordinary_batch = encode_batch

        def encode_single_token(self, text_or_bytes: Any) -> int:
            return self.encode(str(text_or_bytes))[0]

        def decode_single_token_bytes(self, token: int) -> bytes:
            return int(token).to_bytes((int(token).bit_length() + 7) // 8, "big")[1:]

        def decode_tokens_bytes(self, tokens: Any) -> list[bytes]:
            return [self.decode_single_token_bytes(token) for token in tokens]

        def decode_bytes(self, tokens: Any) -> bytes:
            return b"".join(self.decode_tokens_bytes(tokens))

        def decode(self, tokens: Any, errors: str = "replace") -> str:
            return self.decode_bytes(tokens).decode("utf-8", errors)

        def decode_batch(self, batch: Any, *, errors: str = "replace", **_named: Any) -> list[str]:
            return [self.decode(tokens, errors) for tokens in batch]

    known = set(tiktoken.list_encoding_names())

    def get_encoding(encoding_name: str) -> Encoding:
        if encoding_name not in known:
            raise ValueError(f"Unknown encoding {encoding_name}.")
        return Encoding(encoding_name)

    def encoding_for_model(model_name: str) -> Encoding:
        return Encoding(tiktoken.model.encoding_name_for_model(model_name))

    for owner in (tiktoken, tiktoken.registry, tiktoken.core, tiktoken.model):
        for function in (get_encoding, encoding_for_model):
            if hasattr(owner, function.__name__):
                replace(owner, function.__name__, function)
