"""What users start: the command line, which parses, makes one call and prints."""
