"""A module imports only from rooms below its own, as `docs/ARCHITECTURE.md` lists them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "auditor"
# From the top of the house to the ground.
ROOMS = (
    "cli",
    "report",
    "gate",
    "ledger",
    "engine",
    "examples",
    "fix",
    "project",
    "audit",
    "audited",
    "rulebook",
    "matching",
    "structure",
    "compiling",
    "extract",
    "discover",
    "configuration",
    "toml",
    "model",
    "reading",
)
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(file: Path) -> Iterator[str]:
    """The rooms that a module imports, at its top or anywhere inside."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: imports are absolute"
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "auditor" else [node.module]
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from (name for name in names if name is not None and name.startswith("auditor."))


def test_every_room_has_a_place() -> None:
    found = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in MODULES} - {"__init__", "__main__"}
    assert found <= {*ROOMS, "evidence"}


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_imports_go_down(file: Path) -> None:
    own = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own in {"__init__", "__main__", "evidence"}:
        own = "cli" if own != "evidence" else own
    for module in imported(file):
        other = module.split(".")[1]
        if other.startswith("__") or other == own:
            continue
        if "evidence" in {own, other}:
            assert (own, other) == ("cli", "evidence"), f"{file.name} imports {module}"
            continue
        assert ROOMS.index(other) > ROOMS.index(own), f"{file.name} imports {module}"
