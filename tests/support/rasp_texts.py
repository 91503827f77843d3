"""Random RASP expressions as text."""

from hypothesis import strategies as st

OPERATORS = ["^", "*", "/", "%", "+", "-", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in"]


def expressions() -> st.SearchStrategy[str]:
    atoms = st.sampled_from(["a", "b1", "7", "2.5", '"s"', "[]", "{}", "True", "select", "not a"])

    def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return (
            st.tuples(inner, st.sampled_from(OPERATORS), inner).map(" ".join)
            | st.builds("{} if {} else {}".format, inner, inner, inner)
            | st.builds("({})".format, inner)
            | st.builds("{}[{}]".format, st.sampled_from(["a", "b(a)", "[1,2]"]), inner)
            | st.builds("f({}, {})".format, inner, inner)
            | st.builds("select({},{},==)".format, inner, inner)
            | st.builds("aggregate({},{})".format, inner, inner)
            | st.builds("[{} for x, y in {}]".format, inner, inner)
            | st.builds("{{{}:{} for x in {}}}".format, inner, inner, inner)
            | st.builds("{{{}:{}, 1:2}}".format, inner, inner)
            | st.builds("{} {}".format, st.sampled_from(["not", "-", "+"]), inner)
            | st.builds("{}({})".format, st.sampled_from(["round", "indicator"]), inner)
            | st.builds("range({},{}) + [zip({})]".format, inner, inner, inner)
        )

    return st.recursive(atoms, extend, max_leaves=10)
