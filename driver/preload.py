"""Which modules a sandbox imports once, before the scripts that would import each of them anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..verifier.errors import SandboxError
from ..verifier.executors.interface import NOT_PRELOADED, Executor, Profile

if TYPE_CHECKING:
    from ..slicer.model import Manifest

_SLOW = frozenset(
    "accelerate aiohttp altair anthropic astropy autogen bokeh boto3 botocore bs4 cohere cv2 dash "
    "dask datasets diffusers discord django fastapi fastmcp flask geopandas gradio gym gymnasium "
    "holoviews httpx imageio instructor jax jinja2 jsonschema keras langchain langchain_anthropic "
    "langchain_community langchain_core langchain_openai langgraph librosa lightgbm lightning "
    "litellm llama_index matplotlib mcp mlflow moto networkx nltk numba numpy openai panel pandas "
    "peft plotly polars pyarrow pydantic pydantic_ai pydantic_settings pygame pymongo pypdf "
    "pytorch_lightning requests rich scipy seaborn sentence_transformers shapely skimage sklearn "
    "spacy sqlalchemy sqlmodel starlette statsmodels streamlit sympy telegram tensorflow textual "
    "tiktoken timm tokenizers torch torchaudio torchvision transformers trimesh umap wandb "
    "werkzeug xarray xgboost".split()
)
"""Packages that take a tenth of a second and more, and do nothing else when they are imported."""


def with_preload(profile: Profile, names: Iterable[str]) -> Profile:
    """The profile that also imports those of the modules that are known to be slow."""
    more = sorted(_SLOW.intersection(names) - set(profile.preload))
    return replace(profile, preload=(*profile.preload, *more))


def preload_profile(manifest: Manifest, profile: Profile) -> Profile:
    """The profile that has imported what is slow of a slice's imports."""
    named = (e.module.partition(".")[0] for e in manifest.externals if e.treatment != "stubbed")
    return with_preload(profile, named)


def tried_preload(make: Callable[[], Executor], manifest: Manifest, profile: Profile) -> Profile:
    """The same, where all of that can be imported; else the profile as it is.

    What fails to load must fail in the script, which says why; and it could be half loaded.
    """
    wanted = preload_profile(manifest, profile)
    if wanted == profile:
        return profile
    executor = make()
    try:
        executor.start(wanted)
        lacks = executor.capabilities().lacks
    except SandboxError:
        return profile
    finally:
        executor.close()
    missing = {
        name
        for each in lacks
        if each.startswith(NOT_PRELOADED)
        for name in each.removeprefix(NOT_PRELOADED).split(", ")
    }
    return profile if missing & set(wanted.preload) else wanted
