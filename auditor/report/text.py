"""The `text` format: findings grouped by file, each with its line and a caret, then what was seen and what was not."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby

from auditor.audited import outlines_of
from auditor.model import Finding, Place
from auditor.report.counting import counted
from auditor.report.run import Run, by_verdict
from auditor.report.terminal import coloured, shown

# The longest piece of a line that is shown around a finding, in code points: base64 pictures have lines of megabytes.
_WIDTH = 160

WORDS = {
    "en": {
        "error": "error",
        "warning": "warning",
        "note": "note",
        "detail": "CPython says: {0}",
        "seen": "{0} in {1}: {2}",
        "blocks": "{0} block of Python|{0} blocks of Python",
        "sources": "{0} file|{0} files",
        "found": "found {0}, {1}, {2}",
        "errors": "{0} error|{0} errors",
        "warnings": "{0} warning|{0} warnings",
        "notes": "{0} note|{0} notes",
        "hidden": " (notes are listed with --notes)",
        "suppressed": "{0} finding is suppressed|{0} findings are suppressed",
        "newly": ", {0} of them by this change",
        "new": "{0} of them is new|{0} of them are new",
        "not_audited": (
            "{0} place that may hold Python was not audited|{0} places that may hold Python were not audited"
        ),
        "listed": " (--notes lists them)",
        "left_out": "{0} file was left out:|{0} files were left out:",
        "left_audit": "{0} block left the audit:|{0} blocks left the audit:",
        "incomplete": "the run is incomplete:",
        "fixable": "`auditor fix` can mend up to {0}",
        "compiles": "{0} compiles|{0} compile",
        "compiles-in-context": "{0} compiles in its context|{0} compile in their context",
        "compiles-elided": "{0} compiles but for what it leaves out|{0} compile but for what they leave out",
        "newer-python": "{0} needs a newer Python|{0} need a newer Python",
        "broken": "{0} broken",
        "not-python": "{0} not Python",
        "skipped": "{0} skipped",
    },
    "zh": {
        "error": "错误",
        "warning": "警告",
        "note": "提示",
        "detail": "CPython 的说法：{0}",
        "seen": "{1}中有 {0}：{2}",
        "blocks": "{0} 段 Python 代码",
        "sources": "{0} 个文件",
        "found": "发现 {0}、{1}、{2}",
        "errors": "{0} 个错误",
        "warnings": "{0} 个警告",
        "notes": "{0} 条提示",
        "hidden": "（用 --notes 列出提示）",
        "suppressed": "另有 {0} 条已被标记忽略",
        "newly": "（其中 {0} 条由本次改动标记）",
        "new": "其中 {0} 条是新出现的",
        "not_audited": "{0} 处可能是 Python 的内容没有审查",
        "listed": "（用 --notes 列出）",
        "left_out": "{0} 个文件没有读取：",
        "left_audit": "{0} 段代码不再受审查：",
        "incomplete": "本次审查不完整：",
        "fixable": "`auditor fix` 最多可修复 {0} 条",
        "compiles": "{0} 段可编译",
        "compiles-in-context": "{0} 段在其上下文中可编译",
        "compiles-elided": "{0} 段除省略处外可编译",
        "newer-python": "{0} 段需要更新的 Python",
        "broken": "{0} 段有语法错误",
        "not-python": "{0} 段不是 Python",
        "skipped": "{0} 段跳过",
    },
}


# Why something was not audited, by its kind; in English the reason itself says it, and more exactly.
NOT_AUDITED_ZH = {
    "indented-code": "缩进代码没有标明语言（--indented-code 可审查）",
    "html-comment": "代码块在 HTML 注释里",
    "html-block": "HTML 块遮住了代码块",
    "javascript": "代码块在 JavaScript 里",
    "inside-fence": "位于另一个代码块之内",
    "not-a-fence": "此处的标记不构成代码块",
    "front-matter": "位于文首元数据中",
    "escaped": "转义的示例，不会执行",
    "unknown-dialect": "未知的标注写法",
    "misspelt-language": "语言名疑似拼写错误",
    "no-language": "没有标明语言",
    "restructuredtext": "reStructuredText 指令",
    "unlabelled-python": "没有标注，但显然是 Python",
    "include-missing": "被引用的文件不存在",
    "include-outside-root": "被引用的文件在根目录之外",
}


def render(run: Run, colour: bool = False) -> Iterator[str]:
    """The report as text, line by line; every line ends in LF."""
    for path, group in groupby(run.listed, key=lambda finding: finding.place.path):
        yield coloured(shown(path), "path", colour) + "\n"
        for finding in group:
            yield "".join(line + "\n" for line in _finding(finding, run, colour))
        yield "\n"
    yield from (line + "\n" for line in (incomplete(run, colour) if run.quiet else summary(run, colour)))


def _finding(finding: Finding, run: Run, colour: bool) -> Iterator[str]:
    words = WORDS[run.lang]
    place = finding.place
    at = f"{place.line}:{place.column}"
    severity = coloured(words[finding.severity], finding.severity, colour)
    yield f"  {at}  {severity}  {shown(finding.message)}  {coloured(f'[{finding.rule}]', 'dim', colour)}"
    yield from _excerpt(place, finding.severity, colour)
    if finding.detail:
        yield f"      {coloured(words['detail'].format(shown(finding.detail)), 'dim', colour)}"


def _excerpt(place: Place, severity: str, colour: bool) -> Iterator[str]:
    """The first line of a place with carets under it, cut to a window where the line is long."""
    start = place.column - 1
    end = place.end_column - 1 if place.end_line == place.line else len(place.text)
    low = max(0, start - _WIDTH // 2) if len(place.text) > _WIDTH else 0
    window = place.text[low : low + _WIDTH]
    text = shown(window)
    before = shown(window[: start - low])
    marked = shown(window[start - low : max(end, start + 1) - low]) or " "
    number = str(place.line)
    bar = coloured("|", "dim", colour)
    pad = "".join("\t" if character == "\t" else " " * _cells(character) for character in before)
    yield f"      {coloured(number, 'dim', colour)} {bar} {'…' if low else ''}{text}"
    carets = "^" * max(1, sum(_cells(character) for character in marked.rstrip() or " "))
    yield f"      {' ' * len(number)} {bar} {' ' if low else ''}{pad}{coloured(carets, severity, colour)}"


def _cells(character: str) -> int:
    """How many columns of a terminal a character takes: two for Chinese, none for a combining mark."""
    if unicodedata.combining(character) or character == "\u200b":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def incomplete(run: Run, colour: bool = False) -> Iterator[str]:
    """What could not be looked at, a line each under a heading; nothing where all was."""
    if run.incomplete:
        yield coloured(WORDS[run.lang]["incomplete"], "error", colour)
        yield from (f"  {shown(reason)}" for reason in run.incomplete)


def summary(run: Run, colour: bool = False) -> Iterator[str]:
    """What was seen, what was found, what was left out and why, a line each."""
    words = WORDS[run.lang]
    comma = "，" if run.lang == "zh" else ", "
    outlines = outlines_of(run.audits)
    verdicts = by_verdict(outlines)
    yield from incomplete(run, colour)
    excluded = [left for left in run.left_out if left.status == "excluded"]
    if excluded:
        yield counted(words["left_out"], len(excluded))
        yield from _counted(left.reason for left in excluded)
    left = [item for outline in outlines for item in outline.not_audited]
    if left:
        yield counted(words["not_audited"], len(left)) + ("" if run.notes else words["listed"])
        reasons = NOT_AUDITED_ZH if run.lang == "zh" else {}
        if run.notes:
            for item in left:
                place = f"{shown(run.prefix + item.place.path)}:{item.place.line}"
                yield f"  {place}: {shown(reasons.get(item.kind, item.reason))}"
        else:
            yield from _counted(reasons.get(item.kind, item.reason) for item in left)
    if run.left_audit:
        yield counted(words["left_audit"], len(run.left_audit))
        yield from (f"  {shown(run.in_checkout(gone.path))}:{gone.line}" for gone in run.left_audit)
    blocks = counted(words["blocks"], sum(verdicts.values()))
    sources = counted(words["sources"], len(outlines))
    yield words["seen"].format(
        blocks, sources, comma.join(counted(words[verdict], count) for verdict, count in verdicts.items()) or "–"
    )
    tally = run.tally()
    counts = tally.by_severity
    found = (counted(words[f"{severity}s"], counts[severity]) for severity in ("error", "warning", "note"))
    parts = [words["found"].format(*found)]
    if counts["note"] and not run.notes:
        parts[0] += words["hidden"]
    if run.gated:
        parts.append(counted(words["new"], tally.new))
    if tally.suppressed:
        newly = words["newly"].format(tally.newly_suppressed) if tally.newly_suppressed else ""
        parts.append(counted(words["suppressed"], tally.suppressed) + newly)
    if tally.fixable:
        parts.append(words["fixable"].format(tally.fixable))
    line = ("；" if run.lang == "zh" else "; ").join(parts)
    yield coloured(line, "error" if tally.failing else "good", colour)


def _counted(reasons: Iterator[str]) -> Iterator[str]:
    """Equal reasons once each, with their number, the most frequent first."""
    counts: dict[str, int] = {}
    for reason in reasons:
        counts[reason] = counts.get(reason, 0) + 1
    for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {count} × {shown(reason)}"
