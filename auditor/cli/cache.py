"""`auditor cache`: where the cache is, and how to be rid of it."""

import argparse

from auditor.cli.exits import CLEAN, INCOMPLETE, Failure
from auditor.engine.store import cache_file, cache_folder, clear


def run(options: argparse.Namespace) -> int:
    """Print the cache's place, or remove it. Raises `Failure` (5) where it cannot be removed."""
    folder = cache_folder()
    if folder is None:
        raise Failure("there is no home folder, and so no cache; AUDITOR_CACHE_DIR names a folder for one")
    if options.action == "where":
        print(cache_file(folder))
        return CLEAN
    try:
        freed = clear(folder)
    except OSError as error:
        raise Failure(f"{cache_file(folder)}: cannot be removed: {error.strerror}", INCOMPLETE) from None
    print(f"{cache_file(folder)}: {freed:,} bytes removed")
    return CLEAN
