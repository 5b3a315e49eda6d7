"""Celery and RQ stay real: what is sent to a worker is recorded, and runs at once."""

from __future__ import annotations

from ....answers.services.sql_facts import touched
from ....contacts import Border, Contact, Example, Family, Mock, Treated

_MODULES = ("celery", "rq")


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of Celery and RQ."""
    return touched(border, *_MODULES)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """There is no broker and no worker."""
    del contacts
    found = [name for name in _MODULES if border.modules(name)]
    return Mock(
        treated=tuple(
            Treated(name, "faked", "tasks run at once, without a broker") for name in found
        ),
        setup="answer_task_queues()\n",
        pieces=("task_queues",),
    )


EXAMPLES = (
    Example(
        title="a task that is sent, and one that sends another",
        source="""\
from celery import Celery

app = Celery("shop", broker="redis://broker:6379/0", backend="redis://broker:6379/1")


@app.task
def add(a, b):
    return a + b


@app.task(bind=True, name="shop.total", max_retries=3)
def total(self, *numbers):
    result = add.delay(*numbers[:2])
    return result.get(disable_sync_subtasks=False) + sum(numbers[2:]), self.request.called_directly


def order(*numbers):
    return total.apply_async(args=numbers, countdown=10).get(timeout=5)
""",
        target="order",
        call="order(1, 2, 3)",
        gives="(6, False)",
        effects=("command celery shop.total", "command celery another_name.add"),
        needs=("celery",),  # it pins its dependencies to single releases
    ),
    Example(
        title="a task of another program",
        source="""\
from celery import Celery


class Mailer:
    def __init__(self, url):
        self.app = Celery(broker=url)

    def send(self, to):
        result = self.app.send_task("mail.send", args=[to], queue="mail")
        return result.status, result.id
""",
        target="Mailer.send",
        call="Mailer('amqp://guest@rabbit//').send('ann')",
        gives="('SUCCESS', '00000000-0000-4000-8000-000000000001')",
        effects=("command celery mail.send",),
        needs=("celery",),  # it pins its dependencies to single releases
    ),
    Example(
        title="a shared task that fails",
        source="""\
from celery import shared_task
from celery.exceptions import MaxRetriesExceededError


@shared_task
def divide(a, b):
    return a / b


def halves(*numbers):
    results = [divide.delay(10, number) for number in numbers]
    return [(result.successful(), result.failed()) for result in results]
""",
        target="halves",
        call="halves(5, 0)",
        gives="[(True, False), (False, True)]",
        effects=("command celery another_name.divide", "command celery another_name.divide"),
        needs=("celery",),  # it pins its dependencies to single releases
    ),
    Example(
        title="RQ: a job with its options",
        source="""\
from redis import Redis
from rq import Queue

queue = Queue("high", connection=Redis(host="redis"))


def count(text, times=1):
    return len(text) * times


def submit(text):
    job = queue.enqueue(count, text, times=3, job_timeout=60)
    return job.get_status(), job.result
""",
        target="submit",
        call="submit('abc')",
        gives="('finished', 9)",
        effects=("command rq high count",),
    ),
    Example(
        title="RQ: a job that fails, a default queue",
        source="""\
import redis
import rq


class Jobs:
    def __init__(self):
        self.queue = rq.Queue(connection=redis.from_url("redis://localhost"))

    def add(self, number):
        return self.queue.enqueue_call(func=self.check, args=(number,)).is_failed

    def check(self, number):
        if number < 0:
            raise ValueError(number)
""",
        target="Jobs.add",
        call="[Jobs().add(1), Jobs().add(-1)]",
        gives="[False, True]",
        effects=("command rq default Jobs.check", "command rq default Jobs.check"),
    ),
)

FAMILY = Family("task queues", applies, stub, EXAMPLES)
