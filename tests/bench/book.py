"""Write a large book from a seed: pages with prose, sound and broken fences, sessions, and code files beside them.

python tests/bench/book.py FOLDER --fences 20000 --seed 1
"""

import argparse
import random
from pathlib import Path

_NAMES = ("tokens", "scores", "weights", "batch", "layer", "query", "mask", "loss", "model", "table", "window", "norm")
_PROSE = "The next step takes what the last one left and hands it on, so that every part can be read alone.\n\n"
_FENCES_A_PAGE = 40


def statement(dice: random.Random, depth: int = 0) -> str:
    """One statement, perhaps with a body."""
    name, other = dice.sample(_NAMES, 2)
    pad = "    " * depth
    kind = dice.randrange(6 if depth < 3 else 3)
    if kind == 0:
        return f"{pad}{name} = {other}[{dice.randrange(9)}] * {dice.random():.3f}\n"
    if kind == 1:
        return f"{pad}{name} = compute({other}, scale={dice.randrange(1, 99)}, label={other!r})\n"
    if kind == 2:
        return f"{pad}print(f'{name}: {{{other}}}')\n"
    body = "".join(statement(dice, depth + 1) for _ in range(dice.randrange(1, 4)))
    head = (f"for {name} in {other}:", f"if {name} > {other}:", f"def {name}_of({other}):")[kind - 3]
    return f"{pad}{head}\n{body}"


def fence(dice: random.Random) -> str:
    """One fence: most are sound, some are broken, indented, a session, elided, or another language."""
    code = "".join(statement(dice) for _ in range(dice.randrange(1, 5)))
    kind = dice.random()
    info = "python"
    if kind < 0.03:
        code = code.replace("(", "（", 1).replace("=", "= =", 1)
    elif kind < 0.06:
        code = "".join(f"    {line}\n" for line in code.splitlines())
    elif kind < 0.09:
        code = "".join(f">>> {name} = {dice.randrange(99)}\n" for name in dice.sample(_NAMES, 3))
    elif kind < 0.12:
        code += "model = build(weights, ...)\n"
    elif kind < 0.15:
        info, code = "json", '{"a": 1}\n'
    return f"```{info}\n{code}```\n\n"


def write_book(folder: Path, fences: int, seed: int) -> int:
    """Write the pages and code files of a book with so many fences; returns the number of files."""
    dice = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    pages = -(-fences // _FENCES_A_PAGE)
    for number in range(pages):
        parts = [f"# Chapter {number}\n\n"]
        for _ in range(min(_FENCES_A_PAGE, fences - number * _FENCES_A_PAGE)):
            if dice.random() < 0.2:
                parts.append(f"## Section {dice.randrange(1000)}\n\n")
            parts += [_PROSE, fence(dice)]
        (folder / f"chapter{number:05}.md").write_text("".join(parts), encoding="utf-8")
        if number % 10 == 0:
            code = "".join(statement(dice) + "\n" for _ in range(60))
            (folder / f"code{number:05}.py").write_text(code, encoding="utf-8")
    return pages + -(-pages // 10)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--fences", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    print(write_book(chosen.folder, chosen.fences, chosen.seed), "files")
