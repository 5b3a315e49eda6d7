"""Whoever asks at the terminal is answered, and programs are started with what they require."""

from __future__ import annotations

import json

from ....answers.process.program_arguments import program_arguments, reads_arguments
from ....answers.process.terminal_answers import Asked, asked_places, rotated
from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....shapes.answer_shape import variants_at
from ....source.kept_code import kept_code

_PROMPTS = (
    "builtins.input", "sys.stdin", "getpass.getpass", "fileinput", "click.prompt", "click.confirm",
    "typer.prompt", "typer.confirm", "rich.prompt", "questionary", "inquirer", "InquirerPy",
    "msvcrt",
)  # fmt: skip
_QUESTIONS = (
    "questionary.select", "questionary.text", "questionary.confirm", "questionary.checkbox",
    "questionary.password", "questionary.path", "questionary.autocomplete", "questionary.rawselect",
    "click.prompt", "click.confirm", "typer.prompt", "typer.confirm",
)  # fmt: skip
_NO_NUMBER = "text"
_INTERRUPT = "\x03"
"""In place of an answer: the runtime, which scripts carry as a text, raises for it."""
_PROGRAMS = ("sys.argv", "argparse", "configargparse", "click.argument", "click.option", "docopt",
             "fire.Fire", "optparse.OptionParser")  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Prompts, standard input, and what reads the arguments of the program."""
    programs = border.named(*_PROGRAMS)
    if programs and not reads_arguments(kept_code(border)):
        programs = ()
    return (*border.named(*_PROMPTS), *programs)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Answers by prompt; each variant begins with another of them."""
    del contacts
    code = kept_code(border)
    setup = ""
    treated: list[Treated] = []
    if border.named(*_PROMPTS):
        answers, text = _answers(border, asked_places(code))
        setup += f"answer_prompts({answers!r}, {text!r})\n"
        questions = sorted({c.name for c in border.named(*_QUESTIONS) if c.name in _QUESTIONS})
        if questions:
            setup += f"answer_questions({', '.join(map(repr, questions))})\n"
        reason = "prompts are answered at once, with what leads through the branches"
        treated = [Treated(module, "faked", reason) for module in ("sys", "getpass", "questionary")]
    if border.named(*_PROGRAMS) and reads_arguments(code):
        arguments = program_arguments(code)
        setup += f"give_arguments({', '.join(map(repr, arguments))})\n"
        said = f"the program is started with: {' '.join(arguments) or 'no arguments'}"
        treated += [Treated(module, "faked", said) for module in ("sys", "argparse")]
    return Mock(tuple(treated), setup, pieces=("prompts",))


def _answers(
    border: Border, places: tuple[Asked, ...]
) -> tuple[dict[str, dict[str, list[str]]], dict[str, str]]:
    """For each prompt its answers by variant, and all of standard input by variant."""
    found: dict[str, list[str]] = {}
    spelled: dict[str, list[str]] = {}
    for place in places:
        found.setdefault(place.prompt, []).extend(place.answers)
        spelled.setdefault(place.prompt, []).extend(place.spelled)
    most = max((len(set(answers)) for answers in found.values()), default=1)
    by_prompt: dict[str, dict[str, list[str]]] = {}
    for prompt, answers in found.items():
        distinct = list(dict.fromkeys(answers))
        by_prompt[prompt] = {
            "default" if n == 0 else f"answer_{n + 1}": rotated(distinct, n) for n in range(most)
        } | {"end": []}
        if any(place.is_refused for place in places if place.prompt == prompt):
            by_prompt[prompt]["wrong"] = [_NO_NUMBER, *distinct]
        if any(place.is_interrupted for place in places if place.prompt == prompt):
            by_prompt[prompt]["interrupt"] = [_INTERRUPT]
        if spelled != found:  # for all of them, or one that is asked before would end it
            by_prompt[prompt]["spelled"] = list(dict.fromkeys(spelled[prompt]))
    lines = [line for p in places if p.name.startswith("sys.stdin") for line in p.answers]
    text = {"default": "".join(f"{line}\n" for line in lines or "123")}
    if border.named("sys.stdin") and border.named("json.load", "json.loads"):
        values = variants_at(border, "json.load()", "json.loads()", kind="json")
        text = {v.name: json.dumps(v.value) + "\n" for v in values}
    return by_prompt, text | {"end": ""}


EXAMPLES = (
    Example(
        title="a menu that goes on until somebody leaves",
        source="""\
def menu(items):
    while True:
        choice = input("1) add  2) show  0) leave: ")
        if choice == "1":
            items.append(input("What? "))
        elif choice == "2":
            print(items)
        elif choice == "0":
            return items
        else:
            print("what?")
""",
        target="menu",
        call="menu([])",
        gives="['text']",
    ),
    Example(
        title="numbers, asked again until one is right",
        source="""\
def ask(text):
    while True:
        try:
            return int(input(text))
        except ValueError:
            print("a number, please")


def sums():
    total = 0
    while True:
        number = ask("Number (999 ends): ")
        if number == 999:
            break
        total += number
    again = str(input("Again? [Y/N] ")).strip().upper()[0]
    while again not in "YN":
        again = input("Again? [Y/N] ").upper()
    a, b = map(int, input("Two numbers: ").split())
    return total, again, a + b
""",
        target="sums",
        call="sums()",
        gives="(1, 'Y', 3)",
    ),
    Example(
        title="a program with arguments",
        source="""\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("name")
parser.add_argument("--count", type=int, required=True)
parser.add_argument("--mode", choices=["fast", "slow"], required=True)
parser.add_argument("-v", "--verbose", action="store_true")
args = parser.parse_args()


def run(extra):
    return f"{args.name} {args.count + extra} {args.mode} {args.verbose}"
""",
        target="run",
        call="run(1)",
        gives="'text 2 fast False'",
    ),
    Example(
        title="lines of standard input, and a password",
        source="""\
import getpass
import sys


def login():
    password = getpass.getpass("Password: ")
    lines = [int(line) for line in sys.stdin.readline().split()]
    if len(sys.argv) < 3:
        sys.exit("usage: login USER PORT")
    return password, lines, sys.argv[1], int(sys.argv[2])
""",
        target="login",
        call="login()",
        gives="('text', [1, 2, 3], 'text', 1)",
    ),
    Example(
        title="a command with commands below it",
        source="""\
import argparse


def build():
    parser = argparse.ArgumentParser(prog="tool")
    commands = parser.add_subparsers(dest="command", required=True)
    adding = commands.add_parser("add")
    adding.add_argument("numbers", nargs=2, type=float)
    showing = commands.add_parser("show")
    showing.add_argument("--what", required=True)
    return parser


def main(argv=None):
    args = build().parse_args(argv)
    return args.command, sum(args.numbers)
""",
        target="main",
        call="main()",
        gives="('add', 2.0)",
    ),
    Example(
        title="an end of input that is handled",
        source="""\
def read(count):
    lines = []
    try:
        while len(lines) < count:
            lines.append(input())
    except EOFError:
        return "end", len(lines)
    return lines[0], len(lines)
""",
        target="read",
        call="read(1000)",
        gives="('end', 200)",
    ),
)

FAMILY = Family("prompts", applies, stub, EXAMPLES)
