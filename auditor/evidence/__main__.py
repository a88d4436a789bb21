"""`python -m auditor.evidence`: compute the experiments afresh and print what was checked, with its figures."""

import argparse
import importlib.util
import sys
from collections.abc import Sequence

NAMES = (
    "attention", "lengths", "heads", "causality", "softmax", "norms",
    "residual", "positions", "feed-forward", "layers", "shapes", "resources",
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 where everything held, 1 where something did not, 2 for wrong usage or without NumPy."""
    parser = argparse.ArgumentParser(
        prog="python -m auditor.evidence",
        description="Small offline experiments on this project's own functions. Nothing of a book is run.",
    )
    parser.add_argument("--section", action="append", choices=NAMES, help="only this section; may be given again")
    parser.add_argument("--lang", choices=("en", "zh"), default="en")
    options = parser.parse_args(arguments)
    if importlib.util.find_spec("numpy") is None:
        sys.stderr.write("python -m auditor.evidence needs NumPy: pip install 'fence-auditor[evidence]'\n")
        return 2
    # Only here, so that the line above can be said instead of a traceback.
    from auditor.evidence.sections import SECTIONS  # noqa: PLC0415

    failed = total = 0
    for name in options.section or NAMES:
        sys.stdout.write(f"{name}\n")
        for seen in SECTIONS[name]():
            total += 1
            failed += not seen.holds
            sys.stdout.write(f"  {'ok  ' if seen.holds else 'FAIL'}  {seen.line(options.lang)}\n")
    summary = (
        f"检查 {total} 项，{failed} 项不成立" if options.lang == "zh" else f"{total} checked, {failed} did not hold"
    )
    sys.stdout.write(f"{summary}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
