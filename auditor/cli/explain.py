"""`auditor explain RULE`: what a rule is about, with its examples, its evidence, and why it did not match."""

import argparse
import difflib
import sys
from pathlib import Path
from typing import Literal

from auditor.cli.exits import CLEAN, Failure
from auditor.cli.own_rules import doubts_about, rules_in_force
from auditor.compiling import CompileOptions, compile_blocks
from auditor.discover import Unreadable, named_source
from auditor.evidence.figures import figures
from auditor.extract import ExtractOptions, extract, flavour_of
from auditor.matching.explanation import Explanation, explain
from auditor.matching.rule import Example, Rule
from auditor.report.counting import counted
from auditor.report.terminal import coloured, shown

WORDS = {
    "en": {
        "finding": "It reports",
        "clean": "It leaves alone",
        "fixed": "Its fix",
        "evidence": "Evidence",
        "links": "Read on",
        "before": "before",
        "after": "after",
        "error": "error",
        "warning": "warning",
        "note": "note",
        "colon": ": ",
    },
    "zh": {
        "finding": "会报告",
        "clean": "不会报告",
        "fixed": "修复",
        "evidence": "依据",
        "links": "延伸阅读",
        "before": "修复前",
        "after": "修复后",
        "error": "错误",
        "warning": "警告",
        "note": "提示",
        "colon": "：",
    },
}


def run(options: argparse.Namespace) -> int:
    """Print a rule's page. Raises `Failure` for an unknown rule, naming the nearest."""
    book, own = rules_in_force(options, options.on or Path(), options.rules)
    wanted = (rule for rule in book.rules if rule.id == options.rule)
    for problem in (*book.problems, *doubts_about(wanted, own)):
        print(f"auditor: {shown(str(problem))}", file=sys.stderr)
    rules = {rule.id: rule for rule in book.rules}
    rule = rules.get(options.rule)
    if rule is None:
        near = difflib.get_close_matches(options.rule, rules, n=1)
        raise Failure(f"no rule is called {options.rule!r}{f'; did you mean {near[0]!r}?' if near else ''}")
    if options.on is None:
        _page(rule, options.lang, sys.stdout.isatty())
    else:
        _on(rule, options)
    return CLEAN


def _on(rule: Rule, options: argparse.Namespace) -> None:
    """Why the rule did or did not match in a file: for each block, what every clause found and left."""
    candidate, source = named_source(options.on)
    if isinstance(source, Unreadable):
        raise Failure(f"{options.on}: {source.reason}")
    extraction = extract(source, ExtractOptions(flavour_of(candidate.path, frozenset())))
    before: list[str] = []
    for block, compilation in zip(
        extraction.blocks, compile_blocks(source, extraction.blocks, CompileOptions()), strict=True
    ):
        place = source.place(block.span)
        print(f"{shown(place.path)}:{place.line}: {compilation.verdict}")
        if compilation.code is not None:
            told = explain(rule, compilation.code.text, before)
            before.append(compilation.code.text)
            _told(told)


def _told(told: Explanation) -> None:
    if told.not_applied is not None:
        print(f"    not applied: {shown(told.not_applied)}")
    if told.missing:
        print(f"    not tried: the text has no {', '.join(map(shown, told.missing))}")
    for clause in told.clauses:
        found = "" if clause.found is None else f"{clause.found:4} found"
        left = "" if clause.left is None else f"{clause.left:4} left"
        text = clause.text.strip().split("\n")
        more = " …" if len(text) > 1 else ""
        print(f"    {found:11}{left:10}{'  ' * clause.depth}{shown(text[0])}{more}")
    print(f"    {counted('{0} hit|{0} hits', told.hits)}")


def _page(rule: Rule, lang: Literal["en", "zh"], colour: bool) -> None:
    words = WORDS[lang]
    print(f"{coloured(rule.id, 'rule', colour)}  {coloured(words[rule.severity], rule.severity, colour)}")
    print(f"\n{shown(rule.text(lang))}")
    note = rule.notes.get(lang) or rule.note
    if note:
        print()
        for line in note.strip().split("\n"):
            print(shown(line))
    for title, examples in (("finding", rule.examples.finding), ("clean", rule.examples.clean)):
        for example in examples:
            print(f"\n{_titled(words[title], example, words['colon'], colour)}\n")
            _code(example, colour)
    for example in rule.examples.fixed:
        print(f"\n{_titled(words['fixed'], example, words['colon'], colour)}\n")
        _code(example, colour)
        print(f"    {words['after']}{words['colon'].rstrip()}")
        _code(Example(example.name, example.after or ""), colour)
    if rule.evidence:
        print(f"\n{words['evidence']}{words['colon']}{', '.join(rule.evidence)}")
        for seen in figures(rule.id):
            print(f"    {seen.line(lang)}")
    for link in rule.links:
        print(f"{words['links']}{words['colon']}{shown(link)}")


def _titled(title: str, example: Example, colon: str, colour: bool) -> str:
    """The title of an example, with the example's name where it has one."""
    return coloured(title, "dim", colour) + (f"{colon}{shown(example.name)}" if example.name else "")


def _code(example: Example, colour: bool) -> None:
    for number, line in enumerate(example.code.removesuffix("\n").split("\n"), start=1):
        mark = coloured(">", "error", colour) if number in example.lines else " "
        print(f"  {mark} {number:3}  {shown(line)}")
