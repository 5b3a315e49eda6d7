"""urllib, urllib3 and http.client stay real: connections of http.client are answered."""
