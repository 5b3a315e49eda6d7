"""Databases of Flask applications, reachable also where no request is under way."""

from __future__ import annotations

from typing import Any

from .....world.core.world import replace, undo_with


def patch_flask_sqlalchemy(flask_sqlalchemy: Any) -> None:
    """Databases of Flask applications, reachable also where no request is under way."""
    extension = flask_sqlalchemy.SQLAlchemy
    prepare, join = extension.__init__, extension.init_app

    def entered(app: Any) -> None:
        context = app.app_context()
        context.push()
        undo_with(_left, context)

    def initialise(self: Any, app: Any = None, *arguments: Any, **options: Any) -> None:
        prepare(self, app, *arguments, **options)
        if app is None:
            import flask

            bare = flask.Flask("slice_func_mocks", root_path="/", instance_path="/instance")
            self.init_app(bare)

    def init_app(self: Any, app: Any) -> None:
        if not app.config.get("SQLALCHEMY_DATABASE_URI"):
            app.config["SQLALCHEMY_DATABASE_URI"] = "postgresql://localhost/database"
        join(self, app)
        entered(app)

    replace(extension, "__init__", initialise)
    replace(extension, "init_app", init_app)
    replace(extension, "_apply_driver_defaults", lambda self, options, app: None)


def _left(context: Any) -> None:
    try:
        context.pop()
    except Exception:
        return
