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
    "accelerate aiogram aiohttp altair anthropic astropy autogen bokeh boto3 botocore bs4 chromadb "
    "cohere crewai cv2 dash dask datasets diffusers discord django fastapi fastmcp flask geopandas "
    "google googleapiclient gradio gym gymnasium holoviews httpx imageio instructor jax jinja2 "
    "jsonschema keras kubernetes langchain langchain_anthropic langchain_community langchain_core "
    "langchain_openai langgraph librosa lightgbm lightning litellm llama_index matplotlib mcp "
    "mlflow moto networkx nltk numba numpy openai openpyxl panel pandas peft plotly polars pyarrow "
    "pydantic pydantic_ai pydantic_settings pygame pymongo pypdf pytorch_lightning requests rich "
    "scipy seaborn selenium sentence_transformers shapely skimage sklearn spacy sqlalchemy "
    "sqlmodel starlette statsmodels streamlit sympy telebot telegram tensordict tensorflow textual "
    "tiktoken timm tokenizers torch torchaudio torchrl torchvision torchviz transformers trimesh "
    "umap wandb werkzeug xarray xgboost".split()
)
"""Packages that take a tenth of a second and more, and do nothing else when they are imported."""
_TRIES = 3


def with_preload(profile: Profile, names: Iterable[str]) -> Profile:
    """The profile that also imports those of the modules whose packages are known to be slow."""
    known = {each for each in names if _is_slow(each)}
    more = sorted(known | {each.partition(".")[0] for each in known})
    return replace(
        profile, preload=(*profile.preload, *(m for m in more if m not in profile.preload))
    )


def _is_slow(module: str) -> bool:
    top, *parts = module.split(".")
    return top in _SLOW and all(part.isidentifier() and part != "__main__" for part in parts)


def preload_profile(manifest: Manifest, profile: Profile) -> Profile:
    """The profile that has imported what is slow of a slice's imports."""
    return with_preload(profile, (e.module for e in manifest.externals if e.treatment != "stubbed"))


def tried_preload(make: Callable[[], Executor], manifest: Manifest, profile: Profile) -> Profile:
    """The same, without what cannot be imported; where that does not help, the profile as it is.

    What fails to load must fail in the script, which says why; and it could be half loaded.
    """
    wanted = preload_profile(manifest, profile)
    for _ in range(_TRIES):
        if wanted == profile:
            break
        missing = _missing(make, wanted)
        if missing is None:
            break
        kept = tuple(each for each in wanted.preload if not _is_within(each, missing))
        if kept == wanted.preload:
            return wanted
        wanted = replace(wanted, preload=kept)
    return profile


def _missing(make: Callable[[], Executor], profile: Profile) -> frozenset[str] | None:
    """The modules that cannot be imported; `None` where nothing starts with them."""
    executor = make()
    try:
        executor.start(profile)
        lacks = executor.capabilities().lacks
    except SandboxError:
        return None
    finally:
        executor.close()
    said = (each.removeprefix(NOT_PRELOADED) for each in lacks if each.startswith(NOT_PRELOADED))
    return frozenset(name for each in said for name in each.split(", "))


def _is_within(module: str, others: frozenset[str]) -> bool:
    """Whether it is one of them, or lies in one."""
    parts = module.split(".")
    return any(".".join(parts[:count]) in others for count in range(1, len(parts) + 1))
