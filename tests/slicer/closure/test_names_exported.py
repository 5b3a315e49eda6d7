"""Names that a decorator or a call puts into a module: found where nothing binds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.slicer.small_programs import check_files

_BY_FRAME = (
    "import sys\n"
    "def publish(kind):\n"
    "    space = sys._getframe(1).f_globals\n"
    "    for each in kind: space[each.name.lower()] = each\n"
    "    return kind\n"
)
_BY_MODULE = (
    "import sys\n"
    "def _home(kind): return sys.modules[kind.__module__]\n"
    "def publish(prefix=''):\n"
    "    def apply(kind):\n"
    "        for name, value in list(vars(kind).items()):\n"
    "            if not name.startswith('_'): setattr(_home(kind), prefix + name, value)\n"
    "        return kind\n"
    "    return apply\n"
)

PROGRAMS = {
    "an enumeration that the standard library exports": {
        "tones.py": "from enum import IntFlag, global_enum\n"
        "@global_enum\nclass Tone(IntFlag):\n    LOUD = 1\n    SOFT = 2\n",
        "m.py": "import tones\nfrom tones import LOUD\n"
        "def f(): return repr(LOUD), tones.SOFT.value\n",
    },
    "a decorator of another module that writes to the caller's globals": {
        "publishing.py": _BY_FRAME,
        "tones.py": "import enum\nfrom publishing import publish\n"
        "@publish\nclass Tone(enum.Enum):\n    LOUD = 1\n    SOFT = 2\n",
        "m.py": "from tones import soft\ndef f(): return soft.value\n",
    },
    "a decorator with arguments that goes by the module of the class": {
        "publishing.py": _BY_MODULE,
        "m.py": "from publishing import publish\n"
        "@publish('K_')\nclass Limits:\n    low = 3\n    high = low * 4\n"
        "def f(): return K_low, K_high\n",
    },
    "a call beside the class": {
        "publishing.py": _BY_FRAME,
        "m.py": "import enum\nfrom publishing import publish\n"
        "class Tone(enum.IntEnum):\n    LOUD = 7\n"
        "if True:\n    publish(Tone)\n"
        "def f(): return loud + 1\n",
    },
    "two ways to fill in one module": {
        "m.py": "import enum\n"
        "@enum.global_enum\nclass Tone(enum.IntFlag):\n    LOUD = 1\n"
        "class Old(enum.IntEnum):\n    LOW = 4\n"
        "globals().update(Old.__members__)\n"
        "def f(): return int(LOUD), int(LOW)\n",
    },
}


@pytest.mark.parametrize("title", PROGRAMS)
def test_what_exports_a_name_is_kept(title: str, tmp_path: Path) -> None:
    check_files(PROGRAMS[title], tmp_path)
