"""Commands: noted and answered, never run."""

from __future__ import annotations

import os
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import record, replace
from .....world.data.command_answers import Commands, command_text, redirected
from .popen import answer_popen


def answer_commands(commands: Commands) -> None:
    """Have every command of the process answered, of subprocess, os and shutil."""
    _answer_os(commands)
    _answer_which(commands)
    on_import("subprocess", lambda module: answer_popen(commands, module))


def _answer_os(commands: Commands) -> None:
    def ran(command: str) -> int:
        record("command", command)
        status, out, err = commands.answer(command)
        redirected(command, ".", out, err)
        return status

    def system(command: Any) -> int:
        status = ran(os.fsdecode(command))
        return status << 8 if os.name == "posix" else status

    def execute(file: Any, args: Any, *_: Any) -> None:
        ran(command_text(args))
        raise SystemExit(0)  # the program would be another one from here on

    def spawn(mode: Any, file: Any, args: Any, *_: Any) -> int:
        status = ran(command_text(args))
        return status if mode == getattr(os, "P_WAIT", 0) else 4242

    def kill(pid: int, sig: int) -> None:
        record("command", f"kill -{int(sig)} {pid if pid != os.getpid() else 'self'}")

    replace(os, "system", system)
    for name in ("execv", "execve", "execvp", "execvpe"):
        replace(os, name, execute)
    for name in ("spawnv", "spawnve", "spawnvp", "spawnvpe"):
        if hasattr(os, name):
            replace(os, name, spawn)
    replace(os, "startfile", lambda path, *_, **__: record("command", f"start {os.fsdecode(path)}"))
    replace(os, "kill", kill)
    if hasattr(os, "killpg"):
        replace(os, "killpg", kill)


def _answer_which(commands: Commands) -> None:
    import shutil

    def which(cmd: Any, mode: int = os.F_OK | os.X_OK, path: Any = None) -> Any:
        if commands.told_for(os.fsdecode(cmd)) == "missing":
            return None
        if os.path.dirname(cmd):
            return cmd
        return os.path.join(b"/usr/bin" if isinstance(cmd, bytes) else "/usr/bin", cmd)

    replace(shutil, "which", which)


def end_asyncio_commands() -> None:
    """Have event loops know that an answered command has ended."""
    on_import("asyncio.unix_events", _patch_transport)


def _patch_transport(unix_events: Any) -> None:
    class Transport(unix_events._UnixSubprocessTransport):
        """A transport for a process that has ended at once."""

        def close(self) -> None:
            super().close()
            if self._proc is not None:
                self._proc.wait()

    async def make(
        self: Any, protocol: Any, args: Any, shell: Any, stdin: Any, stdout: Any, stderr: Any,
        bufsize: int, extra: Any = None, **named: Any,
    ) -> Any:  # fmt: skip
        waiter = self.create_future()
        transport = Transport(
            self, protocol, args, shell, stdin, stdout, stderr, bufsize,
            waiter=waiter, extra=extra, **named,
        )  # fmt: skip
        self.call_soon(transport._process_exited, transport._proc._mock_child.status)
        await waiter
        return transport

    replace(unix_events._UnixSelectorEventLoop, "_make_subprocess_transport", make)
