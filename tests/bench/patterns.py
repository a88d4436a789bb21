"""Search with every regular expression of the tool in texts that are hard on them: `python tests/bench/patterns.py`.

Each is tried on runs of one character or a few, twice as long each time, behind a beginning that may lead it in. Prints
those that take the square of a text or more, or do not come to an end; exits with 1 where there is one.
"""

import importlib
import math
import pkgutil
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import auditor

RUNS = (
    " ", "\t", "\n", "\r", "a", "1", ".", ",", ":", ";", "(", ")", "[", "]", "{", "}", "<", ">", "=", "-", "+",
    "*", "/", "%", "&", "|", "!", "?", "#", "@", "$", "\\", "'", '"', "`", "~", "_", "^", "，", "（", "…", "\xa0",
    "\u200b", "é", "a ", " a", "a.", ".a", "a,", "a, ", "1.", "1 ", "a=", "a = ", "a:", "a\n", " \n", "\n ",
    "\n\n", "\t\n", "\\\n", "\\ ", "()", "[]", "{}", "a(", "a[", "a)", "f(", "(a,", "''", '""', '"a" ', "'''",
    '"""', "`a`", "```", "```\n", "~~~\n", "> ", "- ", "1. ", "# ", "#\n", "# a\n", "<a ", "</", "<!--", "-->",
    "&lt;", "...", "... ", ">>> ", ">>>\n", "In [1]: ", "Out[1]: ", "if ", "def f(", "class A", "import a",
    "from a ", "as a, ", "lambda: ", "not ", "and a ", "for a in ", "else:\n", "@a\n", "%a ", "$ ", "!a ",
    "a b ", "A", "Aa", "a_", "a1", "a-", "a/", "\\a", "\\\\", "a\\n", "0x", "1e", "-1", "--", "==", "<=", "->",
    "=>", "|a", "{a", "{a}", "a='", 'a="', "{%", "%}", "${", "\\_", "\\[", "\u2028", "\x0c", "\x0b",
)  # fmt: skip
LEADS = (
    "",
    "a",
    "x = ",
    " ",
    "\n",
    "(",
    "{",
    '"',
    "'",
    "`",
    "#",
    "<",
    "```",
    "def f(",
    "import a",
    ">>> ",
    "%",
    "$",
    "@",
)
ENDS = ("", "x", "\n", ")", "!")
SHORT, LONG = 500, 4_000
# Eight times the text costs a square 64 times as much; below so many seconds it may cost what it likes.
STEEP, NOTHING = 30.0, 0.005
PATIENCE = 0.5


def patterns() -> Iterator[tuple[str, re.Pattern[str], frozenset[str]]]:
    """All that stand in modules, by where they stand, and what the tool asks of them, by the names of methods."""
    seen: set[int] = set()
    sources = "".join(file.read_text() for folder in auditor.__path__ for file in Path(folder).rglob("*.py"))
    asked: dict[str, set[str]] = defaultdict(set)
    for name, method in re.findall(
        r"\b(\w+)(?:\[[^\]\n]*\])?\.(match|fullmatch|search|finditer|findall|sub|subn|split)\b", sources
    ):
        asked[name].add(method)
    for module in pkgutil.walk_packages(auditor.__path__, "auditor."):
        if module.name.startswith("auditor.evidence"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            for found in _within(value, 0):
                if id(found) not in seen:
                    seen.add(id(found))
                    yield f"{module.name}.{name}", found, frozenset(asked[name]) or frozenset({"search"})


def _within(value: object, depth: int) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth < 3:
        if isinstance(value, dict):
            value = [*value, *value.values()]
        if isinstance(value, tuple | list | frozenset | set):
            for item in value:
                yield from _within(item, depth + 1)


def seconds(pattern: re.Pattern[str], text: str, methods: frozenset[str]) -> float:
    """How long it takes to ask of a text what the tool asks; `inf` where that is more than `PATIENCE`."""
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    started = time.process_time()
    try:
        if not methods <= {"match", "fullmatch"}:
            for _ in pattern.finditer(text):
                pass
        if "match" in methods:
            pattern.match(text)
        if "fullmatch" in methods:
            pattern.fullmatch(text)
    except TimeoutError:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - started


def hardest(pattern: re.Pattern[str], methods: frozenset[str]) -> tuple[float, str]:
    """The longest time that a text takes whose cost is steep, and the text, in short."""
    worst = (0.0, "")
    for run in RUNS:
        for lead in LEADS:
            for end in ENDS:
                long = seconds(pattern, lead + run * (LONG // len(run)) + end, methods)
                if long <= max(NOTHING, worst[0]):
                    continue
                short = seconds(pattern, lead + run * (SHORT // len(run)) + end, methods)
                if long > STEEP * max(short, NOTHING / STEEP):
                    worst = (long, f"{lead!r} {run!r} {end!r}")
                    if long == math.inf:
                        return worst
    return worst


def give_up(_number: int, _frame: object) -> None:
    """End a search that takes too long."""
    raise TimeoutError


def main() -> None:
    """Try them all."""
    signal.signal(signal.SIGPROF, give_up)
    steep = 0
    for name, pattern, methods in patterns():
        long, text = hardest(pattern, methods)
        if long:
            steep += 1
            print(f"{long * 1000:8.1f} ms for {LONG:,} characters: {name}: {text}", flush=True)
    sys.exit(min(steep, 1))


if __name__ == "__main__":
    main()
