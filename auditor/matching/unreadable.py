"""Valid Python that libcst does not read, as far as is known: three kinds in 1,766 files of the standard library.

A text that holds no rule's words is not parsed; one that may be of these kinds is all the same, so that it is said
where rules could not be applied.
"""

import re

_SUSPECT = re.compile(
    r"^[ \t]*\([^()\n]*\)[ \t]*:(?!=)"  # `(x): int = 1`
    r"|^[ \t]*class\b[^#\n]*=[^#\n]*,[ \t]*\*(?!\*)"  # `class A(B, metaclass=C, *D)`
    r"|(?<!\w)(?:and|assert|await|elif|else|if|in|is|not|or|return|while|yield)\([ \t]*lambda\b",  # `x or(lambda: y)`
    re.MULTILINE,
)


def may_be_unreadable(code: str) -> bool:
    """Whether a text looks as if libcst could not read it."""
    return _SUSPECT.search(code) is not None
