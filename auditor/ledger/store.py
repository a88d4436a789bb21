"""The ledger as bytes: one record a line, sorted, the same bytes for the same facts."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from auditor.ledger.entries import SCHEMA, BlockEntry, DefinitionEntry, Header, Ledger, Review, SourceEntry
from auditor.ledger.shapes import Json, ShapeError, from_json, schema_of, to_json

KINDS: dict[str, type] = {
    "header": Header,
    "source": SourceEntry,
    "block": BlockEntry,
    "definition": DefinitionEntry,
}

# Characters that a terminal or an editor would act on or hide, and halves of surrogate pairs, which UTF-8 cannot hold.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_CONFLICT = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: |$)")


class LedgerError(ValueError):
    """A ledger that cannot be read, said in one line; `line` is the 1-based line of the file, if there is one."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {message}" if line is not None else message)
        self.line = line


def canonical(value: Json) -> str:
    """A JSON object on one line: sorted keys, no blanks, UTF-8 text but for what could act on a terminal."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def dump(ledger: Ledger) -> bytes:
    """The ledger's file: a header, then each path's source, blocks and definitions; UTF-8, LF."""
    return "".join(f"{canonical(record)}\n" for record in records(ledger)).encode("utf-8")


def records(ledger: Ledger) -> Iterator[Json]:
    """The records as JSON objects in the order of their lines; `record` names the kind of each."""
    yield {"record": "header", **to_json(ledger.header)}
    ordered: list[tuple[str, int, int, str, object]] = []
    ordered.extend((entry.path, 0, 0, "source", entry) for entry in ledger.sources)
    ordered.extend((entry.path, 1, at, "block", entry) for at, entry in enumerate(ledger.blocks))
    ordered.extend((entry.path, 2, at, "definition", entry) for at, entry in enumerate(ledger.definitions))
    for _path, _rank, _at, record, entry in sorted(ordered, key=lambda item: item[:3]):
        yield {"record": record, **to_json(entry)}


def load(data: bytes) -> Ledger:
    """The ledger in a file's bytes. Raises `LedgerError` with the line.

    A ledger of another schema is refused. So is one in the middle of a merge, see `load_merged`.
    """
    return _load(data, merged=False)


def load_merged(data: bytes) -> Ledger:
    """Both sides of a ledger that git merged, with or without conflict marks: what the next ledger takes its ids from.

    Of records with one identity the first is kept, so that our side goes before theirs. Raises `LedgerError`.
    """
    return _load(data, merged=True)


def _load(data: bytes, *, merged: bool) -> Ledger:
    header: Header | None = None
    found: dict[str, list[Any]] = {"source": [], "block": [], "definition": []}
    seen: set[tuple[str, str]] = set()
    for number, text in _lines(data):
        if _CONFLICT.match(text):
            if merged:
                continue
            raise LedgerError(
                "a merge was not finished here; write the ledger again and its ids are taken from both sides", number
            )
        record = _parse(text, number)
        name = record.pop("record", None)
        if header is None and name != "header":
            raise LedgerError(f"a ledger begins with its header, {SCHEMA!r}", number)
        if name == "header":
            _check_schema(record, number)
        if not isinstance(name, str) or name not in KINDS:
            raise LedgerError(f"no record is called {name!r}", number)
        try:
            entry = from_json(KINDS[name], record)
        except ShapeError as error:
            raise LedgerError(f"{name}: {error}", number) from None
        if name == "header":
            if header is not None and not merged:
                raise LedgerError("a second header", number)
            header = header or entry
            continue
        identity = (name, entry.path if name == "source" else entry.id)
        if identity not in seen:
            seen.add(identity)
            found[name].append(entry)
        elif not merged:
            raise LedgerError(f"{name} {identity[1]!r} stands here a second time", number)
    if header is None:
        raise LedgerError("the ledger is empty")
    return Ledger(header, tuple(found["source"]), tuple(found["block"]), tuple(found["definition"]))


def _check_schema(record: Json, line: int) -> None:
    schema = record.get("schema")
    if schema != SCHEMA:
        raise LedgerError(
            f"schema {str(schema)[:40]!r} is not {SCHEMA!r}: write the ledger anew, or use the version that wrote it",
            line,
        )


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """The lines that hold something, 1-based. A checkout may have made CRLF of LF."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LedgerError("not valid UTF-8", data.count(b"\n", 0, error.start) + 1) from None
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.rstrip("\r")
        if bare.strip():
            yield number, bare


def _parse(text: str, line: int) -> Json:
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_constant, parse_float=_no_constant)
    except RecursionError:
        raise LedgerError("nested too deeply", line) from None
    except ValueError as error:
        raise LedgerError(f"not JSON: {str(error)[:100]}", line) from None
    if not isinstance(value, dict):
        raise LedgerError("not a JSON object", line)
    return value


def _pairs(pairs: list[tuple[str, object]]) -> Json:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return value


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"no number is written {text[:20]!r} here")


def dump_reviews(reviews: Sequence[Review]) -> bytes:
    """`reviews.jsonl`: one review a line, sorted."""
    lines = sorted({canonical({"record": "review", **to_json(review)}) for review in reviews})
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def load_reviews(data: bytes) -> tuple[Review, ...]:
    """The reviews in a file's bytes; conflict marks of a merge count for nothing. Raises `LedgerError`."""
    reviews: list[Review] = []
    for number, text in _lines(data):
        if _CONFLICT.match(text):
            continue
        record = _parse(text, number)
        if record.pop("record", None) != "review":
            raise LedgerError("only reviews stand here", number)
        try:
            reviews.append(from_json(Review, record))
        except ShapeError as error:
            raise LedgerError(f"review: {error}", number) from None
    return tuple(reviews)


def json_schema() -> Json:
    """The JSON Schema (2020-12) of one line of the ledger or of `reviews.jsonl`."""
    definitions: Json = {}
    for name, kind in {**KINDS, "review": Review}.items():
        schema = schema_of(kind)
        schema["properties"] = {"record": {"const": name}, **schema["properties"]}
        schema["required"] = sorted(["record", *schema["required"]])
        if name == "header":
            schema["properties"]["schema"] = {"const": SCHEMA}
        definitions[name] = schema
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One record of {SCHEMA}",
        "$defs": definitions,
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in definitions],
    }
