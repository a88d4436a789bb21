"""What printed output looks like, line by line; used where text stands in for code and where it follows code."""

import re
from functools import cache

_NUMBER = r"[-+]?(?:\d[\d_.]*+(?:e[-+]?\d+)?|\.\d+|nan|inf)[%jLs]?"
_WORDS_OF_PYTHON = r"(?:and|await|else|except|finally|for|if|in|is|lambda|not|or|try|yield)\b"
_SHAPES = (
    # the interpreter's own words
    r"\s*Traceback \(most recent call last\)",
    r"\s*(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration)(?::\s|\s*$|\s{4,}Traceback)",
    r"""\s*File "[^"]*", line \d+""",
    r"\s*(?:-+>|~+\^|\^+~*)\s*\d*\s*",
    r"\s*\[Errno -?\d+\]",
    r"\s*Out\s?\[\d*\]:?",
    r"\s*(?:ipdb>|\([Pp]db\+*\))(?:\s|$)",
    # an object that has no other form
    r".*<[A-Za-z_][\w.]*(?: [^<>]*)? at 0x[0-9a-fA-F]+.*>",
    r".*<(?:class|function|module|built-in|bound method|generator|type|enum|method|unbound method)\b[^=<]*>",
    r".*<(?:tf\.Tensor|tf\.Variable|Response \[|sqlalchemy|_io\.)",
    r"\s*(?:array|tensor|Tensor|DatetimeIndex|Index|Series|matrix)\(\[[^,\]]*\d\s+[-+.\d]",
    r"\s*<[A-Z_][\w.]*[^<>]*(?:\bobjects?\b|\w=)[^<>]*>\s*$",
    r"\s*<\w+(?:\.\w+)+[^<>]*>\s*$",
    r".*<a list of \d+ ",
    r".*\b[A-Z]\w*Warning: ",
    r"\s*[A-Za-z]:\\[\w\\. -]+",
    r"[-dlbcps][-rwxsStT]{9}[.+@]?\s",
    r"\s*Python [23]\.\d+\.\d+\S* .*\(|\s*\[(?:GCC|MSC|Clang)\b|\s*Type [\"']\w+[\"'](?:,| for)",
    # rows of numbers without commas, and what stands around them
    rf".*\[\s*(?:{_NUMBER}\\?\.?\s+){{2,}}{_NUMBER}\\?\.?\s*\]",
    rf"[\s\[\](){{}},|;:]*(?:{_NUMBER}[\s\[\](){{}},|;:]+)+{_NUMBER}[\s\[\](){{}},|;:]*$",
    r"""\s*\[(?:[-\w'".]++ ++)++[-\w'".]++ *\]\s*$""",
    r"\s*(?:Freq|Name|Length|dtype)\s*:\s.*\bdtype\b",
    r"\s*dtype: \w+$",
    r"\s*\[\d+ rows x \d+ columns\]",
    # a table's rules and rows
    r"\s*[+|][-=+|: ]{3,}[+|]?\s*$",
    r"\s*(?:[-=_*~#]{4,}+\s*+)+$",
    r"\s*\|.*\|\s*$",
    r"\s*\|(?: {2,}\S.*|\s*)$",
    r".*[│├└┌┐┘┤┬┴┼─╭╰╔╚║═▏▎▍▌▋▊▉█]",
    # a printed module tree, a printed configuration
    r"\s*\([\w.]+\): (?:\d+ x )?[A-Z]\w*\(",
    r"[A-Z]\w* \{$",
    # records of `key=value` with blanks between them
    r"(?:[^=(){}\"'#]*\s)?[\w.-]+=[^\s=(){}\"',]+(?:\s+[\w.-]+=[^\s=(){}\"',]+)+\s*$",
    # clocks, logs, progress
    rf"\s*(?!{_WORDS_OF_PYTHON})[A-Za-z_][\w.]*: (?:(?!{_WORDS_OF_PYTHON})[a-z]+ ){{2,}}",
    r"\s*\[?\d{4}[-/]\d\d[-/]\d\d[ T,]+\d\d?:\d\d",
    r"\s*\[?\d{4}-\d\d-\d\d\]?(?:\s|$)",
    r"\s*\[?(?:INFO|DEBUG|WARNING|WARN|ERROR|CRITICAL)\b[\]:| ]",
    r".*\b\d+%\s*\|",
    r".*\d(?:it|s|ex|examples|kB|MB|GB)/(?:s|it|ex|step)\b",
    r"\s*(?:Epoch|epoch|Iteration|Iter|iter|Step|step|Train|Training|Batch|batch|Round)\b[\s:#\[(]*\d+",
    r"\s*(?:CPU times|Wall time|Elapsed|Collecting|Downloading|Successfully installed|Requirement already)\b",
    r"\s*(?:Writing|Overwriting|Appending to) \S+\s*$",
    r".*\b\d+ loops?, best of \d+",
    r".*\b\d[\d.]* ?[mµnμ]?s ± ",
    r".*\b(?:loss|acc|accuracy|auc|f1|score|error|lr|val_\w+)\b\s*[:=]\s*[-+]?\d[\d.e-]*(?:\s|,|;|$)(?!.*\()",
)  # fmt: skip
_LABEL = re.compile(
    r"[#>*\-\s]*+(?:out(?:put|puts)?|result|results|prints?|stdout|console"
    r"|salida|saída|sortie|ausgabe|risultato|вывод|результат|çıktı|출력(?: 결과)?|出力|خروجی"
    r"|返回|输出(?:结果)?|结果|运行结果|打印结果)"
    r"\s*(?:\[\d*\])?\s*[:：]?\s*$",
    re.IGNORECASE,
)
# The dots of an abridged array, which no program text holds in this place.
_ABRIDGED = re.compile(r"\d\.?\s+\.\.\.\s+[-+]?\d|\[\s*\.\.\.\s*,?\s*$")
_FIGURE = re.compile(rf"{_NUMBER},?$")
_UNITS = frozenset({"%", "s", "sec", "sec.", "secs", "seconds", "ms", "us", "MB", "GB", "kB", "KB", "bytes", "rows"})
_CODE_MARK = re.compile(r"""[=(){}"'#`\\;]|\[(?!\w+\])""")
_CELL = re.compile(r"[\w./%:-]+")
_COLUMNS = re.compile(r" {2,}|\t")
# A longer line is judged by its beginning.
LONGEST_LINE = 400


@cache
def _shape() -> re.Pattern[str]:
    """Any of the shapes; compiled for the first line that is asked about."""
    return re.compile("|".join(f"(?:{shape})" for shape in _SHAPES))


def is_output(line: str) -> bool:
    """Whether a line has a shape that programs print and nobody writes as Python."""
    line = line[:LONGEST_LINE]
    return _shape().match(line) is not None or _ABRIDGED.search(line) is not None or _tells_figures(line)


def _tells_figures(line: str) -> bool:
    """Words and then a figure (`mean loss 0.25 s`), or columns of which some are figures."""
    if _CODE_MARK.search(line):
        return False
    words = line.split()
    if len(words) < 2:
        return False
    if words[-1] in _UNITS:
        words.pop()
    if len(words) > 1 and _FIGURE.match(words[-1]):
        return not words[-2].endswith((",", "+", "-", "*", "/", "<", ">"))
    cells = _COLUMNS.split(line.strip())
    return len(cells) > 1 and (any(map(_FIGURE.match, cells)) or all(map(_CELL.fullmatch, cells)))


def is_label(line: str) -> bool:
    """Whether a line says that output follows: `out:`, `Output`, `输出：`."""
    return len(line) < 60 and _LABEL.match(line) is not None
