"""Django's ORM stays real: settings by name, applications around the slice's models, SQLite
below.
"""
