"""Where the shipped rules lie: in the wheel as `auditor/_rules`, in a checkout as `rules` beside the package."""

from pathlib import Path

import auditor

# What the paths of the shipped rules begin with, wherever they lie.
SHIPPED = "rules/"


def shipped_rules() -> Path:
    """The folder of the shipped rules; raises `FileNotFoundError` where an installation has lost them."""
    package = Path(auditor.__file__).resolve().parent
    for folder in (package / "_rules", package.parent / "rules"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError("the shipped rules are not installed beside the package")


def rule_files(path: Path) -> list[Path]:
    """The rule files that a path names: itself, or all below a folder, in order; Semgrep's test files are none."""
    if not path.is_dir():
        return [path]
    found = [file for ending in ("*.yaml", "*.yml") for file in path.rglob(ending)]
    return sorted(
        file for file in found if not file.stem.endswith((".test", ".fixed")) and not _hidden(file.relative_to(path))
    )


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
