"""`httpcore` stays real: connections of its backends are answered, threads' and event loops' alike."""
