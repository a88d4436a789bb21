"""The tool held to two chapters whose facts were read by hand: the project's own book, and a real one kept elsewhere.

The real chapter is not part of this project. Set `AUDITOR_UPSTREAM` to a checkout of the repository and commit that
`corpus/upstream.toml` names; without it those tests are left out and say so.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sysconfig
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
PINNED: Mapping[str, Any] = tomllib.loads((CORPUS / "upstream.toml").read_text(encoding="utf-8"))
OWN: Mapping[str, Any] = tomllib.loads((CORPUS / "book.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter's expected facts, and the document that the command printed for it."""

    facts: Mapping[str, Any]
    document: Mapping[str, Any]

    @property
    def page(self) -> str:
        return str(self.facts["page"])

    @property
    def fences(self) -> list[Mapping[str, Any]]:
        return [block for block in self.document["blocks"] if block["path"] == self.page]


def audit(folder: Path) -> Mapping[str, Any]:
    program = Path(sysconfig.get_path("scripts")) / "auditor"
    command = [str(program), "audit", "--format", "json", "--fail-level", "never", "--no-cache", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    document: Mapping[str, Any] = json.loads(done.stdout)
    return document


def upstream() -> Path:
    named = os.environ.get("AUDITOR_UPSTREAM")
    if not named:
        pytest.skip(f"left out: AUDITOR_UPSTREAM names no checkout of {PINNED['origin']} at {PINNED['commit'][:7]}")
    return Path(named).resolve()


@pytest.fixture(scope="module", params=["own", "upstream"])
def chapter(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Chapter:
    # Audited from a copy, so that a configuration with the alias can stand beside it and the checkout stays as it is.
    facts, root = (OWN, CORPUS) if request.param == "own" else (PINNED, upstream())
    folder = tmp_path_factory.mktemp(request.param)
    shutil.copytree(root / facts["folder"], folder, dirs_exist_ok=True)
    for name, digest in facts.get("sha256", {}).items():
        found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        assert found == digest, f"{name} is not the file that was pinned at {facts['commit'][:7]}"
    aliases = ", ".join(f'{name} = "{target}"' for name, target in facts["aliases"].items())
    settings = f'[[books]]\npages = ["*.md"]\nfiles = ["*.py"]\naliases = {{ {aliases} }}\n'
    (folder / "auditor.toml").write_text(settings, encoding="utf-8")
    return Chapter(facts, audit(folder))


def test_exactly_the_python_fences_are_blocks(chapter: Chapter) -> None:
    assert [fence["line"] for fence in chapter.fences] == [fence["line"] for fence in chapter.facts["fences"]]


def test_exactly_four_fences_do_not_parse(chapter: Chapter) -> None:
    broken = [fence["line"] for fence in chapter.fences if fence["verdict"] in ("broken", "not-python")]
    assert len(broken) == 4
    assert broken == [fence["line"] for fence in chapter.facts["fences"] if "at" in fence]


def test_verdicts_contexts_and_names(chapter: Chapter) -> None:
    for fence, fact in zip(chapter.fences, chapter.facts["fences"], strict=True):
        where = f"{chapter.page}:{fact['line']}"
        assert fence["verdict"] == fact["verdict"], where
        assert fence["context"] == fact.get("context"), where
        if "binds" in fact:
            assert sorted(fence["binds"]) == sorted(fact["binds"]), where
        if "at" in fact:
            assert fence["diagnoses"][0]["line"] == fact["at"], where


@pytest.mark.parametrize("which", ["page", "file"])
def test_the_rules_report_the_listed_lines_and_no_others(chapter: Chapter, which: str) -> None:
    found: dict[str, list[int]] = {}
    for finding in chapter.document["findings"]:
        if finding["path"] == chapter.facts[which] and finding["rule"] in chapter.facts["rules"]:
            found.setdefault(finding["rule"], []).append(finding["line"])
    assert {rule: sorted(lines) for rule, lines in found.items()} == chapter.facts["findings"][which]


def test_links_and_their_differences(chapter: Chapter) -> None:
    found: dict[int, dict[str, str]] = {fence["line"]: {} for fence in chapter.fences}
    lines = {fence["id"]: fence["line"] for fence in chapter.fences}
    for link in chapter.document["links"]:
        if link["block"] in lines:
            found[lines[link["block"]]][link["definition"].partition("::")[2]] = link["difference"]
    for fact in chapter.facts["fences"]:
        if "links" not in fact:
            continue
        links = found[fact["line"]]
        wanted = {name: links.get(name) if kind == "*" else kind for name, kind in fact["links"].items()}
        assert links == wanted, f"{chapter.page}:{fact['line']}"


def test_definitions_that_no_fence_covers(chapter: Chapter) -> None:
    covered = {link["definition"] for link in chapter.document["links"] if link["state"] == "covers"}
    outermost = {
        definition["symbol"]: definition["id"] in covered
        for definition in chapter.document["definitions"]
        if definition["path"] == chapter.facts["file"] and "." not in definition["symbol"]
    }
    drifted = {link["definition"] for link in chapter.document["links"] if link["state"] == "outdated"}
    uncovered = [
        name
        for name, is_covered in outermost.items()
        if not is_covered and f"{chapter.facts['file']}::{name}" not in drifted
    ]
    assert sorted(uncovered) == sorted(chapter.facts["uncovered"])


def test_the_mended_edition_is_clean() -> None:
    document = audit(CORPUS / "en")
    assert document["complete"]
    assert [block["line"] for block in document["blocks"] if block["verdict"] in ("broken", "not-python")] == []
    assert [(finding["path"], finding["line"], finding["rule"]) for finding in document["findings"]] == []


def test_every_file_of_the_real_repository_is_counted() -> None:
    root = upstream()
    document = audit(root)
    seen = {source["path"] for source in document["sources"]}
    held = {path.relative_to(root).as_posix() for kind in ("*.md", "*.py") for path in root.rglob(kind)}
    assert held <= seen
    assert document["complete"]
