"""The card of a dataset: `README.md` with the header that hubs read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_IDENTIFIER = re.compile(r"[A-Za-z0-9.+-]+")
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def card_text(manifest: Mapping[str, Any]) -> str:
    """Return the card of a dataset with this manifest."""
    return "\n".join([*_header(manifest), *_body(manifest)]) + "\n"


def _header(manifest: Mapping[str, Any]) -> Iterator[str]:
    number = manifest["counts"]["environments"]
    yield "---"
    yield "pretty_name: Executable environments of Python functions"
    yield "task_categories: [text-generation]"
    yield "tags: [code, python, reinforcement-learning, executable-environments]"
    yield f"size_categories: [{next((name for most, name in _SIZES if number < most), 'n>1M')}]"
    yield f"license: {hub_licence(manifest['counts']['licences'])}"
    yield "configs:"
    configs = (("default", "data"), ("functions", "functions"))
    for name, pattern in configs if number else configs[1:]:
        yield f"- config_name: {name}"
        yield "  data_files:"
        if name == "default":
            for split in manifest["counts"]["splits"]:
                yield f"  - {{split: {split}, path: {pattern}/{split}-*.parquet}}"
        else:
            yield f"  - {{split: all, path: {pattern}/*.parquet}}"
    yield "---"


def hub_licence(licences: Iterable[str]) -> str:
    """Return a header's licence: the SPDX identifier that all rows have, else `other`."""
    every = set(licences)
    if len(every) == 1 and every != {"unknown"}:
        (only,) = every
        if _IDENTIFIER.fullmatch(only):
            return only.lower()
    return "other"


def _body(manifest: Mapping[str, Any]) -> Iterator[str]:
    counts = manifest["counts"]
    tried = counts["functions"]
    made = counts["environments"]
    yield "# Executable environments of Python functions"
    yield ""
    yield (
        "Each row is one function of a public repository, cut out with all that it needs, verbatim,"
        " with cases and the outcomes that the original shows. It scores any other implementation."
    )
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| repositories | {counts['repositories']:,} |"
    yield f"| functions tried | {tried:,} |"
    yield f"| environments | {made:,}{f' ({made / tried:.1%})' if tried else ''} |"
    for split, number in counts["splits"].items():
        yield f"| in `{split}` | {number:,} |"
    yield f"| duplicates left out | {counts['duplicates']:,} |"
    if counts.get("in_reference_sets"):
        yield f"| left out, in a reference set | {counts['in_reference_sets']:,} |"
    if counts["created"]:
        yield "| repositories created | {} to {} |".format(*map(cell, counts["created"]))
    yield f"| made with | slice-func {manifest.get('tool_version', '')} |"
    yield ""
    yield from _thresholds(manifest)
    yield from _counted("Licences", "licence", counts["licences"], "environments")
    yield from _counted(
        "Why functions became no environment", "reason", counts["reasons"], "functions"
    )
    yield "## Use"
    yield ""
    yield "`prompt` is what a model reads, `code` the original function, `record` and `files` the"
    yield "environment. `slice-func serve` and `slice-func export` make rewards and tasks of them."
    yield "Each function keeps the licence of its repository (`licence`, `repo`, `commit`)."


def _thresholds(manifest: Mapping[str, Any]) -> Iterator[str]:
    thresholds: Mapping[str, Any] = manifest.get("thresholds", {})
    if thresholds:
        yield "## Thresholds"
        yield ""
        for name, value in thresholds.items():
            yield f"- {name.replace('_', ' ')}: {value} %"
        yield ""


def _counted(title: str, word: str, counts: Mapping[str, int], what: str) -> Iterator[str]:
    if counts:
        yield f"## {title}"
        yield ""
        yield f"| {word} | {what} |"
        yield "|---|---|"
        for name, number in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
            yield f"| {cell(name)} | {number:,} |"
        yield ""


def cell(text: str) -> str:
    """Return a text that stays in its cell of a table in Markdown, and is no markup there."""
    return re.sub(r"[\\|<>\[\]`&]", lambda found: f"\\{found[0]}", " ".join(text.split()))
