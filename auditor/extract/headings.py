"""The headings above a place, outermost first, as plain text."""

import re
from functools import lru_cache

_IMAGE = re.compile(r"!\[([^\]\n]*)\](?:\([^()\n]*\)|\[[^\]\n]*\])?")
_LINK = re.compile(r"\[([^\[\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)|\[[^\]\n]*\])")
_ATTRIBUTES = re.compile(r"\s*\{:?[ ]*[#.][^{}\n]*\}\s*\Z")
_MDX_ID = re.compile(r"\s*\[\[[\w-]+\]\]\s*\Z")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>|<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"(?<!`)(`++)(.+?)(?<!`)\1(?!`)")
_STRONG = re.compile(r"(\*{1,3}|~~)(?=\S)([^*~\n]+?)(?<=\S)\1")
_UNDERLINED = re.compile(r"(?<!\w)(_{1,3})(?=\S)([^\n]+?)(?<=\S)\1(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_BLANKS = re.compile(r"\s+")
_MARKUP = re.compile(r"[\\`*_~\[{<\0]")


@lru_cache(maxsize=512)
def plain(text: str) -> str:
    """A heading without its markup: links and emphasis keep their words, attributes and tags go."""
    if len(text) > 1000 or _MARKUP.search(text) is None:
        return _BLANKS.sub(" ", text).strip()
    text = _MDX_ID.sub("", _ATTRIBUTES.sub("", text))
    kept: list[str] = []

    def keep(words: str) -> str:
        kept.append(words)
        return f"\0{len(kept) - 1}\0"

    text = text.replace("\0", "")
    text = _CODE.sub(lambda found: keep(found[2].strip()), text)
    text = _ESCAPE.sub(lambda found: keep(found[1]), text)
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _TAG.sub("", text)
    text = _UNDERLINED.sub(r"\2", _STRONG.sub(r"\2", text))
    text = re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], text)
    return _BLANKS.sub(" ", text).strip()


class Headings:
    """The headings in force while a page is read; one within a container ends with it."""

    def __init__(self) -> None:
        self._open: list[tuple[int, int, str]] = []
        self._path: tuple[str, ...] | None = ()

    def enter(self, level: int, text: str, depth: int) -> None:
        """A heading of `level`, as written, in a container of `depth`: it ends all of its rank there."""
        while self._open and self._open[-1][0] >= depth and (self._open[-1][0] > depth or self._open[-1][1] >= level):
            self._open.pop()
        self._open.append((depth, level, text))
        self._path = None

    def leave(self, depth: int) -> None:
        """Back to containers of `depth`."""
        while self._open and self._open[-1][0] > depth:
            self._open.pop()
            self._path = None

    def path(self) -> tuple[str, ...]:
        """The headings above, outermost first; one without words, such as a lone tag, is none."""
        if self._path is None:
            self._path = tuple(words for words in (plain(text) for _, _, text in self._open) if words)
        return self._path
