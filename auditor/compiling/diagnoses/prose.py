"""What running text looks like, in languages that part words with blanks and in those that do not."""

import re
from functools import cache

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[,.;:!?…]*$")
_CODE_SIGN = re.compile(r"[=\[\]{}<>\\]|\w\(|\w\.\w|::|->")
_SENTENCE_END = re.compile(r"[.!?。！？…:：]['\"”’)]*\s*$")
_BULLET = re.compile(r"\s*(?:[-*+•·]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+")
# What a sentence quotes: code in backticks, a hole to fill in.
_QUOTED = re.compile(r"`[^`\n]+`|\{\{?[\w. ]+\}?\}")
# What a grammarian adds to each word: `the/DT dog/NN`.
_TAG = re.compile(r"(?<=\w)/[A-Z]{1,5}\$?(?=\s|$)")
_ASCII_CODE = re.compile(r"[=\[\]{}\"'+*/<>#\\]|\w\.\w")
SHORTEST = 3


@cache
def _han() -> re.Pattern[str]:
    """A character of scripts that part no words; compiled for the first line that may hold one, since it takes long."""
    return re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def is_prose(line: str) -> bool:
    """Whether a line reads as a sentence or a part of one."""
    line = _TAG.sub("", _QUOTED.sub("x", _BULLET.sub("", line[:500])))
    han = 0 if line.isascii() else len(_han().findall(line))
    if han >= 4 and han * 2 > len(line.replace(" ", "")) - 2:
        return not re.search(r"[=\[\]{}]", line)
    if han >= 4 and "。" in line and not _ASCII_CODE.search(line):
        return True
    if han >= 8 and not _ASCII_CODE.search(line):
        return True
    words = line.split()
    plain = sum(1 for word in words if _WORD.match(word.strip("\"'“”‘()*_`")))
    if len(words) >= SHORTEST:
        return plain * 4 >= len(words) * 3 and not (_CODE_SIGN.search(line) and plain * 5 < len(words) * 4)
    return plain == len(words) > 0 and _SENTENCE_END.search(line) is not None and line[:1].isupper()
