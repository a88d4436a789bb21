"""Run one target under atheris: `python tests/fuzz/run.py TARGET [CORPUS] [-max_total_time=SECONDS]`.

Needs the `fuzz` extra. An input that breaks a promise is written beside; named instead of a corpus it is shown again.
"""

import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import atheris

sys.path.insert(0, str(Path(__file__).parent))
with atheris.instrument_imports(include=["auditor"]):
    from targets import ROOMS, TARGETS

    # Rooms load what is heavy only when they are asked: what is loaded later would be fuzzed blindly.
    for room in ROOMS:
        for module in walk_packages(import_module(room).__path__, f"{room}."):
            import_module(module.name)


def main() -> None:
    """Fuzz until the time is over or a promise is broken."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"usage: run.py {'|'.join(TARGETS)} [libFuzzer options]")
    target = TARGETS[sys.argv.pop(1)]
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
