"""One rule file's text to its rules and its mistakes."""

from auditor.matching.rule import Rule
from auditor.rulebook.bounds import USUAL, Bounds
from auditor.rulebook.document import DocumentError, read
from auditor.rulebook.problems import Mistake, Problem, Problems
from auditor.rulebook.rules import Rules


def read_rules(text: str, path: str, bounds: Bounds = USUAL) -> tuple[tuple[Rule, ...], tuple[Problem, ...]]:
    """The rules in a text, in order, and what was wrong with others; `path` is how the file is called."""
    problems = Problems(path)
    reader = Rules(problems)
    rules: list[Rule] = []
    try:
        document = read(text, bounds)
        entries = reader.entries(document, "rules") if not document.empty else {}
        if "rules" not in entries:
            reader.fail(document, "rules", "is missing: a rule file has a list of rules under it")
        reader.only(entries, {"rules", "version"})
        for item in reader.items(entries["rules"].value, "rules"):
            rule = reader.rule(item)
            if rule is not None:
                rules.append(rule)
    except DocumentError as error:
        problems.say(error.line, error.column, "", str(error))
    except Mistake:
        pass
    return tuple(rules), tuple(problems.found)
