"""What a name of a page or a file stands for, as far as its text shows it: functions, classes, instances, modules."""

from dataclasses import dataclass

from auditor.audited import BlockAudit, SourceAudit
from auditor.structure.shape import ClassShape, FunctionShape, Program


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a definition stands: its source's path, its block, and the block's program."""

    path: str
    block: BlockAudit
    program: Program


@dataclass(frozen=True, slots=True)
class Function:
    """A function; `bound` says how many of its first parameters are filled by what it was reached through."""

    shape: FunctionShape
    origin: Origin
    bound: int = 0


@dataclass(frozen=True, slots=True)
class Class:
    """A class with all the texts that define it; at least one."""

    shapes: tuple[tuple[ClassShape, Origin], ...]

    @property
    def name(self) -> str:
        """Its qualified name."""
        return self.shapes[0][0].qualname


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a class."""

    of: Class


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file of the run, under the dotted name by which it was imported."""

    name: str
    file: SourceAudit


Thing = Function | Class | Instance | Module


@dataclass(frozen=True, slots=True)
class Missing:
    """An attribute that a class or a module does not have."""

    owner: Class | Module
    attribute: str


@dataclass(frozen=True, slots=True)
class Line:
    """A class with its bases: all texts that define them, whether all of them are known, whether PyTorch's is one."""

    shapes: tuple[tuple[ClassShape, Origin], ...]
    known: bool
    torch: bool
