"""The names that a `match` pattern captures and the expressions that it reads."""

from collections.abc import Iterator

import libcst as cst

# The fields of each kind of pattern that hold further patterns.
_INNER: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.MatchAs: ("pattern",),
    cst.MatchOr: ("patterns",),
    cst.MatchOrElement: ("pattern",),
    cst.MatchList: ("patterns",),
    cst.MatchTuple: ("patterns",),
    cst.MatchSequenceElement: ("value",),
    cst.MatchMapping: ("elements",),
    cst.MatchMappingElement: ("pattern",),
    cst.MatchClass: ("patterns", "kwds"),
    cst.MatchKeywordElement: ("pattern",),
}


def _patterns(root: cst.CSTNode) -> Iterator[cst.CSTNode]:
    work = [root]
    while work:
        node = work.pop()
        yield node
        for field in reversed(_INNER.get(type(node), ())):
            value = getattr(node, field)
            if isinstance(value, cst.CSTNode):
                work.append(value)
            elif isinstance(value, (tuple, list)):
                work.extend(reversed(value))


def captures_of(pattern: cst.CSTNode) -> Iterator[cst.Name]:
    """The names that a pattern binds."""
    for node in _patterns(pattern):
        if isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
            yield node.name
        elif isinstance(node, cst.MatchMapping) and node.rest is not None:
            yield node.rest


def values_of(pattern: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The expressions that a pattern compares with: values, keys and classes."""
    for node in _patterns(pattern):
        if isinstance(node, cst.MatchValue):
            yield node.value
        elif isinstance(node, cst.MatchMappingElement):
            yield node.key
        elif isinstance(node, cst.MatchClass):
            yield node.cls
