"""The commands of people who decide: `review`."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veracord.apps import options
from veracord.apps.exchange_commands import DEFAULT_STORE, SigningKey, Store

if TYPE_CHECKING:
    from veracord.bootstrap.reviews import ReviewDesk
    from veracord.review.decisions import Done, Seen

Suggestion = Annotated[
    str,
    typer.Argument(metavar="ID", help="The id of a suggestion, or the beginning of it.", show_default=False),
]
SuggestionOrRecord = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="The id of a suggestion, or the beginning of it; with POINTER, a record.", show_default=False
    ),
]
MaybePointer = Annotated[
    str | None, typer.Argument(metavar="POINTER", help="A place of the record, like /a/b.", show_default=False)
]
RecordId = Annotated[str, typer.Argument(metavar="RECORD", help="The id of a record.", show_default=False)]
Pointer = Annotated[str, typer.Argument(metavar="POINTER", help="A place of the record.", show_default=False)]
Value = Annotated[
    str,
    typer.Argument(
        metavar="VALUE",
        help="The value as JSON: 1.50, true, '\"a text\"'. Put -- before one that begins with -.",
        show_default=False,
    ),
]
EventId = Annotated[
    str,
    typer.Argument(
        metavar="EVENT",
        help="The id of a decision's event, or the beginning of it; the decision printed it, and explain shows it.",
        show_default=False,
    ),
]
EvidenceFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file with one evidence item.", show_default=False)
]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it stands in the log.", show_default=False)]
MaybeReason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it stands in the log.")]
Note = Annotated[str, typer.Option("--note", metavar="TEXT", help="What else is to be said; it stands in the log.")]
SeenText = Annotated[
    str | None,
    typer.Option(
        "--seen",
        metavar="SEEN",
        help="What review show printed: refused if the place has changed since. Without it: what stands there now.",
        show_default=False,
    ),
]
Document = Annotated[
    Path, typer.Option("--document", metavar="FILE", help="The document that you hold.", show_default=False)
]
Page = Annotated[str, typer.Option("--page", metavar="PAGE", help="Where in it.", show_default=False)]
Quote = Annotated[str, typer.Option("--quote", metavar="TEXT", help="The words of it that say so.", show_default=False)]


def show_suggestion(
    suggestion: SuggestionOrRecord,
    pointer: MaybePointer = None,
    *,
    store: Store = DEFAULT_STORE,
    as_json: options.AsJson = False,
) -> int:
    """Show a suggestion, or a place of a record: what stands there, what is wrong, what the evidence says."""
    from veracord.apps.rendering import show
    from veracord.apps.review_reports import place_text
    from veracord.bootstrap.reviews import ReviewDesk
    from veracord.reports.places import place_report

    with ReviewDesk(store) as desk:
        if pointer is None:
            shown = desk.run(desk.service.show(desk.whole_id(suggestion)))
        else:
            shown = desk.run(desk.service.show_place(suggestion, pointer))
    return show(place_report(shown), place_text, as_json=as_json)


def accept(
    suggestion: Suggestion,
    *,
    reason: Reason = "",
    seen: SeenText = None,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Take a suggestion as it is; it stays unverified, and supports nothing."""
    from veracord.review.decisions import Accept

    def act(desk: "ReviewDesk") -> "Coroutine[Any, Any, Done]":
        whole = desk.whole_id(suggestion)
        return desk.service.accept(desk.person, Accept(whole, reason, _seen(desk, whole, seen)))

    return decide("accept", act, store, signing_key, as_json=as_json)


def edit(
    suggestion: Suggestion,
    value: Value,
    *,
    reason: Reason = "",
    seen: SeenText = None,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Take another value in the place of a suggestion; it is as unverified."""
    from veracord.apps.review_inputs import read_typed
    from veracord.review.decisions import Edit

    typed = read_typed(value)

    def act(desk: "ReviewDesk") -> "Coroutine[Any, Any, Done]":
        whole = desk.whole_id(suggestion)
        return desk.service.edit(desk.person, Edit(whole, typed, reason, _seen(desk, whole, seen)))

    return decide("edit", act, store, signing_key, as_json=as_json)


def defer(
    suggestion: Suggestion,
    *,
    note: Note = "",
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Put a suggestion off; it can still be decided."""
    from veracord.review.decisions import Defer

    def act(desk: "ReviewDesk") -> "Coroutine[Any, Any, Done]":
        return desk.service.defer(desk.person, Defer(desk.whole_id(suggestion), note))

    return decide("defer", act, store, signing_key, as_json=as_json)


def undo(
    event: EventId,
    *,
    reason: Reason = "",
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Take one decision back, by a new event; nothing is deleted."""
    from veracord.review.decisions import Undo

    def act(desk: "ReviewDesk") -> "Coroutine[Any, Any, Done]":
        return desk.service.undo(desk.person, Undo(desk.whole_event_id(event), reason))

    return decide("undo", act, store, signing_key, as_json=as_json)


def _seen(desk: "ReviewDesk", suggestion_id: str, text: str | None) -> "Seen":
    """Return what the person saw; without their word, what stands there now."""
    from veracord.apps.review_inputs import read_seen_option
    from veracord.errors import DecisionError
    from veracord.review.decisions import Seen

    if text is not None:
        return read_seen_option(text)
    try:
        return desk.run(desk.service.show(suggestion_id)).seen
    except DecisionError:
        # The decision is asked for all the same: its refusal belongs in the log.
        return Seen(0, "")


def decide(
    name: str,
    act: "Callable[[ReviewDesk], Coroutine[Any, Any, Done]]",
    store: str,
    signing_key: Path | None,
    *,
    as_json: bool,
) -> int:
    """Do one decision and tell what came of it."""
    from veracord.apps.desks import signing_desk
    from veracord.apps.rendering import show
    from veracord.apps.review_reports import done_text
    from veracord.reports.decisions import done_report

    with signing_desk(store, signing_key) as desk:
        done = desk.run(act(desk))
    return show(done_report(name, done), done_text, as_json=as_json)
