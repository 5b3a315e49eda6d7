"""Alembic outside its command: a configuration, an environment, and SQL that is noted."""

from __future__ import annotations

from typing import Any

from .....world.core.on_import import on_import
from .....world.core.world import record, replace, undo_with


def answer_alembic(configuration: str) -> None:
    """Have `alembic.context` and `alembic.op` act as in a run of the command.

    Args:
        configuration: text of the repository's `alembic.ini`; empty where it has none.
    """
    on_import("logging.config", _patch_logging)
    on_import("alembic", lambda alembic: _enter(alembic, configuration))


class NotedSql:
    """Takes the SQL that would be run."""

    def write(self, text: str) -> None:
        """Note a statement."""
        if text.strip():
            record("query", "alembic", " ".join(text.split()))

    def flush(self) -> None:
        """Nothing waits."""


def _patch_logging(module: Any) -> None:
    real = module.fileConfig

    def file_config(fname: Any, *arguments: Any, **named: Any) -> None:
        """Loggers stay as they are where the file is the one that stands in."""
        if fname != "alembic.ini":
            real(fname, *arguments, **named)

    replace(module, "fileConfig", file_config)


def _enter(alembic: Any, text: str) -> None:
    """Enter what the command enters; `op` writes for PostgreSQL, which can alter all."""
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    _enter_environment(alembic.context, text)
    options = {"as_sql": True, "output_buffer": NotedSql()}
    context = MigrationContext.configure(dialect_name="postgresql", opts=options)
    entered = Operations.context(context)
    entered.__enter__()
    undo_with(entered.__exit__, None, None, None)


def _enter_environment(module: Any, text: str) -> None:
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext

    config = Config(attributes={})
    config.file_config.read_string(text)
    config.config_file_name = "alembic.ini"
    if not config.file_config.has_section("alembic"):
        config.file_config.add_section("alembic")
    if not config.get_main_option("sqlalchemy.url"):
        config.set_main_option("sqlalchemy.url", "sqlite://")
    environment = EnvironmentContext(
        config, None, fn=lambda *_: (), output_buffer=NotedSql(), destination_rev="head"
    )
    environment.__enter__()
    undo_with(environment.__exit__, None, None, None)
    real = environment.configure

    def configure(connection: Any = None, *arguments: Any, **named: Any) -> None:
        """Without a connection, SQL is written and not run."""
        environment.context_opts["as_sql"] = connection is None
        real(connection, *arguments, **named)

    replace(module, "configure", configure)
