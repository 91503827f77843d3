"""The tables of lengths: every stored certificate is verified, and one length less is refused."""

from collections.abc import Callable, Iterator
from typing import Any

from bounds.limits.decide import decide
from bounds.limits.sweep import stored
from claims import Claim, ForAll, Kind, Twin, Verdict
from claims.source import OWN
from proofs.checkers import exhaustive

Cert = dict[str, Any]


def _table(name: str) -> Callable[[], Iterator[Cert]]:
    return lambda: iter(stored(name))


def _one_less(name: str) -> Callable[[], Iterator[Cert]]:
    """Every certificate with its first range moved down by one length, same parameters."""

    def lowered() -> Iterator[Cert]:
        for cert in stored(name):
            step = 2 if cert["task"] == "dyck" else 1
            first, *rest = cert["ranges"]
            moved = {**first, "from": first["from"] - step}
            yield {**cert, "n0": cert["n0"] - step, "ranges": [moved, *rest]}

    return lowered


def _holds(cert: Cert) -> bool:
    return decide(cert).ok


_LEMMAS = (
    "limits.encoding.bound",
    "limits.conditional.bound",
    "limits.sets.suffice",
    "limits.longer.load",
    "limits.stage.head_is_a_list",
    "limits.stage.repair",
    "limits.stage.first_layer_kept",
    "limits.stage.next_layer",
    "limits.stage.two_layers",
    "limits.stage.wide_leaves",
    "limits.final.two",
    "limits.final.three",
)

PARITY = Claim(
    id="limits.parity.table",
    says=r"No unique-hard-attention transformer of any width with $L \le 4$ layers and $H \le 8$"
    r" heads computes PARITY for any length $n \ge n_0(L,H)$: for $H = 1$, $n_0 = 3, 13, 265, 20001$.",
    source=OWN.at("explicit limits, Theorems F2 and F3"),
    statement=ForAll(
        "the certificate's inequalities hold", "32 stored sizes", _table("parity"), _holds
    ),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    assumes=(*_LEMMAS, "limits.exact.two_layers"),
    twin=Twin(
        "the length: one less with the same parameters",
        ForAll("the inequalities hold", "32 stored sizes", _one_less("parity"), _holds),
    ),
    proof=r"""Restricting stages leave $m$ free variables on which every activation of some layer is a
decision tree of depth $w$: draw a random restriction, bound the expected number of too deep
positions with Lemma H, and repair each by fixing variables.

Two last layers: fix $(H+1)w$ variables so that the last position's activation is constant.  If
PARITY were computed, then under every restriction with $s$ stars the processes of some $H$
positions would query all $s$ stars: choose the completion whose attended pairs are
lexicographically first; once the activations of those positions are constant, so is every head.
The order of the positions does not matter, so there are $\binom{N-1}{H}$ choices, and by Lemma E
$$\binom{m'}{s} \le \binom{N-1}{H}\, 2^s\, [z^s]\mathrm{code}'(z),$$
which the stored numbers contradict.  Three last layers: the same with one more list per head,
after discarding the restrictions under which some leaf is alive and too wide for its stars: the more
stars it holds, the narrower it has to be.""",
)

DYCK = Claim(
    id="limits.dyck.table",
    says=r"No unique-hard-attention transformer of any width with $L \le 4$ layers and $H \le 8$"
    r" heads recognises 1DYCK, hence kDYCK, for any even length $n \ge n_0(L,H)$.",
    source=OWN.at("explicit limits, balanced restrictions"),
    statement=ForAll(
        "the certificate's inequalities hold", "32 stored sizes", _table("dyck"), _holds
    ),
    check=exhaustive.decide(complete=True),
    expect=Verdict.PROVED,
    kind=Kind.OWN,
    assumes=(
        *_LEMMAS,
        "limits.dyck.frame",
        "limits.dyck.reflection",
        "limits.dyck.half_of_the_stars",
        "limits.dyck.images",
    ),
    twin=Twin(
        "the length: two less with the same parameters",
        ForAll("the inequalities hold", "32 stored sizes", _one_less("dyck"), _holds),
    ),
    proof=r"""Words are a frame of $a$ opening brackets, a middle of $m$ symbols, a frame of $a$ closing
brackets.  Restrict the middle to $s$ stars such that exactly $\lceil s/2 \rceil$ of them must open.
A path of at most $\lfloor s/2 \rfloor$ queries leaves a balanced and an unbalanced completion, so
every such restriction needs a path of $t = \lfloor s/2 \rfloor + 1$ queries; Lemma E counts the
images by the number of opening brackets.  The balanced completion is a member if the fixed part
never dips below the frame; by reflection the restrictions that dip are few.""",
)
