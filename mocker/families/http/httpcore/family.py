"""`httpcore` stays real: the connections of its backends are answered, sync and async ones."""

from __future__ import annotations

from ....answers.services.http_defaults import BodyPlaces, http_defaults
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_POOLS = tuple(
    f"httpcore.{awaited}{kind}"
    for awaited in ("", "Async")
    for kind in ("ConnectionPool", "HTTPConnection", "HTTPProxy", "SOCKSProxy")
)
_BACKENDS = ("httpcore.SyncBackend", "httpcore.AnyIOBackend", "httpcore.TrioBackend")
_READ = (
    "httpcore.request().content",
    *(f"{pool}().request().content" for pool in _POOLS),
)
_PLACES = BodyPlaces(modules=("httpcore",), json=("json.loads()", "json.load()"), text=_READ)


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts that connect; exceptions and parts of a message do not."""
    return border.named("httpcore.request", "httpcore.stream", *_POOLS, *_BACKENDS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    del contacts
    http = http_defaults(border, "httpcore", _PLACES)
    return Mock(
        treated=(
            ModuleTreatment("httpcore", "faked", "its connections are answered in the process"),
        ),
        setup=f"answer_httpcore({http.made})\n",
        pieces=("httpcore_http",),
        answers=http.answers,
    )


FAMILY = Family("httpcore", stub, applies)
