"""Lets the tests of the ledger's page share the browser that the other page's tests drive."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "evidence_page"))
