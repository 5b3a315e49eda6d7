"""Prompts at the terminal are answered, and programs are started with the required arguments."""

from __future__ import annotations

import json

from ....answers.process.program_arguments import program_arguments, reads_arguments
from ....answers.process.terminal_answers import PromptSite, prompt_sites, rotated
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
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
"""In place of an answer: the runtime, which scripts carry as text, raises an interrupt for it."""
_PROGRAMS = ("sys.argv", "argparse", "configargparse", "click.argument", "click.option", "docopt",
             "fire.Fire", "optparse.OptionParser")  # fmt: skip


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with prompts, standard input, and parsers of program arguments."""
    programs = border.named(*_PROGRAMS)
    if programs and not reads_arguments(kept_code(border)):
        programs = ()
    return (*border.named(*_PROMPTS), *programs)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Answers by prompt; each variant starts with another one."""
    del contacts
    code = kept_code(border)
    setup = ""
    treated: list[ModuleTreatment] = []
    if border.named(*_PROMPTS):
        answers, text = _answers(border, prompt_sites(code))
        setup += f"answer_prompts({answers!r}, {text!r})\n"
        questions = sorted({c.name for c in border.named(*_QUESTIONS) if c.name in _QUESTIONS})
        if questions:
            setup += f"answer_questions({', '.join(map(repr, questions))})\n"
        reason = "prompts are answered at once, with what leads through the branches"
        treated = [
            ModuleTreatment(module, "faked", reason) for module in ("sys", "getpass", "questionary")
        ]
    if border.named(*_PROGRAMS) and reads_arguments(code):
        arguments = program_arguments(code)
        setup += f"give_arguments({', '.join(map(repr, arguments))})\n"
        said = f"the program is started with: {' '.join(arguments) or 'no arguments'}"
        treated += [ModuleTreatment(module, "faked", said) for module in ("sys", "argparse")]
    return Mock(tuple(treated), setup, pieces=("prompts",))


def _answers(
    border: Border, places: tuple[PromptSite, ...]
) -> tuple[dict[str, dict[str, list[str]]], dict[str, str]]:
    """Return prompt → variant → its answers, and variant → all of standard input."""
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
        if spelled != found:  # for all prompts: an earlier one that refuses would end the program
            by_prompt[prompt]["spelled"] = list(dict.fromkeys(spelled[prompt]))
    lines = [line for p in places if p.name.startswith("sys.stdin") for line in p.answers]
    text = {"default": "".join(f"{line}\n" for line in lines or "123")}
    if border.named("sys.stdin") and border.named("json.load", "json.loads"):
        values = variants_at(border, "json.load()", "json.loads()", kind="json")
        text = {v.name: json.dumps(v.value) + "\n" for v in values}
    return by_prompt, text | {"end": ""}


FAMILY = Family("prompts", stub, applies)
