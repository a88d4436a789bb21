"""What the text around a fence tells of it: that it fails, is an exercise, asks for a change, or shows what was."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

from auditor.structure.choices import choices
from auditor.structure.told import Choice, Told


class _Said:
    """What a text may say; the regex is tried only where it has one of some words, which cost next to nothing."""

    def __init__(self, words: Sequence[str], pattern: str) -> None:
        self._words = words
        self._pattern = pattern

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        return re.compile(self._pattern, re.VERBOSE | re.IGNORECASE)

    def is_in(self, text: str, lower: str) -> bool:
        """Whether a text, which is also given in small letters, says this."""
        for word in self._words:
            if word in lower:
                return self._regex.search(text) is not None
        return False


# Errors that a use of something that is not there, or a call that does not fit, is written to show.
_ERRORS = frozenset({"Name", "UnboundLocal", "Attribute", "Type", "Import", "ModuleNotFound"})
_ERROR = re.compile(r"Error(?<=[a-z]Error)\b")
# Code that handles or raises an error shows none.
_HANDLED = re.compile(r"[ \t>.]*(?:except\b[^\n]*|raise[ ]+(?:\w+\.)?)\Z")
_ERROR_NAME = re.compile(r"(?<!\w)[A-Za-z]+\Z")
# How far around a fence its error may be spoken of, in characters.
_BEFORE, _AFTER = 250, 500
# How much of the text before a fence is about it.
_PROSE = 700
_FAILS = _Said(
    (
        "fail", "crash", "break", "wrong", "work", "rror", "xception", "incorrect", "not allowed", "报错", "出错",
        "失败", "抛出", "错误",
    ),
    r"""\b(?:(?:will|would|to)[ ](?:fail|crash|break|go[ ]wrong)|fails
    |(?:does|do|will|would|did)(?:n['’]t|[ ]not)[ ]work
    |(?:raises?|throws?|causes?|results?[ ]in|produces?|gives?)[ ](?:you[ ])?an?[ ](?:\w+[ ])?(?:error|exception)
    |an[ ]error[ ](?:occurs|is[ ]raised)|what(?:'s|[ ]is)[ ]wrong|is[ ](?:wrong|incorrect|an[ ]error|not[ ]allowed))\b
    |(?<![不没会])(?:会)?报错|会出错|会失败|抛出(?:异常|错误)|错误(?:的|示例|写法|用法)""",
)  # fmt: skip
_EXERCISE = re.compile(
    r"""\b(?:exercises?|challenges?|your[ ]turn|try[ ]it[ ](?:yourself|out|now)|assignments?|homework|quiz(?:zes)?
    |katas?|practice|check[ ]your[ ]understanding|exercices?|ejercicios?|exerc[ií]cios?|esercizi\w*|übung(?:en)?
    |aufgaben?|mashq\w*|alıştırma\w*|вправ\w*|упражнени\w*|задани\w*|bài[ ]tập)\b
    |练习|練習|习题|習題|作业|作業|挑战|动手|思考题|编程题|课后|演習|課題|연습|과제|تمرین|تمرين|تمارين""",
    re.VERBOSE | re.IGNORECASE,
)
# What asks for code that is not there yet: a verb behind what makes it an order, or a thing to add.
_VERB = re.compile(
    r"(?:modify|change|alter|rewrite|extend|adapt|refactor|improve|enhance|generali[sz]e|redefine|fix|replace)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"""(?:\A|[.!?:,;)][ \n]+|^[ \t]*(?:[-*+]|\d+[.)]|\(\w\))[ ]+|^
        |\b(?:now|then|next|please|try|can[ ]you|let['’]s|to|and|should|must|can|could)[ \n]+)[*_]*\Z""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_VERB_WORDS = (
    "modif", "change", "alter", "rewrit", "exten", "adapt", "refactor", "improv", "enhanc", "generali", "redefin",
    "fix", "replac",
)  # fmt: skip
# How far before a verb it is looked for what makes it an order.
_NEAR = 16
_ADD = _Said(
    ("add ", "give ", "修改", "改写", "改造", "重写", "扩展", "增加", "添加"),
    r"""(?:add|give)[ ][^.\n]{0,60}
        \b(?:arguments?|parameters?|methods?|attributes?|options?|property|properties|support)\b
    |(?:修改|改写|改造|重写|扩展|增加|添加)[^。\n]{0,40}(?:函数|方法|类|参数|属性|装饰器)""",
)  # fmt: skip
_WISH = _Said(
    (
        "would be", "d like", "d love", "d want", "d prefer", "ideally", "hypothet", "desired", "proposed", "imaginary",
    ),
    r"""\b(?:would[ ]be[ ](?:nice|great|better|useful)|we(?:['’]d|[ ]would)[ ](?:like|love|want|prefer)[ ]to|ideally
    |hypothetical(?:ly)?|(?:desired|proposed|imaginary)[ ](?:api|syntax|usage|behaviou?r|interface|code))\b""",
)  # fmt: skip
# Pages and sections of changes, and words before a fence that shows what was.
_PAST_PATH = re.compile(
    r"""\b(?:change-?logs?|changes|release-?notes?|releases?|whats-?new|migrat\w+|upgrad\w+|breaking|deprecat\w+|legacy)\b
    |(?:\A|/)(?:history|news)\.\w+\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_PAST_HEADING = re.compile(
    r"""\b(?:change-?[ ]?logs?|release[ -]?notes?|what['’]?s[ ]new|migrat\w+|upgrad\w+|breaking|deprecat\w+|legacy
    |removals?|removed|old|previously)\b
    |\A\W*(?:before|history|changes)\W*\Z
    |\A\W*v?(?:ersion[ ])?\d+\.\d+(?:\.\d+)*(?:\.?(?:a|b|rc|dev|post)\d+)?\W*(?:\Z|\d{4}\b)
    |更新日志|变更|迁移|升级|旧版|弃用""",
    re.VERBOSE | re.IGNORECASE,
)
_PAST_PROSE = _Said(
    (
        "before", "previous", "instead", "deprecat", "old", "used to", "no longer", "removed", "legacy", "former",
        "renamed", "prior", "earlier", "in v", "in 0", "in 1", "in 2", "in 3", "bad", "wrong", "don", "not rec", "以前",
        "之前", "旧", "不再", "弃", "不推荐",
    ),
    r"""\b(?:before|previous(?:ly)?|instead[ ]of|deprecated|old(?:er)?|used[ ]to|no[ ]longer|removed|legacy|formerly
    |renamed|prior[ ]to|earlier[ ]versions?|in[ ]v?\d+\.\w+|bad|wrong|don['’]t|not[ ]recommended)\b
    |以前|之前的版本|旧版|不再|弃用|废弃|不推荐""",
)  # fmt: skip
_WORD = re.compile(r"[^\W\d]\w*")
_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})", re.MULTILINE)


class Surroundings:
    """The text of one page around its blocks; `starts` are where these begin, in order."""

    def __init__(self, path: str, text: str, starts: Sequence[int]) -> None:
        self._path = path
        self._text = text
        self._starts = starts

    @cached_property
    def _is_past(self) -> bool:
        return _PAST_PATH.search(self._path.replace("_", "-")) is not None

    @cached_property
    def _errors(self) -> list[int]:
        """Where the names of errors end that are of these kinds."""
        text = self._text
        return [
            found.end()
            for found in _ERROR.finditer(text)
            if (name := _word_before(text, found.start())) in _ERRORS
            and not _is_handled(text, found.start() - len(name))
        ]

    @cached_property
    def _choices(self) -> list[tuple[Choice, bool]]:
        return choices(self._text, self._starts)

    def told(self, start: int, end: int, heading: tuple[str, ...], needs: Iterable[str]) -> Told:
        """What is told of the block from `start` to `end`, which stands under some headings and needs some names."""
        choice, boxed = self._choices[bisect_left(self._starts, start)]
        prose = self._prose(start)
        exercise = boxed or any(map(_is_exercise, heading))
        lower = prose.lower()
        tail, lower_tail = prose[-_BEFORE:], lower[-_BEFORE:]
        wished = _ADD.is_in(prose, lower) or _WISH.is_in(prose, lower) or _orders(lower)
        asked = [name for name in needs if name in prose] if exercise or wished else []
        return Told(
            self._fails(start, end) or _FAILS.is_in(tail, lower_tail),
            exercise,
            wished,
            self._is_past or any(map(_is_past, heading)) or _PAST_PROSE.is_in(tail, lower_tail),
            frozenset(asked).intersection(_words(prose)) if asked else frozenset(),
            choice,
        )

    def _fails(self, start: int, end: int) -> bool:
        at = bisect_left(self._errors, start - _BEFORE)
        if at < len(self._errors) and self._errors[at] <= end + _AFTER:
            return True
        after = self._text[end : end + _BEFORE]
        opener = _FENCE.search(after)
        if opener is not None:
            after = after[: opener.start()]
        return _FAILS.is_in(after, after.lower())

    def _prose(self, start: int) -> str:
        """The text before a block, back to the end of the fence above it."""
        before = self._text[max(0, start - _PROSE) : start]
        at = max(before.rfind("```"), before.rfind("~~~"))
        return before[at + 3 :] if at >= 0 else before


def _orders(lower: str) -> bool:
    """Whether a text in small letters asks to change something: a verb that is no order is none."""
    for word in _VERB_WORDS:
        at = lower.find(word)
        while at >= 0:
            if _VERB.match(lower, at) and _ORDER.search(lower, max(0, at - _NEAR), at):
                return True
            at = lower.find(word, at + 1)
    return False


def _word_before(text: str, end: int) -> str:
    found = _ERROR_NAME.search(text, max(0, end - 20), end)
    return found[0] if found is not None else ""


def _words(prose: str) -> Iterator[str]:
    for word in _WORD.findall(prose):
        yield word
        yield word.strip("_")  # `_name_` is one in italics


def _is_handled(text: str, at: int) -> bool:
    return _HANDLED.match(text, text.rfind("\n", max(0, at - 200), at) + 1, at) is not None


@lru_cache(maxsize=512)
def _is_exercise(heading: str) -> bool:
    return _EXERCISE.search(heading[:300]) is not None


@lru_cache(maxsize=512)
def _is_past(heading: str) -> bool:
    return _PAST_HEADING.search(heading[:300]) is not None
