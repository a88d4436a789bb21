"""The `sarif` format, 2.1.0, within the limits of GitHub code scanning.

GitHub reads only `locations[0]` and `partialFingerprints.primaryLocationLineHash`, takes 25,000 results and 20 tags a
rule, and shows an alert in a pull request only where all of its lines are in the diff: every location is one line.
Source: GitHub's "SARIF support for code scanning", and codeql-action's `fingerprints.ts` for the line hash.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from auditor.model import Finding, Place
from auditor.report.run import SEVERITIES, Run
from auditor.report.terminal import as_json
from auditor.rulebook import Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_RESULTS, _NAME, _DESCRIPTION = 25_000, 255, 1_024
_LEVELS = {"error": "error", "warning": "warning", "note": "note"}
_BASELINE = {"new": "new", "existing": "unchanged", "baselined": "unchanged"}
# codeql-action hashes the hundred characters from a line's first on, each step times 37, in 64 bits.
_UTF_16 = f"utf-16-{sys.byteorder[0]}e"
_BLOCK, _FACTOR, _MASK = 100, 37, (1 << 64) - 1
_LEAVING = pow(_FACTOR, _BLOCK, _MASK + 1)


def render(run: Run, _colour: bool = False) -> Iterator[str]:
    """One run with its rules, its results and, where they were cut or the run is incomplete, notifications."""
    results, cut = _worst(run)
    used = sorted({finding.rule for finding in results})
    rules = {rule.id: rule for rule in run.rules}
    lines = _Lines(run, results)
    notes = [*run.incomplete]
    if cut:
        notes.append(f"{cut} more results were cut at the limit of {_RESULTS}")
    document = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "auditor",
                        "version": run.version,
                        "rules": [_rule(name, rules.get(name)) for name in used],
                    }
                },
                "automationDetails": {"id": "auditor/"},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the root of the repository"}}},
                "invocations": [
                    {
                        "executionSuccessful": run.complete,
                        "toolExecutionNotifications": [
                            {"level": "error" if not run.complete else "note", "message": {"text": note}}
                            for note in notes
                        ],
                    }
                ],
                "results": [_result(finding, used.index(finding.rule), lines) for finding in results],
            }
        ],
    }
    yield as_json(document, indent=1) + "\n"


def _worst(run: Run) -> tuple[list[Finding], int]:
    """The findings that a run may have, the worst first, and how many more there are."""
    kept: dict[str, list[Finding]] = {severity: [] for severity in SEVERITIES}
    count = 0
    for finding in run.findings:
        if finding.suppressed is None or finding.suppressed.where == "path":
            count += 1
            if len(kept[finding.severity]) < _RESULTS:
                kept[finding.severity].append(finding)
    results = [finding for severity in SEVERITIES for finding in kept[severity]][:_RESULTS]
    return results, count - len(results)


def _rule(name: str, rule: Rule | None) -> dict[str, object]:
    record: dict[str, object] = {"id": name[:_NAME], "name": name[:_NAME]}
    if rule is None:
        text = f"A rule of {name.partition(':')[0]}." if ":" in name else name
        return record | {"shortDescription": {"text": text}, "help": {"text": text}}
    text = rule.text("en")
    note = rule.note or text
    link = "".join(f"\n\n<{url}>" for url in rule.links)
    return record | {
        "shortDescription": {"text": text[:_DESCRIPTION]},
        "fullDescription": {"text": note[:_DESCRIPTION]},
        "help": {"text": note, "markdown": note + link},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": ["python", "documentation"]},
    }


def _result(finding: Finding, index: int, lines: "_Lines") -> dict[str, object]:
    place = finding.place
    prints = {"auditor/v1": finding.fingerprint}
    line_hash = lines.hash_at(place)
    if line_hash is not None:
        prints["primaryLocationLineHash"] = line_hash
    detail = f"\n{finding.detail}" if finding.detail else ""
    record: dict[str, object] = {
        "ruleId": finding.rule[:_NAME],
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message + detail},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(lines.run.in_checkout(place.path)), "uriBaseId": "SRCROOT"},
                    "region": _region(place),
                }
            }
        ],
        "partialFingerprints": prints,
    }
    if finding.status is not None:
        record["baselineState"] = _BASELINE[finding.status]
    if finding.suppressed is not None:
        record["suppressions"] = [{"kind": "external", "justification": finding.suppressed.reason}]
    return record


def _region(place: Place) -> dict[str, int]:
    """One line: a finding over several ends where its first line does."""
    one = place.end_line == place.line
    end = place.end_column if one else len(place.text) + 1
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.line,
        "endColumn": max(end, place.column),
    }


def uri(path: str) -> str:
    """A POSIX path as a relative URI reference; a name that is no UTF-8 keeps its bytes, percent-encoded."""
    return quote(os.fsencode(path), safe="/-._~!$&'()*+;=@")


class _Lines:
    """The hashes of the lines that have findings, made once a file."""

    def __init__(self, run: Run, findings: Iterable[Finding]) -> None:
        self.run = run
        self._wanted: dict[str, set[int]] = {}
        for finding in findings:
            self._wanted.setdefault(finding.place.path, set()).add(finding.place.line)
        self._hashes: dict[str, dict[int, str]] = {}

    def hash_at(self, place: Place) -> str | None:
        """`hash:n` of a place's line, n counting the equal hashes from the file's start; `None` without the text."""
        if place.path not in self._hashes:
            text = self.run.text_of(place.path)
            hashes = enumerate(line_hashes(text) if text is not None else (), start=1)
            wanted = self._wanted[place.path]
            self._hashes[place.path] = {line: value for line, value in hashes if line in wanted}
        return self._hashes[place.path].get(place.line)


def line_hashes(text: str) -> list[str]:
    """The hash of every line as codeql-action makes it: over UTF-16 units without blanks and tabs, line ends as LF."""
    data = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    units = [*memoryview(data.encode(_UTF_16, "surrogatepass")).cast("H"), 0xFFFF]
    starts = {0, *(at + 1 for at, unit in enumerate(units) if unit == 0x0A)}
    counts: Counter[str] = Counter()
    hashes = []
    value = 0
    padded = [*units, *[0] * _BLOCK]
    # The window rolls over the text: what enters at its end, what leaves at its start.
    for first, (leaving, entering) in enumerate(zip([*[0] * _BLOCK, *padded], padded, strict=False), start=1 - _BLOCK):
        value = (value * _FACTOR + entering - leaving * _LEAVING) & _MASK
        if first in starts:
            name = f"{value:x}"
            counts[name] += 1
            hashes.append(f"{name}:{counts[name]}")
    return hashes
