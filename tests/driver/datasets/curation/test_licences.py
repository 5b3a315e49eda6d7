from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.driver.datasets.curation.contents.checkout import Checkout
from slicefunc.driver.datasets.curation.contents.licences import (
    PERMISSIVE,
    is_allowed,
    licence_of,
    spdx,
)

from .clones import MIT, write

APACHE_NOTICE = """Copyright 2016 Somebody

Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
compliance with the License.  You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software distributed under the License is
distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or
implied.  See the License for the specific language governing permissions and limitations under the
License.
"""


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("mit", "MIT"),
        ("MIT License", "MIT"),
        ("apache-2.0", "Apache-2.0"),
        ("The Unlicense", "Unlicense"),
        ("GNU General Public License v3.0", "GPL-3.0-only"),
        ("mit or apache-2.0", "MIT OR Apache-2.0"),
        ("NOASSERTION", None),
        ("other", None),
        ("All rights reserved", None),
        ("", None),
        (None, None),
    ],
)
def test_names_of_licences(given: str | None, expected: str | None) -> None:
    assert spdx(given) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("MIT AND (GPL-2.0-only OR BSD-3-Clause)", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("GPL-2.0-only WITH Classpath-exception-2.0", False),
        ("LicenseRef-Mine", False),
    ],
)
def test_expression_is_met_by_permissive_licences(expression: str, expected: bool) -> None:
    assert is_allowed(expression, PERMISSIVE) is expected


FILES: dict[str, tuple[dict[str, str], str | None]] = {
    "text": ({}, "MIT"),
    "notice": ({"LICENSE": APACHE_NOTICE}, "Apache-2.0"),
    "two texts": ({"LICENSE-APACHE": APACHE_NOTICE}, "Apache-2.0 AND MIT"),
    "expression, which alone can say OR": (
        {
            "LICENSE-APACHE": APACHE_NOTICE,
            "pyproject.toml": "[project]\nlicense = 'MIT OR Apache-2.0'\n",
        },
        "MIT OR Apache-2.0",
    ),
    "folder of REUSE": ({"LICENSE": "", "LICENSES/MIT.txt": MIT}, "MIT"),
    "table": ({"LICENSE": "", "pyproject.toml": "[project]\nlicense = {text = 'ISC'}\n"}, "ISC"),
    "poetry": ({"LICENSE": "", "pyproject.toml": "[tool.poetry]\nlicense = 'MIT'\n"}, "MIT"),
    "setup.cfg": (
        {"LICENSE": "", "setup.cfg": "[metadata]\nlicense = BSD-3-Clause\n"},
        "BSD-3-Clause",
    ),
    "setup.py": ({"LICENSE": "", "setup.py": "setup(\n    license='MIT License',\n)\n"}, "MIT"),
    "classifier": (
        {
            "LICENSE": "See the web site.",
            "setup.cfg": "[metadata]\nclassifiers =\n  License :: OSI Approved :: MIT License\n",
        },
        "MIT",
    ),
    "nothing": ({"LICENSE": "All rights reserved."}, None),
    "module of that name": ({"LICENSE": "", "license.py": MIT}, None),
    "broken metadata": ({"LICENSE": "", "pyproject.toml": "[[", "setup.cfg": "x"}, None),
}


@pytest.mark.parametrize("name", FILES)
def test_licence_of_files(name: str, tmp_path: Path) -> None:
    files, expected = FILES[name]
    write(tmp_path, files)
    found = (each for each in tmp_path.rglob("*") if each.is_file())
    sizes = {each.relative_to(tmp_path).as_posix(): 1 for each in sorted(found)}
    assert licence_of(Checkout(tmp_path, sizes)) == expected
