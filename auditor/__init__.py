"""`auditor`: a static audit tool for the Python in books and docs. It never runs the code it audits."""

__version__ = "0.1.0"
