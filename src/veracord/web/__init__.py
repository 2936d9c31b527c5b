"""HTTP: the API, and the page over the same services.  It parses, makes one call, and answers; it decides nothing."""
