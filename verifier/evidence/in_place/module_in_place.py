"""Carried by scripts that run in a repository: imports the target's module from its own file.

The module object of the script becomes that module, so that cases run in its globals. All others
are imported from the repository as Python finds them.
"""

from __future__ import annotations


def _import_in_place(name, file, before, after, held):
    """Import the module `name` from its file, as the module that the script is.

    `before` and `after` are the folders that stand before and behind all others on `sys.path`, and
    `held` the modules whose state is observed.
    """
    import importlib.machinery
    import importlib.util
    import os
    import sys

    scope = globals()
    script = sys.modules.pop(scope["__name__"])
    scope["__name__"], scope["__file__"] = name, file

    class Loader(importlib.machinery.SourceFileLoader):
        """Loads the file into the script's own module."""

        def create_module(self, spec):
            return script

    class InPlace:
        """Finds the target's module, and has mocks take the repository's code for the slice's."""

        names = frozenset(held)
        slice_identity = "in place"

        @classmethod
        def find_spec(cls, fullname, path=None, target=None):
            if fullname != name:
                found = importlib.machinery.PathFinder.find_spec(fullname, path, target)
                if found is None or not is_own(found.origin):
                    return None
                vars(found.loader)["slice_identity"] = cls.slice_identity
                return found
            return importlib.util.spec_from_file_location(name, file, loader=Loader(name, file))

    def is_own(origin):
        folders = (os.path.join(folder, "") for folder in (*before, *after))
        inside = (origin[len(each) :] for each in folders if (origin or "").startswith(each))
        return any("site-packages" not in rest for rest in inside)

    def is_shown(top):
        return any(
            os.path.isdir(os.path.join(folder, top))
            or os.path.isfile(os.path.join(folder, top + ".py"))
            for folder in before
        )

    top = name.partition(".")[0]
    for loaded in list(sys.modules):  # an installed copy, which libraries may have imported
        if loaded.partition(".")[0] == top and is_shown(top):
            del sys.modules[loaded]
    sys.path[:0] = before
    sys.path += after
    sys.meta_path.insert(0, InPlace)
    importlib.import_module(name)
