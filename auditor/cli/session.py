"""What the commands share: from the words of the command line and the configuration to audited sources."""

import argparse
import difflib
import os
import sys
import time
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, NoReturn

from auditor.audit import AuditOptions, SourceAudit
from auditor.cli.arguments import split_lists
from auditor.cli.exits import Failure
from auditor.cli.progress import Progress
from auditor.compiling import CompileOptions
from auditor.configuration import (
    Configuration,
    ConfigurationError,
    check_target,
    find_configuration,
    load_configuration,
    path_matcher,
    required_python,
)
from auditor.discover import Discovery, MissingPathError, discover, find_root
from auditor.engine.serial import audit_all
from auditor.extract import ExtractOptions, Flavour, flavour_of
from auditor.rulebook import Rulebook, load


@dataclass(frozen=True, slots=True)
class Session:
    """Everything that is settled before the first file is read."""

    configuration: Configuration
    discovery: Discovery
    rulebook: Rulebook
    options: AuditOptions
    flavour: Flavour | None
    lang: Literal["en", "zh"]
    quiet: bool
    known_rules: frozenset[str]
    skip_bad_rules: bool
    named_only: bool
    started: float

    def options_for(self, path: str) -> AuditOptions:
        """The options for one source: its flavour found out where none was named."""
        flavour = self.flavour or flavour_of(path, self.discovery.beside)
        return replace(self.options, extract=replace(self.options.extract, flavour=flavour))

    def audits(self) -> tuple[SourceAudit, ...]:
        """Every candidate audited, in the order of the paths, with a progress bar on a terminal."""
        with Progress(len(self.discovery.candidates), on=not self.quiet) as progress:
            return tuple(
                audit_all(
                    self.discovery,
                    self.rulebook,
                    self.options_for,
                    self.configuration.limits.file_bytes,
                    progress.step,
                )
            )


def open_session(options: argparse.Namespace) -> Session:
    """Read configuration and rules, find the files. Raises `Failure` with one clear line for each mistake."""
    started = time.perf_counter()
    # As text, so that a link stays what it is and is named as the user named it.
    paths = [Path(os.path.abspath(word)) for word in options.paths or ["."]]
    configuration = _configuration(options, paths[0])
    anchor = configuration.file.parent if configuration.file is not None else None
    root = find_root(paths, anchor)
    try:
        discovery = discover(paths, root, path_matcher(configuration.exclude))
    except MissingPathError as error:
        raise Failure(str(error)) from None
    lang = options.lang or configuration.lang
    targets, named = _targets(options, configuration, root)
    book = _all_rules(options, configuration, anchor or root)
    flavour = options.flavour or configuration.flavour
    return Session(
        configuration,
        discovery,
        _chosen(book, options, configuration),
        AuditOptions(
            ExtractOptions(
                indented=options.indented_code or configuration.indented_code,
                unlabelled=options.unlabelled or configuration.unlabelled,
            ),
            CompileOptions(targets=targets),
            targets_named=named,
            lang=lang,
            severities=configuration.severity,
        ),
        None if flavour == "auto" else flavour,
        lang,
        options.quiet,
        frozenset(rule.id for rule in book.rules),
        options.skip_bad_rules,
        named_only=bool(options.paths) and all(path.is_file() for path in paths),
        started=started,
    )


def _configuration(options: argparse.Namespace, start: Path) -> Configuration:
    file = options.config
    if file is not None and not file.is_file():
        raise Failure(f"{file}: no such configuration file")
    file = file or find_configuration(start if start.is_dir() else start.parent)
    try:
        return Configuration() if file is None else load_configuration(file.absolute())
    except ConfigurationError as error:
        raise Failure(str(error)) from None


def _targets(options: argparse.Namespace, configuration: Configuration, root: Path) -> tuple[tuple[str, ...], bool]:
    """The target versions, and whether the user named them.

    The default is the book's own `requires-python`, else no target: the newest grammar known.
    """

    def fail(what: str) -> NoReturn:
        raise Failure(f"--target-python: {what}")

    words = split_lists(options.target_python or ())
    if words:
        return tuple(dict.fromkeys(check_target(word, fail) for word in words)), True
    if configuration.target_python:
        return tuple(dict.fromkeys(configuration.target_python)), True
    required = required_python(root)
    return ((required,), True) if required else ((), False)


def _all_rules(options: argparse.Namespace, configuration: Configuration, anchor: Path) -> Rulebook:
    """The shipped rules and the user's own. A rule that cannot be read is said; the exit code tells it."""
    paths = [*(anchor / path for path in configuration.rules), *options.rules]
    for path in paths:
        if not path.exists():
            raise Failure(f"{path}: no such rule file or folder")
    book = load(paths, builtin=not options.no_builtin_rules)
    for problem in book.problems:
        print(f"auditor: {problem}", file=sys.stderr)
    return book


def _chosen(book: Rulebook, options: argparse.Namespace, configuration: Configuration) -> Rulebook:
    """The rules that `select` and `ignore` leave. Raises `Failure` for a name that no rule has."""
    select = split_lists(options.select) or configuration.select
    ignore = (*configuration.ignore, *split_lists(options.ignore))
    known = [rule.id for rule in book.rules]
    for pattern in (*select, *ignore):
        if not any(fnmatchcase(rule, pattern) for rule in known):
            near = difflib.get_close_matches(pattern, known, n=1)
            raise Failure(f"no rule is called {pattern!r}{f'; did you mean {near[0]!r}?' if near else ''}")
    return book.chosen(
        lambda rule: (
            (not select or any(fnmatchcase(rule, pattern) for pattern in select))
            and not any(fnmatchcase(rule, pattern) for pattern in ignore)
        )
    )
