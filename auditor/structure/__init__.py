"""What a text holds as a program: definitions, names bound and needed, its shape, and how two texts differ."""

from auditor.structure.definitions import definitions
from auditor.structure.names import names
from auditor.structure.scope import Imported, Names, Need

__all__ = ["Imported", "Names", "Need", "definitions", "names"]
