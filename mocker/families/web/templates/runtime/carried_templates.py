"""Templates: those of the repository are carried; one that is nowhere shows what it is given."""

from __future__ import annotations

from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import chosen, replace


def carry_templates(carried: dict[str, str]) -> None:
    """Find these templates where the file system has none; by the end of their path."""
    on_import("jinja2.loaders", lambda module: _patch_loaders(module, carried))


def _patch_loaders(module: Any, carried: dict[str, str]) -> None:
    real = module.FileSystemLoader.get_source

    def get_source(loader: Any, environment: Any, template: str) -> Any:
        try:
            return real(loader, environment, template)
        except module.TemplateNotFound:
            text = _fitting(carried, template, loader.searchpath)
            if text is None:
                if chosen("templates", {"default": True, "missing": False}) is False:
                    raise
                text = _made_template(environment, template)
            return text, template, lambda: True

    replace(module.FileSystemLoader, "get_source", get_source)
    package = module.PackageLoader

    class PackageLoader(package):
        """The package is carried, and its folder of templates is not on disk."""

        def __init__(
            self, package_name: str, package_path: str = "templates", encoding: str = "utf-8"
        ) -> None:
            self._path = package_path
            self.package_name, self.package_path, self.encoding = (
                package_name,
                package_path,
                encoding,
            )

        def get_source(self, environment: Any, template: str) -> Any:
            text = _fitting(carried, template, [self._path])
            if text is None:
                raise module.TemplateNotFound(template)
            return text, template, lambda: True

    replace(module, "PackageLoader", PackageLoader)


def _made_template(environment: Any, name: str) -> str:
    """A template that nobody has: it shows its name, and what it is given."""
    from jinja2 import pass_context

    @pass_context
    def given(context: Any) -> str:
        own = {k: v for k, v in context.get_all().items() if k not in environment.globals}
        return ", ".join(f"{key}={own[key]}" for key in sorted(own))

    environment.globals.setdefault("slice_func_given", given)
    return f"{name}: {{{{ slice_func_given() }}}}"


def _fitting(carried: dict[str, str], template: str, folders: Any) -> str | None:
    """The carried file with the longest path that ends so, below one of the folders if there is."""
    ends = [p for p in carried if p == template or p.endswith("/" + template)]
    for folder in folders:
        name = str(folder).replace("\\", "/").rstrip("/").rpartition("/")[2]
        near = [p for p in ends if f"/{name}/{template}" in f"/{p}"]
        if near:
            return carried[min(near, key=lambda p: (len(p), p))]
    return carried[min(ends, key=lambda p: (len(p), p))] if ends else None
