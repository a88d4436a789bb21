"""An audit that dies as the name of its source says: what workers are tried with."""

import ctypes
import os
import signal
import time

from auditor.audited import AuditOptions, SourceAudit
from auditor.model import Source
from auditor.rulebook import Rulebook


def perform(source: Source, book: Rulebook, options: AuditOptions) -> SourceAudit:
    """The audit of nothing, or none at all."""
    del book, options
    name = source.path
    if "crash" in name:
        ctypes.string_at(0)  # what a parser's own stack does when it overflows
    if "kill" in name:
        os.kill(os.getpid(), signal.SIGKILL)
    if "memory" in name:
        held = []
        while True:
            held.append(bytearray(50_000_000))
    if "endless" in name:
        time.sleep(3_600)
    if "stuck" in name:
        sum(range(10**13))  # in C, and without letting go of the interpreter
    if "raise" in name:
        raise MemoryError
    if "parent" in name:
        return SourceAudit(name, str(os.getppid()))
    return SourceAudit(name, str(len(source.text)))


def lost(source: Source, reason: str) -> SourceAudit:
    """What is told of a source whose audit died."""
    return SourceAudit(source.path, source.sha256, "unreadable", reason)
