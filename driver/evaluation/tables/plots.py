# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
"""Plots of runs: bars by run, curves over k, accuracy against latency, repair by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_METADATA = {"Date": None, "Creator": "slice-func"}
"""Of files: the same runs give the same bytes."""


def write_plots(found: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write the plots of a comparison as SVG; return the files.

    Args:
        found: what `comparison` returns.
        folder: where they go.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    runs: list[dict[str, Any]] = found["runs"]
    plots = {
        "pass-at-1": _bars,
        "pass-at-k": _curves,
        "accuracy-latency": _latency,
        "rounds": _rounds,
    }
    folder.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    with mpl.rc_context({"svg.hashsalt": "slice-func", "svg.fonttype": "none"}):
        for name, draw in plots.items():
            figure = Figure(figsize=(7, 4), layout="constrained")
            draw(figure.subplots(), runs)
            file = folder / f"{name}.svg"
            figure.savefig(file, metadata=_METADATA)
            files.append(file)
    return files


def _bars(axes: Axes, runs: Sequence[Mapping[str, Any]]) -> None:
    """Draw Pass at the least k of each run, with its interval."""
    for number, run in enumerate(runs):
        k, measure = next(iter(run["measures"]["pass_at"].items()), ("", None))
        if measure is None:
            continue
        value = 100 * measure["value"]
        low, high = measure["repositories"] or measure["items"] or (measure["value"],) * 2
        axes.bar(number, value, color="#4878a8")
        axes.errorbar(
            number, value, [[max(0, value - 100 * low)], [max(0, 100 * high - value)]],
            color="black", capsize=4,
        )  # fmt: skip
        axes.set_ylabel(f"Pass@{k} (%)")
    axes.set_xticks(range(len(runs)), [run["label"] for run in runs], rotation=20, ha="right")
    axes.set_ylim(0, 100)


def _curves(axes: Axes, runs: Sequence[Mapping[str, Any]]) -> None:
    for run in runs:
        measures = run["measures"]["pass_at"]
        ks = sorted(map(int, measures))
        axes.plot(ks, [100 * measures[str(k)]["value"] for k in ks], "o-", label=run["label"])
    axes.set_xlabel("k")
    axes.set_ylabel("Pass@k (%)")
    axes.set_ylim(0, 100)
    axes.legend()


def _latency(axes: Axes, runs: Sequence[Mapping[str, Any]]) -> None:
    for run in runs:
        measures = run["measures"]
        first = next(iter(measures["pass_at"].values()), None)
        if first is None:
            continue
        value = 100 * first["value"]
        axes.plot(measures["seconds"]["mean"], value, "o")
        axes.annotate(run["label"], (measures["seconds"]["mean"], value))
    axes.set_xlabel("seconds of the model a sample")
    axes.set_ylabel("Pass@1 (%)")
    axes.set_ylim(0, 100)


def _rounds(axes: Axes, runs: Sequence[Mapping[str, Any]]) -> None:
    for run in runs:
        rates = [100 * each for each in run["measures"]["rounds"]]
        axes.plot(range(len(rates)), rates, "o-", label=run["label"])
    axes.set_xlabel("round")
    axes.set_ylabel("samples that pass (%)")
    axes.set_ylim(0, 100)
    axes.legend()
