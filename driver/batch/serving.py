"""The inside of a supervised process: it does tasks until the other end of its pipe is closed.

A task may need another Python, for code that this one cannot parse. The process then becomes one of
that Python. Its pipe stays, so that its supervisor sees the same process going on.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ..places.newer_python import command_under

if TYPE_CHECKING:
    from types import FrameType

    from .handler import Handler

    Channel = Connection[Any, Any]
    AnyHandler = Handler[Any, Any]

_START = "from slicefunc.driver.batch.serving import main; main()"


class OtherPython(BaseException):
    """A handler's task has to be done under another Python: no error, as an exit is none.

    Args:
        python: the interpreter.
        handler: does the task there, in place of the one that raised this.
        has_packages: whether slice-func is installed for that interpreter.
    """

    def __init__(self, python: Path, handler: AnyHandler, *, has_packages: bool) -> None:
        super().__init__(str(python))
        self.python = python
        self.handler = handler
        self.has_packages = has_packages


def serve(handler: AnyHandler, channel: Channel, first: object = None) -> None:
    """Do tasks in this process; `first` is one that has come already."""
    # the parent receives an interrupt too, and ends this process; programs started here must not
    # inherit an ignored signal, so it has a handler
    signal.signal(signal.SIGINT, _pass_over)
    signal.signal(signal.SIGTERM, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    task = first
    try:
        while True:
            task = channel.recv() if task is None else task
            result = handler.do(
                task,
                lambda known: channel.send(("known", known)),
                lambda: channel.send(("begun", None)),
            )
            channel.send(("result", result))
            task = None
    except OtherPython as other:
        handler.close()
        _go_on(other, task, channel)
    except (EOFError, OSError):
        return  # the parent has closed the channel, or ended
    finally:
        handler.close()


def _go_on(other: OtherPython, task: object, channel: Channel) -> NoReturn:
    """Replace this process, which does the task under another Python."""
    with tempfile.TemporaryFile() as state:
        pickle.dump((other.handler, task), state)
        state.seek(0)
        descriptors = [state.fileno(), channel.fileno()]
        for each in descriptors:
            os.set_inheritable(each, True)
        words = list(map(str, descriptors))
        command = [str(other.python), "-c", _START, *words]
        if not other.has_packages:
            command = command_under(other.python, __name__, words)
        os.execv(command[0], command)  # noqa: S606 - a list, no shell


def main() -> None:
    """Go on under this Python; the descriptors of the state and the pipe are given."""
    state, channel = map(int, sys.argv[1:])
    with os.fdopen(state, "rb") as file:
        handler, task = pickle.load(file)  # noqa: S301 - this process has written it
    serve(handler, Connection(channel), task)


def _pass_over(_signal: int, _frame: FrameType | None) -> None:
    return


def _leave(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # another would end the closing half done
    sys.exit(1)
