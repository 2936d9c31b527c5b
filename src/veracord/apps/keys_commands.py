"""The commands about the keys of programs: `keys`."""

from typing import Annotated

import typer

from veracord.apps import options
from veracord.apps.exchange_commands import DEFAULT_STORE, SigningKey, Store

Scopes = Annotated[
    list[str],
    typer.Option("--scope", metavar="SCOPE", help="read, propose or export. Repeatable.", show_default=False),
]
Days = Annotated[int, typer.Option("--expires", metavar="DAYS", help="For how many days it opens anything.")]
KeyId = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="vrc_ and eight characters, as keys list tells; never the key.", show_default=False
    ),
]


def add_key(
    scope: Scopes,
    *,
    expires: Days = 90,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Make a key for a program, and print it; it is not shown again. No key decides anything."""
    from veracord.apps.access_reports import key_row, new_key_text
    from veracord.apps.desks import signing_desk
    from veracord.apps.rendering import show

    with signing_desk(store, signing_key, is_new=True) as desk:
        made = desk.run(desk.access.add_key(desk.person, scope, expires))
    return show({"key": made.text, **key_row(made.key)}, new_key_text, as_json=as_json)


def list_keys(*, store: Store = DEFAULT_STORE, as_json: options.AsJson = False) -> int:
    """List the keys: what each may do, until when, and when it was last used."""
    from veracord.apps.access_reports import key_row, keys_text
    from veracord.apps.rendering import show
    from veracord.bootstrap.reviews import ReviewDesk

    with ReviewDesk(store) as desk:
        found = desk.run(desk.access.keys(desk.person))
    return show({"keys": [key_row(one) for one in found]}, keys_text, as_json=as_json)


def revoke_key(
    key: KeyId,
    *,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Take a key back; from now on it opens nothing."""
    from veracord.apps.access_reports import key_row, key_text
    from veracord.apps.desks import signing_desk
    from veracord.apps.rendering import show

    with signing_desk(store, signing_key) as desk:
        revoked = desk.run(desk.access.revoke_key(desk.person, key))
    return show(key_row(revoked), key_text, as_json=as_json)
