"""The configuration: every mistake is said with its file, its line, its key and the way out."""

import os
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from auditor.cli import main
from auditor.compiling.options import MAX_DEPTH
from auditor.configuration import (
    MOST,
    Configuration,
    ConfigurationError,
    Limits,
    find_configuration,
    parse_configuration,
    path_matcher,
    required_python,
)

FILE = Path("auditor.toml")


def parse(text: str) -> Configuration:
    return parse_configuration(text.encode(), FILE)


def test_everything_has_a_default() -> None:
    assert parse("") == Configuration(file=FILE)


def test_keys_are_read() -> None:
    found = parse(
        """
        flavour = "mkdocs"
        target-python = "3.10"
        fail-level = "warning"
        [severity]
        syntax-error = "note"
        [[paths]]
        path = "old/**"
        ignore = ["external-resource"]
        reason = "kept"
        [[books]]
        pages = ["ch*/**"]
        aliases = {Encoding = "PositionalEncoding"}
        [limits]
        file-bytes = 10
        """
    )
    assert found.flavour == "mkdocs"
    assert found.target_python == ("3.10",)
    assert found.severity == {"syntax-error": "note"}
    assert found.paths[0].reason == "kept"
    assert found.books[0].aliases == {"Encoding": "PositionalEncoding"}
    assert found.limits.file_bytes == 10
    assert found.limits.block_bytes == Configuration().limits.block_bytes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nflavor = 'mkdocs'", r"auditor\.toml:2: flavor: unknown key; did you mean 'flavour'\?"),
        ("flavour = 'rst'", r"auditor\.toml:1: flavour: must be one of auto, commonmark, mkdocs, myst, mdx"),
        ("target-python = ['3.10', '2.7']", r"target-python: '2\.7' is no Python version such as 3\.11"),
        ("target-python = 3.10", r'toml:1: target-python: a version stands in quotes, such as "3\.10"'),
        ("\ntarget-python = [\n3.10]", r'toml:2: target-python: a version stands in quotes, such as "3\.10"'),
        ("target-python = {}", "target-python: must be a list of texts"),
        ("[severity]\nx = 'fatal'", r"auditor\.toml:2: severity\.x: must be one of error, warning, note"),
        ("[[books]]\nfiles = []", "books: needs the key 'pages'"),
        ("[[books]]\npages = []\n[[books]]\nfiles = []", r"auditor\.toml:3: books: needs the key 'pages'"),
        ("ignore = []\n[[paths]]\npath = 'a'\nignore = 1", r"auditor\.toml:4: paths\.ignore: must be a list"),
        ("[limits]\nfile-bytes = 0", r"limits\.file-bytes: must be a whole number above 0"),
        ("[limits]\nfile-bytes = true", "must be a whole number above 0"),
        ("[limits]\nseconds-per-file = 1_000_000_000", r"limits\.seconds-per-file: must be 3,600 at most"),
        ("indented-code = 'yes'", "must be true or false"),
        ("ledger = '../x.jsonl'", "ledger: must lie in the folder of the configuration"),
        ("ledger = ''", r"auditor\.toml:1: ledger: must name a file"),
        ("ledger = '.'", "ledger: must name a file"),
        ('ledger = "a\\u0000b"', "ledger: must name a file"),
        ("\nbaseline = ''", r"auditor\.toml:2: baseline: must name a file"),
        ("rules = [\n'mine',\n'']", r"auditor\.toml:3: rules: '' is no rule file or folder"),
        ("exclude = ['']", r"auditor\.toml:1: exclude: '' is no path pattern such as 'archive'"),
        ("exclude = '/'", "exclude: '/' is no path pattern"),
        (
            "exclude = [\n'a',\n'./b']",
            r"auditor\.toml:3: exclude: '\./b' is no path pattern .* without '\.' and '\.\.'",
        ),
        ("[[paths]]\npath = ''", r"auditor\.toml:2: paths\.path: '' is no path pattern"),
        ("[[books]]\npages = ['../a']", r"auditor\.toml:2: books\.pages: '\.\./a' is no path pattern"),
        ("[[books]]\npages = 'a'\nfiles = '.'", r"auditor\.toml:3: books\.files: '\.' is no path pattern"),
        (
            "[[books]]\npages = 'a'\nnames = [\n'x',\n'a b']",
            r"auditor\.toml:5: books\.names: 'a b' is no name of Python",
        ),
        ("[[books]]\npages = 'a'\nnames = ['1x']", "books.names: '1x' is no name"),
        ("[[books]]\npages = 'a'\nnames = ['']", "books.names: '' is no name"),
        ("[[books]]\npages = 'a'\nrequirements = '../r.txt'", r"toml:3: books\.requirements: must lie in the folder"),
        ("baseline = '/etc/passwd'", "baseline: must lie in the folder of the configuration"),
        ("a = = 1", r"^auditor\.toml:1:5: not valid TOML: a value that is no number, list or table"),
        ("a = 1\na = 1", r"^auditor\.toml:2: not valid TOML: a key is set twice"),
        ("lang = en", r"^auditor\.toml:1:8: not valid TOML: .*texts stand in quotes"),
        ("\nexclude = [\n 'a',\n 'b',\n", r"^auditor\.toml:2: not valid TOML: a value or a list that is not ended"),
        ("\nexclude = [\n 'a'\n", r"^auditor\.toml:2: not valid TOML: a list without its `\]`"),
        ("a = 1\nlang = 'en", r"^auditor\.toml:2: not valid TOML: a text without its closing quotes"),
        ("a = 1\nb = '''\nc = 2\n", r"^auditor\.toml:2: not valid TOML: a text without its closing quotes"),
        ("[paths", r"^auditor\.toml:1: not valid TOML: the name of a table without its `\]`"),
        ("a = 1\n[a]", r"^auditor\.toml:2(:\d)?: not valid TOML: a (key is set|table is opened) twice"),
    ],
)
def test_a_mistake_is_said(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        parse(text)


def test_a_key_has_a_place_of_its_own() -> None:
    found = parse(
        """
exclude = [
    "a",
    "b/**",
]
select = "x"
severity = { one = "note" }

[[paths]]
path = "select"
ignore = ["one"]

[[paths]]
path = "b"
ignore = ["one",
    "two"]
[paths.severity]
"three" = "note"
"""
    )
    places = {
        ("exclude", None): 2,
        ("exclude", "b/**"): 4,
        ("exclude", "nowhere"): 2,
        ("select", "x"): 6,
        ("severity", "one"): 7,
        ("severity.one", None): 7,
        ("paths[1].path", "b"): 14,
        ("paths[1].ignore", "two"): 16,
        ("paths[0].ignore", "two"): 11,
        ("paths[1].severity.three", None): 18,
        ("paths[1]", None): 13,
    }
    for (key, value), line in places.items():
        assert found.place(key, value).startswith(f"auditor.toml:{line}: "), (key, value)
    assert found.place("paths[1].ignore", "two") == "auditor.toml:16: paths.ignore"
    assert found.place("baseline") == "auditor.toml: baseline"
    ours = parse_configuration(b"[tool.other]\nlang = 1\n[tool.auditor]\nlang = 'zh'\n", Path("pyproject.toml"))
    assert ours.place("lang") == "pyproject.toml:4: tool.auditor.lang"


def test_no_limit_can_be_set_above_its_most() -> None:
    assert MOST.keys() == {field.name for field in fields(Limits)}
    assert MOST["nesting"] == Limits().nesting == MAX_DEPTH
    for name, most in MOST.items():
        key = name.replace("_", "-")
        assert getattr(parse(f"[limits]\n{key} = {most}").limits, name) == most
        with pytest.raises(ConfigurationError, match=f"{key}: must be .* at most"):
            parse(f"[limits]\n{key} = {most + 1}")


def test_an_unreadable_file_is_never_echoed() -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_configuration(b"root:x:0:0: secret \xff", FILE)
    assert "secret" not in str(caught.value)
    with pytest.raises(ConfigurationError) as caught:
        parse("root:x:0:0: secret")
    assert "secret" not in str(caught.value)


def test_the_nearest_file_upward_counts_within_the_checkout(tmp_path: Path) -> None:
    (tmp_path / "auditor.toml").write_text("")
    book = tmp_path / "book"
    (book / "docs").mkdir(parents=True)
    assert find_configuration(book / "docs") == tmp_path / "auditor.toml"
    (book / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert find_configuration(book / "docs") == tmp_path / "auditor.toml", (
        "a pyproject without our table does not count"
    )
    (book / "pyproject.toml").write_text("[tool.auditor]\n")
    assert find_configuration(book / "docs") == book / "pyproject.toml"
    (book / "docs" / ".git").mkdir()
    assert find_configuration(book / "docs") is None


@pytest.mark.parametrize("name", ["auditor.toml", "pyproject.toml"])
@pytest.mark.parametrize(
    "make",
    [lambda file: file.mkdir(), os.mkfifo, lambda file: file.symlink_to("nowhere")],
    ids=["folder", "pipe", "link to nowhere"],
)
def test_what_has_the_name_and_cannot_be_read_is_an_error(
    tmp_path: Path, name: str, make: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text("text\n")
    make(tmp_path / name)
    assert main(["audit", "--no-cache", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"auditor: {tmp_path / name}: cannot be read: ")


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("archive", ["archive/a.md", "x/archive/b/c.md"], ["archived/a.md"]),
        ("docs/*.md", ["docs/a.md"], ["docs/x/a.md", "x/docs/a.md"]),
        ("docs/**", ["docs/a.md", "docs/x/y.md"], ["doc/a.md"]),
        ("**/gen/*.py", ["gen/a.py", "a/b/gen/c.py"], ["gen/x/a.py"]),
        ("*.mdx", ["a.mdx", "x/y.mdx"], ["a.md"]),
        ("ch[12]/", ["ch1/a.md"], ["ch3/a.md"]),
        ("a?.md", ["ab.md", "x/ab.md"], ["a/.md"]),
    ],
)
def test_path_patterns(pattern: str, inside: list[str], outside: list[str]) -> None:
    matches = path_matcher((pattern,))
    assert [path for path in inside if not matches(path)] == []
    assert [path for path in outside if matches(path)] == []


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("[project]\nrequires-python = '>=3.10'", "3.10"),
        ("[project]\nrequires-python = '<4,>=3.9.1'", "3.9"),
        ("[project]\nrequires-python = '~=3.11'", "3.11"),
        ("[project]\nname = 'x'", None),
        ("project = 3", None),
        ("not toml", None),
    ],
)
def test_the_books_own_python(tmp_path: Path, text: str, version: str | None) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert required_python(tmp_path) == version
