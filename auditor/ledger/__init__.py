"""The coverage ledger: what there is, what was verified, what was found, what was left out and why."""
