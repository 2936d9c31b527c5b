"""What programs get to see of results and stores, as plain dicts: the same on the command line and over HTTP."""
