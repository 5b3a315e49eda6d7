"""`requests` stays real: its adapter is answered by `responses`, without a network."""

from __future__ import annotations

from ..model import Border, Contact, Example, Family, Mock, Treated
from ..shape import variants_at

_REQUIREMENT = "responses>=0.25"


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of requests."""
    return border.named("requests")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Each address answers 200 with a body of the shape that the slice reads."""
    del contacts
    bodies = variants_at(
        border, "requests.*().json()", "requests.Session().*().json()", kind="json"
    )
    answers = {variant.name: variant.value for variant in bodies}
    return Mock(
        treated=(Treated("requests", "faked", "responses answers in place of its HTTP adapter"),),
        setup=f"answer_requests({answers!r})\n",
        pieces=("requests_http",),
        requirements=(_REQUIREMENT,),
    )


EXAMPLES = (
    Example(
        title="a session that fetches JSON",
        source="""\
import requests


class Api:
    def __init__(self, url):
        self.url = url
        self.session = requests.Session()

    def names(self):
        reply = self.session.get(self.url + "/users", timeout=3)
        reply.raise_for_status()
        return [user for user in reply.json()]
""",
        target="Api.names",
        call="Api('http://there.example').names()",
        gives="[]",
        effects=("request GET http://there.example/users",),
    ),
)

FAMILY = Family("requests", applies, stub, EXAMPLES)
