"""Find expressions that bind otherwise than they read.

``not`` binds tighter than comparisons, ``and`` and ``or`` share a level, ``%`` is looser than
``*``, powers and conditionals associate to the left, ``in`` is loosest.  Where parentheses make
the reading explicit there is nothing to say.

Main definitions: :func:`precedence_findings`.

References
----------
Weiss, Goldberg & Yahav (2021), appendix on the language [weiss2021].
"""

import dataclasses
from collections.abc import Iterator
from typing import Any

from rasp.checks.findings import Finding
from rasp.syntax.format import expression_text
from rasp.syntax.lexer import Source
from rasp.syntax.statements import parse_units
from rasp.syntax.tree import Binary, Ternary, Tree, Unary

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def precedence_findings(source: Source) -> list[Finding]:
    """Return the traps in ``source``, in its order; units with syntax errors are left out.

    Examples
    --------
    >>> [f.message for f in precedence_findings(Source("not a == b;"))]
    ['reads as (not a) == b: write that, or not (a == b)']
    """
    found: list[Finding] = []
    for unit in parse_units(source):
        for statement in unit.statements:
            for tree in walk(statement):
                found.extend(_trap(tree, source.text))
    return sorted(found, key=lambda finding: (finding.start, finding.end))


def walk(tree: Any) -> Iterator[Tree]:
    """Yield every tree below and including ``tree``."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, Tree):
            yield node
            stack.extend(getattr(node, field.name) for field in dataclasses.fields(node))
        elif isinstance(node, tuple):
            stack.extend(node)


def _trap(tree: Tree, text: str) -> Iterator[Finding]:
    def bare(operand: Tree) -> bool:
        """Whether an operand stands without parentheses of its own."""
        before = text[: operand.start].rstrip()
        after = text[operand.end :].lstrip()
        return not (before.endswith("(") and after.startswith(")"))

    def finding(message: str) -> Finding:
        return Finding("warning", "precedence", message, tree.start, tree.end)

    match tree:
        case Binary(left=Unary(op="not") as left) if tree.op in _COMPARISONS and bare(left):
            inner = expression_text(left.operand)
            right = expression_text(tree.right, 5)
            yield finding(
                f"reads as (not {inner}) {tree.op} {right}: write that, "
                f"or not ({inner} {tree.op} {right})"
            )
        case Binary(left=Binary(op="or" | "and") as left) if (
            tree.op in ("and", "or") and left.op != tree.op and bare(left)
        ):
            yield finding(
                f"'and' and 'or' bind alike, from the left: reads as "
                f"({expression_text(left)}) {tree.op} {expression_text(tree.right, 4)}"
            )
        case Binary(op="^", left=Unary(op="-" | "+") as left) if bare(left):
            yield finding(f"the sign binds first: reads as ({expression_text(left)}) ^ …")
        case Binary(op="^", left=Binary(op="^") as left) if bare(left):
            yield finding(f"powers associate to the left: reads as ({expression_text(left)}) ^ …")
        case Binary(left=Binary() as left) if (
            tree.op in _COMPARISONS and left.op in _COMPARISONS and bare(left)
        ):
            yield finding(
                f"comparisons do not chain: reads as ({expression_text(left)}) {tree.op} "
                f"{expression_text(tree.right, 5)}"
            )
        case Binary(op="%", right=Binary(op="*" | "/") as right) if bare(right):
            yield finding(f"'%' binds last: reads as … % ({expression_text(right)})")
        case Binary(op="%", left=Binary(op="*" | "/") as left) if bare(left):
            pass  # reads the same either way
        case Ternary(then=Ternary() as then) if bare(then):
            inner = expression_text(then)
            yield finding(f"conditionals associate to the left: reads as ({inner}) if … else …")
        case Binary(op="in"):
            for operand in (tree.left, tree.right):
                if (
                    isinstance(operand, Binary)
                    and operand.op in ("and", "or", "in")
                    and bare(operand)
                ):
                    yield finding(
                        f"'in' binds last: reads with ({expression_text(operand)}) as one operand"
                    )
                    break
