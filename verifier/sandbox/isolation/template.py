"""The template process that every run is forked from, and that never changes.

It is told when to fork and nothing else: it sees no order, request or result. Its loop frees heap
objects in reverse order, so that the free lists are the same at every fork, and with them all
addresses that a script sees.
"""

from __future__ import annotations

import os
import signal
import socket
from typing import NamedTuple

from . import isolate, libc
from .tree import Run, first_process
from .wire import ORDER_SIZE, decode_order

_PR_SET_PDEATHSIG = 1


class Template(NamedTuple):
    """The forker's ends of its sockets; if either is closed, the other side ends."""

    wake: socket.socket
    """A byte sent here makes one fork."""
    trees: socket.socket
    """The new tree sends its process descriptor and the sockets to its two processes."""


def start(channel: socket.socket, means: isolate.HostCapabilities) -> Template | Run:
    """Fork the process. Return once in the caller, and once in each script's process."""
    own_namespace = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    to_wake, wake = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    to_trees, trees = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork():
        os.close(own_namespace)
        wake.close()
        trees.close()
        return Template(to_wake, to_trees)
    for each in (channel, to_wake, to_trees):
        each.close()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps ended trees
    _wait_for_a_fork(wake, trees, own_namespace)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    wake.close()
    os.close(own_namespace)
    return _tree(trees, means)


def _wait_for_a_fork(wake: socket.socket, trees: socket.socket, own_namespace: int) -> None:
    """Fork as often as asked. Return in the new process, in its own pid namespace."""
    while wake.recv(1):
        libc.unshare(libc.CLONE_NEWPID)
        try:
            if not os.fork():  # not bound to a name: a number from 257 on would allocate
                return
        except OSError:
            trees.send(b"no process")
        libc.setns(own_namespace, libc.CLONE_NEWPID)
    os._exit(0)


def _tree(trees: socket.socket, means: isolate.HostCapabilities) -> Run:
    """Announce how to reach this tree, and wait for its order on its own socket."""
    to_first, own = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    to_script, for_script = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    handle = os.pidfd_open(os.getpid())
    socket.send_fds(trees, [b"here"], [handle, to_first.fileno(), to_script.fileno()])
    os.close(handle)
    for each in (trees, to_first, to_script):
        each.close()
    data = own.recv(ORDER_SIZE)
    if not data:
        os._exit(0)
    return first_process(decode_order(data), means, own, for_script)
