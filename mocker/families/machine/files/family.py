"""Files: what is read and not there is offered, and nothing outside the working folder is touched.

Files that lie in the repository under the path that the slice names are offered as they are; others
are made up in the format that their reader expects. Real files in a real temporary folder, so that
every library sees them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....answers.files.file_plan import file_plan
from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....source.kept_code import kept_code

_NAMES = (
    "builtins.open", "io.open", "codecs.open", "aiofiles", "os.open", "os.listdir", "os.scandir",
    "os.walk", "os.remove", "os.unlink", "os.rmdir", "os.removedirs", "os.rename", "os.replace",
    "os.makedirs", "os.mkdir", "os.chmod", "os.truncate", "os.utime", "os.path.getsize", "os.stat",
    "os.link", "os.symlink", "shutil.copy", "shutil.copyfile", "shutil.copy2", "shutil.copytree",
    "shutil.move", "shutil.rmtree", "shutil.make_archive", "glob", "pathlib", "json.load",
    "csv", "pandas", "polars", "numpy.load", "numpy.loadtxt", "numpy.genfromtxt", "numpy.save",
    "numpy.savez", "numpy.savetxt", "numpy.fromfile", "PIL.Image.open", "cv2.imread", "cv2.imwrite",
    "cv2.VideoCapture", "cv2.CascadeClassifier", "matplotlib.pyplot.imread", "imageio.imread",
    "matplotlib.pyplot.savefig", "skimage.io.imread", "pygame.image.load", "pygame.mixer.Sound", "tkinter.PhotoImage",
    "xml.etree.ElementTree.parse", "lxml.etree.parse", "xml.dom.minidom.parse", "wave.open",
    "soundfile", "librosa.load", "scipy.io.wavfile.read", "zipfile", "tarfile", "gzip", "h5py",
    "openpyxl.load_workbook", "joblib", "configparser", "toml.load", "logging.FileHandler",
    "logging.basicConfig", "logging.handlers", "linecache.getlines",
)  # fmt: skip
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


def applies(border: Border) -> tuple[Contact, ...]:
    """Uses of files that are not there, or that lie outside the working folder."""
    found = border.named(*_NAMES)
    if not found:
        return ()
    plan = file_plan(border)
    return found if plan.offered or plan.guards else ()


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Offer what is read, and folders to write into; keep what is written inside."""
    del contacts
    plan = file_plan(border)
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
        title="files that are written into folders that nobody has made",
        source="""\
import json
from pathlib import Path


def save(name, rows, folder="out/tables"):
    with open("data/rows.json", "w") as stream:
        json.dump(rows, stream)
    path = Path(folder) / f"{name}.json"
    path.write_text(json.dumps(rows))
    with open("data/rows.json") as stream:
        return json.load(stream), path.read_text(), path.parent.is_dir()
""",
        target="save",
        call="save('a', [1])",
        gives="([1], '[1]', True)",
    ),
    Example(
        title="settings of which the caller says the key",
        source="""\
import json


def due(key):
    with open("due.json") as stream:
        settings = json.load(stream)
    if "error" in settings:
        raise ValueError(settings["error"])
    return settings[key]["date"][:4], key in settings, settings.get("error")
""",
        target="due",
        call="due('rent')",
        gives="('2024', True, None)",
    ),
    Example(
        title="a folder that the code asks about, and makes where it is not there",
        source="""import os


def kept(text):
    news = not os.path.isdir("notes")
    if news:
        os.mkdir("notes")
    with open("notes/note.txt", "w") as stream:
        stream.write(text)
    return news
""",
        target="kept",
        call="kept('a'), kept('b')",
        gives="(True, False)",
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
    Example(
        title="what a library may have kept in its own cache",
        source="""\
import configparser
import os
import sys

import pandas as pd


def load(folder):
    rows = pd.read_csv(sys.stdin.readline().strip())
    kept = configparser.ConfigParser()
    return len(rows) > 0, kept.read([os.path.join(folder, "index.ini")])
""",
        target="load",
        call="load('/home/somebody/.cache/tool')",
        gives="(True, [])",
        needs=("pandas",),
    ),
)

FAMILY = Family("files", applies, stub, EXAMPLES)
