"""What somebody says about the distributions of modules goes before all that is found out."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicefunc.slicer import OptionError, Repository, Slice, slice_function
from slicefunc.slicer.packaging.installed import has_code
from slicefunc.slicer.syntax.requirement import plain_requirement

TABLE = "[tool.slice-func.distributions]\n"
CODE = "import acme.cloud.storage, acme.other\ndef f():\n    return acme\n"
PLAIN = {
    "acme": "acme",
    " A_c.m-e ": "A_c.m-e",
    "acme [one, Two] >= 1.0, <2": "acme[one,Two]>=1.0,<2",
    "acme~=1.0": "acme~=1.0",
    "acme==1.*,!=1.5.*": "acme==1.*,!=1.5.*",
    "acme==1!2.0rc1.post2.dev3+local.1": "acme==1!2.0rc1.post2.dev3+local.1",
    "acme===1.0": "acme===1.0",
}
NOT_PLAIN = {
    "acme @ https://example.org/acme.whl": "is an address",
    "git+https://example.org/acme.git": "is an address",
    "acme ; python_version < '3.8'": "has a marker",
    "": "is no requirement",
    "-e .": "is no requirement",
    "./acme": "is no requirement",
    "acme --index-url=x": "is no requirement",
    "acme\n--pre": "is no requirement",
    "acme\n": "",
    "acme[]": "is no requirement",
    "acme[x": "is no requirement",
    "acme>=": "is no requirement",
    "acme=1": "is no requirement",
    "acme==one": "is no requirement",
    "acme>=1.*": "is no requirement",
    "acme~=1": "is no requirement",
    "acme 1.0": "is no requirement",
    "acme two": "is no requirement",
    "ácme": "is no requirement",
}
WRONG = {
    "distributions = 1": "tool.slice-func.distributions is not a table",
    'distributions = {acme = "a @ https://e.org"}': "distributions: acme: .* is an address",
    "distributions = {acme = \"a; os_name=='nt'\"}": "distributions: acme: .* has a marker",
    'distributions = {acme = "a = 1"}': "distributions: acme: 'a = 1' is no requirement",
    "distributions = {acme = 1}": "distributions: acme is 1, not a requirement",
    'distributions = {acme.cloud = "a"}': "acme is a table; write a dotted module in quotes",
    'distributions = {"acme-cloud" = "a"}': "distributions: 'acme-cloud' is no module",
    'distributions = {"acme..cloud" = "a"}': "distributions: 'acme..cloud' is no module",
    'distributions = {"acme.class" = "a"}': "distributions: 'acme.class' is no module",
}


def sliced(folder: Path, code: str = CODE, *said: tuple[str, str], **files: str) -> Slice:
    for name, text in {"mod.py": code, **files}.items():
        (folder / name).write_text(text)
    return slice_function(Repository(folder), "mod.py::f", distributions=said)


def distributions(made: Slice) -> dict[str, str | None]:
    return {each.module: each.distribution for each in made.manifest.externals}


@pytest.mark.parametrize(("text", "written"), PLAIN.items())
def test_a_plain_requirement_is_taken(text: str, written: str) -> None:
    found, fault = plain_requirement(text)
    assert (str(found), fault) == (written, "")
    again, _ = plain_requirement(str(found))
    assert again == found


@pytest.mark.parametrize(("text", "fault"), NOT_PLAIN.items())
def test_anything_else_is_not(text: str, fault: str) -> None:
    found, said = plain_requirement(text)
    assert (found is None) == bool(fault)
    assert fault in said
    assert "\n" not in said


def test_the_longest_prefix_counts(tmp_path: Path) -> None:
    table = f'{TABLE}acme = "acme-base"\n"acme.cloud" = "acme-cloud"\n"acme.oth" = "no"\n'
    made = sliced(tmp_path, **{"pyproject.toml": table})
    assert distributions(made) == {"acme.cloud.storage": "acme-cloud", "acme.other": "acme-base"}
    assert made.manifest.requirements == ("acme-base", "acme-cloud")
    assert '#     "acme-cloud",\n' in made.source


def test_a_name_that_is_taken_from_a_namespace_counts(tmp_path: Path) -> None:
    code = "from google.cloud import storage, vision\ndef f():\n    return storage, vision\n"
    table = f'{TABLE}"google.cloud.vision" = "our-vision"\n'
    made = sliced(tmp_path, code, **{"pyproject.toml": table})
    assert made.manifest.requirements == ("google-cloud-storage", "our-vision")


def test_it_goes_before_tables_declarations_and_what_is_installed(tmp_path: Path) -> None:
    code = "import yaml, _pytest, declared, config\ndef f():\n"
    code += "    return yaml, _pytest, declared, config\n"
    said = (("yaml", "a"), ("_pytest", "b"), ("declared", "c"), ("config", "d"))
    plain = sliced(tmp_path, code, **{"requirements.txt": "declared\n"})
    assert plain.manifest.requirements == ("declared", "pytest", "PyYAML")
    made = sliced(tmp_path, code, *said)
    assert made.manifest.requirements == ("a", "b", "c", "d")
    assert plain.manifest.inputs
    assert made.manifest.inputs == ()


def test_its_version_goes_before_locks_and_declarations(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "acme-cloud[x]>=1 ; python_version > '3'\n",
        "uv.lock": '[[package]]\nname = "acme-cloud"\nversion = "1.2"\n',
    }
    code = "import acme\ndef f():\n    return acme\n"

    def needs(said: str) -> tuple[str, ...]:
        return sliced(tmp_path, code, ("acme", said), **files).manifest.requirements

    assert needs("acme-cloud>=2") == ("acme-cloud[x]>=2",)
    assert needs("acme_cloud[y]") == ("acme_cloud[x,y]==1.2 ; python_version > '3'",)
    header = "# /// script\n# dependencies = ['acme-cloud==3']\n# ///\n"
    made = sliced(tmp_path, header + code, ("acme", "acme-cloud==4"))
    assert made.manifest.requirements == ("acme-cloud==4",)


def test_an_index_is_named_where_the_repository_has_a_folder(tmp_path: Path) -> None:
    project = "[tool.poetry.dependencies]\nacme = {path = '../acme'}\n"
    code = "import acme\ndef f():\n    return acme\n"
    plain = sliced(tmp_path, code, **{"pyproject.toml": project})
    assert plain.manifest.requirements == ()
    assert sliced(tmp_path, code, ("acme", "acme")).manifest.requirements == ("acme",)


def test_two_modules_of_one_distribution_ask_for_all_of_it(tmp_path: Path) -> None:
    said = (("acme.cloud", "acme[a]>=2"), ("acme.other", "Acme[b,a]<3"))
    assert sliced(tmp_path, CODE, *said).manifest.requirements == ("acme[a,b]>=2,<3",)


def test_an_import_that_may_fail_is_asked_for(tmp_path: Path) -> None:
    code = (
        "try:\n    import acme\nexcept ImportError:\n    acme = None\ndef f():\n    return acme\n"
    )
    assert sliced(tmp_path, code).manifest.requirements == ()
    assert sliced(tmp_path, code, ("acme", "acme-cloud")).manifest.requirements == ("acme-cloud",)


def test_what_is_given_goes_before_the_table(tmp_path: Path) -> None:
    table = f'{TABLE}"acme.cloud" = "theirs>=1"\n"acme.other" = "other"\n'
    made = sliced(tmp_path, CODE, ("acme.cloud", "ours"), **{"pyproject.toml": table})
    assert made.manifest.requirements == ("other", "ours")
    assert made.manifest.distributions == (("acme.cloud", "ours"), ("acme.other", "other"))
    repository = Repository(tmp_path)  # what was given once is not there the next time
    slice_function(repository, "mod.py::f", distributions=[("acme", "a")])
    again = slice_function(repository, "mod.py::f")
    assert again.manifest.requirements == ("other", "theirs>=1")


@pytest.mark.parametrize(("text", "said"), WRONG.items())
def test_what_the_table_cannot_hold_is_told_with_its_place(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(OptionError, match=said) as error:
        sliced(tmp_path, **{"pyproject.toml": f"[tool.slice-func]\n{text}\n"})
    assert str(error.value).startswith("pyproject.toml: tool.slice-func.distributions")
    assert "\n" not in str(error.value)


def test_what_cannot_be_given_is_told(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"^distributions: acme: .* is an address"):
        sliced(tmp_path, CODE, ("acme", "git+https://example.org/a.git"))


def test_code_of_a_module_is_in_the_record_of_its_distribution(tmp_path: Path) -> None:
    records = {
        "acme_cloud-1.0": "acme/cloud/__init__.py,sha256=x,1\nacme/data/a.json,,\n",
        "acme_base-1.0": "acme/base.cpython-311-x86_64-linux-gnu.so,,\nacme/types/__init__.pyi,,\n",
        "acme-1.0": "acmes.py,,\nother/acme/cloud.py,,\n",
    }
    for name, record in records.items():
        (tmp_path / f"{name}.dist-info").mkdir()
        (tmp_path / f"{name}.dist-info/RECORD").write_text(record)

    def has(distribution: str, module: str) -> bool:
        return has_code(str(tmp_path), distribution, module)

    assert has("Acme.Cloud", "acme.cloud")
    assert has("acme-cloud", "acme")
    assert has("acme-base", "acme.base")
    assert not has("acme-cloud", "acme.data")
    assert not has("acme-base", "acme.types")
    assert not has("acme-base", "acme.cloud")
    assert not has("acme", "acme")
    assert not has("acme", "acme.cloud")
    assert not has("no-such", "acme")
