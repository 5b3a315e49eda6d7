"""The command line: `slice-func`.

Everything heavy is imported by the command that uses it, so that `--help` starts fast. Results go
to standard output and messages to standard error; whatever happens, the user sees one line and an
exit status, never a traceback.
"""

from __future__ import annotations

import os
import sys

from ..console import printable, say, show, write_stdout
from .grammar import INFER_SECONDS, INFERRERS, UsageError, parse_graph, parse_score, parse_slice

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from ...llm.client.client import Client
    from ...llm.client.model_settings import Settings
    from ...slicer.model import Slice
    from ...verifier.scoring.verdict import Score
    from ..options import Options, Verification

CHECK_FAILED = 1
WRONG_INPUT = 2
SERVICE_FAILED = 4
INTERNAL_ERROR = 70
INTERRUPTED = 130
BROKEN_PIPE = 141
GAPS_SHOWN = 10
"""Maximum number of gaps on standard error; the manifest lists all."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        status = _run(words, is_process=argv is None)
        if sys.stdout is not None:
            sys.stdout.flush()  # a full disk or a closed pipe is reported here, not at exit
    except SystemExit as stop:  # argparse, after --help or --version
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
        return BROKEN_PIPE
    except Exception as error:
        if argv is None:
            _go_on(error, words)
        message, status = _describe(error)
        say(f"error: {message}")
        if os.environ.get("SLICE_FUNC_DEBUG"):
            raise
        _drop_stdout()
    return status


def _go_on(error: Exception, words: Sequence[str]) -> None:
    """Restart the command under a newer Python, if that can read what this one cannot."""
    version: object = getattr(error, "needs_python", "")
    if isinstance(version, str) and version:
        from .newer_python import go_on_under

        go_on_under(version, words)


def _go_on_for_all(given: argparse.Namespace, words: Sequence[str]) -> None:
    """Restart `--all` under a newer Python, if a file of the repository needs one."""
    from ...slicer import Repository
    from .newer_python import go_on_under, needed_version

    version = needed_version(Repository(given.repo, roots=tuple(given.roots)))
    if version:
        go_on_under(version, words)


def _run(words: Sequence[str], *, is_process: bool) -> int:
    if words and words[0] == "graph":
        return _alone(_graph, parse_graph(words[1:]))
    if words and words[0] == "score":
        return _score(parse_score(words[1:]))
    given = parse_slice(words)
    if given.pipeline == "repost":
        return _repost(given)
    if given.all:
        if is_process:
            _go_on_for_all(given, words)
        return _all(given)
    if given.verify or given.env:
        return _verify(given)
    return _test(given) if given.test else _alone(_slice, given)


def _alone(command: Callable[[argparse.Namespace], int], given: argparse.Namespace) -> int:
    """Run a command that ends with its one result, without collecting garbage."""
    import gc

    from ...slicer.syntax.gc_pause import paused

    with paused():
        status = command(given)
        gc.freeze()  # else the collection at exit would traverse every tree
    return status


def _slice(given: argparse.Namespace) -> int:
    """Slice the named targets, and write the requested script, manifest and explanation."""
    from ...slicer import Repository
    from ..pipeline.passes import compile_slice

    repository = Repository(given.repo, roots=tuple(given.roots))
    _give(compile_slice(repository, given.targets, _options(given)), given)
    return 0


def _verify(given: argparse.Namespace) -> int:
    """Slice one target, run it, and write its environment; return status 1 if a check failed."""
    from contextlib import ExitStack
    from pathlib import Path

    from ...slicer import Repository
    from ..pipeline.passes import compile_environment
    from ..progress import Stage
    from ..record.output_files import require_empty, require_parent, require_writable
    from .target_report import report_lines

    if given.output:
        require_parent(Path(given.output))
    if given.env:
        require_writable(Path(given.env))
        require_empty(Path(given.env))
    repository = Repository(given.repo, roots=tuple(given.roots))
    verification = _verification(given)
    (target,) = given.targets
    with ExitStack() as ending:
        client = ending.enter_context(_asked(given))
        stage = ending.enter_context(Stage())
        found = compile_environment(
            repository, target, _options(given), verification, model=client,
            tell=stage.say, stage=stage.at,
        )  # fmt: skip
    for line in report_lines(found):
        say(line)
    if given.env and found.environment is not None:
        from ..record.environment_files import write_environment

        write_environment(given.env, found.environment)
        if not found.environment.is_accepted:
            say(f"warning: {given.env} is written, but not accepted: {found.environment.why_not}")
        elif given.test and not found.environment.oracle.hidden:
            say(f"warning: {given.env} has no hidden cases: who knows its cases passes them")
    elif given.env:
        say(f"{given.env} is not written: no case is left, or the target cannot be cut out")
    _give(found.sliced, given, found.eval_script if given.test else None)
    if found.model is not None and found.model.failures:
        say(f"error: {found.model.failures[0]}")
        return SERVICE_FAILED
    return 0 if found.verified.passed and not found.reasons else CHECK_FAILED


def _verification(given: argparse.Namespace) -> Verification:
    from ..options import Verification

    return Verification(
        given.cases,
        given.test,
        80 if given.min_branches is None else given.min_branches,
        80 if given.min_killed is None else given.min_killed,
        80 if given.min_unseen is None else given.min_unseen,
        installs=not given.no_install,
        executor=given.executor,
        search=given.search or "plain",
    )


def _model(given: argparse.Namespace) -> Settings | None:
    """Return the settings of the model; `None` if none is used."""
    if not (given.llm or given.llm_replay):
        return None
    from importlib.util import find_spec
    from pathlib import Path

    if find_spec("openai") is None:
        raise UsageError("--llm needs a library: pip install 'slice-func[llm]'")

    from ...llm.client.model_settings import read_settings

    options = {
        "model": given.llm_model,
        "base_url": given.llm_base_url,
        "run_usd": given.llm_budget,
        "cache": given.llm_cache,
        "is_replay": given.llm_replay or None,
        "stages": tuple(given.llm_stages) if given.llm_stages else None,
    }
    return read_settings(Path(given.repo), options)


def _asked(given: argparse.Namespace) -> AbstractContextManager[Client | None]:
    """Return a context manager with the model client, or with `None`."""
    from contextlib import closing, nullcontext

    settings = _model(given)
    if settings is None:
        return nullcontext()
    from ..model.model_session import opened

    return closing(opened(settings))


def _test(given: argparse.Namespace) -> int:
    """Slice one target and print its eval script; return status 1 if there is none."""
    from pathlib import Path

    from ...slicer import Repository
    from ..pipeline.passes import compile_eval_script
    from ..progress import Stage
    from ..record.output_files import require_parent

    if given.output:
        require_parent(Path(given.output))
    repository = Repository(given.repo, roots=tuple(given.roots))
    (target,) = given.targets
    with Stage() as stage:
        sliced, text = compile_eval_script(
            repository, target, _options(given), given.executor, tell=stage.say, stage=stage.at
        )
    if text is None:
        _tell(sliced)
        say("no eval script is written: there is no case that shows anything")
        return CHECK_FAILED
    _give(sliced, given, text)
    return 0


def _repost(given: argparse.Namespace) -> int:
    """Let a model write a target's eval script; return status 1 if a stage or check failed."""
    from contextlib import ExitStack
    from pathlib import Path

    from ...slicer import Repository
    from ...verifier.execution.executors.choose_executor import choose
    from ..options import Options
    from ..pipeline.passes import compile_slice
    from ..progress import Stage
    from ..record.output_files import refuse_sources, require_parent, write_file
    from ..repost.repost_pipeline import compile_repost
    from ..repost.repost_place import RepostPlace

    if given.output:
        require_parent(Path(given.output))
    repository = Repository(given.repo, roots=tuple(given.roots))
    sliced = compile_slice(repository, given.targets, Options(mock="none"))
    with ExitStack() as ending:
        client = ending.enter_context(_asked(given))
        assert client is not None  # the combination of options was checked
        stage = ending.enter_context(Stage())
        choice = choose(wanted=given.executor)
        for line in choice.lines():
            stage.say(line)
        place = RepostPlace(repository, sliced, choice, not given.no_install, stage.say)
        found = compile_repost(
            repository, sliced, client=client, place=ending.enter_context(place), tell=stage.say,
            stage=stage.at,
        )  # fmt: skip
    for line in (*map(str, found.stages), *found.lines()):
        say(line)
    content = (found.script or "").encode("utf-8", "surrogatepass")
    if given.output is not None and found.script is not None:
        refuse_sources(given.output, given.repo, sliced.manifest.files_read)
        write_file(given.output, content)
    elif not given.json:
        write_stdout(content)
    if given.json:
        _write_json(found.to_json())
    if found.error is not None:
        say(f"error: {found.error}")
        return found.error.exit_status
    least = 80 if given.min_branches is None else given.min_branches
    return 0 if found.passed(least) else CHECK_FAILED


def _options(given: argparse.Namespace) -> Options:
    from ..options import Options

    return Options(
        emit=given.emit,
        keep=tuple(given.keep),
        mock=given.mock,
        stubs=tuple(given.stubs),
        explain=given.explain is not None,
    )


def _give(result: Slice, given: argparse.Namespace, tested: str | None = None) -> None:
    """Write the script (with tests if given), the manifest and the explanation, as requested."""
    from ...slicer.emission.choose_layout import layout_of
    from ..record.output_files import refuse_sources, write_file, write_tree
    from .explain import explain, explain_name, format_hub

    content = result.files[0].content
    if tested is not None:
        content = tested.encode("utf-8", "surrogatepass")
    _tell(result)
    if given.output is not None:
        refuse_sources(given.output, given.repo, result.manifest.files_read)
        if layout_of(result.manifest).is_tree:
            write_tree(given.output, result.files)
        else:
            write_file(given.output, content)
    elif not given.json:
        write_stdout(content)
    if given.json:
        _write_json(result.manifest.to_json())
    if given.explain is not None:  # last, because it may fail
        lines = explain_name(result, given.explain) if given.explain else explain(result.manifest)
        for line in (*format_hub(result), *lines):
            show(line)


def _tell(result: Slice) -> None:
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


def _all(given: argparse.Namespace) -> int:
    """Process every function, and report on all of them."""
    from uuid import uuid4

    from ..batch.target_globs import Globs
    from ..batch.waterfall import summary_lines
    from ..batch.whole_repository import SECONDS, BatchOptions, run_all
    from ..batch.worker import Work

    is_run = given.verify or given.env
    work = Work(
        repository=given.repo,
        roots=tuple(given.roots),
        options=_options(given),
        folder=given.output,
        verification=_verification(given) if is_run else None,
        environments=given.env,
        model=_model(given),
        run=uuid4().hex,
    )
    batch = BatchOptions(
        resume=given.resume,
        jobs=given.jobs,
        limit=given.limit,
        seconds=given.function_seconds or SECONDS,
        globs=Globs(tuple(given.include), tuple(given.exclude)),
    )
    try:
        summary = run_all(work, batch, say)
    except KeyboardInterrupt:
        if given.output or given.env:
            say("stopped: the same command with --resume goes on")
        raise
    if given.json:
        _write_json(summary.to_json())
    else:
        write_stdout("".join(f"{printable(line)}\n" for line in summary_lines(summary)).encode())
    if not (given.output or given.env):
        say("no script is kept: name a folder with -o")
    asked = (entry.model_calls or {} for entry in summary.entries)
    return SERVICE_FAILED if any("failure" in each for each in asked) else 0


def _score(given: argparse.Namespace) -> int:
    """Report for each candidate whether it behaves like the target."""
    from .score_command import ScoreOptions, exit_status, line_of, score_files

    options = ScoreOptions(
        given.compare,
        given.jobs or 1,
        given.executor,
        hidden_counts=given.hidden_counts,
        seconds=given.candidate_seconds,
    )
    has_feedback = not given.no_feedback
    scores: list[Score] = []
    for score in score_files(given.environment, given.candidates, options, say):
        scores.append(score)
        if not given.json:
            line = printable(line_of(score, has_feedback=has_feedback))
            write_stdout(f"{line}\n".encode("utf-8", "backslashreplace"))
    if given.json:
        _write_json([score.to_json(has_feedback=has_feedback) for score in scores])
    return exit_status(scores)


def _graph(given: argparse.Namespace) -> int:
    """Print the call graph and the dependency graph in the requested format."""
    from .graph_command import GraphOptions, graph_text

    options = GraphOptions(
        roots=tuple(given.roots),
        form=given.format,
        tools=INFERRERS[given.infer] if given.infer else (),
        seconds=float(given.infer_seconds or INFER_SECONDS),
    )
    text = graph_text(given.repo, given.target, options)
    content = text.encode("utf-8", "backslashreplace")
    if given.output is None:
        write_stdout(content)
    else:
        from ..record.output_files import write_file

        write_file(given.output, content)
    return 0


def _write_json(record: object) -> None:
    import json

    # ASCII only: every stream accepts it, and undecodable file names survive
    write_stdout(json.dumps(record, indent=2).encode() + b"\n")


def _describe(error: Exception) -> tuple[str, int]:
    """Return one line on what went wrong, and the exit status for it."""
    if isinstance(error, UsageError):
        return str(error), WRONG_INPUT
    if isinstance(error, RecursionError | MemoryError):
        return "the source is nested too deeply, or too large, to be analysed", WRONG_INPUT
    if isinstance(error, OSError):
        return f"{_where(error)}{error.strerror or error}", WRONG_INPUT
    from ...slicer.errors import SliceFuncError

    if isinstance(error, SliceFuncError):
        return str(error), error.exit_status
    advice = "a bug in slice-func: please report it, with what SLICE_FUNC_DEBUG=1 prints"
    return f"internal: {type(error).__name__}: {error} ({advice})", INTERNAL_ERROR


def _where(error: OSError) -> str:
    return f"{os.fsdecode(error.filename)}: " if error.filename else ""


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
