"""Every name that some Python from 3.8 to 3.14 has by itself: a table, so that the host's version decides nothing."""

import re
from collections.abc import Iterable, Mapping

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
# The names as a set.
BUILTINS = frozenset(_BY_ITSELF.split())
# Those that came after 3.8, and the version that they came with.
SINCE: Mapping[str, tuple[int, int]] = {
    "aiter": (3, 10),
    "anext": (3, 10),
    "EncodingWarning": (3, 10),
    "BaseExceptionGroup": (3, 11),
    "ExceptionGroup": (3, 11),
    "PythonFinalizationError": (3, 13),
}
# Names of the language's own form, which modules have without binding them.
DUNDER = re.compile(r"__\w+__")


def builtins_of(targets: Iterable[str]) -> frozenset[str]:
    """The names that each of some versions (`3.10`) has by itself; without any, all that some version has."""
    versions = [tuple(int(part) for part in target.split(".")[:2]) for target in targets]
    return BUILTINS.difference(name for name, since in SINCE.items() if any(version < since for version in versions))
