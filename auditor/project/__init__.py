"""What only the whole set of sources shows: links, names, calls, and which findings somebody suppressed."""
