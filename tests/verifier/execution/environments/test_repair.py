"""The error of a run says which distribution is missing."""

from __future__ import annotations

import pytest
from slicefunc.verifier.execution.environments import missing_distribution

NAMES = {"yaml": "PyYAML", "google.cloud.storage": "google-cloud-storage", "own": None}
ASKS = {
    "ModuleNotFoundError: No module named 'yaml'": "PyYAML",
    "ModuleNotFoundError: No module named 'google.cloud.storage'": "google-cloud-storage",
    "ModuleNotFoundError: No module named 'a'\n\nDuring handling of the above exception\n\n"
    "ModuleNotFoundError: No module named 'yaml'": "PyYAML",
    "ImportError: Missing optional dependency 'openpyxl'.  Use pip or conda to install openpyxl.":
        "openpyxl",
    "ImportError: Unable to find a usable engine; tried using: 'pyarrow', 'fastparquet'.\n"
    "A suitable version of pyarrow or fastparquet is required": "pyarrow",
    "ImportError: email-validator is not installed, run `pip install 'pydantic[email]'`":
        "pydantic[email]",
    "ImportError: lxml.html.clean is now a separate project.\n"
    "Install lxml[html-clean] or lxml_html_clean directly.": "lxml[html-clean]",
    "ImportError: lxml not found, please install it": "lxml",
    'RuntimeError: Form data requires "python-multipart" to be installed.': "python-multipart",
    "RuntimeError: The starlette.testclient module requires the httpx package to be installed.\n"
    "You can install this with:\n    $ pip install httpx": "httpx",
    "ImportError: `load_x` requires the `accelerate` library": "accelerate",
    "pkg.errors.MissingBackend: please install 'b-c'": "b-c",
    "ValueError: numpy.dtype size changed, may indicate binary incompatibility. "
    "Expected 96 from C header, got 88 from PyObject": "numpy<2",
    "AttributeError: _ARRAY_API not found": "numpy<2",
    "ImportError: tabulate is not installed, please install it": "tabulate",
    "ImportError: Plotly express requires pandas to be installed.": "pandas",
}  # fmt: skip
ASKS_NOTHING = [
    "",
    "ModuleNotFoundError: No module named 'own'",
    "ImportError: cannot import name 'x' from 'yaml'",
    "ValueError: requires a value",
    "ImportError: please install it with pip install it",
    "pip install evil",
    "printed: ModuleNotFoundError",
    "ValueError: numpy.dtype size changed, may indicate binary incompatibility. "
    "Expected 88 from C header, got 96 from PyObject",
]


@pytest.mark.parametrize(("error", "requirement"), ASKS.items())
def test_what_is_missing_is_found(error: str, requirement: str) -> None:
    text = f"Traceback (most recent call last):\n  File 'x.py', line 1\n{error}\n"
    found = missing_distribution(text, lambda name: NAMES.get(name, name))
    assert found is not None
    assert found[0] == requirement
    assert found[1] in " ".join(text.split())


@pytest.mark.parametrize("error", ASKS_NOTHING)
def test_other_errors_ask_for_nothing(error: str) -> None:
    assert missing_distribution(error, lambda name: NAMES.get(name, name)) is None
