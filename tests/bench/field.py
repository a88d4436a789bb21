"""Audit folders and hold what comes out against this interpreter: `python tests/bench/field.py FOLDER…`.

A run must end with an exit code of its own and no traceback, and account for every file. A Python file that this
interpreter compiles must be said to compile, to need a newer Python, or to be skipped for a limit; one that it does not
compile must not be said to, unless it needs a newer Python. Prints one line a folder and one for each thing that is
wrong; exits with 1 where there is one.
"""

import json
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

CODES = frozenset({0, 1, 3, 5})
_MAIN = "import sys; from auditor.cli import main; sys.exit(main())"
COMPILES = frozenset({"compiles", "newer-python", "skipped"})


def compiles(file: Path) -> bool:
    """Whether this interpreter compiles a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
        except Exception:
            return False
    return True


def differences(folder: Path, document: Mapping[str, Any]) -> Iterator[str]:
    """What a run says of a folder that is not so."""
    for block in document["blocks"]:
        if block["kind"] != "file":
            continue
        sound = compiles(folder / block["path"])
        verdict = block["verdict"]
        if sound and (verdict not in COMPILES or (verdict == "skipped" and not block.get("reason"))):
            said = [one["message"] for one in block["diagnoses"]]
            yield f"{block['path']}: compiles here, but is said to be {verdict}: {said[:1]}"
        elif not sound and verdict == "compiles" and not block.get("needs_python"):
            yield f"{block['path']}: does not compile here, but is said to"
    heard = {block["path"] for block in document["blocks"]} | {
        line.partition(":")[0] for line in document.get("incomplete", ())
    }
    for source in document["sources"]:
        if source["status"] == "read" and source["path"].endswith(".py") and source["path"] not in heard:
            yield f"{source['path']}: read, but nothing is said of it"


def audit(folder: Path) -> int:
    """Audit one folder, print what came of it, and return how much of it is wrong."""
    started = time.monotonic()
    command = [sys.executable, "-P", "-c", _MAIN, "audit", ".", "--no-cache", "--format", "json", "--notes"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    errors = done.stderr.decode("utf-8", "replace")
    wrong: list[str] = []
    if done.returncode not in CODES:
        wrong.append(f"exit code {done.returncode}")
    if "Traceback" in errors:
        wrong.append(errors[errors.index("Traceback") :])
    try:
        document = json.loads(done.stdout)
    except ValueError as error:
        wrong.append(f"no JSON: {error}")
    else:
        wrong += differences(folder, document)
        kinds = Counter(block["kind"] for block in document["blocks"])
        verdicts = Counter(block["verdict"] for block in document["blocks"])
        rules = sum(one["rule"] == "rules-not-applied" for one in document["findings"])
        print(
            f"{folder.name}: exit {done.returncode}, {len(document['sources'])} sources, {dict(kinds)}, "
            f"{dict(verdicts)}, {len(document.get('incomplete', ()))} incomplete, {rules} without rules, "
            f"{time.monotonic() - started:.0f} s"
        )
        for line in document.get("incomplete", ()):
            print(f"    incomplete: {line}")
    for line in wrong:
        print(f"    WRONG: {line}")
    sys.stdout.flush()
    return len(wrong)


def main() -> None:
    """Audit each folder that is named."""
    if len(sys.argv) < 2:
        sys.exit("usage: field.py FOLDER…")
    sys.exit(min(sum(audit(Path(name)) for name in sys.argv[1:]), 1))


if __name__ == "__main__":
    main()
