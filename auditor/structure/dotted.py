"""Dotted names in a tree, however long they are."""

import ast


def dotted(node: ast.AST | None) -> tuple[str, ...]:
    """A dotted name's words; empty where a node is none."""
    words: list[str] = []
    while node.__class__ is ast.Attribute:
        words.append(node.attr)
        node = node.value
    if node.__class__ is not ast.Name:
        return ()
    words.append(node.id)
    return tuple(words[::-1])
