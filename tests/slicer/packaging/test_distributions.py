"""Import names are translated into names of distributions, the repository's own spelling first."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import Repository, slice_function
from slicefunc.slicer.packaging.declared_requirements import declared_distributions
from slicefunc.slicer.packaging.distribution_names import DISTRIBUTIONS, NAMESPACES
from slicefunc.slicer.packaging.distributions import distribution_of
from slicefunc.slicer.syntax.requirement import normal

KNOWN = {
    "cv2": "opencv-python",
    "PIL.Image": "pillow",
    "yaml": "PyYAML",
    "sklearn.linear_model": "scikit-learn",
    "attr": "attrs",
    "requests": "requests",
    "win32com.client": "pywin32",
    "ruamel.yaml.comments": "ruamel.yaml",
    "google.protobuf.message.Message": "protobuf",
    "google.cloud.storage": "google-cloud-storage",
    "google.cloud.storage.Client": "google-cloud-storage",
    "google.cloud.logging_v2.types": "google-cloud-logging",
    "google.cloud.error_reporting": "google-cloud-error-reporting",
    "google.generativeai": "google-generativeai",
    "google.oauth2.service_account": "google-auth",
    "azure.storage.blob.BlobServiceClient": "azure-storage-blob",
    "azure.identity": "azure-identity",
    "azure.mgmt.resource": "azure-mgmt-resource",
    "zope.interface.implementer": "zope.interface",
    "opentelemetry.trace": "opentelemetry-api",
    "opentelemetry.sdk.trace": "opentelemetry-sdk",
    "opentelemetry.instrumentation.flask": "opentelemetry-instrumentation-flask",
}
NONE = ["os.path", "json", "collections.abc", "__main__", "urllib2", "_typeshed"]
DECLARED = {
    ("cv2", "opencv-python-headless"): "opencv-python-headless",
    ("yaml", "pyyaml"): "pyyaml",
    ("psycopg2", "psycopg2"): "psycopg2",
    ("flask_cors", "Flask-Cors"): "Flask-Cors",
    ("frobnicate", "python-frobnicate"): "python-frobnicate",
    ("frobnicate", "frobnicate-python"): "frobnicate-python",
    ("google.cloud.storage", "google-cloud-core"): "google-cloud-storage",
    ("zope.interface", "zope-interface"): "zope-interface",
    ("frobnicate.parts.of_it", "frobnicate.parts"): "frobnicate.parts",
    ("frobnicate.parts", "frobnicate-parts"): "frobnicate-parts",
    ("requests", "requests-mock"): "requests",
}
FILES = {
    "project": ("pyproject.toml", '[project]\n'
                'dependencies = ["a-b >=1", "c[extra]; python_version>\'3\'"]\n'
                '[project.optional-dependencies]\nx = ["d @ https://example.org/d.zip"]\n'),
    "groups": ("pyproject.toml", '[dependency-groups]\n'
               'x = ["a-b", {include-group = "y"}]\ny = ["c", "d"]\n'),
    "poetry": ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.11"\na-b = "*"\n'
               'c = {version = "1"}\n[tool.poetry.group.dev.dependencies]\nd = "1"\n'),
    "pipfile": ("Pipfile", '[packages]\na-b = "*"\nc = "*"\n[dev-packages]\nd = "*"\n'),
    "cfg": ("setup.cfg", "[options]\ninstall_requires =\n    a-b>=1  # why\n    c\n"
            "[options.extras_require]\nx = d\n"),
    "setup": ("setup.py", "import setuptools\nREQUIRES = ['a-b', 'c>1']\n"
              "setuptools.setup(install_requires=REQUIRES, extras_require={'x': ['d']})\n"),
    "requirements": ("requirements-dev.txt", "# pins\n--index-url https://example.org\n"
                     "a-b==1\n\nc>=2 # c\n"
                     "git+https://example.org/d.git#egg=d\n./local\nhttps://example.org/e.zip\n"),
    "folder": ("requirements/base.txt", "a-b\nc\nd\n"),
    "below": ("backend/requirements.txt", "a-b\nc\nd\n"),
}  # fmt: skip
BROKEN = [
    "[project",
    "project = 1\n[options]\n",
    "\0",
    "a = = b",
    "[tool.poetry]\ndependencies = 3\n",
]


@pytest.mark.parametrize(("module", "distribution"), KNOWN.items())
def test_a_known_name(module: str, distribution: str) -> None:
    assert distribution_of(module, ()) == distribution


@pytest.mark.parametrize("module", NONE)
def test_what_nobody_distributes(module: str) -> None:
    assert distribution_of(module, ()) is None


@pytest.mark.parametrize(("given", "distribution"), DECLARED.items())
def test_a_declared_name_is_taken_as_it_is_spelled(
    given: tuple[str, str], distribution: str
) -> None:
    module, declared = given
    assert distribution_of(module, ("other", declared)) == distribution


def test_the_table_holds_no_line_without_need() -> None:
    needless = [
        name
        for name, found in DISTRIBUTIONS.items()
        if found == (name,)
        or (len(found) == 1 and normal(found[0]) == normal(name) and "." not in name)
    ]
    assert needless == []
    assert all(len(set(found)) == len(found) >= 1 for found in DISTRIBUTIONS.values())


def test_a_namespace_says_how_many_parts_name_a_distribution() -> None:
    assert all(depth > name.count(".") + 1 for name, depth in NAMESPACES.items())


@pytest.mark.parametrize("kind", FILES)
def test_declarations_are_read(tmp_path: Path, kind: str) -> None:
    path, text = FILES[kind]
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    assert declared_distributions(Repository(tmp_path)) == ("a-b", "c", "d")


def test_requirements_include_others(tmp_path: Path) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "common.in").write_text("a\n-r requirements/dev.txt\n")
    (tmp_path / "requirements/dev.txt").write_text("-r ../common.in\n-r ../../outside.txt\nb\n")
    assert declared_distributions(Repository(tmp_path)) == ("a", "b")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_requirements_in_another_encoding_are_read(tmp_path: Path, encoding: str) -> None:
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    (tmp_path / "requirements.txt").write_bytes(mark + "a==1\r\nb\r\n".encode(encoding))
    assert declared_distributions(Repository(tmp_path)) == ("a", "b")


@pytest.mark.parametrize("file", ["pyproject.toml", "Pipfile", "setup.cfg", "setup.py"])
@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_file_declares_nothing(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / file).write_text(text)
    (tmp_path / "requirements.txt").write_bytes(b"a\0b")
    assert declared_distributions(Repository(tmp_path)) == ()


def test_the_manifest_names_the_distributions(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("opencv-python-headless\n")
    (tmp_path / "mod.py").write_text(
        "import json\nimport cv2\nimport yaml.nodes\nfrom google.cloud import bigquery, storage\n"
        "def target(x):\n    return json, cv2.a, yaml.nodes, bigquery.B, storage.S\n"
    )
    externals = slice_function(Repository(tmp_path), "mod.py::target").manifest.externals
    assert [(e.module, e.distribution, e.names) for e in externals] == [
        ("cv2", "opencv-python-headless", ()),
        ("google.cloud", "google-cloud-bigquery", ("bigquery",)),
        ("google.cloud", "google-cloud-storage", ("storage",)),
        ("json", None, ()),
        ("yaml.nodes", "PyYAML", ()),
    ]
