"""Records when each of many requests ends in a real generation: `record_generation.py LENGTHS`.

LENGTHS is a JSON list of characters, one for each request. The model has the architecture of
Pythia-14M and random weights; what it writes is noise, and it stops a request at its length. A
batch holds many requests, and those that have ended leave it.
"""

import json
import sys
import time
from pathlib import Path

import torch
from transformers import DynamicCache, GPTNeoXConfig, GPTNeoXForCausalLM

CHARACTERS = 3.3
"""Of code in one token."""
_BATCH = 512
_PROMPT = 32
_MOST = 512
_SIZE = {
    "hidden_size": 128, "intermediate_size": 512, "num_hidden_layers": 6, "num_attention_heads": 4,
    "vocab_size": 50304, "max_position_embeddings": 2048, "use_parallel_residual": True,
}  # fmt: skip


def main():
    """Print the tokens and the end of each request, in seconds since the first one began."""
    lengths = json.loads(Path(sys.argv[1]).read_text())
    torch.manual_seed(0)
    model = GPTNeoXForCausalLM(GPTNeoXConfig(**_SIZE)).eval()
    tokens = [min(_MOST, max(1, round(each / CHARACTERS))) for each in lengths]
    ends, start = [], time.monotonic()
    with torch.inference_mode():
        for first in range(0, len(tokens), _BATCH):
            ends += _ends(model, tokens[first : first + _BATCH], start)
            print(len(ends), round(time.monotonic() - start), file=sys.stderr)
    found = {
        "architecture": {"name": "Pythia-14M", **_SIZE},
        "batch": _BATCH,
        "threads": torch.get_num_threads(),
    }
    found["requests"] = [[n, round(end, 2)] for n, end in zip(tokens, ends, strict=True)]
    print(json.dumps(found))


def _ends(model, tokens, start):
    ends = [0.0] * len(tokens)
    left = list(range(len(tokens)))
    cache = DynamicCache(config=model.config)
    ids = torch.randint(0, _SIZE["vocab_size"], (len(left), _PROMPT))
    for written in range(1, max(tokens) + 1):
        logits = model(ids, past_key_values=cache, logits_to_keep=1).logits[:, -1]
        ids = torch.multinomial(logits.softmax(-1), 1)
        kept = [at for at, each in enumerate(left) if tokens[each] > written]
        now = time.monotonic() - start
        for each in left:
            if tokens[each] == written:
                ends[each] = now
        if kept and len(kept) < len(left):
            left, chosen = [left[at] for at in kept], torch.tensor(kept)
            ids = ids[chosen]
            cache.batch_select_indices(chosen)
    return ends


if __name__ == "__main__":
    main()
