"""The JSON Schema of rule files, for editors; built from the same tables that rules are read by."""

import typing

from auditor.model import BlockKind, Context
from auditor.rulebook.keys import (
    ANALYZERS,
    FACTS_OF,
    JOINS,
    OPTIONS,
    PROPAGATOR_KEYS,
    SEVERITIES,
    SOURCE_KEYS,
    STEP_PLACES,
    TAINT_KEYS,
    WHERE,
)  # fmt: skip

Json = dict[str, object]

_TEXT: Json = {"type": "string"}
# A scalar is read as text, so an editor need not mind what YAML would make of it.
_SCALAR: Json = {"type": ["string", "number", "boolean"]}
_TRUTH: Json = {"type": "boolean"}
_TEXTS: Json = {"anyOf": [_SCALAR, {"type": "array", "items": _SCALAR}]}
_METAVARIABLE: Json = {"type": "string", "pattern": r"^\$(\.\.\.)?[A-Z_0-9]+$"}
_FORMULA: Json = {"$ref": "#/$defs/clauses"}
_LEAF: Json = {"anyOf": [_TEXT, _FORMULA]}


def _mapping(properties: Json, *needed: str, **more: object) -> Json:
    made: Json = {"type": "object", "properties": properties, "additionalProperties": False, **more}
    return made | ({"required": list(needed)} if needed else {})


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


def _one_or_more(item: Json) -> Json:
    return {"anyOf": [item, _list(item)]}


_LANGUAGES: Json = {"anyOf": [_TEXT, _mapping({"en": _TEXT, "zh": _TEXT})]}
_REGEX = _mapping(
    {"metavariable": _METAVARIABLE, "regex": _TEXT, "constant-propagation": _TRUTH}, "metavariable", "regex"
)
_COMPARISON = _mapping(
    {"metavariable": _METAVARIABLE, "comparison": _TEXT, "strip": _TRUTH, "base": {"type": "integer"}}, "comparison"
)
_TYPE = _mapping({"metavariable": _METAVARIABLE, "type": _TEXTS, "types": _TEXTS}, "metavariable")
_ANALYSIS = _mapping(
    {"metavariable": _METAVARIABLE, "analyzer": {"enum": sorted(ANALYZERS)}, "options": {"type": "object"}},
    "metavariable", "analyzer",
)  # fmt: skip
_WHERE = _mapping(
    {name: _mapping(dict.fromkeys(sorted(keys), _TEXTS)) for name, keys in WHERE.items()},
    minProperties=1,
    maxProperties=1,
)

_CLAUSE: Json = {
    "pattern": _LEAF,
    "pattern-inside": _LEAF,
    "pattern-not": _LEAF,
    "pattern-not-inside": _LEAF,
    "pattern-regex": _TEXT,
    "pattern-not-regex": _TEXT,
    "patterns": _list(_FORMULA),
    "pattern-either": _list(_FORMULA),
    "comment": _mapping({"regex": _TEXT, "on": _LEAF}, "regex"),
}
_CONDITION: Json = {
    "metavariable-regex": _one_or_more(_REGEX),
    "metavariable-pattern": _one_or_more({"$ref": "#/$defs/metavariable-pattern"}),
    "metavariable-comparison": _one_or_more(_COMPARISON),
    "metavariable-type": _one_or_more(_TYPE),
    "metavariable-analysis": _one_or_more(_ANALYSIS),
    "focus-metavariable": _one_or_more(_METAVARIABLE),
}
_PARTS: Json = {
    **_CLAUSE,
    **_CONDITION,
    "sequence": _list({"$ref": "#/$defs/step"}),
    "where": _list(_WHERE),
}
_EXAMPLE = _mapping(
    {
        "name": _TEXT,
        "code": _TEXT,
        "page": _TEXT,
        "files": {"type": "object", "additionalProperties": _TEXT},
        "lines": _list({"type": "integer", "minimum": 1}),
    },
    "name",
)
_FIXED = _mapping({"name": _TEXT, "before": _TEXT, "page": _TEXT, "after": _TEXT}, "after")

_RULE: Json = {
    **_PARTS,
    **{key: _list({"$ref": "#/$defs/source"}) for key in TAINT_KEYS},
    "pattern-propagators": _list({"$ref": "#/$defs/propagator"}),
    "match": {"$ref": "#/$defs/match"},
    "taint": {"$ref": "#/$defs/taint"},
    "id": _TEXT,
    "severity": {"enum": sorted(SEVERITIES)},
    "languages": _TEXTS,
    "message": _LANGUAGES,
    "note": _LANGUAGES,
    "mode": {"enum": ["search", "taint"]},
    "metadata": {"type": "object"},
    "options": _mapping(dict.fromkeys(sorted(OPTIONS), _SCALAR)),
    "paths": _mapping({"include": _TEXTS, "exclude": _TEXTS}),
    "fix": _TEXT,
    "fix-regex": _mapping({"regex": _TEXT, "replacement": _TEXT, "count": {"type": "integer"}}, "regex", "replacement"),
    "ensure-import": _TEXTS,
    "safety": {"enum": ["safe", "unsafe"]},
    "context": _mapping(
        {
            "kinds": _one_or_more({"enum": list(typing.get_args(BlockKind))}),
            "contexts": _one_or_more({"enum": list(typing.get_args(Context))}),
            "languages": _TEXTS,
            "join": {"enum": sorted(JOINS)},
        }
    ),
    "at": _TEXT,
    "diagnosis": _TEXT,
    "definition": _mapping(dict.fromkeys(sorted(FACTS_OF["definition"]), _SCALAR)),
    "link": _mapping(dict.fromkeys(sorted(FACTS_OF["link"]), _SCALAR)),
    "examples": _mapping({"finding": _list(_EXAMPLE), "clean": _list(_EXAMPLE), "fixed": _list(_FIXED)}),
    "evidence": _TEXTS,
    "links": _TEXTS,
    **dict.fromkeys(("min-version", "max-version", "version"), _SCALAR),
}

SCHEMA: Json = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "auditor rules",
    "type": "object",
    "properties": {"rules": _list({"$ref": "#/$defs/rule"}), "version": _SCALAR},
    "required": ["rules"],
    "additionalProperties": False,
    "$defs": {
        "rule": _mapping(_RULE, "id", "message", "severity"),
        "clauses": _mapping(_PARTS, minProperties=1),
        # Semgrep's newer way to write clauses, as far as an editor needs it.
        "match": {"anyOf": [_TEXT, {"type": "object"}]},
        "taint": {"type": "object", "required": ["sources", "sinks"]},
        "step": _mapping({**_PARTS, "as": _TEXT, "in": {"enum": sorted(STEP_PLACES)}}, minProperties=1),
        "metavariable-pattern": _mapping({**_PARTS, "metavariable": _METAVARIABLE, "language": _TEXT}, "metavariable"),
        "source": _mapping(
            {**_PARTS, **{key: {"type": ["boolean", "string"]} for key in sorted(SOURCE_KEYS)}}, minProperties=1
        ),
        "propagator": _mapping({**_PARTS, **dict.fromkeys(sorted(PROPAGATOR_KEYS), _SCALAR)}, "from", "to"),
    },
}
