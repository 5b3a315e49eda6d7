"""Objects by the place where they are made: classes, containers, attribute slots."""
