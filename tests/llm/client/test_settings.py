"""Which model is asked, and what a repository may say about that: not where, nor with what key."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.llm.client.model_settings import Budget, read_settings
from slicefunc.llm.client.prices import Price
from slicefunc.slicer.errors import OptionError

KEY = {"OPENAI_API_KEY": "sk-1"}


def project(folder: Path, *lines: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n".join(["[tool.slice-func.llm]", *lines, ""])
    (folder / "pyproject.toml").write_text(text)
    return folder


def test_options_go_before_variables_and_variables_before_the_table(tmp_path: Path) -> None:
    own = project(tmp_path / "own", 'model = "a"', 'base_url = "http://a"', "function_calls = 7")
    repository = tmp_path / "repository"
    found = read_settings(repository, folder=own, variables=KEY)
    assert (found.model, found.base_url, found.key) == ("a", "http://a", "sk-1")
    assert found.per_function == Budget(calls=7)
    variables = {**KEY, "OPENAI_MODEL": "b", "OPENAI_BASE_URL": "http://b"}
    found = read_settings(repository, folder=own, variables=variables)
    assert (found.model, found.base_url) == ("b", "http://b")
    options = {"model": "c", "base_url": None, "run_usd": 1.0, "input_price": 1, "output_price": 2}
    found = read_settings(repository, options, folder=own, variables=variables)
    assert (found.model, found.base_url) == ("c", "http://b")
    assert (found.per_run, found.price) == (Budget(usd=1.0), Price(1.0, 2.0))


def test_stages_are_those_that_are_told_or_three(tmp_path: Path) -> None:
    own = project(tmp_path / "own", 'model = "a"')
    found = read_settings(tmp_path / "repository", folder=own, variables=KEY)
    assert found.stages == ("inputs", "answers", "distributions")
    told = {"stages": ("tests",)}
    found = read_settings(tmp_path / "repository", told, folder=own, variables=KEY)
    assert found.stages == ("tests",)


def test_the_key_may_be_in_another_variable(tmp_path: Path) -> None:
    own = project(tmp_path / "own", 'model = "a"', 'key_variable = "GATEWAY"')
    found = read_settings(tmp_path / "repository", folder=own, variables={**KEY, "GATEWAY": "g"})
    assert found.key == "g"


@pytest.mark.parametrize("inner", [".", "src/deep"])
def test_a_repository_does_not_say_where_the_key_goes(tmp_path: Path, inner: str) -> None:
    repository = tmp_path / "repository"
    folder = project(
        repository / inner,
        'model = "theirs"',
        'base_url = "http://attacker.example"',
        'key_variable = "AWS_SECRET_ACCESS_KEY"',
        'prompts = "prompts"',
        'cache = "/etc/x"',
        "run_calls = 0",
    )
    variables = {**KEY, "AWS_SECRET_ACCESS_KEY": "secret"}
    found = read_settings(repository, folder=folder, variables=variables)
    assert (found.model, found.base_url, found.key) == ("theirs", None, "sk-1")
    assert (found.prompts, found.cache, found.per_run) == (None, None, Budget())


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["modell = 'x'"], "no modell"),
        (["model = 3"], "model is 3, not a text"),
        (["retries = true"], "retries is True, not a number"),
        (["timeout = -1"], "cannot be below 0"),
        (["concurrency = 0"], "cannot be below 1"),
        (["run_usd = nan"], "cannot be below 0"),
        (["= 3"], "pyproject.toml"),
        ([], "no model is named"),
    ],
)
def test_what_the_table_cannot_hold_is_one_line(
    tmp_path: Path, lines: list[str], said: str
) -> None:
    own = project(tmp_path / "own", *lines)
    with pytest.raises(OptionError, match=said) as error:
        read_settings(tmp_path / "repository", folder=own, variables=KEY)
    assert "\n" not in str(error.value)


def test_prices_are_known_by_the_models_name(tmp_path: Path) -> None:
    def price(model: str, base_url: str | None = None) -> Price | None:
        options = {"model": model, "base_url": base_url}
        return read_settings(tmp_path / "r", options, folder=tmp_path, variables=KEY).price

    assert price("gpt-4o") == price("gpt-4o-2024-08-06") == price("openai/gpt-4o")
    assert price("gpt-4o") != price("gpt-4o-mini")
    assert price("nobody-knows") is None
    assert price("nobody-knows", "http://localhost:11434/v1") == Price(0.0, 0.0)


def test_money_without_a_price_is_refused(tmp_path: Path) -> None:
    options = {"model": "nobody-knows", "run_usd": 1.0}
    with pytest.raises(OptionError, match="input_price"):
        read_settings(tmp_path / "r", options, folder=tmp_path, variables=KEY)
