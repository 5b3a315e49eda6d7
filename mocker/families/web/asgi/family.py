"""FastAPI and Starlette stay real: endpoints can be called directly, with what they depend on."""

from __future__ import annotations

import re
from typing import cast

from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....shapes.answer_shape import variants_at
from ....source.target_reach import target_text

_READ = re.compile(
    r"""\brequest\.(query_params|headers|cookies|session|path_params)(?:\[|\.get\(|\.getlist\()\s*["']([^"']+)["']"""
)
_BODY = re.compile(r"(\w+)\s*(?::\s*[\w\[\], ]+)?=\s*await\s+\w*request\.(json|form)\(\)")
_PARTS = {"query_params": "args"}


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of the two."""
    return border.touching("fastapi", "starlette")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """Requests of the shape that the slice reads, where a case asks for one."""
    del contacts
    shown = "".join(f"    {name!r}: {sent!r},\n" for name, sent in _requests(border).items())
    reason = "real; dependencies are injected where an endpoint is called directly"
    return Mock(
        treated=(Treated("fastapi", "faked", reason), Treated("starlette", "faked", reason)),
        setup=f"give_asgi_requests({{\n{shown}}})\n",
        pieces=("asgi_calls",),
    )


def _requests(border: Border) -> dict[str, dict[str, object]]:
    source = target_text(border)
    sent: dict[str, dict[str, str]] = {}
    for part, name in cast("list[tuple[str, str]]", _READ.findall(source)):
        sent.setdefault(_PARTS.get(part) or part, {})[name] = "1"
    found: dict[str, dict[str, object]] = {"default": {**sent}}
    for variable, kind in dict.fromkeys(_BODY.findall(source)):
        names = re.findall(rf"""\b{variable}(?:\[|\.get\()\s*["']([^"']+)["']""", source)
        fields = dict.fromkeys(names, "1")
        if kind == "form":
            found["default"].setdefault("form", fields)
            continue
        for variant in variants_at(border, "starlette.requests.Request().json()", kind="json"):
            found.setdefault(variant.name, {**sent})["json"] = variant.value or fields
    found.setdefault("empty", {})
    return found


_HEAD = "from fastapi import "

EXAMPLES = (
    Example(
        title="an endpoint with dependencies",
        source=_HEAD
        + """\
Depends, FastAPI, HTTPException, Query
from pydantic import BaseModel

app = FastAPI()


class Item(BaseModel):
    name: str
    price: float = 1.5


class Store:
    def __init__(self):
        self.items = [Item(name="a"), Item(name="b", price=3)]


def get_store():
    store = Store()
    try:
        yield store
    finally:
        store.items.clear()


@app.get("/items")
async def items(dearer: float = 0, limit: int = Query(1, ge=1), store: Store = Depends(get_store)):
    found = [item for item in store.items if item.price > dearer]
    if not found:
        raise HTTPException(404, "none")
    return found[:limit]
""",
        target="items",
        call="[await items(2), await items(limit=2), await items(0, store=Store())]",
        gives="[[Item(name='b', price=3.0)], [Item(name='a', price=1.5), Item(name='b', price=3.0)], [Item(name='a', price=1.5)]]",
    ),
    Example(
        title="what an endpoint raises",
        source=_HEAD
        + """\
APIRouter, HTTPException, status
from fastapi.responses import JSONResponse

router = APIRouter(prefix="/users", tags=["users"])
USERS = {1: "Ada"}


@router.get("/{user_id}", response_model=dict)
def read_user(user_id: int):
    if user_id not in USERS:
        raise HTTPException(status_code=status.HTTP_404_NOT_FOUND, detail="no such user")
    return JSONResponse({"name": USERS[user_id]}, headers={"X-Id": str(user_id)})
""",
        target="read_user",
        call="[read_user(1).body, read_user(2)]",
        gives="HTTPException",
    ),
    Example(
        title="a body that is read from the request",
        source=_HEAD
        + """\
FastAPI, Request

app = FastAPI()


@app.post("/hook")
async def hook(request: Request):
    payload = await request.json()
    event = request.headers.get("X-Event")
    page = request.query_params.get("page", "0")
    return {"id": int(payload["id"]), "event": event, "page": page, "method": request.method}
""",
        target="hook",
        call="await hook(__import__('slice_func_mocks').starlette_request())",
        gives="{'id': 1, 'event': '1', 'page': '1', 'method': 'POST'}",
    ),
    Example(
        title="security and settings by annotation",
        source=_HEAD
        + """\
Depends, FastAPI, Header
from fastapi.security import HTTPBearer
from typing import Annotated

bearer = HTTPBearer(auto_error=False)
app = FastAPI(title="x")


async def limit(x_limit: Annotated[int, Header()] = 3):
    return x_limit * 2


async def user(credentials=Depends(bearer)):
    return credentials.credentials if credentials else "nobody"


@app.get("/me")
async def me(who: Annotated[str, Depends(user)], top: Annotated[int, Depends(limit)]):
    return who, top


def application():
    return [route.path for route in app.routes if route.name == "me"]
""",
        target="me",
        call="await me(top=4)",
        gives="('nobody', 4)",
    ),
    Example(
        title="Starlette with a socket and a start",
        source="""\
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles


async def home(request):
    name = request.path_params.get("name", "you")
    return PlainTextResponse(f"Hello {name}", status_code=203)


def make():
    routes = [Route("/{name}", home), Mount("/static", StaticFiles(directory="static"))]
    app = Starlette(routes=routes)
    import uvicorn

    uvicorn.run(app, host="0.0.0.0", port=9000)
    return [route.name for route in app.routes]
""",
        target="make",
        call="make()",
        gives="['home', None]",
        effects=("serve uvicorn",),
    ),
)

FAMILY = Family("asgi", applies, stub, EXAMPLES)
