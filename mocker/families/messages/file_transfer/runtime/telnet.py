"""Telnet: what is written is noted, and answered line by line."""

from __future__ import annotations

import re
import sys
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import record, replace, undo_with
from .....world.network.http_answers import shown_bytes
from .....world.network.remote_files import reach_machine


def answer_telnet(outputs: dict[str, str]) -> None:
    """Have every machine that telnetlib reaches answered."""
    if sys.version_info >= (3, 13):
        _serve_telnetlib()
    on_import("telnetlib", lambda module: _answer_telnet(module, outputs))


def _serve_telnetlib() -> None:
    """Python has it no more: what is left of it is enough to be replaced."""
    import types

    class Telnet:
        def __init__(self, host: Any = None, port: int = 0, timeout: Any = None) -> None:
            if host is not None:
                self.open(host, port, timeout)

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def set_debuglevel(self, debuglevel: int) -> None:
            pass

    module: Any = types.ModuleType("telnetlib")
    module.Telnet, module.TELNET_PORT = Telnet, 23
    sys.modules["telnetlib"] = module
    undo_with(sys.modules.pop, "telnetlib", None)


def _answer_telnet(telnetlib: Any, outputs: dict[str, str]) -> None:
    def opened(self: Any, host: str, port: int = 0, timeout: Any = None) -> None:
        self.host, self.port, self.eof = host, port, 0
        address = f"{host}:{port or 23}"
        reach_machine("telnet", address)
        self._mock_text = b""

    def write(self: Any, buffer: bytes) -> None:
        record("message", f"telnet://{self.host}:{self.port or 23}", shown_bytes(buffer))
        self._mock_text += outputs["default"].rstrip("\n").encode() + b"\n"

    def until(self: Any, match: bytes, timeout: Any = None) -> bytes:
        found, self._mock_text = self._mock_text + match, b""
        return found

    def rest(self: Any) -> bytes:
        found, self._mock_text = self._mock_text, b""
        return found

    def expect(self: Any, patterns: Any, timeout: Any = None) -> Any:
        text = rest(self)
        for index, pattern in enumerate(patterns):
            found = re.search(pattern, text)
            if found:
                return index, found, text
        return -1, None, text

    kind = telnetlib.Telnet
    replace(kind, "open", opened)
    replace(kind, "write", write)
    replace(kind, "read_until", until)
    replace(kind, "expect", expect)
    for name in ("read_all", "read_some", "read_very_eager", "read_eager", "read_lazy"):
        replace(kind, name, rest)
    replace(kind, "close", lambda self: None)
