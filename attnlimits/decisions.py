"""Decide a selection of claims with their twins, resume what is already known, keep the results.

Main definitions: :func:`decide_all`, :func:`read_all`, :class:`Decisions`.
"""

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from attnlimits.boundary import note, progress
from attnlimits.pool import Decided, decide
from attnlimits.store import Result, Store
from attnlimits.twins import twin_id, with_twins
from claims import Budget, Claim, Outcome, Verdict, ancestors, certify, standing


@dataclass(frozen=True, slots=True)
class Decisions:
    """Claims with the results that a run found or resumed, twins among the results.

    Attributes
    ----------
    claims
        The selected claims by id, without twins.
    known
        All claims of the packages, which the selected ones may rest on.
    results
        Results by id of claim or twin.
    """

    claims: Mapping[str, Claim]
    known: Mapping[str, Claim]
    results: Mapping[str, Result]

    def verdict(self, claim_id: str) -> Verdict:
        """Return the verdict on a claim or twin; UNDECIDED when there is no result."""
        result = self.results.get(claim_id)
        return Verdict.UNDECIDED if result is None else result.certificate.outcome.verdict

    def standing(self, claim_id: str) -> Verdict:
        """Return the weakest verdict over a claim and all that it rests on."""
        outcomes = {i: r.certificate.outcome for i, r in self.results.items()}
        return standing(self.known, outcomes, claim_id)

    def has_standing(self, claim_id: str) -> bool:
        """Tell whether everything that a claim rests on has a result here."""
        return all(i in self.results for i in ancestors(self.known, claim_id))

    def differences(self) -> list[str]:
        """Return a sentence for every claim or twin that did not come out as expected."""
        found = []
        for claim_id, claim in self.claims.items():
            if self.verdict(claim_id) is not claim.expect:
                found.append(self._difference(claim_id, claim.expect))
            twin = twin_id(claim_id)
            if claim.twin is not None and self.verdict(twin) is not Verdict.REFUTED:
                found.append(self._difference(twin, Verdict.REFUTED))
        return found

    def counts(self) -> dict[str, int]:
        """Return the number of selected claims by verdict, strongest first."""
        counted = Counter(self.verdict(i) for i in self.claims)
        return {v.value: counted[v] for v in Verdict if counted[v]}

    def _difference(self, claim_id: str, expected: Verdict) -> str:
        result = self.results.get(claim_id)
        why = result.certificate.outcome.detail if result is not None else "it was not decided"
        sentence = f"{claim_id}: {self.verdict(claim_id)}, expected {expected}"
        return f"{sentence} ({why})" if why else sentence


def decide_all(
    claims: Mapping[str, Claim],
    known: Mapping[str, Claim],
    *,
    packages: Sequence[str],
    budget: Budget,
    workers: int,
    store: Store | None,
    fresh: bool = False,
) -> Decisions:
    """Decide ``claims`` and their twins.

    Parameters
    ----------
    claims, known
        The claims to decide, and all claims of ``packages``.
    packages
        Importable packages in which the claims are declared.
    budget, workers
        As in :func:`attnlimits.pool.decide`.
    store
        Where results are kept as they come and resumed from; ``None`` keeps none.
    fresh
        Do not resume.

    Raises
    ------
    StoreError
        If a result cannot be written.
    """
    wanted = with_twins(claims)
    results: dict[str, Result] = {}
    if store is not None and not fresh:
        results, damaged = store.finished(wanted)
        for sentence in damaged:
            note(f"{sentence}; deciding it again")
    missing = [i for i in wanted if i not in results]
    if results:
        note(f"resuming: {len(results)} of {len(wanted)} results are still valid")
    deciding = decide(missing, packages=packages, budget=budget, workers=workers)
    with progress("deciding", len(missing)) as advance, contextlib.closing(deciding):
        for decided in deciding:
            claim = wanted[decided.claim]
            results[claim.id] = store.save(claim, decided) if store else _kept(claim, decided)
            advance(claim.id)
    return Decisions(claims, known, {i: results[i] for i in wanted})


def read_all(claims: Mapping[str, Claim], known: Mapping[str, Claim], store: Store) -> Decisions:
    """Return what ``store`` already holds about ``claims``, deciding nothing."""
    results, damaged = store.finished(with_twins(claims))
    for sentence in damaged:
        note(sentence)
    return Decisions(claims, known, results)


def with_gaps(decisions: Decisions) -> Decisions:
    """Return the decisions with every claim and twin that has no result counted as UNDECIDED."""
    absent = Outcome(Verdict.UNDECIDED, "nobody", detail="not decided in this run")
    gaps = {
        i: Result(certify(claim, absent), 0.0)
        for i, claim in with_twins(decisions.claims).items()
        if i not in decisions.results
    }
    return replace(decisions, results={**decisions.results, **gaps})


def _kept(claim: Claim, decided: Decided) -> Result:
    return Result(certify(claim, decided.outcome), decided.seconds)
