"""Import roots: where the imports of a file are searched, and the file's own module name."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from .file_tree import FileTree, join

STDLIB = sys.stdlib_module_names


def import_roots(tree: FileTree, given: Sequence[str], path: str) -> tuple[str, ...]:
    """Return the folders in which an absolute import of the file is searched, in order.

    They are: the user's roots; the root of the file's own package, or its own folder; every folder
    above up to the repository's root, each with its `src` and `lib`; and last the file's own folder
    and its parents inside the package, for programs that lie inside a package.
    """
    own = path.rpartition("/")[0]
    folder = package_root(tree, path)
    roots = [*given, folder]
    while True:
        roots += [folder, join(folder, "src"), join(folder, "lib")]
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    roots += [own, *inner_folders(tree, own)]
    return tuple(dict.fromkeys(root for root in roots if tree.is_folder(root)))


def inner_folders(tree: FileTree, own: str) -> Iterator[str]:
    """Yield the packages that enclose a folder inside its top-level package, innermost first."""
    while (own := own.rpartition("/")[0]) and "__init__.py" in tree.listing(own):
        yield own


def package_root(tree: FileTree, path: str) -> str:
    """Return the folder above the file's topmost regular package, or its own folder."""
    folder = path.rpartition("/")[0]
    while folder and "__init__.py" in tree.listing(folder):
        folder = folder.rpartition("/")[0]
    return folder


def module_name(
    tree: FileTree,
    given: Sequence[str],
    path: str,
    read: Callable[[], str],
    others: Callable[[str], Iterable[str]] = lambda _package: (),
    siblings: Callable[[str], Mapping[str, str]] = lambda _folder: {},
) -> str:
    """Return the dotted module name of a file.

    The import root is the folder above its topmost regular package. It is a folder further up if a
    file of that package imports it by the longer name (namespace packages), or if the file's own
    relative imports lead there. It is a folder inside the package if the file imports its own
    package from there.

    Args:
        tree: the tree that contains the file.
        given: import roots that the user has named.
        path: path of the file.
        read: returns its text, called only if needed.
        others: returns the texts of the files of a package, given its folder.
        siblings: returns the texts of the files in a folder, keyed by file name.
    """
    parts = list(PurePosixPath(path).with_suffix("").parts)
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    top = package_root(tree, path)
    shortest = len(top.split("/")) if top else 0
    for root in given:
        depth = len(root.split("/")) if root else 0
        if (not root or path.startswith(root + "/")) and depth <= shortest:
            return ".".join(parts[depth:])
    text = read()
    own = parts[shortest]
    package = join(top, own) if len(parts) > shortest + 1 or path.endswith("__init__.py") else ""
    for depth in range(shortest):
        longer = ".".join(parts[depth : shortest + 1])
        prefix = re.escape(longer)
        if re.search(
            rf"^[ \t]*(?:from|import)\s+{prefix}\b|([\"']){prefix}(?:\.\w+)*\1", text, re.M
        ):
            return ".".join(parts[depth:])
        if package and any(_imports(each, longer) for each in others(package)):
            return ".".join(parts[depth:])  # one file, one name: relative imports follow it
        if not package and _is_imported_by_sibling(parts, depth, longer, siblings):
            return ".".join(parts[depth:])
        # in `site/site/a.py`, an import of `site` means the inner folder
        folder = "/".join(parts[: depth + 1])
        if (
            parts[depth] not in ("src", own, *STDLIB)
            and _imports(text, parts[depth])
            and may_mean(tree, folder, text)
        ):
            return ".".join(parts[depth:])
    is_package = path.endswith("__init__.py")
    if len(parts) == shortest + 1 and _imports(text, own):
        name = _name_with_namesake(tree, parts, text, is_package=is_package)
        if name is not None:
            return name
    for depth in range(shortest + 1, len(parts) - (not is_package)):
        inside = others("/".join(parts[: depth + 1])) if parts[depth - 1] == "src" else ()
        if any(_begins_inside(tree, parts, depth, each, siblings) for each in (text, *inside)):
            return ".".join(parts[depth:])
    texts = [text]
    around = siblings(path.rpartition("/")[0]).values() if shortest and not is_package else ()
    if _dots(texts) or any(_imports_beside(each, parts[-1]) for each in around):
        texts += around  # they belong to the same package
    return _climbed_name(tree, parts, shortest, texts, is_package=is_package)


def _name_with_namesake(
    tree: FileTree, parts: Sequence[str], text: str, *, is_package: bool
) -> str | None:
    """Return the dotted name of a file that imports another module with its own name."""
    own = parts[-1]
    # a module of the same name is further up, so the file itself has a longer name
    for depth in range(len(parts) - 2, -1, -1):
        above = tree.listing("/".join(parts[:depth]))
        if f"{own}.py" in above or f"{own}/" in above:
            return ".".join(parts[depth:])
    # a package may import its own modules by its own name
    if len(parts) > 1 and not is_package and _imports_itself(text, own):
        return ".".join(parts[-2:])  # it is the library of that name
    return None


def _is_imported_by_sibling(
    parts: Sequence[str], depth: int, name: str, siblings: Callable[[str], Mapping[str, str]]
) -> bool:
    """Whether a file there, or where the name begins, imports the module by that name."""
    folders = dict.fromkeys(("/".join(parts[:-1]), "/".join(parts[:depth])))
    texts = (text for folder in folders for text in siblings(folder).values())
    package, _, own = name.rpartition(".")
    taken = re.compile(
        rf"^[ \t]*from\s+{re.escape(package)}\s+import\b[^\n]*\b{own}\b", re.MULTILINE
    )
    return any(package in text and (_imports(text, name) or taken.search(text)) for text in texts)


def _imports_beside(text: str, own: str) -> bool:
    """Whether a file imports the module of that name beside it by a relative import."""
    name = re.escape(own)
    return bool(
        re.search(rf"^[ \t]*from[ \t]+\.(?:{name}\b|[ \t]+import\b[^\n]*\b{name}\b)", text, re.M)
    )


def _dots(texts: Iterable[str]) -> int:
    """Return the largest number of dots that a relative import begins with."""
    found = (re.findall(r"^[ \t]*from[ \t]+(\.+)", text, re.M) for text in texts)
    return max((len(dots) for each in found for dots in each), default=0)


def _climbed_name(
    tree: FileTree, parts: list[str], depth: int, texts: Sequence[str], *, is_package: bool
) -> str:
    """Return the name below a root, or below a higher root that relative imports reach."""
    dots = _dots(texts)
    while depth and dots > len(parts) - depth - (not is_package):
        depth -= 1  # a relative import proves that the folders it climbs are packages
    if dots:
        # a folder inside a package belongs to it, even without `__init__.py`
        above = [d for d in range(1, depth + 1) if _is_package(tree, parts[:d])]
        depth = above[0] - 1 if above else depth
    if parts == ["__init__"] and dots:
        return root_package(tree)
    if not depth and dots > len(parts) - (not is_package):
        parts.insert(0, root_package(tree))
    return ".".join(parts[depth:])


def _is_package(tree: FileTree, parts: Sequence[str]) -> bool:
    return "__init__.py" in tree.listing("/".join(parts))


def _begins_inside(
    tree: FileTree, parts: Sequence[str], depth: int, text: str,
    siblings: Callable[[str], Mapping[str, str]],
) -> bool:  # fmt: skip
    """Whether a nested package is imported by its own top-level name in one of its files.

    It is in `backend/apps/users/views.py`, where `backend` is a package and contains `manage.py`.
    It is not in `latex/lark/transformer.py`, which imports names that the package lacks, hence from
    the library.
    """
    own = parts[depth]
    if own in (*parts[:depth], *STDLIB) or not _imports(text, own):
        return False
    folder = "/".join(parts[: depth + 1])
    inside = {name.rstrip("/").removesuffix(".py") for name in tree.listing(folder)}
    if not could_provide(siblings(folder).get("__init__.py", ""), own, text, frozenset(inside)):
        return False
    above = ["/".join(parts[:d]) for d in range(depth)]
    places = {join(each, place) for each in above for place in ("", "src")}
    elsewhere = map(tree.listing, sorted(places - {"/".join(parts[:depth])}))
    return not any(f"{own}/" in names or f"{own}.py" in names for names in elsewhere)


def root_package(tree: FileTree) -> str:
    """Return the name of the repository's own folder as a package, if its files treat it as one."""
    return re.sub(r"\W", "_", tree.path.name) or "_"


def may_mean(tree: FileTree, folder: str, text: str) -> bool:
    """Whether the imports of a file from a package of the folder's name could be in the folder.

    A folder without `__init__.py` provides only its files: in `examples/flask/app.py`, `from flask
    import Flask` means the distribution.
    """
    names = tree.listing(folder)
    if "__init__.py" in names:
        return True
    top = re.escape(folder.rpartition("/")[2])
    found = re.findall(
        rf"^[ \t]*(?:import[ \t]+{top}(?:\.(\w+))?"
        rf"|from[ \t]+{top}(?:\.(\w+))?[ \t]+import[ \t(]+(\w*))\b",
        text,
        re.M,
    )
    wanted = {submodule or below or name for submodule, below, name in found} - {""}
    return not wanted or any(name.rstrip("/").partition(".")[0] in wanted for name in names)


def could_provide(
    sibling: str, name: str, text: str, submodules: frozenset[str] | None = None
) -> bool:
    """Whether an import in a module of a package could mean the sibling module of that name.

    It could in a program that lies inside the package. It does not if the sibling imports that name
    itself, as wrappers of a library do, or if the sibling lacks the names that are imported or
    accessed. A package provides what its `__init__.py` mentions, and its submodules.

    Args:
        sibling: text of the sibling module.
        name: name of the sibling module.
        text: text of the importing module.
        submodules: submodules of the sibling, if it is a package.
    """
    if submodules is None and _imports(sibling, name):
        return False
    pattern = rf"^[ \t]*from[ \t]+{re.escape(name)}[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n(]+))"
    for one, other in re.findall(pattern, text, re.M):
        wanted = [part.split()[0] for part in (one or other).split(",") if part.split()]
        wanted = [w for w in wanted if w != "*" and w not in (submodules or ())]
        if any(re.search(rf"\b{re.escape(w)}\b", sibling) is None for w in wanted):
            return False
    known = [
        name,
        *re.findall(rf"^[ \t]*import[ \t]+{re.escape(name)}[ \t]+as[ \t]+(\w+)", text, re.M),
    ]
    names = "|".join(map(re.escape, known))
    accessed = set(re.findall(rf"(?<![\w.])(?:{names})\.(\w+)", text)) - (submodules or set())
    # `name.py` is the file, in a text or comment
    return all(_binds(sibling, word) for word in sorted(accessed - {"py"}))


def _binds(text: str, word: str) -> bool:
    """Whether a line of the text seems to bind the name, or may bind any name."""
    bound = (
        rf"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+{word}\b"
        rf"|^[ \t]*{word}\b[\w, \t]*(?::[^=\n]*)?=|^[ \t]*\w[\w, \t]*,[ \t]*{word}\b[\w, \t]*="
        rf"|\bimport\b[^\n]*\b{word}\b|\bimport[ \t]*\([^)]*\b{word}\b"
        rf"|\bimport[ \t]*\*|\bglobals\(\)|\bdef[ \t]+__getattr__\b|\b__dict__\b"
    )
    return word.startswith("__") or re.search(bound, text, re.M) is not None


def needs_a_package(text: str) -> bool:
    """Whether a module can only load inside a package, because it imports relatively."""
    return re.search(r"^from[ \t]+\.", text, re.M) is not None


def absolute_imports(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the full names of the modules that statements of a block import absolutely."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module


def _imports_itself(text: str, name: str) -> bool:
    """Whether the module with this name imports a module of the same name whenever it loads."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return False
    return any(imported.partition(".")[0] == name for imported in absolute_imports(body))


def _imports(text: str, top: str) -> bool:
    """Whether a line of the text imports from the module or package with that name."""
    return (
        top in text
        and re.search(rf"^[ \t]*(?:from|import)\s+{re.escape(top)}\b", text, re.M) is not None
    )
