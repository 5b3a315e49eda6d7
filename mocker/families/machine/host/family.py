"""Facts about the host: the same name, user, size and load on every machine."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_FACTS: dict[str, tuple[str, ...]] = {
    "os": ("os.cpu_count", "os.getpid", "os.getppid", "os.getlogin", "os.getloadavg", "os.uname",
           "os.get_terminal_size", "os.getuid", "os.geteuid"),
    "platform": ("platform.node", "platform.release", "platform.version", "platform.platform",
                 "platform.processor", "platform.machine", "platform.uname"),
    "shutil": ("shutil.disk_usage", "shutil.get_terminal_size"),
    "psutil": ("psutil",),
    "socket": ("socket.gethostname", "socket.getfqdn"),
    "getpass": ("getpass.getuser",),
    "locale": ("locale.getlocale", "locale.getdefaultlocale", "locale.setlocale"),
    "multiprocessing": ("multiprocessing.cpu_count",),
    "uuid": ("uuid.getnode",),
}  # fmt: skip
_LIBRARIES = ("ctypes.CDLL", "ctypes.cdll", "ctypes.PyDLL")
"""Loaders of shared libraries; those of Windows belong to the hardware family."""


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts that read facts about the host, or load libraries by name."""
    return border.named(*(name for names in _FACTS.values() for name in names), *_LIBRARIES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Fixed facts for the slice's own code; libraries still see the real machine."""
    del contacts
    modules = [module for module, names in _FACTS.items() if border.named(*names)]
    facts = ", ".join(f"{module!r}: {module}_facts" for module in modules)
    setup = f"describe_machine({{{facts}}})\n" if modules else ""
    reason = "what is asked about the machine is the same everywhere"
    treated = [ModuleTreatment(module, "faked", reason) for module in modules]
    if border.named(*_LIBRARIES):
        setup += "stand_in_libraries()\n"
        treated.append(ModuleTreatment("ctypes", "faked", "libraries that are not here do nothing"))
    return Mock(tuple(treated), setup, pieces=("machine", "processes"))


FAMILY = Family("machine", stub, applies)
