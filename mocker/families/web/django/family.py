"""Django's views as callees: requests of the shape that they read, addresses and pages by name."""

from __future__ import annotations

import re
from typing import cast

from ....contacts import Border, Contact, Example, Family, Mock
from ....source.target_reach import target_text

_READ = re.compile(
    r"""\brequest\.(POST|GET|FILES|META|headers|COOKIES|session|data|query_params)(?:\[|\.get\(|\.getlist\()\s*["']([^"']+)["']"""
)
_PARTS = {"POST": "form", "data": "form", "GET": "args", "query_params": "args"}
_VIEWS = (
    "django.http",
    "django.shortcuts",
    "django.views",
    "django.urls",
    "django.template",
    "django.contrib.messages",
    "django.contrib.auth.decorators",
    "django.contrib.auth.mixins",
    "rest_framework",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """What views are made of."""
    return border.touching(*_VIEWS)


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The settings are another family's; here is what comes in, and what is shown."""
    del contacts
    shown = "".join(f"    {name!r}: {sent!r},\n" for name, sent in _requests(border).items())
    return Mock(
        treated=(),
        setup=f"serve_django_views({{\n{shown}}})\n",
        pieces=("django_views",),
    )


def _requests(border: Border) -> dict[str, dict[str, object]]:
    text = target_text(border)
    parts: dict[str, dict[str, object]] = {}
    for part, name in cast("list[tuple[str, str]]", _READ.findall(text)):
        if part == "FILES":
            parts.setdefault("files", {})[name] = (f"{name}.txt", f"{name}\n")
        elif part in _PARTS or part in ("headers", "session"):
            value = "user@mail.example" if "mail" in name.lower() else "1"
            parts.setdefault(_PARTS.get(part, part), {})[name] = value
    if "files" in parts:
        parts.setdefault("form", {})
    method = "POST" if "form" in parts or "POST" in text else "GET"
    sent: dict[str, object] = {"method": method, **parts}
    other = "GET" if method == "POST" else "POST"
    return {
        "default": sent,
        other.lower(): {**sent, "method": other},
        "empty": {"method": method, "form": {}} if method == "POST" else {"method": method},
    }


_M = "__import__('slice_func_mocks')"

EXAMPLES = (
    Example(
        title="a view with a form, a message and a redirect",
        source="""\
from django.contrib import messages
from django.http import HttpResponseNotAllowed
from django.shortcuts import redirect, render

NAMES = []


def sign(request):
    if request.method == "GET":
        return render(request, "sign.html", {"names": NAMES})
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "POST"])
    NAMES.append(request.POST["name"])
    messages.success(request, f"Hello {request.POST.get('name')}")
    return redirect("people:detail", pk=len(NAMES))
""",
        target="sign",
        call=f"[(r.status_code, r.headers.get('Location'), r.content) for r in (sign({_M}.django_request()), sign({_M}.django_request(method='GET')))]",
        gives="[(302, '/people/detail/1/', b''), (200, None, b'<sign.html>')]",
        effects=("show django.contrib.messages", "render sign.html"),
        needs=("django",),
    ),
    Example(
        title="JSON in and out",
        source="""\
import json

from django.http import JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST


@csrf_exempt
@require_POST
def hook(request):
    try:
        data = json.loads(request.body)
    except ValueError:
        return JsonResponse({"error": "no JSON"}, status=400)
    return JsonResponse({"id": data["id"], "page": request.GET.get("page", "0")})
""",
        target="hook",
        call=f"[(r.status_code, r.content) for r in (hook({_M}.django_request(json={{'id': 3}}, args={{'page': 2}})), hook({_M}.django_request(method='GET')), hook({_M}.django_request(method='POST')))]",
        gives='[(200, b\'{"id": 3, "page": "2"}\'), (405, b\'\'), (400, b\'{"error": "no JSON"}\')]',
        needs=("django",),
    ),
    Example(
        title="a class of views, and who asks",
        source="""\
from django.http import HttpResponse, HttpResponseForbidden
from django.urls import reverse
from django.views import View


class Page(View):
    kind = "page"

    def get(self, request, slug):
        if not request.user.is_authenticated:
            return HttpResponseForbidden("no")
        request.session["seen"] = slug
        return HttpResponse(f"{self.kind} {slug} {reverse('home')} {request.session['seen']}")
""",
        target="Page.get",
        call=f"[Page().get({_M}.django_request(), 'a').content, {_M}.choose(**{{'request.user': 'anonymous'}}), Page.as_view()({_M}.django_request(), slug='a').status_code]",
        gives="[b'page a /home/ a', None, 403]",
        needs=("django",),
    ),
    Example(
        title="a file and a query",
        source="""\
from django.http import Http404, HttpResponse


def upload(request):
    if "paper" not in request.FILES:
        raise Http404("no file")
    file = request.FILES["paper"]
    lines = [line.decode().strip() for line in file]
    return HttpResponse(", ".join([file.name, *lines, request.GET.get("page")]), status=201)
""",
        target="upload",
        call=f"[upload({_M}.django_request()).content, upload({_M}.django_request(method='GET'))]",
        gives="Http404",
        needs=("django",),
    ),
    Example(
        title="a page from a helper",
        source="""\
from django.template.loader import render_to_string


def letter(name, total):
    text = render_to_string("mail/letter.txt", {"name": name, "total": total})
    return text.strip(), len(text)
""",
        target="letter",
        call="letter('Ada', 3)",
        gives="('<mail/letter.txt>', 17)",
        effects=("render mail/letter.txt",),
        needs=("django",),
    ),
)

FAMILY = Family("django views", applies, stub, EXAMPLES)
