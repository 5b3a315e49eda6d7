"""The form of environment records, for programs that check them or make types of them."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, cast


def environment_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `environment.json`, read anew for each caller."""
    text = files(__package__ or "").joinpath("environment.schema.json").read_text("utf-8")
    return cast("dict[str, Any]", json.loads(text))
