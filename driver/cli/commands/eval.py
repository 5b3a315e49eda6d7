"""`slice-func eval`: samples of a model, and their verdicts."""

from __future__ import annotations

from ..parser import Parser, UsageError, positive
from ..shared_options import add_executor, add_model, add_model_budget, model_settings

TYPE_CHECKING = False  # type checkers treat the name like typing's; importing typing is slow
if TYPE_CHECKING:
    import argparse

    from ....llm.client.model_settings import Settings
    from ...evaluation.options import EvaluationOptions

CONTEXTS = ("none", "in-file", "dependencies", "slice", "retrieved")
TASKS = ("completion", "repair")
AGENT_NAMES = (
    "basic", "naive-rag", "repocoder", "reflexion", "rrr", "repoforge", "tool-calling",
)  # fmt: skip
RETRIEVERS = ("reachable", "bm25", "dense", "hybrid")


def parser() -> Parser:
    """Return the grammar of `slice-func eval`."""
    made = Parser(
        "slice-func eval",
        ("dataset", "model", "base_url", "context", "agent", "samples", "ks", "output", "resume"),
        usage="slice-func eval DATASET --model NAME [options] -o RUN",
        description="Let a model write the functions of a dataset, score what it writes, and "
        "report Pass@k with intervals.",
    )
    add = made.add_argument_group("what is evaluated").add_argument
    add("dataset", metavar="DATASET", help="dataset, folder of environments, or of tasks")
    add_model(add)
    add(
        "--task",
        choices=TASKS,
        default="completion",
        help="write the function (default), or repair a wrong version of it",
    )
    add(
        "--context",
        choices=CONTEXTS,
        default="slice",
        help="code that the model sees: none but the definition's head; its file; the whole "
        "statements that it needs; the slice (default); its file and what retrieval finds",
    )
    add(
        "--docstring",
        choices=("original", "none", "generated"),
        default="original",
        help="the docstring that it sees (default original)",
    )
    add("--agent", choices=AGENT_NAMES, default="basic", help="loop around the model")
    add(
        "--description",
        choices=("detailed", "sketchy", "skeleton", "message"),
        default="detailed",
        help="of a task of eval tasks, where it has several (default detailed)",
    )
    _add_retrieval(made)
    _add_sampling(made)
    _add_run(made)
    made.add_general()
    return made


def _add_retrieval(made: Parser) -> None:
    title = "what is retrieved (for --context retrieved, and agents that read the repository)"
    add = made.add_argument_group(title).add_argument
    add(
        "--retriever",
        choices=RETRIEVERS,
        default="reachable",
        help="what ranks passages: reach from the names of the unfinished file (default), shared "
        "words, vectors, or both",
    )
    add(
        "--embeddings",
        metavar="MODEL",
        default="hashed",
        help="model of the vectors: hashed (default), a folder with tokenizer.json and *.onnx or "
        "*.safetensors, or URL#MODEL of a service",
    )
    add("--passages", metavar="N", type=positive, default=5, help="in a prompt (default 5)")


def _add_sampling(made: Parser) -> None:
    add = made.add_argument_group("how it is sampled").add_argument
    add(
        "-n",
        "--samples",
        metavar="N",
        type=positive,
        help="samples of each environment (default 1)",
    )
    add(
        "-k",
        dest="ks",
        metavar="K[,K]",
        type=numbers,
        default=(1,),
        help="Pass@k to report, for example 1,10 (default 1)",
    )
    add("--temperature", metavar="T", type=_temperature, help="default: the service's own")
    add("--greedy", action="store_true", help="temperature 0, one sample")
    add("--seed", metavar="N", type=int, help="sent with each request, plus the sample's number")
    add(
        "--repair",
        metavar="N",
        type=positive,
        default=0,
        help="further tries, with what the shown cases say of the last one; of agents, their "
        "rounds (default: as their papers have it)",
    )
    add(
        "--context-tokens", metavar="N", type=positive, default=8000,
        help="budget of the context; lines far from the hole are cut first (default 8000)",
    )  # fmt: skip
    add(
        "--answer-tokens", metavar="N", type=positive, default=4000,
        help="longest answer (default 4000)",
    )  # fmt: skip
    add("--limit", metavar="N", type=positive, help="only N environments, drawn by their ids")


def _add_run(made: Parser) -> None:
    add = made.add_argument_group("how it runs").add_argument
    add("-o", "--output", metavar="RUN", required=True, help="new folder for samples and verdicts")
    add("--resume", action="store_true", help="go on with the run in -o")
    add("--json", action="store_true", help="the measures as JSON instead of a table")
    add(
        "--concurrency", metavar="N", type=positive, default=8,
        help="requests under way at once (default 8)",
    )  # fmt: skip
    add(
        "--workers", metavar="N", type=positive, default=2,
        help="candidates scored at once (default 2)",
    )  # fmt: skip
    add_model_budget(add)
    add_executor(add)


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a list like 1,10."""
    return tuple(sorted({positive(each) for each in text.split(",")}))


def _temperature(text: str) -> float:
    """Return a temperature."""
    number = float(text)
    if not 0 <= number <= 2:
        raise ValueError(text)
    return number


def run(arguments: argparse.Namespace) -> int:
    """Evaluate a model; return status 4 if samples could not be taken.

    Raises:
        UsageError: options that exclude each other.
        SliceFuncError: no dataset, no sandbox, no service.
    """
    from collections import Counter

    from ...console.streams import printable, say, write_json, write_stdout
    from ...settings.extras import require

    if arguments.greedy and (arguments.samples or 1) > 1:
        raise UsageError("--greedy takes one sample", "leave -n out")
    if arguments.greedy and arguments.temperature:
        raise UsageError("--greedy is temperature 0", "leave --temperature out")
    samples = arguments.samples or 1
    if max(arguments.ks) > samples:
        raise UsageError(
            f"-k {max(arguments.ks)} needs as many samples", f"give -n {max(arguments.ks)}"
        )
    require("eval", "openai", "pydantic", "pyarrow", "fsspec", "rapidfuzz")
    from ...evaluation.metrics.summary import summary
    from ...evaluation.run_command import evaluate
    from ...evaluation.tables.summary_table import summary_lines

    options = _options(arguments)
    settings = _settings(arguments)
    try:
        outcome = evaluate(
            arguments.dataset, arguments.output, options, settings, arguments.executor, say
        )
    except KeyboardInterrupt:
        say("stopped: the same command with --resume goes on")
        raise
    found = summary(outcome.samples, arguments.ks)
    if arguments.json:
        write_json(found)
    else:
        lines = "".join(f"{printable(line)}\n" for line in summary_lines(found))
        write_stdout(lines.encode("utf-8", "backslashreplace"))
    for why, count in Counter(each.why for each in outcome.excluded).most_common():
        say(f"{count} samples left out: {why}")
    for each in outcome.lost[:3]:
        say(each.why)
    if outcome.lost:
        without = ", and without --llm-replay" if arguments.llm_replay else ""
        say(f"{len(outcome.lost)} samples could not be taken: go on with --resume{without}")
        return 4
    return 0


def _options(arguments: argparse.Namespace) -> EvaluationOptions:
    from ...evaluation.options import EvaluationOptions

    return EvaluationOptions(
        task=arguments.task,
        context=arguments.context,
        docstring=arguments.docstring,
        description=arguments.description,
        agent=arguments.agent,
        samples=arguments.samples or 1,
        temperature=0.0 if arguments.greedy else arguments.temperature,
        seed=arguments.seed,
        rounds=arguments.repair,
        shown=arguments.passages,
        retriever=arguments.retriever,
        embedder=arguments.embeddings,
        context_tokens=arguments.context_tokens,
        answer_tokens=arguments.answer_tokens,
        limit=arguments.limit,
        concurrency=arguments.concurrency,
        workers=arguments.workers,
        resumes=arguments.resume,
    )


def _settings(arguments: argparse.Namespace) -> Settings:
    from dataclasses import replace

    from ....llm.client.model_settings import Budget

    found = model_settings(arguments, arguments.dataset, concurrency=arguments.concurrency)
    return replace(found, per_function=Budget())
