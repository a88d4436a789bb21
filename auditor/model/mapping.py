"""Code that was put together from pieces of a source, and the way back to them."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from auditor.model.text import LINE_END, Edit, Span


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of mapped text: `length` characters from `start` that come from `origin_length` at `origin`.

    Equal lengths mean a verbatim copy; otherwise the whole piece stands for the whole origin (a line end, a
    replacement, a tab that a container ate in part).
    """

    start: int
    length: int
    origin: int
    origin_length: int
    path: str | None = None


@dataclass(frozen=True, slots=True)
class MappedText:
    """Code, and for every piece of it where it came from. Lines end in LF."""

    text: str
    segments: tuple[Segment, ...]

    @classmethod
    def verbatim(cls, text: str, origin: int = 0, path: str | None = None) -> "MappedText":
        """Text that stands in the source as it is, from `origin` on."""
        return cls(text, (Segment(0, len(text), origin, len(text), path),))

    @classmethod
    def of(cls, source_text: str, pieces: Sequence[tuple[int, int]], path: str | None = None) -> "MappedText":
        """The pieces (start, end) of a source, joined; line ends in them become LF."""
        parts: list[str] = []
        segments: list[Segment] = []
        size = 0

        def add(text: str, origin: int, origin_length: int) -> None:
            nonlocal size
            last = segments[-1] if segments else None
            verbatim = len(text) == origin_length
            if (
                last is not None
                and verbatim
                and last.length == last.origin_length
                and last.origin + last.length == origin
            ):
                segments[-1] = replace(last, length=last.length + len(text), origin_length=last.length + len(text))
            elif text or origin_length:
                segments.append(Segment(size, len(text), origin, origin_length, path))
            parts.append(text)
            size += len(text)

        for start, end in pieces:
            at = start
            if source_text.find("\r", start, end) >= 0:
                for found in LINE_END.finditer(source_text, start, end):
                    if found[0] == "\n":
                        continue
                    add(source_text[at : found.start()], at, found.start() - at)
                    add("\n", found.start(), found.end() - found.start())
                    at = found.end()
            if at < end:
                add(source_text[at:end], at, end - at)
        if not segments:
            segments.append(Segment(0, 0, pieces[0][0] if pieces else 0, 0, path))
        return cls("".join(parts), tuple(segments))

    def _segment_at(self, offset: int) -> Segment:
        index = bisect_right(self.segments, offset, key=lambda segment: segment.start) - 1
        return self.segments[max(index, 0)]

    def locate(self, start: int, end: int | None = None) -> Span:
        """The span in the source of the text's offsets `start` to `end` (default: nothing wide)."""
        first = self._segment_at(start)
        inside = start - first.start
        if first.length == first.origin_length:
            origin = first.origin + min(inside, first.length)
        else:
            origin = first.origin + (first.origin_length if first.length and inside >= first.length else 0)
        if end is None or end <= start:
            return Span(origin, origin, first.path)
        last = self._segment_at(end - 1)
        inside = end - last.start
        stop = last.origin + (inside if last.length == last.origin_length else last.origin_length)
        return Span(origin, max(origin, stop), first.path)

    def edit(self, edits: Iterable[Edit]) -> "MappedText":
        """The text after edits, which are in order and do not overlap; a replacement stands for what it replaced."""
        parts: list[str] = []
        segments: list[Segment] = []
        size = at = 0

        def keep(start: int, end: int) -> None:
            nonlocal size
            if start >= end:
                return
            parts.append(self.text[start:end])
            index = max(bisect_right(self.segments, start, key=lambda segment: segment.start) - 1, 0)
            for at_segment in range(index, len(self.segments)):  # a slice would copy the rest at every edit
                segment = self.segments[at_segment]
                if segment.start >= end:
                    break
                low, high = max(start, segment.start), min(end, segment.start + segment.length)
                if low >= high:
                    continue
                if segment.length == segment.origin_length:
                    origin, width = segment.origin + low - segment.start, high - low
                else:
                    origin, width = segment.origin, segment.origin_length
                segments.append(Segment(size, high - low, origin, width, segment.path))
                size += high - low

        for edit in edits:
            keep(at, edit.start)
            if edit.replacement:
                span = self.locate(edit.start, edit.end)
                parts.append(edit.replacement)
                segments.append(Segment(size, len(edit.replacement), span.start, span.end - span.start, span.path))
                size += len(edit.replacement)
            at = edit.end
        keep(at, len(self.text))
        if not segments:
            span = self.locate(0)
            segments.append(Segment(0, 0, span.start, 0, span.path))
        return MappedText("".join(parts), tuple(segments))
