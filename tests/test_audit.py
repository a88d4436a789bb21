"""One source's straight line: the audit is pure, says every block, and is silent itself."""

import subprocess
import sys
import textwrap

from auditor.audit import audit
from auditor.audited import AuditOptions
from auditor.model import Source
from auditor.rulebook import load

BOOK = load([])


def test_equal_input_gives_an_equal_audit() -> None:
    source = Source("a.md", "# T\n\n```python\nx = = 1\n```\n\n> ```python\n> y = 2\n> ```\n")
    assert audit(source, BOOK, AuditOptions()) == audit(source, BOOK, AuditOptions())


def test_prose_above_moves_places_and_nothing_else() -> None:
    page = "```python\ntok = T.from_pretrained('a/b')\n```\n"
    here = audit(Source("a.md", page), BOOK, AuditOptions())
    moved = audit(Source("a.md", "Prose.\n\n" + page), BOOK, AuditOptions())
    assert [finding.fingerprint for finding in here.findings] == [finding.fingerprint for finding in moved.findings]
    assert [finding.place.line + 2 for finding in here.findings] == [finding.place.line for finding in moved.findings]


def test_a_fingerprint_counts_equals_and_knows_its_symbol() -> None:
    call = "T.from_pretrained('a/b')\n"
    code = f"{call}{call}def f():\n    {call}"
    prints = [finding.fingerprint for finding in audit(Source("a.py", code), BOOK, AuditOptions()).findings]
    assert len(set(prints)) == 3
    apart = audit(Source("b.py", f"x = 1\n{code}"), BOOK, AuditOptions())
    assert [finding.fingerprint for finding in apart.findings] == prints


def test_no_warning_of_a_parser_reaches_anybody_whatever_the_interpreter_is_told() -> None:
    script = textwrap.dedent(
        r"""
        from auditor.audit import audit
        from auditor.audited import AuditOptions
        from auditor.model import Source
        from auditor.rulebook import load
        code = 'import torch\nx = "\\d"\nassert (x, 1)\ny = x is 1\n' * 300
        found = audit(Source("a.py", code), load([]), AuditOptions())
        print(found.blocks[0].compilation.verdict)
        """
    )
    for told in ("error", "always"):
        done = subprocess.run([sys.executable, "-W", told, "-c", script], capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr) == ("compiles\n", "")


def test_without_files_a_page_is_asked_for_its_uses_only_where_it_defines_something() -> None:
    use = "```python\nimport tank\n\ntank.fill(1)\n```\n"
    definition = "```python\ndef empty(): pass\n```\n"

    def uses(page: str, *, files: bool) -> list[tuple[str, ...]]:
        first = audit(Source("a.md", page), BOOK, AuditOptions(files=files)).blocks[0].program
        assert first is not None
        return [each.name for each in first.uses]

    assert uses(use, files=True) == [("tank", "fill")]
    assert uses(use, files=False) == []
    assert uses(use + definition, files=False) == [("tank", "fill")]
