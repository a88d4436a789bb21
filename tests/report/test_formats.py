"""Every format: what its consumer needs, and that no audited text can speak for the tool in it."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from auditor.audited import BlockAudit, SourceAudit
from auditor.discover import LeftOut
from auditor.model import Block, Compilation, Finding, MappedText, Place, Span, Suppressed
from auditor.report import FORMATS, sarif
from auditor.report.run import Run
from auditor.report.sarif import line_hashes, uri
from auditor.report.terminal import as_json, json_list, json_pieces

HOSTILE = "a\x1b[31m\r\n::error file=x::pwn ##[command]x </script><img src=x onerror=alert(1)> `|`, 100% =HYPERLINK(1)"


def finding(path: str = "甲/a.md", message: str = "a message", line: int = 3, **more: object) -> Finding:
    place = Place(path, 10, 12, line, 2, line, 4, "x甲＝ y")
    values: dict[str, object] = {"fingerprint": f"f{line}", **more}
    return replace(Finding("syntax-error", "error", place, message, 0), **values)  # type: ignore[arg-type]


def run_of(*findings: Finding, path: str = "甲/a.md", **more: object) -> Run:
    code = MappedText.verbatim("x甲＝ y\n", 9)
    block = Block("fence", "python", "python", {}, (), ("标题",), code, Span(0, 20))
    audited = BlockAudit(block, Compilation("broken", None, code=None), Place(path, 0, 20, 2, 1, 4, 4, ""), ())
    passed = BlockAudit(block, Compilation("skipped", None, reason="labelled output"), audited.place, ())
    audit = SourceAudit(path, "0" * 64, blocks=(audited, passed), findings=findings)
    run = Run("1.0", ("3.11",), (audit,), (LeftOut("z.md", "excluded", "a symbolic link"),), findings)
    return replace(run, **more)  # type: ignore[arg-type]


def rendered(name: str, run: Run) -> str:
    return "".join(FORMATS[name](run, False))


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_text_is_inert_in_every_format(name: str) -> None:
    path = HOSTILE.replace("/", "\u2215")
    hostile = finding(path, HOSTILE, detail=HOSTILE, metavariables={"X": HOSTILE})
    hostile = replace(hostile, place=replace(hostile.place, text=HOSTILE.replace("\r\n", " ")))
    text = rendered(name, run_of(hostile, path=path, incomplete=(HOSTILE,), notes=True))
    assert "\x1b" not in text
    assert "\r" not in text
    assert "##[" not in text
    commands = [line for line in text.split("\n") if re.match(r"\s*::", line)]
    assert all(re.match(r"::(error|notice) (file|title)=", line) for line in commands)
    # The finding and what makes the run incomplete.
    assert len(commands) == (2 if name == "github" else 0)
    if name == "markdown":
        assert "<img" not in text
        assert "`" not in text
    if name == "junit":
        ElementTree.fromstring(text)


@pytest.mark.parametrize("name", FORMATS)
def test_a_lone_surrogate_breaks_no_writer(name: str) -> None:
    text = rendered(name, run_of(finding("\udcff.md", "\udcff"), path="\udcff.md"))
    text.encode("utf-8", "surrogatepass")
    if name == "junit":
        ElementTree.fromstring(text)


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_found_is_said_too(name: str) -> None:
    rendered(name, run_of())


def test_text_shows_the_line_with_carets_as_wide_as_the_characters() -> None:
    text = rendered("text", run_of(finding()))
    assert "甲/a.md\n  3:2  error  a message  [syntax-error]\n      3 | x甲＝ y\n        |  ^^^^\n" in text


def test_text_says_what_was_left_out_and_why() -> None:
    text = rendered("text", run_of(finding(suppressed=Suppressed("meant", "comment")), incomplete=("b.md: lost",)))
    assert "1 file was left out:\n  1 × a symbolic link" in text
    assert "the run is incomplete:\n  b.md: lost" in text
    assert "1 finding is suppressed" in text
    assert "a message" not in text


def test_text_in_chinese() -> None:
    text = rendered("text", run_of(finding(), lang="zh"))
    assert "错误" in text
    assert "1 个文件中有 2 段 Python 代码" in text


def test_a_long_line_is_cut_around_the_finding() -> None:
    place = Place("a.md", 0, 1, 1, 5001, 1, 5002, "a" * 5000 + "!" + "b" * 5000)
    text = rendered("text", run_of(replace(finding("a.md"), place=place)))
    shown, carets = [line for line in text.split("\n") if "| " in line]
    assert len(shown) < 200
    assert shown[carets.index("^")] == "!"


def test_notes_are_listed_on_request_only() -> None:
    note = finding(severity="note")
    assert "a message" not in rendered("text", run_of(note))
    assert "a message" in rendered("text", run_of(note, notes=True))
    assert "a message" in rendered("json", run_of(note))


def test_json_is_versioned_and_whole() -> None:
    document = json.loads(rendered("json", run_of(finding(), finding(line=9, suppressed=Suppressed("r", "code")))))
    assert document["version"] == 1
    assert [block["verdict"] for block in document["blocks"]] == ["broken", "skipped"]
    assert [source["path"] for source in document["sources"]] == ["z.md", "甲/a.md"]
    assert document["findings"][1]["suppressed"] == {"reason": "r", "where": "code"}
    assert document["summary"]["by_severity"] == {"error": 1, "warning": 0, "note": 0}
    assert document["summary"]["suppressed"] == 1


def test_jsonl_has_a_line_a_finding() -> None:
    lines = rendered("jsonl", run_of(finding(), finding(line=4))).splitlines()
    assert [json.loads(line)["line"] for line in lines] == [3, 4]


def test_github_shows_ten_and_says_how_many_more() -> None:
    run = run_of(*(finding(line=line) for line in range(1, 14)), quiet=True)
    lines = rendered("github", run).splitlines()
    assert len(lines) == 11
    assert lines[0] == "::error file=甲/a.md,line=1,col=2,title=syntax-error (error)::a message"
    assert lines[-1].startswith("::notice title=auditor::3 more")


def test_github_never_has_more_than_ten_notices() -> None:
    notes = [finding(line=line, severity="note") for line in range(1, 30)]
    lines = rendered("github", run_of(*notes, notes=True)).splitlines()
    assert sum(line.startswith("::notice") for line in lines) == 10


def test_github_escapes_what_could_end_a_property() -> None:
    text = rendered("github", run_of(finding("a,b:c%.md", "50%\nnext"), path="a,b:c%.md", quiet=True))
    assert text.startswith("::error file=a%2Cb%3Ac%25.md,line=3")
    assert text.rstrip().endswith("::50%25%0Anext")


def test_gitlab_fingerprints_are_unique_and_hold_no_line() -> None:
    here, moved = finding(), finding(line=8, fingerprint="f3")
    elsewhere = finding("b.md", fingerprint="f3")
    first, other = json.loads(rendered("gitlab", run_of(here, elsewhere)))
    (second,) = json.loads(rendered("gitlab", run_of(moved)))
    assert first["fingerprint"] == second["fingerprint"] != other["fingerprint"]
    assert first["severity"] == "major"
    assert first["location"] == {"path": "甲/a.md", "lines": {"begin": 3, "end": 3}}


def test_rdjsonl_counts_bytes_from_one() -> None:
    (line,) = rendered("rdjsonl", run_of(finding())).splitlines()
    assert json.loads(line)["location"]["range"] == {
        "start": {"line": 3, "column": 2},
        "end": {"line": 3, "column": 8},
    }


def test_junit_has_a_case_a_block() -> None:
    root = ElementTree.fromstring(rendered("junit", run_of(finding(), incomplete=("b.md: lost",))))
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
    }
    assert [suite.get("skipped") for suite in root] == ["1", "0"]


def test_junit_shows_what_fails_outside_of_every_block() -> None:
    mark = replace(finding(), block=-1)
    stale = replace(finding("base.jsonl"), block=-1)
    root = ElementTree.fromstring(rendered("junit", run_of(mark, stale)))
    assert (root.get("tests"), root.get("failures")) == ("4", "2")
    failed = [case.get("name") for case in root.iter("testcase") if case.find("failure") is not None]
    assert failed == ["甲/a.md", "base.jsonl"]


def test_junit_does_not_fail_below_the_fail_level() -> None:
    root = ElementTree.fromstring(rendered("junit", run_of(finding(severity="note"))))
    assert root.get("failures") == "0"


def test_markdown_is_cut_under_the_summary_limit() -> None:
    text = rendered("markdown", run_of(*(finding(message="m" * 1000, line=line) for line in range(1, 2000))))
    assert len(text.encode()) < 1_000_000
    assert re.search(r"\d+ more findings were cut", text)


def test_sarif_points_at_one_line_and_leaves_inline_suppressions_out() -> None:
    place = Place("甲 /a.md", 0, 99, 3, 2, 9, 1, "x = (")
    inline = finding(line=5, suppressed=Suppressed("r", "comment"))
    by_path = finding(line=6, suppressed=Suppressed("kept", "path"))
    run = run_of(replace(finding(), place=place), inline, by_path, text_of=lambda _path: "a\nb\nx = (\n")
    document = json.loads(rendered("sarif", run))
    results = document["runs"][0]["results"]
    location = results[0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "%E7%94%B2%20/a.md"
    assert location["region"] == {"startLine": 3, "startColumn": 2, "endLine": 3, "endColumn": 6}
    assert len(results) == 2
    assert results[1]["suppressions"] == [{"kind": "external", "justification": "kept"}]
    assert document["runs"][0]["columnKind"] == "unicodeCodePoints"
    assert document["runs"][0]["automationDetails"]["id"].endswith("/")
    assert re.fullmatch(r"[0-9a-f]+:1", results[0]["partialFingerprints"]["primaryLocationLineHash"])


def test_sarif_never_has_more_results_than_github_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sarif._RESULTS == 25_000
    monkeypatch.setattr(sarif, "_RESULTS", 25)
    many = tuple(finding(line=line, severity="note" if line < 10 else "error") for line in range(1, 28))
    document = json.loads(rendered("sarif", run_of(*many)))
    results = document["runs"][0]["results"]
    assert len(results) == 25
    assert [result["level"] for result in results].count("error") == 18
    notes = document["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert "2 more results were cut" in notes[0]["message"]["text"]


def test_a_path_that_is_no_utf8_keeps_its_bytes() -> None:
    assert uri("a\udcff b.md") == "a%FF%20b.md"


def test_line_hashes_ignore_blanks_and_count_equals() -> None:
    hashes = line_hashes("x = 1\n\ty\r\nx=1\n\ty\n")
    assert hashes[0].split(":")[0] != hashes[1].split(":")[0]
    # The hundred characters from line 1 on run over both copies, those from line 3 on over one.
    assert hashes[0].split(":")[0] != hashes[2].split(":")[0]
    far = "z" * 200
    again = line_hashes(f"a = 1\n{far}\na=1\n{far}\n")
    assert again[0].split(":")[0] == again[2].split(":")[0]
    assert again[0].endswith(":1")
    assert again[2].endswith(":2")


def test_a_line_hash_is_the_polynomial_by_hand() -> None:
    # "a", LF and the end mark 65535, then zeros up to a hundred units, each step times 37, modulo 2**64.
    value = 0
    for unit in [97, 10, 65535, *[0] * 97]:
        value = (value * 37 + unit) % 2**64
    assert line_hashes("a\n")[0] == f"{value:x}:1"


@pytest.mark.parametrize(
    ("level", "gated", "statuses", "failing"),
    [
        ("error", False, [None, None, None], 1),
        ("warning", False, [None, None, None], 2),
        ("note", False, [None, None, None], 3),
        ("never", False, [None, None, None], 0),
        ("note", True, ["new", "existing", "baselined"], 1),
        ("error", True, ["existing", "new", "new"], 0),
    ],
)
def test_the_fail_level(level: str, gated: bool, statuses: list[str | None], failing: int) -> None:
    found = [
        finding(line=line, severity=severity, status=status)
        for line, (severity, status) in enumerate(zip(("error", "warning", "note"), statuses, strict=True), start=1)
    ]
    assert len([*run_of(*found, fail_level=level, gated=gated).failing()]) == failing


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif", "rdjsonl", "markdown"])
def test_paths_are_the_checkouts_where_the_root_lies_below_its_top(name: str) -> None:
    text = rendered(name, run_of(finding("a.md"), path="a.md", prefix="docs/book/"))
    assert "docs/book/a.md" in text


def test_gitlab_never_has_one_fingerprint_twice() -> None:
    records = json.loads(rendered("gitlab", run_of(finding(), finding(line=9, fingerprint="f3"))))
    assert len({record["fingerprint"] for record in records}) == 2


def test_quiet_leaves_the_summary_out_but_not_what_is_missing() -> None:
    assert rendered("text", run_of(quiet=True)) == ""
    assert rendered("text", run_of(quiet=True, incomplete=("b.md: lost",))).endswith("  b.md: lost\n")


def test_suppressions_of_the_change_are_counted() -> None:
    mark = Suppressed("meant", "comment")
    run = run_of(
        finding(suppressed=mark, status="new"), finding(line=4, suppressed=mark, status="existing"), gated=True
    )
    assert "2 findings are suppressed, 1 of them by this change" in rendered("text", run)
    assert json.loads(rendered("json", run))["summary"]["newly_suppressed"] == 1


def test_json_shows_control_characters_and_means_the_same() -> None:
    message = "\x7f\x9b31m\u202e ##[group]x ##vso[x \udcff \u2028"
    text = rendered("json", run_of(finding(message=message)))
    assert json.loads(text)["findings"][0]["message"] == message
    assert not re.search("[\x7f-\x9f\u202e\u2028\udcff]", text)
    assert "##" not in text


def test_markdown_calls_nobody() -> None:
    assert "@&#8203;" not in rendered("markdown", run_of(finding(message="@someone #12")))
    assert "&#64;&#8203;someone &#35;&#8203;12" in rendered("markdown", run_of(finding(message="@someone #12")))


DOCUMENTS: list[dict[str, object]] = [
    {"one": 1, "none": [], "nothing": {}, "list": [1, [2, "a\nb"], {}], "text": HOSTILE},
    {"records": [{"a": [], "b": {"c": [None, True]}}, {}, "##[x]", 1.5], "after": {"d": [[]]}},
]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_in_pieces_is_the_same(document: dict[str, object]) -> None:
    whole = as_json(document, indent=1)
    assert "".join(json_pieces(document)) == whole
    lazy = {key: iter(value) if isinstance(value, list) else value for key, value in document.items()}
    assert "".join(json_pieces(lazy)) == whole
    records = list(document.values())
    assert "".join(json_list(iter(records))) == as_json(records, indent=1)
    assert "".join(json_list(iter(()))) == "[]"
