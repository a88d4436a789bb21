"""What each simple statement reads, binds and leaves through, as a table by its type."""

from collections.abc import Callable
from typing import Any

import libcst as cst

from auditor.matching.flow_definitions import root_name
from auditor.matching.flow_evaluation import Evaluation
from auditor.matching.flow_scopes import Scope
from auditor.matching.flow_state import Jump, State, TryFrame


def jump(scope: Scope, state: State, kind: Jump) -> None:
    """Take a state to the loop that it leaves or begins again, or to the `finally` that stands before it."""
    for frame in reversed(scope.frames):
        if frame.holds_jumps if isinstance(frame, TryFrame) else kind != "return":
            known = frame.jumps.get(kind)
            if known is None:
                frame.jumps[kind] = state.copy()
            else:
                known.absorb(state)
            return


def _assign(evaluation: Evaluation, scope: Scope, state: State, node: cst.Assign) -> State:
    evaluation.read(scope, state, node.value)
    for target in node.targets:
        evaluation.assign(scope, state, target.target, node.value)
    return state


def _annotated(evaluation: Evaluation, scope: Scope, state: State, node: cst.AnnAssign) -> State:
    evaluation.read(scope, state, node.value)
    if node.value is not None:
        evaluation.assign(scope, state, node.target, node.value)
    elif isinstance(node.target, cst.Name):
        evaluation.own(scope, node.target.value)
    evaluation.read(scope, state, node.annotation)
    return state


def _augment(evaluation: Evaluation, scope: Scope, state: State, node: cst.AugAssign) -> State:
    evaluation.read(scope, state, node.target)
    evaluation.read(scope, state, node.value)
    root = root_name(node.target)
    if root is not None:
        store = root is not node.target
        definition = evaluation.define(root, root.value, "store" if store else "augment", node.value)
        evaluation.bind(scope, state, definition, weak=store)
    return state


def _delete(evaluation: Evaluation, scope: Scope, state: State, node: cst.Del) -> State:
    work: list[cst.CSTNode] = [node.target]
    while work:
        target = work.pop()
        if isinstance(target, cst.Name):
            evaluation.unbind(scope, state, target.value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            work.extend(element.value for element in reversed(target.elements))
        else:
            evaluation.assign(scope, state, target, None)
    return state


def _expression(evaluation: Evaluation, scope: Scope, state: State, node: cst.Expr) -> State:
    evaluation.read(scope, state, node.value)
    return state


def _assert(evaluation: Evaluation, scope: Scope, state: State, node: cst.Assert) -> State:
    evaluation.read(scope, state, node.test)
    if node.msg is not None:  # read only on the way out
        evaluation.read(scope, state.copy(), node.msg)
    return state


def _raise(evaluation: Evaluation, scope: Scope, state: State, node: cst.Raise) -> None:
    evaluation.read(scope, state, node.exc)
    if node.cause is not None:
        evaluation.read(scope, state, node.cause.item)


def _return(evaluation: Evaluation, scope: Scope, state: State, node: cst.Return) -> None:
    evaluation.read(scope, state, node.value)
    jump(scope, state, "return")


def _break(_evaluation: Evaluation, scope: Scope, state: State, _node: cst.Break) -> None:
    jump(scope, state, "break")


def _continue(_evaluation: Evaluation, scope: Scope, state: State, _node: cst.Continue) -> None:
    jump(scope, state, "continue")


def _import(evaluation: Evaluation, scope: Scope, state: State, node: cst.Import | cst.ImportFrom) -> State:
    if isinstance(node.names, cst.ImportStar):  # what a star brings cannot be known here
        return state
    for alias in node.names:
        bound = alias.asname.name if alias.asname is not None else root_name(alias.name)
        if isinstance(bound, cst.Name):
            evaluation.bind(scope, state, evaluation.define(bound, bound.value, "import"))
    return state


def _declare(_evaluation: Evaluation, scope: Scope, state: State, node: cst.Global | cst.Nonlocal) -> State:
    for item in node.names:
        scope.declared[item.name.value] = "global" if isinstance(node, cst.Global) else "nonlocal"
    return state


def _type_alias(evaluation: Evaluation, scope: Scope, state: State, node: cst.TypeAlias) -> State:
    evaluation.read(scope, state, node.value, late=True)
    evaluation.bind(scope, state, evaluation.define(node.name, node.name.value, "type", node.value))
    return state


SIMPLE: dict[type[cst.CSTNode], Callable[[Evaluation, Scope, State, Any], State | None]] = {
    cst.Assign: _assign,
    cst.AnnAssign: _annotated,
    cst.AugAssign: _augment,
    cst.Del: _delete,
    cst.Expr: _expression,
    cst.Assert: _assert,
    cst.Raise: _raise,
    cst.Return: _return,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.Import: _import,
    cst.ImportFrom: _import,
    cst.Global: _declare,
    cst.Nonlocal: _declare,
    cst.TypeAlias: _type_alias,
}
