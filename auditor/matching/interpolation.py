"""A text that names metavariables, and what they stand for put in their place."""

import re
from collections.abc import Mapping
from typing import Protocol

_METAVARIABLE = re.compile(r"\$\.\.\.[A-Z_][A-Z_0-9]*|\$[A-Z_][A-Z_0-9]*|\$[0-9]+")


class HasText(Protocol):
    """What a metavariable stands for, as far as it is put into a text."""

    @property
    def text(self) -> str:
        """As it is written."""
        ...


def interpolate(template: str, bindings: Mapping[str, HasText]) -> str:
    """A template with each metavariable in the place of its name; an unknown one stays as it is."""
    if "$" not in template:
        return template

    def put(found: re.Match[str]) -> str:
        bound = bindings.get(found[0])
        return found[0] if bound is None else bound.text

    return _METAVARIABLE.sub(put, template)
