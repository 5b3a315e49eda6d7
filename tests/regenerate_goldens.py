"""Write the golden slices anew: `python -m tests.regenerate_goldens [NAME…]`.

Read the difference before committing it: a golden is what a careful engineer would have cut out.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from slicefunc.slicer import Repository, SliceFuncError, slice_function

from tests.fixture_format import Fixture, all_fixtures, golden_text, load_fixture


def main(names: list[str]) -> int:
    """Regenerate the named fixtures, or all; 1 if a slice could not be made."""
    fixtures = [load_fixture(n) for n in names] if names else all_fixtures()
    return max([regenerate(f) for f in fixtures if f.runs_here], default=0)


def regenerate(fixture: Fixture) -> int:
    """Write every golden slice of one fixture and remove those that no target has any more."""
    folder = fixture.folder / "expected"
    wanted: dict[str, bytes] = {}
    status = 0
    with tempfile.TemporaryDirectory() as scratch:
        repository = Repository(fixture.repository(Path(scratch)), roots=fixture.roots)
        for expected in fixture.targets:
            if expected.error:
                continue
            try:
                sliced = slice_function(repository, expected.target, keep=expected.keep)
            except SliceFuncError as error:
                sys.stderr.write(f"{fixture.name}: {expected.target}: {error}\n")
                status = 1
                continue
            wanted[expected.file_name] = golden_text(sliced.source).encode()
    if wanted:
        folder.mkdir(exist_ok=True)
    for name, content in wanted.items():
        (folder / name).write_bytes(content)
    if status == 0 and folder.is_dir():
        for left_over in {p.name for p in folder.iterdir()} - set(wanted):
            (folder / left_over).unlink()
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
