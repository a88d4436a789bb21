"""The rulebook made ready: read from YAML, with its patterns parsed, only where a rule file is new.

The shipped rules lie ready beside their files (`READY`), since most runs of CI have no cache; `ready_text` is what must
stand there.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from auditor.engine.codec import CodecError, dump, load
from auditor.engine.identity import key_of, tool_digest
from auditor.engine.store import Store
from auditor.matching.needs import Needs, Touches
from auditor.matching.selection import Program, made_ready, prepare
from auditor.rulebook import SHIPPED, Problem, Rule, Rulebook, RuleFile, build, read_files, shipped_rules

READY = "ready.json"


@dataclass(frozen=True, slots=True)
class _Kept:
    """A rulebook, and for each rule that matches code its index and what `made_ready` asks for beside it."""

    rules: tuple[Rule, ...]
    digest: str
    problems: tuple[Problem, ...]
    needs: tuple[tuple[int, Needs, Touches | None, bool, bool], ...]


def rulebook_of(files: Sequence[RuleFile], store: Store) -> Rulebook:
    """The rules that some files hold, as `build` reads them, made ready for the matcher."""
    if not store.works:
        return _read(files)
    texts = (text for file in files for text in (file.path, file.reason, repr(file.bounds), file.text or ""))
    key = key_of("rules", tool_digest(), *texts)
    data = store.get(key)
    if data is not None:
        try:
            return _book(load(_Kept, data))
        except (CodecError, IndexError):
            pass
    book = _read(files)
    store.put(key, dump(_Kept, _kept(book)))
    return book


def _read(files: Sequence[RuleFile]) -> Rulebook:
    """The rules of some files: the shipped ones as they lie ready, the others from their texts."""
    shipped = _shipped(files)
    known = {ready.rule.id: ready for ready in shipped.program.ready} if shipped and shipped.program else {}
    book = build(files, shipped.rules if shipped is not None else ())
    shipped_ids = {rule.id for rule in shipped.rules} if shipped is not None else set()
    own = [rule for rule in book.rules if rule.id not in shipped_ids]
    # To make a rule ready loads libcst.
    made = {**known, **{ready.rule.id: ready for ready in prepare(own).ready}} if own else known
    return replace(book, program=Program(tuple(made[rule.id] for rule in book.rules if rule.id in made)))


def _shipped(files: Sequence[RuleFile]) -> Rulebook | None:
    """The shipped rules, if the first of some files are theirs, with the texts that they were made ready from."""
    if not files or not files[0].path.startswith(SHIPPED):
        return None
    try:
        data = (shipped_rules() / READY).read_bytes()
        book = _book(load(_Kept, data))
    except (OSError, CodecError, IndexError):
        return None
    paths = [path for path, _ in groupby(rule.path for rule in book.rules)]
    first = files[: len(paths)]
    is_theirs = [file.path for file in first] == paths and build(first, book.rules).digest == book.digest
    return book if is_theirs else None


def ready_text() -> str:
    """What must stand in the file of the shipped rules that lie ready: a rule a line, so that changes are small."""
    book = build(read_files([]))
    kept = json.loads(dump(_Kept, _kept(replace(book, program=prepare(book.rules)))))

    def shown(value: Any) -> str:  # noqa: ANN401 - any JSON
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def listed(value: Any) -> str:  # noqa: ANN401 - as above
        return "[\n" + ",\n".join(map(shown, value)) + "\n]" if isinstance(value, list) else shown(value)

    return "[\n" + ",\n".join(map(listed, kept)) + "\n]\n"


def _book(kept: _Kept) -> Rulebook:
    ready = tuple(
        made_ready(kept.rules[index], needs, touches, apart, bare) for index, needs, touches, apart, bare in kept.needs
    )
    return Rulebook(kept.rules, kept.digest, kept.problems, Program(ready))


def _kept(book: Rulebook) -> _Kept:
    index = {rule.id: number for number, rule in enumerate(book.rules)}
    ready = book.program.ready if book.program is not None else ()
    needs = tuple((index[each.rule.id], each.needs, each.touches, each.apart, each.bare) for each in ready)
    return _Kept(book.rules, book.digest, book.problems, needs)
