"""Tasks of Celery and RQ: recorded where they are sent, and run at once."""

from __future__ import annotations

import itertools
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.plain_data import plain_values
from .....world.core.world import record, replace

TASK_NUMBERS = itertools.count(1)


def answer_task_queues() -> None:
    """Run tasks in place of sending them, once the slice imports Celery or RQ."""
    on_import("celery", _patch_celery)
    on_import("rq", _patch_rq)


def _task_id(*_arguments: Any) -> str:
    return f"00000000-0000-4000-8000-{next(TASK_NUMBERS):012}"


def _patch_celery(celery: Any) -> None:
    import celery.app.base
    import celery.app.task

    application, task = celery.app.base.Celery, celery.app.task.Task
    prepare, apply_async, send = application.__init__, task.apply_async, application.send_task

    def initialise(self: Any, *arguments: Any, **options: Any) -> None:
        prepare(self, *arguments, **options)
        self.conf.update(
            task_always_eager=True, task_store_eager_result=True,
            broker_url="memory://", result_backend="cache+memory://",
        )  # fmt: skip

    def recorded(
        self: Any, args: Any = None, kwargs: Any = None, *rest: Any, **options: Any
    ) -> Any:
        record(
            "command", f"celery {self.name}", plain_values(args or []), plain_values(kwargs or {})
        )
        self.app.conf.task_always_eager = True
        known = {name: value for name, value in options.items() if name not in ("countdown", "eta")}
        known.setdefault("task_id", _task_id())
        return apply_async(self, args, kwargs, *rest, **known)

    def send_task(
        self: Any, name: str, args: Any = None, kwargs: Any = None, **options: Any
    ) -> Any:
        known = self.tasks.get(name)
        if known is not None:
            return known.apply_async(args, kwargs)
        record("command", f"celery {name}", plain_values(args or []), plain_values(kwargs or {}))
        from celery.result import EagerResult

        return EagerResult(_task_id(), None, "SUCCESS")

    assert send
    replace(application, "__init__", initialise)
    replace(application, "send_task", send_task)
    replace(task, "apply_async", recorded)


class DoneJob:
    """A job of RQ that has run."""

    def __init__(self, function: Any, args: Any, kwargs: Any) -> None:
        self.id = _task_id()
        self.func_name = getattr(function, "__qualname__", str(function))
        self.args, self.kwargs, self.meta, self.exc_info = args, kwargs, {}, None
        self.result: Any = None
        self.is_finished, self.is_failed = True, False
        try:
            self.result = function(*args, **kwargs) if callable(function) else None
        except Exception as error:
            self.is_finished, self.is_failed, self.exc_info = False, True, repr(error)

    def get_id(self) -> str:
        """Its number."""
        return self.id

    def get_status(self, *_arguments: Any, **_options: Any) -> str:
        """How it went."""
        return "finished" if self.is_finished else "failed"

    def return_value(self, *_arguments: Any, **_options: Any) -> Any:
        """What the function gave."""
        return self.result

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_, **__: None


def _patch_rq(rq: Any) -> None:
    own = (
        "timeout job_timeout result_ttl ttl failure_ttl description depends_on job_id at_front meta"
    )
    names = {*own.split(), "retry", "on_success", "on_failure", "pipeline"}

    def run(self: Any, function: Any, args: Any, kwargs: Any) -> DoneJob:
        name = getattr(function, "__qualname__", str(function))
        record("command", f"rq {self.name} {name}", plain_values(args), plain_values(kwargs))
        return DoneJob(function, args, kwargs)

    def enqueue(self: Any, f: Any, *args: Any, **kwargs: Any) -> DoneJob:
        given = tuple(kwargs.pop("args", None) or args)
        named = kwargs.pop("kwargs", None) or {k: v for k, v in kwargs.items() if k not in names}
        return run(self, f, given, named)

    def enqueue_later(self: Any, _when: Any, f: Any, *args: Any, **kwargs: Any) -> DoneJob:
        return enqueue(self, f, *args, **kwargs)

    def enqueue_call(
        self: Any, func: Any, args: Any = None, kwargs: Any = None, **_o: Any
    ) -> DoneJob:
        return run(self, func, tuple(args or ()), kwargs or {})

    replace(rq.Queue, "enqueue", enqueue)
    replace(rq.Queue, "enqueue_call", enqueue_call)
    replace(rq.Queue, "enqueue_in", enqueue_later)
    replace(rq.Queue, "enqueue_at", enqueue_later)
