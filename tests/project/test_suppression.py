"""Suppressions mark findings and are held to account themselves."""

import pytest

from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit, outline_of
from auditor.configuration import PathRules
from auditor.model import Finding, Source
from auditor.project.suppression import Suppressions
from auditor.rulebook import Rulebook, load

BOOK = load([])
KNOWN = frozenset(rule.id for rule in BOOK.rules)
BROKEN = "```python\ndef broken(:\n```\n"


def findings(text: str, path: str = "page.md", **more: object) -> dict[str, Finding]:
    found = audit(Source(path, text), BOOK, AuditOptions())
    return {finding.rule: finding for finding in suppressed(found, BOOK, **more)}


def suppressed(audited: SourceAudit, book: Rulebook, **more: object) -> list[Finding]:
    suppressions = Suppressions([outline_of(audited)], book, known=KNOWN, **more)  # type: ignore[arg-type]
    marked = [suppressions.marked(finding) for finding in audited.findings]
    return [*marked, *suppressions.about()]


def live(text: str, path: str = "page.md", **more: object) -> set[str]:
    return {rule for rule, finding in findings(text, path, **more).items() if finding.suppressed is None}


def test_a_comment_before_the_fence_names_rule_and_reason() -> None:
    (rule,) = live(BROKEN)
    text = f"<!-- auditor: ignore[{rule}] shown on purpose -->\n\n{BROKEN}"
    assert live(text) == set()
    marked = findings(text)[rule].suppressed
    assert marked is not None
    assert (marked.reason, marked.where) == ("shown on purpose", "comment")


def test_syntax_error_covers_every_diagnosis_of_what_cpython_refuses() -> None:
    assert live(f"<!-- auditor: ignore[syntax-error] shown on purpose -->\n{BROKEN}") == set()
    printed = "```python\n[[1. 0.]\n [0. 1.]]\n```\n"
    assert live(printed) == {"printed-output"}
    assert live(f"<!-- auditor: ignore[syntax-error] shown on purpose -->\n{printed}") == set()


def test_another_rules_name_covers_nothing_and_is_unused() -> None:
    found = live(f"<!-- auditor: ignore[printed-output] why not -->\n{BROKEN}")
    assert "unused-suppression" in found
    assert len(found) == 2


def test_a_mark_covers_its_own_fence_only() -> None:
    assert live(f"<!-- auditor: ignore[syntax-error] this one -->\n{BROKEN}\n{BROKEN}") != set()


@pytest.mark.parametrize(
    "code",
    [
        'tok = Tok.from_pretrained("a/b")  # auditor: ignore[external-resource] mirrored\n',
        '# auditor: ignore[external-resource] mirrored\ntok = Tok.from_pretrained("a/b")\n',
    ],
)
@pytest.mark.parametrize("path", ["a.py", "a.md"])
def test_a_comment_in_the_code_covers_its_line_or_alone_the_next(code: str, path: str) -> None:
    text = code if path == "a.py" else f"> ```python\n> {'> '.join(code.splitlines(keepends=True))}> ```\n"
    assert live(text.replace("# auditor: ignore[external-resource] mirrored", "# plain"), path) == {"external-resource"}
    assert live(text, path) == set()


def test_no_reason_and_unknown_rules_are_findings() -> None:
    assert live(f"<!-- auditor: ignore[syntax-error] -->\n{BROKEN}") == {"suppression-without-reason"}
    assert live(f"<!-- auditor: ignore[syntax-error] -->\n{BROKEN}", require_reason=False) == set()
    unknown = findings("```python\nx = 1  # auditor: ignore[no-such] why\n```\n")
    assert unknown["unknown-rule-in-suppression"].place.line == 2
    assert "no-such" in unknown["unknown-rule-in-suppression"].message


def test_a_rule_that_did_not_run_does_not_make_its_mark_unused() -> None:
    text = "```python\nx = 1  # auditor: ignore[external-resource] mirrored\n```\n"
    book = BOOK.chosen(lambda rule: rule.id != "external-resource")
    found = audit(Source("a.md", text), book, AuditOptions())
    assert suppressed(found, book) == []


def test_an_authors_mark_for_another_tool_needs_no_reason_and_is_never_unused() -> None:
    assert live('```python {lint="skip"}\ndef broken(:\n```\n') == set()
    assert live('```python {lint="skip"}\nx = 1\n```\n') == set()


def test_of_several_rules_the_idle_one_is_unused() -> None:
    (rule,) = live(BROKEN)
    text = f"<!-- auditor: ignore[{rule}, residual-overwrite] shown on purpose -->\n\n{BROKEN}"
    found = findings(text)["unused-suppression"]
    assert found.metavariables == {"rule": "residual-overwrite"}


def test_a_suppression_by_path_is_held_to_account_too() -> None:
    (rule,) = live(BROKEN)
    bare = PathRules("**", (rule, "no-such-rule"))
    found = findings(BROKEN, paths=(bare,), settings="pyproject.toml")
    assert found["suppression-without-reason"].place.path == "pyproject.toml"
    assert found["unknown-rule-in-suppression"].metavariables == {"rule": "no-such-rule"}
    assert "suppression-without-reason" not in live(BROKEN, paths=(bare,), require_reason=False)
    idle = PathRules("elsewhere/**", (rule,), "kept")
    assert "unused-suppression" in live(BROKEN, paths=(idle,))
    assert "unused-suppression" not in live(BROKEN, paths=(idle,), whole=False)


def test_by_path() -> None:
    (rule,) = live(BROKEN)
    rules = PathRules("old/**", (rule,), "kept for the record")
    assert live(BROKEN, "old/a.md", paths=(rules,)) == set()
    assert live(BROKEN, "new/a.md", paths=(rules,)) == {rule, "unused-suppression"}


def test_a_mark_that_is_not_understood_is_a_finding_and_hides_nothing() -> None:
    found = findings(f"<!-- auditor: ignore[syntax-error shown on purpose -->\n{BROKEN}")
    assert found["unknown-mark"].severity == "warning"
    assert found["unknown-mark"].block == -1
    assert "ignore[rule] reason" in found["unknown-mark"].message
    assert len(found) == 2
    assert all(finding.suppressed is None for finding in found.values())


@pytest.mark.parametrize("path", ["a.py", "a.md"])
def test_a_comment_in_code_that_is_not_understood_is_a_finding(path: str) -> None:
    code = "x = 1\ny = 2  # auditor: ignroe[syntax-error] why\n"
    found = findings(code if path == "a.py" else f"> ```python\n> x = 1\n> {code.splitlines()[1]}\n> ```\n", path)
    assert set(found) == {"unknown-mark"}
    place = found["unknown-mark"].place
    assert (place.line, place.column) == ((2, 8) if path == "a.py" else (3, 10))


def test_a_suppression_without_its_end_is_a_note() -> None:
    text = f"<!-- auditor: ignore-start[syntax-error] all of it -->\n\n{BROKEN}"
    assert live(text) == {"unclosed-suppression"}
    assert findings(text)["unclosed-suppression"].severity == "note"
    assert live(f"{text}\n<!-- auditor: ignore-end -->\n") == set()
