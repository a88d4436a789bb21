"""What a name means: the dotted names that imports anywhere in a text give it."""

from collections.abc import Iterable

from auditor.matching.tree import Node, Tree


class Names:
    """Import aliases of a text, and of the texts before it; where they stand and in what order does not matter."""

    def __init__(self, tree: Tree, before: Iterable[Tree] = ()) -> None:
        self.tree = tree
        self.aliases: dict[str, list[str]] = {}
        self.stars: list[str] = []
        for source in (*before, tree):
            for node in source.of_kind("Import"):
                for name in node.kids:
                    self._import(name)
            for node in source.of_kind("ImportFrom"):
                self._import_from(node, source)
        self._bound: set[str] | None = None
        self._chains: dict[tuple[int, str], Node] = {}

    def _add(self, alias: str, dotted: str) -> None:
        known = self.aliases.setdefault(alias, [])
        if dotted not in known:
            known.append(dotted)

    def _import(self, name: Node) -> None:
        dotted, alias = name.kids
        if alias.kind == "Absent":
            first = dotted.value.split(".", 1)[0]
            self._add(first, first)
        else:
            self._add(alias.value, dotted.value)

    def _import_from(self, node: Node, source: Tree) -> None:
        for name in node.kids:
            if name.kind == "ImportStar":
                if node.value not in self.stars and source.function_of(node) is source.root:
                    self.stars.append(node.value)
                continue
            dotted, alias = name.kids
            full = f"{node.value}{'' if node.value.endswith('.') else '.'}{dotted.value}"
            self._add(dotted.value if alias.kind == "Absent" else alias.value, full)

    def dotted(self, node: Node) -> list[str]:
        """The dotted names that a `Name` was imported as; none for one that a parameter around it hides."""
        known = self.aliases.get(node.value, [])
        if known and not self._is_parameter(node):
            return known
        return []

    def from_star(self, node: Node) -> list[str]:
        """The dotted names that a `Name` has if a star import brought it; none for a name that is bound in the text."""
        if not self.stars or node.value in self.aliases or node.value in self._names_bound():
            return []
        return [f"{module}{'' if module.endswith('.') else '.'}{node.value}" for module in self.stars]

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
