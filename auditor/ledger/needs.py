"""What gives a fence the names that it needs and does not bind: its page, its files, its set-up."""

import re
from collections.abc import Mapping, Sequence

from auditor.audited import BlockAudit, SourceAudit
from auditor.ledger.entries import NeedEntry, ResolvedBy
from auditor.project.links import Links

# Every name that some Python from 3.8 to 3.14 has by itself: a table, so that the host's own version decides nothing.
_BY_ITSELF = """
ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception
ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented
NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning
StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True
TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError abs aiter all anext any ascii bin
bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir
divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int
isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print
property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
"""
_BUILTINS = frozenset(_BY_ITSELF.split())
_DUNDER = re.compile(r"__\w+__")


def needs_of(
    audits: Sequence[SourceAudit], links: Links, setup: Mapping[str, Sequence[str]] | None = None
) -> Mapping[tuple[str, int], tuple[NeedEntry, ...]]:
    """For each fence, by path and index, its needs, sorted.

    `setup` are names that readers of a page have from elsewhere. Of several things that give a name the first counts:
    the set-up, an earlier fence (`import` where it imports the name), a file that belongs with the page, a later fence.
    `None`: nothing known gives it.
    """
    files = {audit.path: _bound(audit.blocks) for audit in audits}
    needs: dict[tuple[str, int], tuple[NeedEntry, ...]] = {}
    for audit in audits:
        home = links.shelf.homes.get(audit.path)
        if home is None:
            continue
        held: set[str] = set().union(*(files.get(path, ()) for path in home.files))
        ready = frozenset(setup.get(audit.path, ())) if setup is not None else frozenset[str]()
        last = {name: at for at, block in enumerate(audit.blocks) for name in _bound([block])}
        earlier: dict[str, ResolvedBy] = {}
        for at, block in enumerate(audit.blocks):
            if block.names is None:
                continue
            found: dict[str, ResolvedBy | None] = {}
            for need in block.names.needs:
                name = need.name
                if name in _BUILTINS or _DUNDER.fullmatch(name):
                    continue
                by_file: ResolvedBy | None = "file" if name in held else "later" if last.get(name, -1) > at else None
                found[name] = "setup" if name in ready else earlier.get(name, by_file)
            needs[audit.path, at] = tuple(NeedEntry(name, found[name]) for name in sorted(found))
            imported = {item.bound for item in block.names.imports}
            earlier.update((name, "import" if name in imported else "earlier") for name in block.names.binds)
    return needs


def _bound(blocks: Sequence[BlockAudit]) -> frozenset[str]:
    """The names that blocks leave behind."""
    return frozenset(name for block in blocks if block.names is not None for name in block.names.binds)
