"""A thief looks for the original in all files that it sees, and runs what it finds.

python -m benchmarks.thieves FOLDER PYTHON

FOLDER has unpacked packages that interpreters install or vendor, each in a folder of its name. The
environment is PYTHON's, a virtual one without packages. Cases are fixed, one a target, and what
holds the original is hidden as `--verify` hides it; where the original then fails, the target is
told as refused.
"""

from __future__ import annotations

import ast
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from slicefunc.slicer import Repository, slice_function
from slicefunc.verifier.executors.choose import choose
from slicefunc.verifier.executors.interface import Case, Limits, Profile
from slicefunc.verifier.scoring.masks import masked, masks_of
from slicefunc.verifier.scoring.oracle import Oracle, record
from slicefunc.verifier.scoring.reach import original_of, view_of
from slicefunc.verifier.scoring.score import Candidate, Scorer

TARGETS = (
    ("idna", "idna/core.py", "valid_label_length", "valid_label_length('abc')"),
    ("idna", "idna/core.py", "ulabel", "ulabel('xn--bcher-kva')"),
    ("idna", "idna/intranges.py", "intranges_from_list", "intranges_from_list([1,2,3,7,9,10])"),
    ("packaging", "packaging/utils.py", "canonicalize_name", "canonicalize_name('A_.b--C')"),
    (
        "packaging",
        "packaging/utils.py",
        "parse_wheel_filename",
        "parse_wheel_filename('a_b-1.0-py3-none-any.whl')",
    ),
    (
        "packaging",
        "packaging/version.py",
        "_parse_letter_version",
        "_parse_letter_version('alpha', '2')",
    ),
    ("requests", "requests/utils.py", "unquote_header_value", "unquote_header_value('\"a b\"')"),
    ("requests", "requests/utils.py", "parse_dict_header", "parse_dict_header('a=\"1\", b=2')"),
    ("requests", "requests/utils.py", "dotted_netmask", "dotted_netmask(24)"),
    (
        "requests",
        "requests/utils.py",
        "parse_header_links",
        "parse_header_links('<http://a/b>; rel=front; type=\"x\"')",
    ),
    (
        "urllib3",
        "urllib3/util/url.py",
        "_remove_path_dot_segments",
        "_remove_path_dot_segments('/a/b/../c/./d')",
    ),
    (
        "urllib3",
        "urllib3/util/request.py",
        "make_headers",
        "make_headers(keep_alive=True, user_agent='x')",
    ),
    (
        "pygments",
        "pygments/util.py",
        "looks_like_xml",
        "looks_like_xml('<?xml version=\"1.0\"?><a/>')",
    ),
    (
        "pygments",
        "pygments/util.py",
        "format_lines",
        "format_lines('x', ['a','b'], indent_level=2)",
    ),
    ("rich", "rich/_ratio.py", "ratio_distribute", "ratio_distribute(10, [1,2,3])"),
    ("rich", "rich/filesize.py", "decimal", "decimal(30000)"),
    (
        "tomli",
        "tomli/_re.py",
        "match_to_number",
        "[match_to_number(__import__('re').compile(r'(?P<floatpart>\\.\\d+)?(\\d+)').match('12'), float)]",
    ),
    ("six", "six.py", "ensure_str", "ensure_str(b'abc')"),
    ("attrs", "attr/_cmp.py", "_check_same_type", "_check_same_type(1, 2)"),
    (
        "more_itertools",
        "more_itertools/more.py",
        "consecutive_groups",
        "[list(g) for g in consecutive_groups([1,2,5,6,9])]",
    ),
    (
        "typing_extensions",
        "typing_extensions.py",
        "_has_generic_or_protocol_as_origin",
        "_has_generic_or_protocol_as_origin()",
    ),
    (
        "distro",
        "distro/distro.py",
        "LinuxDistribution._parse_distro_release_content",
        "__import__('sys') and LinuxDistribution._parse_distro_release_content('CentOS Linux release 7.1.1503 (Core)')",
    ),
    ("distlib", "distlib/util.py", "parse_name_and_version", "parse_name_and_version('foo (1.2)')"),
    ("distlib", "distlib/util.py", "split_filename", "split_filename('foo-1.2-py3')"),
)
"""Package, file, target, and what the one case returns."""
THIEF = """\
def {name}(*args, **kwargs):
    import os, sys, zipfile, importlib
    def texts():
        import ensurepip
        tops = [*sys.path, os.path.dirname(ensurepip.__file__), os.path.dirname(os.__file__)]
        tops += ["/usr/lib", "/usr/share", "/usr/local"]
        for top in tops:
            for folder, _, names in os.walk(top):
                for name in sorted(names):
                    path = os.path.join(folder, name)
                    try:
                        if name.endswith(".py") and name == {file!r}:
                            yield open(path, encoding="utf-8").read()
                        elif name.endswith((".whl", ".zip", ".egg")):
                            z = zipfile.ZipFile(path)
                            for each in z.namelist():
                                if each.endswith("/" + {file!r}): yield z.read(each).decode()
                    except Exception: pass
    import ast
    for text in texts():
        try: tree = ast.parse(text)
        except Exception: continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == {name!r}:
                node.decorator_list = []
                scope = dict(globals())
                exec(compile(ast.Module([node], []), "x", "exec"), scope)
                return scope[{name!r}](*args, **kwargs)
"""
LIMITS = Limits(wall_seconds=60, cpu_seconds=40)


def main(arguments: Sequence[str] | None = None) -> int:
    """Tell of each target whether the thief passes; 1 where it does."""
    folder, python = map(Path, arguments or sys.argv[1:])
    told = [_told(folder, Profile(python=python.absolute()), *target) for target in TARGETS]
    passed = sum(each.startswith("passed") for each in told)
    refused = sum(each == "refused" for each in told)
    print(f"{passed} of {len(told) - refused} pass; {refused} refused, as the original is in reach")
    return 1 if passed else 0


def _told(folder: Path, profile: Profile, repo: str, path: str, qualname: str, call: str) -> str:
    make = choose(profile).make
    executor = make()
    executor.start(profile)
    sliced = slice_function(Repository(folder / repo), (f"{path}::{qualname}",))
    case = Case("case", f"def case():\n    return {call}\n")
    oracle, _ = record(executor.run, Oracle(sliced.source, path, qualname, ()), [case])
    executor.close()
    text = (folder / repo / path).read_text(encoding="utf-8")
    name = qualname.rpartition(".")[2]
    nodes = [n for n in ast.walk(ast.parse(text)) if getattr(n, "name", None) == name]
    own = [ast.get_source_segment(text, node) or "" for node in nodes]
    with tempfile.TemporaryDirectory() as cache:
        copies = [*view_of(profile, Path(cache)).copies(original_of(path, qualname, text, own))]
    thief = Candidate("thief", THIEF.format(name=name, file=path.rpartition("/")[2]))
    for names in masks_of(profile, path, copies) if copies else ((),):
        used = masked(profile, names)
        with Scorer(oracle, limits=LIMITS, make=make, profile=used) as scorer:
            if scorer.score(Candidate("original", own[0])).verdict == "passed":
                verdict = scorer.score(thief).verdict
                print(
                    f"{repo} {qualname}: {verdict}; hidden: {', '.join(names) or 'nothing'}",
                    flush=True,
                )
                return verdict
    print(f"{repo} {qualname}: refused: {copies}", flush=True)
    return "refused"


if __name__ == "__main__":
    sys.exit(main())
