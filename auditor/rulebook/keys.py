"""The keys that rule files may have, as literal tables."""

from auditor.matching.where import PREDICATES
from auditor.model import Severity

SEVERITIES: dict[str, Severity] = {
    "error": "error", "warning": "warning", "note": "note",
    "ERROR": "error", "WARNING": "warning", "INFO": "note",
    "CRITICAL": "error", "HIGH": "error", "MEDIUM": "warning", "LOW": "note", "INVENTORY": "note", "EXPERIMENT": "note",
}  # fmt: skip
PYTHON = frozenset({"python", "py", "python2", "python3"})

CLAUSES = frozenset({
    "pattern", "patterns", "pattern-either", "pattern-inside", "pattern-not", "pattern-not-inside", "pattern-regex",
    "pattern-not-regex", "comment",
})  # fmt: skip
CONDITIONS = frozenset({
    "metavariable-regex", "metavariable-pattern", "metavariable-comparison", "metavariable-type",
    "metavariable-analysis", "focus-metavariable",
})  # fmt: skip
FORMULA = CLAUSES | CONDITIONS | {"sequence", "where"}
REGEX_KEYS = frozenset({"metavariable", "regex", "constant-propagation"})
TYPE_KEYS = frozenset({"metavariable", "type", "types"})
COMPARISON_KEYS = frozenset({"metavariable", "comparison", "strip", "base"})
ANALYZERS = frozenset({"entropy", "entropy_v2", "redos"})
SOURCE_KEYS = frozenset({"exact", "by-side-effect", "control", "label", "requires", "not_conflicting", "at-exit"})
PROPAGATOR_KEYS = frozenset({"from", "to", "by-side-effect", "requires", "replace-labels", "label"})

# Where a step of a sequence may stand: in the function of the others, or anywhere in the text.
STEP_PLACES = frozenset({"function", "file"})
# Predicates of `where`, and their arguments; what they mean is said in docs/rule-flow.md.
WHERE: dict[str, frozenset[str]] = {name: frozenset(keys) for name, (keys, _) in PREDICATES.items()}

# Semgrep's newer way to write clauses.
MATCH_CLAUSES = frozenset({"pattern", "regex", "all", "any", "not", "inside"})
MATCH_WHERE = frozenset({"metavariable", "focus", "comparison", "type", "types", "analyzer", "language", "where"})
MATCH_SOURCE_KEYS = frozenset({"exact", "by-side-effect", "not-conflicting", "label", "requires"})

TAINT_KEYS = frozenset({"pattern-sources", "pattern-sinks", "pattern-sanitizers", "pattern-propagators"})
# What a rule is about: exactly one of these groups.
MATCH_KEYS = FORMULA | TAINT_KEYS | {"match", "taint"}
FACT_KEYS = frozenset({"diagnosis", "definition", "link"})
# The facts that a rule may ask for, by what it is about; their values are those of the ledger.
FACTS_OF = {
    "link": frozenset({"state", "difference", "evidence", "authority", "definition", "recovered"}),
    "definition": frozenset({"coverage", "kind", "name"}),
}
RULE_KEYS = (
    MATCH_KEYS
    | FACT_KEYS
    | {
        "id", "severity", "languages", "message", "note", "mode", "metadata", "options", "paths", "fix", "fix-regex",
        "ensure-import", "safety", "context", "at", "examples", "evidence", "links", "min-version", "max-version",
        "version",
    }
)  # fmt: skip
OPTIONS = frozenset({
    "ac_matching", "ellipsis_max_span", "generic_caseless", "generic_comment_style", "generic_ellipsis_max_span",
    "generic_engine", "generic_extra_braces", "generic_extra_word_characters", "generic_multiline", "interfile_timeout",
    "max_match_per_file", "taint_focus_on", "taint_intrafile", "taint_match_on", "timeout", "xml_permit_text_content",
    "arrow_is_function", "as_metavariables", "attr_expr", "commutative_arith", "commutative_boolop",
    "commutative_compop", "constant_propagation", "decorators_order_matters", "flddef_assign",
    "generic_braces", "go_deeper_expr", "go_deeper_stmt", "implicit_deep_exprstmt", "implicit_ellipsis",
    "implicit_return", "interfile", "let_is_var", "symbolic_propagation", "symmetric_eq",
    "taint_assume_safe_booleans", "taint_assume_safe_comparisons", "taint_assume_safe_functions",
    "taint_assume_safe_indexes", "taint_assume_safe_numbers", "taint_only_propagate_through_assignments",
    "taint_unify_mvars", "unify_ids_strictly", "vardef_assign", "xml_attrs_implicit_ellipsis",
    "xml_children_ordered", "xml_singleton_loose_matching",
})  # fmt: skip
CONTEXT_KEYS = frozenset({"kinds", "contexts", "languages", "join"})
JOINS = frozenset({"none", "section", "document"})
EXAMPLE_KEYS = frozenset({"name", "code", "page", "lines", "before", "after", "files"})
