"""What a script's header asks for: declared, locked, optional, local, or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from slicefunc.slicer import Repository, Slice, slice_function
from slicefunc.slicer.emission.manifest import requirements
from slicefunc.slicer.packaging.declared_requirements import declared_in
from slicefunc.slicer.packaging.distributions import distribution_of
from slicefunc.slicer.packaging.installed import installed_distribution
from slicefunc.slicer.packaging.lock_files import locked_in
from slicefunc.slicer.syntax.requirement import from_poetry, parse_requirement
from slicefunc.slicer.syntax.script_header import header_lines, read_header

LINES = {
    "a": "a",
    "A.b-c >= 1, <2 # why": "A.b-c>=1,<2",
    "a[x, y]~=1.0; python_version < '3.8'": "a[x,y]~=1.0 ; python_version < '3.8'",
    "a (>=1)": "a>=1",
    "a @ https://example.org/a.whl": "a @ https://example.org/a.whl",
    "git+https://example.org/a.git@v1#egg=a": "a @ git+https://example.org/a.git@v1",
    "-e git+https://example.org/a.git#egg=a": "a @ git+https://example.org/a.git",
    "a==1.0 --hash=sha256:0123 \\": "a==1.0",
    "a===1.0": "a===1.0",
    "a>=1,": "a>=1",
    "a=1": "a",
}
NO_REQUIREMENT = [
    "a\n--index-url https://example.org",
    "a ; x\r-e .",
    "",
    "# a",
    "-r other.txt",
    "--index-url https://example.org",
    "./a",
    "https://e.org",
]
POETRY = {
    "*": "", "^1.2.3": ">=1.2.3,<2", "^0.2.3": ">=0.2.3,<0.3", "^0.0.3": ">=0.0.3,<0.0.4",
    "^0": ">=0,<1", "~1.2.3": ">=1.2.3,<1.3", "~1": ">=1,<2", "~=1.2": "~=1.2", "1.2": "==1.2",
    "1.2.*": "==1.2.*", ">=1, <2": ">=1,<2", "^1 || ^2": "", "==1.2": "==1.2", "": "",
}  # fmt: skip
LOCKS = {
    "uv.lock": '[[package]]\nname = "A-b"\nversion = "1.2"\n'
    '[[package]]\nname = "own"\nversion = "1"\nsource = { editable = "." }\n'
    '[[package]]\nname = "two"\nversion = "1"\n[[package]]\nname = "two"\nversion = "2"\n',
    "poetry.lock": '[[package]]\nname = "A_b"\nversion = "1.2"\n'
    '[[package]]\nname = "g"\nversion = "1"\n[package.source]\ntype = "git"\nurl = "u"\n',
    "pdm.lock": '[[package]]\nname = "a.b"\nversion = "1.2"\n',
    "Pipfile.lock": '{"default": {"a-b": {"version": "==1.2"}, "c": {"git": "u"}}, "develop": 3}',
    "environment.yml": "name: x\ndependencies:\n  - python=3.9\n  - conda-forge::a-b=1.2=py39_0\n"
    "  - pip\nother:\n  - c=1\n",
    "conda.yaml": "dependencies:\n- pip:\n  - 'a-b==1.2'\n  - -r more.txt\n",
}


@pytest.mark.parametrize(("line", "text"), LINES.items())
def test_a_line_is_read(line: str, text: str) -> None:
    assert str(parse_requirement(line)) == text


@pytest.mark.parametrize("line", NO_REQUIREMENT)
def test_a_line_that_names_no_distribution(line: str) -> None:
    assert parse_requirement(line) is None


@pytest.mark.parametrize(("constraint", "specifier"), POETRY.items())
def test_poetry_s_constraints_become_specifiers(constraint: str, specifier: str) -> None:
    assert from_poetry(constraint) == specifier


@pytest.mark.parametrize("file", LOCKS)
def test_locks_are_read(tmp_path: Path, file: str) -> None:
    (tmp_path / file).write_text(LOCKS[file])
    found = locked_in(Repository(tmp_path), "")
    assert {name: str(found[name].specifier) for name in found} == {"a-b": "==1.2"}


@pytest.mark.parametrize("file", LOCKS)
@pytest.mark.parametrize("text", ["\0", "[[package", "{", "package = 3", "[]", "dependencies:\n- "])
def test_a_broken_lock_fixes_nothing(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / file).write_text(text)
    assert locked_in(Repository(tmp_path), "") == {}


def test_conda_s_names_and_prefixes(tmp_path: Path) -> None:
    (tmp_path / "environment.yml").write_text(
        "dependencies:\n  - pytorch=2.1\n  - numpy>=1.20,<2\n"
    )
    found = locked_in(Repository(tmp_path), "")
    assert [str(r) for r in found.values()] == ["torch==2.1.*", "numpy>=1.20,<2"]


# ------------------------------------------------------------------------ headers


def _slice(folder: Path, code: str, path: str = "mod.py", **files: str) -> Slice:
    for name, text in {path: code, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return slice_function(Repository(folder), f"{path}::f")


def _needs(made: Slice) -> tuple[str, ...]:
    return made.manifest.requirements


@pytest.mark.parametrize(
    "entry",
    [
        r'"a\n--index-url https://example.org" = "1"',
        r'a = {version = "1", extras = ["x]\n-e ."]}',
        r'a = {git = "https://example.org/a.git\n-e ."}',
    ],
)
def test_an_entry_cannot_smuggle_in_an_option(tmp_path: Path, entry: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.poetry.dependencies]\n{entry}\nb = '^1'\n")
    found = declared_in(Repository(tmp_path), "")
    assert [str(requirement) for requirement in found] == ["b>=1,<2"]


def test_without_a_third_party_import_there_is_no_header(tmp_path: Path) -> None:
    made = _slice(tmp_path, "import json\ndef f():\n    return json\n")
    assert made.source.startswith("import json")
    assert _needs(made) == ()


def test_the_map_of_lines_counts_the_header(tmp_path: Path) -> None:
    made = _slice(tmp_path, "import numpy\ndef f():\n    return numpy\n")
    lines = made.source.splitlines()
    repository = (tmp_path / "mod.py").read_text().splitlines()
    assert made.manifest.lines
    for run in made.manifest.lines:
        assert run.path == "mod.py"
        for number in range(run.count):
            assert lines[run.script_line - 1 + number] == repository[run.line - 1 + number]


def test_the_files_nearest_to_the_target_count(tmp_path: Path) -> None:
    made = _slice(
        tmp_path,
        "import numpy, yaml\ndef f():\n    return numpy, yaml\n",
        "backend/app/mod.py",
        **{
            "requirements.txt": "numpy==1\n",
            "backend/requirements.txt": "numpy==2\npyyaml>5\n",
            "aaa/requirements.txt": "numpy==3\n",
        },
    )
    assert _needs(made) == ("numpy==2", "pyyaml>5")


def test_a_pin_counts_more_than_a_range(tmp_path: Path) -> None:
    files = {"setup.cfg": "[options]\ninstall_requires =\n    numpy[x]>=1\n",
             "requirements.txt": "numpy==1.5\n"}  # fmt: skip
    made = _slice(tmp_path, "import numpy\ndef f():\n    return numpy\n", **files)
    assert _needs(made) == ("numpy[x]==1.5",)


def test_an_optional_import_counts_where_it_is_declared(tmp_path: Path) -> None:
    code = (
        "try:\n    import ujson as json\nexcept ImportError:\n    import json\n"
        "try:\n    import declared_one\nexcept Exception:\n    declared_one = None\n"
        "def f():\n    if TYPE_CHECKING:\n        import for_checkers\n"
        "    return json, declared_one\n"
    )
    made = _slice(tmp_path, code, **{"requirements.txt": "declared-one\n"})
    assert _needs(made) == ("declared-one",)


def test_modules_of_the_repository_are_never_looked_up(tmp_path: Path) -> None:
    names = "helper, package_below, requests"
    code = f"import {names}\ndef f():\n    return {names}\n"
    made = _slice(
        tmp_path, code, "app/mod.py",
        **{"tools/helper.py": "", "tools/requests.py": "", "tools/package_below/a/b.py": ""},
    )  # fmt: skip
    assert _needs(made) == ("requests",)
    assert {e.module: e.distribution for e in made.manifest.externals} == {
        "helper": None, "package_below": None, "requests": "requests"}  # fmt: skip


def test_modules_that_are_not_checked_in_are_never_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # what is installed beside the tests may be another distribution of cv2
    monkeypatch.setattr(requirements, "installed_distribution", lambda _module: None)
    code = "import config, tokens_of_mine, cv2\ndef f():\n    return config, tokens_of_mine, cv2\n"
    made = _slice(tmp_path, code, **{".gitignore": "*.pyc\n/private/tokens_of_mine.py\ncv2.py\n"})
    assert _needs(made) == ("opencv-python",)
    monkeypatch.setattr(requirements, "installed_distribution", {"config": "config"}.get)
    again = _slice(tmp_path, code)
    assert (_needs(again), again.manifest.inputs) == (("opencv-python",), ())
    declared = _slice(tmp_path, code, **{"requirements.txt": "config\n"})
    assert _needs(declared) == ("config", "opencv-python")


def test_local_paths_ask_for_nothing_and_addresses_are_kept(tmp_path: Path) -> None:
    project = (
        '[tool.poetry.dependencies]\nlocal_one = {path = "../one"}\n'
        'remote = {git = "https://example.org/r.git", rev = "1a"}\n'
    )
    code = "import local_one, remote\ndef f():\n    return local_one, remote\n"
    made = _slice(tmp_path, code, **{"pyproject.toml": project})
    assert _needs(made) == ("remote @ git+https://example.org/r.git@1a",)


def test_a_header_in_a_text_of_the_script_leaves_no_room_for_another(tmp_path: Path) -> None:
    code = 'import numpy\nTEXT = """\n# /// script\n# ///\n"""\ndef f():\n    return numpy, TEXT\n'
    made = _slice(tmp_path, code)
    assert made.source.count("# /// script") == 1
    assert made.source.startswith("import numpy")
    assert _needs(made) == ("numpy",)


def test_what_is_installed_decides_before_the_tables() -> None:
    assert distribution_of("cv2", (), "opencv-python-headless") == "opencv-python-headless"
    assert distribution_of("yaml", (), "pyyaml") == "PyYAML"
    assert distribution_of("google.cloud.storage", (), "protobuf") == "google-cloud-storage"
    assert distribution_of("pytz_deprecation", ("pytz-deprecation",), "x") == "pytz-deprecation"


def test_installed_metadata_is_read_and_listed(tmp_path: Path) -> None:
    assert installed_distribution("_pytest") == "pytest"
    assert installed_distribution("no_such_module_anywhere") is None
    made = _slice(tmp_path, "import _pytest\ndef f():\n    return _pytest\n")
    assert made.manifest.inputs == ("installed metadata: pytest",)


def test_the_header_is_one_that_tools_read(tmp_path: Path) -> None:
    files = {"requirements.txt": 'numpy>=1 ; python_version > "3"\n', "setup.py":
             "setup(python_requires='>=3.8, <4')\n"}  # fmt: skip
    made = _slice(tmp_path, '"""Doc."""\nimport numpy\ndef f():\n    return numpy\n', **files)
    header = read_header(made.source)
    assert header is not None
    assert header.requires_python == ">=3.8,<4"
    assert [str(r) for r in header.dependencies] == ['numpy>=1 ; python_version > "3"']
    assert header.block() == header.text
    assert header_lines(made.source) == (1, 6)


@pytest.mark.parametrize(
    "text",
    [
        "# /// script\n",
        "# /// script\nx = 1\n# ///\n",
        "# /// script\n# dependencies = [\n# ///\n",
        "# /// other\n# ///\n",
        "# /// script\n# ///\n\n# /// script\n# ///\n",
        "  # /// script\n  # ///\n",
    ],
)
def test_what_is_no_header(text: str) -> None:
    assert read_header(text) is None


def test_a_script_with_a_header_runs(tmp_path: Path) -> None:
    code = '"""Doc."""\nfrom __future__ import annotations\nimport networkx\n'
    code += "def f(a: no_such):\n    return networkx, __doc__\n"
    made = _slice(tmp_path, code)
    script = tmp_path / "script.py"
    script.write_text(made.source + "print(f(1)[1])\n")
    done = subprocess.run(
        [sys.executable, script], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout == "Doc.\n"


def test_an_extra_does_not_pin_what_the_project_declares(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["A-b >=1", "c"]\n[project.optional-dependencies]\n'
        'oldest = ["a.b ==1.0", "d ==2"]\nall = ["c[x]"]\n'
    )
    declared = map(str, declared_in(Repository(tmp_path), ""))
    assert list(declared) == ["A-b>=1", "c", "d==2", "c[x]"]


def test_a_module_that_new_releases_lack_comes_from_older_ones(tmp_path: Path) -> None:
    needs = requirements.RequiredDistributions(Repository(tmp_path), (), ("",))
    assert str(needs.requirement_of("pkg_resources")) == "setuptools<81"
    assert str(needs.requirement_of("setuptools")) == "setuptools"
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "a"\nversion = "1"\ndependencies = ["setuptools<70"]\n'
    )
    needs = requirements.RequiredDistributions(Repository(tmp_path), (), ("",))
    assert str(needs.requirement_of("pkg_resources")) == "setuptools<70"
