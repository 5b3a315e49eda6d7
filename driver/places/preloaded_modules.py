"""Modules that a sandbox imports once, before the scripts that would each import them anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...verifier.errors import SandboxError
from ...verifier.execution.executors.interface import NOT_PRELOADED, Case, Executor, Job, Profile

if TYPE_CHECKING:
    from ...slicer.model import Manifest, Slice

_SLOW = frozenset(
    "accelerate aiogram aiohttp altair annotated_types anthropic astropy attr attrs autogen bokeh "
    "boto3 botocore bs4 chromadb cohere crewai Crypto cryptography cv2 dash dask datasets "
    "dateutil diffusers discord django docutils docx dotenv email_validator faiss fakeredis "
    "fastapi fastmcp fitz flask fsspec geopandas google googleapiclient gradio graphviz gym "
    "gymnasium holoviews httpx imageio instructor jax jinja2 jsonschema jwt keras kubernetes "
    "langchain langchain_anthropic langchain_community langchain_core langchain_openai langgraph "
    "librosa lightgbm lightning litellm llama_index lxml markdown marshmallow matplotlib mcp "
    "mlflow mongomock moto nacl networkx nltk numba numpy openai openpyxl pandas panel passlib "
    "pdfplumber peft PIL plotly polars pptx pyarrow pydantic pydantic_ai pydantic_core "
    "pydantic_settings pygame pygments pymongo pypdf PyPDF2 pytorch_lightning pytz redis "
    "reportlab requests responses respx rich scipy seaborn selenium sentence_transformers serial "
    "shapely simplejson skimage sklearn spacy sqlalchemy sqlmodel starlette statsmodels streamlit "
    "sympy tabulate telebot telegram tenacity tensordict tensorflow textual tiktoken timm "
    "tokenizers toml tomlkit torch torchaudio torchrl torchvision torchviz tornado tqdm "
    "transformers trimesh typer umap urllib3 uvicorn wandb websockets werkzeug xarray xgboost "
    "yaml yarl zmq".split()
)
"""Packages that take at least ten milliseconds to import, and have no other side effect."""
_TRIES = 3
_SECONDS = 5.0
"""Time limit of a first call, with all that it imports."""


_FIRST_OF = """\
import importlib, sys
for name in {names!r}:
    if name not in sys.modules:
        try:
            importlib.import_module(name)
        except Exception:
            continue
        print(name)
"""


def with_preload(profile: Profile, names: Iterable[str]) -> Profile:
    """Return the profile that also preloads the modules of slow packages."""
    known = {each for each in names if _is_slow(each)}
    more = sorted(known | {each.partition(".")[0] for each in known})
    return replace(
        profile, preload=(*profile.preload, *(m for m in more if m not in profile.preload))
    )


def _is_slow(module: str) -> bool:
    top, *parts = module.split(".")
    return top in _SLOW and all(part.isidentifier() and part != "__main__" for part in parts)


def preload_profile(manifest: Manifest, profile: Profile) -> Profile:
    """Return the profile that has imported the slow modules among a slice's imports."""
    return with_preload(profile, (e.module for e in manifest.externals if e.treatment != "stubbed"))


def importable_preload(
    make: Callable[[], Executor],
    manifest: Manifest,
    profile: Profile,
    later: Callable[[Executor], Iterable[str]] = lambda _: (),
) -> Profile:
    """Return that profile without modules that fail to import, or else the original profile.

    A module that fails to load must fail in the script, which says why; and it could be half
    loaded.

    Args:
        make: makes an executor.
        manifest: the slice's manifest.
        profile: the interpreter.
        later: returns the modules that are imported only when the target is called, given an
            executor that has imported the others; they are preloaded if their packages are slow.
    """
    wanted = preload_profile(manifest, profile)
    for _ in range(_TRIES):
        if wanted == profile:
            break
        tried = _tried(make, wanted, later)
        if tried is None:
            break
        missing, more = tried
        kept = tuple(each for each in wanted.preload if not _is_within(each, missing))
        if kept == wanted.preload:
            return with_preload(wanted, more)
        wanted = replace(wanted, preload=kept)
    return profile


def imported_by_calls(sliced: Slice, cases: Sequence[Case], executor: Executor) -> Iterable[str]:
    """Return the modules that are imported only when the target is called as in the cases.

    A module that another one of them imports is left out.
    """
    if not cases:
        return ()
    (target, *_) = sliced.manifest.targets
    from ...verifier.execution.batched_trials import Trial  # scoring needs none

    trial = Trial(executor.run, sliced.source, target.qualname, (1, 1), seconds=_SECONDS)
    names = tuple(filter(_is_slow, trial.cases(cases).imported))
    if not names:
        return ()
    outcome = executor.run(Job(_FIRST_OF.format(names=names)))
    return [name for name in outcome.stdout.decode("utf-8", "replace").split() if name in names]


def _tried(
    make: Callable[[], Executor], profile: Profile, later: Callable[[Executor], Iterable[str]]
) -> tuple[frozenset[str], Iterable[str]] | None:
    """Return modules that fail to import, and late ones; `None` if nothing starts."""
    executor = make()
    try:
        executor.start(profile)
        lacks = executor.capabilities().missing_protections
        lists = [x.removeprefix(NOT_PRELOADED) for x in lacks if x.startswith(NOT_PRELOADED)]
        missing = frozenset(name for each in lists for name in each.split(", "))
        return missing, () if missing else later(executor)
    except SandboxError:
        return None
    finally:
        executor.close()


def _is_within(module: str, others: frozenset[str]) -> bool:
    """Whether the module is one of the others, or inside one."""
    parts = module.split(".")
    return any(".".join(parts[:count]) in others for count in range(1, len(parts) + 1))
