"""The commands about who may sign in: `users`."""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from veracord.apps import options
from veracord.apps.exchange_commands import DEFAULT_STORE, SigningKey, Store

if TYPE_CHECKING:
    from veracord.access.service import AccessService
    from veracord.access.users import User
    from veracord.bootstrap.reviews import ReviewDesk
    from veracord.review.people import Person

UserId = Annotated[
    str, typer.Argument(metavar="ID", help="What the user signs in as; the log calls them so.", show_default=False)
]
UserRole = Annotated[
    str, typer.Option("--role", metavar="ROLE", help="viewer, reviewer or maintainer.", show_default=False)
]
NewRole = Annotated[str, typer.Argument(metavar="ROLE", help="viewer, reviewer or maintainer.", show_default=False)]
Password = Annotated[
    str | None,
    typer.Option(
        "--password",
        metavar="-",
        help="- takes the password from the first line of standard input. Without it: asked for at the terminal.",
        show_default=False,
    ),
]
LinkUser = Annotated[
    str | None, typer.Argument(metavar="ID", help="A named user, in their own role.", show_default=False)
]
Address = Annotated[str, typer.Option("--address", metavar="URL", help="Where browsers find the server.")]
LOCAL_ADDRESS: Final = "http://127.0.0.1:8321"
Enable = Annotated[bool, typer.Option("--enable", help="Let the user sign in again.")]


def add_user(
    user: UserId,
    role: UserRole,
    *,
    password: Password = None,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Add a user who may sign in with a password. The store is made where there is none."""
    from veracord.apps.secret_inputs import read_password

    given = read_password(password)
    return _change(
        store, signing_key, lambda access, who: access.add_user(who, user, role, given), as_json, is_new=True
    )


def list_users(*, store: Store = DEFAULT_STORE, as_json: options.AsJson = False) -> int:
    """List the users."""
    from veracord.apps.access_reports import user_row, users_text
    from veracord.apps.rendering import show
    from veracord.bootstrap.reviews import ReviewDesk

    with ReviewDesk(store) as desk:
        found = desk.run(desk.access.users(desk.person))
    return show({"users": [user_row(one) for one in found]}, users_text, as_json=as_json)


def change_role(
    user: UserId,
    role: NewRole,
    *,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Give a user another role; they must sign in again."""
    return _change(store, signing_key, lambda access, who: access.change_role(who, user, role), as_json)


def set_password(
    user: UserId,
    *,
    password: Password = None,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Give a user another password; they must sign in again."""
    from veracord.apps.secret_inputs import read_password

    given = read_password(password)
    return _change(store, signing_key, lambda access, who: access.set_password(who, user, given), as_json)


def disable_user(
    user: UserId,
    *,
    enable: Enable = False,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Let a user sign in no more, at once. Nobody is deleted: the log names them."""

    def work(access: "AccessService", who: "Person") -> "Coroutine[Any, Any, User]":
        return access.enable_user(who, user) if enable else access.disable_user(who, user)

    return _change(store, signing_key, work, as_json)


def make_link(
    user: LinkUser = None,
    *,
    address: Address = LOCAL_ADDRESS,
    store: Store = DEFAULT_STORE,
    as_json: options.AsJson = False,
) -> int:
    """Print a new link that signs in whoever opens it first, within 10 minutes; the server need not be started again.

    Without a user it is one as `veracord serve` prints, for whoever sits at this machine.
    """
    from veracord.apps.access_reports import link_text
    from veracord.apps.rendering import show
    from veracord.bootstrap.reviews import ReviewDesk

    with ReviewDesk(store) as desk:
        who, role = (desk.person.id, desk.person.role) if user is None else (user, None)
        token = desk.run(desk.access.new_link(who, role))
    return show({"user": who, "link": f"{address.rstrip('/')}/login/{token}"}, link_text, as_json=as_json)


def _change(
    store: str,
    signing_key: SigningKey,
    work: "Callable[[AccessService, Person], Coroutine[Any, Any, User]]",
    as_json: bool,
    *,
    is_new: bool = False,
) -> int:
    """Change a user, and show them as they are then."""
    from veracord.apps.access_reports import user_row, user_text
    from veracord.apps.desks import signing_desk
    from veracord.apps.failures import print_warning
    from veracord.apps.rendering import show

    with signing_desk(store, signing_key, is_new=is_new) as desk:
        had_maintainer = not is_new and _has_maintainer(desk)
        user = desk.run(work(desk.access, desk.person))
        lost_maintainer = had_maintainer and not _has_maintainer(desk)
    if lost_maintainer:
        print_warning("no maintainer is left who could sign in: settings and users are changed at the terminal alone")
    return show(user_row(user), user_text, as_json=as_json)


def _has_maintainer(desk: "ReviewDesk") -> bool:
    """Whether there is a maintainer who may sign in."""
    users = desk.run(desk.access.users(desk.person))
    return any(one.role == "maintainer" and not one.is_disabled for one in users)
