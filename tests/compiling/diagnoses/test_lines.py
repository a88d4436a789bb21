"""The scanner: what it takes for tokens, statements and brackets, and that it never takes long."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.compiling.diagnoses.lines import scan


def texts(code: str) -> list[str]:
    return [token.text for token in scan(code).tokens]


def test_strings_are_one_token_whatever_they_hold() -> None:
    assert texts("a = 'b # c' \"\"\"d\n'e'\"\"\" rb'f\\'g'\n") == ["a", "=", "'b # c'", '"""d\n\'e\'"""', "rb'f\\'g'"]


def test_a_string_without_an_end_stops_at_its_line() -> None:
    read = scan("a = 'b\nc = 1\n")
    assert [(token.kind, token.text) for token in read.tokens][2] == ("open-string", "'b")
    assert len(read.statements) == 2


def test_formatted_strings_may_nest_their_own_quotes() -> None:
    assert texts('a = f"{"-" * 3}b{d["e"]}"\n') == ["a", "=", 'f"{"-" * 3}b{d["e"]}"']


def test_statements_go_on_inside_brackets_and_behind_a_backslash() -> None:
    read = scan("a = f(\n    1,\n)\nb = 1 + \\\n    2\n")
    assert [(statement.line, statement.last_line) for statement in read.statements] == [(0, 2), (3, 4)]


def test_an_open_bracket_ends_where_only_a_statement_can_start() -> None:
    read = scan("a = f(1,\ndef g():\n    return 1\n")
    assert [statement.head for statement in read.statements] == ["a", "def", "return"]
    assert [read.tokens[index].text for index in read.unclosed] == ["("]


def test_widths_count_tabs_to_eight_and_to_one() -> None:
    (_, inner) = scan("if a:\n  \tb\n").statements
    assert (inner.width, inner.narrow) == (8, 3)


def test_only_line_feeds_end_lines() -> None:
    assert len(scan("a = 'b\u2028c'\n\fd = 1\n").line_starts) == 3


@given(st.text(alphabet=st.sampled_from(list("ab1 \t\n\\'\"#()[]{}=:,.f\u00a0（“")), max_size=60))
def test_tokens_are_in_order_and_inside_the_text(code: str) -> None:
    read = scan(code)
    at = 0
    for token in read.tokens:
        assert at <= token.start < token.end <= len(code)
        assert code[token.start : token.end] == token.text
        at = token.end
    assert all(statement.first < statement.last for statement in read.statements)


@pytest.mark.parametrize("piece", ["(", "'a\\\n", 'f"{', "'''a", 'f"{a" ', "(" * 50 + "]" * 50, "\\", '"""'])
def test_time_is_linear(piece: str) -> None:
    code = piece * (50_000 // len(piece))
    started = time.process_time()
    scan(code)
    assert time.process_time() - started < 2
