"""A tokenizer of bytes, made here: trainers want one, and nothing is downloaded."""

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

_CHAT = "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}<end>{% endfor %}"


def byte_tokenizer():
    """Return a tokenizer with a token for each byte, and a chat template."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({each: at for at, each in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<end>", pad_token="<pad>", padding_side="left"
    )
    made.chat_template = _CHAT
    return made
