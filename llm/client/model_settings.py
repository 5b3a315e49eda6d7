"""Settings of the model: its name, address and limits, from options, variables and a table of the
user's.

The table is `[tool.slice-func.llm]` in the `pyproject.toml` of the folder where the command is
started. If that folder is the sliced repository, the repository's author wrote the table: then it
may name the model, but not the address, the key or the prompts.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from ...slicer.errors import OptionError
from .prices import Price, price_of

DEFAULT_KEY_VARIABLE = "OPENAI_API_KEY"
_PLACE = "pyproject.toml: tool.slice-func.llm"
_LOCAL = ("localhost", "127.0.0.1", "[::1]", "0.0.0.0")  # noqa: S104 - recognised, not bound
_TRUSTED = frozenset({"base_url", "key_variable", "prompts", "cache"})
"""Settings that only the user may give."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The spending limits; `None` means no limit."""

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the model."""

    model: str = ""
    base_url: str | None = None
    """Address of an OpenAI-compatible service; `None` is OpenAI's own."""
    key: str = field(default="", repr=False)
    """API key. It is never printed, stored or sent anywhere but to `base_url`."""
    concurrency: int = 8
    """Number of concurrent requests of one process."""
    timeout: float = 120.0
    """Time limit of one attempt, in seconds."""
    retries: int = 5
    """Number of retries if the service is busy, fails or drops the connection."""
    tries: int = 2
    """Number of answers that a gap may take; the error of one is shown with the next question."""
    temperature: float | None = None
    """Sampling temperature; `None` leaves it to the service: some models accept no other."""
    seed: int | None = None
    price: Price | None = None
    """Price of tokens; `None` if unknown."""
    per_function: Budget = Budget(calls=20)
    per_run: Budget = Budget()
    prompts: Path | None = None
    """Folder whose files replace the prompts of the same names."""
    cache: Path | None = None
    """File of the answers; `None` means the user's default file."""
    is_replay: bool = False
    """Whether only the cache is used."""
    stages: tuple[str, ...] = ("inputs", "answers", "distributions")
    """Stages that use the model; `tests`, `docstring` and `rivals` are off by default."""


def read_settings(
    repository: Path,
    options: Mapping[str, Any] | None = None,
    *,
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> Settings:
    """Return the settings from options, environment variables and the table, in this order of
    precedence.

    Args:
        repository: the sliced repository.
        options: options of the command line, by the names of the table; `None` means not given.
        folder: the folder where the command was started.
        variables: environment variables; by default this process's.

    Raises:
        OptionError: the table cannot be read or has wrong entries, or no model is named.
    """
    folder = (folder or Path.cwd()).resolve()
    variables = os.environ if variables is None else variables
    table = _table(folder, is_trusted=not folder.is_relative_to(repository.resolve()))
    given = {k: v for k, v in (options or {}).items() if v is not None}
    values = {**table, **dict(_from_variables(variables)), **given}
    model = str(values.get("model", ""))
    if not model:
        raise OptionError(
            "no model is named",
            f"give --model (--llm-model with --llm), OPENAI_MODEL, or {_PLACE}.model",
        )
    base_url = values.get("base_url")
    settings = Settings(model, base_url=base_url, price=_price(values, model, base_url))
    key = variables.get(str(values.get("key_variable", DEFAULT_KEY_VARIABLE)), "")
    plain = {name: values[name] for name in _PLAIN if name in values}
    budget = replace(settings.per_function, **_budget(values, "function_"))
    settings = replace(
        settings,
        key=key,
        per_function=budget,
        per_run=Budget(**_budget(values, "run_")),
        prompts=_path(folder, values.get("prompts")),
        cache=_path(folder, values.get("cache")),
        is_replay=bool(values.get("is_replay", False)),
        stages=tuple(values.get("stages", settings.stages)),
        **plain,
    )
    if settings.per_run.usd is not None and settings.price is None:
        raise OptionError(
            f"--llm-budget: no price of {model} is known",
            "write input_price and output_price, in USD for a million tokens, into " + _PLACE,
        )
    return settings


_PLAIN: dict[str, tuple[type, ...]] = {
    "concurrency": (int,),
    "timeout": (int, float),
    "retries": (int,),
    "tries": (int,),
    "temperature": (int, float),
    "seed": (int,),
}
_AMOUNTS: dict[str, tuple[type, ...]] = {
    f"{scope}_{what}": kinds
    for scope in ("function", "run")
    for what, kinds in (("calls", (int,)), ("tokens", (int,)), ("usd", (int, float)))
}
_KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("model", *sorted(_TRUSTED)), (str,)),
    **_PLAIN,
    **_AMOUNTS,
    "input_price": (int, float),
    "output_price": (int, float),
}


def _table(folder: Path, *, is_trusted: bool) -> dict[str, Any]:
    """Return the user's table; of a repository's own, only the entries that it may set."""
    try:
        text = (folder / "pyproject.toml").read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return {}
    try:
        whole: object = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{folder / 'pyproject.toml'}: {error}", "mend it there") from error
    for name in ("tool", "slice-func", "llm"):
        whole = cast("dict[str, object]", whole).get(name, {}) if isinstance(whole, dict) else {}
    table = cast("dict[str, Any]", whole) if isinstance(whole, dict) else {}
    for name, value in table.items():
        _check(name, value)
    return {k: v for k, v in table.items() if is_trusted or k == "model"}


def _check(name: str, value: object) -> None:
    kinds = _KINDS.get(name)
    if kinds is None:
        raise OptionError(f"{_PLACE} has no {name}", f"it has {', '.join(sorted(_KINDS))}")
    is_number = kinds != (str,)
    wanted = "number" if is_number else "text"
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise OptionError(f"{_PLACE}.{name} is {value!r}, not a {wanted}", "mend it there")
    least = 1 if name in ("concurrency", "tries") else 0
    if is_number and not least <= cast("float", value) < math.inf:
        raise OptionError(
            f"{_PLACE}.{name} is {value!r}, but cannot be below {least}", "mend it there"
        )


def _from_variables(variables: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for variable, name in (("OPENAI_BASE_URL", "base_url"), ("OPENAI_MODEL", "model")):
        if variables.get(variable):
            yield name, variables[variable]


def _price(values: Mapping[str, Any], model: str, base_url: str | None) -> Price | None:
    if "input_price" in values and "output_price" in values:
        return Price(float(values["input_price"]), float(values["output_price"]))
    if base_url is not None and any(f"//{host}" in base_url for host in _LOCAL):
        return Price(0.0, 0.0)  # the local machine
    return price_of(model)


def _budget(values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    names = (each for each in _AMOUNTS if each.startswith(prefix))
    return {name.removeprefix(prefix): values[name] for name in names if name in values}


def _path(folder: Path, path: str | Path | None) -> Path | None:
    return None if path is None else folder / Path(path).expanduser()
