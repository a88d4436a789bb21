"""The ledger for readers: Markdown summary, CSV, one HTML page, all from the one model."""

from auditor.ledger.views.detail import Detail, detail_of
from auditor.ledger.views.page import html
from auditor.ledger.views.summary import markdown
from auditor.ledger.views.tables import csv

__all__ = ["Detail", "csv", "detail_of", "html", "markdown"]
