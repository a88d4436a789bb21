"""A revision is read as objects, renames and all, and a missing history is explained."""

import subprocess
from pathlib import Path

import pytest

from auditor.discover.revisions import RevisionError, blobs, merge_base, renames, sources
from auditor.model import Source


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "一.md").write_text("one\n" * 20)
    (tmp_path / "link.md").symlink_to("一.md")
    (tmp_path / "picture.png").write_bytes(b"\0")
    (tmp_path / "bad.md").write_bytes(b"\xff")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def test_sources_of_a_commit(repository: Path) -> None:
    found = [blob for blob in blobs(repository, "HEAD") if blob.auditable]
    assert [blob.path for blob in found] == ["bad.md", "一.md"]
    bad, good = sources(repository, found, 1000)
    assert isinstance(bad, tuple)
    assert bad[0] == "bad.md"
    assert isinstance(good, Source)
    assert good.text == "one\n" * 20
    (limited,) = sources(repository, found[1:], 10)
    assert isinstance(limited, tuple)
    assert limited[1].reason == "larger than the limit (80 of 10 bytes)"


def test_the_merge_base_is_where_the_branch_left(repository: Path) -> None:
    first = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "-qb", "topic")
    git(repository, "commit", "-q", "--allow-empty", "-m", "topic")
    git(repository, "checkout", "-q", "main")
    git(repository, "commit", "-q", "--allow-empty", "-m", "main goes on")
    git(repository, "checkout", "-q", "topic")
    assert merge_base(repository, "main") == first


def test_a_rename_in_the_work_tree_is_known(repository: Path) -> None:
    git(repository, "mv", "一.md", "二.md")
    (repository / "二.md").write_text("one\n" * 20 + "two\n")
    assert renames(repository, "HEAD") == {"二.md": "一.md"}


@pytest.mark.parametrize("revision", ["nowhere", "--output=x", "HEAD:一.md"])
def test_a_wrong_revision_is_said(repository: Path, revision: str) -> None:
    with pytest.raises(RevisionError, match="no revision"):
        merge_base(repository, revision)


def test_a_shallow_clone_is_explained(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    git(repository, "commit", "-q", "--allow-empty", "-m", "second")
    clone = tmp_path_factory.mktemp("clone")
    git(clone, "clone", "-q", "--depth=1", repository.as_uri(), ".")
    with pytest.raises(RevisionError, match="shallow clone; fetch the history first"):
        merge_base(clone, "HEAD~1")
