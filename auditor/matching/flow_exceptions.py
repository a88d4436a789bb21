"""Exceptions in the interpretation of paths: `with`, and `try` with its handlers and its `finally`."""

from typing import TYPE_CHECKING

import libcst as cst

from auditor.matching.flow_scopes import Scope, fork
from auditor.matching.flow_state import State, TryFrame, join
from auditor.matching.flow_statements import jump

if TYPE_CHECKING:
    from auditor.matching.flow_paths import Paths

# Managers that may swallow an exception, by the last part of the call's name; all others are taken to let it through.
SWALLOWING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
# A `finally` inside this many others is read once for all ways into it: less exact, and not exponential.
MOST_FINALLYS = 3


def read_with(paths: "Paths", scope: Scope, state: State, node: cst.With) -> State | None:
    """Read a `with`: what its body does may be cut short where one of its managers ends exceptions."""
    frame = TryFrame(state.copy()) if any(_swallows(item.item) for item in node.items) else None
    for item in node.items:
        paths.evaluation.read(scope, state, item.item)
        if item.asname is not None:
            paths.evaluation.assign(scope, state, item.asname.name, item.item, "with")
    if frame is None:
        return paths.block(scope, state, node.body.body)
    frame.reached.absorb(state)
    scope.frames.append(frame)
    after = paths.block(scope, state, node.body.body)
    scope.frames.pop()
    return join(frame.reached, after)


def read_try(paths: "Paths", scope: Scope, state: State, node: cst.Try | cst.TryStar) -> State | None:
    """Read a `try`: any prefix of its body may reach a handler, and `finally` runs on every way out."""
    if node.finalbody is None:
        return _handled(paths, scope, state, node)
    whole = TryFrame(state.copy(), holds_jumps=True)
    scope.frames.append(whole)
    after = _handled(paths, scope, state, node)
    scope.frames.pop()
    body = node.finalbody.body.body
    paths.finallys += 1
    if paths.finallys > MOST_FINALLYS or scope.coarse:
        ways = [way for way in (after, whole.reached, *whole.jumps.values()) if way is not None]
        together = ways[0].copy()
        for way in ways[1:]:
            together.absorb(way)
        out = paths.block(scope, together, body)
        for kind in whole.jumps if out is not None else ():
            jump(scope, out or together, kind)
        after = out if after is not None else None
    else:
        after = paths.block(scope, after, body)
        paths.block(scope, whole.reached, body)
        for kind, waiting in whole.jumps.items():
            left = paths.block(scope, waiting, body)
            if left is not None:
                jump(scope, left, kind)
    paths.finallys -= 1
    return after


def _handled(paths: "Paths", scope: Scope, state: State, node: cst.Try | cst.TryStar) -> State | None:
    """The body, its handlers and its `else`, without the `finally`."""
    frame = TryFrame(state.copy())
    scope.frames.append(frame)
    after = paths.block(scope, state, node.body.body)
    scope.frames.pop()
    if node.orelse is not None:
        after = paths.block(scope, after, node.orelse.body.body)
    caught = frame.reached
    for handler in node.handlers:
        inside = fork(scope, caught)
        paths.evaluation.read(scope, inside, handler.type)
        name = handler.name.name if handler.name is not None else None
        if isinstance(name, cst.Name):
            paths.evaluation.bind(scope, inside, paths.evaluation.define(name, name.value, "except"))
        out = paths.block(scope, inside, handler.body.body)
        if out is not None and isinstance(name, cst.Name):
            paths.evaluation.unbind(scope, out, name.value)
        if out is not None and isinstance(node, cst.TryStar):
            caught.absorb(out)  # the clauses of `except*` may all run, one after another
        after = join(after, out)
    return after


def _swallows(manager: cst.BaseExpression) -> bool:
    """Whether a `with` item is one of those that may end an exception."""
    called = manager.func if isinstance(manager, cst.Call) else manager
    last = called.attr if isinstance(called, cst.Attribute) else called
    return isinstance(last, cst.Name) and last.value in SWALLOWING
