"""The parts of an expression in the order in which Python evaluates them, and the names in it."""

from collections.abc import Callable, Iterator, Sequence

import libcst as cst

# For every kind of node that may stand in an expression: the fields that are evaluated, in order. What is not listed
# has nothing to evaluate. `Attribute.attr` and `Arg.keyword` are names of members and parameters, not of variables.
EVALUATED: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.Attribute: ("value",),
    cst.Call: ("func", "args"),
    cst.Arg: ("value",),
    cst.Subscript: ("value", "slice"),
    cst.SubscriptElement: ("slice",),
    cst.Index: ("value",),
    cst.Slice: ("lower", "upper", "step"),
    cst.BinaryOperation: ("left", "right"),
    cst.BooleanOperation: ("left", "right"),
    cst.UnaryOperation: ("expression",),
    cst.Comparison: ("left", "comparisons"),
    cst.ComparisonTarget: ("comparator",),
    cst.IfExp: ("test", "body", "orelse"),
    cst.Tuple: ("elements",),
    cst.List: ("elements",),
    cst.Set: ("elements",),
    cst.Dict: ("elements",),
    cst.Element: ("value",),
    cst.StarredElement: ("value",),
    cst.DictElement: ("key", "value"),
    cst.StarredDictElement: ("value",),
    cst.FormattedString: ("parts",),
    cst.FormattedStringExpression: ("expression", "format_spec"),
    cst.TemplatedString: ("parts",),
    cst.TemplatedStringExpression: ("expression", "format_spec"),
    cst.ConcatenatedString: ("left", "right"),
    cst.Await: ("expression",),
    cst.Yield: ("value",),
    cst.From: ("item",),
    cst.Annotation: ("annotation",),
    cst.NamedExpr: ("value", "target"),
    cst.Lambda: ("params", "body"),
    cst.Parameters: ("posonly_params", "params", "star_arg", "kwonly_params", "star_kwarg"),
    cst.Param: ("default",),
    cst.GeneratorExp: ("for_in", "elt"),
    cst.ListComp: ("for_in", "elt"),
    cst.SetComp: ("for_in", "elt"),
    cst.DictComp: ("for_in", "key", "value"),
    cst.CompFor: ("iter", "target", "ifs", "inner_for_in"),
    cst.CompIf: ("test",),
}
if hasattr(cst, "StarredDictComp"):  # Python 3.15's `{**d for d in ds}`, read by newer releases of libcst only
    EVALUATED[cst.StarredDictComp] = ("for_in", "value")


def parts_of(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The direct parts of a node that are evaluated, in order."""
    for field in EVALUATED.get(type(node), ()):
        value = getattr(node, field)
        if isinstance(value, cst.CSTNode):
            yield value
        elif isinstance(value, (tuple, list)):
            yield from value


def walk(root: cst.CSTNode, skip: Callable[[cst.CSTNode], bool] | None = None) -> Iterator[cst.CSTNode]:
    """The node and all that is evaluated below it, without the subtrees that `skip` is true of."""
    work = [root]
    while work:
        node = work.pop()
        if skip is not None and skip(node):
            continue
        yield node
        parts = list(parts_of(node))
        parts.reverse()
        work.extend(parts)


def generators_of(comprehension: cst.BaseComp) -> Sequence[cst.CompFor]:
    """The `for` clauses of a comprehension, outermost first."""
    clauses = []
    clause: cst.CompFor | None = comprehension.for_in
    while clause is not None:
        clauses.append(clause)
        clause = clause.inner_for_in
    return clauses


def parameters_of(parameters: cst.Parameters) -> Iterator[cst.Param]:
    """All parameters, in the order in which they are written."""
    yield from parameters.posonly_params
    yield from parameters.params
    if isinstance(parameters.star_arg, cst.Param):
        yield parameters.star_arg
    yield from parameters.kwonly_params
    if parameters.star_kwarg is not None:
        yield parameters.star_kwarg
