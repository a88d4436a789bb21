"""The `markdown` format: a step summary or a comment. Audited text cannot open a tag, a cell or a fence in it."""

import re
from collections.abc import Iterator

from auditor.report.run import Run
from auditor.report.terminal import shown
from auditor.report.text import summary

# GitHub drops a step summary of more than 1,024 KiB whole.
_LIMIT = 900_000
_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+!|<>&~$@:-]")


def render(run: Run, _colour: bool = False) -> Iterator[str]:
    """A table of the findings under a heading, then the summary; cut visibly near the limit."""
    lines = ["# auditor", "", *(escaped(line.strip()) + "  " for line in summary(run)), ""]
    size = sum(map(len, lines))
    yield "".join(line + "\n" for line in lines)
    listed = run.listed
    for number, finding in enumerate(listed):
        if number == 0:
            yield "| place | severity | rule | message |\n|---|---|---|---|\n"
        place = finding.place
        cells = (
            f"{escaped(run.in_checkout(place.path))}:{place.line}:{place.column}",
            finding.severity,
            escaped(finding.rule),
            escaped(finding.message),
        )
        row = f"| {' | '.join(cells)} |"
        size += len(row.encode("utf-8", "surrogatepass"))
        if size > _LIMIT:
            rest = 1 + sum(1 for _ in listed)
            yield f"\n{rest} more findings were cut to keep this summary under its limit.\n"
            break
        yield row + "\n"


def escaped(text: str) -> str:
    """Audited text as plain words of Markdown: every character with a meaning becomes a character reference.

    GitHub looks for people and issues in what comes out, so that their marks are parted from the names.
    """
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};{'&#8203;' if found[0] in '@#' else ''}", shown(text))
