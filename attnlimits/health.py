"""What an installation needs to work: versions, solvers that answer, names that are ours alone.

Main definitions: :func:`versions`, :func:`solvers`, :func:`clashes`.
"""

import importlib.util
import platform
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

import attnlimits
from attnlimits.boundary import OUR_PACKAGES

DISTRIBUTION = "attention-limits"

REQUIRED = (
    "numpy",
    "sympy",
    "z3-solver",
    "cvc5",
    "python-flint",
    "python-sat",
    "lark",
    "matplotlib",
    "cyclopts",
    "rich",
    "jinja2",
    "latex2mathml",
    "pebble",
)


def versions() -> dict[str, str]:
    """Return the versions of Python, of this distribution and of what it requires."""
    found = {"python": platform.python_version()}
    for name in (DISTRIBUTION, *REQUIRED):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def solvers() -> dict[str, str]:
    """Return, for every solver, ``"works"`` or what it did instead of the right answer."""
    questions: dict[str, Callable[[], bool]] = {
        "z3 answers": _z3,
        "cvc5 answers": _cvc5,
        "Arb encloses": _arb,
        "SAT answers": _sat,
    }
    return {name: _answer(question) for name, question in questions.items()}


def clashes(
    owners: Mapping[str, Sequence[str]] | None = None, names: Sequence[str] = OUR_PACKAGES
) -> dict[str, str]:
    """Return our top-level names that another distribution or folder also provides.

    Parameters
    ----------
    owners
        Distributions by top-level name; those installed here by default.
    names
        Names that should be ours alone.

    Returns
    -------
    dict
        Reasons by name, empty when all is well.

    Examples
    --------
    >>> clashes({"figures": ["attention-limits", "Figures"]}, ["figures"])
    {'figures': 'also installed by Figures; uninstall it'}
    """
    installed = packages_distributions() if owners is None else owners
    home = Path(attnlimits.__file__).parents[1]
    found: dict[str, str] = {}
    for name in sorted(names):
        others = sorted(set(installed.get(name, ())) - {DISTRIBUTION})
        if others:
            found[name] = f"also installed by {', '.join(others)}; uninstall it"
            continue
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            found[name] = "cannot be imported"
        elif Path(spec.origin).parents[1] != home:
            found[name] = f"imported from {Path(spec.origin).parent}, not from {home}"
    return found


def _answer(question: Callable[[], bool]) -> str:
    try:
        return "works" if question() else "gave a wrong answer"
    except ImportError as error:
        return f"cannot be imported: {error}"


def _z3() -> bool:
    import z3

    x = z3.Real("x")
    solver = z3.Solver()
    solver.add(x * x == 2, x > 1)
    positive = solver.check() == z3.sat
    solver.add(x > 2)
    return bool(positive and solver.check() == z3.unsat)


def _cvc5() -> bool:
    import cvc5

    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setLogic("QF_LRA")
    x, zero = terms.mkConst(terms.getRealSort(), "x"), terms.mkReal(0)
    solver.assertFormula(terms.mkTerm(cvc5.Kind.LT, x, zero))
    positive = solver.checkSat().isSat()
    solver.assertFormula(terms.mkTerm(cvc5.Kind.GT, x, zero))
    return bool(positive and solver.checkSat().isUnsat())


def _arb() -> bool:
    from flint import arb

    return bool(arb(2).sqrt() > arb(1414) / 1000) and bool(arb(2).sqrt() < arb(1415) / 1000)


def _sat() -> bool:
    from pysat.solvers import Cadical153

    with Cadical153(bootstrap_with=[[1, 2], [-1, 2], [1, -2]]) as solver:
        positive = solver.solve()
        solver.add_clause([-1, -2])
        return bool(positive and not solver.solve())
