"""Includes: looked for beside the page, above it, and where MkDocs looks; never outside the root."""

from pathlib import Path

import pytest

from auditor.discover import Discovery, discover
from auditor.engine.reading import include_bases, reader
from auditor.model import Source

PAGE = '# t\n\n```python\n--8<-- "{}"\n```\n'


def found(root: Path) -> Discovery:
    return discover((root,), root)


def included(root: Path, reference: str) -> Source | str:
    page = root / "docs" / "page.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text(PAGE.format(reference))
    discovery = found(root)
    (candidate,) = [candidate for candidate in discovery.candidates if candidate.path == "docs/page.md"]
    source = reader(discovery, 1000)(candidate)
    assert isinstance(source, Source)
    return source.includes[reference]


def test_beside_the_page_first_then_upward(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text("top = 1\n")
    target = included(tmp_path, "code.py")
    assert isinstance(target, Source)
    assert target.path == "code.py"
    (tmp_path / "docs" / "code.py").write_text("near = 1\n")
    target = included(tmp_path, "code.py")
    assert isinstance(target, Source)
    assert target.path == "docs/code.py"


@pytest.mark.parametrize("reference", ["../../etc/hostname", "/etc/hostname"])
def test_outside_the_root_is_never_read(tmp_path: Path, reference: str) -> None:
    assert included(tmp_path, reference) == "outside-root"


def test_a_link_that_leads_out_is_no_target(tmp_path: Path) -> None:
    (tmp_path / "out.py").symlink_to("/etc/hostname")
    assert included(tmp_path, "out.py") == "missing"


def test_a_missing_target_and_an_unreadable_one_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"\xe9")
    assert included(tmp_path, "nowhere.py") == "missing"
    assert included(tmp_path, "latin.py") == "not valid utf-8 at byte 0"


@pytest.mark.parametrize(
    ("option", "bases"),
    [
        ('base_path: "src/code"', ("src/code",)),
        ("base_path: [., 'src/code/']", (".", "src/code")),
        ("base_path:\n        - .\n        - src/code  ", (".", "src/code")),
        ("other: x", ()),
    ],
)
def test_mkdocs_own_base_paths(tmp_path: Path, option: str, bases: tuple[str, ...]) -> None:
    (tmp_path / "mkdocs.yml").write_text(
        f"site_name: x\nmarkdown_extensions:\n  - pymdownx.snippets:\n      {option}\n"
    )
    (tmp_path / "src" / "code").mkdir(parents=True)
    (tmp_path / "src" / "code" / "deep.py").write_text("x = 1\n")
    target = included(tmp_path, "deep.py")
    assert isinstance(target, Source) == bool(bases)
    assert include_bases(found(tmp_path)) == bases


def test_a_fence_by_itself_starts_where_mkdocs_runs(tmp_path: Path) -> None:
    def target(reference: str) -> Source | str:
        page = tmp_path / "site" / "docs" / "deep" / "page.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# t\n\n{{* {reference} hl[1] *}}\n")
        discovery = found(tmp_path)
        (candidate,) = [candidate for candidate in discovery.candidates if candidate.path.endswith("page.md")]
        source = reader(discovery, 1000)(candidate)
        assert isinstance(source, Source)
        return source.includes[reference]

    (tmp_path / "code.py").write_text("top = 1\n")
    assert target("../../gone.py") == "missing"
    (tmp_path / "site" / "mkdocs.yml").write_text("site_name: x\n")
    there = target("../code.py")
    assert isinstance(there, Source)
    assert there.path == "code.py"
    assert target("../gone.py") == "missing"
    assert target("../../gone.py") == "outside-root"
