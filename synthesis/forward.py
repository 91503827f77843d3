"""One concrete transformer's forward pass as clauses, beside the language's own machine.

Each position holds one of the values it can reach; a head is a chain "none of the first k pairs
is present".  The language is its deterministic machine read left to right, one variable a
reachable state.  A solution is a word on which the two disagree.

Main definitions: `encode`, `StateLimitError`.
"""

from itertools import product

from attention.table import TableTransformer
from languages.dyck import Dyck
from languages.language import AbstractLanguage, State
from synthesis.bitwise import ranked
from synthesis.formula import Formula, Lit, Name

MAX_STATES = 4096
"""Most states of the language's machine that are written out at one position."""


class StateLimitError(ValueError):
    """The language's machine has too many states at this length for the clauses."""


def encode(model: TableTransformer, language: AbstractLanguage) -> Formula:
    """Return clauses whose solutions are the words that the model gets wrong.

    Parameters
    ----------
    model
        Tables with boolean outputs over the language's alphabet.
    language
        What it should decide.

    Raises
    ------
    StateLimitError
        If the language's machine needs more than ``MAX_STATES`` states at one position.

    Notes
    -----
    About ``L H n^2 S^2`` variables, since a chain stops as soon as some position must be hit.
    """
    formula = Formula()
    n = model.n
    for i in range(n):
        formula.exactly_one("input", [("symbol", i, a) for a in range(len(model.alphabet))])
    values: list[dict[int, Name]] = []
    for i in range(n):
        here: dict[int, Name] = {}
        for a in range(len(model.alphabet)):
            value = int(model.embedding[i if len(model.embedding) > 1 else 0, a])
            here[value] = ("value", 0, i, value)
            formula.add("forward", (False, ("symbol", i, a)), (True, here[value]))
        _exclusive(formula, list(here.values()))
        values.append(here)
    for layer in range(1, model.layers + 1):
        last = layer == model.layers
        values = [
            {} if last and i < n - 1 else _position(formula, model, layer, i, values)
            for i in range(n)
        ]
    wrong: list[Lit] = []
    accepted: Name = ("member",)
    for value, name in sorted(values[n - 1].items()):
        # the model's answer is the opposite of membership
        answer = bool(model.outputs[value])
        formula.add("differ", (False, name), (not answer, accepted))
        wrong.append((True, name))
    formula.add("differ", *wrong)
    _language(formula, language, n, accepted)
    return formula


def _exclusive(formula: Formula, names: list[Name]) -> None:
    for k, name in enumerate(names):
        for other in names[:k]:
            formula.add("forward", (False, name), (False, other))


def _position(
    formula: Formula, model: TableTransformer, layer: int, i: int, values: list[dict[int, Name]]
) -> dict[int, Name]:
    act = model.acts[layer - 1]
    row = act[i if act.shape[0] > 1 else 0]
    result: dict[int, Name] = {}
    for own, mine in sorted(values[i].items()):
        heads = [
            _head(formula, model, (layer, head, i, own), values) for head in range(model.heads)
        ]
        for choice in product(*(sorted(head.items()) for head in heads)):
            value = int(row[(own, *(v for v, _ in choice))])
            result[value] = ("value", layer, i, value)
            attended: list[Lit] = [(False, name) for _, name in choice]
            formula.add("forward", (False, mine), *attended, (True, result[value]))
    _exclusive(formula, list(result.values()))
    return result


def _head(
    formula: Formula,
    model: TableTransformer,
    key: tuple[int, int, int, int],
    values: list[dict[int, Name]],
) -> dict[int, Name]:
    """Add one head's chain and return the variables "this value is attended"."""
    layer, head, i, own = key
    present = [sorted(here) for here in values]
    left = [set(here) for here in present]
    attended: dict[int, Name] = {}
    mine: Lit = (False, values[i][own])
    earlier: list[Lit] = []  # the pending chain: true while no better pair is present
    for k, (j, v) in enumerate(ranked(model, layer, head, i, own, present)):
        if j == i and v != own:
            continue
        attended[v] = ("attended", *key, v)
        hit: Lit = (False, values[j][v])
        formula.add("forward", mine, *earlier, hit, (True, attended[v]))
        left[j].discard(v)
        if not left[j] or j == i:
            break  # this position holds one of the pairs listed so far
        pending: Name = ("pending", *key, k)
        formula.add("forward", mine, *earlier, (True, values[j][v]), (True, pending))
        earlier = [(False, pending)]
    return attended


def _language(formula: Formula, language: AbstractLanguage, n: int, accepted: Name) -> None:
    """Say that ``accepted`` is membership of the word."""
    states: list[State] = [language.start(n)]
    formula.add("language", (True, ("state", 0, 0)))
    for i in range(n):
        number: dict[State, int] = {}
        for k, state in enumerate(states):
            for a, symbol in enumerate(language.alphabet):
                after = _cut(language, language.step(state, symbol), n - i - 1)
                target = number.setdefault(after, len(number))
                formula.add(
                    "language",
                    (False, ("state", i, k)),
                    (False, ("symbol", i, a)),
                    (True, ("state", i + 1, target)),
                )
        states = list(number)
        if len(states) > MAX_STATES:
            raise StateLimitError(
                f"{language.name} has more than {MAX_STATES} states after {i + 1} of {n} symbols"
            )
    for k, state in enumerate(states):
        formula.add("language", (False, ("state", n, k)), (language.accepts(state), accepted))


def _cut(language: AbstractLanguage, state: State, left: int) -> State:
    """Merge all stacks that can no longer be emptied into the dead state."""
    if not isinstance(language, Dyck):
        return state
    height = language.key(state)
    return None if isinstance(height, int) and height > left else state
