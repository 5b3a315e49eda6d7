"""The schema of environment records, for programs that validate them or generate types."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, cast

from ...slicer.emission.choose_layout import SCRIPT, candidates
from ...verifier.output import EXPORTERS, exporter_named


def environment_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of `environment.json`, read anew on each call."""
    text = files(__package__ or "").joinpath("environment.schema.json").read_text("utf-8")
    schema = cast("dict[str, Any]", json.loads(text))
    properties: dict[str, Any] = {}
    for name, form in schema["properties"].items():
        properties[name] = form
        if name == "lock":  # the other names of files are before it
            properties |= {each: _file(exporter_named(each).description) for each in EXPORTERS}
    schema["properties"] = properties
    schema["required"] += EXPORTERS
    properties["layout"]["enum"] = [layout.name for layout in candidates(SCRIPT)]
    return schema


def _file(description: str) -> dict[str, Any]:
    return {"description": description, "type": ["string", "null"], "pattern": r"^[^/\\]+$"}
