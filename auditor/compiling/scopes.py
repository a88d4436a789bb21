"""The scope that a tree was written for: what stands outside a function, loop or coroutine although it may not."""

import ast
import re
from dataclasses import dataclass
from typing import Any, TypeVar

from auditor.compiling.compiler import Failure, compile_tree
from auditor.model import Adjustment, Context

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_Statement = TypeVar("_Statement", bound=ast.stmt)
_Node = TypeVar("_Node", bound=ast.stmt | ast.expr)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)

# A look at the text that spares most trees: a method's header, a decorator of members, or the names of a receiver.
_RECEIVER = re.compile(r"(?:self|cls)\b")
_DECORATED = re.compile(
    r"^@(?:property|staticmethod|(?:abc\.)?abstract\w+|(?:functools\.)?cached_property|\w+\.(?:setter|getter|deleter))\b",
    re.MULTILINE,
)
_MEMBER_DECORATORS = frozenset(
    {
        "property", "classmethod", "staticmethod", "cached_property", "functools.cached_property", "abstractmethod",
        "abc.abstractmethod", "abstractproperty", "abc.abstractproperty", "setter", "getter", "deleter",
    }
)  # fmt: skip
_RECEIVERS = frozenset({"self", "cls"})


@dataclass(frozen=True, slots=True)
class Stray:
    """What a tree holds outside the scope that it needs."""

    function: ast.stmt | ast.expr | None = None
    loop: ast.stmt | None = None
    waits: ast.AST | None = None
    closure: tuple[str, ...] = ()

    @property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """The scopes to add, outermost first."""
        added: list[Adjustment] = []
        if self.waits is not None:
            added.append("async")
        if self.function is not None or self.closure:
            added.append("function")
        if self.loop is not None:
            added.append("loop")
        return tuple(added)

    @property
    def context(self) -> Context:
        """The narrowest word for where such statements stand."""
        if self.function is not None or self.closure:
            return "function-body"
        if self.loop is not None:
            return "loop-body"
        return "async" if self.waits is not None else "module"


def find_stray(tree: ast.Module) -> Stray:
    """Walk the outermost scope alone; functions, classes and lambdas have scopes of their own."""
    function: ast.stmt | ast.expr | None = None
    loop: ast.stmt | None = None
    waits: ast.AST | None = None
    closure: list[str] = []
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_loop = waiting.pop()
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom):
            function = _earlier(function, node)
        elif isinstance(node, ast.Break | ast.Continue) and not in_loop:
            loop = _earlier(loop, node)
        elif isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith) or (
            isinstance(node, ast.comprehension) and node.is_async
        ):
            waits = waits or node
        elif isinstance(node, ast.Nonlocal):
            closure.extend(node.names)
        waiting.extend(_in_same_scope(node, in_loop))
    return Stray(function, loop, waits, tuple(dict.fromkeys(closure)))


def _earlier(held: _Node | None, node: _Node) -> _Node:
    return node if held is None or (node.lineno, node.col_offset) < (held.lineno, held.col_offset) else held


def _in_same_scope(node: ast.AST, in_loop: bool) -> list[tuple[ast.AST, bool]]:
    if isinstance(node, _FUNCTIONS):
        return [(child, in_loop) for child in (*node.decorator_list, node.args, *filter(None, [node.returns]))]
    if isinstance(node, ast.ClassDef):
        return [(child, in_loop) for child in (*node.decorator_list, *node.bases, *node.keywords)]
    if isinstance(node, ast.Lambda):
        return [(node.args, in_loop)]
    if isinstance(node, _LOOPS):
        inner = set(map(id, node.body))
        return [(child, in_loop or id(child) in inner) for child in ast.iter_child_nodes(node)]
    return [(child, in_loop) for child in ast.iter_child_nodes(node)]


def compile_in_scope(tree: ast.Module, stray: Stray, code: str) -> Failure | None:
    """Judge the tree inside the scopes that its stray statements need; lines and columns stay. The tree is used up."""
    ahead = [statement for statement in tree.body if _only_in_modules(statement)]
    body = [statement for statement in tree.body if not _only_in_modules(statement)]
    if stray.loop is not None:
        body = [_at_top(ast.While(test=ast.Constant(value=True), body=body, orelse=[]))]
    if stray.function is not None or stray.closure or stray.waits is not None:
        body = [_in_function(body, waits=stray.waits is not None)]
    if stray.closure:
        bound: list[ast.stmt] = [
            _at_top(ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=ast.Constant(value=None)))
            for name in stray.closure
        ]
        body = [_in_function([*bound, *body], waits=False)]
    tree.body = [*ahead, *map(ast.fix_missing_locations, body)]
    return compile_tree(tree, code)


def _only_in_modules(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and (
        statement.module == "__future__" or any(alias.name == "*" for alias in statement.names)
    )


def _in_function(body: list[ast.stmt], *, waits: bool) -> ast.stmt:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    kind = ast.AsyncFunctionDef if waits else ast.FunctionDef
    statements = body or [_at_top(ast.Pass())]
    newer: dict[str, Any] = {"type_params": []} if "type_params" in kind._fields else {}  # from 3.12 on
    return _at_top(kind(name="_", args=nothing, body=statements, decorator_list=[], returns=None, **newer))


def _at_top(node: _Statement) -> _Statement:
    node.lineno = node.end_lineno = 1
    node.col_offset = node.end_col_offset = 0
    return node


def may_belong(code: str) -> bool:
    """Whether the text could be part of a class; a cheap over-estimate."""
    if ("self" in code or "cls" in code) and _RECEIVER.search(code):
        return True
    return "@" in code and _DECORATED.search(code) is not None


def label(tree: ast.Module) -> Context:
    """`class-body`, `method` or `module`: where sound statements belong, judged by their receiver."""
    if any(isinstance(statement, _FUNCTIONS) and _is_member(statement) for statement in tree.body):
        return "class-body"
    return "method" if _needs_receiver(tree) else "module"


def _is_member(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    parameters = (*function.args.posonlyargs, *function.args.args)
    if parameters and parameters[0].arg in _RECEIVERS:
        return True
    for decorator in function.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(target, ast.Name) and target.id in _MEMBER_DECORATORS:
            return True
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            dotted = f"{target.value.id}.{target.attr}"
            if dotted in _MEMBER_DECORATORS or target.attr in {"setter", "getter", "deleter"}:
                return True
    return False


def _needs_receiver(tree: ast.Module) -> bool:
    """Whether `self` or `cls` is read where nothing in the text binds it; a class binds them for all that it holds."""
    used: set[str] = set()
    bound: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and node.id in _RECEIVERS:
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.ClassDef):
            waiting.extend((*node.decorator_list, *node.bases, *node.keywords))
            continue
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name)
        elif isinstance(node, (*_FUNCTIONS, ast.Lambda)):
            arguments = node.args
            named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            if any(parameter.arg in _RECEIVERS for parameter in named):
                continue
        waiting.extend(ast.iter_child_nodes(node))
    return bool(used - bound)


def return_beside_definition(tree: ast.Module, stray: Stray) -> str | None:
    """The name of the function at the margin above a stray `return`, to which the return may belong."""
    if not isinstance(stray.function, ast.Return):
        return None
    above = [
        statement.name
        for statement in tree.body
        if isinstance(statement, _FUNCTIONS) and statement.lineno < stray.function.lineno
    ]
    return above[-1] if above else None
