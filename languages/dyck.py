"""kDYCK: the well-bracketed words over k types of brackets.

Main definitions: :class:`Dyck`.

References
----------
Hahn (2020), Section 3 [hahn2020].
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from languages.language import AbstractLanguage, Batch, Flags, LanguageError, State

BRACKETS = ("()", "[]", "{}", "<>")
_INDEX = {symbol: index for index, symbol in enumerate("".join(BRACKETS))}


@final
@dataclass(frozen=True)
class Dyck(AbstractLanguage):
    """Well-bracketed words over ``k`` bracket types, 1 <= k <= 4.

    Symbol ``2 t`` opens and symbol ``2 t + 1`` closes type ``t``.

    Examples
    --------
    >>> Dyck(2).contains("([])"), Dyck(2).contains("([)]"), Dyck(1).count(10)
    (True, False, 42)
    """

    k: int

    def __post_init__(self) -> None:
        if not 1 <= self.k <= len(BRACKETS):
            raise LanguageError(f"kDYCK needs 1 <= k <= {len(BRACKETS)}, not k = {self.k}")

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name ``dyck`` followed by k."""
        return f"dyck{self.k}"

    @property
    def alphabet(self) -> tuple[str, ...]:  # type: ignore[override]
        """The brackets, each opening one followed by its closing one."""
        return tuple("".join(BRACKETS[: self.k]))

    def start(self, length: int) -> State:
        """Return the empty stack."""
        return ()

    def step(self, state: State, symbol: str) -> State:
        """Push or pop; ``None`` once the prefix cannot be completed.

        A stack is ``()`` or (height, index of the open bracket on top, stack below it), so that a
        step takes constant time.
        """
        if state is None:
            return None
        assert isinstance(state, tuple)
        index = _INDEX[symbol]
        if index % 2 == 0:
            return (state[0] + 1 if state else 1, index, state)
        return state[2] if state and state[1] == index - 1 else None

    def accepts(self, state: State) -> bool:
        """Accept the empty stack."""
        return state == ()

    def key(self, state: State) -> State:
        """Return the height: completions depend on it and not on the types of open brackets."""
        if not isinstance(state, tuple):
            return None
        return state[0] if state else 0

    def members(self, batch: Batch) -> Flags:
        """Decide a batch of shape (b, n), one column at a time for all words."""
        size, n = batch.shape
        stack = np.full((size, n + 1), 255, dtype=np.uint8)
        height = np.zeros(size, dtype=np.int64)
        good = np.ones(size, dtype=np.bool_)
        rows = np.arange(size)
        for column in batch.T:
            opens = column % 2 == 0
            stack[rows[opens], height[opens]] = column[opens]
            top = stack[rows, np.maximum(height - 1, 0)]
            good &= opens | ((height > 0) & (top == column - 1))
            height = np.maximum(height + np.where(opens, 1, -1), 0)
        return np.asarray(good & (height == 0))
