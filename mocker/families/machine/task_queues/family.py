"""Celery and RQ stay real: tasks for a worker are recorded, and run at once."""

from __future__ import annotations

from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_MODULES = ("celery", "rq")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Tasks run without a broker or worker."""
    del contacts
    found = [name for name in _MODULES if border.modules(name)]
    return Mock(
        treated=tuple(
            ModuleTreatment(name, "faked", "tasks run at once, without a broker") for name in found
        ),
        setup="answer_task_queues()\n",
        pieces=("task_queues",),
    )


FAMILY = Family("task queues", stub)
