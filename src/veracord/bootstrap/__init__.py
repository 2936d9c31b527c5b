"""From choices and files to a wired application: the one place that knows every adapter."""
