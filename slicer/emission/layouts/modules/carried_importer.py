"""The loader that a `modules` script carries, which serves the other modules under their true
names.

The loader becomes part of emitted scripts, so it is plain, has no dependencies and leaves no name
behind. A script carries only the loader parts that it needs. The contract is in
docs/explanation/promises.md.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Literal

from ....repo.units import PRELUDE_BEGIN, PRELUDE_END

BEGIN = f"{PRELUDE_BEGIN}: the other modules of this slice, and what serves them"
END = PRELUDE_END

Part = Literal["body", "modules", "first", "data", "listed", "resources"]
"""`body`: the script is the target's module; `modules`: other modules are carried; `first`: some of
them load before the body; `data`: files are carried; `listed`: `pkgutil` lists the modules of
packages; `resources`: files are read by package.
"""

_ARGUMENTS: tuple[tuple[Part, str], ...] = (
    ("body", "name, package"),
    ("modules", "identity, sources"),
    ("first", "first"),
    ("data", "data"),
)
_WHAT: tuple[tuple[Part, str], ...] = (
    ("modules", "serve the carried modules under their true names"),
    ("body", "run this file under its true name"),
)
_IMPORTS: dict[Part, str] = {
    "body": "gc importlib.machinery sys types",
    "modules": "importlib.machinery linecache os sys",
    "first": "",
    "data": "atexit base64 os shutil tempfile zlib",
    "listed": "os sys",
    "resources": "os types",
}

_PARTS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset(), """\
    scope = globals()
"""),
    (frozenset({"modules"}), """\
    base = os.path.dirname(os.path.abspath(scope.get("__file__") or "slice.py"))
"""),
    (frozenset({"data"}), """\
    base = tempfile.mkdtemp(prefix="slice-func-")
    owner = os.getpid()
    # a forked child that exits must leave the folder to its parent
    atexit.register(lambda: owner == os.getpid() and shutil.rmtree(base, True))
    for path, content in data.items():
        path = os.path.join(base, *path.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(zlib.decompress(base64.b64decode(content)))
    for path, _, _ in sources.values():  # a path may lead through a folder without files
        os.makedirs(os.path.dirname(os.path.join(base, *path.split("/"))), exist_ok=True)
"""),
    (frozenset({"listed"}), """\

    def folder_of(path):
        parts = path.split("/")
        return os.path.join(base, *(parts[:-1] if path.endswith(".py") else parts))
"""),
    (frozenset({"modules"}), '''\

    class SliceFinder:
        """A finder and loader in one, for the modules of one slice."""

        names = frozenset(sources)
        slice_identity = identity

        @classmethod
        def find_spec(cls, fullname, path=None, target=None):
            if fullname not in sources:
                return None
            path, package, _ = sources[fullname]
            file = os.path.join(base, *path.split("/"))
            # an instance: `inspect` would take a class in `__loader__` for one of the module's
            spec = importlib.machinery.ModuleSpec(fullname, cls(), origin=file, is_package=package)
            spec.has_location = path.endswith(".py")
'''),
    (frozenset({"data"}), """\
            if package:
                folder = os.path.dirname(file) if spec.has_location else file
                spec.submodule_search_locations.append(folder)
"""),
    (frozenset({"listed"}), """\
            if package:
                spec.submodule_search_locations[:] = [folder_of(path)]
                sys.path_importer_cache.pop(folder_of(path), None)
"""),
    (frozenset({"modules"}), """\
            return spec

        def create_module(self, spec):
            return None

        def exec_module(self, module):
            file = module.__spec__.origin
            text = self.get_source(module.__spec__.name)
            if text:
                linecache.cache[file] = (len(text), None, text.splitlines(True), file)
                exec(compile(text, file, "exec", dont_inherit=True), vars(module))

        def get_source(self, fullname):
            text = ""
            last = 1
            for line, piece in sources[fullname][2]:
                text += "\\n" * (line - last) + piece
                last = line + piece.replace("\\r\\n", "\\n").replace("\\r", "\\n").count("\\n")
            return text

        def is_package(self, fullname):
            return sources[fullname][1]
"""),
    (frozenset({"resources"}), """\

        def get_data(self, path):
            with open(path, "rb") as stream:
                return stream.read()

        def get_resource_reader(self, fullname):
            from importlib.readers import FileReader

            spec = self.find_spec(fullname)
            path = spec.origin if spec.has_location else os.path.join(spec.origin, "__init__.py")
            return FileReader(types.SimpleNamespace(path=path, name=fullname))
"""),
    (frozenset({"listed"}), """\

        def of_folder(self, folder):
            \"\"\"Of the modules of one package: what `pkgutil` asks.\"\"\"
            for package, (path, is_package, _) in sources.items():
                if is_package and folder_of(path) == folder:
                    finder = SliceFinder()
                    finder.package = package
                    return finder
            raise ImportError("no package of this slice is in " + folder)

        def iter_modules(self, prefix=""):
            for name in sorted(sources):
                if name.rpartition(".")[0] == self.package:
                    yield prefix + name.rpartition(".")[2], sources[name][1]
"""),
    (frozenset({"modules"}), "\n"),
    (frozenset({"modules", "body"}), """\
    SliceFinder.names |= {name}
"""),
    (frozenset({"modules"}), """\
    for finder in list(sys.meta_path):
        owned = getattr(finder, "names", frozenset()) & SliceFinder.names
        if hasattr(finder, "slice_identity") and owned:
            if finder.slice_identity != identity:
                clash = ", ".join(sorted(owned))
                raise ImportError("another slice in this process already provides " + clash)
            sys.meta_path.remove(finder)
    tops = {carried.partition(".")[0] for carried in SliceFinder.names}
    for loaded in list(sys.modules):
        if loaded in SliceFinder.names or loaded.partition(".")[0] in tops and "." in loaded:
"""),
    (frozenset({"modules", "body"}), """\
            if getattr(sys.modules[loaded], "__dict__", None) is not scope:
                del sys.modules[loaded]
"""),
    (frozenset({"modules", "no body"}), """\
            del sys.modules[loaded]  # this file's own entry too: the carried module takes it
"""),
    (frozenset({"modules"}), """\
    sys.meta_path.insert(0, SliceFinder)
"""),
    (frozenset({"listed"}), """\
    sys.path_hooks.insert(0, SliceFinder().of_folder)
"""),
    (frozenset({"modules", "body"}), """\
    if scope["__name__"] != name and sources.get(scope["__name__"], ("", False))[1]:
        scope["__path__"] = []  # a carried package of this file's name: its modules are found
"""),
    (frozenset({"body"}), """\
    module = sys.modules.get(scope["__name__"])
    if getattr(module, "__dict__", None) is not scope:
        owners = (m for m in gc.get_referrers(scope) if isinstance(m, types.ModuleType))
        module = next((m for m in owners if vars(m) is scope), None)
    spec, loader = scope.get("__spec__"), scope.get("__loader__")
    if type(loader) is importlib.machinery.SourceFileLoader:  # it answers for its own name alone
        loader = scope["__loader__"] = type(loader)(name, loader.path)
    if spec is not None and scope["__name__"] != "__main__":
        scope["__spec__"] = importlib.machinery.ModuleSpec(name, loader, origin=spec.origin)
    scope["__name__"], scope["__package__"] = name, package
    if module is not None:
        sys.modules[name] = module
"""),
    (frozenset({"modules", "body"}), """\
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(importlib.import_module(parent), child, module)
"""),
    (frozenset({"first"}), """\
    for carried in first:
        importlib.import_module(carried)
"""),
)  # fmt: skip


def loader(parts: AbstractSet[Part]) -> str:
    """Return the function `_slice_func` with these parts and their arguments."""
    arguments = ", ".join(text for part, text in _ARGUMENTS if part in parts)
    what = ", and ".join(text for part, text in _WHAT if part in parts)
    imports = sorted({name for part in parts for name in _IMPORTS[part].split()})
    stated = parts if "body" in parts else {*parts, "no body"}
    return "".join(
        (
            f"def _slice_func({arguments}):\n",
            f'    """{what[:1].upper()}{what[1:]}."""\n',
            *(f"    import {name}\n" for name in imports),
            "\n",
            *(text for needed, text in _PARTS if needed <= stated),
        )
    )
