"""`httpcore` stays real: the connections of its backends are answered, sync and async ones."""
