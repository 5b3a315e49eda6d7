"""Stands in for modules that are not installed, inside the sandbox and in this benchmark only."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType, FunctionType, ModuleType
from typing import ClassVar, Self


class Stub:
    """Anything: can be called, subscripted, subclassed, used as a decorator or as a type."""

    def __init__(self, path: str = "") -> None:
        self.__dict__["_path"] = path

    def __getattr__(self, name: str) -> Stub:
        if name.startswith("__") and name.endswith("__") and name != "__func__":
            raise AttributeError(name)
        return Stub(f"{self.__dict__['_path']}.{name}")

    def __call__(self, *arguments: object, **options: object) -> object:
        """Another stub; what is decorated stays what it is."""
        if len(arguments) == 1 and not options and isinstance(arguments[0], type | FunctionType):
            return arguments[0]
        return Stub(f"{self.__dict__['_path']}()")

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        return () if any(isinstance(base, type) for base in bases) else (StubBase,)

    def __getitem__(self, key: object) -> Stub:
        return self

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __setattr__(self, name: str, value: object) -> None:
        self.__dict__[name] = value

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __contains__(self, item: object) -> bool:
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __await__(self) -> Iterator[object]:
        yield from ()
        return self

    def __instancecheck__(self, thing: object) -> bool:
        return False

    def __subclasscheck__(self, thing: object) -> bool:
        return False

    def __get_pydantic_core_schema__(self, *_: object) -> dict[str, str]:
        return {"type": "any"}

    def _operate(self, *_: object) -> Stub:
        return self

    __or__ = __ror__ = __and__ = __rand__ = __add__ = __radd__ = __sub__ = __rsub__ = _operate
    __mul__ = __rmul__ = __matmul__ = __truediv__ = __rtruediv__ = __mod__ = __neg__ = _operate


class StubBase:
    """Takes the place of a stub among the bases of a class."""

    def __init__(self, *arguments: object, **options: object) -> None:
        pass

    def __init_subclass__(cls, **options: object) -> None:
        pass


class StubModule(ModuleType):
    """A module in which every name is a stub."""

    __all__: ClassVar[Sequence[str]] = ()
    __path__: Sequence[str] = ()

    def __getattr__(self, name: str) -> Stub:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Stub(f"{self.__name__}.{name}")


class StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last finder: what no other one found becomes a stub.

    Not so the repository's own modules, what an installed package only tries to import, and
    modules that a real package lacks: stubbing those would hide a fault.
    """

    def __init__(self, local: frozenset[str], is_installed: Callable[[str], bool]) -> None:
        self.found: set[str] = set()
        self._local = local
        self._is_installed = is_installed

    def find_spec(
        self, fullname: str, _path: object = None, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """A spec that makes a stub, or nothing."""
        top = fullname.partition(".")[0]
        if top in self._local or top in sys.stdlib_module_names:
            return None
        if "." in fullname and not isinstance(sys.modules.get(top), StubModule):
            return None
        if self._is_installed(_importer()):
            return None
        self.found.add(top)
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """An empty module that answers to every name."""
        return StubModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to run."""


def _importer() -> str:
    """The file whose import statement is being executed."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001
    while frame and (frame.f_code.co_filename.startswith("<frozen") or _is_importlib(frame)):
        frame = frame.f_back
    return frame.f_code.co_filename if frame else ""


def _is_importlib(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "importlib"
