"""A text in which some rules may match, parsed and searched."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import libcst as cst

from auditor.matching.blanking import blank_untouched
from auditor.matching.environment import Env, Run
from auditor.matching.fixes import edits_of
from auditor.matching.formula import Evaluation
from auditor.matching.guard import refused
from auditor.matching.hits import Hit
from auditor.matching.lowering import Misread, lower
from auditor.matching.matcher import BudgetError, Matcher
from auditor.matching.names import Names
from auditor.matching.needs import Words
from auditor.matching.rule import Rule, Taint
from auditor.matching.search import Search, distinct
from auditor.matching.selection import Bound, Match, Matches, Ready
from auditor.matching.tree import Node, Tree
from auditor.matching.values import Values

# Imports of a module: dotted name, the name it is bound to, offset.
_Imports = Sequence[tuple[str, str, int]]
# Findings of one rule in one text beyond which the rest is left out.
_MOST_FINDINGS = 5_000


def find_wanted(wanted: Sequence[Ready], code: str, before: Sequence[str]) -> Matches:
    """The hits of some rules in a text; never raises on any text that compiles."""
    with _no_collection():
        try:
            touched = _parse_touched(code, wanted, before)
        except Misread as error:
            return Matches((), str(error))
        if touched is None:
            return Matches(())
        concerned, tree, imports = touched
        try:
            return _find_all(concerned, tree, before, imports)
        finally:
            tree.release()


def _find_all(wanted: Sequence[Ready], tree: Tree, before: Sequence[str], imports: _Imports) -> Matches:
    found: list[Match] = []
    reasons: list[str] = []
    engines: dict[bool, Search] = {}
    for ready in wanted:
        rule = ready.rule
        join = rule.scope.join != "none" and bool(before)
        search = engines.get(join)
        if search is None:
            search = engines[join] = engine(tree, before if join else (), imports)
        try:
            hits = hits_of(rule, search)
        except (BudgetError, TimeoutError, RecursionError) as error:
            reasons.append(f"{rule.id}: {reason_of(error)}")
            continue
        found.extend(_match(rule, hit, tree, search) for hit in hits[:_MOST_FINDINGS])
    found.sort(key=lambda match: (match.start, match.end, match.rule_id))
    return Matches(tuple(found), "; ".join(reasons) or None)


def reason_of(error: Exception) -> str:
    """Why a rule could not be applied."""
    if isinstance(error, TimeoutError):
        return "a regex takes too long"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _parse_touched(
    code: str, wanted: Sequence[Ready], before: Sequence[str]
) -> tuple[Sequence[Ready], Tree, _Imports] | None:
    """Those rules that concern parts of a text, the tree of these parts, and the imports left out of it.

    `None` if there are none. Raises `Misread` like `parse`.
    """
    blanked = blank_untouched(code, wanted, before)
    if blanked is None:
        return wanted, parse(code), ()
    if not blanked.rules:
        return None
    try:
        tree = parse(blanked.short, blanked.text)
    except Misread:
        return blanked.rules, parse(code), ()
    tree.code = code
    return blanked.rules, tree, blanked.imports


def why_unreadable(code: str) -> str | None:
    """Why a text as a whole has no tree, or None: the same whichever rules are asked for."""
    with _no_collection():
        try:
            parse(code).release()
        except Misread as error:
            return str(error)
    return None


def parse(code: str, spaced: str | None = None) -> Tree:
    """The tree of a text; raises `Misread` where it is refused or libcst cannot read it.

    Offsets are those in `spaced`, which holds the same words with other blanks and comments between its statements.
    """
    reason = refused(code)
    if reason is not None:
        raise Misread(reason)
    try:
        return lower(cst.parse_module(code), code if spaced is None else spaced)
    except cst.ParserSyntaxError:
        raise Misread("the parser of the rules cannot read it") from None
    except (Misread, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 — libcst fails in many ways on valid code
        raise Misread(f"the parser of the rules failed ({type(error).__name__})") from None


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without the garbage collector: a tree is all new objects, and to look at them over and over costs time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def engine(tree: Tree, before: Sequence[str], imports: _Imports = ()) -> Search:
    """A search over a tree that knows the imports of earlier texts, too, and those of its own that are not in it."""
    return Search(Matcher(tree, Names(tree, before, imports), Values(tree)), Words((tree.code, *before)))


def hits_of(rule: Rule, search: Search) -> list[Hit]:
    """The hits of one rule, each reported place and set of bindings once."""
    set_options(rule, search)
    evaluation = Evaluation(search)
    if rule.match is None:
        return []
    if isinstance(rule.match, Taint):
        from auditor.matching.taint import tainted_sinks  # noqa: PLC0415 — few rules ask

        found = tainted_sinks(rule.match, evaluation)
    else:
        hits = evaluation.hits(rule.match)
        # What only says what is around is reported where nothing else is.
        found = [hit for hit in hits if not hit.inside] or hits
    if rule.at is not None:
        found = [placed for hit in found for placed in _at(hit, rule.at)]
    return reported(distinct(found))


def set_options(rule: Rule, search: Search) -> None:
    """Set a rule's options, and its budget back to the beginning."""
    matcher = search.matcher
    matcher.steps = 0
    matcher.constants = rule.options.get("constant_propagation", True)
    matcher.symbolic = rule.options.get("symbolic_propagation", False)
    search.tree.symbol_of = matcher.values.symbol if matcher.symbolic else None
    matcher.commutative = rule.options.get("ac_matching", True)


def reported(hits: list[Hit]) -> list[Hit]:
    """One hit a place: of those that differ in bindings alone the first is kept."""
    seen: set[tuple[int, int]] = set()
    kept = []
    for hit in hits:
        if (hit.start, hit.end) not in seen:
            seen.add((hit.start, hit.end))
            kept.append(hit)
    return kept


def _at(hit: Hit, at: str) -> list[Hit]:
    """The place that `at` names: a label, a metavariable, or a label's metavariable."""
    label, _, name = at.partition(".")
    if label.startswith("$"):
        label, name = "", label
    place: Hit | Node | Run | None = hit.labels.get(label) if label else hit
    if name and isinstance(place, Hit):
        place = place.env.get(name)
    if place is None:
        return []
    return [Hit(place.start, place.end, hit.env, hit.node, labels=hit.labels)]


def _match(rule: Rule, hit: Hit, tree: Tree, search: Search) -> Match:
    bindings = bindings_of(hit.env, tree)
    for label, inner in hit.labels.items():
        for name, bound in bindings_of(inner.env, tree).items():
            bindings.setdefault(f"{label}.{name}", bound)
    fix = edits_of(rule, hit, bindings_of(hit.env, tree, written=True), search)
    return Match(rule.id, hit.start, hit.end, bindings, fix)


def bindings_of(env: Env, tree: Tree, *, written: bool = False) -> dict[str, Bound]:
    """Bindings as texts and offsets; with `written` a name is as it stands there, not what an import resolves it to."""
    made: dict[str, Bound] = {}
    for name, value in sorted(env.items()):
        if isinstance(value, Node) and (not written or value.kind in {"Text", "Dotted"}):
            text = tree.text_of(value)
        else:
            text = tree.code[value.start : value.end] if value.start >= 0 else ""
        made[name] = Bound(text, value.start, value.end)
    return made
