"""Call graphs, beside other tools."""
