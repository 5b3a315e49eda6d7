"""What commands answer: exit statuses and outputs, by the command and the case."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sys
from typing import Any

from ..core.world import choices, chosen_name

KNOWN_COMMANDS = (
    (r"(/bin/)?echo( .*)?", "echo"),
    (r"git rev-parse --show-toplevel|pwd", "folder"),
    (r"git rev-parse (--verify )?--short.*", "0123456\n"),
    (r"git rev-parse --abbrev-ref.*|git branch --show-current|git symbolic-ref.*", "main\n"),
    (r"git rev-parse.*|git log -n? ?1 .*format=\S*%H.*", "0123456789abcdef" * 2 + "01234567\n"),
    (r"git (status|diff)\b.*", ""),
    (r"git config .*url.*|git remote get-url.*", "https://example.com/owner/name.git\n"),
    (r"git (describe|tag)\b.*", "v1.0.0\n"),
    (r"(which|command -v|where) (\S+)", "which"),
    (r"(\S+) (--version|-version|-V|version)", "version"),
    (r"whoami|id -un|logname", "user\n"),
    (r"hostname.*|uname -n", "host\n"),
    (r"uname( -s)?", "Linux\n"),
    (r"uname -m|arch", "x86_64\n"),
    (r"nproc.*|getconf _NPROCESSORS_ONLN", "1\n"),
    (r"tput cols", "80\n"),
    (r"tput lines", "24\n"),
    (r"stty size", "24 80\n"),
    (r"ffprobe\b.*duration.*", "1.000000\n"),
    (r"nvidia-smi\b.*", "1024\n"),
)
"""What commands say whose answers everybody knows, as far as the slice asks for no other form."""


class Commands:
    """What commands of one script answer.

    The case chooses for `subprocess`, or for the start of a command (`subprocess git status`): a
    variant of the output, an exit status (`1`), `missing`, `timeout` or `running`.
    """

    def __init__(
        self, outputs: dict[str, str], *, from_use: bool, place: str = "subprocess"
    ) -> None:
        self.place = place
        self.outputs = outputs
        self.from_use = from_use

    def chosen_for(self, command: str) -> str:
        """The name of the variant that the case wants for this command."""
        fitting = [
            place
            for place in choices
            if place == self.place
            or (place.startswith(self.place + " ") and f"{self.place} {command}".startswith(place))
        ]
        return choices[max(fitting, key=len)] if fitting else "default"

    def told_for(self, command: str) -> str:
        """The same; notes which there are, so that further cases can choose."""
        name = self.chosen_for(command)
        status = name if name.isdigit() else "1"
        own = ("missing", "timeout", "running", "fails")
        return chosen_name(self.place, name, *self.outputs, status, *own)

    def answer(self, command: str) -> tuple[int, bytes, bytes]:
        """Exit status, and what is written to either stream."""
        name = self.told_for(command)
        if name == "missing":
            return 127, b"", f"{command.partition(' ')[0]}: command not found\n".encode()
        if (name.isdigit() and int(name)) or name == "fails":
            status = int(name) if name.isdigit() else 1
            return status, b"", f"{command.partition(' ')[0]}: failed\n".encode()
        if name in self.outputs and name != "default":
            return 0, self.outputs[name].encode(), b""
        if not self.from_use:
            for pattern, said in KNOWN_COMMANDS:
                found = re.fullmatch(pattern, command.strip(), re.DOTALL)
                if found:
                    return 0, _said(said, found, command).encode(), b""
        return 0, self.outputs["default"].encode(), b""


def _said(said: str, found: re.Match[str], command: str) -> str:
    if said == "echo":
        with contextlib.suppress(ValueError):
            return _echoed(command)
        return command.partition(" ")[2] + "\n"
    if said == "which":
        return f"/usr/bin/{found[2]}\n"
    if said == "version":
        return f"{os.path.basename(found[1])} 1.0.0\n"
    return os.getcwd() + "\n" if said == "folder" else said


def _echoed(command: str) -> str:
    """What commands one after the other write, as far as they are `echo`."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.commenters, lexer.whitespace_split = "", True
    said: list[str] = []
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word and not word.strip(";&|<>"):
            if words and os.path.basename(words[0]) == "echo":
                ends = "" if "-n" in words else "\n"
                said.append(" ".join(w for w in words[1:] if w not in ("-n", "-e")) + ends)
            # what stands after others than these is no command
            words = [] if word in (";", "&&") else ["" if word != "|" else "|"]
        else:
            words.append(word)
    return "".join(said)


def redirected(command: str, folder: str, out: bytes, err: bytes) -> tuple[bytes, bytes]:
    """What is left of the output after the redirections that a shell would make."""
    if "2>&1" in command:
        out, err = out + err, b""
    if re.search(r"(2|&)>\s*/dev/null", command):
        err = b""
    found = re.search(r"(?<![\d&])(>>?)\s*([^\s&|;<>]+)\s*(2>&1|< ?\S+)?\s*$", command)
    if re.search(r"(?<!\d)>\s*/dev/null", command):
        return b"", err
    if found:
        path = os.path.join(folder, found[2].strip("'\""))
        with contextlib.suppress(OSError), open(path, "ab" if found[1] == ">>" else "wb") as file:
            file.write(out)
        out = b""
    return out, err


def command_text(args: Any) -> str:
    """A command as it would be typed."""
    if isinstance(args, (str, bytes, os.PathLike)):
        return os.fsdecode(args)
    words = [os.fsdecode(word) for word in args]
    return shlex.join("python" if word == sys.executable else word for word in words)
