"""Carry out moves.tsv: move files, rewrite imports and names in texts, write packages and tables.

    python move.py [--repo CHECKOUT] [--dry-run] [--no-format]

It may be run again on a later state, also after a merge that brought new files or old imports into
moved ones: what is moved already is left alone, an import that is right already is kept, and Python
files of the product that moves.tsv does not know are reported at the end (exit status 1).
Steps: `git mv`; `__init__.py` of new folders (docstrings from folders.tsv); imports by syntax tree
and position; dotted names and paths in strings, comments and texts; PATCHES, where code finds files
by place; pyproject's tables; ruff's import order and format. Nothing is committed.
"""
from __future__ import annotations

import argparse
import ast
import collections
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOPS = ("slicer", "mocker", "verifier", "llm", "driver")
CODE = (*TOPS, "benchmarks")
WIDTH = 100

problems: list[str] = []


def say(text: str) -> None:
    problems.append(text)
    print(text)


# ------------------------------------------------------------------------------------- the tables


def rows(name: str) -> list[tuple[str, str]]:
    path = HERE / name
    if not path.exists():
        return []
    pairs = (line.split("\t") for line in path.read_text("utf-8").splitlines() if line and line[0] != "#")
    return [(pair[0], pair[1]) for pair in pairs]


def module_of(path: str) -> str:
    """`a/b.py` → `a/b`; `a/__init__.py` → `a`."""
    return path.removesuffix(".py").removesuffix("/__init__")


class Plan:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.moves = dict(rows("moves.tsv"))
        self.back = {new: old for old, new in self.moves.items()}
        self.modules = {module_of(o): module_of(n) for o, n in self.moves.items() if o.endswith(".py")}
        self.folders = {}
        """Old folder → new one, where the folder's `__init__` or all of its files went to one."""
        by_folder = collections.defaultdict(set)
        for old, new in self.moves.items():
            by_folder[old.rpartition("/")[0]].add(new.rpartition("/")[0])
        for old, new in self.moves.items():
            if old.endswith("/__init__.py"):
                self.folders[old.rpartition("/")[0]] = new.rpartition("/")[0]
        for old, places in by_folder.items():
            if len(places) == 1:
                self.folders.setdefault(old, *places)
        self._bound: dict[str, set[str]] = {}
        self.moved_now: set[str] = set()
        """Files that this run has moved: their imports are those of before."""

    # -- what is on disk after the moves
    def is_module(self, name: str) -> bool:
        return (self.root / f"{name}.py").is_file() or self.is_package(name)

    def is_package(self, name: str) -> bool:
        return (self.root / name / "__init__.py").is_file()

    def bound(self, module: str) -> set[str]:
        """Names that a module on disk binds."""
        if module not in self._bound:
            path = self.root / f"{module}.py"
            if not path.is_file():
                path = self.root / module / "__init__.py"
            self._bound[module] = bound_names(path) if path.is_file() else set()
        return self._bound[module]


def bound_names(path: Path) -> set[str]:
    """Names that are bound in it, wherever."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names.update(a.asname or a.name.partition(".")[0] for a in aliases)
            case _:
                pass
    return names


# ---------------------------------------------------------------------------------------- imports


class Imports:
    """The imports of one file, under their new names."""

    def __init__(self, plan: Plan, path: str, data: bytes) -> None:
        self.plan, self.path, self.data = plan, path, data
        self.tree = ast.parse(data)
        self.lines = data.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.edits: list[tuple[int, int, bytes]] = []
        self.renamed: dict[str, str] = {}
        old = plan.back.get(path, path)
        self.old_package, self.package = (p.split("/")[:-1] for p in (old, path))

    def at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def rewritten(self) -> bytes:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                self.from_import(node)
            elif isinstance(node, ast.Import):
                self.plain_import(node)
        self.rename_uses()
        data = self.data
        for start, end, text in sorted(self.edits, reverse=True):
            data = data[:start] + text + data[end:]
        return data

    def base(self, node: ast.ImportFrom, package: list[str]) -> str | None:
        words = (node.module or "").split(".") if node.module else []
        if node.level:
            if node.level - 1 > len(package):
                return None
            return "/".join([*package[: len(package) - node.level + 1], *words])
        if words and words[0] == "slicefunc":
            return "/".join(words[1:])
        return "/".join(words) if words and words[0] == "benchmarks" else None

    def from_import(self, node: ast.ImportFrom) -> None:
        new_base, old_base = self.base(node, self.package), self.base(node, self.old_package)
        if old_base is None and new_base is None:
            return
        if node.level == 0 and (new_base or "").split("/")[0] not in (*CODE, ""):
            return
        found: list[tuple[str, str, ast.alias]] = []  # module, name ("" where the module itself)
        changed = False
        for alias in node.names:
            place = self.place(new_base, old_base, alias.name)
            if place is None:
                if (old_base or "").split("/")[0] in CODE:
                    say(f"{self.path}:{node.lineno}: cannot place {alias.name} of {old_base}")
                return
            module, name, moved = place
            changed |= moved
            found.append((module, name, alias))
        if not changed:
            return
        groups: dict[str, list[str]] = {}
        for module, name, alias in found:
            if name:
                told = name if alias.asname is None else f"{name} as {alias.asname}"
                groups.setdefault(module, []).append(told)
                continue
            parent, _, stem = module.rpartition("/")
            told = stem if alias.asname in (None, stem) else f"{stem} as {alias.asname}"
            if alias.asname is None and stem != alias.name:
                if self.can_rename(alias.name, stem):
                    self.renamed[alias.name] = stem
                else:
                    told = f"{stem} as {alias.name}"
            groups.setdefault(parent, []).append(told)
        indent = " " * node.col_offset
        start, end = self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)
        whole = self.data[start:end]
        noted = [m.decode() for m in re.findall(rb"#[^\n]*", whole)] if b"#" in whole else []
        texts = []
        for module, names in groups.items():
            line = f"from {self.dotted(module, relative=node.level > 0)} import "
            text = line + ", ".join(names)
            if len(indent) + len(text) > WIDTH:
                text = line + "(\n" + "".join(f"{indent}    {n},\n" for n in names) + f"{indent})"
            texts.append(text)
        if noted:
            texts[0] += "  " + " ".join(noted)
            say(f"note {self.path}:{node.lineno}: a comment inside an import was kept on its first line")
        self.edits.append((start, end, f"\n{indent}".join(texts).encode()))

    def place(self, new_base: str | None, old_base: str | None, name: str) -> tuple[str, str, bool] | None:
        """Module, name in it, and whether it has moved: read as an import of before and of after."""
        plan = self.plan
        after = self.place_after(new_base, name)
        before = self.place_before(old_base, name)
        if after is None or before is None or after == before:
            found = after if before is None else before
            if found is None:
                return None
            return (*found, found != after)
        is_old = self.path in plan.moved_now
        if is_old or old_base == new_base:  # else it is an import that an earlier run has written
            say(f"{self.path}: {name} of {old_base}: {before} before, {after} after; taken as {'before' if is_old else 'after'}")
        return (*(before if is_old else after), is_old)

    def place_after(self, base: str | None, name: str) -> tuple[str, str] | None:
        plan = self.plan
        if base is None:
            return None
        bound = plan.bound(base) if plan.is_module(base) else set()
        if name in bound:
            return base, name
        if plan.is_module(f"{base}/{name}" if base else name):
            whole = f"{base}/{name}" if base else name
            if plan.is_package(whole) and whole in plan.modules and plan.modules[whole] != whole:
                return None  # a folder of ours holds what was a module: nobody imports the folder
            return whole, ""
        return None

    def place_before(self, base: str | None, name: str) -> tuple[str, str] | None:
        plan = self.plan
        if base is None:
            return None
        module = plan.modules.get(base)
        if module is not None and name in plan.bound(module):
            return module, name
        sub = plan.modules.get(f"{base}/{name}")
        return None if sub is None else (sub, "")

    def dotted(self, module: str, *, relative: bool) -> str:
        parts = [p for p in module.split("/") if p]
        if not relative:
            return ".".join(parts if parts and parts[0] == "benchmarks" else ["slicefunc", *parts])
        same = 0
        while same < min(len(parts), len(self.package)) and parts[same] == self.package[same]:
            same += 1
        return "." * (len(self.package) - same + 1) + ".".join(parts[same:])

    def plain_import(self, node: ast.Import) -> None:
        for alias in node.names:
            words = alias.name.split(".")
            if words[0] not in {"slicefunc", "benchmarks"} or len(words) < 2:
                continue
            new = new_dotted(self.plan, alias.name)
            if new != alias.name:
                start = self.at(alias.lineno, alias.col_offset)
                self.edits.append((start, start + len(alias.name), new.encode()))
            if alias.asname is None:
                self.dotted_uses(words[0])

    def dotted_uses(self, top: str) -> None:
        inner: set[int] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and id(node) not in inner:
                words, at = [], node
                while isinstance(at, ast.Attribute):
                    words.append(at.attr)
                    inner.add(id(at))
                    at = at.value
                if isinstance(at, ast.Name) and at.id == top:
                    told = ".".join([top, *reversed(words)])
                    new = new_dotted(self.plan, told)
                    if new != told:
                        start = self.at(node.lineno, node.col_offset)
                        edit = (start, self.at(node.end_lineno, node.end_col_offset), new.encode())
                        if edit not in self.edits:
                            self.edits.append(edit)

    def can_rename(self, old: str, new: str) -> bool:
        for node in ast.walk(self.tree):
            match node:
                case ast.Name(id=name, ctx=ctx) if name == new or (name == old and not isinstance(ctx, ast.Load)):
                    return False
                case ast.arg(arg=name) if name in {old, new}:
                    return False
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) if name in {old, new}:
                    return False
                case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name) if name in {old, new}:
                    return False
                case ast.Import(names=names) | ast.ImportFrom(names=names) if any((a.asname or a.name) == new for a in names):
                    return False
                case _:
                    pass
        return True

    def rename_uses(self) -> None:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and node.id in self.renamed:
                start = self.at(node.lineno, node.col_offset)
                self.edits.append((start, start + len(node.id), self.renamed[node.id].encode()))


# ------------------------------------------------------------------------------------------ texts

DOTTED = re.compile(r"\b(?:slicefunc|benchmarks)(?:\.[A-Za-z_]\w*)+")
PATH = re.compile(r"(?<![\w./-])(?:\./)?(?:slicer|mocker|verifier|llm|driver|benchmarks)/[\w./-]*\w/?")


def new_dotted(plan: Plan, told: str) -> str:
    words = told.split(".")
    product = words[0] == "slicefunc"
    parts = words[1:] if product else words
    old_length = next((k for k in range(len(parts), 0, -1) if "/".join(parts[:k]) in plan.modules), 0)
    new_length = next((k for k in range(len(parts), 0, -1) if plan.is_module("/".join(parts[:k]))), 0)
    if not old_length or new_length > old_length:
        return told
    old = "/".join(parts[:old_length])
    if new_length == old_length and not plan.is_package(old):
        return told
    new = plan.modules[old].split("/")
    return ".".join([*(["slicefunc"] if product else []), *new, *parts[old_length:]])


def new_path(plan: Plan, told: str) -> str:
    slash = "/" if told.endswith("/") else ""
    bare = told.rstrip("/").removeprefix("./")
    prefix = "./" if told.startswith("./") else ""
    if bare in plan.moves:
        return prefix + plan.moves[bare]
    if f"{bare}.py" in plan.moves and not slash and not (plan.root / bare).is_dir():
        return prefix + module_of(plan.moves[f"{bare}.py"])
    if bare in plan.folders and not (plan.root / bare).is_dir():
        return prefix + plan.folders[bare] + slash
    return told


def rewrite_text(plan: Plan, text: str) -> str:
    text = DOTTED.sub(lambda m: new_dotted(plan, m.group()), text)
    return PATH.sub(lambda m: new_path(plan, m.group()), text)


def rewrite_strings(plan: Plan, data: bytes) -> bytes:
    """Names in string literals and comments; f-strings are one token up to Python 3.11."""
    lines = data.decode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    text = "".join(lines)
    edits = []
    kinds = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in kinds and ("/" in token.string or "." in token.string):
            new = rewrite_text(plan, token.string)
            if new != token.string:
                begin = starts[token.start[0] - 1] + token.start[1]
                edits.append((begin, begin + len(token.string), new))
    for begin, end, new in reversed(edits):
        text = text[:begin] + new + text[end:]
    return text.encode()


# ------------------------------------------------------------------ where code finds files by place

PATCHES: list[tuple[str, str, str]] = [
    # a piece of the runtime is found by its name, wherever its family keeps it
    ("mocker/core/runtime_pieces.py", "from importlib.resources import files\n", ""),
    ("mocker/core/runtime_pieces.py",
     '    text = (files(__package__ or "") / "runtime" / f"{name}.py").read_text(encoding="utf-8")\n',
     "    text = runtime_text(name)\n"),
    ("mocker/core/runtime_pieces.py",
     "    needs = [node.module for node in body if isinstance(node, ast.ImportFrom) and node.level]\n",
     "    needs = sorted(\n"
     '        (node.module or "").rpartition(".")[2]\n'
     "        for node in body\n"
     "        if isinstance(node, ast.ImportFrom) and node.level\n"
     "    )\n"),
    ("mocker/core/runtime_pieces.py",
     'case ast.ImportFrom(module="__future__") | ast.ImportFrom(level=1):',
     'case ast.ImportFrom(module="__future__") | ast.ImportFrom(level=1 | 2 | 3 | 4 | 5):'),
    ("mocker/core/runtime_pieces.py", "\nfrom ...slicer.syntax.nodes import walk\n",
     "\nfrom ...slicer.syntax.nodes import walk\nfrom ..world import runtime_text\n"),
    ("mocker/world/__init__.py",
     "A piece imports other pieces by `from .name import …` and nothing else of slice-func; in a script\n",
     "A piece imports other pieces, by relative imports, and nothing else of slice-func; in a script\n"),
    ("mocker/world/__init__.py",
     'from importlib.resources import files\n\n\ndef runtime_text(name: str) -> str:\n'
     '    """The source of a file in here."""\n'
     '    return (files(__package__ or "") / f"{name}.py").read_text(encoding="utf-8")\n',
     'from functools import cache\nfrom pathlib import Path\n\n\ndef runtime_text(name: str) -> str:\n'
     '    """The source of a piece, by its name: those of all families have different ones."""\n'
     '    return runtime_files()[name].read_text(encoding="utf-8")\n\n\n'
     '@cache\ndef runtime_files() -> dict[str, Path]:\n'
     '    """The file of each piece: what all families share lies here, the rest beside its family."""\n'
     '    here = Path(__file__).parent\n'
     '    files = [*here.glob("*/*.py"), *here.parent.glob("families/*/*/runtime/*.py")]\n'
     '    return {file.stem: file for file in files if file.stem != "__init__"}\n'),
    ("mocker/families/machine/hardware/family.py",
     '    folder = files("slicefunc.mocker") / "runtime" / "hardware"\n',
     '    folder = files(__package__ or "") / "modules"\n'),
    ("mocker/families/__init__.py",
     'found: Family = import_module(f".{self.module}", __name__).FAMILY',
     'found: Family = import_module(f".{self.module}.family", __name__).FAMILY'),
    ("mocker/families/__init__.py", '"""Its file in this folder."""', '"""Its folder in this one, dotted."""'),
    # what runs inside the sandbox
    ("verifier/execution/executors/host/bubblewrap.py",
     'SANDBOXED = Path(__file__).resolve().parent.parent / "sandboxed"',
     'SANDBOXED = Path(__file__).resolve().parents[3] / "sandbox"'),
    ("verifier/execution/executors/host/bubblewrap.py", "maxlevels=0", "maxlevels=2"),
    ("verifier/sandbox/state/determinism.py",
     'label.partition(".")[0] == __package__:',
     'label.partition(".")[0] == __package__.partition(".")[0]:'),
    ("verifier/sandbox/cases/run_script.py",
     "_OWN_FOLDER = os.path.dirname(__file__) + os.sep",
     "_OWN_FOLDER = os.path.dirname(os.path.dirname(__file__)) + os.sep"),
    ("verifier/sandbox/contained.py",
     '    for name in sorted(os.listdir(folder)):\n'
     '        if name.endswith(".py"):\n'
     '            with open(f"{folder}/{name}", "rb") as file:\n'
     '                state.update(f"{name}\\0".encode() + file.read() + b"\\0")\n',
     '    for place, folders, names in os.walk(folder):\n'
     '        folders.sort()\n'
     '        for name in sorted(names):\n'
     '            if name.endswith(".py"):\n'
     '                with open(f"{place}/{name}", "rb") as file:\n'
     '                    state.update(f"{name}\\0".encode() + file.read() + b"\\0")\n'),
    ("driver/pipeline/recording/recording_cache.py",
     '_RECORDER = ("called.py", "determinism.py", "likeness.py", "notes.py", "written.py")',
     '_RECORDER = (\n    "recording/record_calls.py",\n    "state/determinism.py",\n    "recording/likeness.py",\n'
     '    "recording/notes.py",\n    "recording/reprs.py",\n)'),
    ("verifier/evidence/repair/observed_execution.py",
     '(files(__package__ or "") / "execution_in_place.py")',
     '(files(in_place_script.__package__ or "") / "execution_in_place.py")'),
    ("verifier/evidence/repair/observed_execution.py",
     "\nfrom ..in_place.", "\nfrom ..in_place import in_place_script\nfrom ..in_place."),
    # data beside modules
    ("driver/record/record_schema.py",
     'files("slicefunc.driver").joinpath("environment.schema.json")',
     'files(__package__ or "").joinpath("environment.schema.json")'),
    ("llm/prompts/prompts.py", '_FOLDER = Path(__file__).parent / "prompts"', "_FOLDER = Path(__file__).parent"),
    # benchmarks
    ("benchmarks/common/report.py", "ROOT = Path(__file__).resolve().parent.parent\n", "ROOT = Path(__file__).resolve().parents[2]\n"),
    ("benchmarks/common/report.py", 'RESULTS = Path(__file__).with_name("results")', 'RESULTS = ROOT / "benchmarks" / "results"'),
    ("benchmarks/repost/repost.py", 'RESULTS = Path(__file__).with_name("results")', 'RESULTS = Path(__file__).parent.with_name("results")'),
    ("benchmarks/replay/replay.py", "root = Path(__file__).resolve().parent.parent\n", "root = Path(__file__).resolve().parents[2]\n"),
    ("benchmarks/replay/sandbox.py", "_ROOT = Path(__file__).resolve().parent.parent\n", "_ROOT = Path(__file__).resolve().parents[2]\n"),
    ("benchmarks/sources/sdists.py", 'Path(__file__).resolve().parent.parent / ".work"', 'Path(__file__).resolve().parents[2] / ".work"'),
    ("benchmarks/slices/fourways.py", 'RUNNER = Path(__file__).with_name("fourways_runner.py")', 'RUNNER = Path(__file__).parents[1] / "sources" / "fourways_runner.py"'),
    ("benchmarks/mocks/run_mocked.py", 'CHILD = Path(__file__).with_name("mocks_child.py")', 'CHILD = Path(__file__).with_name("mocked_child.py")'),
    ("benchmarks/cases/case_tools.py", 'PARTS = ROOT / "verifier" / "sandboxed"', 'PARTS = ROOT / "verifier" / "sandbox"'),
    ("benchmarks/speed/observation_cost.py", "from sandboxed.encode import encode", "from sandbox.encoders.encode import encode"),
]
"""File in the new layout, text that it had, text in its place. Done ones and absent files are skipped."""


def family_names(plan: Plan) -> dict[str, str]:
    """`requests_http` → `http.requests`."""
    prefix = "mocker/families/"
    return {
        Path(old).stem: new.removeprefix(prefix).rpartition("/")[0].replace("/", ".")
        for old, new in plan.moves.items()
        if old.startswith(prefix) and new.endswith("/family.py")
    }


def patch(plan: Plan) -> None:
    for name, before, after in PATCHES:
        path = plan.root / name
        if not path.is_file():
            say(f"patch: no file {name}")
            continue
        text = path.read_text("utf-8")
        if before not in text:
            if after in text:
                continue
            say(f"patch: {name} has no {before.strip()[:70]!r}")
            continue
        path.write_text(text.replace(before, after, 1), "utf-8")
    listed = plan.root / "mocker/families/__init__.py"
    if listed.is_file():
        names = family_names(plan)
        text = listed.read_text("utf-8")
        text = re.sub(r'(_listed\(\s*)"(\w+)"', lambda m: f'{m[1]}"{names.get(m[2], m[2])}"', text)
        listed.write_text(text, "utf-8")
    homes = plan.root / "verifier/execution/environments/__init__.py"
    if homes.is_file():
        stems = {Path(o).stem: module_of(n).removeprefix("verifier/execution/environments/").replace("/", ".")
                 for o, n in plan.moves.items() if o.startswith("verifier/environments/")}
        head, _, tail = homes.read_text("utf-8").partition("_HOMES")
        tail = re.sub(r'(": )"(\w+)"', lambda m: f'{m[1]}"{stems.get(m[2], m[2])}"', tail)
        homes.write_text(f"{head}_HOMES{tail}", "utf-8")


# -------------------------------------------------------------------------------- packages, tables


def make_packages(plan: Plan) -> None:
    said = dict(rows("folders.tsv"))
    folders = {f.parent for top in CODE for f in (plan.root / top).rglob("*.py")}
    for folder in sorted(folders):
        at = folder
        while at != plan.root:
            inside = at.relative_to(plan.root).as_posix()
            is_script_folder = inside.endswith(("_children", "/observer"))
            if not (at / "__init__.py").exists() and not is_script_folder:
                text = said.get(inside, inside.rpartition("/")[2].replace("_", " ").capitalize() + ".")
                if inside not in said and (at / "family.py").exists():
                    text = (ast.get_docstring(ast.parse((at / "family.py").read_bytes())) or text).split("\n")[0]
                elif inside not in said and inside.endswith("/runtime"):
                    text = "What scripts carry of this family."
                (at / "__init__.py").write_text(f'"""{text}"""\n', "utf-8")
                git(plan.root, "add", "-N", f"{inside}/__init__.py")
            at = at.parent


def packages_on_disk(root: Path) -> list[str]:
    return sorted({f.parent.relative_to(root).as_posix() for top in TOPS for f in (root / top).rglob("*.py")})


GLOBS = (
    ("mocker/runtime/{hardware/**,stand_in_*.py}", "mocker/families/**/{modules/**,runtime/stand_in_*.py}"),
    ('"mocker/runtime/**" = [', '"mocker/{world,families/*/*/runtime,families/machine/hardware/modules}/**" = ['),
    ('"mocker/runtime", "verifier/evidence/*_in_place.py"', '"mocker/world", "mocker/families/*/*/runtime", "mocker/families/machine/hardware/modules",\n    "verifier/evidence/in_place/*_in_place.py"'),
    ("verifier/environments/**", "verifier/execution/environments/**"),
    ("verifier/evidence/*_in_place.py", "verifier/evidence/in_place/*_in_place.py"),
    ("verifier/rewrites/**", "verifier/scoring/rewrites/**"),
    ("verifier/sandboxed/**", "verifier/sandbox/**"),
    ("tests/verifier/scoring/rewrites/**", "tests/verifier/rewrites/**"),
    ("driver/{arguments,console}.py", "driver/{cli/grammar,console}.py"),
    ("benchmarks/*_children/**", "benchmarks/**/*_children/**"),
    ("benchmarks/graph_children/**", "benchmarks/graphs/graph_children/**"),
)


def write_pyproject(plan: Plan) -> None:
    path = plan.root / "pyproject.toml"
    text = path.read_text("utf-8")
    names = packages_on_disk(plan.root)
    dotted = [f"slicefunc.{n.replace('/', '.')}" for n in names]
    begin, end = text.index("[tool.setuptools]\n"), text.index("[tool.setuptools.package-data]")
    table = "[tool.setuptools]\npackages = [\n" + "".join(f'    "{d}",\n' for d in dotted) + "]\n\n"
    table += "[tool.setuptools.package-dir]\n" + "".join(f'"{d}" = "{n}"\n' for d, n in zip(dotted, names)) + "\n"
    text = text[:begin] + table + text[end:]
    text = text.replace('"slicefunc.llm" = ["py.typed", "prompts/*.md"]', '"slicefunc.llm" = ["py.typed"]\n"slicefunc.llm.prompts" = ["*.md"]')
    text = text.replace('"slicefunc.driver" = ["py.typed", "environment.schema.json"]', '"slicefunc.driver" = ["py.typed"]\n"slicefunc.driver.record" = ["environment.schema.json"]')
    for before, after in GLOBS:
        if after not in text:
            text = text.replace(before, after)
    begin = text.index("[[tool.importlinter.contracts]]")
    end = text.index("[tool.pytest.ini_options]")
    text = text[:begin] + contracts(plan) + text[end:]
    begin, end = text.index("[tool.setuptools.package-data]"), text.index("[tool.ruff]\n")
    head, tail = text[:begin], text[begin:]
    tail = PATH.sub(lambda m: new_path(plan, m.group()), tail)
    text = rewrite_text_outside(plan, head) + tail
    path.write_text(text, "utf-8")


def rewrite_text_outside(plan: Plan, text: str) -> str:
    begin, end = text.index("[tool.setuptools]\n"), len(text)
    return rewrite_text(plan, text[:begin]) + text[begin:end]


FIXED_CONTRACTS = '''
[[tool.importlinter.contracts]]
name = "Mock families do not know one another"
type = "independence"
modules = ["slicefunc.mocker.families.*.*"]

[[tool.importlinter.contracts]]
name = "The trusted half of an observation runs nothing that came from the other"
type = "forbidden"
source_modules = ["slicefunc.verifier.observation"]
forbidden_modules = ["slicefunc.verifier.sandbox", "pickle", "marshal", "subprocess", "socket"]
allow_indirect_imports = true

[[tool.importlinter.contracts]]
name = "Slicing starts no process and opens no connection"
type = "forbidden"
source_modules = ["slicefunc.slicer"]
forbidden_modules = ["subprocess", "socket", "ssl", "urllib", "http", "asyncio"]
allow_indirect_imports = true

'''


def contracts(plan: Plan) -> str:
    """Layers for every folder that has folders in it, from what imports what: generated, then held."""
    graph = collections.defaultdict(set)
    for top in TOPS:
        for file in sorted((plan.root / top).rglob("*.py")):
            path = file.relative_to(plan.root).as_posix()
            for module in imported(plan, path, file.read_bytes()):
                if module.split("/")[0] in TOPS:
                    graph[module_of(path)].add(module)
    out = ['[[tool.importlinter.contracts]]\nname = "The arrows run one way"\ntype = "layers"\nlayers = [\n'
           '    "slicefunc.driver",\n    "slicefunc.llm | slicefunc.verifier",\n    "slicefunc.mocker",\n    "slicefunc.slicer",\n]\n']
    for folder in packages_on_disk(plan.root):
        entries = {p.stem if p.is_file() else p.name for p in (plan.root / folder).iterdir()
                   if (p.suffix == ".py" and p.stem != "__init__") or (p / "__init__.py").exists()}
        if len(entries) < 2 or not any((plan.root / folder / e).is_dir() for e in entries):
            continue
        if folder.startswith("mocker/families/") or folder == "mocker/families":
            continue  # independent, and too many to be listed
        needs = {e: set() for e in entries}
        for module, targets in graph.items():
            if not module.startswith(folder + "/"):
                continue
            left = module[len(folder) + 1 :].split("/")[0]
            for target in targets:
                right = target[len(folder) + 1 :].split("/")[0] if target.startswith(folder + "/") else ""
                rights = [right]
                if target == folder:  # what the folder's own `__init__` gathers
                    rights = [t[len(folder) + 1 :].split("/")[0] for t in graph[folder]]
                needs[left].update(r for r in rights if r in entries and r != left and left in entries)
        level: dict[str, int] = {}
        circle: set[str] = set()

        def height(e: str, above: tuple[str, ...]) -> int:
            if e in above:
                circle.update(above[above.index(e):])
                return 0
            if e not in level:
                level[e] = 1 + max((height(n, (*above, e)) for n in sorted(needs[e])), default=0)
            return level[e]

        for e in sorted(entries):
            height(e, ())
        if circle:
            say(f"note: no layers for {folder}/, where {', '.join(sorted(circle))} import one another")
            continue
        layers = collections.defaultdict(list)
        for e in sorted(entries):
            layers[level[e]].append(e)
        lines = "".join(f'    "{" | ".join(layers[k])}",\n' for k in sorted(layers, reverse=True))
        name = folder.replace("/", ".")
        out.append(f'\n[[tool.importlinter.contracts]]\nname = "Layers of {name}"\ntype = "layers"\n'
                   f'containers = ["slicefunc.{name}"]\nexhaustive = true\nlayers = [\n{lines}]\n')
    return "".join(out) + FIXED_CONTRACTS


def imported(plan: Plan, path: str, data: bytes):
    tree = ast.parse(data)
    package = path.split("/")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = [*package[: len(package) - node.level + 1], *((node.module or "").split(".") if node.module else [])]
            elif (node.module or "").startswith("slicefunc."):
                base = (node.module or "").split(".")[1:]
            else:
                continue
            for alias in node.names:
                whole = "/".join([*base, alias.name])
                yield whole if plan.is_module(whole) else "/".join(base)


def wrap_docstrings(path: Path) -> None:
    """Break lines of docstrings that a longer name has made too long."""
    data = path.read_text("utf-8")
    lines = data.splitlines(keepends=True)
    if not any(len(line) > WIDTH + 1 for line in lines):
        return
    inside: set[int] = set()
    for node in ast.walk(ast.parse(data)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            inside.update(range(node.lineno + 1, (node.end_lineno or 0) + 1))
    out = []
    for at, line in enumerate(lines, 1):
        while at in inside and len(line) > WIDTH + 1 and line.rfind(" ", 0, WIDTH) > len(line) - len(line.lstrip()):
            cut = line.rfind(" ", 0, WIDTH + 1)
            indent = line[: len(line) - len(line.lstrip())]
            out.append(line[:cut].rstrip() + "\n")
            line = indent + line[cut + 1 :]
        out.append(line)
    path.write_text("".join(out), "utf-8")


# -------------------------------------------------------------------------------------------- main


def git(root: Path, *words: str) -> str:
    return subprocess.run(("git", *words), cwd=root, check=True, capture_output=True, text=True).stdout


def move(plan: Plan, *, dry: bool) -> int:
    count = 0
    tracked = set(git(plan.root, "ls-files", "-z").split("\0"))
    for old, new in sorted(plan.moves.items()):
        if old == new:
            continue
        source, target = plan.root / old, plan.root / new
        if source.is_file() and not target.exists():
            count += 1
            if not dry:
                target.parent.mkdir(parents=True, exist_ok=True)
                git(plan.root, "mv", old, new) if old in tracked else source.rename(target)
                plan.moved_now.add(new)
        elif source.is_file() and target.exists():
            say(f"both {old} and {new} exist: merge by hand")
        elif not target.exists():
            say(f"gone: {old} (remove its row from moves.tsv)")
    return count


def unknown(plan: Plan) -> list[str]:
    known = set(plan.moves) | set(plan.moves.values())
    files = git(plan.root, "ls-files", "-z", *CODE).split("\0")
    return [f for f in files if f.endswith(".py") and f not in known and not f.endswith("/__init__.py")
            and (plan.root / f).is_file()]


def remove_empty_folders(plan: Plan) -> None:
    """Folders that only bytecode is left in."""
    for folder in sorted({f.rpartition("/")[0] for f in plan.moves}, key=len, reverse=True):
        place = plan.root / folder
        if place.is_dir() and not git(plan.root, "ls-files", folder).strip():
            for kept in [*place.rglob("__pycache__/*.pyc")]:
                kept.unlink()
            for each in sorted([p for p in place.rglob("*") if p.is_dir()], key=lambda p: -len(p.parts)):
                if not any(each.iterdir()):
                    each.rmdir()
            if not any(place.iterdir()):
                place.rmdir()


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path, default=Path.cwd())
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--no-format", action="store_true")
    options = parser.parse_args(argv)
    plan = Plan(options.repo.resolve())
    lost = unknown(plan)
    for each in lost:
        say(f"missing from moves.tsv: {each}")
    count = move(plan, dry=options.dry_run)
    print(f"{count} files moved")
    if options.dry_run:
        return bool(lost)
    remove_empty_folders(plan)
    make_packages(plan)
    files = git(plan.root, "ls-files", "-z", *CODE, "tests").split("\0")
    changed = 0
    rewritten: list[str] = []
    for name in filter(None, files):
        path = plan.root / name
        if not name.endswith(".py") or not path.is_file() or path.is_symlink():
            continue
        data = path.read_bytes()
        if b"slicefunc" not in data and b"import" not in data and b"/" not in data:
            continue
        try:
            new = rewrite_strings(plan, Imports(plan, name, data).rewritten())
        except SyntaxError as error:
            say(f"not parsed: {name}: {error}")
            continue
        if new != data:
            changed += 1
            rewritten.append(name)
            path.write_bytes(new)
    for name in git(plan.root, "ls-files", "-z").split("\0"):
        path = plan.root / name
        is_text = name.endswith((".md", ".yml")) or name.startswith(".ci/") or name.endswith(("Dockerfile", ".gitattributes"))
        if is_text and not name.startswith("fixtures/") and name != "CHANGELOG.md" and path.is_file():
            text = path.read_text("utf-8")
            new = rewrite_text(plan, text)
            if new != text:
                changed += 1
                path.write_text(new, "utf-8")
    patch(plan)
    plan._bound.clear()
    write_pyproject(plan)
    print(f"{changed} files rewritten", *(rewritten if len(rewritten) < 20 else ()))
    for name in filter(None, git(plan.root, "ls-files", "-z", *CODE).split("\0")):
        path = plan.root / name
        carried = name.startswith(("mocker/world/", "mocker/families/"))  # scripts hold it as it is
        if name.endswith(".py") and not carried and path.is_file() and not path.is_symlink():
            wrap_docstrings(path)
    if not options.no_format:
        ruff = [sys.executable, "-m", "ruff"]
        subprocess.run([*ruff, "check", "--quiet", "--select", "I", "--fix", *CODE, "tests"], cwd=plan.root)
        subprocess.run([*ruff, "format", "--quiet", *CODE, "tests"], cwd=plan.root)
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
