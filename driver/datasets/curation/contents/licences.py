"""The licence of a repository as an SPDX expression: from metadata, and from texts of licences."""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, cast

from .checkout import Checkout, is_licence_file

PERMISSIVE = frozenset(
    """
0BSD AFL-3.0 Apache-1.1 Apache-2.0 BlueOak-1.0.0 BSD-1-Clause BSD-2-Clause BSD-2-Clause-Patent
BSD-2-Clause-Views BSD-3-Clause BSD-3-Clause-Clear BSD-4-Clause BSL-1.0 CC0-1.0 ECL-2.0 HPND
HPND-sell-variant ICU ISC MIT MIT-0 MIT-CMU MIT-Modern-Variant MulanPSL-2.0 NCSA PostgreSQL
PSF-2.0 Python-2.0 Python-2.0.1 TCL Unicode-3.0 Unicode-DFS-2016 Unlicense UPL-1.0 W3C WTFPL X11
Zlib ZPL-2.1
""".split()
)
"""Licences that ask for a notice at most."""
_NAMES = {
    "academic free license v3.0": "AFL-3.0",
    "apache": "Apache-2.0",
    "apache 2": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "boost software license 1.0": "BSL-1.0",
    "boost software license 1.0 (bsl-1.0)": "BSL-1.0",
    "bsd 2-clause": "BSD-2-Clause",
    'bsd 2-clause "simplified" license': "BSD-2-Clause",
    "bsd 3-clause": "BSD-3-Clause",
    'bsd 3-clause "new" or "revised" license': "BSD-3-Clause",
    "cc0 1.0 universal": "CC0-1.0",
    "creative commons zero v1.0 universal": "CC0-1.0",
    "eclipse public license 2.0": "EPL-2.0",
    "gnu affero general public license v3": "AGPL-3.0-only",
    "gnu affero general public license v3 or later (agplv3+)": "AGPL-3.0-or-later",
    "gnu affero general public license v3.0": "AGPL-3.0-only",
    "gnu general public license v2 (gplv2)": "GPL-2.0-only",
    "gnu general public license v2 or later (gplv2+)": "GPL-2.0-or-later",
    "gnu general public license v2.0": "GPL-2.0-only",
    "gnu general public license v3 (gplv3)": "GPL-3.0-only",
    "gnu general public license v3 or later (gplv3+)": "GPL-3.0-or-later",
    "gnu general public license v3.0": "GPL-3.0-only",
    "gnu lesser general public license v2.1": "LGPL-2.1-only",
    "gnu lesser general public license v3 (lgplv3)": "LGPL-3.0-only",
    "gnu lesser general public license v3 or later (lgplv3+)": "LGPL-3.0-or-later",
    "gnu lesser general public license v3.0": "LGPL-3.0-only",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mit no attribution": "MIT-0",
    "mozilla public license 2.0": "MPL-2.0",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "new bsd license": "BSD-3-Clause",
    "python software foundation license": "PSF-2.0",
    "the unlicense": "Unlicense",
    "the unlicense (unlicense)": "Unlicense",
    "zlib license": "Zlib",
    "zope public license": "ZPL-2.1",
}
"""Name as GitHub, classifiers of packages and people write it, in lower case → SPDX identifier."""
_CLASSIFIER = re.compile(r"^\s*[\"']?License :: (?:.+ :: )?([^\"'\n]+?)[\"']?,?\s*$", re.M)
_SETUP_LICENCE = re.compile(r"^\s*license\s*=\s*[\"']([^\"'\n]+)[\"']", re.M)


@lru_cache(4096)
def spdx(text: str | None) -> str | None:
    """Return a licence's SPDX expression, in canonical spelling; `None` for an unknown one."""
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    given = (text or "").strip()
    known = _NAMES.get(given.lower().removeprefix("the ").removesuffix(" licence"))
    try:
        return str(canonicalize_license_expression(known or given)) if given else None
    except InvalidLicenseExpression:
        return _NAMES.get(given.lower())


def licence_of(checkout: Checkout) -> str | None:
    """Return the SPDX expression of a repository's licence; `None` if none is recognised.

    An expression in `pyproject.toml` comes first, since only its author can tell `OR` from `AND`;
    then the texts of licences, joined by `AND`; then what else the metadata says.
    """
    project = _project(checkout)
    stated = project.get("license")
    expression = spdx(stated) if isinstance(stated, str) else None
    return expression or _of_texts(checkout) or _of_metadata(checkout, project)


def is_allowed(expression: str, allowed: frozenset[str]) -> bool:
    """Whether an SPDX expression can be met by allowed licences alone."""
    words = re.sub(r"\bWITH\s+\S+", "", expression)
    asked = re.sub(
        r"[\w.+-]+", lambda found: _as_python(found[0], allowed), words.replace("(", "( ")
    )
    return _holds(ast.parse(asked.strip(), mode="eval").body)


def _as_python(word: str, allowed: frozenset[str]) -> str:
    return word.lower() if word in ("AND", "OR") else str(word in allowed)


def _holds(node: ast.expr) -> bool:
    match node:
        case ast.BoolOp(ast.And(), values):
            return all(map(_holds, values))
        case ast.BoolOp(_, values):
            return any(map(_holds, values))
        case _:
            return isinstance(node, ast.Constant) and node.value is True


def _of_texts(checkout: Checkout) -> str | None:
    from licenseclassifier import identify_license

    found: set[str] = set()
    for path in checkout.sizes:
        if is_licence_file(path):
            found.update(each.id for each in identify_license(_text(checkout, path)))
    return spdx(" AND ".join(sorted(found)))


def _of_metadata(checkout: Checkout, project: dict[str, Any]) -> str | None:
    """Return what tables, classifiers and `setup.py` say, if it is one licence."""
    texts: list[object] = []
    if isinstance(stated := project.get("license"), dict):
        texts.append(cast("dict[str, object]", stated).get("text"))
    config = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        config.read_string(_text(checkout, "setup.cfg"))
        texts.append(config.get("metadata", "license", fallback=None))
    except configparser.Error:
        pass
    setup = _text(checkout, "setup.py")
    texts += _SETUP_LICENCE.findall(setup)
    found = dict.fromkeys(spdx(text) for text in texts if isinstance(text, str))
    named = [each for each in found if each]
    if named:
        return named[0]
    files = (_text(checkout, "pyproject.toml"), _text(checkout, "setup.cfg"), setup)
    return _joined(name for text in files for name in _CLASSIFIER.findall(text))


def _joined(names: Iterable[str]) -> str | None:
    found = {each for each in map(spdx, names) if each}
    return " AND ".join(sorted(found)) or None


def _project(checkout: Checkout) -> dict[str, Any]:
    try:
        match tomllib.loads(_text(checkout, "pyproject.toml")):
            case {"project": {"license": _} as project}:
                return cast("dict[str, Any]", project)
            case {"tool": {"poetry": {"license": str() as licence}}}:
                return {"license": licence}
            case _:
                return {}
    except tomllib.TOMLDecodeError:
        return {}


def _text(checkout: Checkout, path: str) -> str:
    if path not in checkout.sizes:
        return ""
    try:
        return (checkout.folder / path).read_text("utf-8", "replace")
    except OSError:
        return ""
