"""The `junit` format: one test case a block, so that what passed is seen too.

The elements and attributes are those that Jenkins, GitLab and GitHub's reporters read (Jenkins's `junit-10.xsd`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.audited import SourceAudit
from auditor.model import Finding
from auditor.report.json import block_id
from auditor.report.run import Run

# What XML 1.0 cannot hold, not even as a reference, and what a terminal would obey.
_ILLEGAL = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# What has a meaning in XML; a carriage return, which is lost unless it is a reference; what makes a line look like
# another; what could begin a command of a runner in a log. `xml.sax.saxutils` loads the whole of `urllib`.
_SPECIAL = re.compile(r"""[&<>"\r\n\t\u2028\u2029\u202a-\u202e\u2066-\u2069]|:(?=:)|#(?=#)""")
# Characters of a line that are shown; some hold a megabyte, and many findings.
_LONGEST = 1_000
# The block of a finding about none: a mark, a baseline, a page as a whole.
_NO_BLOCK = -1


@dataclass(frozen=True, slots=True)
class _Suite:
    """One `<testsuite>`: its cases as XML, and how they came out."""

    name: str
    cases: tuple[str, ...]
    failures: int = 0
    errors: int = 0
    skipped: int = 0

    def xml(self) -> str:
        counts = f'tests="{len(self.cases)}" failures="{self.failures}" errors="{self.errors}" skipped="{self.skipped}"'
        return f"<testsuite name={_attribute(self.name)} {counts}>\n{''.join(self.cases)}</testsuite>\n"


def render(run: Run, _colour: bool = False) -> Iterator[str]:
    """One suite a source; a case fails by each finding that fails the run, and is skipped where its block was."""
    failing: dict[str, dict[int, list[Finding]]] = {}
    for finding in run.failing():
        failing.setdefault(finding.source or finding.place.path, {}).setdefault(finding.block, []).append(finding)
    suites = [_source(audit, failing.pop(audit.path, {})) for audit in run.audits]
    suites += [_elsewhere(path, found) for path, found in sorted(failing.items())]
    if run.incomplete:
        suites.append(_Suite("incomplete", tuple(map(_error, run.incomplete)), errors=len(run.incomplete)))
    tests, failures, errors = (
        sum(len(suite.cases) for suite in suites),
        sum(suite.failures for suite in suites),
        sum(suite.errors for suite in suites),
    )
    head = f'<testsuites name="auditor" tests="{tests}" failures="{failures}" errors="{errors}">'
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n'
    yield from (suite.xml() for suite in suites)
    yield "</testsuites>\n"


def _source(audit: SourceAudit, failing: dict[int, list[Finding]]) -> _Suite:
    cases = []
    skipped = 0
    for index, block in enumerate(audit.blocks):
        found = failing.get(index, [])
        body = "".join(map(_failure, found))
        if not found and block.compilation.verdict == "skipped":
            body = f"<skipped message={_attribute(block.compilation.reason or 'skipped')}/>"
            skipped += 1
        cases.append(_case(audit.path, f"{block_id(audit, index)} ({block.compilation.verdict})", body))
    cases += _of_no_block(audit.path, failing.get(_NO_BLOCK, ()))
    return _Suite(audit.path, tuple(cases), failures=len(failing), skipped=skipped)


def _elsewhere(path: str, failing: dict[int, list[Finding]]) -> _Suite:
    """The failures at a path that holds no block of this run: a baseline, a file that a page includes."""
    cases = _of_no_block(path, [finding for found in failing.values() for finding in found])
    return _Suite(path, cases, failures=len(cases))


def _of_no_block(path: str, found: Sequence[Finding]) -> tuple[str, ...]:
    """One case for all findings about no block; none where there is no such finding."""
    return (_case(path, path, "".join(map(_failure, found))),) if found else ()


def _case(path: str, name: str, body: str) -> str:
    return f"<testcase classname={_attribute(path)} name={_attribute(name)}>{body}</testcase>\n"


def _error(reason: str) -> str:
    return _case("auditor", reason, f"<error message={_attribute(reason)}/>")


def _failure(finding: Finding) -> str:
    place = finding.place
    body = (
        f"{place.path}:{place.line}:{place.column}: {finding.message}\n{place.text[:_LONGEST]}\n{finding.detail or ''}"
    )
    return f"<failure type={_attribute(finding.rule)} message={_attribute(finding.message)}>{_text(body)}</failure>"


def _text(text: str) -> str:
    """Text that XML 1.0 can hold: what it cannot is shown as U+FFFD."""
    return _SPECIAL.sub(_reference, _ILLEGAL.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return f'"{_text(text)}"'


def _reference(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"
