"""urllib, urllib3 and http.client stay real: connections of http.client are answered."""

from __future__ import annotations

from ....answers.services.http_defaults import BodyPlaces, http_defaults
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment

_MODULES = ("urllib.request", "urllib3", "http.client", "xmlrpc.client")
_CLIENTS = ("http.client.HTTPConnection()", "http.client.HTTPSConnection()")
_POOLS = ("urllib3.PoolManager().*()", "urllib3.request()")
_PLACES = BodyPlaces(
    modules=_MODULES,
    json=(
        "json.loads()",
        "json.load()",
        *(f"{pool}.json()" for pool in _POOLS),
    ),
    text=(
        "urllib.request.urlopen().read()",
        "urllib.request.OpenerDirector().open().read()",
        *(f"{client}.getresponse().read()" for client in _CLIENTS),
        *(f"{pool}.data" for pool in _POOLS),
    ),
)
_QUIET = ("urllib.request.quote", "urllib.request.unquote", "urllib.request.pathname2url")


def applies(border: Border) -> tuple[Contact, ...]:
    """Return the contacts with names of these modules that can send a request."""
    found = border.named(*_MODULES)
    return tuple(c for c in found if not c.name.startswith(_QUIET))


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    used = [module for module in _MODULES if any(c.name.startswith(module) for c in contacts)]
    why = "connections of http.client are answered in the process"
    http = http_defaults(border, "urllib", _PLACES)
    return Mock(
        treated=tuple(ModuleTreatment(module, "faked", why) for module in used),
        setup=f"answer_http_client({http.made})\n",
        pieces=("urllib_http",),
        answers=http.answers,
    )


FAMILY = Family("urllib", stub, applies)
