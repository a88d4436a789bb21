"""`auditor ledger review ID`: record that a person looked at a block."""

from auditor.cli.ledger import review as run

__all__ = ["run"]
