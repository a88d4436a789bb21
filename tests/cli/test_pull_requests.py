"""A scripted repository and its pull requests: the right exit code and the right list of new findings in each."""

import html
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from auditor.cli import main

FAULT = "```python\ntotal = = 1\n```\n"
GUIDE = f"""# Guide

Some prose with a tpyo.

## First

```python
first = 1
```

## Second

{FAULT}
## Third

```python
third = 3
```
"""
PAIR = """# Pair

## One

```python
x = = 1
one = 1
```

## Two

```python
x = = 1
two = 2
```
"""
RULE = """rules:
  - id: no-shouting
    languages: [python]
    severity: {severity}
    message: do not shout
    pattern: shout($X)
"""


class Repository:
    """A checkout on the branch of a pull request, and what an audit of it against `main` says."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capsys = capsys
        self.error = ""

    def git(self, *words: str) -> str:
        identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
        safe = ["-c", "core.autocrlf=false"]
        command = ["git", "-C", str(self.root), *identity, *safe, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_bytes(text.encode())

    def change(self, name: str, *pairs: tuple[str, str]) -> None:
        text = (self.root / name).read_bytes().decode()
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new, 1)
        self.write(name, text)

    def commit(self, message: str = "change") -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def audit(self, *words: str, since: str = "main") -> tuple[int, list[str]]:
        """The exit code and the new findings that nobody suppressed, as `path:line rule`."""
        code = main(["audit", "--no-cache", "--format", "json", "--since", since, *words])
        printed = self._capsys.readouterr()
        self.error = printed.err
        if not printed.out:
            return code, []
        self.document = json.loads(printed.out)
        return code, [
            f"{found['path']}:{found['line']} {found['rule']}"
            for found in self.document["findings"]
            if found.get("status") == "new" and "suppressed" not in found and found["severity"] != "note"
        ]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("base")
    repository = Repository(root, None)  # type: ignore[arg-type] # nothing is audited here
    repository.git("init", "-q", "-b", "main")
    repository.write("docs/guide.md", GUIDE)
    repository.write("docs/pair.md", PAIR)
    repository.write("docs/other.md", "# Other\n\n## Calm\n\n```python\ncalm = 1\n```\n")
    repository.write("rules/own.yaml", RULE.format(severity="error"))
    repository.write("auditor.toml", 'rules = ["rules"]\nexclude = ["rules"]\n')
    repository.commit("base")
    repository.git("checkout", "-qb", "topic")
    return root


@pytest.fixture
def repository(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Repository:
    root = tmp_path / "book"
    shutil.copytree(base, root)
    monkeypatch.chdir(root)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return Repository(root, capsys)


def test_nothing_changed(repository: Repository) -> None:
    assert repository.audit() == (0, [])
    assert {found["status"] for found in repository.document["findings"]} == {"existing"}


def test_a_typo_in_prose_is_mended(repository: Repository) -> None:
    repository.change("docs/guide.md", ("tpyo", "typo"), ("# Guide", "# The guide"), ("## Second", "## The second"))
    assert repository.audit() == (0, [])


def test_a_typo_in_code_is_made(repository: Repository) -> None:
    repository.change("docs/guide.md", ("first = 1", "first = (1"))
    code, new = repository.audit()
    assert code == 1
    assert [found.split()[0] for found in new] == ["docs/guide.md:8"]


def test_a_fence_moves_within_the_page(repository: Repository) -> None:
    repository.change("docs/guide.md", (FAULT, ""), ("third = 3\n```\n", "third = 3\n```\n\n" + FAULT))
    assert repository.audit() == (0, [])


def test_a_fence_moves_to_another_page(repository: Repository) -> None:
    repository.change("docs/guide.md", (FAULT, ""))
    repository.change("docs/other.md", ("calm = 1\n```\n", "calm = 1\n```\n\n" + FAULT))
    assert repository.audit() == (0, [])


def test_a_copied_fence_is_no_moved_one(repository: Repository) -> None:
    repository.change("docs/other.md", ("calm = 1\n```\n", "calm = 1\n```\n\n" + FAULT))
    code, new = repository.audit()
    assert code == 1
    assert [found.split()[0] for found in new] == ["docs/other.md:10"]


@pytest.mark.parametrize("tracked", [True, False], ids=["git mv", "untracked"])
def test_a_page_is_renamed(repository: Repository, *, tracked: bool) -> None:
    (repository.root / "docs/guide.md").rename(repository.root / "docs/manual.md")
    if tracked:
        repository.commit()
    assert repository.audit() == (0, [])


def test_only_the_renamed_page_is_named(repository: Repository) -> None:
    repository.git("mv", "docs/guide.md", "docs/manual.md")
    assert repository.audit("docs/manual.md") == (0, [])


def test_a_folder_is_renamed_and_a_page_in_it_edited(repository: Repository) -> None:
    repository.git("mv", "docs", "manual")
    repository.change("manual/guide.md", ("first = 1", "first = (1"))
    code, new = repository.audit()
    assert code == 1
    assert [found.split()[0] for found in new] == ["manual/guide.md:8"]


def test_two_equal_findings_swap_places(repository: Repository) -> None:
    repository.change("docs/pair.md", ("one = 1", "swap"), ("two = 2", "one = 1"), ("swap", "two = 2"))
    assert repository.audit() == (0, [])


def test_one_is_mended_and_an_equal_one_made(repository: Repository) -> None:
    repository.change("docs/guide.md", ("total = = 1", "total = 1"), ("third = 3", "total = = 1"))
    code, new = repository.audit()
    assert code == 1
    assert [found.split()[0] for found in new] == ["docs/guide.md:20"]


def test_one_is_mended_and_an_equal_one_made_on_another_page(repository: Repository) -> None:
    repository.change("docs/guide.md", ("total = = 1", "total = 1"))
    repository.change("docs/other.md", ("calm = 1", "total = = 1"))
    code, new = repository.audit()
    assert code == 1
    assert [found.split()[0] for found in new] == ["docs/other.md:6"]


def test_what_stands_above_is_deleted(repository: Repository) -> None:
    repository.change("docs/guide.md", ("## First\n\n```python\nfirst = 1\n```\n\n", ""))
    repository.change("docs/pair.md", ("## One\n\n```python\nx = = 1\none = 1\n```\n\n", ""))
    assert repository.audit() == (0, [])


def test_main_is_merged_into_the_branch(repository: Repository) -> None:
    repository.change("docs/other.md", ("calm = 1", "calm = (1"))
    repository.commit("ours")
    repository.git("checkout", "-q", "main")
    repository.change("docs/guide.md", ("third = 3", "third = (3"))
    repository.commit("theirs")
    repository.git("checkout", "-q", "topic")
    repository.git("merge", "-q", "--no-edit", "main")
    code, new = repository.audit()
    assert code == 1
    assert [found.split()[0] for found in new] == ["docs/other.md:6"]


def test_main_goes_on_without_the_branch(repository: Repository) -> None:
    repository.git("checkout", "-q", "main")
    repository.change("docs/guide.md", ("total = = 1", "total = 1"))
    repository.commit("mended on main")
    repository.git("checkout", "-q", "topic")
    assert repository.audit() == (0, [])


def test_the_merge_commit_that_a_workflow_checks_out(repository: Repository) -> None:
    repository.change("docs/other.md", ("calm = 1", "calm = (1"))
    repository.commit("ours")
    repository.git("checkout", "-q", "main")
    repository.change("docs/guide.md", ("third = 3", "third = (3"))
    repository.commit("theirs")
    repository.git("checkout", "-q", "--detach")
    repository.git("merge", "-q", "--no-edit", "topic")
    code, new = repository.audit()
    assert code == 1
    assert [found.split()[0] for found in new] == ["docs/other.md:6"]


def test_a_suppression_is_added(repository: Repository) -> None:
    mark = "<!-- auditor: ignore[syntax-error] shown on purpose -->\n"
    repository.change(
        "docs/guide.md", ("third = 3", "total = = 3"), ("```python\ntotal = = 3", mark + "```python\ntotal = = 3")
    )
    assert repository.audit() == (0, [])
    (suppressed,) = [found for found in repository.document["findings"] if "suppressed" in found]
    assert (suppressed["line"], suppressed["status"]) == (21, "new")
    assert repository.document["summary"]["newly_suppressed"] == 1


def test_a_suppression_is_removed(repository: Repository) -> None:
    mark = "<!-- auditor: ignore[syntax-error] shown on purpose -->\n"
    repository.git("checkout", "-q", "main")
    repository.change("docs/guide.md", (FAULT, mark + FAULT))
    repository.commit()
    repository.git("checkout", "-q", "topic")
    repository.git("reset", "-q", "--hard", "main")
    assert repository.audit() == (0, [])
    assert repository.document["summary"]["newly_suppressed"] == 0
    repository.change("docs/guide.md", (mark, ""))
    assert repository.audit() == (1, ["docs/guide.md:14 syntax-error"])


def test_the_baseline_is_stale(repository: Repository) -> None:
    assert main(["baseline", "write", "--baseline", "base.jsonl", "--quiet"]) == 0
    repository.commit("baseline")
    repository.git("branch", "-f", "main")
    repository.change("docs/guide.md", ("total = = 1", "total = 1"))
    assert repository.audit("--baseline", "base.jsonl") == (0, [])
    (stale,) = [found for found in repository.document["findings"] if found["rule"] == "stale-baseline-entry"]
    assert stale["severity"] == "note"
    code, new = repository.audit("--baseline", "base.jsonl", "--strict-baseline")
    assert (code, new) == (1, ["base.jsonl:1 stale-baseline-entry"])
    # Of a page that was not looked at nothing is known.
    assert repository.audit("--baseline", "base.jsonl", "--strict-baseline", "docs/pair.md") == (0, [])
    assert repository.audit("--baseline", "base.jsonl", "--strict-baseline", "--select", "no-shouting") == (0, [])


def test_the_change_accepts_its_own_fault_in_the_baseline(repository: Repository) -> None:
    repository.change("docs/guide.md", ("third = 3", "third = (3"))
    assert main(["baseline", "write", "--baseline", "base.jsonl", "--quiet"]) == 0
    assert repository.audit("--baseline", "base.jsonl") == (0, [])
    code, new = repository.audit("--baseline", "base.jsonl", "--trust", "base")
    assert code == 1
    assert [found.split()[0] for found in new] == ["docs/guide.md:20"]


def weaken_the_rule(repository: Repository) -> None:
    repository.write("rules/own.yaml", RULE.format(severity="note"))


def weaken_by_configuration(repository: Repository) -> None:
    repository.write("auditor.toml", 'rules = ["rules"]\nexclude = ["rules"]\n[severity]\nno-shouting = "note"\n')


def exclude_everything(repository: Repository) -> None:
    repository.write("auditor.toml", 'exclude = ["**"]\n')


def shadow_the_configuration(repository: Repository) -> None:
    repository.write("docs/auditor.toml", 'exclude = ["**"]\n')


def test_a_label_is_misspelt(repository: Repository) -> None:
    """A block that vanishes is said at its line, and held to the gate like all else."""
    repository.change("docs/other.md", ("```python", "```pyhton"))
    assert repository.audit() == (0, ["docs/other.md:5 misspelt-language"])
    assert repository.audit("--fail-level", "warning") == (1, ["docs/other.md:5 misspelt-language"])
    repository.commit()
    repository.git("branch", "-f", "main")
    assert repository.audit("--fail-level", "warning") == (0, [])


def gone(repository: Repository, *words: str) -> list[str]:
    """The blocks that left the audit, as `path:line` of the base."""
    code, _ = repository.audit("--fail-level", "never", *words)
    assert code == 0
    return [f"{left['path']}:{left['line']}" for left in repository.document["left_audit"]]


@pytest.mark.parametrize("label", ["text", "", "js", "python out"])
def test_a_fence_is_labelled_otherwise(repository: Repository, label: str) -> None:
    repository.change("docs/guide.md", ("```python\nthird", f"```{label}\nthird"))
    assert gone(repository) == ["docs/guide.md:19"]


def test_blocks_pages_and_files_are_deleted(repository: Repository) -> None:
    repository.change("docs/guide.md", ("## First\n\n```python\nfirst = 1\n```\n\n", ""))
    (repository.root / "docs/other.md").unlink()
    assert gone(repository) == ["docs/guide.md:7", "docs/other.md:5"]
    assert gone(repository, "docs/pair.md") == [], "only what the run looks at"


def test_what_moved_was_edited_or_was_renamed_has_not_left(repository: Repository) -> None:
    assert gone(repository) == []
    repository.change("docs/guide.md", ("first = 1", "first = (1"), ("## First", "## The first"), (FAULT, ""))
    repository.change("docs/other.md", ("calm = 1\n```\n", "calm = 2\n```\n\n" + FAULT))
    repository.git("mv", "docs/pair.md", "docs/two.md")
    repository.change("docs/two.md", ("one = 1", "uno = 1\nmore = 1"))
    assert gone(repository) == []


def test_a_new_block_does_not_stand_in_for_one_that_left(repository: Repository) -> None:
    fence = "```python\nthird = 3\n```\n"
    new = "```python\nimport sys\n\nprint(sys.argv)\n```\n"
    repository.change("docs/guide.md", (fence, fence.replace("python", "text") + "\n" + new))
    assert gone(repository) == ["docs/guide.md:19"]


def test_a_copy_elsewhere_is_no_move(repository: Repository) -> None:
    """Of two equal fences one is left: the other one is not audited any more."""
    repository.git("checkout", "-q", "main")
    repository.change("docs/other.md", ("calm = 1\n```\n", "calm = 1\n```\n\n```python\nthird = 3\n```\n"))
    repository.commit()
    repository.git("checkout", "-q", "topic")
    repository.git("reset", "-q", "--hard", "main")
    repository.change("docs/guide.md", ("```python\nthird", "```text\nthird"))
    assert gone(repository) == ["docs/guide.md:19"]


def test_the_author_names_a_fence_that_is_written_anew(repository: Repository) -> None:
    repository.git("checkout", "-q", "main")
    repository.change("docs/other.md", ("```python", "<!-- auditor: id=calm -->\n```python"))
    repository.commit()
    repository.git("checkout", "-q", "topic")
    repository.git("reset", "-q", "--hard", "main")
    repository.change("docs/other.md", ("calm = 1", "import sys"))
    assert gone(repository) == []
    repository.change("docs/other.md", ("id=calm", "id=other"))
    assert gone(repository) == ["docs/other.md:6"]


@pytest.mark.parametrize("name", ["text", "github", "markdown"])
def test_the_summary_says_what_left(repository: Repository, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    repository.change("docs/guide.md", ("```python\nthird", "```text\nthird"), ("```python\nfirst", "```\nfirst"))
    assert main(["audit", "--no-cache", "--since", "main", "--format", name]) == 0
    said = html.unescape(capsys.readouterr().out)
    assert [line.strip() for line in said.split("\n") if "left the audit" in line or "guide.md:" in line] == [
        "2 blocks left the audit:",
        "docs/guide.md:7",
        "docs/guide.md:19",
    ]
    assert main(["audit", "--no-cache", "--format", name, "--fail-level", "never"]) == 0
    assert "left the audit" not in capsys.readouterr().out


def test_everything_is_excluded(repository: Repository) -> None:
    exclude_everything(repository)
    assert repository.audit() == (3, [])
    assert "auditor.toml:1: exclude: '**' leaves out the 3 files under the paths" in repository.error
    assert repository.audit("docs/guide.md") == (0, []), "a hook names files, excluded ones too"


def test_the_last_page_is_taken_away(repository: Repository) -> None:
    for page in (repository.root / "docs").iterdir():
        page.unlink()
    assert repository.audit("docs") == (0, [])


def delete_the_configuration(repository: Repository) -> None:
    (repository.root / "auditor.toml").unlink()


@pytest.mark.parametrize(
    "weaken",
    [
        weaken_the_rule,
        weaken_by_configuration,
        exclude_everything,
        shadow_the_configuration,
        delete_the_configuration,
    ],
)
def test_the_change_weakens_what_judges_it(repository: Repository, weaken: Callable[[Repository], None]) -> None:
    repository.change("docs/other.md", ("calm = 1", "shout(1)"))
    assert repository.audit("docs") == (1, ["docs/other.md:6 no-shouting"])
    weaken(repository)
    repository.commit()
    assert repository.audit("docs")[1] == []
    assert repository.audit("docs", "--trust", "base") == (1, ["docs/other.md:6 no-shouting"])


def test_what_is_wrong_with_the_bases_rules_is_said_by_their_names(repository: Repository) -> None:
    repository.write("rules/own.yaml", "rules:\n  - id: x\n")
    repository.commit()
    repository.git("branch", "-f", "main")
    assert repository.audit("--trust", "base")[0] == 2
    assert f"auditor: {repository.root.as_posix()}/rules/own.yaml:2:" in repository.error
    assert repository.audit("--trust", "base", "--rules", "new.yaml")[0] == 2
    assert "new.yaml: no such rule file or folder in the base" in repository.error


def test_a_changed_configuration_is_said(repository: Repository) -> None:
    weaken_by_configuration(repository)
    repository.audit()
    assert "auditor.toml is not as the base has it" in repository.error
    repository.audit("--trust", "base")
    assert "the configuration differs from the base's; the base's is used" in repository.error


def test_a_binary_file_is_added(repository: Repository) -> None:
    (repository.root / "docs/picture.png").write_bytes(bytes(range(256)))
    assert repository.audit() == (0, [])
    (repository.root / "docs/picture.md").write_bytes(bytes(range(256)))
    assert repository.audit() == (5, [])


def test_a_binary_file_of_the_base_becomes_text(repository: Repository) -> None:
    (repository.root / "docs/latin.md").write_bytes(b"caf\xe9\n\n" + FAULT.encode())
    repository.commit()
    repository.git("branch", "-f", "main")
    repository.write("docs/latin.md", "café\n\n" + FAULT)
    assert repository.audit() == (1, ["docs/latin.md:4 syntax-error"])


def test_the_line_ends_flip(repository: Repository) -> None:
    for name in ("docs/guide.md", "docs/pair.md"):
        data = (repository.root / name).read_bytes()
        (repository.root / name).write_bytes(data.replace(b"\n", b"\r\n"))
    repository.commit()
    assert repository.audit() == (0, [])


def test_a_definition_is_renamed_that_another_fence_uses(repository: Repository) -> None:
    page = "# Steps\n\n```python\ndef helper(x):\n    return x\n```\n\nThen:\n\n```python\nprint(helper(1))\n```\n"
    repository.write("docs/steps.md", page)
    repository.change(
        "auditor.toml", ('exclude = ["rules"]\n', 'exclude = ["rules"]\n[severity]\nundefined-name = "error"\n')
    )
    repository.commit()
    repository.git("branch", "-f", "main")
    assert repository.audit() == (0, [])
    repository.change("docs/steps.md", ("def helper", "def assist"))
    assert repository.audit() == (1, ["docs/steps.md:11 undefined-name"])


def test_a_base_that_cannot_be_had(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert repository.audit(since="nowhere")[0] == 5
    assert "'nowhere' is no revision with a common commit" in repository.error
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth=1", repository.root.as_uri(), str(clone)], check=True)
    monkeypatch.chdir(clone)
    assert repository.audit(since="origin/main")[0] == 5
    assert "shallow clone; fetch the history first (actions/checkout: fetch-depth: 0)" in repository.error


def test_a_base_without_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text("# A\n")
    monkeypatch.chdir(tmp_path)
    assert main(["audit", "--since", "main"]) == 5
    assert "lies in no git checkout" in capsys.readouterr().err
    assert main(["audit", "--trust", "base"]) == 2
    assert "--trust base needs --since" in capsys.readouterr().err
