"""The `junit` format: one test case a block, so that what passed is seen too."""

import re
from collections import defaultdict
from xml.sax.saxutils import escape, quoteattr

from auditor.model import Finding
from auditor.report.json import names_of
from auditor.report.run import Run

# What XML 1.0 cannot hold, not even as a reference.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(run: Run, _colour: bool = False) -> str:
    """One suite a source; a case fails by each finding that fails the run, and is skipped where its block was."""
    names = names_of(run)
    failing = defaultdict(list)
    for finding in run.failing():
        failing[finding.source or finding.place.path, finding.block].append(finding)
    suites = []
    tests = failures = skipped = 0
    for audit in run.audits:
        cases = []
        failed = left = 0
        for index, block in enumerate(audit.blocks):
            found = failing.get((audit.path, index), [])
            body = "".join(_failure(finding) for finding in found)
            if not found and block.compilation.verdict == "skipped":
                body = f"<skipped message={_attribute(block.compilation.reason or 'skipped')}/>"
                left += 1
            failed += bool(found)
            name = _attribute(f"{names[audit.path, index]} ({block.compilation.verdict})")
            cases.append(f"<testcase classname={_attribute(audit.path)} name={name}>{body}</testcase>\n")
        suites.append(
            f'<testsuite name={_attribute(audit.path)} tests="{len(cases)}" failures="{failed}" errors="0" '
            f'skipped="{left}">\n{"".join(cases)}</testsuite>\n'
        )
        tests, failures, skipped = tests + len(cases), failures + failed, skipped + left
    errors = "".join(
        f'<testcase classname="auditor" name={_attribute(reason)}><error message={_attribute(reason)}/></testcase>\n'
        for reason in run.incomplete
    )
    if errors:
        count = len(run.incomplete)
        suites.append(
            f'<testsuite name="incomplete" tests="{count}" failures="0" errors="{count}" skipped="0">\n{errors}'
            "</testsuite>\n"
        )
        tests += count
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="auditor" tests="{tests}" failures="{failures}" errors="{len(run.incomplete)}" '
        f'skipped="{skipped}">\n{"".join(suites)}</testsuites>\n'
    )


def _failure(finding: Finding) -> str:
    place = finding.place
    body = f"{place.path}:{place.line}:{place.column}: {finding.message}\n{place.text}\n{finding.detail or ''}"
    return f"<failure type={_attribute(finding.rule)} message={_attribute(finding.message)}>{_text(body)}</failure>"


def _text(text: str) -> str:
    """Text that XML 1.0 can hold: what it cannot is shown as U+FFFD."""
    return escape(_ILLEGAL.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(_ILLEGAL.sub("\ufffd", text))
