"""From a page's lines back to the source: offsets, and bodies as mapped text."""

from bisect import bisect_right
from dataclasses import dataclass

from auditor.extract.events import Body
from auditor.extract.page import Page
from auditor.model import Edit, MappedText, Source


@dataclass(frozen=True, slots=True)
class Ground:
    """A source and the page read from it: the same lines, but the page's all end in LF. Lines are 0-based here."""

    source: Source
    page: Page

    def offset(self, line: int, column: int = 0) -> int:
        """The source's offset of a line and column."""
        starts = self.source.line_starts
        return min(starts[line] + column, len(self.source.text)) if line < len(starts) else len(self.source.text)

    def place(self, at: int) -> int:
        """The source's offset of an offset in the page's text."""
        line = bisect_right(self.page.raw, at) - 1
        return self.offset(line, at - self.page.raw[line])

    def code(self, start: int, end: int, body: Body) -> MappedText:
        """The lines `start` to `end` (excluded) as code, without what containers put in front of each."""
        text = self.source.text
        if body is None:
            return MappedText.of(text, [(self.offset(start), self.offset(end))])
        pieces: list[tuple[int, int]] = []
        pads: list[Edit] = []
        size = 0
        raw = self.page.raw
        for line, column, pad in body:
            if not start <= line < end:
                continue
            first = column - 1 if pad else column
            if pad:
                # A container ate this tab in part: blanks stand for the whole of it.
                pads.append(Edit(size, size + 1, " " * pad))
            low, high = self.offset(line, first), self.offset(line + 1)
            if pieces and pieces[-1][1] == low:
                pieces[-1] = (pieces[-1][0], high)
            else:
                pieces.append((low, high))
            size += raw[line + 1] - raw[line] - first
        code = MappedText.of(text, pieces or [(self.offset(end), self.offset(end))])
        return code.edit(pads) if pads else code
