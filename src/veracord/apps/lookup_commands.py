"""The commands that look things up: `profiles` and `evidence show`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veracord.apps import options

if TYPE_CHECKING:
    from veracord.records.evidence import EvidenceItem

Name = Annotated[
    str,
    typer.Argument(
        metavar="PROFILE",
        help="A bundled profile's name, or the path of a .toml file.",
        autocompletion=options.complete_profiles,
        show_default=False,
    ),
]


def list_profiles(*, as_json: options.AsJson = False) -> int:
    """List the profiles that come with the package."""
    from veracord.apps.outputs import StandardOutput
    from veracord.apps.rendering import Look, Sheet
    from veracord.records.profiles import Profile, bundled_profiles
    from veracord.records.writing import write_json

    rows = [
        {"name": profile.name, "version": profile.version, "description": profile.description}
        for profile in map(Profile.load, bundled_profiles())
    ]
    if as_json:
        StandardOutput().show(write_json({"profiles": rows}) + b"\n")
        return 0
    sheet = Sheet(Look.of_output())
    cells = [(row["name"], row["version"], row["description"]) for row in rows]
    sheet.table("Bundled profiles", ("name", "version", "description"), cells)
    sheet.line("A profile of your own is a .toml file; give its path.")
    StandardOutput().show(sheet.text())
    return 0


def show_profile(name: Name, *, as_json: options.AsJson = False) -> int:
    """Show what a profile asks.

    That is identity, rows, context, rules and what is never filled.
    """
    from veracord.apps.escaping import visible
    from veracord.apps.outputs import StandardOutput
    from veracord.apps.profile_facts import profile_facts, profile_lines
    from veracord.records.profiles import Profile
    from veracord.records.writing import write_json

    facts = profile_facts(Profile.load(name))
    if as_json:
        StandardOutput().show(write_json(facts) + b"\n")
    else:
        StandardOutput().show("".join(f"{visible(line)}\n" for line in profile_lines(facts)))
    return 0


def check_profiles(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="PROFILE...",
            help="Bundled profiles' names or paths of .toml files.",
            autocompletion=options.complete_profiles,
            show_default=False,
        ),
    ],
    *,
    as_json: options.AsJson = False,
) -> int:
    """Check that profiles fit their schemas.

    Exit code 0: all can be used; 2: one cannot.
    """
    from veracord.apps.escaping import visible
    from veracord.apps.failures import print_error
    from veracord.apps.outputs import StandardOutput
    from veracord.errors import VeracordError
    from veracord.records.profiles import Profile
    from veracord.records.writing import write_json

    rows: list[dict[str, Any]] = []
    code = 0
    for name in names:
        try:
            profile = Profile.load(name)
        except VeracordError as error:
            code = max(code, print_error(error))
            rows.append({"profile": name, "ok": False, "error": error.code})
        else:
            rows.append({"profile": name, "ok": True, "label": profile.label})
    if as_json:
        StandardOutput().show(write_json({"ok": not code, "profiles": rows}) + b"\n")
    else:
        lines = [f"{r['profile']}: {r['label']} can be used" for r in rows if r["ok"]]
        StandardOutput().show("".join(f"{visible(line)}\n" for line in lines))
    return code


def show_evidence(
    reference: Annotated[
        str,
        typer.Argument(metavar="REF", help="An evidence_ref of a result: sha256:...", show_default=False),
    ],
    *,
    evidence: options.Evidence = None,
    store: options.ReviewStore = None,
    as_json: options.AsJson = False,
    config: options.Config = None,
) -> int:
    """Show the evidence that a reference names, among files or among what a store keeps with its records.

    The reference is the digest of what was read, so it names nothing that was changed since.

    Exit code 0: it is there and unchanged; 2: no evidence has this digest; 4: the store does not hold what was kept.
    """
    from veracord.apps.outputs import StandardOutput
    from veracord.records.writing import write_json
    from veracord.reports.records import evidence_row

    item = _resolved(reference, evidence, store, config)
    if as_json:
        StandardOutput().show(write_json(evidence_row(item)) + b"\n")
        return 0
    StandardOutput().show(_head(item))
    StandardOutput().show(_body(item))
    return 0


def _resolved(reference: str, evidence: list[str] | None, store: str | None, config: Path | None) -> "EvidenceItem":
    """Return the evidence that a reference names.

    Raises:
        VeracordError: There is none, it is not what was kept, or two places to look were named.
    """
    if store is None:
        from veracord.bootstrap.choices import load_evidence

        return load_evidence(options.chosen(evidence=evidence, config=config)).resolve(reference)
    from dataclasses import replace

    from veracord.apps.failures import usage_error
    from veracord.bootstrap.reviews import ReviewDesk

    if evidence:
        raise usage_error("--evidence and --store exclude each other", remedy="leave one of them out")
    with ReviewDesk(store) as desk:
        return replace(desk.run(desk.service.resolve_evidence(reference)), where="the store")


def _head(item: "EvidenceItem") -> str:
    from veracord.apps.escaping import visible
    from veracord.apps.wording import value_text

    lines = [f"id: {item.id}", f"reference: {item.evidence_ref}", f"read from: {item.where}"]
    lines += [f"rank: {item.rank}"] if item.rank is not None else []
    lines += [f"source: {value_text(item.source_ref)}"] if item.source_ref is not None else []
    return "".join(f"{visible(line)}\n" for line in [*lines, ""])


def _body(item: "EvidenceItem") -> str | bytes:
    """Return text with its lines, or JSON laid out with two blanks a level."""
    import msgspec

    from veracord.apps.escaping import visible
    from veracord.records.writing import write_json

    if item.text is None:
        return msgspec.json.format(write_json(item.content), indent=2) + b"\n"
    return "".join(f"{visible(line)}\n" for line in item.text.removesuffix("\n").split("\n"))
