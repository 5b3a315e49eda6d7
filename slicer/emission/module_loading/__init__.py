"""The order in which Python would load the kept modules and run their statements."""
