from __future__ import annotations

from pathlib import Path

from transformers import AutoModelForCausalLM, AutoTokenizer

from recipes.random_model import texts_of, write_random_model


def test_the_tokenizer_gives_back_every_text_of_the_data(
    data: dict[str, Path], model: Path
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(model)
    texts = list(texts_of(data["dpo"] / "train.jsonl"))
    assert texts
    for text in texts:
        assert tokenizer.decode(tokenizer(text)["input_ids"]) == text


def test_a_question_is_the_beginning_of_the_question_with_its_answer(model: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(model)
    asked = [{"role": "user", "content": "Write `tax`."}]
    answered = [*asked, {"role": "assistant", "content": "def tax(): ..."}]
    question = tokenizer.apply_chat_template(asked, add_generation_prompt=True, tokenize=False)
    assert tokenizer.apply_chat_template(answered, tokenize=False).startswith(question)


def test_the_same_seed_draws_the_same_weights(
    data: dict[str, Path], model: Path, tmp_path: Path
) -> None:
    again, other = tmp_path / "again", tmp_path / "other"
    write_random_model(data["dpo"] / "train.jsonl", again)
    write_random_model(data["dpo"] / "train.jsonl", other, seed=1)
    first, second, third = (_first_weights(folder) for folder in (model, again, other))
    assert first.equal(second)
    assert not first.equal(third)


def _first_weights(folder: Path):  # noqa: ANN202 - a tensor
    return AutoModelForCausalLM.from_pretrained(folder).get_input_embeddings().weight
