"""What servers, databases and models must answer."""
