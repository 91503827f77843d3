"""Where a compiled model differs in layers or heads from what the analysis predicts, and why.

Main definitions: :func:`notes_of`.
"""

from collections.abc import Mapping

from rasp.compiler.stream import Slot, Stream


def notes_of(
    stream: Stream,
    later: Mapping[Slot, Mapping[str, str]],
    predicted: tuple[int, tuple[int, ...]],
    *,
    bos: bool,
) -> tuple[str, ...]:
    """Return one sentence per difference; none if there is no difference.

    Parameters
    ----------
    stream
        The finished stream.
    later
        Per feed-forward slot the s-ops computed there and why no earlier network could.
    predicted
        Layers, and heads of each, by the analysis.
    bos
        Whether the model has BOS.
    """
    notes = []
    for slot in sorted(stream.units):
        layer, step = slot
        if step == 1 and layer in stream.heads:
            continue
        where = f"after attention layer {layer}" if layer else "before the first attention layer"
        reasons = later.get(slot, {})
        told = "; ".join(f"{label}: {reason}" for label, reason in list(reasons.items())[:3])
        told = told or "outputs get directions of their own"
        notes.append(f"a layer without heads {where} ({told})")
    used = [len(stream.heads.get(layer + 1, ())) for layer in range(max(stream.heads, default=0))]
    expected = list(predicted[1])
    if used == expected:
        return tuple(notes)
    if len(used) != len(expected):
        notes.append(
            f"{len(used)} attention layers where the analysis has {len(expected)}: what is "
            "certain about selections changes what waits for what"
        )
    pairs = list(zip(used, expected, strict=False))
    if bos and any(have < least for have, least in pairs):
        notes.append(
            f"heads per attention layer {used}, analysis {expected}: with BOS one head counts, "
            "and equal patterns are made once"
        )
    if any(have > least for have, least in pairs):
        notes.append(
            f"heads per attention layer {used}, analysis {expected}: a count over a disjunction is "
            "a sum of counts, and a selection that is none is a head of its own; one head would "
            "need a key dimension per pair of values"
            if bos
            else f"heads per attention layer {used}, analysis {expected}: without BOS two heads "
            "tell whether a row selects anything"
        )
    return tuple(notes)
