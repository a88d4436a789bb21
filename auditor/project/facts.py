"""Rules on facts: a tie between fence and definition, or a definition that no fence shows."""

from collections.abc import Iterator, Mapping, Sequence

from auditor import rulebook
from auditor.audited import SourceAudit, fingerprinted
from auditor.model import Finding, Place
from auditor.project.links import Link, Links
from auditor.project.voice import Voice
from auditor.rulebook import Rule, Rulebook


def fact_findings(audits: Sequence[SourceAudit], links: Links, book: Rulebook, voice: Voice) -> Iterator[Finding]:
    """The findings of every rule with `link:` or `definition:`, source by source, with fingerprints.

    A rule matches where each of its keys has one of its values. A link has `state`, `difference`, `evidence`,
    `authority`, `definition` (the qualified name) and `recovered`; a definition of a file that belongs with a page has
    `coverage` (`shown`, or `none` where neither it nor what stands in or around it is shown), `kind` and `name`.
    """
    on_links = [rule for rule in book.rules if rule.link is not None]
    on_definitions = [rule for rule in book.rules if rule.definition is not None]
    if not on_links and not on_definitions:
        return
    tied = {link.definition for link in links.links if link.state != "orphaned"}
    for audit in audits:
        found = []
        for link in links.links if on_links else ():
            if link.path == audit.path:
                facts = _of_link(link)
                place = _first_line(audit.blocks[link.block].place)
                found += [
                    _finding(rule, facts, place, link.block, voice) for rule in on_links if _holds(rule.link, facts)
                ]
        if on_definitions and audit.path in links.shelf.files | links.shelf.declared:
            for index, block in enumerate(audit.blocks):
                for definition, place in block.definitions:
                    facts = {
                        "coverage": _coverage(f"{audit.path}::{definition.qualname}", tied),
                        "kind": definition.kind,
                        "name": definition.qualname,
                    }
                    found += [
                        _finding(rule, facts, _first_line(place), index, voice)
                        for rule in on_definitions
                        if _holds(rule.definition, facts)
                    ]
        found.sort(key=lambda finding: (finding.place.path, finding.place.start, finding.place.end, finding.rule))
        yield from fingerprinted(found, audit.blocks)


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


def _coverage(name: str, tied: set[str]) -> str:
    path, _, qualname = name.partition("::")
    outer = {f"{path}::{'.'.join(qualname.split('.')[:size])}" for size in range(1, qualname.count(".") + 2)}
    return "shown" if outer & tied or any(other.startswith(f"{name}.") for other in tied) else "none"


def _holds(wanted: Mapping[str, str] | None, facts: Mapping[str, str]) -> bool:
    """Whether each key of a rule has one of its values, which a bar parts: `outdated|orphaned`."""
    return all(
        facts.get(key) in {value.strip() for value in values.split("|")} for key, values in (wanted or {}).items()
    )


def _first_line(place: Place) -> Place:
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
