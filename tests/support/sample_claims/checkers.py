"""Checkers for tests."""

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from claims import AbstractChecker, Budget, ForAll, Outcome, Statement, Verdict


@final
@dataclass(frozen=True, slots=True)
class Enumerate(AbstractChecker):
    """Look at every case of a ForAll."""

    def __call__(self, statement: Statement, budget: Budget | None = None) -> Outcome:
        assert isinstance(statement, ForAll)
        for index, case in enumerate(statement.cases()):
            if not statement.holds(case):
                witness = {"case": str(case)}
                return Outcome(Verdict.REFUTED, "enumerate", "", witness, evidence={"index": index})
        return Outcome(Verdict.EXHAUSTED, "enumerate", scope=statement.scope)

    def verify(self, statement: Statement, evidence: Mapping[str, Any]) -> Outcome:
        return self(statement)


@final
@dataclass(frozen=True, slots=True)
class Misbehave(AbstractChecker):
    """Hang, die or raise."""

    how: str

    def __call__(self, statement: Statement, budget: Budget | None = None) -> Outcome:
        if self.how == "hang":
            time.sleep(1000)
        if self.how == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "slow":
            time.sleep(0.5)
            return Enumerate()(statement)
        raise RuntimeError("this checker has a bug")

    def verify(self, statement: Statement, evidence: Mapping[str, Any]) -> Outcome:
        return Outcome(Verdict.UNDECIDED, "misbehave")
