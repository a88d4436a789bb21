"""Values to JSON and back, exactly: read off the types of frozen dataclasses, so that nothing is said twice.

A dataclass is a list of its fields in order. Of several that may stand in one place each is told by its name in front.
Nothing is guessed and nothing is run: what does not have the shape of its type raises `CodecError`.
"""

# ruff: noqa: ANN401 - what is written and read is any value of a type that is known only when it is asked for

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Coder = Callable[[Any], Any]
Value = TypeVar("Value")
_PLAIN = frozenset({str, int, bool, float, NoneType, object})
_SCALARS = (str, int, bool, float, NoneType)


class CodecError(ValueError):
    """A text that is no encoding of the type, or a value that JSON cannot hold exactly."""


def dump(kind: type[Value], value: Value) -> bytes:
    """A value of a type as UTF-8 JSON, lone surrogates included. Raises `CodecError` for what JSON has no place for."""
    try:
        text = json.dumps(_encoder(kind)(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise CodecError(f"{kind}: {error}") from None
    return text.encode("utf-8", "surrogatepass")


def load(kind: type[Value], data: bytes) -> Value:
    """The value again: equal to the one that `dump` was given. Raises `CodecError`."""
    try:
        value: Value = _decoder(kind)(json.loads(data.decode("utf-8", "surrogatepass")))
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise CodecError(f"{kind}: {error}") from None
    return value


def _as_it_is(value: Any) -> Any:
    return value


def _encoder(kind: Any) -> Coder:
    return _coders(kind)[0]


def _decoder(kind: Any) -> Coder:
    return _coders(kind)[1]


@lru_cache(maxsize=512)
def _coders(kind: Any) -> tuple[Coder, Coder]:
    """How a type is written and read. A type that holds itself is looked up when it is met again."""
    if kind in _PLAIN or get_origin(kind) is Literal:
        return _as_it_is, _as_it_is
    if is_dataclass(kind):
        return _of_dataclass(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        return _of_union(arguments)
    if origin is tuple:
        return _of_tuple(arguments)
    if origin is frozenset:
        return _of_set(arguments[0])
    if origin is not None and issubclass(origin, Mapping) and arguments[0] is str:
        return _of_mapping(arguments[1])
    raise CodecError(f"no way to write {kind}")


def _later(kind: Any) -> tuple[Coder, Coder]:
    """The coders of a type, plain ones at once and others when they are first asked for."""
    if kind in _PLAIN or get_origin(kind) is Literal:
        return _as_it_is, _as_it_is

    def write(value: Any) -> Any:
        return _coders(kind)[0](value)

    def read(data: Any) -> Any:
        return _coders(kind)[1](data)

    return write, read


def _of_dataclass(kind: Any) -> tuple[Coder, Coder]:
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind) if field.init]
    parts = [_later(hints[name]) for name in names]
    writers = [(name, None if part[0] is _as_it_is else part[0]) for name, part in zip(names, parts, strict=True)]
    readers = [None if part[1] is _as_it_is else part[1] for part in parts]
    size = len(names)

    def write(value: Any) -> Any:
        return [getattr(value, name) if writer is None else writer(getattr(value, name)) for name, writer in writers]

    def read(data: Any) -> Any:
        if type(data) is not list or len(data) != size:
            raise CodecError(f"{kind.__name__} has {size} fields")
        return kind(*[item if reader is None else reader(item) for reader, item in zip(readers, data, strict=True)])

    return write, read


def _of_union(kinds: tuple[Any, ...]) -> tuple[Coder, Coder]:
    """Scalars stand as they are; one other member as a list; of several dataclasses each with its name in front."""
    others = [kind for kind in kinds if kind not in _PLAIN and get_origin(kind) is not Literal]
    if not others:
        return _as_it_is, _as_it_is
    if len(others) == 1:
        writer, reader = _later(others[0])
        return (
            lambda value: value if isinstance(value, _SCALARS) else writer(value),
            lambda data: reader(data) if isinstance(data, list | dict) else data,
        )
    if not all(is_dataclass(kind) for kind in others):
        raise CodecError(f"no way to tell {kinds} apart")
    by_kind = {kind: (kind.__name__, _later(kind)[0]) for kind in others}
    by_name = {kind.__name__: _later(kind)[1] for kind in others}

    def write(value: Any) -> Any:
        if isinstance(value, _SCALARS):
            return value
        name, writer = by_kind[type(value)]
        return [name, writer(value)]

    def read(data: Any) -> Any:
        if not isinstance(data, list):
            return data
        name, item = data
        return by_name[name](item)

    return write, read


def _of_tuple(kinds: tuple[Any, ...]) -> tuple[Coder, Coder]:
    if len(kinds) == 2 and kinds[1] is ...:
        writer, reader = _later(kinds[0])
        if writer is _as_it_is:
            return list, _tuple_of_plain
        return (
            lambda value: [writer(item) for item in value],
            lambda data: tuple([reader(item) for item in data]),  # a list first: faster than a generator
        )
    pairs = [_later(kind) for kind in kinds]
    return (
        lambda value: [pair[0](item) for pair, item in zip(pairs, value, strict=True)],
        lambda data: tuple([pair[1](item) for pair, item in zip(pairs, data, strict=True)]),
    )


def _tuple_of_plain(data: Any) -> Any:
    if type(data) is not list:
        raise CodecError("a list was expected")
    return tuple(data)


def _of_set(kind: Any) -> tuple[Coder, Coder]:
    writer, reader = _later(kind)
    return (
        lambda value: sorted((writer(item) for item in value), key=json.dumps),
        lambda data: frozenset([reader(item) for item in data]),
    )


def _of_mapping(kind: Any) -> tuple[Coder, Coder]:
    writer, reader = _later(kind)
    if writer is _as_it_is:
        return dict, _plain_mapping
    return (
        lambda value: {key: writer(item) for key, item in value.items()},
        lambda data: {key: reader(item) for key, item in data.items()},
    )


def _plain_mapping(data: Any) -> Any:
    if type(data) is not dict:
        raise CodecError("a mapping was expected")
    return data
