"""Who acts: a signed-in person, or something that may read and propose but never decide.

Only the host that signed somebody in makes a `Person`; what came through a key, a plugin or a pipeline is none, whoever
wrote it.
"""

from dataclasses import dataclass
from typing import Final, Literal

from veracord.audit.events import Actor

#: How a person can have been signed in.
SIGN_INS: Final = frozenset({"terminal", "password", "login_link"})

Role = Literal["viewer", "reviewer", "maintainer"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom the host has signed in: the only one who may decide.

    Attributes:
        id: An id, never a name.
        how: How they were signed in; one of `SIGN_INS`.
        role: What they may do.
    """

    id: str
    how: str
    role: Role


@dataclass(frozen=True, slots=True)
class Service:
    """A program that came with a key, such as an agent.

    Attributes:
        id: Names the key, without its secret.
    """

    id: str


@dataclass(frozen=True, slots=True)
class Plugin:
    """Code of somebody else that runs in our process.

    Attributes:
        id: Its name.
    """

    id: str


@dataclass(frozen=True, slots=True)
class PipelineActor:
    """A run of a pipeline.

    Attributes:
        id: The id of the run.
    """

    id: str


Caller = Person | Service | Plugin | PipelineActor | None

_UNKNOWN: Final = Actor("unknown", "system", "", "")


def actor_of(caller: object) -> Actor:
    """Return how the log names a caller; what is none of ours is nobody that is known."""
    if type(caller) is Person and caller.id:
        return Actor(caller.id, "person", caller.how, caller.role)
    if type(caller) is Service and caller.id:
        return Actor(caller.id, "service", "api_key", "")
    if type(caller) is Plugin and caller.id:
        return Actor(caller.id, "plugin", "", "")
    if type(caller) is PipelineActor and caller.id:
        return Actor(caller.id, "pipeline", "", "")
    return _UNKNOWN
