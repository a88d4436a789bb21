"""How many sources are audited: in one process, in workers, out of the cache; always in the order of their paths."""
