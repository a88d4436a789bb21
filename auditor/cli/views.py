"""The views of a ledger as files: which were asked for, and where they may be written."""

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from auditor.cli.exits import Failure
from auditor.cli.overwriting import demand_own
from auditor.cli.session import Session
from auditor.discover import relative
from auditor.discover.listing import would_list
from auditor.ledger import Ledger
from auditor.ledger.views import Detail, csv, html, markdown
from auditor.ledger.views.words import WORDS, Lang

View = Callable[[Ledger, Detail, Lang], str]

_TITLE = f"(?:[^\n]* · )?(?:{'|'.join(map(re.escape, WORDS['title']))})"
# A merge may have left its mark above the first line.
_BEGINS: Mapping[View, re.Pattern[bytes]] = {
    markdown: re.compile(rf"(?:<<<<<<< [^\n]*\n)?# {_TITLE}\n".encode()),
    html: re.compile(rf"<!DOCTYPE html>\n(?:[^\n]*\n)*?<title>{_TITLE}</title>".encode()),
    csv: re.compile(rb"id,path,"),
}


def views_of(options: argparse.Namespace) -> Sequence[tuple[Path, View]]:
    """The views that were asked for, by the files that they go to."""
    wanted: tuple[tuple[Path | None, View], ...] = (
        (options.markdown, markdown),
        (options.html, html),
        (options.csv, csv),
    )
    return [(file, view) for file, view in wanted if file is not None]


def demand_places(options: argparse.Namespace, session: Session, ledger: Path) -> None:
    """Raise `Failure` for a view that would replace a file that is none, or be a page of the book it sums up."""
    places = {os.path.abspath(ledger)}
    for file, view in views_of(options):
        place = os.path.abspath(file)
        if place in places:
            raise Failure(f"{file}: is named for two things; each needs a file of its own")
        places.add(place)
        demand_own(file, _BEGINS[view], "view of a ledger")
        path = relative(Path(place), session.root)
        if session.admits(path) and would_list(Path(place), session.root):
            beside = session.configuration.left_out[-1]
            raise Failure(f"{file}: would be a page of the book; name it in `exclude`, or write {beside}")
