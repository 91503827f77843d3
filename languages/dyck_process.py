r"""The next-symbol process of Theorem 6 for 2DYCK, exactly.

The grammar S -> (S)S | [S]S (p/2 each) | empty (1 - p), read from left to right, is a walk of the
bracket height: up with probability p (either type alike), else the closer that matches (height
above 0) or the end (height 0).  Hence the law of the next symbol depends on the prefix only
through the type of the innermost open bracket.

Two laws of prefixes are offered, because the theorem needs one and names none: ``"stream"``, the
stationary law of words written one after another (end marks counted as symbols), and
``"survival"``, a single word given that it has at least n symbols.

Main definitions: :class:`DyckProcess`, :data:`Reading`.

References
----------
Hahn (2020), Theorem 6 and footnote 4 [hahn2020].
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from languages.language import LanguageError
from languages.next_symbol import END, Law

Reading: TypeAlias = Literal["stream", "survival"]
CLOSER = {"(": ")", "[": "]"}


@final
@dataclass(frozen=True, slots=True)
class DyckProcess:
    """The grammar with opening probability p.

    Parameters
    ----------
    p
        Probability of opening a bracket, in (0, 1); dimensionless, exact.

    Raises
    ------
    LanguageError
        If p is not strictly between 0 and 1.

    Examples
    --------
    >>> process = DyckProcess(Fraction(1, 4))
    >>> sorted(process.after("([]").items())
    [('(', Fraction(1, 8)), (')', Fraction(3, 4)), ('[', Fraction(1, 8))]
    >>> process.limit("survival", even=True), process.limit("stream", even=True)
    (Fraction(5, 12), Fraction(1, 12))
    """

    p: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.p < 1:
            raise LanguageError(f"p = {self.p} must lie strictly between 0 and 1")

    @property
    def ratio(self) -> Fraction:
        """Return r = p / (1 - p); the height is positive recurrent exactly if r < 1."""
        return self.p / (1 - self.p)

    def open_brackets(self, prefix: str) -> str:
        """Return the stack of open brackets after a prefix.

        Raises
        ------
        LanguageError
            If a closer does not match.
        """
        stack: list[str] = []
        for at, symbol in enumerate(prefix):
            if symbol in CLOSER:
                stack.append(symbol)
            elif not stack or CLOSER[stack.pop()] != symbol:
                raise LanguageError(f"{prefix!r} is no prefix of 2DYCK: {symbol!r} at {at}")
        return "".join(stack)

    def after(self, prefix: str) -> Law:
        """Return the law of the next symbol after a prefix."""
        stack = self.open_brackets(prefix)
        law = {"(": self.p / 2, "[": self.p / 2}
        law[CLOSER[stack[-1]] if stack else END] = 1 - self.p
        return law

    def probability(self, prefix: str) -> Fraction:
        """Return the probability that an emitted word starts with ``prefix``."""
        opened = sum(symbol in CLOSER for symbol in prefix)
        self.open_brackets(prefix)
        return (self.p / 2) ** opened * (1 - self.p) ** (len(prefix) - opened)

    def heights(self, n: int) -> tuple[Fraction, ...]:
        """Return P(at least n symbols, height h after n), h = 0..n, for one word."""
        weights = self._weights(n)
        whole = self.p.denominator**n
        return tuple(Fraction(weight, whole) for weight in weights)

    def _weights(self, n: int) -> list[int]:
        """Return :meth:`heights` times the n-th power of the denominator of p: integers."""
        up = self.p.numerator
        down = self.p.denominator - up
        law = [1]
        for _ in range(n):
            risen = [0, *(up * q for q in law)]
            fallen = [*(down * q for q in law[1:]), 0, 0]
            law = [a + b for a, b in zip(risen, fallen, strict=True)]
        return law

    def survival(self, n: int) -> Fraction:
        """Return the probability that a word has at least n symbols."""
        return Fraction(sum(self._weights(n)), self.p.denominator**n)

    def balanced(self, n: int) -> Fraction:
        """Return P(height 0 after n symbols | at least n symbols)."""
        law = self._weights(n)
        return Fraction(law[0], sum(law))

    def last_opens(self, n: int) -> Fraction:
        """Return P(x_n opens a bracket | at least n symbols), n >= 1."""
        if n < 1:
            raise LanguageError("there is no last symbol before the first one: n >= 1")
        return self.p * self.survival(n - 1) / self.survival(n)

    def unbalanced_closing(self, n: int) -> Fraction:
        """Return P_0(n) given survival: height above 0 and x_n closes, n >= 1.

        Examples
        --------
        >>> [DyckProcess(Fraction(1, 2)).unbalanced_closing(n) for n in (1, 2, 3)]
        [Fraction(0, 1), Fraction(0, 1), Fraction(1, 3)]
        """
        return 1 - self.balanced(n) - self.last_opens(n)

    def stationary(self, height: int) -> Fraction:
        """Return the stationary probability (1 - r) r^h of a height in the stream, p < 1/2.

        Raises
        ------
        LanguageError
            If p >= 1/2: the height is not positive recurrent and has no stationary law.
        """
        if self.ratio >= 1:
            raise LanguageError(f"p = {self.p}: a stationary law of heights needs p < 1/2")
        return (1 - self.ratio) * self.ratio**height

    def limit(self, reading: Reading, *, even: bool) -> Fraction:
        """Return the limit of P_0 for long prefixes.

        Parameters
        ----------
        reading
            ``"stream"`` (needs p < 1/2; no period, because end marks count as symbols) or
            ``"survival"`` (differs for even and odd n if p < 1/2).
        even
            Parity of n.
        """
        p, r = self.p, self.ratio
        if reading == "stream":
            self.stationary(0)
            return p * p / (1 - p)
        if r >= 1:  # the walk escapes or is null recurrent: only "x_n closes" remains
            return 1 - p
        return p * (2 - 3 * p) / (1 - p) if even else (3 - r) / 4

    def sample(self, n: int, rng: np.random.Generator) -> str:
        """Draw a prefix of n symbols by the law given survival to n.

        Notes
        -----
        Backward survival tables turn the conditioned walk into an ordinary one, so the cost is
        O(n^2) once, however unlikely survival is.  The tables are float64: probabilities carry a
        relative error of about n * 1e-16.
        """
        return self.sample_many(n, 1, rng)[0]

    def sample_many(self, n: int, size: int, rng: np.random.Generator) -> list[str]:
        """Draw ``size`` independent prefixes as :meth:`sample`, from one table."""
        height = np.zeros(size, dtype=np.int64)
        stack = np.zeros((size, n + 1), dtype=np.uint8)
        out = np.empty((size, n), dtype="<U1")
        each = np.arange(size)
        for t, rising in enumerate(self._rising(n)):
            up = rng.random(size) < rising[height]
            kind = (rng.random(size) < 0.5).astype(np.uint8)
            due = stack[each, np.maximum(height - 1, 0)]
            out[:, t] = np.where(up, np.where(kind == 0, "(", "["), np.where(due == 0, ")", "]"))
            stack[each[up], height[up]] = kind[up]
            height += np.where(up, 1, -1)
        return ["".join(row) for row in out]

    def _rising(self, n: int) -> list[NDArray[np.float64]]:
        """Return, for each time t, P(up | height, survival to n) for heights 0..t."""
        p = float(self.p)
        left = np.ones(n + 2)  # survival of m more steps, up to a factor that cancels
        tables = []
        for t in range(n - 1, -1, -1):
            up = p * left[1 : t + 2]
            down = np.zeros(t + 1)
            down[1:] = (1 - p) * left[:t]
            total = up + down
            tables.append(up / total)
            left = total / total.max()
        return tables[::-1]

    def next_symbol_entropy_bits(self) -> float:
        """Return the entropy of the next symbol, the same after every prefix: h(p) + p bits."""
        p = float(self.p)
        return float(-p * np.log2(p) - (1 - p) * np.log2(1 - p) + p)

    def word_entropy_bits(self) -> float:
        """Return the entropy of a whole word, (h(p) + p) / (1 - 2p) bits, for p < 1/2."""
        if self.p >= Fraction(1, 2):
            raise LanguageError(f"p = {self.p}: words are finite on average only for p < 1/2")
        return self.next_symbol_entropy_bits() / float(1 - 2 * self.p)
