"""`veracord demo`: the main job on bundled synthetic data, with nothing to configure."""

from veracord.apps import options


def demo(*, as_json: options.AsJson = False) -> int:
    """Run the main job on invented data.

    Repairs a product passport from evidence, shows a guess apart from it, builds another passport from a seed, refuses
    one in which a value is invented, answers a question, abstains from another, refuses a false answer, and shows how
    to go on. All of it is invented; no model is asked, its answers were written for the demonstration and are on file.

    Exit code 0: the demonstration ran.
    """
    from veracord.apps.outputs import StandardOutput
    from veracord.bootstrap.demonstrations import demo_folder, demonstrate, recorded_model

    folder = demo_folder()
    shown = demonstrate(recorded_model(folder), folder)
    if as_json:
        StandardOutput().show(shown.repair.encode() + b"\n")
        return 0
    from veracord.apps.demo_report import demo_report

    StandardOutput().show(demo_report(shown, folder))
    return 0
