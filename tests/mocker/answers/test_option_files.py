"""What files of options hold, by what the code asks for."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

from slicefunc.mocker.answers.files.option_files import option_file
from slicefunc.mocker.contacts import Border
from slicefunc.mocker.settings import Settings
from slicefunc.mocker.source.kept_code import kept_code
from slicefunc.slicer import Repository, slice_function

SOURCE = """
def read(parser, site, signs):
    named = parser["site"]["Level"], parser.get("site", "name"), parser["[]"]
    return parser[site]["user"], signs["= "], signs["Level"], named, parser["other"]
"""


def test_only_what_can_be_an_option_is_one_and_each_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    repository = Repository(tmp_path)
    border = Border(repository, slice_function(repository, "a.py::read"), (), Settings())
    keys = ["size", "= \\\n", "a:b", "Level", "level", " "]
    text = option_file(kept_code(border), keys)
    parser = ConfigParser()
    parser.read_string(text)
    assert dict(parser["site"]) == {"level": "1", "name": "name"}
    assert dict(parser["other"]) == {"size": "1", "level": "1"}
