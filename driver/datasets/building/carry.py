"""What a build takes over from the dataset that it updates: repositories without news."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ....slicer.errors import OptionError
from ..storage.dataset import MANIFEST, open_built
from ..storage.store import Store
from .plan import RepositoryPlan
from .seal import Carried


def carried_over(
    store: Store, plans: Sequence[RepositoryPlan], since: str, about: Mapping[str, Any]
) -> Carried | None:
    """Return what stays of the dataset in a store; `None` if there is none.

    A repository stays whose commit is the same, or that nobody has pushed to since a date, or that
    the list does not name.

    Raises:
        OptionError: the dataset was built by another version, or with other options.
    """
    if not store.exists(MANIFEST):
        return None
    dataset = open_built(store.location)
    for name, value in json.loads(json.dumps(about)).items():  # as it is read back
        if dataset.manifest.get(name) != value:
            raise OptionError(
                f"{store.location} was built with another {name.replace('_', ' ')}",
                "give the same options, or build it anew",
            )
    listed = {plan.repo: plan for plan in plans}
    return Carried(
        dataset,
        frozenset(
            row.repo
            for row in dataset.repositories()
            if row.repo not in listed or _is_old(listed[row.repo], row.commit, since)
        ),
    )


def _is_old(plan: RepositoryPlan, commit: str | None, since: str) -> bool:
    if plan.commit is not None and plan.commit == commit:
        return True
    return plan.pushed is not None and plan.pushed[: len(since)] < since
