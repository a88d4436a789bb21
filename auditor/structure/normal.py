"""The normal form of a tree: one text that is the same for code that differs in comments, layout, brackets and quotes.

It is made of the fields named in the table below and of nothing else, so that a field which a newer interpreter adds to
its trees changes no hash. Docstrings are left out. Nodes come in an order of their own, each list with its length
before it, which makes the form unambiguous.
"""

import ast
import hashlib
from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

# Kind of node → its fields in the order of the form. `ctx`, `type_comment`, `kind` and `simple` say nothing new.
FIELDS = MappingProxyType({
    ast.FunctionDef: ("decorator_list", "name", "args", "returns", "body"),
    ast.AsyncFunctionDef: ("decorator_list", "name", "args", "returns", "body"),
    ast.ClassDef: ("decorator_list", "name", "bases", "keywords", "body"),
    ast.Return: ("value",),
    ast.Delete: ("targets",),
    ast.Assign: ("targets", "value"),
    ast.AugAssign: ("target", "op", "value"),
    ast.AnnAssign: ("target", "annotation", "value"),
    ast.For: ("target", "iter", "body", "orelse"),
    ast.AsyncFor: ("target", "iter", "body", "orelse"),
    ast.While: ("test", "body", "orelse"),
    ast.If: ("test", "body", "orelse"),
    ast.With: ("items", "body"),
    ast.AsyncWith: ("items", "body"),
    ast.withitem: ("context_expr", "optional_vars"),
    ast.Match: ("subject", "cases"),
    ast.match_case: ("pattern", "guard", "body"),
    ast.Raise: ("exc", "cause"),
    ast.Try: ("body", "handlers", "orelse", "finalbody"),
    ast.TryStar: ("body", "handlers", "orelse", "finalbody"),
    ast.ExceptHandler: ("type", "name", "body"),
    ast.Assert: ("test", "msg"),
    ast.Import: ("names",),
    ast.ImportFrom: ("level", "module", "names"),
    ast.alias: ("name", "asname"),
    ast.Global: ("names",),
    ast.Nonlocal: ("names",),
    ast.Expr: ("value",),
    ast.Pass: (),
    ast.Break: (),
    ast.Continue: (),
    ast.BoolOp: ("op", "values"),
    ast.NamedExpr: ("target", "value"),
    ast.BinOp: ("left", "op", "right"),
    ast.UnaryOp: ("op", "operand"),
    ast.Lambda: ("args", "body"),
    ast.IfExp: ("test", "body", "orelse"),
    ast.Dict: ("keys", "values"),
    ast.Set: ("elts",),
    ast.ListComp: ("elt", "generators"),
    ast.SetComp: ("elt", "generators"),
    ast.DictComp: ("key", "value", "generators"),
    ast.GeneratorExp: ("elt", "generators"),
    ast.comprehension: ("is_async", "target", "iter", "ifs"),
    ast.Await: ("value",),
    ast.Yield: ("value",),
    ast.YieldFrom: ("value",),
    ast.Compare: ("left", "ops", "comparators"),
    ast.Call: ("func", "args", "keywords"),
    ast.keyword: ("arg", "value"),
    ast.FormattedValue: ("value", "conversion", "format_spec"),
    ast.JoinedStr: ("values",),
    ast.Attribute: ("attr", "value"),
    ast.Subscript: ("value", "slice"),
    ast.Name: ("id",),
    ast.Starred: ("value",),
    ast.List: ("elts",),
    ast.Tuple: ("elts",),
    ast.Slice: ("lower", "upper", "step"),
    ast.arguments: ("posonlyargs", "args", "vararg", "kwonlyargs", "kwarg", "defaults", "kw_defaults"),
    ast.arg: ("arg", "annotation"),
    ast.MatchValue: ("value",),
    ast.MatchSingleton: ("value",),
    ast.MatchSequence: ("patterns",),
    ast.MatchMapping: ("keys", "patterns", "rest"),
    ast.MatchClass: ("cls", "patterns", "kwd_attrs", "kwd_patterns"),
    ast.MatchStar: ("name",),
    ast.MatchAs: ("pattern", "name"),
    ast.MatchOr: ("patterns",),
    ast.Module: ("body",),
})  # fmt: skip
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DOCUMENTED = (*_DEFINITIONS, ast.Module)


class _End:
    """Marks where the form of a node ends."""

    __slots__ = ("node",)

    def __init__(self, node: ast.AST) -> None:
        self.node = node


Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module


def body_of(node: Documented) -> list[ast.stmt]:
    """The statements of a definition or module without its docstring; `pass` where nothing else is left."""
    body = node.body
    if body and is_text(body[0]):
        return body[1:] or [ast.copy_location(ast.Pass(), body[0])]
    return body


def field_of(node: ast.AST, name: str) -> Any:  # noqa: ANN401  whatever the field holds
    """A field's value; a body is without its docstring, an f-string's literal parts are whole."""
    if isinstance(node, ast.JoinedStr):
        return _joined(node)
    if name == "body" and isinstance(node, _DOCUMENTED):
        return body_of(node)
    return getattr(node, name)


def is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a string alone."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def constant(value: object) -> str:
    """A constant's form; no `repr` of text, which differs with the interpreter's Unicode version."""
    if isinstance(value, str):
        return f"s{len(value)}:{value}"
    if isinstance(value, bytes):
        return f"b{value!r}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"i{value:x};"
    return f"c{value!r};"


def form(nodes: Iterable[ast.AST], spans: dict[ast.AST, tuple[int, int]] | None = None) -> list[str]:
    """The pieces of the normal form of nodes in order; `spans` receives which pieces are those of each definition."""
    out: list[str] = []
    add = out.append
    stack: list[Any] = list(reversed(list(nodes)))
    pop, push = stack.pop, stack.append
    begun: dict[ast.AST, int] = {}
    while stack:
        node = pop()
        kind = type(node)
        if kind is ast.Name:
            add(f"N{node.id};")
        elif kind is str:
            add(node)
        elif kind is ast.Attribute:
            add(f".{node.attr};")
            push(node.value)
        elif kind is ast.Constant:
            add(constant(node.value))
        elif kind is ast.Call:
            add(f"({len(node.args)},{len(node.keywords)};")
            stack.extend(reversed(node.keywords))
            stack.extend(reversed(node.args))
            push(node.func)
        elif kind is _End:
            if spans is not None:
                spans[node.node] = (begun[node.node], len(out))
        else:
            if kind in _DEFINITIONS and spans is not None:
                begun[node] = len(out)
                push(_End(node))
            add(f"{kind.__name__};")
            for name in reversed(FIELDS.get(kind, ())):
                value = field_of(node, name)
                if isinstance(value, list):
                    stack.extend(_item(item) for item in reversed(value))
                    push(f"{len(value)}[")
                else:
                    push(_item(value))
    return out


def _item(value: ast.AST | str | int | None) -> ast.AST | str:
    if isinstance(value, ast.AST):
        return value
    return f"={value};" if isinstance(value, str) else f"-{value};"


def _joined(node: ast.JoinedStr) -> list[ast.expr]:
    """An f-string's parts with literal text that stands together made one, as 3.11 does and later versions do not."""
    parts: list[ast.expr] = []
    for part in node.values:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            if not part.value:
                continue
            last = parts[-1] if parts else None
            if isinstance(last, ast.Constant) and isinstance(last.value, str):
                parts[-1] = ast.Constant(last.value + part.value)
                continue
        parts.append(part)
    return parts


def digest(pieces: Iterable[str]) -> str:
    """Hex SHA-256 of pieces of a normal form."""
    return hashlib.sha256("".join(pieces).encode("utf-8", "surrogatepass")).hexdigest()
