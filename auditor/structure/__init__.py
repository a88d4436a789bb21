"""What a text holds as a program: definitions, names bound and needed, its shape, and how two texts differ."""

from auditor.structure.changes import Operation
from auditor.structure.definitions import definitions
from auditor.structure.difference import Difference, difference
from auditor.structure.names import names
from auditor.structure.scope import Imported, Names, Need

__all__ = ["Difference", "Imported", "Names", "Need", "Operation", "definitions", "difference", "names"]
