"""Pages made up of prose, containers and fences, with what each fence is known to hold and where."""

from dataclasses import dataclass

from hypothesis import strategies as st

SOUND = (
    "x = 1", "def f(a):\n    return a\n", "for i in y:\n\n    print(i)", "class A:\n    x: int = 1", "s = '''\na\n'''",
    "import a\nfrom b import c", "async def f():\n    await g()", "甲 = '乙'", "", "x = [\n    1,\n]",
    "with a as b: pass",
)  # fmt: skip
BROKEN = (
    "bad(", "x = = 1", "x = f(1，2)", "if x\n    y", "def f(:\n    pass", "print 'x'", "a b c = 1", "x = “a”",
    "class A:\ndef f(self):\n    pass",
)  # fmt: skip
PROSE = ("words", "甲乙丙 words", "# A heading", "a [link](x) and `code`", "* * *", "| a | b |\n|---|---|", "1. one")
CONTAINERS = ("", "> ", "- ", "1. ", "> - ", "- > ", "> > ", "  - ")


@dataclass(frozen=True)
class Fence:
    """A fence in a container: its code, and whether it compiles as it stands."""

    container: str
    marks: str
    code: str

    @property
    def text(self) -> str:
        """The fence as it stands in the page."""
        first, rest = self.container, "".join(mark if mark == ">" else " " for mark in self.container)
        lines = [f"{self.marks}python", *self.code.split("\n"), self.marks]
        return "\n".join(f"{first if number == 0 else rest}{line}" for number, line in enumerate(lines))

    @property
    def column(self) -> int:
        """The column of the first mark, and of the code's margin."""
        return len(self.container) + 1


@dataclass(frozen=True)
class Page:
    """A page and the fences in it with the lines of their openers."""

    text: str
    fences: tuple[tuple[int, Fence], ...]


def fences(*codes: str) -> st.SearchStrategy[Fence]:
    """Fences of some codes in any container."""
    return st.builds(
        Fence, st.sampled_from(CONTAINERS), st.sampled_from(["```", "````", "~~~"]), st.sampled_from(codes)
    )


def _page(parts: list[str | Fence]) -> Page:
    lines: list[str] = []
    found = []
    for part in parts:
        if isinstance(part, Fence):
            found.append((len(lines) + 1, part))
        text = part.text if isinstance(part, Fence) else part
        # A comment ends every container, so that the next part stands by itself.
        lines += [*text.split("\n"), "", "<!-- -->", ""]
    return Page("\n".join(lines), tuple(found))


PAGES = st.lists(st.sampled_from(PROSE) | fences(*SOUND, *BROKEN), min_size=1, max_size=7).map(_page)
