"""What a name means: the dotted names that imports anywhere in a text give it."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from auditor.matching.tree import Node, Tree
from auditor.structure.reading import read


@dataclass(frozen=True, slots=True)
class _Alias:
    """A dotted name under some name, where it is imported, and the function that it is imported in."""

    dotted: str
    start: int
    function: Node | None


@lru_cache(maxsize=256)
def imports_of(code: str) -> tuple[tuple[str, str | None], ...]:
    """What imports anywhere in a text name: (dotted name, the name it is bound to); of stars the module and `None`.

    An `import` without an alias is left out: a module has its own name.
    """
    reading = read(code) if "import" in code else None
    if reading is None:
        return ()
    plain: list[tuple[str, str | None]] = []
    found: list[tuple[str, str | None]] = []
    for node in ast.walk(reading.tree):
        if isinstance(node, ast.Import):
            plain.extend((alias.name, alias.asname) for alias in node.names if alias.asname)
        elif isinstance(node, ast.ImportFrom):
            if node.names[0].name == "*":
                found.append(("." * node.level + (node.module or ""), None))
            else:
                found.extend(named(node))
    return (*plain, *found)


def named(node: ast.ImportFrom) -> list[tuple[str, str]]:
    """What an import from a module names: (dotted name, the name it is bound to)."""
    module = "." * node.level + (node.module or "")
    return [(_within(module, alias.name), alias.asname or alias.name) for alias in node.names]


def _within(module: str, name: str) -> str:
    return f"{module}{'' if module.endswith('.') else '.'}{name}"


class Names:
    """Import aliases of a text, and of the texts before it; whether an import is ever reached does not matter.

    `own` are those of the module's imports that are not in the tree: dotted name, the name it is bound to, offset.
    """

    def __init__(self, tree: Tree, before: Iterable[str] = (), own: Iterable[tuple[str, str, int]] = ()) -> None:
        self.tree = tree
        self.aliases: dict[str, list[_Alias]] = {}
        self.stars: list[str] = []
        for text in before:
            for dotted, alias in imports_of(text):
                if alias is not None:
                    self.aliases.setdefault(alias, []).append(_Alias(dotted, -1, None))
                elif dotted not in self.stars:
                    self.stars.append(dotted)
        for dotted, alias, start in own:
            self.aliases.setdefault(alias, []).append(_Alias(dotted, start, None))
        for node in tree.of_kind("Import"):
            for name in node.kids:
                self._import(name)
        for node in tree.of_kind("ImportFrom"):
            self._import_from(node)
        for aliases in self.aliases.values():
            aliases.sort(key=lambda alias: alias.start)
        self._bound: set[str] | None = None
        self._chains: dict[tuple[int, str], Node] = {}

    def _add(self, alias: str, dotted: str, node: Node) -> None:
        self.aliases.setdefault(alias, []).append(_Alias(dotted, node.start, self.tree.function_of(node)))

    def _import(self, name: Node) -> None:
        dotted, alias = name.kids
        # Without an alias a module has its own name, which needs no resolving.
        if alias.kind != "Absent":
            self._add(alias.value, dotted.value, name)

    def _import_from(self, node: Node) -> None:
        for name in node.kids:
            if name.kind == "ImportStar":
                if node.value not in self.stars and self.tree.function_of(node) is self.tree.root:
                    self.stars.append(node.value)
                continue
            dotted, alias = name.kids
            bound = dotted.value if alias.kind == "Absent" else alias.value
            self._add(bound, _within(node.value, dotted.value), node)

    def dotted(self, node: Node) -> list[str]:
        """The dotted names that a `Name` was imported as; none for one that a parameter around it hides.

        Of several imports under one name the last one above it counts; those in the functions around it come first.
        """
        known = self.aliases.get(node.value)
        if known is None or self._is_parameter(node):
            return []
        before = [alias for alias in known if alias.start < node.start]
        if len(before) > 1:
            functions = {id(around) for around in node.ancestors()}
            own = [alias for alias in before if alias.function is None or id(alias.function) in functions]
            before = own or before
        return [before[-1].dotted] if before else []

    def from_star(self, node: Node) -> list[str]:
        """The dotted names that a `Name` has if a star import brought it; none for a name that is bound in the text."""
        if not self.stars or node.value in self.aliases or node.value in self._names_bound():
            return []
        return [_within(module, node.value) for module in self.stars]

    def chain(self, node: Node, dotted: str) -> Node:
        """A dotted name as a tree that stands where `node` stands."""
        made = self._chains.get((node.index, dotted))
        if made is None:
            first, *rest = dotted.split(".") if not dotted.startswith(".") else [dotted]
            made = Node("Name", first, (), node.start, node.end, -1, -1, node.cst)
            for part in rest:
                ident = Node("Ident", part, (), node.start, node.end, -1, -1, node.cst)
                made = Node("Attr", "", (made, ident), node.start, node.end, -1, -1, node.cst)
            made.parent = node.parent
            self._chains[(node.index, dotted)] = made
        return made

    def _is_parameter(self, node: Node) -> bool:
        for around in node.ancestors():
            if around.kind in {"Def", "Lambda"}:
                params = around.kids[1] if around.kind == "Def" else around.kids[0]
                if any(param.kids and param.kids[0].value == node.value for param in params.kids):
                    return True
        return False

    def _names_bound(self) -> set[str]:
        if self._bound is None:
            bound = {node.kids[0].value for node in self.tree.of_kind("Def", "Class")}
            bound.update(node.kids[0].value for node in self.tree.of_kind("Param") if node.kids)
            for node in self.tree.of_kind("Assign"):
                for target in node.kids[:-1]:
                    bound.update(part.value for part in self.tree.within(target) if part.kind == "Name")
            self._bound = bound
        return self._bound
