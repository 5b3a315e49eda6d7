"""Files: missing ones are offered, and nothing outside the working folder is touched.

Files of the repository at the path that the slice names are offered unchanged; others are generated
in the format that their reader expects. They are real files in a real temporary folder, so that
every library sees them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....answers.files.file_plan import file_plan
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
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
"""Modules of the standard library that use files only at the slice's request."""


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with files, if some are missing or outside the working folder."""
    found = border.named(*_NAMES)
    if not found:
        return ()
    plan = file_plan(border)
    return found if plan.offered or plan.guards else ()


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Missing files and the folders to write into are offered; written files are kept."""
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
            ModuleTreatment(module, "faked", reason)
            for module in ("os", "pathlib", "shutil", "io", "tempfile")
        ),
        setup=setup,
        pieces=("files", "file_system", "temporary_files", "led_readers"),
        filled=tuple(sorted(plan.offered)),
        gaps=tuple(plan.gaps),
        data_files=tuple(sorted(plan.data_files)),
    )


def _beyond_opening(border: Border) -> Iterator[str]:
    """Yield the statements for calls other than `open`: all, unless only the slice's code runs."""
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


FAMILY = Family("files", stub, applies)
