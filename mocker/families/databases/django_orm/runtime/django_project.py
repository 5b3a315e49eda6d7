"""A Django project around the models of a slice: settings, applications, a database."""

from __future__ import annotations

import types
from typing import Any

from .....world.core.on_import import on_import
from .....world.core.plain_data import plain_values
from .....world.core.world import chosen, record, replace, undo_with
from .....world.data.sample_values import sample_text, sample_value
from .....world.sql.sql_functions import server_functions
from .....world.sql.sql_memory import RawSqlite, SqlWorld, sql_database
from .....world.sql.sql_text import Named, sql_verb


class DjangoProject:
    """What the slice's repository says of its project."""

    settings: dict[str, Any] = {}
    labels: dict[str, str] = {}
    apps: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    label = ""


def configure_django(
    settings: dict[str, Any], labels: dict[str, str], apps: list[str], aliases: list[str]
) -> None:
    """Configure Django as soon as the slice imports it.

    Args:
        settings: by name, beside those for the database.
        labels: name of a model's class → label of its application.
        apps: applications of Django's own that the slice needs.
        aliases: of the databases.
    """
    DjangoProject.settings, DjangoProject.labels = settings, labels
    DjangoProject.apps, DjangoProject.aliases = tuple(apps), tuple(aliases)
    on_import("django", _configure)


def _configure(_django: Any) -> None:
    from django.conf import settings

    databases = {
        alias: {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": sql_database(f"django {alias}").file,
        }
        for alias in DjangoProject.aliases
    }
    values = {
        "SECRET_KEY": "slice-func",
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "EMAIL_BACKEND": "django.core.mail.backends.locmem.EmailBackend",
        "ALLOWED_HOSTS": ["*"],
        **DjangoProject.settings,
        "DATABASES": databases,
    }
    # a user model of the slice's own does not exist before the slice's classes do
    user_model = values.pop("AUTH_USER_MODEL", None)
    if settings.configured:
        for name, value in values.items():
            setattr(settings, name, value)
    else:
        settings.configure(INSTALLED_APPS=list(DjangoProject.apps), **values)
    if DjangoProject.apps or DjangoProject.labels:
        _populate()
    if user_model:
        settings.AUTH_USER_MODEL = user_model
    on_import("django.contrib.auth.hashers", _patch_hashers)
    on_import("django.contrib.auth.base_user", _patch_user_manager)


def _populate() -> None:
    from django.apps import AppConfig, apps
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.signals import connection_created
    from django.db.models.base import ModelBase

    apps.populate(list(DjangoProject.apps))
    for label in sorted(set(DjangoProject.labels.values()) - set(apps.app_configs)):
        config = type("SliceConfig", (AppConfig,), {"path": "/", "label": label})(
            f"slice_func_{label}", types.ModuleType(label)
        )
        config.apps, config.models = apps, apps.all_models[label]
        apps.app_configs[label] = config
        undo_with(_forget_app, apps, label)
    make_class, find = ModelBase.__new__, type(apps).get_containing_app_config

    def new(cls: Any, name: str, bases: Any, attrs: Any, **options: Any) -> Any:
        before, DjangoProject.label = DjangoProject.label, DjangoProject.labels.get(name, "")
        try:
            return make_class(cls, name, bases, attrs, **options)
        finally:
            DjangoProject.label = before

    def get_containing_app_config(self: Any, object_name: str) -> Any:
        return self.app_configs.get(DjangoProject.label) or find(self, object_name)

    replace(ModelBase, "__new__", staticmethod(new))
    replace(type(apps), "get_containing_app_config", get_containing_app_config)
    for name, what in (("_commit", "COMMIT"), ("_rollback", "ROLLBACK")):
        replace(BaseDatabaseWrapper, name, _ending(getattr(BaseDatabaseWrapper, name), what))
    connection_created.connect(_connected, weak=False, dispatch_uid="slice_func")
    undo_with(_disconnect)


def _forget_app(apps: Any, label: str) -> None:
    apps.app_configs.pop(label, None)
    apps.all_models.pop(label, None)
    apps.clear_cache()


def _disconnect() -> None:
    from django.db import connections
    from django.db.backends.signals import connection_created

    connections.close_all()
    connection_created.disconnect(dispatch_uid="slice_func")


def _ending(function: Any, what: str) -> Any:
    def call(self: Any) -> Any:
        if self.connection is not None and self.connection.in_transaction:
            record("query", f"django {self.alias}", what)
        return function(self)

    return call


def _connected(sender: Any, connection: Any, **_options: Any) -> None:
    server_functions(connection.connection)
    if _through not in connection.execute_wrappers:
        connection.execute_wrappers.append(_through)


def _through(execute: Any, sql: str, params: Any, many: Any, context: Any) -> Any:
    """Around every statement: record it, and see that its tables are there."""
    connection = context["connection"]
    if sql_verb(sql) not in ("PRAGMA", "SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN"):
        record("query", f"django {connection.alias}", sql, plain_values(params or []))
        prepare_models(connection, sql)
    return execute(sql, params, many, context)


def prepare_models(connection: Any, sql: str) -> None:
    """Make the tables that a statement names, as the slice's models describe them."""
    from django.apps import apps

    if sql_verb(sql) in ("CREATE", "ALTER", "DROP"):
        return
    models = {
        model._meta.db_table.lower(): model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    }
    raw = RawSqlite(connection.connection)
    for table in Named(sql).columns:
        model = models.get(table.lower())
        if model is not None:
            _make_table(connection, raw, model)


def _make_table(connection: Any, raw: Any, model: Any) -> None:
    """A model's table, after those that it points to, with a few rows."""
    meta = model._meta
    database = sql_database(f"django {connection.alias}")
    if meta.db_table.lower() in database.settled:
        return
    database.settled.add(meta.db_table.lower())
    for field in meta.local_concrete_fields:
        target = getattr(field.remote_field, "model", None)
        if target is not None and target is not model and not target._meta.proxy:
            _make_table(connection, raw, target)
    if not raw.columns(meta.db_table):
        editor = connection.SchemaEditorClass(connection, collect_sql=True, atomic=False)
        editor.deferred_sql = []
        editor.create_model(model)
        for statement in [*editor.collected_sql, *map(str, editor.deferred_sql)]:
            raw.execute(statement)
    if meta.auto_created or not chosen("database", SqlWorld.variants):
        return
    columns = ", ".join(f'"{field.column}"' for field in meta.local_concrete_fields)
    marks = ", ".join("?" for _ in meta.local_concrete_fields)
    for number in range(1, 4):
        values = [_stored_field(connection, field, number) for field in meta.local_concrete_fields]
        raw.execute(f'INSERT OR IGNORE INTO "{meta.db_table}" ({columns}) VALUES ({marks})', values)


def _stored_field(connection: Any, field: Any, number: int) -> Any:
    value = field.get_db_prep_save(field_value(field, number), connection)
    return str(value) if type(value).__name__ in ("date", "datetime", "time", "Decimal") else value


def field_value(field: Any, number: int) -> Any:
    """A value for row `number` of a field, of the type that Python sees."""
    import datetime
    import decimal
    import uuid

    from django.conf import settings
    from django.db.models.fields import NOT_PROVIDED

    if field.remote_field is not None:
        return field_value(field.target_field, number)
    if field.choices:
        flat = [key for key, _label in field.flatchoices]
        return flat[(number - 1) % len(flat)]
    if field.default is not NOT_PROVIDED and not callable(field.default):
        return field.default
    kind = field.get_internal_type()
    moment = datetime.datetime(2026, 1, number, 12)
    if settings.USE_TZ:
        moment = moment.replace(tzinfo=datetime.UTC)
    if kind.endswith(("AutoField", "IntegerField")):
        return number
    values: dict[str, Any] = {
        "BooleanField": bool(number % 2),
        "NullBooleanField": bool(number % 2),
        "DateTimeField": moment,
        "DateField": moment.date(),
        "TimeField": moment.time(),
        "DurationField": datetime.timedelta(hours=number),
        "FloatField": number + 0.5,
        "DecimalField": decimal.Decimal(number),
        "UUIDField": uuid.UUID(str(sample_value(field.name, "UUID", number))),
        "JSONField": {},
        "BinaryField": f"{field.name} {number}".encode(),
        "GenericIPAddressField": f"127.0.0.{number}",
        "SlugField": f"{field.name}-{number}",
        "FileField": f"{field.name}-{number}.txt",
        "ImageField": f"{field.name}-{number}.png",
    }
    text = sample_text(field.name, number)
    if type(field).__name__ == "EmailField":
        text = f"user{number}@example.com"
    return values.get(kind, text[-field.max_length :] if field.max_length else text)


def _patch_hashers(hashers: Any) -> None:
    """Passwords are hashed with one salt, and fast."""
    replace(hashers.BasePasswordHasher, "salt", lambda self: "slicefuncslicefuncslic")
    replace(hashers.PBKDF2PasswordHasher, "iterations", 1)


def _patch_user_manager(base_user: Any) -> None:
    """A manager of users that belongs to no model of the slice makes Django's own users."""

    def model(self: Any) -> Any:
        from django.contrib.auth import get_user_model

        own = vars(self).get("model")
        return get_user_model() if own is None else own

    def set_model(self: Any, value: Any) -> None:
        vars(self)["model"] = value

    replace(base_user.BaseUserManager, "model", property(model, set_model))
