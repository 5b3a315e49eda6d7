"""Files: what is read and not there is offered, and nothing outside the working folder is touched."""
