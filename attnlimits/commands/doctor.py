"""``attnlimits doctor``: versions, solvers that answer, and clashes of package names."""

from typing import Any

import cyclopts

from attnlimits.boundary import DIFFERS, EXPECTED, Format, emit

app = cyclopts.App(
    name="doctor",
    help="Look for what could go wrong here; exit 1 if something is amiss.",
)


@app.default
def doctor(*, format: Format = "text") -> int:  # noqa: A002
    """Examine this installation.

    Parameters
    ----------
    format
        Text or JSON.
    """
    from attnlimits import health

    found: dict[str, Any] = {
        "versions": health.versions(),
        "solvers": health.solvers(),
        "clashes": health.clashes(),
    }
    amiss = [f"{name}: {answer}" for name, answer in found["solvers"].items() if answer != "works"]
    amiss += [f"{name}: {reason}" for name, reason in found["clashes"].items()]

    def text() -> str:
        lines = [f"{name:<18}{version}" for name, version in found["versions"].items()]
        lines += [f"{name:<18}{answer}" for name, answer in found["solvers"].items()]
        lines += [f"{name:<18}{reason}" for name, reason in found["clashes"].items()]
        return "\n".join([*lines, "nothing amiss" if not amiss else f"amiss: {len(amiss)}"])

    emit({**found, "amiss": amiss}, text, format)
    return DIFFERS if amiss else EXPECTED
