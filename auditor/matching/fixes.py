"""The edits of a rule's fix: `fix`, `fix-regex`, `ensure-import`, in offsets of the code."""

from collections.abc import Mapping

from auditor.matching.hits import Hit
from auditor.matching.interpolation import HasText, interpolate
from auditor.matching.regexes import compile_regex, time_limit
from auditor.matching.rule import Rule
from auditor.matching.search import Search
from auditor.matching.tree import Node, Tree
from auditor.model import Edit


def edits_of(rule: Rule, hit: Hit, bindings: Mapping[str, HasText], search: Search) -> tuple[Edit, ...] | None:
    """The edits of a rule's fix at a hit, in order; None where the rule has no fix or it changes nothing."""
    tree = search.tree
    written = tree.code[hit.start : hit.end]
    replaced: str | None = None
    if rule.fix is not None:
        replaced = interpolate(rule.fix.rstrip("\n"), bindings)
        replaced = _indented(replaced, tree.code, hit.start)
    elif rule.fix_regex is not None:
        import regex  # noqa: PLC0415 - few rules have such a fix

        try:
            replaced = compile_regex(rule.fix_regex.regex).sub(
                python_groups(rule.fix_regex.replacement), written, count=rule.fix_regex.count, timeout=time_limit()
            )
        except (TimeoutError, regex.error, IndexError):
            return None
    edits: list[Edit] = []
    if replaced is not None and replaced != written:
        edits.append(_narrowed(tree.code, hit, replaced))
    if edits or replaced is None:
        edits.extend(_imports(rule, tree, search))
    edits.sort(key=lambda edit: (edit.start, edit.end))
    return tuple(edits) or None


def _narrowed(code: str, hit: Hit, replaced: str) -> Edit:
    start, end = hit.start, hit.end
    if replaced == "" and _alone(code, start, end):
        # A statement that goes away takes its line with it.
        start = code.rfind("\n", 0, start) + 1
        after = code.find("\n", end)
        end = len(code) if after < 0 else after + 1
    return Edit(start, end, replaced)


def _alone(code: str, start: int, end: int) -> bool:
    """Whether nothing else stands on the lines of a range."""
    before = code[code.rfind("\n", 0, start) + 1 : start]
    after = code.find("\n", end)
    return not before.strip() and not code[end : len(code) if after < 0 else after].strip()


def python_groups(replacement: str) -> str:
    r"""A replacement in which groups may be written `\1` or `$1`, with `\g<1>` for both."""
    import regex  # noqa: PLC0415 - as above

    return regex.sub(r"\\(\d)|\$(\d)", lambda found: f"\\g<{found[1] or found[2]}>", replacement)


def _indented(text: str, code: str, start: int) -> str:
    """Lines after the first one under the margin of the line that they replace."""
    if "\n" not in text:
        return text
    line = code[code.rfind("\n", 0, start) + 1 : start]
    margin = line[: len(line) - len(line.lstrip())]
    first, *rest = text.split("\n")
    return "\n".join([first, *(margin + one if one.strip() else one for one in rest)])


def _imports(rule: Rule, tree: Tree, search: Search) -> list[Edit]:
    """The imports that the fix needs and the text does not have, below the last import of the module's beginning."""
    missing = [wanted for wanted in rule.ensure_import if not _imported(wanted, search)]
    if not missing:
        return []
    at = _import_place(tree)
    return [Edit(at, at, "".join(f"{wanted}\n" for wanted in missing))]


def _imported(wanted: str, search: Search) -> bool:
    return bool(search.pattern(wanted))


def _import_place(tree: Tree) -> int:
    """The offset of the line below the imports (or the docstring) at the module's top."""
    last: Node | None = None
    for number, statement in enumerate(tree.root.kids):
        if statement.kind in {"Import", "ImportFrom"} or (number == 0 and _is_docstring(statement)):
            last = statement
        else:
            break
    if last is None:
        first = tree.root.kids[0] if tree.root.kids else None
        return tree.code.rfind("\n", 0, first.start) + 1 if first is not None else 0
    end = tree.code.find("\n", last.end)
    return len(tree.code) if end < 0 else end + 1


def _is_docstring(statement: Node) -> bool:
    return statement.kind == "ExprStmt" and statement.kids[0].kind == "Str"
