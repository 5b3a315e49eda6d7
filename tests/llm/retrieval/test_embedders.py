"""Embedders: vectors of length 1 from hashes, from a folder, from a service."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slicefunc.llm.errors import ModelServiceError
from slicefunc.llm.retrieval.chunks import Chunk
from slicefunc.llm.retrieval.code_corpus import CodeCorpus
from slicefunc.llm.retrieval.embedders import embedder_named
from slicefunc.llm.retrieval.embedders.endpoint import EndpointEmbedder
from slicefunc.llm.retrieval.embedders.hashed import HashedEmbedder
from slicefunc.slicer.errors import OptionError

from tests.llm.service import Handler, failing, send, serving

TEXTS = ["area of a shape", "volume of a body", "read tokens of a file"]
VOCABULARY = {"[UNK]": 0, "north": 1, "east": 2, "south": 3, "far": 4}
MATRIX = [[0.0, 0.0], [0.0, 2.0], [3.0, 0.0], [0.0, -2.0]]
"""A row for each token but the last, which a model may lack."""


def lengths(rows: Any) -> list[float]:
    return [round(float(each), 5) for each in np.linalg.norm(rows, axis=1)]


@given(st.lists(st.from_regex(r"[a-z]{3,9}( [a-z]{3,9}){0,4}", fullmatch=True), min_size=1))
def test_hashed_rows_have_the_length_one(texts: list[str]) -> None:
    embedder = HashedEmbedder()
    assert lengths(embedder.embed(texts)) == [1.0] * len(texts)
    embedder = embedder.fitted(texts)
    assert lengths(embedder.embed(texts)) == [1.0] * len(texts)


def test_a_text_without_words_has_a_row_of_zeros() -> None:
    assert lengths(HashedEmbedder().embed(["area", "", "the + self"])) == [1.0, 0.0, 0.0]


def test_no_texts_have_no_rows() -> None:
    assert HashedEmbedder().embed([]).shape[0] == 0


def test_texts_with_shared_words_are_nearer() -> None:
    embedder = HashedEmbedder()
    embedder = embedder.fitted(TEXTS)
    rows = embedder.embed([*TEXTS, "the area_of"])
    assert int((rows[:3] @ rows[3]).argmax()) == 0


def test_a_rare_word_weighs_more_after_the_texts_are_known() -> None:
    embedder = HashedEmbedder()
    first, second = embedder.embed(["common rare", "rare"])
    embedder = embedder.fitted(["common rare", "common", "common word", "common text"])
    third, fourth = embedder.embed(["common rare", "rare"])
    assert third @ fourth > first @ second


@given(st.permutations(["area", "shape", "volume", "body", "token"]))
def test_the_order_of_words_does_not_matter(words: list[str]) -> None:
    rows = HashedEmbedder().embed([" ".join(words), " ".join(sorted(words))])
    assert np.allclose(rows[0], rows[1], atol=1e-6)


def test_hashed_vectors_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from slicefunc.llm.retrieval.embedders.hashed import HashedEmbedder as E\n"
        f"e = E().fitted({TEXTS!r}); print(e.name, e.embed({TEXTS!r}).tobytes().hex())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(said) == 1


def test_a_corpus_ranks_the_same_beside_another_one_with_the_same_embedder() -> None:
    def corpus(words: str, embedder: HashedEmbedder) -> CodeCorpus:
        texts = words.split(",")
        return CodeCorpus([Chunk("a.py", 1, 1, "block", "", text) for text in texts], embedder)

    one, shared = "area shape,area,shape of", HashedEmbedder()
    alone, first = corpus(one, HashedEmbedder()), corpus(one, shared)
    for each in (alone, first):
        each.by_vector("")
    corpus("area,area,area,area", shared).by_vector("")
    assert np.allclose(first.by_vector("area shape"), alone.by_vector("area shape"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model of three words with two numbers each."""
    tokenizers = pytest.importorskip("tokenizers")
    model = tokenizers.models.WordLevel(VOCABULARY, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    write_tensors(tmp_path / "model.safetensors", {"embeddings": MATRIX})
    return tmp_path


def test_an_onnx_model_gives_the_mean_of_its_tokens_without_padding(folder: Path) -> None:
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    (folder / "model.safetensors").unlink()
    helper, kinds = onnx.helper, onnx.TensorProto
    inputs = [
        helper.make_tensor_value_info(name, kinds.INT64, ["texts", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    last = helper.make_tensor_value_info("last", kinds.FLOAT, ["texts", "tokens", 2])
    # what pads has the number 0, as [UNK] has: its row would show in a mean over all tokens
    rows = np.array([[5, 5], *MATRIX[1:]], dtype=np.float32)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["rows", "input_ids"], ["last"])],
        "mean", inputs, [last], [onnx.numpy_helper.from_array(rows, "rows")],
    )  # fmt: skip
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(made, folder / "model.onnx")
    found = embedder_named(str(folder)).embed(["north", "north east", "south " * 900, "east"])
    expected = [[0, 1], [0.83205, 0.5547], [0, -1], [1, 0]]
    assert np.allclose(found, expected, atol=1e-4)


def write_tensors(file: Path, tensors: dict[str, Any], kind: str = "F32") -> None:
    """Write numbers as safetensors has them: a length, a header, and the numbers."""
    header: dict[str, Any] = {"__metadata__": {"format": "np"}}
    content = b""
    for name, rows in tensors.items():
        numbers = np.array(rows, dtype={"F32": "<f4", "F16": "<f2"}.get(kind, "<f8"))
        offsets = [len(content), len(content) + numbers.nbytes]
        header[name] = {"dtype": kind, "shape": list(numbers.shape), "data_offsets": offsets}
        content += numbers.tobytes()
    text = json.dumps(header).encode()
    file.write_bytes(len(text).to_bytes(8, "little") + text + content)


@pytest.mark.parametrize("kind", ["F32", "F16"])
def test_a_static_vector_is_the_mean_of_its_tokens(folder: Path, kind: str) -> None:
    write_tensors(folder / "model.safetensors", {"embeddings": MATRIX}, kind)
    rows = embedder_named(str(folder)).embed(["north", "east", "north east east", "south north"])
    expected = [[0.0, 1.0], [1.0, 0.0], np.array([6.0, 2.0]) / np.hypot(6, 2), [0.0, 0.0]]
    assert rows.dtype == np.float32
    assert np.allclose(rows, expected, atol=1e-3)


def test_a_token_without_a_row_is_left_out(folder: Path) -> None:
    rows = embedder_named(str(folder)).embed(["far", "far north"])
    assert np.allclose(rows, [[0.0, 0.0], [0.0, 1.0]])


def test_no_texts_have_no_rows_of_a_static_model(folder: Path) -> None:
    assert embedder_named(str(folder)).embed([]).shape == (0, 2)


def test_other_tensors_than_the_matrix_are_passed_over(folder: Path) -> None:
    write_tensors(folder / "model.safetensors", {"bias": [9.0, 9.0], "embeddings": MATRIX})
    assert np.allclose(embedder_named(str(folder)).embed(["east"]), [[1.0, 0.0]])


@pytest.mark.parametrize(
    ("tensors", "kind"),
    [
        ({"a": MATRIX, "b": MATRIX}, "F32"),
        ({"bias": [1.0]}, "F32"),
        ({"embeddings": MATRIX}, "F64"),
    ],
)
def test_a_folder_without_one_matrix_is_no_static_model(
    folder: Path, tensors: dict[str, Any], kind: str
) -> None:
    write_tensors(folder / "model.safetensors", tensors, kind)
    with pytest.raises(OptionError, match="no static model"):
        embedder_named(str(folder))


def test_the_name_of_a_static_model_says_which_numbers_it_has(folder: Path) -> None:
    name = embedder_named(str(folder)).name
    assert embedder_named(str(folder)).name == name
    write_tensors(folder / "model.safetensors", {"embeddings": MATRIX[:3]})
    assert embedder_named(str(folder)).name != name


def vectors(http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    """A vector for each text: its length, and one."""
    data = [
        {"object": "embedding", "index": number, "embedding": [float(len(text)), 1.0]}
        for number, text in enumerate(body["input"])
    ]
    send(http, 200, {"object": "list", "data": data, "model": body["model"], "usage": {}})


def test_a_service_is_asked_for_vectors_of_a_model() -> None:
    with serving(vectors) as service:
        rows = embedder_named(f"{service.url}#small").embed(["", "abc"])
    (asked,) = service.asked
    assert (asked["model"], asked["input"]) == ("small", [" ", "abc"])
    assert np.allclose(rows, [[1 / np.hypot(1, 1)] * 2, np.array([3, 1]) / np.hypot(3, 1)])


def test_many_texts_are_several_requests_and_stay_in_order() -> None:
    texts = ["x" * number for number in range(1, 151)]
    with serving(vectors) as service:
        rows = EndpointEmbedder(service.url, "small").embed(texts)
    assert [text for each in service.asked for text in each["input"]] == texts
    assert len(service.asked) == 3
    assert np.allclose(rows[:, 0] / rows[:, 1], range(1, 151), rtol=1e-4)
    assert lengths(rows) == [1.0] * 150


def test_a_long_text_is_not_sent_whole() -> None:
    with serving(vectors) as service:
        EndpointEmbedder(service.url, "small").embed(["x" * 100_000])
    assert len(service.asked[0]["input"][0]) < 20_000


@pytest.mark.parametrize("handler", [failing(401, "no sk-seen"), failing(404), failing(400)])
def test_a_service_that_fails_is_named(handler: Handler) -> None:
    with serving(handler) as service, pytest.raises(ModelServiceError) as error:
        EndpointEmbedder(service.url, "small").embed(["a"])
    assert service.url in str(error.value)
    assert "sk-seen" not in str(error.value)


@pytest.mark.parametrize(
    "answer",
    [b"<html>a gateway</html>", b"{}", b'{"data": []}', b'{"data": [{"embedding": ["x"]}]}'],
)
def test_a_service_that_answers_with_something_else_is_named(answer: bytes) -> None:
    with (
        serving(lambda http, _: send(http, 200, answer)) as service,
        pytest.raises(ModelServiceError),
    ):
        EndpointEmbedder(service.url, "small").embed(["a"])


def test_no_texts_have_no_rows_of_a_service() -> None:
    assert len(EndpointEmbedder("http://127.0.0.1:9/v1", "small").embed([])) == 0


def test_hashed_is_the_name_of_the_vectors_without_a_model() -> None:
    assert isinstance(embedder_named("hashed"), HashedEmbedder)


def test_a_folder_without_a_model_is_none(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no model of embeddings"):
        embedder_named(str(tmp_path))
