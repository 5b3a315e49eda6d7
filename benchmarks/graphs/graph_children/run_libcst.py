"""LibCST's metadata: scopes and qualified names of every file."""

from __future__ import annotations

import os
from typing import Any

import libcst
from common import answer
from libcst.metadata import MetadataWrapper, QualifiedNameProvider, ScopeProvider


def edges_of(case: dict[str, Any]) -> dict[str, Any]:
    """How many accesses were given a qualified name."""
    names = 0
    failed = []
    for name in case["files"]:
        with open(os.path.join(case["folder"], name), "rb") as file:
            data = file.read()
        try:
            wrapper = MetadataWrapper(libcst.parse_module(data), unsafe_skip_copy=True)
            wrapper.resolve(ScopeProvider)
            names += sum(bool(found) for found in wrapper.resolve(QualifiedNameProvider).values())
        except Exception as error:  # noqa: BLE001 - counted
            failed.append(f"{name}: {type(error).__name__}")
    return {"names": names, "failed": failed}


answer(edges_of)
