"""A form that is ready after a slot, and made when it is first read.

Main definitions: :class:`Plan`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, final

from rasp.compiler.domains import Exact
from rasp.compiler.stream import Slot


@final
@dataclass
class Plan:
    """A form that is ready after a slot, and made when it is first read.

    Attributes
    ----------
    ready
        The slot.
    make
        Makes the form.
    into
        For numbers that hidden units write: writes a multiple of the number to a direction and
        returns what the reader has to add.
    """

    ready: Slot
    make: Callable[[], Any]
    into: Callable[[int, Exact], Exact] | None = None
    _made: list[Any] = field(default_factory=list)

    def get(self) -> Any:
        """Return the form: a linear form, or a list of them, one per value."""
        if not self._made:
            self._made.append(self.make())
        return self._made[0]
