"""What an info string says: the language, the attributes, and whether the body is Python at all."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

# Every name that authors give Python, and the normal form that `Block.language` holds.
LANGUAGES: dict[str, str] = {
    "python": "python",
    "python3": "python",
    "py": "python",
    "py3": "python",
    "pyi": "python",
    "python-code": "python",
    "python-script": "python",
    "ipython": "ipython",
    "ipython3": "ipython",
    "ipy": "ipython",
    "pycon": "pycon",
    "pycon3": "pycon",
    "python-repl": "pycon",
    "python-console": "pycon",
    "pyrepl": "pycon",
    "doctest": "pycon",
    "pytb": "pytb",
    "py3tb": "pytb",
    "pytraceback": "pytb",
    "python-traceback": "pytb",
}

# Directives whose argument names the language of their body, and those that are Python by themselves.
CODE_DIRECTIVES = frozenset({"code-block", "code", "sourcecode", "code-cell", "code-block-ext"})
PYTHON_DIRECTIVES: dict[str, str] = {
    "doctest": "pycon",
    "testcode": "python",
    "testsetup": "python",
    "testcleanup": "python",
    "ipython": "ipython",
    "jupyter-execute": "ipython",
    "exec-python": "python",
    "pyodide": "python",
    "pyodide-python": "python",
    "marimo": "python",
}

# Close to Python and not it: a compiler for Python would judge them wrongly.
DIALECTS = frozenset(
    {
        "cython",
        "pyx",
        "pyrex",
        "sage",
        "sagemath",
        "xonsh",
        "starlark",
        "python2",
        "py2",
        "ipython2",
        "rpython",
        "mojo",
        "jython",
        "micropython",
        "circuitpython",
        "ironpython",
        "brython",
    }
)

OUTPUT_WORDS = frozenset({"out", "output", "outputs", "trace", "traceback", "stdout", "stderr"})
LINT_KEYS = frozenset({"lint", "linting", "check", "audit"})
OFF_VALUES = frozenset({"skip", "off", "false", "no", "none", "ignore", "disable", "disabled", "0"})
LINT_WORDS = frozenset({"noqa", "nolint", "no-lint", "lint-skip", "skip-lint", "nocheck", "no-check"})

_VERSIONED = re.compile(r"(?:python|py)[-_]?3(?:\.\d+)*\Z")
_PYTHONISH = re.compile(r"i?(?:python|py(?![a-z]))[\w.+-]*\Z")
# Names that one slip of the finger may make something else; no other language is called anything so close to them.
_OFTEN_MISSPELT = ("python", "python3", "ipython")
# A label within brackets or quote marks, or with more behind it.
_DRESSED = re.compile(r"[\W_]*(\w(?:[\w.-]*\w)?)")
_OPENING = frozenset("[(<{\"'\u2018\u201c\u300c\u3010")
_DIRECTIVE = re.compile(r"\{\s*([A-Za-z][\w:+.-]*)\s*\}\s*(.*)\Z", re.DOTALL)
_BRACED = re.compile(r"\{\s*(.*?)\s*\}?\s*\Z", re.DOTALL)
_PLAIN = re.compile(r"\.?([A-Za-z][\w+#-]*(?:\.\d+)*)(.*)\Z", re.DOTALL)
_WORD = re.compile(
    r"""\{[ ]*(?P<lines>\d[\d,\s-]*)\}
      | (?P<key>[\w:@/.#-]+)[ ]?=[ ]?(?P<value>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\{[^{}]*\}|[^\s,{}]+)
      | (?P<bare>[^\s,{}=]+)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Info:
    """What an info string says.

    `language` is the normal form, or "" where the fence is not Python's. `skip` is the reason why the body is not
    judged, `refused` the kind and reason why the fence is no block although it speaks of Python, `misspelt` its label
    and the one that is perhaps meant. `options` tells that the body may begin with an option block. `silenced` is the
    author's word that linters should leave the body alone. `rest` is the offset in the info string behind the
    language.
    """

    language: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    directive: str | None = None
    skip: str | None = None
    refused: tuple[str, str] | None = None
    misspelt: tuple[str, str] | None = None
    options: bool = False
    silenced: str | None = None
    rest: int = 0


NOT_PYTHON = Info()

# A notebook's cell whose language is the kernel's, which the page's front matter may name, and the cell where it does.
UNNAMED_CELL = Info(directive="code-cell", refused=("no-language", "neither the cell nor the page names a language"))
KERNEL_CELL = Info("ipython", directive="code-cell", options=True)


def _attributes(text: str) -> tuple[dict[str, str], list[str]]:
    """Keys with their values, and the bare words in order; a class keeps its dot."""
    attributes: dict[str, str] = {}
    bare: list[str] = []
    for found in _WORD.finditer(text):
        if found["lines"] is not None:
            attributes.setdefault("lines", found["lines"].strip())
        elif found["key"] is not None:
            value = found["value"]
            quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
            attributes.setdefault(found["key"], value[1:-1] if quoted else value)
        else:
            bare.append(found["bare"])
    return attributes, bare


def _name(words: list[str], attributes: dict[str, str]) -> None:
    """Put the bare words where they belong: classes, an identifier, flags, or a free title."""
    classes = [word[1:] for word in words if word.startswith(".")]
    if classes:
        attributes.setdefault("class", " ".join(classes))
    plain = [word for word in words if word[:1] not in ".#"]
    for word in words:
        if word.startswith("#") and len(word) > 1:
            attributes.setdefault("id", word[1:])
    if len(plain) == 1:
        attributes.setdefault(plain[0].strip("[]()"), "")
    elif plain:
        attributes.setdefault("title", " ".join(plain))


def _silenced(attributes: Mapping[str, str], words: list[str]) -> str | None:
    for key, value in attributes.items():
        if key.lower() in LINT_KEYS and value.lower() in OFF_VALUES:
            return f'{key}="{value}"'
    return next((word for word in words if word.lstrip(".").lower() in LINT_WORDS), None)


def _known(name: str) -> str | None:
    """The normal form of a language's name."""
    name = name.lower()
    if name in LANGUAGES:
        return LANGUAGES[name]
    return "python" if _VERSIONED.match(name) else None


def is_dialect(name: str) -> bool:
    """Whether a language that is not known as Python is close enough to it to be named in the ledger."""
    name = name.lower()
    return name in DIALECTS or (_PYTHONISH.match(name) is not None and not name.startswith("pyproject"))


def _is_slip(name: str, word: str) -> bool:
    """Whether a name is a word with one letter too many, too few or another, or with its letters in another order."""
    if name[:1] == word[0] and sorted(name) == sorted(word):
        return True
    if abs(len(name) - len(word)) > 1:
        return False
    start = next((at for at, (one, other) in enumerate(zip(name, word, strict=False)) if one != other), len(word))
    one, other = name[start:], word[start:]
    return one[1:] == other or one == other[1:] or one[1:] == other[1:]


def _meant(name: str) -> str | None:
    """The label of Python that a name is one slip away from, or holds beside marks that do not belong there.

    `None` for the name of a dialect, and for a mark that opens and is not closed: a text of several words begins there.
    """
    name = unicodedata.normalize("NFKC", name).lower()
    if name in DIALECTS or (name[:1] in _OPENING and name[-1:].isalnum()):
        return None
    meant = _slipped(name)
    found = None if meant is not None or is_dialect(name) else _DRESSED.match(name)
    if found is None or found[1] in DIALECTS:
        return meant
    return found[1] if _known(found[1]) is not None else _slipped(found[1])


def _slipped(name: str) -> str | None:
    return next((word for word in _OFTEN_MISSPELT if _is_slip(name, word)), None)


def _judge(
    name: str, attributes: dict[str, str], words: list[str], directive: str | None, *, options: bool, rest: int
) -> Info:
    language = _known(name)
    if language is None:
        meant = _meant(name)
        if meant is not None:
            refused = ("misspelt-language", f"{name} is perhaps {meant}, misspelt")
            return Info(refused=refused, misspelt=(name, meant), directive=directive)
        if is_dialect(name):
            return Info(refused=("unknown-dialect", f"the dialect {name} is not known"), directive=directive)
        return Info(directive=directive) if directive else NOT_PYTHON
    _name(words, attributes)
    flags = [word.lstrip(".").lower() for word in words]
    if "pymd" in flags:
        return Info(refused=("unknown-dialect", "the dialect pymd is Markdown with Python in it"))
    skip = None
    plain = [word for word in words if word[:1] not in ".#"]
    if language == "pytb":
        skip = "a traceback"
    elif any(word.startswith(".") and word[1:].lower() in OUTPUT_WORDS for word in words) or (
        len(plain) == 1 and plain[0].lower() in OUTPUT_WORDS
    ):
        skip = "labelled as output"
    silenced = _silenced(attributes, words)
    return Info(language, attributes, directive, skip, options=options, silenced=silenced, rest=rest)


@lru_cache(maxsize=4096)
def parse_info(info: str) -> Info:
    """What the info string (without the fence's marks and outer blanks) says."""
    if not info:
        return NOT_PYTHON
    if info[0] != "{":
        found = _PLAIN.match(info)
        if found is None:
            return _judge(info.split(maxsplit=1)[0], {}, [], None, options=False, rest=0)
        attributes, words = _attributes(found[2].lstrip(",;:"))
        if found[2][:1] == ":" and words:
            attributes.setdefault("path", words.pop(0))
        return _judge(found[1], attributes, words, None, options=False, rest=found.end(1))
    if info.startswith("{{"):
        shown = info.lstrip("{ .").partition("}")[0].split(maxsplit=1)
        if shown and (_known(shown[0].rstrip(",")) or is_dialect(shown[0].rstrip(","))):
            return Info(refused=("escaped", "escaped braces show the fence instead of running it"))
        return NOT_PYTHON
    directive = _DIRECTIVE.match(info)
    if directive is not None:
        return _parse_directive(directive[1], directive[2], directive.start(2))
    braced = _BRACED.match(info)
    attributes, words = _attributes(braced[1] if braced else "")
    first = words[0] if words else ""
    name = next((word.lstrip(".") for word in words if word.startswith(".") and _known(word[1:])), first.lstrip("."))
    if not first.startswith((".", "#")) and _known(first):
        name = first
    if name.startswith("#"):
        return NOT_PYTHON  # an identifier
    others = [word for word in words if word.lstrip(".") != name]
    return _judge(name, attributes, others, None, options=False, rest=len(info))


def _parse_directive(name: str, rest: str, offset: int) -> Info:
    lowered = name.lower()
    if lowered in CODE_DIRECTIVES:
        language = rest.split(maxsplit=1)[0] if rest.strip() else ""
        if not language:
            return UNNAMED_CELL if lowered == "code-cell" else Info(directive=lowered)
        attributes, words = _attributes(rest[len(language) :])
        return _judge(language, attributes, words, lowered, options=True, rest=offset + len(language))
    if lowered in PYTHON_DIRECTIVES:
        return Info(PYTHON_DIRECTIVES[lowered], directive=lowered, options=True, rest=offset)
    attributes, words = _attributes(rest)
    return _judge(name, attributes, words, lowered, options=False, rest=offset)
