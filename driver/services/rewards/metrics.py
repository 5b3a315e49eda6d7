"""Numbers of a running service, in the format of Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ....verifier.execution.executors.shared_sandboxes import Usage

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """What is counted as requests go by."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.scores = Counter(
            "slice_func_scores",
            "Candidates scored, by verdict.",
            ["verdict"],
            registry=self.registry,
        )
        self.responses = Counter(
            "slice_func_responses",
            "Answers to POST /score, by status.",
            ["status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "slice_func_score_seconds",
            "Seconds from the acceptance of a candidate to its verdict.",
            buckets=_SECONDS,
            registry=self.registry,
        )
        ProcessCollector(registry=self.registry)

    def watch(self, gauges: Callable[[], dict[str, int]], usage: Callable[[], Usage]) -> None:
        """Add numbers that are looked up when they are asked for.

        Args:
            gauges: returns them by `slice_func_…` name.
            usage: returns what the sandboxes take.
        """
        self.registry.register(_Watched(gauges, usage))


class _Watched(Collector):
    """Numbers that others keep."""

    def __init__(self, gauges: Callable[[], dict[str, int]], usage: Callable[[], Usage]) -> None:
        self._gauges = gauges
        self._usage = usage

    def collect(self) -> Iterator[Metric]:
        """Yield them as they are now."""
        for name, value in self._gauges().items():
            text = f"{name.replace('_', ' ').capitalize()} now."
            yield GaugeMetricFamily(f"slice_func_{name}", text, value=value)
        now = self._usage()
        yield GaugeMetricFamily("slice_func_warm_sandboxes", "Started sandboxes.", value=now.warm)
        yield GaugeMetricFamily("slice_func_sandbox_bytes", "Their memory.", value=now.bytes)
        yield CounterMetricFamily(
            "slice_func_sandbox_starts", "Sandboxes started so far.", value=now.starts
        )
        yield CounterMetricFamily(
            "slice_func_sandbox_start_seconds", "Seconds of all starts.", value=now.start_seconds
        )
