"""Models without training: weights drawn at random, and a tokenizer learned from the data.

Nothing is downloaded. A model behaves like a real one of its architecture in every respect but
that it knows nothing, so what trains and serves the one trains and serves the other.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    GenerationConfig,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
    set_seed,
)

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
CHAT_TEMPLATE = (
    "{% for message in messages %}"
    f"{START}{{{{ message.role }}}}\n{{{{ message.content }}}}{END}\n"
    "{% endfor %}"
    f"{{% if add_generation_prompt %}}{START}assistant\n{{% endif %}}"
)
"""ChatML, as Qwen2.5 has it, without its default system message."""
MOST_TOKENS = 2048
"""Size of the vocabulary that is learned from the data; fewer if the data is small."""
SIZES: dict[str, dict[str, Any]] = {
    # 1 to 2 million weights; its vocabulary is the tokenizer's
    "tiny": {
        "hidden_size": 192,
        "intermediate_size": 512,
        "num_hidden_layers": 3,
        "num_attention_heads": 6,
        "num_key_value_heads": 2,
    },
    # Qwen2.5-0.5B's published config.json: 494 million weights
    "qwen2.5-0.5b": {
        "vocab_size": 151936,
        "hidden_size": 896,
        "intermediate_size": 4864,
        "num_hidden_layers": 24,
        "num_attention_heads": 14,
        "num_key_value_heads": 2,
        "rope_theta": 1_000_000.0,
    },
}
"""Architectures by name; both tie the output's weights to the embeddings."""


def texts_of(data: Path) -> Iterator[str]:
    """Yield the contents of all messages of a file of training data in TRL's format."""
    for line in data.read_text().splitlines():
        for messages in json.loads(line).values():
            if isinstance(messages, list):
                yield from (message["content"] for message in messages)


def learn_tokenizer(texts: Iterator[str]) -> PreTrainedTokenizerFast:
    """Return a byte-level BPE tokenizer that is learned from texts, with a chat template."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=MOST_TOKENS,
        special_tokens=[PAD, START, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=END,
        pad_token=PAD,
        chat_template=CHAT_TEMPLATE,
        clean_up_tokenization_spaces=False,
    )


def draw_model(tokenizer: PreTrainedTokenizerFast, size: str, seed: int) -> Qwen2ForCausalLM:
    """Return a model of a size of `SIZES` whose weights are drawn at random."""
    set_seed(seed)
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    shape = {"vocab_size": len(tokenizer), "tie_word_embeddings": True, **SIZES[size]}
    model = Qwen2ForCausalLM(Qwen2Config(**shape, **ends, bos_token_id=None))
    # `transformers serve` samples only if the model's own settings say so; temperature 0 is greedy
    model.generation_config = GenerationConfig(do_sample=True, **ends)
    return model


def write_random_model(data: Path, output: Path, size: str = "tiny", seed: int = 0) -> int:
    """Write a model and a tokenizer for a file of training data; return the number of weights."""
    tokenizer = learn_tokenizer(texts_of(data))
    model = draw_model(tokenizer, size, seed)
    tokenizer.save_pretrained(output)
    model.save_pretrained(output)
    return model.num_parameters()


def main() -> None:
    """Write a model as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, metavar="TRAIN.jsonl", help="data in TRL's format")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    parser.add_argument("--size", choices=SIZES, default="tiny")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    weights = write_random_model(options.data, options.output, options.size, options.seed)
    print(f"{options.output}: {weights:,} weights")


if __name__ == "__main__":
    main()
