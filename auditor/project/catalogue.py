"""The definitions of some files, ready to be looked up by name or by what their bodies hold."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from auditor.audited import SourceAudit
from auditor.model import Definition
from auditor.project.excerpts import Bodies, Body


@dataclass(frozen=True)
class Catalogue:
    """The definitions of some files, found by name."""

    files: tuple[SourceAudit, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Definition]:
        """The definitions by `path::qualname`; of several with one name the first."""
        found: dict[str, Definition] = {}
        for file in self.files:
            for block in file.blocks:
                for definition, _ in block.definitions:
                    found.setdefault(f"{file.path}::{definition.qualname}", definition)
        return found

    @cached_property
    def by_qualname(self) -> Mapping[str, Sequence[str]]:
        """The ids by qualified name."""
        found: dict[str, list[str]] = defaultdict(list)
        for name, definition in self.by_id.items():
            found[definition.qualname].append(name)
        return found

    @cached_property
    def methods(self) -> Mapping[str, Sequence[str]]:
        """The methods by their bare name."""
        found: dict[str, list[str]] = defaultdict(list)
        for name, definition in self.by_id.items():
            if definition.kind == "method":
                found[definition.qualname.rpartition(".")[2]].append(name)
        return found

    @cached_property
    def bodies(self) -> Bodies:
        """The functions, for finding excerpts of them."""
        return Bodies(
            [Body(name, definition.code) for name, definition in self.by_id.items() if definition.kind != "class"]
        )
