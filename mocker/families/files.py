"""Files: what is read and not there is offered, and nothing outside the working folder is touched.

Files that lie in the repository under the path that the slice names are offered as they are; others
are made up in the format that their reader expects. Real files in a real temporary folder, so that
every library sees them.
"""

from __future__ import annotations

import base64
import posixpath
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...slicer.data import MAX_EMBEDDED, MAX_FILE
from ...slicer.model import Gap
from ..contents import Content, contents
from ..file_uses import FileUse, file_uses
from ..kept_code import KeptCode, kept_code
from ..model import Border, Contact, Example, Family, Mock, Treated
from ..texts import ANY, GIVEN

if TYPE_CHECKING:
    from ...slicer import Repository
    from ...slicer.model import Slice

_NAMES = (
    "builtins.open", "io.open", "codecs.open", "aiofiles", "os.open", "os.listdir", "os.scandir",
    "os.walk", "os.remove", "os.unlink", "os.rmdir", "os.removedirs", "os.rename", "os.replace",
    "os.makedirs", "os.mkdir", "os.chmod", "os.truncate", "os.utime", "os.path.getsize", "os.stat",
    "os.link", "os.symlink", "shutil.copy", "shutil.copyfile", "shutil.copy2", "shutil.copytree",
    "shutil.move", "shutil.rmtree", "shutil.make_archive", "glob", "pathlib", "json.load",
    "csv", "pandas", "polars", "numpy.load", "numpy.loadtxt", "numpy.genfromtxt", "numpy.save",
    "numpy.savez", "numpy.savetxt", "numpy.fromfile", "PIL.Image.open", "cv2.imread", "cv2.imwrite",
    "cv2.VideoCapture", "cv2.CascadeClassifier", "matplotlib.pyplot.imread", "imageio.imread",
    "matplotlib.pyplot.savefig", "skimage.io.imread", "pygame.image.load", "tkinter.PhotoImage",
    "xml.etree.ElementTree.parse", "lxml.etree.parse", "xml.dom.minidom.parse", "wave.open",
    "soundfile", "librosa.load", "scipy.io.wavfile.read", "zipfile", "tarfile", "gzip", "h5py",
    "openpyxl.load_workbook", "joblib", "configparser", "toml.load", "logging.FileHandler",
    "linecache.getlines",
)  # fmt: skip
_BELOW_PYTHON = frozenset({
    "cv2.imread", "cv2.imwrite", "cv2.VideoCapture", "cv2.CascadeClassifier", "h5py.File",
    "soundfile.read", "librosa.load", "pygame.image.load", "lxml.etree.parse",
})  # fmt: skip
_OUTSIDE = re.compile(r"[/~]|[A-Za-z]:[\\/]|\\\\")
_ONLY_ANY = re.compile(r"[*./\\]*\*[*./\\]*")
_ENDINGS = re.compile(r"\.[A-Za-z0-9]{1,5}")
_MOST_LISTED = 20
_LISTING = frozenset("listdir scandir walk fwalk iterdir glob rglob".split())
_CHANGING = frozenset(
    "mkdir makedirs rmdir removedirs remove unlink chmod lchmod utime truncate setxattr rename "
    "renames link symlink touch symlink_to hardlink_to link_to".split()
)
_PLAIN = frozenset(
    "__future__ abc argparse array ast base64 bisect builtins codecs collections configparser "
    "contextlib copy csv dataclasses datetime decimal enum errno fractions functools hashlib heapq "
    "html io itertools json keyword math numbers operator os pathlib pickle pprint queue random re "
    "secrets statistics string struct sys textwrap threading time tomllib traceback types typing "
    "unicodedata uuid warnings xml".split()
)
"""Modules of Python that reach for no file, but for what the slice itself asks of them."""


@dataclass(slots=True)
class Plan:
    """What is offered to the slice."""

    offered: dict[str, dict[str, Content]] = field(default_factory=dict[str, dict[str, Content]])
    gaps: list[Gap] = field(default_factory=list[Gap])
    data_files: set[str] = field(default_factory=set[str])
    readers: set[str] = field(default_factory=set[str])
    guards: bool = False
    """Whether something outside the working folder may be written or removed."""
    size: int = 0


def applies(border: Border) -> tuple[Contact, ...]:
    """Uses of files that are not there, or that lie outside the working folder."""
    found = border.named(*_NAMES)
    if not found:
        return ()
    plan = _plan(border)
    return found if plan.offered or plan.guards else ()


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Offer what is read; keep what is written inside."""
    del contacts
    plan = _plan(border)
    offered = "".join(f"    {path!r}: {found!r},\n" for path, found in plan.offered.items())
    setup = f"offer_files({{\n{offered}}})\n" if offered else "offer_files({})\n"
    setup += "".join(_beyond_opening(border))
    if plan.readers:
        setup += f"lead_readers({', '.join(map(repr, sorted(plan.readers)))})\n"
    reason = "what lies outside the working folder is in a temporary folder"
    return Mock(
        treated=tuple(
            Treated(module, "faked", reason)
            for module in ("os", "pathlib", "shutil", "io", "tempfile")
        ),
        setup=setup,
        pieces=("files", "file_system", "temporary_files", "led_readers"),
        filled=tuple(sorted(plan.offered)),
        gaps=tuple(plan.gaps),
        data_files=tuple(sorted(plan.data_files)),
    )


def _beyond_opening(border: Border) -> Iterator[str]:
    """What else is looked after; all of it, unless the slice's own code is all that is there."""
    names = {name.rpartition(".")[2] for name in (c.name for c in border.named("os", "pathlib"))}
    names.update(kept_code(border).uses)
    if border.named("os.open", "os.replace") or (
        "replace" in names and border.named("pathlib")  # texts have such a method, too
    ):
        names.add("rename")
    tops = {e.module.partition(".")[0] for e in border.sliced.manifest.externals}
    all_of_it = border.runs_libraries or not tops <= _PLAIN or "getattr" in names
    if all_of_it or names & _LISTING:
        yield "list_offered()\n"
    if all_of_it or names & _CHANGING:
        yield "keep_outside()\n"
    if all_of_it:
        yield "name_temporary_files()\n"


# ----------------------------------------------------------------------------- the plan


_latest: list[tuple[Slice, Plan]] = []


def _plan(border: Border) -> Plan:
    if not _latest or _latest[0][0] is not border.sliced:
        _latest[:] = [(border.sliced, _made_plan(border))]
    return _latest[0][1]


def _made_plan(border: Border) -> Plan:
    plan = Plan()
    code = kept_code(border)
    uses = list(file_uses(border, code))
    # paths that are written out go before patterns
    for use in sorted(uses, key=lambda use: (use.text.count(ANY), -len(use.text), use.text)):
        if GIVEN in use.text or "://" in use.text or not use.text.strip():
            continue
        if use.name in _BELOW_PYTHON:
            plan.readers.add(use.name)
        if use.does in ("write", "remove"):
            plan.guards |= bool(_OUTSIDE.match(use.text)) or _is_anything(use.text)
        elif use.does == "read":
            if not _written_before(use, uses):
                _offer_file(plan, border, code, use)
        else:
            _offer_folder(plan, border, code, use, uses)
    return plan


def _written_before(use: FileUse, uses: Sequence[FileUse]) -> bool:
    """Whether the same code writes the file first."""
    return any(
        u.kept is use.kept
        and u.does == "write"
        and u.text == use.text
        and u.call.lineno < use.call.lineno
        for u in uses
    )


def _is_anything(text: str) -> bool:
    return bool(_ONLY_ANY.fullmatch(text))


def _offer_file(plan: Plan, border: Border, code: KeptCode, use: FileUse) -> None:
    path = _normal(use.text)
    if path in plan.offered or path.startswith(("/dev/", "/proc/", "/sys/")):
        return
    carried = _in_repository(border.repository, use.kept.path, path)
    if carried is not None:
        if carried in border.sliced.manifest.data_files and ANY in path:
            return
        if _carry(plan, border.repository, path, carried):
            return
    if use.name in ("os.path.getsize", "os.stat", "linecache.getlines") and ANY in path:
        return
    plan.offered[path] = contents(border, code, use.kept, path, use.reader, use.call)
    what = "a file" if _is_anything(path) else path
    detail = f"{what} is read and is not in the repository"
    line = use.kept.node.lineno
    plan.gaps.append(Gap("data-file", use.kept.path, line, detail, "mock: files"))


def _carry(plan: Plan, repository: Repository, path: str, found: str) -> bool:
    """Offer a file of the repository as it is, while there is room."""
    data = repository.read_data(found)
    if len(data) > MAX_FILE or plan.size + len(data) > MAX_EMBEDDED:
        return False
    plan.size += len(data)
    plan.data_files.add(found)
    plan.offered[path] = {"default": _content(data), "missing": None}
    return True


def _content(data: bytes) -> Content:
    if len(data) <= MAX_FILE >> 8:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            pass
    return ("packed_file", base64.b85encode(zlib.compress(data, 9)).decode("ascii"))


def _normal(text: str) -> str:
    path = text.replace("\\", "/")
    if re.match("[A-Za-z]:/", path):
        path = "/" + path.replace(":", "", 1)
    return posixpath.normpath(re.sub(r"\*+", "*", path))


def _in_repository(repository: Repository, reader: str, path: str) -> str | None:
    """The file of the repository that a path means, wherever the program was started.

    A path from another machine means the file with the longest equal end.
    """
    tail = path.rpartition(ANY)[2].lstrip("/~") if ANY in path else path.lstrip("/~")
    if not tail or (ANY in path and path.rpartition(ANY)[2][:1] not in ("/", "")):
        return None
    folders = [""]
    folder = posixpath.dirname(reader)
    while folder:
        folders.append(folder)
        folder = posixpath.dirname(folder)
    parts = tail.split("/")
    fewest = len(parts) if not path.startswith(("/", "~")) and ANY not in path else 1
    for start in range(len(parts) - fewest + 1):
        for folder in folders:
            found = posixpath.normpath(posixpath.join(folder, *parts[start:]))
            if not found.startswith("..") and repository.is_file(found):
                return found if not found.endswith((".py", ".pyc")) else None
    return None


# ----------------------------------------------------------------------------- folders


def _offer_folder(
    plan: Plan, border: Border, code: KeptCode, use: FileUse, uses: Sequence[FileUse]
) -> None:
    path = _normal(use.text)
    name = path.rpartition("/")[2]
    lists = "glob" in use.name and ANY in name  # its last part is a pattern
    folder = path.rpartition("/")[0] if lists else path
    if "glob" in use.name and not lists:
        return
    folder = folder.removesuffix("/*").removesuffix("/**").replace("/**", "")
    if ANY in folder or folder in ("", ".", "/", "~") or folder.startswith(".."):
        return
    ending = name.rpartition(ANY)[2] if lists else ""
    if any(u.does == "write" and _is_in(u.text, folder) for u in uses):
        return  # what it fills itself
    if _carry_folder(plan, border.repository, use, folder, ending):
        return
    ending = ending if ending.startswith(".") else _ending(code, use, folder, uses) + ending
    for number in (1, 2):
        file = f"{folder}/file{number}{ending}"
        if file not in plan.offered:
            reader = next((u.reader for u in uses if u.kept is use.kept and u.does == "read"), "")
            plan.offered[file] = contents(border, code, use.kept, file, reader)
    detail = f"the folder {folder} is read and is not in the repository"
    line = use.kept.node.lineno
    plan.gaps.append(Gap("data-file", use.kept.path, line, detail, "mock: files"))


def _is_in(text: str, folder: str) -> bool:
    return _normal(text) == folder or _normal(text).startswith(folder + "/")


def _carry_folder(
    plan: Plan, repository: Repository, use: FileUse, folder: str, ending: str
) -> bool:
    base = posixpath.dirname(use.kept.path)
    for start in dict.fromkeys(("", base)):
        there = posixpath.normpath(posixpath.join(start, folder))
        if there.startswith("..") or not repository.is_folder(there):
            continue
        files = [f"{there}/{n}" for n in sorted(repository.listing(there)) if not n.endswith("/")]
        fitting = [f for f in files if f.endswith(ending)][:_MOST_LISTED]
        for file in fitting:
            _carry(plan, repository, f"{folder}/{posixpath.basename(file)}", file)
        return bool(fitting)
    return False


def _ending(code: KeptCode, use: FileUse, folder: str, uses: Sequence[FileUse]) -> str:
    """The ending of the names that the slice asks for in this folder, or anywhere."""
    inside = (posixpath.splitext(u.text)[1] for u in uses if _is_in(u.text, folder))
    return next((ending for ending in inside if ending), "") or next(_endings(code, use), ".txt")


def _endings(code: KeptCode, use: FileUse) -> Iterator[str]:
    import ast

    wholes = [use.kept, *(kept for kept in code.statements if kept is not use.kept)]
    for kept in wholes:
        for node in code.walk(kept.node):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if _ENDINGS.fullmatch(text) and not text[1:].isdigit():
                    yield text


EXAMPLES: tuple[Example, ...] = (
    Example(
        title="a bot's settings, read when the module is imported",
        source="""\
import json
import os

with open("config.json", encoding="utf-8") as stream:
    CONFIG = json.load(stream)


def greeting(name):
    return f"{CONFIG['greeting']}, {name}{CONFIG.get('end', '!')}"
""",
        target="greeting",
        call="greeting('Ann')",
        gives="'Good day, Ann!'",
        files=(("config.json", '{"greeting": "Good day"}'),),
    ),
    Example(
        title="a table from another machine",
        source="""\
import pandas as pd

data = pd.read_csv(r"C:\\Users\\me\\Desktop\\project\\sales.csv")


def total(month):
    chosen = data[data["month"] == month]
    return int(chosen["price"].sum()), list(data.columns)[:2]
""",
        target="total",
        call="total(2)",
        gives="(2, ['month', 'price'])",
    ),
    Example(
        title="settings below the home folder, kept by the class",
        source="""\
import configparser
import os
from pathlib import Path


class Settings:
    def __init__(self, file=None):
        self.folder = Path.home() / ".mytool"
        self.file = file or self.folder / "settings.ini"
        self.parser = configparser.ConfigParser()
        if not self.parser.read(self.file):
            raise SystemExit("no settings")

    def port(self):
        return self.parser.getint("server", "port"), self.parser["server"]["host"]

    def keep(self, port):
        self.parser.set("server", "port", str(port))
        os.makedirs(self.folder, exist_ok=True)
        with open(self.file, "w") as stream:
            self.parser.write(stream)
        with open(self.file) as stream:
            return f"port = {port}" in stream.read()
""",
        target="Settings.keep",
        call="Settings().keep(8080)",
        gives="True",
        effects=("write ~/.mytool", "write ~/.mytool/settings.ini"),
    ),
    Example(
        title="settings beside the script, of which a whole section fills a text",
        source="""\
import configparser
from pathlib import Path

config = configparser.ConfigParser()
config.read_file(open(f"{Path(__file__).parents[0]}/warehouse.cfg"))


def address():
    buckets = config.get("BUCKET", "LANDING_ZONE"), config.get("BUCKET", "WORKING_ZONE")
    limit = int(config.get("BUCKET", "LIMIT"))
    return "host={} port={}".format(*config["CLUSTER"].values()), buckets, limit
""",
        target="address",
        call="address()",
        gives="('host=host port=1', ('landing-zone', 'working-zone'), 1)",
    ),
    Example(
        title="every file of a folder that nobody has",
        source="""\
import glob
import json
import os


def names(folder="records"):
    found = []
    for path in sorted(glob.glob(os.path.join("records", "*.json"))):
        with open(path) as stream:
            json.load(stream)
        found.append(os.path.basename(path))
    return found, sorted(os.listdir("records")), os.path.isdir("records")
""",
        target="names",
        call="names()",
        gives="(['file1.json', 'file2.json'], ['file1.json', 'file2.json'], True)",
    ),
    Example(
        title="logs that rotate outside the working folder",
        source="""\
import os
import shutil

LOG = "/var/log/mytool/mytool.log"


def rotate(line):
    os.makedirs(os.path.dirname(LOG), exist_ok=True)
    if os.path.exists(LOG):
        shutil.move(LOG, LOG + ".1")
    with open(LOG, "a") as stream:
        stream.write(line)
    shutil.rmtree("/var/log/mytool-old", ignore_errors=True)
    os.remove(LOG)
    return os.path.exists(LOG), os.listdir(os.path.dirname(LOG))
""",
        target="rotate",
        call="rotate('started')",
        gives="(False, [])",
        effects=(
            "write /var/log/mytool",
            "write /var/log/mytool/mytool.log",
            "remove /var/log/mytool/mytool.log",
        ),
    ),
    Example(
        title="a picture that a library reads below Python",
        source="""\
import cv2

TEMPLATE = cv2.imread("assets/template.png", cv2.IMREAD_GRAYSCALE)


def size(scale):
    height, width = TEMPLATE.shape
    cv2.imwrite("/srv/pictures/small.png", TEMPLATE[::scale, ::scale])
    return height // scale, width // scale
""",
        target="size",
        call="size(2)",
        gives="(8, 8)",
        effects=("write /srv/pictures/small.png",),
        needs=("cv2",),
    ),
    Example(
        title="a trained model, and words line by line",
        source="""\
import pickle


class Filter:
    def __init__(self, words="words.txt", model="model.pkl"):
        with open(words) as stream:
            self.words = [line.strip() for line in stream]
        with open(model, "rb") as stream:
            self.model = pickle.load(stream)

    def count(self, text):
        return sum(word in text for word in self.words)
""",
        target="Filter.count",
        call="Filter().count('text-1 and text-3')",
        gives="2",
    ),
)

FAMILY = Family("files", applies, stub, EXAMPLES)
