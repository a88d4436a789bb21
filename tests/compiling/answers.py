"""A block and its answer from a text alone, for the tests of this room."""

from dataclasses import dataclass

from auditor.compiling import CompileOptions, compile_blocks
from auditor.model import Block, BlockKind, Compilation, MappedText, Position, Source, Span


@dataclass(frozen=True, slots=True)
class Answer:
    """What the tests look at: a compilation and where its diagnoses point."""

    compilation: Compilation
    source: Source

    @property
    def short(self) -> tuple[str, str | None]:
        return self.compilation.verdict, self.compilation.context

    @property
    def refused(self) -> bool:
        """Whether no context was found; which of the two refusals it is the diagnoses decide."""
        return self.short in {("broken", None), ("not-python", None)}

    @property
    def text(self) -> str:
        assert self.compilation.code is not None
        return self.compilation.code.text

    @property
    def said(self) -> list[tuple[str, int, int]]:
        """Kind, line and column of each diagnosis."""
        return [(one.kind, *self.source.position(one.span.start)) for one in self.compilation.diagnoses]

    def origin(self, part: str) -> Position:
        """Where the first occurrence of a part of the compiled code stands in the source."""
        assert self.compilation.code is not None
        return self.source.position(self.compilation.code.locate(self.text.index(part)).start)


def block_of(
    code: MappedText, *, kind: BlockKind = "fence", language: str = "python", skip: str | None = None
) -> Block:
    start = code.locate(0).start
    return Block(kind, language, language, {}, (), (), code, Span(start, start + len(code.text)), skip=skip)


def answer(
    text: str,
    *,
    kind: BlockKind = "fence",
    language: str = "python",
    targets: tuple[str, ...] = (),
    max_size: int = 10**6,
    max_line: int = 200_000,
) -> Answer:
    """The answer for a source that holds nothing but one block."""
    source = Source("page.md", text)
    block = block_of(MappedText.verbatim(text), kind=kind, language=language)
    (compilation,) = compile_blocks(source, [block], CompileOptions(targets, max_size, max_line))
    return Answer(compilation, source)


def answers(*texts: str) -> list[Answer]:
    """The answers for blocks that follow each other in one source, with a blank line between them."""
    source = Source("page.md", "\n\n".join(texts))
    blocks = []
    at = 0
    for text in texts:
        blocks.append(block_of(MappedText.verbatim(text, at)))
        at += len(text) + 2
    return [Answer(one, source) for one in compile_blocks(source, blocks, CompileOptions())]
