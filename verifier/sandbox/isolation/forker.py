"""The forker: lets the template fork a process tree for each order; sees no request or result.

One tree runs at a time. Once only its first process is left, which the kernel then takes down, the
next tree is prepared up to the point where it waits for its descriptors. `serve` returns only in
the processes that become scripts.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
from typing import NamedTuple

from . import isolate, template, wire
from .template import Template
from .tree import ALONE, Run
from .wire import Order, decode_order


class _Tree(NamedTuple):
    """A prepared process tree that waits for its descriptors."""

    order: Order
    handle: int
    """Process descriptor of the first process."""
    to_first: socket.socket
    to_script: socket.socket


def serve(channel: socket.socket, means: isolate.HostCapabilities) -> Run:
    """Run one tree for every order until the other end closes; return in a script's process."""
    gc.collect()
    gc.freeze()  # so that no collection touches, and copies, shared memory
    gc.disable()
    started = template.start(channel, means)
    if isinstance(started, Run):
        return started
    _take_orders(channel, started)
    os._exit(0)  # and everything below with it


def _take_orders(channel: socket.socket, source: Template) -> None:
    ready: _Tree | None = None
    for unused in _fork(source):  # the first tree differs from the others: running specialises code
        os.close(unused)
    while True:
        data, descriptors = wire.receive(channel)
        if not data:
            return
        order = decode_order(data)
        if ready is not None and ready.order != order:
            ready.to_first.close()
            ready.to_script.close()
            _end(ready)
            _wait_for(ready, channel)
            ready = None
        tree = ready or _make_tree(order, source)
        if tree is None:
            channel.send(b"no process")
        else:
            _hand_over(tree, descriptors)
            socket.send_fds(channel, [b"started"], [tree.handle])
        for descriptor in descriptors:
            os.close(descriptor)
        if tree is not None:
            _wait_until_empty(tree, channel)
        ready = _make_tree(order, source)
        if tree is not None:  # not before, since the kernel is slow to remove mounts and networks
            _wait_for(tree, channel)


def _make_tree(order: Order, source: Template) -> _Tree | None:
    """Return a waiting tree, or `None` if no process can be created."""
    handles = _fork(source)
    if not handles:
        return None
    handle, *ends = handles
    to_first, to_script = (socket.socket(fileno=each) for each in ends)
    tree = _Tree(order, handle, to_first, to_script)
    try:
        to_first.send(order.encode())
    except OSError:
        _end(tree)
    return tree


def _fork(source: Template) -> list[int]:
    """Return descriptors of a new tree and its sockets; empty if no process can be created."""
    source.wake.send(b"1")
    data, handles = wire.receive(source.trees)
    if not data:
        os._exit(0)  # the template is gone
    return handles


def _hand_over(tree: _Tree, descriptors: list[int]) -> None:
    """Pass a tree its descriptors; its parent notices if it has ended meanwhile."""
    try:
        status = wire.DESCRIPTORS.index("status")
        socket.send_fds(tree.to_first, [b"go"], [descriptors[status]])
        socket.send_fds(tree.to_script, [b"go"], descriptors)
    except OSError:
        _end(tree)


def _end(tree: _Tree) -> None:
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(tree.handle, signal.SIGKILL)


def _wait_until_empty(tree: _Tree, channel: socket.socket) -> None:
    """Wait until a tree's first process reports that it is alone, or is gone."""
    tree.to_script.close()
    _poll(tree.to_first.fileno(), channel)
    try:
        is_alone = tree.to_first.recv(len(ALONE)) == ALONE
    except OSError:  # it ended before it received the message
        is_alone = False
    tree.to_first.close()
    if not is_alone:
        _poll(tree.handle, channel)


def _wait_for(tree: _Tree, channel: socket.socket) -> None:
    """Wait until a whole tree is gone."""
    _poll(tree.handle, channel)
    os.close(tree.handle)


def _poll(descriptor: int, channel: socket.socket) -> None:
    """Wait for a descriptor, or end with the parent."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    poll.register(channel, 0)  # only to see whether it closed
    if any(each != descriptor for each, _ in poll.poll()):
        os._exit(0)  # and everything below with it
