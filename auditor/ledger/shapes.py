"""From a record's dataclass to its JSON, back again, and to its JSON Schema: the dataclasses are the only table."""

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Json = dict[str, Any]


class ShapeError(ValueError):
    """A value that is not what the record's field says; the message names the key and what was expected."""


def to_json(value: object) -> Any:  # noqa: ANN401 - what JSON holds
    """The value as JSON types; a field that may be absent and is `None` is left out, others are always there."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            name: to_json(item)
            for name, optional in _keys(type(value))
            if (item := getattr(value, name)) is not None or not optional
        }
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    return value


@cache
def _keys(kind: type) -> tuple[tuple[str, bool], ...]:
    """The keys of a record; the flag says that `None` is told by leaving the key out.

    A nullable key that the schema promises (`context`, `resolved_by`) stays and is `null`.
    """
    return tuple((item.name, item.default is None and item.name not in _ALWAYS) for item in fields(kind))


_ALWAYS = frozenset({"context", "resolved_by"})


def from_json(kind: type, value: object) -> Any:  # noqa: ANN401 - the kind given
    """A record of that kind. Raises `ShapeError`."""
    return _reader(kind)(value, "")


_Reader = Callable[[object, str], Any]


def _fail(where: str, expected: str, value: object) -> ShapeError:
    shown = repr(value) if len(repr(value)) <= 60 else type(value).__name__
    return ShapeError(f"{where or 'record'}: expected {expected}, not {shown}")


@cache
def _reader(hint: Any) -> _Reader:  # noqa: ANN401 - a type expression
    """What reads JSON as a type; made once for each."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _choice(arguments)
    if origin in (Union, types.UnionType):
        return _union(arguments)
    if origin is tuple:
        return _sequence(_reader(arguments[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(_reader(arguments[1]))
    if is_dataclass(hint) and isinstance(hint, type):
        return _record(hint)
    return _plain(hint)


def _choice(words: tuple[object, ...]) -> _Reader:
    def read(value: object, where: str) -> object:
        if isinstance(value, str) and value in words:
            return value
        raise _fail(where, "one of " + ", ".join(map(str, words)), value)

    return read


def _union(arguments: tuple[Any, ...]) -> _Reader:
    readers = [_reader(argument) for argument in arguments if argument is not type(None)]
    nullable = type(None) in arguments

    def read(value: object, where: str) -> object:
        if value is None and nullable:
            return None
        error: ShapeError | None = None
        for reader in readers:
            try:
                return reader(value, where)
            except ShapeError as failed:
                error = failed
        raise error or _fail(where, "a value", value)

    return read


def _sequence(reader: _Reader) -> _Reader:
    def read(value: object, where: str) -> object:
        if not isinstance(value, list):
            raise _fail(where, "a list", value)
        return tuple(reader(item, f"{where}[{index}]") for index, item in enumerate(value))

    return read


def _mapping(reader: _Reader) -> _Reader:
    def read(value: object, where: str) -> object:
        if not isinstance(value, dict):
            raise _fail(where, "an object", value)
        return {key: reader(item, f"{where}.{key}") for key, item in value.items()}

    return read


def _plain(hint: type) -> _Reader:
    expected = {str: "text", int: "a whole number", bool: "true or false"}[hint]

    def read(value: object, where: str) -> object:
        if type(value) is not hint:
            raise _fail(where, expected, value)
        return value

    return read


def _record(kind: type) -> _Reader:
    hints = get_type_hints(kind)
    readers = {item.name: _reader(hints[item.name]) for item in fields(kind)}
    required = [item.name for item in fields(kind) if item.default is MISSING and item.default_factory is MISSING]

    def read(value: object, where: str) -> object:
        if not isinstance(value, dict):
            raise _fail(where, "an object", value)
        for key in value:
            if key not in readers:
                raise ShapeError(f"{where or 'record'}: a key this version does not know: {key!r}")
        for key in required:
            if key not in value:
                raise ShapeError(f"{where or 'record'}: the key {key!r} is missing")
        prefix = f"{where}." if where else ""
        return kind(**{key: readers[key](item, prefix + key) for key, item in value.items()})

    return read


def schema_of(hint: Any) -> Json:  # noqa: ANN401 - a type expression
    """The JSON Schema of a type, strict: no key beyond those of the record."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": sorted(arguments)}  # `typing` may give back an equal type with the words in another order
    if origin in (Union, types.UnionType):
        options = [{"type": "null"} if option is type(None) else schema_of(option) for option in arguments]
        return {"anyOf": options}
    if origin is tuple:
        return {"type": "array", "items": schema_of(arguments[0])}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    if is_dataclass(hint) and isinstance(hint, type):
        return _record_schema(hint)
    return {"type": {str: "string", int: "integer", bool: "boolean"}[hint]}


def _record_schema(kind: type) -> Json:
    hints = get_type_hints(kind)
    optional = {name for name, left_out in _keys(kind) if left_out}
    properties: Json = {}
    for item in fields(kind):
        shape = schema_of(hints[item.name])
        if item.name in optional:
            shape = next(option for option in shape["anyOf"] if option != {"type": "null"})
        properties[item.name] = shape
    return {
        "type": "object",
        "description": " ".join((kind.__doc__ or "").split()),
        "properties": properties,
        "required": sorted(set(properties) - optional),
        "additionalProperties": False,
    }
