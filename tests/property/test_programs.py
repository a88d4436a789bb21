"""Programs that a grammar makes up compile in a fence as they do bare."""

import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.compiling import CompileOptions, compile_blocks
from auditor.extract import ExtractOptions, extract
from auditor.matching import find, prepare
from auditor.model import Source

hypothesmith = pytest.importorskip("hypothesmith")
MARKS = "`" * 40


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_in_a_fence_as_bare(data: st.DataObject) -> None:
    program = data.draw(hypothesmith.from_node() | hypothesmith.from_grammar())
    if "\0" in program or "\r" in program or not program.strip():
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(program, "<test>", "exec")
    source = Source("p.md", f"{MARKS}python\n{program}\n{MARKS}\n")
    (answer,) = compile_blocks(source, extract(source, ExtractOptions()).blocks, CompileOptions())
    assert answer.verdict == "compiles"
    assert answer.code is not None
    find(prepare([]), answer.code.text)
