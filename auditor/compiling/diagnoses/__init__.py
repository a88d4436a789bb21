"""Why a block does not compile: one file a kind, and `diagnose`, which asks them in order."""
