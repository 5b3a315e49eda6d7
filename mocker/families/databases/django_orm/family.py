"""Django's ORM stays real: settings by name, applications around the slice's models, SQLite
below.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, cast

from .....slicer import Repository
from .....slicer.errors import SourceError
from ....contacts import Border, Contact, Family, Mock, ModuleTreatment
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


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """A project with the slice's models and the settings that it reads."""
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
        treated=(
            ModuleTreatment("django", "faked", "settings and databases are the script's own"),
        ),
        setup=setup,
        pieces=("django_project",),
    )


def _apps(border: Border) -> list[str]:
    """Return Django's own applications that the slice's models require."""
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
    """Yield the slice's classes, with the label of the application whose folder they are in."""
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
    """Return the names that the slice reads from `django.conf.settings`."""
    found = {c.name.removeprefix(_SETTINGS) for c in border.named("django.conf.settings")}
    return sorted(name.partition(".")[0] for name in found if name.partition(".")[0].isupper())


def _is_known(name: str) -> bool:
    """Whether Django has a default for a setting."""
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
    """Return the settings that the repository assigns as plain values."""
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


FAMILY = Family("django", stub)
