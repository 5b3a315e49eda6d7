"""The small dataset of the tests of evaluation, its simulated models, and their runs."""

from __future__ import annotations

from tests.driver.evaluation.conftest import evaluate, evaluated, ledger, shared, simulation

__all__ = ["evaluate", "evaluated", "ledger", "shared", "simulation"]
