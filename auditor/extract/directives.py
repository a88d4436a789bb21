"""The option block that a directive's body may begin with; its lines are no code."""

import re

_COLON_OPTION = re.compile(r"[ \t]*:([\w-]+):[ \t]*([^\n]*)(?:\n|\Z)")
# A value of more than one line: each goes on behind its own colon.
_FURTHER = re.compile(r"[ \t]*:[ \t]+[^\n]*(?:\n|\Z)")
_YAML_OPTION = re.compile(r"(?<![\w-])([\w-]++)[ \t]*+:[ \t]*([^\n]*)", re.MULTILINE)
_YAML_BLOCK = re.compile(r"---[ \t]*\n((?:[^\n]*\n)*?)---[ \t]*(?:\n|\Z)")


def option_block(body: str) -> tuple[int, dict[str, str]]:
    """How many characters of a body are options, and what they say: `---` to `---`, or lines like `:name: value`."""
    options: dict[str, str] = {}
    block = _YAML_BLOCK.match(body)
    if block is not None:
        for found in _YAML_OPTION.finditer(block[1]):
            options.setdefault(found[1], found[2].strip())
        return block.end(), options
    at = 0
    while at < len(body) and (line := _COLON_OPTION.match(body, at)) is not None:
        options.setdefault(line[1], line[2].strip())
        at = line.end()
        while (further := _FURTHER.match(body, at)) is not None:
            at = further.end()
    return at, options
