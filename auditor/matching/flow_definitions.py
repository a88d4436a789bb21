"""What binds a name: one `Definition` a binding, with the value it takes, elementwise through unpacking."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import libcst as cst

DefinitionKind = Literal[
    "param", "assign", "augment", "for", "with", "except", "import", "def", "class", "match", "type", "store", "outside"
]
# Which element of a value a name takes: 1 for `b` in `a, b = v`, from the end after a star, None for the star itself.
Axis = tuple[int | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """A place where a name takes a value.

    `node` is the name that is bound. `value` is the expression that the value comes from: the right-hand side, matched
    element by element with the targets where both sides are written out; the iterable of a `for`, the manager of a
    `with`, the subject of a `match`; None where there is none. `axis` says which element of `value` it is, empty for
    the whole. A `store` (to an attribute or an item of the name) and an `augment` leave something of the definitions
    before them. `outside` stands for what code elsewhere may do to a global name.
    """

    node: cst.CSTNode
    name: str
    kind: DefinitionKind
    value: cst.BaseExpression | None = None
    axis: Axis = ()


@dataclass(frozen=True, slots=True)
class Target:
    """One name of an assignment target; `store` where not the name but an attribute or an item of it is set."""

    name: cst.Name
    value: cst.BaseExpression | None
    axis: Axis = ()
    store: bool = False


def root_name(node: cst.CSTNode) -> cst.Name | None:
    """The name at the left end of a chain of attributes and items: `x` of `x.a[0].b`."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return node if isinstance(node, cst.Name) else None


def unpack(target: cst.CSTNode, value: cst.BaseExpression | None) -> Iterator[Target]:
    """The names that a target binds, left to right, each with what it takes of the value."""
    work: list[tuple[cst.CSTNode, cst.BaseExpression | None, Axis]] = [(target, value, ())]
    while work:
        node, source, axis = work.pop()
        if isinstance(node, cst.Name):
            yield Target(node, source, axis)
        elif isinstance(node, (cst.Tuple, cst.List)):
            work.extend(reversed(list(_elements(node.elements, source, axis))))
        elif isinstance(node, (cst.Attribute, cst.Subscript)):
            root = root_name(node)
            if root is not None:
                yield Target(root, source, axis, store=True)
        elif isinstance(node, cst.StarredElement):
            work.append((node.value, source, axis))


def _elements(
    targets: Sequence[cst.BaseElement], value: cst.BaseExpression | None, axis: Axis
) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression | None, Axis]]:
    """Each element of a written-out target with what it takes of the value."""
    star = next((at for at, element in enumerate(targets) if isinstance(element, cst.StarredElement)), len(targets))
    behind = len(targets) - star - 1
    written: Sequence[cst.BaseElement] = ()
    if not axis and isinstance(value, (cst.Tuple, cst.List)):
        written = value.elements
    stars = [at for at, element in enumerate(written) if isinstance(element, cst.StarredElement)]
    fits = len(written) == len(targets) if star == len(targets) else len(written) >= len(targets) - 1
    if not stars and not fits:
        written = ()  # cannot succeed at run time: nothing is known element by element
    known_ahead = stars[0] if stars else len(written)
    known_behind = len(written) - stars[-1] - 1 if stars else len(written)
    for at, element in enumerate(targets):
        if at < star and at < known_ahead:
            yield element.value, written[at].value, ()
        elif at < star:
            yield element.value, value, (*axis, at)
        elif at == star:
            yield element.value, value, (*axis, None)
        elif len(targets) - at <= min(known_behind, behind):
            yield element.value, written[at - len(targets)].value, ()
        else:
            yield element.value, value, (*axis, at - len(targets))
