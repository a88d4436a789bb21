"""Dotted names in a tree, however long they are."""

import ast


def dotted(node: ast.AST | None) -> tuple[str, ...]:
    """A dotted name's words; empty where a node is none."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    return (node.id, *reversed(words)) if isinstance(node, ast.Name) else ()
