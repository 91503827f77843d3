"""z3 as a second opinion on the very clauses that were refuted.

Main definitions: `z3_answer`, `z3_agrees`.
"""

from synthesis.encodings import Encoding, encode
from synthesis.formula import Cnf
from synthesis.spec import Spec, Word


def z3_answer(cnf: Cnf, *, seconds: float) -> bool | None:
    """Return whether z3's finite-domain solver finds the clauses satisfiable.

    Parameters
    ----------
    cnf
        The formula.
    seconds
        z3's own time limit; it may overrun it somewhat.

    Returns
    -------
    bool or None
        ``None`` if z3 gave no answer.

    Examples
    --------
    >>> z3_answer(Cnf(("a",), ((-1,), (1,))), seconds=5)
    False
    """
    import z3

    variables = [z3.Bool(f"v{k}") for k in range(1, len(cnf.names) + 1)]
    solver = z3.SolverFor("QF_FD")
    solver.set("timeout", max(1, int(1000 * seconds)))
    for clause in cnf.clauses:
        literals = [variables[v - 1] if v > 0 else z3.Not(variables[-v - 1]) for v in clause]
        solver.add(z3.Or(literals))
    verdict = solver.check()
    if verdict == z3.unknown:
        return None
    return bool(verdict == z3.sat)


def z3_agrees(
    spec: Spec, encoding: Encoding, words: tuple[Word, ...] | None, *, seconds: float
) -> bool | None:
    """Return ``True`` if z3 refutes the clauses too, ``None`` if it gave no answer.

    Raises
    ------
    RuntimeError
        If z3 finds a solution: one of the solvers is wrong.
    """
    labels = spec.labels()
    chosen = None if words is None else {w: labels[w] for w in words}
    answer = z3_answer(encode(spec, encoding, chosen).canonical(), seconds=seconds)
    if answer:
        raise RuntimeError(f"z3 satisfies clauses of {spec} that another solver refuted")
    return None if answer is None else True
