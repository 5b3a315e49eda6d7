"""The code that a `modules` script carries: it serves the other modules under their true names.

`RUNTIME` becomes part of emitted scripts, so it is plain, dependency-free, and leaves no name
behind. Its contract is in docs/promises.md.
"""

from __future__ import annotations

from ..units import PRELUDE_BEGIN, PRELUDE_END

BEGIN = f"{PRELUDE_BEGIN}: the other modules of this slice, and what serves them"
END = PRELUDE_END

NAME_ONLY = '''\
def _slice_func(name, package, scope):
    """Run this file under the module name that it has in its repository."""
    import gc
    import importlib.machinery
    import sys
    import types

    module = sys.modules.get(scope["__name__"])
    if getattr(module, "__dict__", None) is not scope:
        owners = (m for m in gc.get_referrers(scope) if isinstance(m, types.ModuleType))
        module = next((m for m in owners if vars(m) is scope), None)
    spec = scope.get("__spec__")
    if spec is not None and scope["__name__"] != "__main__":
        scope["__spec__"] = importlib.machinery.ModuleSpec(name, spec.loader, origin=spec.origin)
    scope["__name__"], scope["__package__"] = name, package
    if module is not None:
        sys.modules[name] = module
'''

RUNTIME = '''\
def _slice_func(name, package, identity, sources, first, data):
    """Serve the carried modules under their true names, and run this file under its own."""
    import gc
    import importlib
    import importlib.machinery
    import linecache
    import os
    import sys
    import types

    scope = globals()
    base = os.path.dirname(os.path.abspath(scope.get("__file__") or "slice.py"))
    if data:
        import atexit
        import base64
        import shutil
        import tempfile
        import zlib

        base = tempfile.mkdtemp(prefix="slice-func-")
        owner = os.getpid()
        # a forked child that exits must leave the folder to its parent
        atexit.register(lambda: owner == os.getpid() and shutil.rmtree(base, True))
        for path, content in data.items():
            path = os.path.join(base, *path.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as stream:
                stream.write(zlib.decompress(base64.b85decode(content)))

    class SliceFinder:
        """A finder and loader in one, for the modules of one slice."""

        names = frozenset(sources) | ({name} if name else frozenset())
        slice_identity = identity

        @classmethod
        def find_spec(cls, fullname, path=None, target=None):
            if fullname not in sources:
                return None
            path, is_package, _ = sources[fullname]
            file = os.path.join(base, *path.split("/"))
            spec = importlib.machinery.ModuleSpec(fullname, cls, origin=file, is_package=is_package)
            spec.has_location = path.endswith(".py")
            if is_package and data:
                folder = os.path.dirname(file) if spec.has_location else file
                spec.submodule_search_locations.append(folder)
            return spec

        @staticmethod
        def create_module(spec):
            return None

        @classmethod
        def exec_module(cls, module):
            file = module.__spec__.origin
            text = cls.get_source(module.__spec__.name)
            if text:
                linecache.cache[file] = (len(text), None, text.splitlines(True), file)
                exec(compile(text, file, "exec", dont_inherit=True), vars(module))

        @staticmethod
        def get_source(fullname):
            text = ""
            last = 1
            for line, piece in sources[fullname][2]:
                text += "\\n" * (line - last) + piece
                last = line + piece.replace("\\r\\n", "\\n").replace("\\r", "\\n").count("\\n")
            return text

        @classmethod
        def is_package(cls, fullname):
            return sources[fullname][1]

        @staticmethod
        def get_data(path):
            with open(path, "rb") as stream:
                return stream.read()

        @classmethod
        def get_resource_reader(cls, fullname):
            from importlib.readers import FileReader

            spec = cls.find_spec(fullname)
            path = spec.origin if spec.has_location else os.path.join(spec.origin, "__init__.py")
            return FileReader(types.SimpleNamespace(path=path, name=fullname))

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
            if getattr(sys.modules[loaded], "__dict__", None) is not scope:
                del sys.modules[loaded]
    sys.meta_path.insert(0, SliceFinder)
    if name:
        module = sys.modules.get(scope["__name__"])
        if getattr(module, "__dict__", None) is not scope:
            owners = (m for m in gc.get_referrers(scope) if isinstance(m, types.ModuleType))
            module = next((m for m in owners if vars(m) is scope), None)
        spec = scope.get("__spec__")
        if spec is not None and scope["__name__"] != "__main__":
            scope["__spec__"] = importlib.machinery.ModuleSpec(
                name, spec.loader, origin=spec.origin
            )
        scope["__name__"], scope["__package__"] = name, package
        if module is not None:
            parent, _, child = name.rpartition(".")
            sys.modules[name] = module
            if parent:
                setattr(importlib.import_module(parent), child, module)
    for carried in first:
        importlib.import_module(carried)
'''
