"""Experiments that show on numbers what the rules claim; they run this project's own functions and nothing else.

The figures stand in `figures.json`, so that they can be shown where NumPy is not installed;
`python -m auditor.evidence` computes them afresh.
"""

from auditor.evidence.figures import figures
from auditor.evidence.observation import Observation

__all__ = ["Observation", "figures"]
