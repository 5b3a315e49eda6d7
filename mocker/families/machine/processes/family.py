"""Commands are noted and answered, never run: subprocess, os.system, os.popen, asyncio, which."""

from __future__ import annotations

from ....answers.services.service_answers import output_texts, texts_at
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_NAMES = (
    "subprocess asyncio.create_subprocess_exec asyncio.create_subprocess_shell asyncio.subprocess "
    "shutil.which os.system os.popen os.startfile os.kill os.killpg os.execv os.execve os.execvp "
    "os.execvpe os.execl os.execle os.execlp os.execlpe os.spawnl os.spawnle os.spawnlp "
    "os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe".split()
)
_PLACES = (
    "subprocess.run().stdout",
    "subprocess.check_output()",
    "subprocess.getoutput()",
    "subprocess.getstatusoutput()[1]",
    "subprocess.Popen().communicate()[0]",
    "subprocess.Popen().stdout.read()",
    "os.popen().read()",
    "asyncio.create_subprocess_exec().communicate()[0]",
    "asyncio.create_subprocess_shell().communicate()[0]",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts that run a command, or look for one."""
    return border.named(*_NAMES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each command ends with status 0 and an output of the shape that the slice reads."""
    del contacts
    found = texts_at(border, _PLACES, ("json.load", "json.loads"))
    outputs = output_texts(border, found)
    setup = f"answer_commands(Commands({outputs!r}, from_use={found.is_user_declared}))\n"
    if border.runs_libraries or border.modules("asyncio"):
        setup += "end_asyncio_commands()\n"
    return Mock(
        treated=(
            ModuleTreatment("subprocess", "faked", "commands are noted and answered, none is run"),
        ),
        setup=setup,
        pieces=("subprocesses",),
        answers=found.listed(outputs["default"]),
    )


FAMILY = Family("subprocess", stub, applies)
