"""`auditor rules`: list the rules, run their examples, or print the schema of rule files."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from auditor.cli.exits import CLEAN, FINDINGS, INCOMPLETE, NOTHING, USAGE, Failure
from auditor.cli.own_rules import doubts_about, rules_in_force
from auditor.examples import Outcome, run_examples
from auditor.report.terminal import shown
from auditor.rulebook import Rulebook, load
from auditor.rulebook.annotated import Outcome as Tested
from auditor.rulebook.annotated import run_annotated


def run(options: argparse.Namespace) -> int:
    """Do the action.

    `test` returns 2 where a rule cannot be read, else 5 where a target cannot, 1 where an example does not hold, and 3
    where there is none.
    """
    if options.action == "schema":
        from auditor.rulebook.schema import SCHEMA  # noqa: PLC0415 - no other action needs it

        print(json.dumps(SCHEMA, indent=2))
        return CLEAN
    for path in options.paths:
        if not path.exists():
            raise Failure(f"{path}: no such rule file or folder")
    if options.paths:
        book, own = load(options.paths, builtin=False), options.paths
    else:
        book, own = rules_in_force(options, Path())
    for problem in (*book.problems, *doubts_about(book.rules, own)):
        print(f"auditor: {shown(str(problem))}", file=sys.stderr)
    code = _list(book, options.lang, options.format) if options.action == "list" else _test(book, own, options)
    return USAGE if book.problems else code


def _list(book: Rulebook, lang: str, name: str) -> int:
    if name == "json":
        rules = [
            {"id": rule.id, "severity": rule.severity, "message": rule.text(lang), "path": rule.path}
            for rule in book.rules
        ]
        print(json.dumps(rules, ensure_ascii=False, indent=1))
        return CLEAN
    width = max((len(rule.id) for rule in book.rules), default=0)
    for rule in book.rules:
        print(f"{rule.id:{width}}  {rule.severity:7}  {shown(rule.text(lang))}")
    return CLEAN


def _test(book: Rulebook, own: Sequence[Path], options: argparse.Namespace) -> int:
    outcomes = [outcome for rule in book.rules for outcome in run_examples(rule, book)]
    unread = set()
    for path in own:
        for told in run_annotated(path):
            if isinstance(told, Tested):
                outcomes.append(_as_example(told))
            else:
                unread.add(str(told))
    unread -= set(map(str, book.problems))  # which are said already
    for line in sorted(unread):
        print(f"auditor: {shown(line)}", file=sys.stderr)
    failed = [outcome for outcome in outcomes if outcome.wrong]
    if options.format == "junit":
        sys.stdout.write(_junit(outcomes))
    else:
        for outcome in failed:
            print(f"{outcome.rule}: {shown(outcome.example)} ({outcome.form})")
            for line in outcome.wrong:
                print(f"    {shown(line)}")
        print(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    if unread:
        return INCOMPLETE
    if not outcomes:
        print("auditor: nothing to test: no rule has an example, and no target is annotated", file=sys.stderr)
        return NOTHING
    return FINDINGS if failed else CLEAN


def _as_example(tested: Tested) -> Outcome:
    """One rule on one target annotated as Semgrep's tests are (`# ruleid:`, `.fixed.py`) as an example's outcome."""
    wrong = list(tested.difference)
    if tested.expected != tested.found:
        wrong.append(f"found {_lines(tested.found)}, expected {_lines(tested.expected)}")
    if wrong and tested.reason is not None:
        wrong.append(tested.reason)
    name = tested.rule or tested.rules.as_posix()
    return Outcome(name, tested.target.as_posix(), "target" if tested.rule else "fix of a target", tuple(wrong))


def _lines(lines: frozenset[int]) -> str:
    return f"lines {', '.join(map(str, sorted(lines)))}" if lines else "nothing"


def _junit(outcomes: list[Outcome]) -> str:
    cases = "".join(
        f"<testcase classname={quoteattr(outcome.rule)} name={quoteattr(f'{outcome.example} ({outcome.form})')}>"
        + (f"<failure>{escape(shown(' '.join(outcome.wrong)))}</failure>" if outcome.wrong else "")
        + "</testcase>\n"
        for outcome in outcomes
    )
    failures = sum(bool(outcome.wrong) for outcome in outcomes)
    head = f'<testsuite name="rules" tests="{len(outcomes)}" failures="{failures}">'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{cases}</testsuite>\n'
