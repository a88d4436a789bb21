"""Lines of dots go, comments that say the same stay."""

from auditor.compiling import CompileOptions, compile_blocks
from auditor.extract import ExtractOptions, extract
from auditor.model import Source


def test_a_comment_of_dots_is_no_line_of_dots() -> None:
    source = Source("p.md", "```python\nclass A:\n    x = 1\n        ...\n    # ...\n    y = 2\n```\n")
    (answer,) = compile_blocks(source, extract(source, ExtractOptions()).blocks, CompileOptions())
    assert answer.verdict == "compiles-elided"
    assert answer.code is not None
    assert "# ..." in answer.code.text
    assert "y = 2" in answer.code.text
