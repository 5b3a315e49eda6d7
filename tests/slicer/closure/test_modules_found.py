"""Which module an import means, where files lie that could mislead."""

from __future__ import annotations

from pathlib import Path

from slicefunc.slicer import Repository, slice_function


def test_a_name_that_a_module_imports_from_itself_is_what_it_was(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "class A:\n    names = {'x': 1}\nclass B(A): pass\n"
        "for name in B.names: setattr(B, name, 1)\nfrom m import B\n"
        "class C(B):\n    names = {'y': 2}\n    def go(self): return self.names\n"
    )
    assert "'x': 1" in slice_function(Repository(tmp_path), "m.py::C.go").source


def test_a_file_in_a_package_is_no_library_of_its_name(tmp_path: Path) -> None:
    """What is asked of the library is not in it, though the importer adds to `sys.path`."""
    (tmp_path / "pack" / "plots").mkdir(parents=True)
    for folder in ("pack", "pack/plots"):
        (tmp_path / folder / "__init__.py").write_text("")
    (tmp_path / "pack" / "plots" / "matplotlib.py").write_text(
        "# how to use it\ndef show(): pass\n"
    )
    (tmp_path / "pack" / "run.py").write_text(
        "import sys\nsys.path.append('.')\ndef f():\n    import matplotlib\n"
        "    matplotlib.use('Agg')\n"
    )
    made = slice_function(Repository(tmp_path), "pack/run.py::f")
    assert [external.module for external in made.manifest.externals] == ["matplotlib"]


def test_a_package_without_a_file_of_its_own_has_the_modules_of_all_its_folders(
    tmp_path: Path,
) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.setuptools.packages.find]\nwhere = ["src/core", "src/extra"]\n'
    )
    for path in ("core/acme/run", "core/acme/plugins/one", "extra/acme/plugins/two"):
        (tmp_path / "src" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "src" / f"{path}.py").write_text("import acme.plugins.one\n")
    repository = Repository(tmp_path)
    importer = repository.module("src/core/acme/run.py", "acme.run")
    found = repository.modules_like("acme.plugins.", "", importer)
    assert found == ["acme.plugins.one", "acme.plugins.two"]
