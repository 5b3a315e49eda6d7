"""Django stays real: settings by name, applications around the slice's models, SQLite below."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, cast

from .....slicer import Repository
from .....slicer.errors import SourceError
from ....answers.services.sql_facts import touched
from ....contacts import Border, Contact, Example, Family, Mock, Treated
from ....shapes.answer_shape import variants_at

_SETTINGS = "django.conf.settings."
_ALWAYS = frozenset("USE_TZ TIME_ZONE LANGUAGE_CODE USE_I18N SITE_ID DEFAULT_AUTO_FIELD".split())
_OURS = frozenset(
    "DATABASES INSTALLED_APPS MIDDLEWARE TEMPLATES LOGGING CACHES EMAIL_BACKEND SECRET_KEY STORAGES"
    " ROOT_URLCONF WSGI_APPLICATION ASGI_APPLICATION AUTHENTICATION_BACKENDS".split()
)
_WITH_MODELS = ("django.db", "django.contrib", "django.apps", "django.forms", "rest_framework")
_CONTRIB = (
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sites",
    "django.contrib.admin",
)


def applies(border: Border) -> tuple[Contact, ...]:
    """Anything of Django."""
    return touched(border, "django", "rest_framework")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """A project with the slice's models in it, and with the settings that it reads."""
    del contacts
    written = _settings_of(border.repository)
    labels = dict(sorted(_labels(border)))
    values = {name: written[name] for name in sorted(_ALWAYS & set(written))}
    for name in _settings_read(border):
        if name in written and name not in _OURS:
            values[name] = written[name]
        elif name not in _OURS and not _is_known(name):
            values[name] = variants_at(border, _SETTINGS + name)[0].value
    user = written.get("AUTH_USER_MODEL")
    if isinstance(user, str) and user.rpartition(".")[2] in labels:
        values["AUTH_USER_MODEL"] = user
        labels[user.rpartition(".")[2]] = user.rpartition(".")[0]
    databases = cast("dict[str, object]", written.get("DATABASES") or {})
    aliases = sorted({"default", *databases})
    setup = (
        "expect_tables({}, True, ['rows', 'empty'])\n"
        f"configure_django({values!r}, {labels!r}, {_apps(border)!r}, {aliases!r})\n"
    )
    return Mock(
        treated=(Treated("django", "faked", "settings and databases are the script's own"),),
        setup=setup,
        pieces=("django_project",),
    )


def _apps(border: Border) -> list[str]:
    """Django's own applications that must be there before the slice's models are."""
    if not border.modules(*_WITH_MODELS):
        return []
    found = ["django.contrib.contenttypes", "django.contrib.auth"]
    names = {
        f"django.contrib.{name}"
        for external in border.sliced.manifest.externals
        if external.module == "django.contrib"
        for name in external.names
    }
    return found + [app for app in _CONTRIB if border.modules(app) or app in names]


def _labels(border: Border) -> Iterator[tuple[str, str]]:
    """Classes of the slice, with the label of the application in whose folder they stand."""
    for definition in border.sliced.manifest.definitions:
        if definition.kind == "class":
            yield definition.qualname, _label(border.repository, definition.path)


def _label(repository: Repository, path: str) -> str:
    folders = path.split("/")[:-1]
    while folders and folders[-1] in ("models", "managers", "db"):
        folders.pop()
    for end in range(len(folders), 0, -1):
        folder = "/".join(folders[:end])
        if any(repository.is_file(f"{folder}/{name}.py") for name in ("apps", "models", "admin")):
            return folders[end - 1]
    return folders[-1] if folders else "app"


def _settings_read(border: Border) -> list[str]:
    """Names that the slice takes from `django.conf.settings`."""
    found = {c.name.removeprefix(_SETTINGS) for c in border.named("django.conf.settings")}
    return sorted(name.partition(".")[0] for name in found if name.partition(".")[0].isupper())


def _is_known(name: str) -> bool:
    """Whether Django has a value of its own for a setting."""
    return name in _DJANGO_DEFAULTS


_DJANGO_DEFAULTS = frozenset(
    """
    DEBUG ADMINS MANAGERS ALLOWED_HOSTS TIME_ZONE USE_TZ LANGUAGE_CODE LANGUAGES USE_I18N
    DEFAULT_CHARSET SERVER_EMAIL DEFAULT_FROM_EMAIL EMAIL_HOST EMAIL_PORT EMAIL_HOST_USER
    EMAIL_HOST_PASSWORD EMAIL_USE_TLS EMAIL_USE_SSL EMAIL_TIMEOUT MEDIA_ROOT MEDIA_URL STATIC_ROOT
    STATIC_URL AUTH_USER_MODEL LOGIN_URL LOGIN_REDIRECT_URL LOGOUT_REDIRECT_URL SESSION_COOKIE_NAME
    SESSION_COOKIE_AGE CSRF_COOKIE_NAME PASSWORD_HASHERS DEFAULT_AUTO_FIELD STATICFILES_DIRS
    FILE_UPLOAD_MAX_MEMORY_SIZE DATA_UPLOAD_MAX_MEMORY_SIZE APPEND_SLASH LOCALE_PATHS
    """.split()
)


def _settings_of(repository: Repository) -> dict[str, Any]:
    """Settings that the repository writes down as plain values."""
    found: dict[str, Any] = {}
    for path in repository.python_files():
        parts = path.split("/")
        if parts[-1] == "settings.py" or "settings" in parts[:-1]:
            try:
                tree = repository.source(path).tree
            except SourceError:
                continue
            found |= dict(_literals(tree))
    return found


def _literals(tree: ast.Module) -> Iterator[tuple[str, Any]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.isupper():
                try:
                    yield name, ast.literal_eval(value)
                except ValueError:
                    if name == "DATABASES" and isinstance(value, ast.Dict):
                        keys = [k.value for k in value.keys if isinstance(k, ast.Constant)]
                        yield name, dict.fromkeys(map(str, keys))
            case _:
                pass


EXAMPLES = (
    Example(
        title="models of two applications, and what a function does with them",
        source="""\
from shop.models import Order


def pay(order_id, amount):
    order = Order.objects.select_related("customer").get(pk=order_id)
    order.paid += amount
    order.state = Order.State.PAID
    order.save(update_fields=["paid", "state"])
    others = Order.objects.filter(customer=order.customer).exclude(pk=order.pk)
    return order.customer.name, order.paid, str(order), others.count()
""",
        target="pay",
        call="pay(2, 5)",
        gives="('name 2', 7, 'order 2: paid', 0)",
        effects=("query django default",) * 3,
        files=(
            ("shop/__init__.py", ""),
            ("shop/apps.py", ""),
            (
                "shop/models.py",
                """\
from django.db import models

from people.models import Customer


class Order(models.Model):
    class State(models.TextChoices):
        NEW = "new", "New"
        PAID = "paid", "Paid"

    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="orders")
    paid = models.IntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.NEW)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self):
        return f"order {self.pk}: {self.state}"
""",
            ),
            ("people/__init__.py", ""),
            (
                "people/models.py",
                """\
from django.db import models


class Customer(models.Model):
    name = models.CharField(max_length=40, unique=True)
    email = models.EmailField()
""",
            ),
        ),
    ),
    Example(
        title="a manager of users without its model",
        source="""\
from django.contrib.auth.base_user import BaseUserManager


class UserManager(BaseUserManager):
    def create_user(self, email, password=None, **extra):
        if not email:
            raise ValueError("an address is needed")
        user = self.model(email=self.normalize_email(email), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email, password=None, **extra):
        extra.setdefault("is_staff", True)
        extra.setdefault("is_superuser", True)
        return self.create_user(email, password, **extra)
""",
        target="UserManager.create_superuser",
        call=(
            "[(u.pk, u.email, u.is_superuser, u.check_password('pw'))"
            " for u in [UserManager().create_superuser('Ann@HOME.example', 'pw')]]"
        ),
        gives="[(4, 'Ann@home.example', True, True)]",
        effects=("query django default",),
    ),
    Example(
        title="the user model of the project, settings, an atomic block that fails",
        source="""\
from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, models, transaction


class Member(AbstractUser):
    points = models.PositiveIntegerField(default=settings.START_POINTS)


class Badge(models.Model):
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    name = models.CharField(max_length=20)

    class Meta:
        unique_together = ("owner", "name")


def award(name):
    member = Member.objects.create_user("zed", password="x")
    given = 0
    for _ in range(2):
        try:
            with transaction.atomic():
                Badge.objects.create(owner=member, name=name)
                given += 1
        except IntegrityError:
            continue
    return member.points, given, list(member.badge_set.values_list("name", flat=True))
""",
        target="award",
        call="award('gold')",
        gives="(25, 1, ['gold'])",
        effects=("query django default",) * 6,
        files=(("project/settings.py", "AUTH_USER_MODEL = 'app.Member'\nSTART_POINTS = 25\n"),),
    ),
    Example(
        title="many to many, queries put together, a raw cursor",
        source="""\
from django.db import connection, models
from django.db.models import Count, F, Q
from django.shortcuts import get_object_or_404
from django.http import Http404


class Tag(models.Model):
    name = models.SlugField()


class Article(models.Model):
    title = models.CharField(max_length=50)
    views = models.IntegerField(default=0)
    tags = models.ManyToManyField(Tag)


def retag(article_id, *names):
    try:
        get_object_or_404(Article, pk=99)
    except Http404:
        article = get_object_or_404(Article, pk=article_id)
    for name in names:
        tag, _ = Tag.objects.get_or_create(name=name)
        article.tags.add(tag)
    Article.objects.filter(Q(pk=article_id) | Q(views__gt=100)).update(views=F("views") + 1)
    article.refresh_from_db()
    found = Article.objects.annotate(n=Count("tags")).filter(n__gt=0).values_list("title", "n")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM app_tag WHERE name = %s", ["name-1"])
        (count,) = cursor.fetchone()
    return article.views, list(found), count
""",
        target="retag",
        call="retag(1, 'name-1', 'new')",
        gives="(1, [('title 1', 2)], 1)",
        effects=("query django default",) * 14,
    ),
    Example(
        title="a signal that answers a new row",
        source="""\
from django.db import models
from django.db.models.signals import post_save


class Account(models.Model):
    owner = models.CharField(max_length=30)


class Wallet(models.Model):
    account = models.OneToOneField(Account, on_delete=models.CASCADE)
    coins = models.DecimalField(max_digits=8, decimal_places=2, default=0)


def open_wallet(sender, instance, created, **kwargs):
    if created:
        Wallet.objects.create(account=instance, coins="1.50")


def open_account(owner):
    post_save.connect(open_wallet, sender=Account)
    account = Account(owner=owner)
    account.save()
    return Wallet.objects.filter(account__owner=owner).count()
""",
        target="open_account",
        call="open_account('zoe')",
        gives="1",
        effects=("query django default",) * 3,
    ),
)

FAMILY = Family("django", applies, stub, EXAMPLES)
