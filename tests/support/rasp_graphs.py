"""Random RASP graphs for tests."""

from hypothesis import strategies as st

from rasp.graph import (
    Aggregate,
    And,
    Best,
    Constant,
    Elementwise,
    Indices,
    Not,
    Or,
    Select,
    SelectorNode,
    SOpNode,
    Tokens,
    Width,
)

ATOMS = st.sampled_from([0, 1, -2, 0.5, -1e-9, True, "a", 'q"\\n\n', ""])
LEAVES: st.SearchStrategy[SOpNode] = st.sampled_from([Tokens("str"), Indices(), Tokens("asis")])


def graphs() -> st.SearchStrategy[SOpNode]:
    def extend(inner: st.SearchStrategy[SOpNode]) -> st.SearchStrategy[SOpNode]:
        operand = inner | ATOMS.map(Constant)
        compare = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
        select: st.SearchStrategy[SelectorNode] = st.builds(Select, operand, operand, compare)
        selector = select | st.builds(And, select, select) | st.builds(Or, select, select)
        selector = selector | st.builds(Not, select) | st.builds(Best, select, inner, inner)
        binary = st.sampled_from(["+", "-", "*", "/", "%", "^", "==", "<", "and", "or", "!="])
        return (
            st.builds(lambda op, a, b: Elementwise(op, (a, b)), binary, inner, operand)
            | st.builds(
                lambda op, a: Elementwise(op, (a,)),
                st.sampled_from(["not", "neg", "pos", "round", "indicator"]),
                inner,
            )
            | st.builds(lambda a, b, c: Elementwise("if", (a, b, c)), inner, operand, operand)
            | st.builds(lambda a, i: Elementwise("in", (a,), tuple(i)), inner, st.lists(ATOMS))
            | st.builds(Aggregate, selector, operand, ATOMS)
            | st.builds(Width, selector)
        )

    return st.recursive(LEAVES, extend, max_leaves=8)


def selectors() -> st.SearchStrategy[SelectorNode]:
    """Selectors that never fail: numbers are compared with numbers, tokens with tokens."""
    letters: st.SearchStrategy[SOpNode] = st.sampled_from([Tokens("str"), Constant("a")])
    numbers: st.SearchStrategy[SOpNode] = st.sampled_from(
        [
            Indices(),
            Constant(2),
            Elementwise("%", (Indices(), Constant(3))),
            Elementwise("+", (Indices(), Constant(1))),
            Elementwise("/", (Indices(), Constant(2))),
            Width(Select(Tokens("str"), Tokens("str"), "==")),
        ]
    )
    compare = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
    one: st.SearchStrategy[SelectorNode] = st.builds(Select, letters, letters, compare)
    one = one | st.builds(Select, numbers, numbers, compare)
    return st.recursive(
        one,
        lambda inner: (
            st.builds(And, inner, inner) | st.builds(Or, inner, inner) | st.builds(Not, inner)
        ),
        max_leaves=5,
    )
