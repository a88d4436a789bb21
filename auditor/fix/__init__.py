"""The fixes of one source: a block's edits together, audited again, withheld where the block does not compile; pure."""

from auditor.fix.edits import apply
from auditor.fix.rounds import Fixed, Withheld, fix

__all__ = ["Fixed", "Withheld", "apply", "fix"]
