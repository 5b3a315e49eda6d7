"""Objects by allocation site: classes, containers, attribute slots."""
