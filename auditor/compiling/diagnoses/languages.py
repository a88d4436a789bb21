"""What lines of other languages look like, as far as they are no Python.

`sure` shapes stand in hardly any other text; `likely` ones count where they make up most of the lines that are no
Python. They are compiled when a text is first held against them.
"""

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Language:
    """A label for an info string and the shapes of its lines."""

    label: str
    sure: str
    likely: str


@cache
def shape(text: str) -> re.Pattern[str]:
    """The shapes of a language, to be matched at a line's beginning."""
    return re.compile(text)


def _lines(*shapes: str, flags: str = "") -> str:
    return f"(?{flags}:" + "|".join(f"(?:{shape})" for shape in shapes) + ")"


_TYPESCRIPT_SIGNS = (
    r"\binterface \w+|\btype \w+(?:<\w+>)? = |\bimport type\b|\bas const\b|\benum \w+ \{"
    r"|\b(?:private|public|readonly) \w+"
    r"|[(,]\s*\w+\??: (?:string|number|boolean|any|unknown|void|[A-Z]\w*(?:<[^<>()]*>)?(?:\[\])?)\b[^{}\n]*[,)]"
    r"|\): (?:Promise|string|number|boolean|void|[A-Z]\w*)\b[^\n]*\{|\b(?:const|let) \w+: |\bz\.infer<"
    r"|\)?: \w+\[\] (?:=|\{)"
)

LANGUAGES: tuple[Language, ...] = (
    Language(
        "jinja",
        _lines(
            r".*\{%-?\s*(?:if|for|endif|endfor|else|elif|set|block|endblock|include|extends|macro|raw|import|from"
            r"|call)\b"
        ),
        _lines(r".*\{\{[-~]?\s*[\w.]+(?:\s*\|[^{}]*)?\s*[-~]?\}\}", r"\s*\{#.*#\}"),
    ),
    Language("handlebars", _lines(r".*\{\{[#/^>!]\s*[\w.-]+"), _lines(r".*\{\{[\w. ]+\}\}", r"\s*<")),
    Language(
        "c",
        _lines(
            r"\s*#\s*include\s*[<\"]",
            r"\s*#\s*(?:define|ifdef|ifndef|endif|pragma)\b",
            r"\s*(?:static |extern |const |unsigned )*(?:int|void|char|float|double|size_t|bool|auto|u?int\d+_t)"
            r"\s*\**\s*\w+\s*\([^()]*\)\s*\{?\s*$",
            r"\s*typedef\s",
            r"\s*struct \w+ \{",
            r"\s*template\s*<",
            r"\s*std::\w+",
            r"\s*using namespace\b",
            r"\s*namespace \w+",
        ),
        _lines(
            r"\s*(?:const )?(?:int|char|float|double|long|bool|void|auto|size_t|std::\w+)\s*[*&]*\s*\w+.*;\s*$",
            r"\s*//",
            r".*;\s*$",
            r"\s*[{}]\s*;?\s*$",
            r"\s*/\*",
            r"\s*\*/",
            r"\s*for\s*\(.*;.*;",
        ),
    ),
    Language(
        "java",
        _lines(
            r"\s*(?:public|private|protected)\s+(?:static |final |abstract )*"
            r"(?:class|interface|enum|void|int|String|boolean|[A-Z]\w*(?:<.*>)?)\s+\w+",
            r"\s*System\.out\.print",
            r"\s*package [\w.]+;",
            r"\s*import (?:static )?[\w.]+(?:\.\*)?;\s*$",
            r"\s*@Override\b",
        ),
        _lines(r".*;\s*$", r"\s*[{}]\s*$", r"\s*//", r"\s*\}?.*\{\s*$", r"\s*(?:/\*|\*)"),
    ),
    Language(
        "rust",
        _lines(
            r"\s*(?:pub(?:\(\w+\))? )?(?:async )?fn \w+\s*[<(]",
            r"\s*let mut \w+",
            r"\s*impl(?:<.*>)? \w+",
            r"\s*use [\w:]+(?:::\{.*\}|::\w+|::\*)?;",
            r"\s*println!\(",
            r"\s*#!?\[\w+",
            r"\s*pub (?:struct|enum|mod|trait)\b",
        ),
        _lines(r".*;\s*$", r"\s*[{}]\s*$", r"\s*//", r"\s*let \w+", r".*=> .*", r".*\{\s*$"),
    ),
    Language(
        "go",
        _lines(
            r"\s*package \w+\s*$", r"\s*func (?:\(\w+ \*?\w+\) )?\w+\(.*\{\s*$", r"\s*import \(\s*$", r"\s*fmt\.\w+\("
        ),
        _lines(r".*:= ", r"\s*[{}]\s*$", r"\s*//", r".*\{\s*$", r"\s*var \w+ "),
    ),
    Language(
        "javascript",
        _lines(
            r"\s*(?:export )?(?:const|let|var) (?:\w+|\{[^=\n]*\}?|\[.*\])\s*(?::[^=\n]*)?(?:=|;|$)",
            r"\s*import (?:type )?(?:\*\s+as \w+|\{[^}\n]*\}|\w+(?:,\s*\{.*\})?) from ['\"]",
            r"\s*import ['\"][^'\"]+['\"];?\s*$",
            r"\s*(?:export )?(?:default )?(?:async )?function\s*\*?\s*\w*\s*(?:<[^>\n]*>)?\(.*",
            r"\s*export (?:default|const|class|type|interface|async|\{|\*)",
            r"\s*console\.\w+\(.*\);?\s*$",
            r".*\)\s*=>\s*\{?",
            r".*\b\w+ => ",
            r"\s*(?:interface|enum) \w+.*\{",
            r"\s*type \w+(?:<\w+>)? = .*[;{|]\s*$",
            r".*\b(?:require|module\.exports)\b\s*[(=]",
            r"\s*\} (?:else|catch)\b.*\{\s*$",
            r".*[\w)\]] ?[=!]==(?!=)",
            r".*\bnew [A-Z]\w*\(",
        ),
        _lines(
            r".*[;{]\s*$",
            r"\s*[)\]}]+[;,]?\s*$",
            r"\s*//",
            r"\s*\w+: .*,?\s*$",
            r"\s*(?:/\*|\*)",
            r"\s*\.\w+\(",
            r".*\?\.",
            r"\s*(?:await|return) ",
        ),
    ),
    Language(
        "php",
        _lines(r"\s*<\?(?:php|=)", r"\s*\$\w+\s*=.*;\s*$", r"\s*\$\w+->\w+", r"\s*echo .*;\s*$"),
        _lines(r".*;\s*$", r"\s*[{}]\s*$"),
    ),
    Language(
        "html",
        _lines(
            r"\s*<!DOCTYPE",
            r"\s*</?(?:html|head|body|div|span|p|a|ul|ol|li|table|tr|td|th|script|style|link|meta|img|form|input"
            r"|button|h[1-6]|br|hr|section|nav|title|label|pre|code|template|iframe|video|details|summary)\b[^<>]*/?>",
            r"\s*<!--",
            flags="i",
        ),
        _lines(r"\s*<[\w/]", r".*</\w+>\s*$"),
    ),
    Language(
        "xml",
        _lines(
            r"\s*<\?xml\b",
            r"\s*<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>.*</\1>\s*$",
            r"\s*</[A-Za-z][\w:.-]*>\s*$",
            r"\s*<[A-Za-z][\w:.-]*(?:\s+[\w:.-]+=\"[^\"]*\")+\s*/?>",
        ),
        _lines(r"\s*<[A-Za-z/!]"),
    ),
    Language(
        "sql",
        _lines(
            r"\s*(?:SELECT\b.*|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE (?:OR REPLACE )?"
            r"(?:TABLE|DATABASE|INDEX|VIEW|FUNCTION|USER|EXTENSION|SCHEMA)|ALTER TABLE|DROP (?:TABLE|DATABASE)"
            r"|GRANT \w+|WITH \w+ AS \()",
            r"\s*(?:select|insert into|delete from|create table|alter table) [\w*`\"(].*",
            r"\s*USE \w+;",
        ),
        _lines(
            r"\s*(?:FROM|WHERE|AND|OR|GROUP BY|ORDER BY|LIMIT|JOIN|LEFT|INNER|HAVING|VALUES|SET|ON)\b.*",
            r".*;\s*$",
            r"\s*--",
            flags="i",
        ),
    ),
    Language(
        "dockerfile",
        _lines(
            r"FROM [\w./:-]+(?: (?:AS|as) \w+)?\s*$",
            r"(?:RUN|COPY|ADD|ENTRYPOINT|CMD|WORKDIR|EXPOSE|ENV|ARG|LABEL|VOLUME|USER|HEALTHCHECK) \S",
        ),
        _lines(r"\s+\S", r"#"),
    ),
    Language(
        "bash",
        _lines(
            r"#!\s*/\S*(?:sh|env \w*sh)\b",
            r"\s*if \[\[? .* \]\]?\s*;?(?: then)?\s*$",
            r"\s*(?:fi|done|esac)\s*;?\s*$",
            r"\s*for \w+ in .*;\s*do\b",
            r"\s*while .*;\s*do\b",
            r"\s*(?:function )?\w+\s*\(\)\s*\{\s*$",
            r"\s*export [A-Za-z_]\w*=",
            r"\s*then\s*$",
        ),
        _lines(r".*\$[{(]?\w+", r"\s*echo\b", r"\s*[a-z][\w-]* .*-{1,2}\w"),
    ),
    Language(
        "powershell",
        _lines(
            r"\s*\$env:\w+",
            r"\s*(?:Get|Set|New|Remove|Import|Install|Write|Invoke)-[A-Z]\w+",
            r"\s*\$\w+\s*=\s*(?:Get|New)-",
        ),
        _lines(r"\s*\$\w+"),
    ),
    Language(
        "cython",
        _lines(
            r"\s*c(?:p?def|import)\b",
            r"\s*from [\w.]+ cimport\b",
            r"\s*(?:cp?)?def \w+\((?:[^()]*,\s*)?(?:unsigned )?(?:int|double|float|long|char|object)"
            r"\s*(?:\[[:, 1]*\])?\s*\*?\s*\w+",
            r"\s*ctypedef\b",
            r"\s*property \w+:\s*$",
        ),
        _lines(r".*<(?:int|double|float|void)\s*\*?>"),
    ),
    Language(
        "r",
        _lines(r"\s*[\w.]+\s*<- (?:function\s*\()?", r"\s*library\([\w.]+\)\s*$", r".*%>%"),
        _lines(r"\s*[{}]\s*$"),
    ),
    Language(
        "julia",
        _lines(r"\s*using [A-Z]\w*(?:,\s*[A-Z]\w*)*\s*$", r"\s*function \w+\(.*\)\s*$", r"\s*println\("),
        _lines(r"\s*end\s*$"),
    ),
    Language(
        "lua",
        _lines(r"\s*local (?:function )?\w+", r"\s*function [\w.:]+\(.*\)\s*$", r"\s*(?:if|elseif) .* then\s*$"),
        _lines(r"\s*end\s*$", r"\s*--"),
    ),
    Language(
        "ruby",
        _lines(r"\s*require ['\"]", r".*\bdo \|\w+(?:, \w+)*\|\s*$", r"\s*puts\b", r"\s*def \w+[?!]?(?:\(.*\))?\s*$"),
        _lines(r"\s*end\s*$"),
    ),
    Language(
        "latex",
        _lines(
            r"\s*\\(?:begin|end|frac|documentclass|usepackage|section|item|text\w*|sum|mathbf|left|right)\b", r"\s*\$\$"
        ),
        _lines(r".*\\[a-z]{2,}"),
    ),
    Language(
        "css",
        _lines(
            r"\s*(?:[.#][\w-]|(?:body|html|div|a|ul|li|p|h[1-6]|table|:root)\b|\*)[\w .#:>,*-]*\{\s*$",
            r"\s*@(?:media|import|keyframes)\b.*[{;]\s*$",
        ),
        _lines(r"\s*[\w-]+:\s*[^;{}]+;\s*$", r"\s*\}\s*$"),
    ),
    Language(
        "http",
        _lines(
            r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (?:/|https?://)\S*(?: HTTP/[\d.]+)?\s*$",
            r"HTTP/[\d.]+ \d{3}\b",
        ),
        _lines(r"[A-Za-z-]+: \S"),
    ),
    Language(
        "graphql",
        _lines(r"\s*(?:query|mutation|subscription|fragment) \w*.*\{\s*$"),
        _lines(r"\s*\w+(?:\(.*\))?\s*\{?\s*$", r"\s*\}\s*$"),
    ),
    Language(
        "protobuf",
        _lines(r"\s*syntax\s*=\s*\"proto\d\";", r"\s*message \w+ \{\s*$", r"\s*service \w+ \{\s*$"),
        _lines(r".*;\s*$", r"\s*\}\s*$"),
    ),
    Language(
        "toml",
        _lines(
            r"\[\[?(?:tool|project|build-system|package|dependencies|settings|server|database)[\w.\"'-]*\]\]?\s*$",
            r"\[[\w-]+\.[\w.\"-]+\]\s*$",
        ),
        _lines(r"[\w.\"-]+\s*=\s*\S", r"\[\[?[^\]]*\]\]?\s*$", r"\s*#", r"\s+\S", r"\]"),
    ),
    Language(
        "ini",
        _lines(r"\[[A-Za-z][\w .-]*\]\s*$"),
        _lines(r"[\w.%-]+\s*[=:]\s*\S*", r"\s*[;#]"),
    ),
    Language(
        "yaml",
        _lines(
            r"---\s*$",
            r"\s*- [\w-]+:(?: |$)",
            r"\s*(?:services|version|name|jobs|steps|on|apiVersion|kind|metadata|dependencies|channels|image|ports)"
            r":\s*(?:\S.*)?$",
        ),
        _lines(r"\s*[\w.\"'/-]+:(?: .*)?$", r"\s*- \S", r"\s*#", r"\s+\S"),
    ),
    Language(
        "markdown",
        _lines(
            r"\s*(?:`{3,}|~{3,})[^`]*$",
            r":{3,}\s*(?:\{[^{}]*\}|[\w-]+)?\s*$",
            r"\s*\{\{<.*>\}\}\s*$",
            r"#{2,6} \S",
            r"!\[[^\]]*\]\(",
            r"\s*(?:[-*] )?\[[^\]]+\]\([^)\s]+\)",
        ),
        _lines(r"\s*[-*+] \S", r"\s*\d+\. \S", r"# \S", r"> "),
    ),
)


def is_typescript(text: str) -> bool:
    """Whether JavaScript-like text has types in it."""
    return re.search(_TYPESCRIPT_SIGNS, text) is not None
