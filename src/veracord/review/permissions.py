"""Who may do what: the one place that decides it.

A guess becomes part of a record only by the act of a person who is signed in.  Keys, plugins and pipelines may read,
bring in records and propose.  None of them takes away what a person decided.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from veracord.review.people import SIGN_INS, Caller, Person
from veracord.review.settings import ReviewSettings
from veracord.review.suggestions import StoredSuggestion


class Action(StrEnum):
    """What can be asked for."""

    IMPORT = "import"
    EXPORT = "export"
    CHECKPOINT = "checkpoint"
    ACCEPT = "accept"
    EDIT = "edit"
    REJECT = "reject"
    DEFER = "defer"
    DECLARE = "declare"
    ATTACH = "attach"
    UNDO = "undo"
    BULK_REJECT = "bulk_reject"
    #: To take away, by an import, what people decided about a record or attached to it.
    DROP_DECISIONS = "drop_decisions"
    CHANGE_SETTINGS = "change_settings"
    ROTATE_KEY = "rotate_key"
    CHANGE_USERS = "change_users"
    CHANGE_KEYS = "change_keys"
    #: One's own.
    CHANGE_PASSWORD = "change_password"
    SIGN_IN = "sign_in"
    LOGIN_LINK = "login_link"
    REQUEST = "request"
    USE_KEY = "use_key"


#: What programs may do, too, and persons who do not only look.
_OPEN: Final = frozenset({Action.IMPORT, Action.EXPORT, Action.CHECKPOINT})
_MAINTAINERS: Final = frozenset({Action.CHANGE_SETTINGS, Action.ROTATE_KEY, Action.CHANGE_USERS, Action.CHANGE_KEYS})
#: What everybody may do who is signed in.
_OWN: Final = frozenset({Action.CHANGE_PASSWORD})
_ACCEPTING: Final = frozenset({Action.ACCEPT, Action.EDIT, Action.DECLARE})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why somebody may not do something.

    Attributes:
        code: A short name that stays the same.
        what: In words.
        remedy: What could be done.
    """

    code: str
    what: str
    remedy: str


def refusal(
    caller: Caller, action: Action, settings: ReviewSettings, suggestion: StoredSuggestion | None = None
) -> Refusal | None:
    """Return why a caller may not do something; None where they may.

    Args:
        caller: Who asks.
        action: What for.
        settings: The settings of the store.
        suggestion: What it is about, where that is known.
    """
    if action in _OPEN and caller is not None:
        return _refusal_of_reader(caller)
    if type(caller) is not Person:
        return Refusal("not_a_person", "only a person decides", "let somebody who is signed in do it")
    if not caller.id or caller.how not in SIGN_INS:
        return Refusal("not_signed_in", "nobody is signed in", "sign in")
    roles = _roles_for(action)
    if caller.role not in roles:
        return Refusal("not_allowed", f"the role {caller.role} may not do this", f"ask a {roles[0]}")
    if suggestion is None or action not in _ACCEPTING:
        return None
    return _refusal_of_own(caller, settings, suggestion)


def _roles_for(action: Action) -> tuple[str, ...]:
    if action in _OWN:
        return ("viewer", "reviewer", "maintainer")
    return ("maintainer",) if action in _MAINTAINERS else ("reviewer", "maintainer")


def _refusal_of_reader(caller: Caller) -> Refusal | None:
    """Return why somebody who only looks may bring nothing in, and take nothing out as a whole."""
    if type(caller) is Person and caller.role == "viewer":
        return Refusal("not_allowed", "the role viewer may not do this", "ask a reviewer")
    return None


def is_own(caller: Caller, suggestion: StoredSuggestion) -> bool:
    """Whether a suggestion was brought in by the person who asks."""
    proposer = suggestion.proposed_by
    return type(caller) is Person and proposer.kind == "person" and proposer.id == caller.id


def _refusal_of_own(person: Person, settings: ReviewSettings, suggestion: StoredSuggestion) -> Refusal | None:
    first = suggestion.first
    if first is not None and first.person_id == person.id:
        return Refusal("second_person_required", "a second person must do the same", "ask another person")
    if not settings.own_proposals and is_own(person, suggestion):
        return Refusal("own_proposal", "who brought a suggestion in may not accept it", "ask another person")
    return None
