"""The floor under every audit: read the files, scan the lines for fences, call `compile()`; nothing else.

python tests/bench/floor.py FOLDER
"""

import re
import sys
import warnings
from pathlib import Path

_OPENER = re.compile(r"^\s*(`{3,}|~{3,})\s*(?:\{?\s*\.?)(?:python3?|py3?|Python)\b")


def blocks(text: str) -> list[str]:
    """The bodies of the Python fences that a line scanner sees."""
    found: list[str] = []
    body: list[str] = []
    closer = ""
    for line in text.split("\n"):
        if closer:
            if line.strip().startswith(closer):
                found.append("\n".join(body))
                body, closer = [], ""
            else:
                body.append(line)
        elif opener := _OPENER.match(line):
            closer = opener[1]
    return found


def main(folder: Path) -> None:
    seen = bad = 0
    warnings.simplefilter("ignore")
    for path in sorted(folder.rglob("*")):
        if path.suffix not in {".md", ".mdx", ".py"} or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for code in blocks(text) if path.suffix != ".py" else [text]:
            seen += 1
            try:
                compile(code, "x", "exec", dont_inherit=True)
            except Exception:
                bad += 1
    print(f"{seen} blocks, {bad} do not compile")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
