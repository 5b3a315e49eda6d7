"""Alembic stays real: its environments and migrations find what its command gives them."""

from __future__ import annotations

from ....contacts import Border, Contact, Example, Family, Mock, Treated

_FILE = "alembic.ini"


def applies(border: Border) -> tuple[Contact, ...]:
    """What only a running command provides."""
    return border.named("alembic.context", "alembic.op")


def stub(border: Border, contacts: tuple[Contact, ...]) -> Mock:
    """The repository's configuration and an environment; SQL of migrations is noted, not run."""
    del contacts
    repository = border.repository
    is_there = repository.is_file(_FILE)
    text = repository.read_data(_FILE).decode("utf-8", "replace") if is_there else ""
    return Mock(
        treated=(Treated("alembic", "faked", "finds an environment as in a run of its command"),),
        setup=f"answer_alembic({text!r})\n",
        pieces=("migrations",),
        data_files=(_FILE,) if is_there else (),
    )


_NEEDS = ("alembic", "sqlalchemy")
EXAMPLES = (
    Example(
        title="a migration",
        source="""\
import sqlalchemy as sa
from alembic import op

revision = "b2"
down_revision = "a1"


def upgrade():
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
    )
    op.add_column("posts", sa.Column("likes", sa.Integer(), server_default="0"))
    op.create_index("ix_users_name", "users", ["name"], unique=True)
    op.alter_column("posts", "title", existing_type=sa.String(20), type_=sa.Text())
    op.execute("UPDATE posts SET likes = 1")
""",
        target="upgrade",
        call="(upgrade(), _effects[-1][2])",
        gives="(None, 'UPDATE posts SET likes = 1;')",
        effects=("query alembic",) * 5,
        needs=_NEEDS,
    ),
    Example(
        title="the environment of migrations, online and offline",
        source="""\
from logging.config import fileConfig

from alembic import context
from sqlalchemy import Column, Integer, MetaData, Table, engine_from_config, pool

config = context.config
if config.config_file_name is not None:
    fileConfig(config.config_file_name)
target_metadata = MetaData()
Table("users", target_metadata, Column("id", Integer, primary_key=True))


def run_migrations_offline():
    url = config.get_main_option("sqlalchemy.url")
    context.configure(url=url, target_metadata=target_metadata, literal_binds=True)
    with context.begin_transaction():
        context.run_migrations()
    return url


def run_migrations_online():
    connectable = engine_from_config(
        config.get_section(config.config_ini_section), prefix="sqlalchemy.", poolclass=pool.NullPool
    )
    with connectable.connect() as connection:
        context.configure(connection=connection, target_metadata=target_metadata)
        with context.begin_transaction():
            context.run_migrations()


def both():
    run_migrations_online()
    return context.is_offline_mode(), run_migrations_offline(), config.get_main_option("title")
""",
        target="both",
        call="both()",
        gives="(False, 'postgresql://localhost/shop', 'Shop')",
        effects=("query postgresql://localhost/shop",),
        files=(
            (
                "alembic.ini",
                "[alembic]\ntitle = Shop\nsqlalchemy.url = postgresql://localhost/shop\n",
            ),
        ),
        needs=_NEEDS,
    ),
    Example(
        title="the way back",
        source="""\
from alembic import op

revision = "c3"
down_revision = "b2"


def downgrade():
    op.drop_index("ix_users_name", table_name="users")
    op.drop_column("posts", "likes")
    op.drop_table("users")
    return revision, down_revision
""",
        target="downgrade",
        call="downgrade()",
        gives="('c3', 'b2')",
        effects=("query alembic",) * 3,
        needs=_NEEDS,
    ),
    Example(
        title="rows that a migration brings along",
        source="""\
import sqlalchemy as sa
from alembic import op

ROLES = ("admin", "reader")


def upgrade():
    roles = op.create_table(
        "roles", sa.Column("id", sa.Integer, primary_key=True), sa.Column("name", sa.String(20))
    )
    op.bulk_insert(roles, [{"id": n, "name": name} for n, name in enumerate(ROLES, start=1)])
    return len(ROLES)
""",
        target="upgrade",
        call="upgrade()",
        gives="2",
        effects=("query alembic",) * 3,
        needs=_NEEDS,
    ),
    Example(
        title="a table that is renamed, with its keys",
        source="""\
from alembic import op


def upgrade():
    op.rename_table("orders", "purchases")
    op.create_foreign_key("fk_buyer", "purchases", "users", ["user_id"], ["id"])
    op.create_unique_constraint("uq_number", "purchases", ["number"])
    for column in ("note", "flag"):
        op.drop_column("purchases", column)
""",
        target="upgrade",
        call="upgrade()",
        gives="None",
        effects=("query alembic",) * 5,
        needs=_NEEDS,
    ),
)

FAMILY = Family("migrations", applies, stub, EXAMPLES)
