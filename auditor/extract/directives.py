"""The option block that a MyST directive's body may begin with; its lines are no code."""

import re

_COLON_OPTION = re.compile(r"[ \t]*:([\w-]+):[ \t]*(.*)\Z")
_YAML_OPTION = re.compile(r"([\w-]+)[ \t]*:[ \t]*(.*)\Z")


def option_block(lines: list[str]) -> tuple[int, dict[str, str]]:
    """How many of the lines are options, and what they say: `---` to `---`, or lines like `:name: value`."""
    options: dict[str, str] = {}
    if not lines:
        return 0, options
    if lines[0].rstrip() == "---":
        for number, line in enumerate(lines[1:], start=1):
            if line.rstrip() == "---":
                for inner in lines[1:number]:
                    found = _YAML_OPTION.match(inner)
                    if found is not None:
                        options.setdefault(found[1], found[2].strip())
                return number + 1, options
        return 0, options
    count = 0
    for line in lines:
        found = _COLON_OPTION.match(line)
        if found is None:
            break
        options.setdefault(found[1], found[2].strip())
        count += 1
    return count, options
