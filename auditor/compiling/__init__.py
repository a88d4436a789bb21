"""From a block to its answer: is this Python, on which version, and where does it belong?"""

from auditor.compiling.page import GAVE_UP, CompileOptions, compile_blocks

__all__ = ["GAVE_UP", "CompileOptions", "compile_blocks"]
