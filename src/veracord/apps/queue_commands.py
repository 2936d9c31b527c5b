"""The commands about all that waits, and what holds for it: `review list`, `review reject` and `review settings`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from veracord.apps import options
from veracord.apps.exchange_commands import DEFAULT_STORE, SigningKey, Store
from veracord.apps.review_commands import Note, decide

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from veracord.bootstrap.reviews import ReviewDesk
    from veracord.review.decisions import Done
    from veracord.review.settings import ReviewSettings
    from veracord.review.suggestions import SuggestionFilter

MaybeSuggestion = Annotated[
    str | None,
    typer.Argument(
        metavar="ID", help="The id of a suggestion, or the beginning of it. Not with --all.", show_default=False
    ),
]
All = Annotated[
    bool, typer.Option("--all", help="Refuse all that wait and that the filters mean; one filter must be given.")
]
Code = Annotated[
    str,
    typer.Option("--code", metavar="CODE", help="The reason: wrong_value, not_plausible, ...", show_default=False),
]
OfRecord = Annotated[
    list[str] | None, typer.Option("--record", metavar="ID", help="Of this record.", show_default=False)
]
AtPointer = Annotated[
    list[str] | None,
    typer.Option("--pointer", metavar="POINTER", help="At this place or below it.", show_default=False),
]
OfRule = Annotated[
    list[str] | None, typer.Option("--rule", metavar="RULE", help="That would satisfy this rule.", show_default=False)
]
OfStatus = Annotated[
    list[str] | None,
    typer.Option(
        "--status",
        metavar="STATUS",
        help="open, deferred, accepted, rejected, withdrawn or all. Repeatable. Without it: open and deferred.",
        show_default=False,
    ),
]
WaitingStatus = Annotated[
    list[str] | None,
    typer.Option(
        "--status",
        metavar="STATUS",
        help="open or deferred. Repeatable. Without it: both.",
        show_default=False,
    ),
]
OfModel = Annotated[
    list[str] | None, typer.Option("--model", metavar="NAME", help="Of this model.", show_default=False)
]
Older = Annotated[
    list[str] | None,
    typer.Option("--older", metavar="DATE", help="Made before this day or time, in UTC.", show_default=False),
]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, max=10_000, help="How many are shown.")]
Offset = Annotated[int, typer.Option("--offset", metavar="N", min=0, help="How many are passed over.")]


SecondPerson = Annotated[
    list[str] | None,
    typer.Option(
        "--second-person",
        metavar="PATTERN",
        help="At and below such places two persons must do the same; * is any token. Repeatable; the patterns before "
        "hold no more.",
        show_default=False,
    ),
]
NoSecondPerson = Annotated[bool, typer.Option("--no-second-person", help="One person is enough everywhere.")]
OwnProposals = Annotated[
    bool | None,
    typer.Option(
        "--own-proposals/--no-own-proposals",
        help="Whether one may accept what one imported oneself.",
        show_default=False,
    ),
]
RejectReason = Annotated[
    list[str] | None,
    typer.Option(
        "--reject-reason",
        metavar="CODE",
        help="A code that a rejection may give. Repeatable; the codes before hold no more.",
        show_default=False,
    ),
]


def list_suggestions(
    *,
    record: OfRecord = None,
    pointer: AtPointer = None,
    rule: OfRule = None,
    status: OfStatus = None,
    model: OfModel = None,
    older: Older = None,
    limit: Limit = 100,
    offset: Offset = 0,
    store: Store = DEFAULT_STORE,
    as_json: options.AsJson = False,
) -> int:
    """List suggestions that wait for a decision, the oldest first."""
    from veracord.apps.rendering import show
    from veracord.apps.review_reports import list_text
    from veracord.bootstrap.reviews import ReviewDesk
    from veracord.reports.suggestions import list_report

    wanted = _filter(record, pointer, rule, status, model, older)
    with ReviewDesk(store) as desk:
        page = desk.run(desk.service.list_suggestions(wanted, limit=limit, offset=offset))
    return show(list_report(page), list_text, as_json=as_json)


def reject(
    suggestion: MaybeSuggestion = None,
    *,
    every: All = False,
    record: OfRecord = None,
    pointer: AtPointer = None,
    rule: OfRule = None,
    status: WaitingStatus = None,
    model: OfModel = None,
    older: Older = None,
    code: Code = "",
    note: Note = "",
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Refuse a suggestion, or with --all many at once; they are not made again."""
    from veracord.apps.failures import usage_error
    from veracord.review.decisions import Reject

    filters = (record, pointer, rule, status, model, older)
    if every:
        if suggestion is not None:
            raise usage_error("ID and --all exclude each other", remedy="leave one of them out")
        return _reject_all(_filter(*filters), code, note, store, signing_key, as_json=as_json)
    if any(filters):
        raise usage_error("filters are for --all", remedy="leave them out, or ID")
    if suggestion is None:
        raise usage_error("neither ID nor --all was given", remedy="say which suggestion is meant")

    def act(desk: "ReviewDesk") -> "Coroutine[Any, Any, Done]":
        return desk.service.reject(desk.person, Reject(desk.whole_id(suggestion), code, note))

    return decide("reject", act, store, signing_key, as_json=as_json)


def _reject_all(
    wanted: "SuggestionFilter", code: str, note: str, store: str, signing_key: SigningKey, *, as_json: bool
) -> int:
    """Refuse all that a filter means, and tell how many."""
    from veracord.apps.desks import signing_desk
    from veracord.apps.failures import usage_error
    from veracord.apps.rendering import show
    from veracord.apps.review_reports import rejected_text
    from veracord.review.decisions import BulkReject
    from veracord.review.suggestions import UNDECIDED

    if not set(wanted.status) <= set(UNDECIDED):
        raise usage_error("what is decided is not rejected", where="--status", remedy="use open or deferred")
    with signing_desk(store, signing_key) as desk:
        number = desk.run(desk.service.bulk_reject(desk.person, BulkReject(wanted, code, note)))
    return show({"act": "reject", "rejected": number}, rejected_text, as_json=as_json)


def _filter(*given: list[str] | None) -> "SuggestionFilter":
    """Return the filter that the options are: record, pointer, rule, status, model and moment.

    Raises:
        ConfigurationError: ``usage``: one is none, or is given twice; the last would win in silence.
    """
    from veracord.apps.review_inputs import read_moment, read_one, read_statuses
    from veracord.review.suggestions import SuggestionFilter

    names = ("--record", "--pointer", "--rule", "--status", "--model", "--older")
    record, pointer, rule, _, model, older = (
        None if name == "--status" else read_one(texts, name) for name, texts in zip(names, given, strict=True)
    )
    moment = None if older is None else read_moment(older)
    return SuggestionFilter(record, pointer, rule, read_statuses(given[3]), model, moment)


def settings(
    *,
    second_person: SecondPerson = None,
    no_second_person: NoSecondPerson = False,
    own_proposals: OwnProposals = None,
    reject_reason: RejectReason = None,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Show what holds for all decisions of the store, or change what options name; the log tells of it."""
    from veracord.apps.desks import signing_desk
    from veracord.apps.rendering import show
    from veracord.apps.review_inputs import read_codes, read_patterns
    from veracord.apps.review_reports import settings_text
    from veracord.bootstrap.reviews import ReviewDesk
    from veracord.reports.decisions import settings_report

    given: dict[str, Any] = {
        "second_person": read_patterns(second_person, is_none=no_second_person),
        "own_proposals": own_proposals,
        "reject_reasons": read_codes(reject_reason),
    }
    changed = {name: value for name, value in given.items() if value is not None}
    with signing_desk(store, signing_key) if changed else ReviewDesk(store) as desk:
        if changed:
            found = desk.run(desk.service.update_settings(desk.person, _update(changed)))
        else:
            found = desk.run(desk.service.settings())
    return show(settings_report(found, is_changed=bool(changed)), settings_text, as_json=as_json)


def _update(changed: dict[str, Any]) -> "Callable[[ReviewSettings], ReviewSettings]":
    from dataclasses import replace

    return lambda before: replace(before, **changed)
