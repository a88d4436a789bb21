"""From a block to its answer: is this Python, on which version, and where does it belong?"""

from collections.abc import Sequence

from auditor.compiling.options import GAVE_UP, CompileOptions
from auditor.model import Block, Compilation, Source

__all__ = ["GAVE_UP", "CompileOptions", "compile_blocks"]


def compile_blocks(source: Source, blocks: Sequence[Block], options: CompileOptions) -> tuple[Compilation, ...]:
    """One answer for each block of the source, in order; never raises and never runs what it reads."""
    from auditor.compiling.page import compile_blocks as compile_all  # noqa: PLC0415 - not where there is no code

    return compile_all(source, blocks, options) if blocks else ()
