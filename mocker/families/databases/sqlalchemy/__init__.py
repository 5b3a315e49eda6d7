"""SQLAlchemy, SQLModel and Flask-SQLAlchemy stay real: engines of any address are SQLite ones."""
