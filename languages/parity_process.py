r"""The next-symbol process of Theorem 6 for PARITY, exactly.

A two-state automaton: in the even state it stops with probability p, else it emits 0 or 1 with
equal probability; in the odd state it emits 0 or 1 with equal probability.  Given that n >= 1
symbols were emitted, both states are equally likely, but not given the last symbol: a walker that
survived was odd a little more often.

Main definitions: :class:`ParityProcess`.

References
----------
Hahn (2020), Theorem 6 [hahn2020].
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import final

import numpy as np

from languages.language import LanguageError
from languages.next_symbol import END, Law, mixture

STATES = ("even", "odd")


@final
@dataclass(frozen=True, slots=True)
class ParityProcess:
    """The automaton with stopping probability p.

    Parameters
    ----------
    p
        Stopping probability in the even state, in (0, 1); dimensionless, exact.

    Raises
    ------
    LanguageError
        If p is not strictly between 0 and 1.

    Examples
    --------
    >>> process = ParityProcess(Fraction(1, 2))
    >>> process.survival(2)
    Fraction(3, 8)
    >>> sorted(process.after("0110").items())
    [('$', Fraction(1, 2)), ('0', Fraction(1, 4)), ('1', Fraction(1, 4))]
    """

    p: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.p < 1:
            raise LanguageError(f"p = {self.p} must lie strictly between 0 and 1")

    def after(self, prefix: str) -> Law:
        """Return the law of the next symbol after a prefix over 0 and 1."""
        return self.in_state(prefix.count("1") % 2)

    def in_state(self, parity: int) -> Law:
        """Return the law of the next symbol in the even (0) or odd (1) state."""
        stop = self.p if parity == 0 else Fraction(0)
        rest = (1 - stop) / 2
        law = {"0": rest, "1": rest}
        return law if parity else {**law, END: stop}

    def probability(self, prefix: str) -> Fraction:
        """Return the probability that an emitted word starts with ``prefix``."""
        total, parity = Fraction(1), 0
        for symbol in prefix:
            total *= self.in_state(parity)[symbol]
            parity ^= symbol == "1"
        return total

    def survival(self, n: int) -> Fraction:
        """Return the probability that at least n symbols are emitted."""
        if n == 0:
            return Fraction(1)
        return (1 - self.p) * ((2 - self.p) / 2) ** (n - 1)

    def even_before_last(self) -> Fraction:
        """Return the chance of the even state before the last of n >= 2 emitted symbols.

        Both states were equally likely there; going on from the even one has chance 1 - p.
        """
        return (1 - self.p) / (2 - self.p)

    def unigram(self) -> Law:
        """Return the law of the next symbol given only that n >= 1 symbols were emitted."""
        half = Fraction(1, 2)
        return mixture([(half, self.in_state(0)), (half, self.in_state(1))])

    def given_last(self, symbol: str) -> Law:
        """Return the law of the next symbol given that x_n is ``symbol``, n >= 2."""
        if symbol not in ("0", "1"):
            raise LanguageError(f"symbol {symbol!r}: the process emits 0 and 1")
        even = self.even_before_last()
        if symbol == "1":
            even = 1 - even
        return mixture([(even, self.in_state(0)), (1 - even, self.in_state(1))])

    def sample(self, n: int, rng: np.random.Generator) -> str:
        """Draw a prefix of n symbols, exactly by the law given survival to n.

        Given survival the states after 1, ..., n - 1 symbols are independent, because every
        state leads to both with equal probability.
        """
        # times 1 .. n - 1 must survive their own step: weights 1 - p (even) and 1 (odd)
        inner = rng.random(max(n - 1, 0)) >= float(self.even_before_last())
        last = rng.random(min(n, 1)) >= 0.5
        states = np.concatenate([[False], inner, last])
        return "".join("1" if a != b else "0" for a, b in pairwise(states.tolist()))
