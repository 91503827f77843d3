"""Products of integer vectors with a fixed matrix by few large multiplications.

The entries of each row are put side by side into one integer, in slots wide enough for every sum;
then x M is one sum of products of integers, cut into its slots again.  Exact for integers of any
size; imports nothing but the standard library.

Main definitions: :class:`PackedRows`.
"""

import struct
from collections.abc import Sequence
from operator import mul
from typing import final


@final
class PackedRows:
    """An integer matrix of d rows and m columns, for ``x -> x M``.

    Examples
    --------
    >>> PackedRows([[1, -2, 3], [0, 5, 2**70]]).times([-1, 2])
    [-1, 12, 2361183241434822606845]
    """

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        self._rows = rows
        self._m = len(rows[0])
        # |x M| <= max |x| times this, entry by entry
        self._reach = max((sum(map(abs, column)) for column in zip(*rows, strict=True)), default=0)
        self._packed: dict[int, tuple[list[int], int]] = {}

    def times(self, x: Sequence[int]) -> list[int]:
        """Return the m entries of ``x M``, exactly."""
        if not self._m:
            return []
        size = max(max(x), -min(x)) * self._reach
        words = size.bit_length() // 64 + 1  # one bit more for the sign
        packed, middle = self._packed.get(words) or self._pack(words)
        data = (sum(map(mul, x, packed)) + middle).to_bytes(8 * words * self._m, "little")
        half = 1 << (64 * words - 1)
        if words == 1:
            return [entry - half for entry in struct.unpack(f"<{self._m}Q", data)]
        return [
            int.from_bytes(data[at : at + 8 * words], "little") - half
            for at in range(0, len(data), 8 * words)
        ]

    def _pack(self, words: int) -> tuple[list[int], int]:
        """Return the rows as integers with slots of some 64-bit words, and half of every slot."""
        width, half = 8 * words, 1 << (64 * words - 1)
        middle = int.from_bytes(half.to_bytes(width, "little") * self._m, "little")
        packed = [
            int.from_bytes(
                b"".join([(entry + half).to_bytes(width, "little") for entry in row]), "little"
            )
            - middle
            for row in self._rows
        ]
        self._packed[words] = packed, middle
        return packed, middle
