"""Why a block does not compile: one file a kind, and `diagnose`, which asks them in order."""

from auditor.compiling.diagnoses.diagnose import Diagnosed, diagnose

__all__ = ["Diagnosed", "diagnose"]
