"""`auditor ledger`: write the coverage ledger and its views, say whether the committed one is true, review, sync."""

import argparse
import hashlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from auditor import __version__
from auditor.audited import SourceAudit, outlines_of
from auditor.cli.exits import CLEAN, INCOMPLETE, NOTHING, OUT_OF_DATE, USAGE, Failure
from auditor.cli.files import replace_file
from auditor.cli.nothing import why_nothing
from auditor.cli.session import Session, open_session
from auditor.cli.titles import title_of
from auditor.cli.views import demand_places, views_of
from auditor.discover import discover
from auditor.discover.revisions import RevisionError, file_at
from auditor.ledger import (
    Ledger,
    LedgerError,
    Maker,
    Provenance,
    Review,
    Stale,
    build,
    check,
    compare,
    dump,
    dump_reviews,
    load,
    load_merged,
    load_reviews,
    review_of,
)
from auditor.ledger.coverage import NO_PAGE
from auditor.ledger.needs import needs_of
from auditor.ledger.views import Detail, detail_of
from auditor.project.whole import Whole, judge
from auditor.reading import MOST_LEDGER, read_regular
from auditor.report.counting import counted
from auditor.report.terminal import shown

REVIEWS = "reviews.jsonl"

# What to do about what is out of date, by its cause.
_ADVICE = {
    "content": "`auditor ledger`, with the views it is to write, brings the ledger up to date; read its difference",
    "tool": "another version, rule set or configuration judged the same text; `auditor ledger` writes its word down",
    "review": "read the fence again and record it with `auditor ledger review ID --by NAME --note …`",
}


@dataclass(frozen=True, slots=True)
class _Fresh:
    """The ledger as the sources now are, with what it was made from."""

    ledger: Ledger
    audits: Sequence[SourceAudit]
    whole: Whole


def run(options: argparse.Namespace) -> int:
    """Write, check or compare. 4 where `--check` finds the ledger out of date, 5 where the run is incomplete."""
    session = open_session(options)
    file: Path = options.ledger or session.root / session.configuration.ledger
    if not options.check and options.compare is None:
        demand_places(options, session, file)
    # What two branches wrote is put in order by writing it anew; nothing else may be made of it.
    previous = _load(file, load if options.check or options.compare else load_merged)
    if options.merge and previous is not None:
        session = _with_rest(session, previous)
    audits = session.audits()
    _demand_whole(session, audits, previous, merge=options.merge)
    if not audits and previous is None:
        raise Failure(f"nothing to audit: {why_nothing(session.configuration, session.discovery)}", NOTHING)
    whole = judge(audits, session.rulebook, session.project)
    ledger = build(
        audits,
        whole.links,
        previous,
        maker=_maker(session),
        findings=whole.findings,
        needs=needs_of(whole.needs),
        requirements=whole.requirements,
    )
    fresh = _Fresh(ledger, audits, whole)
    reviews = _reviews(file)
    if options.compare is not None:
        return _compare(options.compare, file, session, ledger)
    if options.check:
        return _check(options, file, previous, fresh, reviews, session)
    replace_file(file, dump(ledger))
    for view, text in _views(options, fresh, reviews, session):
        replace_file(view, text)
    if not session.quiet:
        counts = (
            counted("{0} source|{0} sources", len(ledger.sources)),
            counted("{0} block|{0} blocks", len(ledger.blocks)),
            counted("{0} definition|{0} definitions", len(ledger.definitions)),
        )
        print(f"{file}: {', '.join(counts)}", file=sys.stderr)
        _hint_at_books(ledger)
    return CLEAN


def _hint_at_books(ledger: Ledger) -> None:
    """Say how many definitions belong with no page, where there are pages that they may belong with."""
    homeless = [entry for entry in ledger.definitions if entry.reason == NO_PAGE]
    if homeless and any(entry.kind != "file" for entry in ledger.blocks):
        count = counted("{0} definition belongs|{0} definitions belong", len(homeless))
        way = "`[[books]]` in auditor.toml says which pages show which files"
        print(f"auditor: {count} with no page ({shown(homeless[0].path)} …): {way}", file=sys.stderr)


def _load(file: Path, reading: Callable[[bytes], Ledger] = load) -> Ledger | None:
    try:
        return reading(read_regular(file, MOST_LEDGER))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Failure(f"{file}: cannot be read: {error.strerror}") from None
    except LedgerError as error:
        raise Failure(f"{file}: {error}") from None


def _reviews(file: Path) -> tuple[Review, ...]:
    reviews = file.with_name(REVIEWS)
    try:
        return load_reviews(read_regular(reviews, MOST_LEDGER))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise Failure(f"{reviews}: cannot be read: {error.strerror}") from None
    except LedgerError as error:
        raise Failure(f"{reviews}: {error}") from None


def _with_rest(session: Session, previous: Ledger) -> Session:
    """The session over its paths and over everything else that the ledger holds and that is still there."""
    held = [session.root / entry.path for entry in previous.sources]
    paths = [*session.paths, *(path for path in held if path.is_file())]
    return replace(session, discovery=discover(paths, session.root, session.excludes))


def _demand_whole(session: Session, audits: Sequence[SourceAudit], previous: Ledger | None, *, merge: bool) -> None:
    """Raise `Failure` for a run that must not replace the ledger: an incomplete one, or one over a part of it."""
    unread = [f"{left.path}: {left.reason}" for left in session.discovery.left_out if left.status == "unreadable"]
    outlines = outlines_of(audits)
    unread += [f"{outline.path}: {outline.reason}" for outline in outlines if outline.status == "unreadable"]
    unread += [reason for outline in outlines for reason in outline.incomplete]
    if unread:
        for reason in unread:
            print(f"auditor: {shown(reason)}", file=sys.stderr)
        raise Failure("the run is incomplete; the ledger was left as it is", INCOMPLETE)
    if session.rulebook.problems and not session.skip_bad_rules:
        raise Failure("a rule cannot be read; the ledger was left as it is", USAGE)
    if previous is None or merge:
        return
    seen = {outline.path for outline in outlines}
    missing = [
        entry.path
        for entry in previous.sources
        if entry.path not in seen and (session.root / entry.path).is_file() and not session.excludes(entry.path)
    ]
    if missing:
        others = counted(" and {0} other file,| and {0} other files,", len(missing) - 1) if len(missing) > 1 else ","
        raise Failure(
            f"the ledger also holds {shown(missing[0])}{others} left out by these paths; name all of it, or use --merge"
        )


def _maker(session: Session) -> Maker:
    configuration = session.configuration
    settings = (
        session.flavour,
        session.options.extract.indented,
        session.options.extract.unlabelled,
        session.options.targets_named,
        sorted(session.options.severities.items()),
        configuration.exclude,
        configuration.require_reason,
        [repr(rules) for rules in configuration.paths],
        [repr(book) for book in configuration.books],
    )
    origin = configuration.provenance
    return Maker(
        f"auditor {__version__}",
        session.rulebook.digest,
        hashlib.sha256(repr(settings).encode()).hexdigest(),
        len(session.rulebook.rules),
        session.options.compile.targets,
        Provenance(origin.get("origin"), origin.get("commit"), origin.get("licence")) if origin else None,
        tuple(book.requirements for book in configuration.books if book.requirements),
    )


def _views(
    options: argparse.Namespace, fresh: _Fresh, reviews: Sequence[Review], session: Session
) -> list[tuple[Path, bytes]]:
    """The views that were asked for, as files and bytes."""
    wanted = views_of(options)
    if not wanted:
        return []
    book = title_of(session.root, [entry.path for entry in fresh.ledger.sources])
    detail = detail_of(fresh.ledger, fresh.audits, fresh.whole.links, fresh.whole.findings, reviews, book)
    return [(file, view(fresh.ledger, detail, session.lang).encode("utf-8", "surrogatepass")) for file, view in wanted]


def _check(
    options: argparse.Namespace,
    file: Path,
    previous: Ledger | None,
    fresh: _Fresh,
    reviews: Sequence[Review],
    session: Session,
) -> int:
    """Whether the committed ledger, and the views named, are what this run would write."""
    if previous is None:
        print(f"auditor: {file}: there is no ledger yet; `auditor ledger` writes it", file=sys.stderr)
        return OUT_OF_DATE
    stale = check(previous, fresh.ledger, reviews)
    detail = detail_of(fresh.ledger, fresh.audits, fresh.whole.links, fresh.whole.findings) if stale else Detail()
    for item in stale:
        print(f"{_where(item, detail)}{item.cause} out of date: {shown(item.subject)}: {shown(item.what)}")
    views = _views(options, fresh, reviews, session)
    old = [view for view, data in views if not view.is_file() or view.read_bytes() != data]
    for view in old:
        print(f"{view}: view out of date")
    for cause in ("content", "tool", "review"):
        if any(item.cause == cause for item in stale) or (old and not stale and cause == "content"):
            print(f"auditor: {_ADVICE[cause]}", file=sys.stderr)
    return OUT_OF_DATE if stale or old else CLEAN


def _where(item: Stale, detail: Detail) -> str:
    """The file of something out of date, and its line there as the file now is, as an editor follows them."""
    if item.path is None or item.path == item.subject:
        return f"{shown(item.path)}: " if item.path is not None else ""
    block, definition = detail.blocks.get(item.subject), detail.definitions.get(item.subject)
    line = block.line if block is not None else definition.line if definition is not None else None
    return f"{shown(item.path)}: " if line is None else f"{shown(item.path)}:{line}: "


def _compare(revision: str, file: Path, session: Session, ledger: Ledger) -> int:
    """List what appeared, went, moved, broke, was mended or drifted since the ledger of a revision."""
    try:
        then = load(file_at(session.root, revision, file))
    except RevisionError as error:
        raise Failure(f"--compare {revision}: {error}", INCOMPLETE) from None
    except LedgerError as error:
        raise Failure(f"{revision}: {file}: {error}") from None
    for item in compare(then, ledger):
        facts = " → ".join(fact for fact in (item.before, item.after) if fact is not None)
        under = f" ({' > '.join(item.heading)})" if item.heading else ""
        print(shown(f"{item.change:9} {item.path}{under}: {item.subject}{f': {facts}' if facts else ''}"))
    return CLEAN


def review(options: argparse.Namespace) -> int:
    """Record a person's review of a block; it holds until the block or what it is tied to changes."""
    session = open_session(options)
    file: Path = options.ledger or session.root / session.configuration.ledger
    ledger = _load(file)
    if ledger is None:
        raise Failure(f"{file}: there is no ledger yet; `auditor ledger` writes it")
    try:
        new = review_of(ledger, options.block, options.by, options.note, options.date)
    except KeyError:
        raise Failure(f"the ledger holds no block {options.block!r}") from None
    kept = [old for old in _reviews(file) if (old.block, old.by) != (new.block, new.by)]
    replace_file(file.with_name(REVIEWS), dump_reviews([*kept, new]))
    return CLEAN
