"""Values come back from their JSON exactly as they were."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.audit import audit
from auditor.audited import AuditOptions, SourceAudit
from auditor.compiling import CompileOptions
from auditor.discover import Unreadable, decode
from auditor.engine.codec import CodecError, dump, load
from auditor.extract import ExtractOptions
from auditor.matching.rule import All, Any, Inside, Leaf, Not, Rule
from auditor.model import Source
from auditor.rulebook import Rulebook
from auditor.rulebook import load as load_rules

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Leafy:
    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    parts: "tuple[Tree, ...]"
    word: Literal["a", "b"] = "a"


Tree = Leafy | Branch


@dataclass(frozen=True, slots=True)
class Whole:
    pair: tuple[str, int]
    scalar: str | int | Leafy
    trees: tuple[Tree, ...] = ()
    named: Mapping[str, Leafy | None] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    sets: frozenset[frozenset[str]] = frozenset()
    flag: bool = False
    maybe: tuple[Leafy, ...] | None = None


texts = st.text(st.characters(exclude_categories=()), max_size=8)
leaves = st.builds(Leafy, texts, st.none() | st.integers())
trees = st.recursive(leaves, lambda inner: st.builds(Branch, st.lists(inner, max_size=3).map(tuple)), max_leaves=8)
wholes = st.builds(
    Whole,
    st.tuples(texts, st.integers()),
    texts | st.integers() | leaves,
    st.lists(trees, max_size=3).map(tuple),
    st.dictionaries(texts, st.none() | leaves, max_size=3),
    st.frozensets(texts, max_size=3),
    st.frozensets(st.frozensets(texts, max_size=2), max_size=2),
    st.booleans(),
    st.none() | st.lists(leaves, max_size=2).map(tuple),
)


@given(wholes)
def test_any_value_comes_back(value: Whole) -> None:
    assert load(Whole, dump(Whole, value)) == value


def test_kinds_of_scalars_are_kept_apart() -> None:
    for value in (Whole(("", 0), "1"), Whole(("", 0), 1), Whole(("\ud800\udc00", 0), "\ud800", flag=True)):
        back = load(Whole, dump(Whole, value))
        assert (back, type(back.scalar)) == (value, type(value.scalar))


@pytest.mark.parametrize(
    "data", [b"", b"null", b"[]", b"{}", b"[1,2]", b"[[1],2,3,4,5,6,7,8]", b"\xff", b"[[]]" * 3, b"[" * 100_000]
)
def test_what_is_no_encoding_is_refused(data: bytes) -> None:
    with pytest.raises(CodecError):
        load(Whole, data)


def test_one_value_has_one_encoding() -> None:
    one, other = (Whole(("", 0), 1, words=frozenset(words)) for words in (["a", "b", "c"], ["c", "b", "a"]))
    assert dump(Whole, one) == dump(Whole, other)


def test_the_shipped_rules_come_back() -> None:
    book = load_rules([])
    assert load(Rulebook, dump(Rulebook, book)) == book


def test_a_rule_of_formulas_in_formulas_comes_back() -> None:
    match = All((Any((Leaf("f($X)"), Leaf("g($X)"))), Not(Inside(Leaf("h(...)")), inside=True)))
    rule = Rule("a-rule", "error", {"en": "Said."}, match=match, metadata={"": {"tags": ["a", {"b": "c"}]}})
    assert load(Rule, dump(Rule, rule)) == rule


PIECES = st.sampled_from(
    [
        "# Heading\n", "```python\n", "```\n", "> ```py\n> x = 1\n> ```\n", "def f(self, x):\n    return self.x\n",
        ">>> 1\n1\n", "class A:\n    def f(self): ...\n", "x = (1,\n", "print 'a'\n", "for x in y:\n", "- a\n\n  ",
        "import torch as t, os\n", "text — 漢字 \U0001f600\n", "    indented = 1\n", "!pip install a\n", "\r\n",
        "<!-- auditor: ignore[broken] why -->\n", "type X = int\n", "x = norm(x)\nx = x + f(x)\n", "return x\n",
        "# auditor: ignore[*] so\n", "...\n", "await g()\n",
    ]
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(st.lists(PIECES, max_size=14).map("".join), st.sampled_from(["page.md", "code.py"]))
def test_every_audit_comes_back(text: str, path: str) -> None:
    book = load_rules([])
    options = AuditOptions(ExtractOptions(indented=True), CompileOptions(targets=("3.8", "3.12")), targets_named=True)
    found = audit(Source(path, text), book, options)
    assert load(SourceAudit, dump(SourceAudit, found)) == found
    assert load(AuditOptions, dump(AuditOptions, options)) == options


@pytest.mark.parametrize("file", sorted(ROOT.glob("*.md")), ids=lambda file: file.name)
def test_audits_of_real_pages_come_back(file: Path) -> None:
    source = decode(file.name, file.read_bytes())
    assert not isinstance(source, Unreadable)
    found = audit(source, load_rules([]), AuditOptions())
    assert load(SourceAudit, dump(SourceAudit, found)) == found
