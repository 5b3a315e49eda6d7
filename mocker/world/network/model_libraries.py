"""What libraries above the SDKs ask of the network besides answers."""

from __future__ import annotations

import os
from typing import Any

from ..core.on_import import on_import
from ..core.world import replace, undo_with


def litellm_at_home() -> None:
    """Have litellm take its tables from its own files, and send everything through httpx."""
    said = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "DISABLE_AIOHTTP_TRANSPORT": "True"}
    for name, value in said.items():
        if name not in os.environ:
            os.environ[name] = value
            undo_with(os.environ.pop, name, None)

    def patch(litellm: Any) -> None:
        replace(litellm, "disable_aiohttp_transport", True)
        replace(litellm, "suppress_debug_info", True)

    on_import("litellm", patch)


def no_tracing() -> None:
    """Have nobody told of what langchain runs, and autogen ask no Docker daemon."""

    def patch(module: Any) -> None:
        for name in ("create_run", "update_run", "multipart_ingest", "batch_ingest_runs"):
            if hasattr(module.Client, name):
                replace(module.Client, name, lambda *_args, **_named: None)

    def without_docker(module: Any) -> None:
        if hasattr(module, "is_docker_running"):
            replace(module, "is_docker_running", lambda: False)

    on_import("langsmith.client", patch)
    on_import("autogen.code_utils", without_docker)
