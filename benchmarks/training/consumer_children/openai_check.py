"""Checks a file of OpenAI's fine-tuning forms offline: `openai_check.py FOLDER RECIPE`.

`together` is a service that takes OpenAI's forms; its package checks a file before it is sent: the
keys of each row, role and content of each message, and both answers of a pair. Later releases look
at less. It knows no form for reinforcement; of those rows it checks the messages, one by one.
"""

import json
import sys
from pathlib import Path

from together.lib.utils.files import check_file, validate_messages


def main():
    """Print what the check says as JSON."""
    file = Path(sys.argv[1], "train.jsonl")
    print(json.dumps(_messages(file) if sys.argv[2] == "grpo" else _file(file)))


def _file(file):
    report = check_file(file)
    return {
        "check": "check_file",
        "rows": report["num_samples"],
        "passed": report["is_check_passed"],
        "message": report["message"],
    }


def _messages(file):
    rows = list(map(json.loads, file.read_text("utf-8").splitlines()))
    for number, row in enumerate(rows):
        validate_messages(row["messages"], number, require_assistant_role=False)
    return {"check": "validate_messages", "rows": len(rows), "passed": True}


if __name__ == "__main__":
    main()
