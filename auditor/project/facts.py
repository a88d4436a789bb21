"""Rules on facts: a tie between fence and definition, or a definition that no fence shows."""

from collections.abc import Iterable, Iterator, Mapping

from auditor import rulebook
from auditor.audited import SourceAudit, by_place, fingerprinted
from auditor.model import Finding, Place
from auditor.project.links import Link, Links
from auditor.project.voice import Voice
from auditor.rulebook import Rule, Rulebook


def on_links(audit: SourceAudit, links: Iterable[Link], book: Rulebook, voice: Voice) -> Iterator[Finding]:
    """The findings of every rule with `link:` about the ties of one page, with fingerprints.

    A rule matches where each of its keys has one of its values. A link has `state`, `difference`, `evidence`,
    `authority`, `definition` (the qualified name) and `recovered`.
    """
    rules = [rule for rule in book.rules if rule.link is not None]
    found = []
    for link in links if rules else ():
        facts = _of_link(link)
        place = first_line(audit.blocks[link.block].place)
        found += [_finding(rule, facts, place, link.block, voice) for rule in rules if _holds(rule.link, facts)]
    return fingerprinted(sorted(found, key=by_place), audit.blocks)


def on_definitions(files: Mapping[str, SourceAudit], links: Links, book: Rulebook, voice: Voice) -> Iterator[Finding]:
    """The findings of every rule with `definition:` about the files that belong with a page, with fingerprints.

    A definition has `coverage` (`shown`, or `none` where neither it nor what stands in or around it is shown), `kind`
    and `name`.
    """
    rules = [rule for rule in book.rules if rule.definition is not None]
    if not rules:
        return
    tied = {link.definition for link in links.links if link.state != "orphaned"}
    around = {outer for name in tied for outer in _outer(name)}
    wanted = links.shelf.files | links.shelf.declared
    for path, audit in files.items():
        found = []
        for index, block in enumerate(audit.blocks if path in wanted else ()):
            for definition, place in block.definitions:
                name = f"{path}::{definition.qualname}"
                shown = name in around or not tied.isdisjoint((name, *_outer(name)))
                coverage = "shown" if shown else "none"
                facts = {"coverage": coverage, "kind": definition.kind, "name": definition.qualname}
                head = first_line(place)
                found += [_finding(rule, facts, head, index, voice) for rule in rules if _holds(rule.definition, facts)]
        yield from fingerprinted(sorted(found, key=by_place), audit.blocks)


def _of_link(link: Link) -> dict[str, str]:
    return {
        "state": link.state,
        "difference": link.difference or "none",
        "evidence": link.evidence,
        "authority": link.authority or "none",
        "definition": link.definition.rpartition("::")[2],
        "recovered": "true" if link.recovered else "false",
        "operations": "; ".join(
            " ".join(filter(None, (operation.kind, operation.before, "→" if operation.after else "", operation.after)))
            for operation in link.operations[:3]
        ),
    }


def _outer(name: str) -> Iterator[str]:
    """The ids of what stands around a definition (`path::qualname`)."""
    path, _, qualname = name.partition("::")
    parts = qualname.split(".")
    return (f"{path}::{'.'.join(parts[:size])}" for size in range(1, len(parts)))


def _holds(wanted: Mapping[str, str] | None, facts: Mapping[str, str]) -> bool:
    """Whether each key of a rule has one of its values, which a bar parts: `outdated|orphaned`."""
    return all(
        facts.get(key) in {value.strip() for value in values.split("|")} for key, values in (wanted or {}).items()
    )


def first_line(place: Place) -> Place:
    """The place's first line: a finding points at a line, never at a whole fence."""
    end = place.start + max(0, len(place.text) - place.column + 1)
    return Place(place.path, place.start, end, place.line, place.column, place.line, len(place.text) + 1, place.text)


def _finding(rule: Rule, facts: Mapping[str, str], place: Place, block: int, voice: Voice) -> Finding:
    return Finding(
        rule.id,
        voice.severity(rule),
        place,
        rulebook.message(rule, facts, voice.lang),
        block,
        metavariables=facts,
    )
