"""Telnet: what is written is noted, and answered line by line."""

from __future__ import annotations

import re
from typing import Any

from .http_answers import shown_bytes
from .on_import import on_import
from .remote_files import reach_machine
from .world import record, replace


def answer_telnet(outputs: dict[str, str]) -> None:
    """Have every machine that telnetlib reaches answered."""
    on_import("telnetlib", lambda module: _answer_telnet(module, outputs))


def _answer_telnet(telnetlib: Any, outputs: dict[str, str]) -> None:
    def opened(self: Any, host: str, port: int = 0, timeout: Any = None) -> None:
        self.host, self.port, self.eof = host, port, 0
        address = f"{host}:{port or 23}"
        reach_machine("telnet", address)
        self._mock_text = b""

    def write(self: Any, buffer: bytes) -> None:
        record("message", f"telnet://{self.host}:{self.port or 23}", shown_bytes(buffer))
        self._mock_text += outputs["default"].encode()

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
