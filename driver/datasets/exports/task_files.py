"""What the formats have in common: names of tasks, what a model is told, files for scoring."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from ....slicer.errors import OptionError
from ....slicer.model import EmittedFile
from ...record.environment_files import Environment, content_of
from ..storage.columns import EnvironmentRow

ENVIRONMENTS = "environments"
"""Folder of an export with the environments for scoring, each below its task's name."""
ANSWER = "Answer with the whole definition in one code block.\n"
"""End of an instruction for a model that answers in text."""
WHEEL = "SLICE_FUNC_WHEEL"
"""Environment variable with the path of a wheel of this version, for images that are built."""
_LONGEST = 80
_DIGITS = 10


def task_name(row: EnvironmentRow) -> str:
    """Return a name that is unique in a dataset, for files, images and packages."""
    words = "-".join((row.repo, row.path.removesuffix(".py"), row.qualname)).lower()
    plain = re.sub(r"[^a-z0-9]+", "-", words).strip("-")
    return f"{plain[-_LONGEST:].strip('-')}-{row.id[:_DIGITS]}"


def instruction(row: EnvironmentRow, environment: Environment) -> str:
    """Return what a writer of candidates is told, in Markdown."""
    prompt: dict[str, Any] = environment.record["prompt"]
    return instruction_with(row, row.prompt, prompt["available"])


def instruction_with(row: EnvironmentRow, context: str, available: Sequence[str]) -> str:
    """Return the task for a writer of candidates, in Markdown, with the given code.

    Args:
        row: the environment.
        context: code with `...` where the body belongs.
        available: names that can be used without an import.
    """
    kind, name = ("method", row.qualname) if "." in row.qualname else ("function", row.qualname)
    names = ", ".join(f"`{each}`" for each in available)
    usable = f"\nYou can use these names without importing them: {names}.\n" if names else ""
    return (
        f"Write the Python {kind} `{name}` of `{row.path}`. It must behave as its signature, its "
        "docstring and the code around it say. This is the code that it works with; `...` stands "
        f"where its body belongs:\n\n{fenced(context)}{usable}"
    )


def fenced(code: str, language: str = "python") -> str:
    """Return a block of code in Markdown."""
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
    return f"{ticks}{language}\n{code.rstrip()}\n{ticks}\n"


def environment_files(folder: str, environment: Environment) -> Iterator[EmittedFile]:
    """Yield the files of an environment below a folder, as `slice-func score` reads them."""
    for name, content in sorted(content_of(environment).items()):
        yield EmittedFile(f"{folder}/{name}", content)


def provenance(row: EnvironmentRow) -> dict[str, str | None]:
    """Return where a function is from."""
    return {
        "environment": row.id,
        "repo": row.repo,
        "commit": row.commit,
        "licence": row.licence,
        "split": row.split,
    }


def json_lines(path: str, rows: Sequence[dict[str, Any]]) -> EmittedFile:
    """Return a file with a JSON object a line."""
    text = "".join(f"{json.dumps(row, sort_keys=True)}\n" for row in rows)
    return EmittedFile(path, text.encode())


def text_of(package: str, name: str) -> str:
    """Return a text that lies beside the code of a format: code of the export itself."""
    return (resources(package) / name).read_text("utf-8")


def named_wheel() -> Path | None:
    """Return the wheel that images install in place of a release; `None` if none is named.

    Raises:
        OptionError: it is no file with the name of a wheel of this version.
    """
    given = os.environ.get(WHEEL)
    if not given:
        return None
    wheel = Path(given)
    start = f"slice_func-{version('slice-func')}-"
    if not (wheel.is_file() and re.fullmatch(rf"{re.escape(start)}[\w.-]+\.whl", wheel.name)):
        raise OptionError(
            f"{WHEEL}: {given} is no wheel {start}….whl",
            "make it with pip wheel --no-deps -w dist . in the clone",
        )
    return wheel


def requirement() -> str:
    """Return the requirement by which an export installs this version."""
    return f"slice-func=={version('slice-func')}"
