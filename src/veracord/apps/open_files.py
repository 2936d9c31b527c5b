"""How many files a process may have open: every request that is under way needs one."""

from typing import Final

from veracord.errors import ConfigurationError

#: Files besides connections: standard streams, inputs, outputs, libraries that are loaded meanwhile.
_OTHERS: Final = 128


def allow_connections(count: int) -> None:
    """Raise the limit on open files so that so many connections fit.

    Raises:
        ConfigurationError: The system does not let us.
    """
    try:
        import resource
    except ImportError:
        # Not every system has such a limit.
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + _OTHERS
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise ConfigurationError(
            f"{count} units in flight need {wanted} open files, and the system allows {hard}",
            where="concurrency",
            remedy=f"use {max(1, hard - _OTHERS)} or less, or raise the limit (ulimit -n)",
            code="too_many_files",
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
