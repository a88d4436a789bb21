"""What a text holds as a program: definitions, names bound and needed, its shape, and how two texts differ."""

from auditor.structure.definitions import definitions

__all__ = ["definitions"]
