"""The user's own rules: those that the configuration names, and those that the command line adds."""

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from auditor.cli.base import Settings, settle
from auditor.cli.exits import Failure
from auditor.rulebook import Bounds, Problem, Rule, Rulebook, build, read_files, rule_files


def own_rules(settings: Settings, named: Sequence[Path]) -> list[Path]:
    """The files and folders of the user's own rules, the configuration's first, as far as they are trusted.

    Raises `Failure` for one that does not exist or lies outside the folder of the configuration.
    """
    own = []
    configuration = settings.configuration
    anchor = settings.trusted_path(settings.root)
    where = "" if settings.trusted is None else " in the base"
    for path in configuration.rules:
        if not (anchor / path).resolve().is_relative_to(anchor.resolve()):
            place = configuration.place("rules", path)
            raise Failure(f"{place}: {path!r} lies outside the folder of the configuration")
        if not (anchor / path).exists():
            place = configuration.place("rules", path)
            raise Failure(f"{place}: there is no rule file or folder {path!r}{where} beside the configuration")
        own.append(anchor / path)
    paths = [*own, *(settings.trusted_path(path) for path in named)]
    for file in paths:
        if not file.exists():
            raise Failure(settings.as_in_tree(f"{file}: no such rule file or folder{where}"))
    return paths


def bounds_of(settings: Settings) -> Bounds:
    """What holds the user's own rule files."""
    limits = settings.configuration.limits
    return Bounds(limits.yaml_depth, limits.yaml_values)


def doubts_about(rules: Iterable[Rule], own: Sequence[Path]) -> Sequence[Problem]:
    """What is doubtful about those rules that come from the user's own files and folders; they run as they are."""
    if not own:
        return ()
    from auditor.rulebook.bindings import doubts  # noqa: PLC0415 - loads what reads rules, which most runs have ready

    paths = {file.as_posix() for path in own for file in rule_files(path)}
    return tuple(doubts(rule for rule in rules if rule.path in paths))


def rules_in_force(
    options: argparse.Namespace, start: Path, named: Sequence[Path] = ()
) -> tuple[Rulebook, Sequence[Path]]:
    """The rules that an audit of `start` would have, and where the user's own come from. Raises `Failure`."""
    settings = settle(options, [Path(os.path.abspath(start))], Path(os.devnull))
    own = own_rules(settings, named)
    return build(read_files(own, bounds=bounds_of(settings))), own
