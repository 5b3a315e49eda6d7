"""Requirements of a class on its instances: members, constructor checks, consistent states."""
