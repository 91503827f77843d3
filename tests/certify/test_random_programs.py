"""Random programs are compiled right or refused, and the static argument includes what happens."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rasp_graphs import graphs

from rasp import aggregate, indicator, indices, select, tokens
from rasp.certify.argument import argue
from rasp.certify.verification import verify
from rasp.compiler.findings import NotCompilableError
from rasp.compiler.pipeline import compile_program
from rasp.graph import SOpNode


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs(), st.booleans(), st.booleans())
def test_right_or_refused(node: SOpNode, bos: bool, causal: bool) -> None:
    try:
        model = compile_program(node, vocabulary="ab(", length=3, bos=bos, causal=causal, name="g")
    except NotCompilableError:
        return
    found = verify(node, model, rng=np.random.default_rng(0), bounded=2)
    assert found.right, found.text()
    argument = argue(model)
    for head, (seen, stated) in found.gaps.items():
        argued = argument.separations[head][0]
        assert argued is None or argued <= seen
        assert stated <= seen


def test_a_number_as_default_is_not_the_boolean_that_equals_it() -> None:
    before = select(indices, indices - 1, "==")
    program = aggregate(before, tokens == "a", 1).named("previous")
    model = compile_program(program, vocabulary="ab", length=4)
    found = verify(program, model, rng=np.random.default_rng(0))
    assert found.right, found.text()


def test_a_mean_of_flags_with_a_default_is_right_in_floats_too() -> None:
    program = aggregate(select(indices, indices, "<"), indicator(tokens == "a"), -1).named("share")
    model = compile_program(program, vocabulary="ab", length=12)
    assert verify(program, model, rng=np.random.default_rng(0), samples=30).right
