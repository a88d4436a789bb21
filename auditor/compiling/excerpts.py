"""Parts of a mapped text, and parts put below each other, every one with its places."""

from bisect import bisect_left
from dataclasses import replace

from auditor.model import Edit, MappedText, Segment


def excerpt(code: MappedText, start: int, end: int) -> MappedText:
    """The text from `start` to `end`, excluded, with its places."""
    edits = [Edit(0, start, ""), Edit(end, len(code.text), "")]
    return code.edit([edit for edit in edits if edit.start < edit.end])


def joined(pieces: list[MappedText]) -> MappedText:
    """The pieces below each other, each ending its own line."""
    texts: list[str] = []
    segments: list[Segment] = []
    size = 0
    for piece in pieces:
        segments.extend(replace(segment, start=size + segment.start) for segment in piece.segments)
        text = piece.text
        if not text.endswith("\n"):
            end = piece.locate(len(text))
            segments.append(Segment(size + len(text), 1, end.start, 0, end.path))
            text += "\n"
        texts.append(text)
        size += len(text)
    return MappedText("".join(texts), tuple(segments))


def offset_of(code: MappedText, origin: int) -> int:
    """The first offset of the text that comes from the source's offset `origin` or from behind it."""
    index = bisect_left(code.segments, origin, key=lambda segment: segment.origin + segment.origin_length)
    if index == len(code.segments):
        return len(code.text)
    segment = code.segments[index]
    return segment.start + min(max(origin - segment.origin, 0), segment.length)
