"""Processes that are noted instead of started; `subprocess.Popen` itself stays as it is."""

from __future__ import annotations

import contextlib
import os
import sys
import zlib
from typing import Any

from .....world.core.world import record, replace
from .....world.data.command_answers import Commands, command_text, redirected

OWN_CALLERS = {"ctypes.util", "platform", "uuid"}
"""Modules of Python itself that run commands for purposes of their own."""


def _env_changes(env: Any) -> dict[str, str]:
    if env is None:
        return {}
    given = {os.fsdecode(k): os.fsdecode(v) for k, v in dict(env).items()}
    return {k: v for k, v in sorted(given.items()) if os.environ.get(k) != v}


def _is_own() -> bool:
    frame: Any = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") in ("subprocess", "os"):
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") in OWN_CALLERS


class Child:
    """What stands behind a `Popen` in place of a process: one that has ended at once."""

    def __init__(self, command: str, status: int, variant: str) -> None:
        self.command = command
        self.status = status
        self.variant = variant
        self.stdin: int | None = None
        self.typed = b""

    @property
    def stays(self) -> bool:
        """Whether it goes on until somebody ends it."""
        return self.variant in ("timeout", "running")

    def listen(self, descriptor: int) -> None:
        """Keep the end of the pipe from which the command would read."""
        self.stdin = os.dup(descriptor)
        os.set_blocking(self.stdin, False)
        with contextlib.suppress(ImportError, AttributeError, OSError):
            import fcntl

            fcntl.fcntl(self.stdin, fcntl.F_SETPIPE_SZ, 1 << 20)

    def read(self, *, at_end: bool, more: bytes = b"") -> None:
        """Note what the command was given to read, once that is complete."""
        if self.stdin is not None:
            with contextlib.suppress(BlockingIOError):
                while content := os.read(self.stdin, 1 << 16):
                    self.typed += content
                at_end = True
        if not at_end:
            return
        content, self.typed = self.typed + more, b""
        if self.stdin is not None:
            os.close(self.stdin)
            self.stdin = None
        if content:
            text = content.decode(errors="backslashreplace")
            record("message", f"stdin of {self.command}", text)


def answer_popen(commands: Commands, subprocess: Any) -> None:
    """Have no process started by `Popen`, nor by what stands on it."""
    popen = subprocess.Popen
    _answer_start(commands, popen)
    _answer_end(subprocess, popen)
    if sys.platform == "win32":
        replace(popen, "terminate", lambda self: self.send_signal(15))
        replace(popen, "kill", lambda self: self.send_signal(9))


def _answer_start(commands: Commands, popen: Any) -> None:
    really = popen._execute_child

    def execute(self: Any, args: Any, executable: Any, *rest: Any) -> None:
        if _is_own():
            really(self, args, executable, *rest)
            return
        cwd, env, shell = rest[3], rest[4], rest[7]
        ends = rest[8:14]
        command = command_text(args)
        options: dict[str, Any] = {"env": _env_changes(env)} if _env_changes(env) else {}
        if cwd is not None:
            options["cwd"] = os.fsdecode(cwd)
        record("command", command, **options)
        variant = commands.chosen_for(command)
        if variant == "missing" and not shell:
            self._close_pipe_fds(*ends)
            raise FileNotFoundError(2, "No such file or directory", command.partition(" ")[0])
        status, out, err = commands.answer(command)
        if shell:
            out, err = redirected(command, options.get("cwd", "."), out, err)
        self.pid = 1000 + zlib.crc32(command.encode()) % 30000
        self._child_created = True
        self._mock_child = Child(command, status, variant)
        if ends[0] != -1 and ends[1] != -1:
            self._mock_child.listen(ends[0])
        for descriptor, text in ((ends[3], out), (ends[5], err)):
            if descriptor != -1 and text:
                os.write(descriptor, text)
        self._close_pipe_fds(*ends)

    replace(popen, "_execute_child", execute)


def _answer_end(subprocess: Any, popen: Any) -> None:
    really_poll, really_wait = popen._internal_poll, popen._wait
    really_communicate, really_signal = popen.communicate, popen.send_signal

    def poll(self: Any, *args: Any, **named: Any) -> Any:
        child = getattr(self, "_mock_child", None)
        if child is None:
            return really_poll(self, *args, **named)
        child.read(at_end=False)
        if self.returncode is None and child.variant != "running":
            self.returncode = child.status
        return self.returncode

    def wait(self: Any, timeout: Any) -> Any:
        child = getattr(self, "_mock_child", None)
        if child is None:
            return really_wait(self, timeout)
        if child.stays and self.returncode is None and timeout is not None:
            raise subprocess.TimeoutExpired(self.args, timeout)
        child.read(at_end=True)
        if self.returncode is None:
            self.returncode = child.status
        return self.returncode

    def communicate(self: Any, input: Any = None, timeout: Any = None) -> Any:
        child = getattr(self, "_mock_child", None)
        if child is not None and input and self.stdin:
            content = input.encode(self.encoding or "utf-8") if isinstance(input, str) else input
            self.stdin.flush()
            child.read(at_end=True, more=bytes(content))
            input = None  # noqa: A001
        if child is not None and child.stays and timeout is not None and self.returncode is None:
            raise subprocess.TimeoutExpired(self.args, timeout)
        return really_communicate(self, input, timeout)

    def send_signal(self: Any, sig: int) -> None:
        child = getattr(self, "_mock_child", None)
        if child is None:
            really_signal(self, sig)
        elif self.returncode is None and child.stays:
            record("command", f"kill -{int(sig)}", child.command)
            self.returncode = -int(sig)

    replace(popen, "_internal_poll", poll)
    replace(popen, "_wait", wait)
    replace(popen, "communicate", communicate)
    replace(popen, "send_signal", send_signal)
