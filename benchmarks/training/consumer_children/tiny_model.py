"""A model of some ten thousand random weights in a folder: trainers want one by its path.

It reads and writes bytes, so that no row is out of its vocabulary. Nothing is downloaded.
"""

from pathlib import Path

import torch
from tiny_tokenizer import byte_tokenizer
from transformers import LlamaConfig, LlamaForCausalLM

LONGEST = 4096
"""Bytes of the longest row that is trained on; longer ones are read, and left out of the step."""


def saved_model(folder):
    """Write a model and its tokenizer, and return the folder."""
    torch.manual_seed(0)
    tokenizer = byte_tokenizer()
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
    ids = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer), max_position_embeddings=2 * LONGEST, bos_token_id=None,
            tie_word_embeddings=True, **size, **heads, **ids,
        )
    )  # fmt: skip
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def weights(folder):
    """Return the weights of a saved model."""
    return LlamaForCausalLM.from_pretrained(Path(folder)).state_dict()


def differ(some, others):
    """Whether any weight of a model differs from that of another one."""
    return any(not torch.equal(each.float(), others[name].float()) for name, each in some.items())
