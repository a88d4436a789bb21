"""What means the same is found the same: other names, another layout, another place."""

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterable

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.model import Source
from auditor.rulebook import Rule, Rulebook, load

BOOK = load([])
# Rules whose faults lie in what a tree does not hold: comments, blanks, the way a literal is written.
MATCHED = [
    (rule, example.code)
    for rule in BOOK.rules
    if rule.match is not None
    for example in rule.examples.finding
    if "#" not in example.code
]
IDS = [f"{rule.id}-{number}" for number, (rule, _) in enumerate(MATCHED)]


def found(rule: Rule, text: str, path: str = "p.py") -> Counter[str]:
    book = Rulebook((rule,), f"alone:{rule.id}")
    return Counter(finding.rule for finding in audit(Source(path, text), book, AuditOptions()).findings)


def tree_of(code: str) -> ast.Module:
    try:
        return ast.parse(code)
    except SyntaxError:
        pytest.skip("no module by itself")


def fenced(code: str) -> str:
    return f"``````python\n{code}\n``````\n"


@pytest.mark.parametrize(("rule", "code"), MATCHED, ids=IDS)
def test_another_layout(rule: Rule, code: str) -> None:
    printed = ast.unparse(tree_of(code))
    assert found(rule, printed) == found(rule, code)


@pytest.mark.parametrize(("rule", "code"), MATCHED, ids=IDS)
def test_another_place(rule: Rule, code: str) -> None:
    quoted = "".join(f"> {line}\n" for line in fenced(code).split("\n")[:-1])
    listed = "- a\n\n" + "".join(f"  {line}\n" if line else "\n" for line in fenced(code).split("\n")[:-1])
    plain = found(rule, fenced(code), "p.md")
    assert found(rule, quoted, "p.md") == plain
    assert found(rule, listed, "p.md") == plain


@pytest.mark.parametrize(("rule", "code"), MATCHED, ids=IDS)
def test_other_names(rule: Rule, code: str) -> None:
    tree = tree_of(code)
    said = repr((rule.match, rule.at))
    names = {
        node.id if isinstance(node, ast.Name) else node.arg
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.arg)
    }
    taken = imported(tree) | {"self", "cls", *dir(builtins)}
    bound = stored(tree) & names
    renamed = {name: f"{name}{name[-1]}" for name in bound - taken if not re.search(rf"(?<!\w){name}", said)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = renamed.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = renamed.get(node.arg, node.arg)
        elif isinstance(node, ast.keyword) and node.arg in renamed:
            pytest.skip("a keyword names a parameter")
    assert found(rule, ast.unparse(tree)) == found(rule, ast.unparse(tree_of(code)))


def imported(tree: ast.Module) -> set[str]:
    return {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }


def stored(tree: ast.Module) -> set[str]:
    def names() -> Iterable[str]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.arg):
                yield node.arg

    return set(names())
