"""Scopes of the language: reserved names, nesting, and what a loaded file exports.

Main definitions: :class:`Environment`, :func:`root_environment`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

from difflib import get_close_matches
from typing import Any, final

from rasp import sops
from rasp.errors import ReservedNameError, UndefinedNameError

CONSTANTS: dict[str, Any] = {
    "tokens_asis": sops.tokens_asis,
    "tokens_str": sops.tokens_str,
    "tokens_int": sops.tokens_int,
    "tokens_bool": sops.tokens_bool,
    "tokens_float": sops.tokens_float,
    "indices": sops.indices,
    "True": True,
    "False": False,
}
_WORDS = ("if", "else", "not", "and", "or", "out", "def", "return", "range", "for", "in")
RESERVED = frozenset(CONSTANTS) | frozenset(_WORDS) | {"zip", "len", "get"}
_NOT_EXPORTED = "out"


@final
class Environment:
    """A scope: its variables, what it sees beyond them, and which names it refuses to set.

    Parameters
    ----------
    name
        Shown as the creator of functions.
    parent
        Where names are looked up that this scope lacks.
    exports_to
        A scope that also receives every assignment here, private names (``_x``, ``out``) aside.
    reserved
        Names that cannot be assigned.
    """

    __slots__ = ("exports_to", "name", "parent", "reserved", "variables")

    def __init__(
        self,
        name: str,
        parent: "Environment | None" = None,
        *,
        exports_to: "Environment | None" = None,
        reserved: frozenset[str] = RESERVED,
    ) -> None:
        self.name = name
        self.parent = parent
        self.exports_to = exports_to
        self.reserved = reserved
        self.variables: dict[str, Any] = {}

    def nested(self) -> "Environment":
        """Return a scope inside this one; it may shadow library names, not the language's."""
        return Environment(f"{self.name}'", self)

    def get(self, name: str) -> Any:
        """Return the value of ``name`` here or further out.

        Raises
        ------
        UndefinedNameError
            If nothing defines it; carries the closest known name as a hint.
        """
        if name in CONSTANTS:
            return CONSTANTS[name]
        scope: Environment | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            scope = scope.parent
        raise UndefinedNameError(f"Error: Undefined variable: {name}", hint=self._guess(name))

    def has(self, name: str) -> bool:
        """Return whether ``name`` is defined here or further out."""
        scope: Environment | None = self
        while scope is not None:
            if name in scope.variables:
                return True
            scope = scope.parent
        return name in CONSTANTS

    def set(self, name: str, value: Any) -> None:
        """Assign ``value`` to ``name`` here, and there where this scope exports to.

        Raises
        ------
        ReservedNameError
            If the language or the library keeps the name.
        """
        if name in self.reserved:
            raise ReservedNameError(
                f"Error: Cannot set reserved name: {name}", hint=f"choose another, say my_{name}"
            )
        self.variables[name] = value
        if self.exports_to is not None and not name.startswith("_") and name != _NOT_EXPORTED:
            self.exports_to.set(name, value)

    def names(self) -> list[str]:
        """Return every name that can be looked up from here, sorted."""
        found = set(CONSTANTS)
        scope: Environment | None = self
        while scope is not None:
            found.update(scope.variables)
            scope = scope.parent
        return sorted(found)

    def _guess(self, name: str) -> str:
        if name in ("select", "aggregate", "range", "zip", "len"):
            return f"write {name}( without a space before the parenthesis"
        close = get_close_matches(name, self.names(), n=1, cutoff=0.7)
        return f"did you mean {close[0]}?" if close else ""
