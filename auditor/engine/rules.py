"""The rulebook out of the cache: read from YAML, with its patterns parsed, only where a rule file is new."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from auditor.engine.codec import CodecError, dump, load
from auditor.engine.identity import key_of, tool_digest
from auditor.engine.store import Store
from auditor.matching.needs import Needs, Touches
from auditor.matching.selection import Program, made_ready, prepare
from auditor.rulebook import Problem, Rule, Rulebook, RuleFile, build


@dataclass(frozen=True, slots=True)
class _Kept:
    """A rulebook, and for each rule that matches code its index and what a text, and a part of one, must hold."""

    rules: tuple[Rule, ...]
    digest: str
    problems: tuple[Problem, ...]
    needs: tuple[tuple[int, Needs, Touches | None, bool], ...]


def rulebook_of(files: Sequence[RuleFile], store: Store) -> Rulebook:
    """The rules that some files hold, as `build` reads them; with a cache that works, made ready for the matcher."""
    if not store.works:
        return build(files)
    texts = (text for file in files for text in (file.path, file.reason, repr(file.bounds), file.text or ""))
    key = key_of("rules", tool_digest(), *texts)
    data = store.get(key)
    if data is not None:
        try:
            return _book(load(_Kept, data))
        except (CodecError, IndexError):
            pass
    book = build(files)
    book = replace(book, program=prepare(book.rules))
    store.put(key, dump(_Kept, _kept(book)))
    return book


def _book(kept: _Kept) -> Rulebook:
    ready = tuple(made_ready(kept.rules[index], needs, touches, apart) for index, needs, touches, apart in kept.needs)
    return Rulebook(kept.rules, kept.digest, kept.problems, Program(ready))


def _kept(book: Rulebook) -> _Kept:
    index = {rule.id: number for number, rule in enumerate(book.rules)}
    ready = book.program.ready if book.program is not None else ()
    needs = tuple((index[each.rule.id], each.needs, each.touches, each.apart) for each in ready)
    return _Kept(book.rules, book.digest, book.problems, needs)
