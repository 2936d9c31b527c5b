"""The commands about the audit log: `audit`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veracord.apps import options
from veracord.apps.exchange_commands import DEFAULT_STORE, Out, SigningKey, Store

NewKey = Annotated[
    Path | None,
    typer.Option(
        "--new-key",
        metavar="FILE",
        help="Where the new key is to be, a file that is not there yet. Without it: in the place of the old one, which "
        "is kept beside it.",
        show_default=False,
    ),
]

if TYPE_CHECKING:
    from veracord.audit.signatures import Checkpoint

Export = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", help="An export of the log. Without it: the log of the store.", show_default=False),
]
CheckpointFile = Annotated[
    Path | None,
    typer.Option("--checkpoint", metavar="FILE", help="A checkpoint that was kept elsewhere.", show_default=False),
]
Keys = Annotated[
    list[Path] | None,
    typer.Option("--key", metavar="FILE", help="A public key that you trust. Repeatable.", show_default=False),
]


def verify_log(
    file: Export = None,
    *,
    checkpoint: CheckpointFile = None,
    key: Keys = None,
    store: Store = DEFAULT_STORE,
    as_json: options.AsJson = False,
) -> int:
    """Check that the log is whole, and tell what is shown and what is not; an export needs no store.

    Of a store, what stands beside the lines is checked, too: what they are filed under, and where the log ends.

    Exit code 0: it is sound; 1: it is broken, and where; 2: it could not be checked.
    """
    from veracord.apps.audit_reports import verification_text
    from veracord.apps.audit_run import verified
    from veracord.apps.rendering import show
    from veracord.audit.key_files import load_public_key

    kept = None if checkpoint is None else _checkpoint(checkpoint)
    keys = [load_public_key(path) for path in key or ()] or None
    report = verified(file, store, kept, keys)
    told = {**report.to_dict(), "statements": list(report.statements())}
    show(told, verification_text, as_json=as_json)
    return 0 if report.ok else 1


def _checkpoint(path: Path) -> "Checkpoint":
    from veracord.apps.inputs import unreadable
    from veracord.audit.signatures import Checkpoint

    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(error, str(path)) from None
    return Checkpoint.from_json(data, where=str(path))


def sign_checkpoint(
    *,
    out: Out = None,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
    as_json: options.AsJson = False,
) -> int:
    """Check the whole log, and sign where it ends. Keep the checkpoint where who can change the log cannot reach."""
    from veracord.apps.audit_reports import checkpoint_text
    from veracord.apps.audit_run import require_sound
    from veracord.apps.rendering import show
    from veracord.apps.staging import OutputFiles
    from veracord.bootstrap.reviews import ReviewDesk

    with ReviewDesk(store, signing_key=signing_key) as desk, OutputFiles(desk.files()) as files:
        target = files.add(str(out)) if out is not None else None
        desk.require_key()
        require_sound(desk)
        signed = desk.run(desk.service.checkpoint(desk.person))
        if target is not None:
            target.write(signed.to_json() + b"\n")
        files.commit()
    told = {"checkpoint": signed.to_object(), "out": str(out) if out else None}
    return show(told, checkpoint_text, as_json=as_json)


def rotate_key(
    *,
    signing_key: SigningKey = None,
    new_key: NewKey = None,
    store: Store = DEFAULT_STORE,
    as_json: options.AsJson = False,
) -> int:
    """Make a new key and let the old one sign it: from then on the new one signs. No key file is lost by it."""
    from veracord.apps.audit_reports import rotation_report, rotation_text
    from veracord.apps.rendering import show
    from veracord.bootstrap.reviews import ReviewDesk

    with ReviewDesk(store, signing_key=signing_key) as desk:
        rotation, change = desk.rotate_key(new_key)
    return show(rotation_report(rotation, change.new_file, change.old_file), rotation_text, as_json=as_json)


def replay_log(
    file: Export = None,
    *,
    store: Store = DEFAULT_STORE,
    as_json: options.AsJson = False,
) -> int:
    """Make every record anew from the log alone, and compare with what the store has; suggestions, too.

    Exit code 0: they are the same; 1: one is not, or the log is broken; 2: it could not be read.
    """
    from veracord.apps.audit_reports import replay_text
    from veracord.apps.audit_run import replayed
    from veracord.apps.rendering import show

    report = replayed(file, store)
    show(report, replay_text, as_json=as_json)
    return 0 if report["ok"] else 1


def export_log(
    *,
    out: Out = None,
    store: Store = DEFAULT_STORE,
    signing_key: SigningKey = None,
) -> int:
    """Hand the whole log out, as lines that can be verified without the store; the log tells that it was done."""
    from veracord.apps.desks import signing_desk
    from veracord.apps.export_run import write_log

    with signing_desk(store, signing_key) as desk:
        return write_log(desk, "jsonl", None, str(out) if out else None)
