"""The parser of all commands: short and long help, errors as exceptions, types of values.

Every start loads this module, so it imports argparse alone.
"""

from __future__ import annotations

import argparse

TYPE_CHECKING = False  # what a type checker takes for typing's own; importing typing costs a start
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Never

EXIT_STATUSES = """\
exit status: 0 done; 1 a check failed; 2 wrong target, option or source; 3 not supported yet;
4 the sandbox or the model service failed; 70 a bug in slice-func.
"""
HELP_WIDTH = 96
_GENERAL = ("quiet", "help", "help_all", "version")


class UsageError(Exception):
    """Arguments of the command line that contradict one another."""

    def __init__(self, message: str, advice: str = "") -> None:
        """Take one line on what is wrong, and one on what to do."""
        super().__init__(message)
        self.advice = advice


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help text with one width and form, on every terminal and every Python."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=27, width=HELP_WIDTH)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, action.dest.upper())
        return f"{', '.join(action.option_strings)} {value}"


class Parser(argparse.ArgumentParser):
    """A parser that raises where argparse would print its usage and exit.

    `--help` shows the common options; `--help-all` shows all.
    """

    def __init__(self, prog: str, common: Collection[str], *, usage: str, description: str) -> None:
        """Take the command, the names of the values that `--help` shows, and the texts."""
        super().__init__(
            prog=prog,
            usage=usage,
            description=description,
            epilog=EXIT_STATUSES,
            formatter_class=_Formatter,
            allow_abbrev=False,
            add_help=False,
        )
        self.common = {*common, *_GENERAL}

    def add_general(self) -> Callable[..., argparse.Action]:
        """Add the options of all commands; return a function that adds more beside them."""
        add = self.add_argument_group("general").add_argument
        add("-q", "--quiet", action="store_true", help="say nothing but errors")
        add("-h", "--help", action=_Help, nargs=0, help="show the common options and exit")
        add("--help-all", action=_Help, nargs=0, help="show all options and exit")
        return add

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse the words of a command, options and others in any order.

        Raises:
            UsageError: an unknown option, a missing word, or a wrong value.
        """
        given, unknown = self.parse_known_intermixed_args(list(words))
        if unknown:
            raise UsageError(f"unknown argument {unknown[0]}", self._advice(unknown[0]))
        return given

    def short_help(self) -> str:
        """Return the help with the common options."""
        for action in self._actions:
            if action.dest not in self.common:
                action.help = argparse.SUPPRESS
        return self.format_help()

    def options(self) -> Iterator[tuple[str, argparse.Action]]:
        """Yield each spelling of an option, with the option."""
        yield from self._option_string_actions.items()

    def positional(self, number: int) -> argparse.Action | None:
        """Return the positional argument with that number."""
        every = [each for each in self._actions if not each.option_strings]
        if number < len(every):
            return every[number]
        return every[-1] if every[-1].nargs in ("*", "+") else None

    def error(self, message: str) -> Never:
        """Raise argparse's error message as an exception."""
        raise UsageError(message, self._advice())

    def _advice(self, word: str = "") -> str:
        from difflib import get_close_matches

        near = get_close_matches(word.partition("=")[0], self._option_string_actions, 1, 0.7)
        if near:
            return f"did you mean {near[0]}?"
        return f"{self.prog} --help{'-all' if word else ''} says what it takes"


class _Help(argparse.Action):
    """`--help` and `--help-all`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        _given: object,
        _values: object,
        option_string: str | None = None,
    ) -> None:
        """Print the help of that length, and exit."""
        assert isinstance(parser, Parser)
        is_whole = option_string == "--help-all"
        print(parser.format_help() if is_whole else parser.short_help(), end="")
        parser.exit()


class Version(argparse.Action):
    """`--version`, which looks up the number only when needed."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> None:
        """Print the version, and exit."""
        from importlib.metadata import version  # slow to import, and needed only here

        print(f"slice-func {version('slice-func')}")
        parser.exit()


def place(text: str) -> str | None:
    """Return the output path; `-` is standard output, like no path."""
    return None if text == "-" else text


def per_cent(text: str) -> int:
    """Return a whole number from 0 to 100.

    Raises:
        ArgumentTypeError: the text is no such number.
    """
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 100")
    return number


def share(text: str) -> float:
    """Return a share between 0 and 1: a number below 1 is one, others are per cent.

    Raises:
        ArgumentTypeError: the text is no such number, or all or nothing.
    """
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number < 100:
        problem = "is neither a share below 1, such as 0.1, nor per cent from 1 to 99"
        raise argparse.ArgumentTypeError(f"{text!r} {problem}")
    return number if number < 1 else number / 100


def money(text: str) -> float:
    """Return an amount of money.

    Raises:
        ArgumentTypeError: the text is no amount.
    """
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of money")
    return number


def glob(text: str) -> str:
    """Return a pattern of paths.

    Raises:
        ArgumentTypeError: the pattern is empty.
    """
    if not text.strip("/"):
        raise argparse.ArgumentTypeError(f"{text!r} is no pattern of paths")
    return text


def whole(text: str) -> int:
    """Return a whole number."""
    if not (text.isascii() and text.isdigit()):
        raise ValueError(text)
    return int(text)


def port(text: str) -> int:
    """Return the number of a port."""
    number = whole(text)
    if number >= 1 << 16:
        raise ValueError(text)
    return number


def positive(text: str) -> int:
    """Return a whole number above 0.

    Raises:
        ArgumentTypeError: the text is no such number.
    """
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def date(text: str) -> str:
    """Return a date as `YYYY-MM-DD`.

    Raises:
        ArgumentTypeError: the text is no date.
    """
    import argparse
    from datetime import date as calendar_date

    try:
        return calendar_date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date like 2024-08-31") from None
