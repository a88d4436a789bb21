"""The Python files that a page links to, in its repository or elsewhere."""

# How far before its `.py` a link may begin, in characters.
_FAR = 500
# What stands before a link's target: of a link in brackets, of a definition, of HTML; an address needs nothing.
_BEFORE = ("](", "](<", "]: ", 'href="', "href='")
# What stands in no target.
_APART = "<>()\"'`[] \t\n\r"
# What may stand behind a file's name in a link.
_ENDS = ("#", "?", ")", ">", '"', "'", " ", "\n", "\t", "\r", "")


def linked(text: str) -> tuple[str, ...]:
    """The targets of a text's links to Python files, each once, without what stands behind the file's name."""
    found: dict[str, None] = {}
    at = text.find(".py")
    while at >= 0:
        end = at + len(".py")
        if text[end : end + 1] in _ENDS:
            low = max(at - _FAR, 0)
            start = max(low, *(text.rfind(mark, low, at) + 1 for mark in _APART))
            if text.startswith(("http://", "https://"), start) or text[max(start - 6, 0) : start].endswith(_BEFORE):
                found[text[start:end]] = None
        at = text.find(".py", end)
    return tuple(found)
