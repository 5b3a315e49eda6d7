"""The command line: `slice-func`.

Everything heavy is imported by the command that uses it, so that `--help` starts fast. Results go
to standard output and messages to standard error; whatever happens, the user sees one line and an
exit status, never a traceback.
"""

from __future__ import annotations

import os
import signal
import sys
from functools import partial

from ..console.streams import be_quiet, printable, say, say_error, show, write_json, write_stdout
from .commands import NAMES, command_named, find_command, help_of_several
from .grammar import parse_slice
from .parser import UsageError

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from types import FrameType

    from ...llm.client.client import Client
    from ...llm.client.model_settings import Settings
    from ...slicer.model import Slice
    from ..settings.options import Options, Verification

CHECK_FAILED = 1
SERVICE_FAILED = 4
INTERRUPTED = 130
TERMINATED = 143
BROKEN_PIPE = 141
GAPS_SHOWN = 10
"""Maximum number of gaps on standard error; the manifest lists all."""


class Terminated(KeyboardInterrupt):
    """SIGTERM, which schedulers of clusters send: a command ends as after Ctrl-C."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status."""
    words = sys.argv[1:] if argv is None else list(argv)
    if argv is None:
        signal.signal(signal.SIGTERM, _terminate)
    try:
        status = _run(words, is_process=argv is None)
        if sys.stdout is not None:
            sys.stdout.flush()  # a full disk or a closed pipe is reported here, not at exit
    except SystemExit as stop:  # argparse, after --help or --version
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt as stop:
        if argv is None:
            for each in (signal.SIGINT, signal.SIGTERM):
                signal.signal(each, signal.SIG_IGN)  # the process ends already
        say("interrupted")
        status = TERMINATED if isinstance(stop, Terminated) else INTERRUPTED
        if argv is None:
            _leave_threads(status)
        return status
    except BrokenPipeError:
        _drop_stdout()
        return BROKEN_PIPE
    except Exception as error:
        if argv is None:
            _restart_under_newer(error, words)
        status = _report_error(error, words)
        if os.environ.get("SLICE_FUNC_DEBUG"):
            raise
        _drop_stdout()
    finally:
        be_quiet(is_wanted=False)  # a caller in this process may run another command
    return status


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise Terminated


def _leave_threads(status: int) -> None:
    """End the process, if threads are left: the interpreter would wait for what they do."""
    import threading

    if threading.active_count() == 1:
        return
    import atexit
    from contextlib import suppress

    atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage] # noqa: SLF001 - folders are removed there
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # the stream is closed
            stream.flush()
    os._exit(status)


def _report_error(error: Exception, words: Sequence[str]) -> int:
    """Report what was wrong and what to do; return the exit status."""
    from .error_lines import describe

    problem, advice, status = describe(error, words)
    say_error(problem, advice)
    return status


def _restart_under_newer(error: Exception, words: Sequence[str]) -> None:
    """Restart the command under a newer Python, if that can read what this one cannot."""
    version: object = getattr(error, "needs_python", "")
    if isinstance(version, str) and version:
        from .restart import reexec_under

        reexec_under(version, words)


def _restart_all_under_newer(arguments: argparse.Namespace, words: Sequence[str]) -> None:
    """Restart `--all` under a newer Python, if a file of the repository needs one."""
    from ...slicer import Repository
    from ..places.newer_python import needed_version
    from .restart import reexec_under

    version = needed_version(Repository(arguments.repo, roots=tuple(arguments.roots)))
    if version:
        reexec_under(version, words)


def _run(words: Sequence[str], *, is_process: bool) -> int:
    match words:
        case ["completion", "line", _] | ["completion", "words", _, *_]:
            return _completed(words[1:])
        case _:
            found = find_command(words)
    if found is not None:
        name, others = found
        command = command_named(name)
        arguments = command.parser().read(others)
        be_quiet(is_wanted=arguments.quiet)
        return command.run(arguments)
    whole = [name for name in NAMES if words and name.startswith(f"{words[0]} ")]
    if whole:
        return _first_word_alone(words, whole)
    arguments = parse_slice(words)
    be_quiet(is_wanted=arguments.quiet)
    return _slice_command(arguments, words, is_process=is_process)


def _first_word_alone(words: Sequence[str], names: Sequence[str]) -> int:
    """Print the commands that begin with a word, if `--help` asks for them.

    Raises:
        UsageError: something else follows, or nothing.
    """
    if not {"-h", "--help", "--help-all"}.isdisjoint(words):
        write_stdout(help_of_several(words[0], names).encode())
        return 0
    raise UsageError(f"{words[0]} is no command alone", f"write {' or '.join(names)}")


def _slice_command(arguments: argparse.Namespace, words: Sequence[str], *, is_process: bool) -> int:
    """Run the main command in the mode that the options request; return the exit status."""
    if arguments.all:
        if is_process:
            _restart_all_under_newer(arguments, words)
        return _all(arguments)
    _check_places(arguments)
    if arguments.pipeline == "repost":
        return _repost(arguments)
    if arguments.verify or arguments.env:
        return _verify(arguments)
    return _test(arguments) if arguments.test else _run_without_gc(_slice, arguments)


def _run_without_gc(
    command: Callable[[argparse.Namespace], int], arguments: argparse.Namespace
) -> int:
    """Run a command that ends with its one result, without collecting garbage."""
    import gc

    from ...slicer.syntax.gc_pause import paused

    with paused():
        status = command(arguments)
        gc.freeze()  # else the collection at exit would traverse every tree
    return status


def _check_places(arguments: argparse.Namespace) -> None:
    """Refuse files that cannot be read or written, before any work is done.

    Raises:
        SliceFuncError: an output cannot be written.
        OSError: the file of cases cannot be read.
    """
    from pathlib import Path

    from ...slicer.emission.choose_layout import candidates
    from ..record.output_files import require_empty, require_file, require_parent, require_writable

    if arguments.cases:
        Path(arguments.cases).open("rb").close()
    if arguments.output:
        place = Path(arguments.output)
        require_parent(place)
        if candidates(arguments.emit)[0].is_tree:
            require_empty(place)
        else:
            require_file(place)
    if arguments.env:
        require_writable(Path(arguments.env))
        require_empty(Path(arguments.env))


def _slice(arguments: argparse.Namespace) -> int:
    """Slice the named targets, and write the requested script, manifest and explanation."""
    from ...slicer import Repository
    from ..pipeline.passes import compile_slice

    repository = Repository(arguments.repo, roots=tuple(arguments.roots))
    _write_results(compile_slice(repository, arguments.targets, _options(arguments)), arguments)
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    """Slice one target, run it, and write its environment; return status 1 if a check failed."""
    from contextlib import ExitStack

    from ...slicer import Repository
    from ..console.progress import Stage
    from ..pipeline.passes import compile_environment
    from .target_report import environment_lines, report_lines

    repository = Repository(arguments.repo, roots=tuple(arguments.roots))
    verification = _verification(arguments)
    (target,) = arguments.targets
    with ExitStack() as ending:
        client = ending.enter_context(_model_client(arguments))
        stage = ending.enter_context(Stage())
        found = compile_environment(
            repository, target, _options(arguments), verification, model=client,
            report=stage.say, stage=stage.at,
        )  # fmt: skip
    for line in report_lines(found):
        say(line)
    if arguments.env and found.environment is not None:
        from ..record.environment_files import write_environment
        from ..record.output_files import write_or_keep

        write_or_keep(arguments.env, partial(write_environment, environment=found.environment))
    _write_results(found.sliced, arguments, found.eval_script if arguments.test else None)
    if arguments.env:
        for line in environment_lines(arguments.env, found.environment, searched=arguments.test):
            say(line)
    if found.model is not None and found.model.failures:
        from ...llm.errors import ModelServiceError

        say_error(found.model.failures[0], ModelServiceError.advice)
        return SERVICE_FAILED
    return 0 if found.verified.passed and not found.reasons else CHECK_FAILED


def _verification(arguments: argparse.Namespace) -> Verification:
    from ..settings.options import Verification

    return Verification(
        arguments.cases,
        arguments.test,
        80 if arguments.min_branches is None else arguments.min_branches,
        80 if arguments.min_killed is None else arguments.min_killed,
        80 if arguments.min_unseen is None else arguments.min_unseen,
        installs=not arguments.no_install,
        executor=arguments.executor,
        search=arguments.search or "plain",
    )


def _model(arguments: argparse.Namespace) -> Settings | None:
    """Return the settings of the model; `None` if none is used."""
    if not (arguments.llm or arguments.llm_replay):
        return None
    from importlib.util import find_spec
    from pathlib import Path

    if find_spec("openai") is None:
        raise UsageError("--llm needs a library", "pip install 'slice-func[llm]'")

    from ...llm.client.model_settings import read_settings

    options = {
        "model": arguments.llm_model,
        "base_url": arguments.llm_base_url,
        "run_usd": arguments.llm_budget,
        "cache": arguments.llm_cache,
        "is_replay": arguments.llm_replay or None,
        "stages": tuple(arguments.llm_stages) if arguments.llm_stages else None,
    }
    return read_settings(Path(arguments.repo), options)


def _model_client(arguments: argparse.Namespace) -> AbstractContextManager[Client | None]:
    """Return a context manager with the model client, or with `None`."""
    from contextlib import closing, nullcontext

    settings = _model(arguments)
    if settings is None:
        return nullcontext()
    from ..model.model_session import opened

    return closing(opened(settings))


def _test(arguments: argparse.Namespace) -> int:
    """Slice one target and print its eval script; return status 1 if there is none."""
    from ...slicer import Repository
    from ..console.progress import Stage
    from ..pipeline.passes import compile_eval_script

    repository = Repository(arguments.repo, roots=tuple(arguments.roots))
    (target,) = arguments.targets
    with Stage() as stage:
        sliced, text = compile_eval_script(
            repository,
            target,
            _options(arguments),
            arguments.executor,
            report=stage.say,
            stage=stage.at,
        )
    if text is None:
        _report(sliced)
        say("no eval script is written: there is no case that shows anything")
        return CHECK_FAILED
    _write_results(sliced, arguments, text)
    return 0


def _repost(arguments: argparse.Namespace) -> int:
    """Let a model write a target's eval script; return status 1 if a stage or check failed."""
    from contextlib import ExitStack

    from ...slicer import Repository
    from ...verifier.execution.executors.choose_executor import choose
    from ..console.progress import Stage
    from ..pipeline.passes import compile_slice
    from ..record.output_files import refuse_sources, write_file, write_or_keep
    from ..repost.repost_pipeline import compile_repost
    from ..repost.repost_place import RepostPlace
    from ..settings.options import Options

    repository = Repository(arguments.repo, roots=tuple(arguments.roots))
    sliced = compile_slice(repository, arguments.targets, Options(mock="none"))
    with ExitStack() as ending:
        client = ending.enter_context(_model_client(arguments))
        assert client is not None  # the combination of options was checked
        stage = ending.enter_context(Stage())
        choice = choose(wanted=arguments.executor)
        for line in choice.lines():
            stage.say(line)
        place = RepostPlace(repository, sliced, choice, not arguments.no_install, stage.say)
        found = compile_repost(
            repository, sliced, client=client, place=ending.enter_context(place), report=stage.say,
            stage=stage.at,
        )  # fmt: skip
    for line in (*map(str, found.stages), *found.lines()):
        say(line)
    content = (found.script or "").encode("utf-8", "surrogatepass")
    if arguments.output is not None and found.script is not None:
        refuse_sources(arguments.output, arguments.repo, sliced.manifest.files_read)
        write_or_keep(arguments.output, partial(write_file, content=content))
    elif not arguments.json:
        write_stdout(content)
    if arguments.json:
        write_json(found.to_json())
    if found.error is not None:
        say_error(found.error.problem, found.error.advice)
        return found.error.exit_status
    least = 80 if arguments.min_branches is None else arguments.min_branches
    return 0 if found.passed(least) else CHECK_FAILED


def _options(arguments: argparse.Namespace) -> Options:
    from ..settings.options import Options

    return Options(
        emit=arguments.emit,
        keep=tuple(arguments.keep),
        mock=arguments.mock,
        stubs=tuple(arguments.stubs),
        explain=arguments.explain is not None,
    )


def _write_results(result: Slice, arguments: argparse.Namespace, tested: str | None = None) -> None:
    """Write the script (with tests if given), the manifest and the explanation, as requested."""
    from ...slicer.emission.choose_layout import layout_of
    from ..explanations.explain import explain, explain_name, format_hub
    from ..record.output_files import refuse_sources, write_file, write_or_keep, write_tree

    content = result.files[0].content
    if tested is not None:
        content = tested.encode("utf-8", "surrogatepass")
    _report(result)
    if arguments.output is not None:
        refuse_sources(arguments.output, arguments.repo, result.manifest.files_read)
        if layout_of(result.manifest).is_tree:
            write_or_keep(arguments.output, partial(write_tree, files=result.files))
        else:
            write_or_keep(arguments.output, partial(write_file, content=content))
        if tested is not None:
            alone = f"is {arguments.env}/script.py" if arguments.env else "comes without --test"
            say(f"{arguments.output} is the eval script, with the cases; the slice alone {alone}")
    elif not (arguments.json or (arguments.test and arguments.env)):  # DIR has the eval script
        write_stdout(content)
    if arguments.json:
        write_json(result.manifest.to_json())
    if arguments.explain is not None:  # last, because it may fail
        lines = (
            explain_name(result, arguments.explain)
            if arguments.explain
            else explain(result.manifest)
        )
        for line in (*format_hub(result), *lines):
            show(line)


def _report(result: Slice) -> None:
    """Report the slice's layout, warnings and gaps on standard error."""
    manifest = result.manifest
    say(f"layout {manifest.layout}: {manifest.layout_reason}")
    if manifest.mocks:
        say(f"mocked: {', '.join(each.family for each in manifest.mocks)}")
    for warning in manifest.warnings:
        say(f"warning: {warning}")
    gaps = [gap for gap in manifest.gaps if not gap.filled_by]
    for gap in gaps[:GAPS_SHOWN]:
        say(f"gap: {gap.path}:{gap.line}: {gap.kind}: {gap.detail}")
    if len(gaps) > GAPS_SHOWN:
        say(f"gap: and {len(gaps) - GAPS_SHOWN} more, all of them with --json")


def _all(arguments: argparse.Namespace) -> int:
    """Process every function, and report on all of them."""
    from uuid import uuid4

    from ..batch.target_globs import Globs
    from ..batch.waterfall import summary_lines
    from ..batch.whole_repository import SECONDS, BatchOptions, run_all
    from ..batch.worker import Work

    is_run = arguments.verify or arguments.env
    work = Work(
        repository=arguments.repo,
        roots=tuple(arguments.roots),
        options=_options(arguments),
        folder=arguments.output,
        verification=_verification(arguments) if is_run else None,
        environments=arguments.env,
        model=_model(arguments),
        run=uuid4().hex,
    )
    batch = BatchOptions(
        resume=arguments.resume,
        jobs=arguments.jobs,
        limit=arguments.limit,
        seconds=arguments.function_seconds or SECONDS,
        globs=Globs(tuple(arguments.include), tuple(arguments.exclude)),
    )
    if not (arguments.output or arguments.env):
        say("no script is kept: name a folder with -o")
    try:
        summary = run_all(work, batch, say)
    except KeyboardInterrupt:
        if arguments.output or arguments.env:
            say("stopped: the same command with --resume goes on")
        raise
    if arguments.json:
        write_json(summary.to_json())
    else:
        write_stdout("".join(f"{printable(line)}\n" for line in summary_lines(summary)).encode())
    usages = (entry.model_calls or {} for entry in summary.entries)
    return SERVICE_FAILED if any("failure" in each for each in usages) else 0


def _completed(words: Sequence[str]) -> int:
    """Print the possible next words for a shell that completes a line."""
    from .completion import completed, split_line

    found = completed(split_line(words[1]) if words[0] == "line" else list(words[1:]))
    write_stdout("".join(f"{line}\n" for line in found).encode("utf-8", "surrogateescape"))
    return 0


def _drop_stdout() -> None:
    """Redirect standard output to nothing, so that the interpreter's flush at exit is silent."""
    if sys.stdout is None:
        return
    try:
        number = sys.stdout.fileno()
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, number)
        os.close(nothing)
    except (OSError, ValueError):
        return


if __name__ == "__main__":
    sys.exit(main())
