"""What the commands share: from the words of the command line and the configuration to audited sources."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, NoReturn

from auditor.audited import AuditOptions, SourceAudit
from auditor.cli.arguments import split_lists
from auditor.cli.base import Settings
from auditor.cli.exits import Failure
from auditor.cli.ground import Ground, lay_ground
from auditor.cli.own_rules import bounds_of, doubts_about, own_rules
from auditor.cli.progress import Progress
from auditor.cli.requirements import requirement_texts
from auditor.compiling import CompileOptions
from auditor.configuration import (
    Configuration,
    check_target,
    path_matcher,
    required_python,
)
from auditor.discover import Discovery
from auditor.engine.keeping import Read
from auditor.engine.rules import rulebook_of
from auditor.engine.running import Run, audit_all
from auditor.engine.store import Store
from auditor.extract import ExtractOptions, Flavour, flavour_of
from auditor.project.whole import ProjectOptions
from auditor.report.terminal import shown
from auditor.rulebook import Rulebook, read_files, shipped_rules


@dataclass(frozen=True, slots=True)
class Session:
    """Everything that is settled before the first file is read.

    `base` is the merge base that the run is compared with, where `--since` asked for one, `top` the checkout's top, and
    `trusts_base` tells that the base's settings hold instead of the tree's. `flavour` is `None` where
    each page's own is found out. `store` is the cache, `jobs` how many workers were asked for.
    `reads` is filled by the audits with what pages include.
    """

    configuration: Configuration
    discovery: Discovery
    rulebook: Rulebook
    options: AuditOptions
    project: ProjectOptions
    flavour: Flavour | None
    base: str | None
    top: Path | None
    trusts_base: bool
    paths: tuple[Path, ...]
    named_only: bool
    quiet: bool
    skip_bad_rules: bool
    started: float
    store: Store
    jobs: int
    reads: set[Read] = field(default_factory=set, compare=False)

    @property
    def root(self) -> Path:
        """The folder that paths are relative to."""
        return self.discovery.root

    @property
    def lang(self) -> Literal["en", "zh"]:
        """The language of messages."""
        return self.options.lang

    def options_for(self, path: str) -> AuditOptions:
        """The options for one source: its flavour found out where none was named."""
        flavour = self.flavour or flavour_of(path, self.discovery.beside)
        return replace(self.options, extract=replace(self.options.extract, flavour=flavour))

    def audits(self) -> Sequence[SourceAudit]:
        """Every candidate audited, in the order of the paths, with a progress bar on a terminal."""
        with Progress(len(self.discovery.candidates), on=not self.quiet) as progress:
            run = Run(self.discovery, self.rulebook, self.options_for, self.configuration.limits, self.jobs)
            return audit_all(run, self.store, progress.step, self.reads.update)

    def excludes(self, path: str) -> bool:
        """Whether the configuration leaves a path out."""
        return path_matcher(self.configuration.left_out)(path)

    def covers(self, path: str) -> bool:
        """Whether a path relative to the root is under the paths of the run."""
        under = (os.path.relpath(place, self.root).replace(os.sep, "/") for place in self.paths)
        return any(place in {".", path} or path.startswith(f"{place}/") for place in under)

    def admits(self, path: str) -> bool:
        """Whether a path relative to the root is under the paths of the run and not excluded."""
        return not self.excludes(path) and self.covers(path)


def open_session(options: argparse.Namespace, ground: Ground | None = None) -> Session:
    """Read configuration and rules, find the files. Raises `Failure` with one clear line for each mistake.

    `ground` is what was settled already.
    """
    started = time.perf_counter()
    with _scratch(options) as scratch:
        ground = ground or lay_ground(options, scratch)
        settings, paths, discovery, store = ground.settings, ground.paths, ground.discovery, ground.store
        configuration = settings.configuration
        _demand_code(configuration)
        own = own_rules(settings, options.rules)
        book = _all_rules(options, settings, own, store)
        chosen = _chosen(book, options, configuration)
        for doubt in doubts_about(chosen.rules, own):
            print(f"auditor: {shown(settings.as_in_tree(str(doubt)))}", file=sys.stderr)
        targets, named = _targets(options, configuration, settings.trusted_path(settings.root))
    lang = options.lang or configuration.lang
    flavour = options.flavour or configuration.flavour
    return Session(
        configuration,
        discovery,
        chosen,
        AuditOptions(
            ExtractOptions(
                indented=options.indented_code or configuration.indented_code,
                unlabelled=options.unlabelled or configuration.unlabelled,
            ),
            CompileOptions(
                targets=targets,
                max_size=configuration.limits.block_bytes,
                max_line=configuration.limits.line_length,
                max_nesting=configuration.limits.nesting,
            ),
            targets_named=named,
            lang=lang,
            severities=configuration.severity,
            most_findings=configuration.limits.findings_per_file,
            regex_seconds=configuration.limits.regex_milliseconds / 1000,
        ),
        ProjectOptions(
            frozenset(rule.id for rule in book.rules),
            configuration.books,
            configuration.paths,
            configuration.require_reason,
            lang,
            linters=tuple(getattr(options, "linters", ())),
            settings=configuration.file.name if configuration.file else "auditor.toml",
            whole=paths == (settings.root,),
            severities=configuration.severity,
            requirements=requirement_texts(discovery, configuration.books, configuration.limits.file_bytes),
            targets=targets,
        ),
        None if flavour == "auto" else flavour,
        settings.base,
        settings.top,
        settings.trusted is not None,
        paths,
        named_only=bool(options.paths) and not any(map(os.path.isdir, paths)),
        quiet=options.quiet,
        skip_bad_rules=options.skip_bad_rules,
        started=started,
        store=store,
        jobs=options.jobs,
    )


def _demand_code(configuration: Configuration) -> None:
    """Raise `Failure` for a set-up in the configuration that no supported Python reads."""
    for at, book in enumerate(configuration.books):
        if book.setup:
            from auditor.structure.reading import read  # noqa: PLC0415 - few books have a set-up

            if read(book.setup) is None:
                raise Failure(f"{configuration.place(f'books[{at}].setup')}: is no Python: it does not compile")


@contextmanager
def _scratch(options: argparse.Namespace) -> Iterator[Path]:
    """An empty folder for what is taken from a base, while it is needed; no folder where nothing is."""
    if getattr(options, "trust", "head") != "base":
        yield Path(os.devnull)
        return
    import tempfile  # noqa: PLC0415 - few runs take their settings from a base

    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


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
    return (required,) if required else (), False


def rule_paths(options: argparse.Namespace, configuration: Configuration, root: Path) -> list[Path]:
    """The files and folders that rules come from, the shipped ones first."""
    shipped = [] if options.no_builtin_rules else [shipped_rules()]
    return [*shipped, *(root / path for path in configuration.rules), *options.rules]


def _all_rules(options: argparse.Namespace, settings: Settings, own: Sequence[Path], store: Store) -> Rulebook:
    """The shipped rules and the user's own. A rule that cannot be read is said; the exit code tells it."""
    book = rulebook_of(read_files(own, builtin=not options.no_builtin_rules, bounds=bounds_of(settings)), store)
    for problem in book.problems:
        print(f"auditor: {shown(settings.as_in_tree(str(problem)))}", file=sys.stderr)
    return book


def _chosen(book: Rulebook, options: argparse.Namespace, configuration: Configuration) -> Rulebook:
    """The rules that `select` and `ignore` leave. Raises `Failure` for a name that no rule has."""
    known = [rule.id for rule in book.rules]
    select = split_lists(options.select)
    for pattern in (*select, *split_lists(options.ignore)):
        _demand_rule(pattern, known)
    for key, patterns in (("select", () if select else configuration.select), ("ignore", configuration.ignore)):
        for pattern in patterns:
            _demand_rule(pattern, known, configuration, key)
    if not options.no_builtin_rules:
        _demand_rules(configuration, known)
    wanted = selection(options, configuration)
    return book.chosen(lambda rule: wanted(rule.id))


def _demand_rules(configuration: Configuration, known: Sequence[str]) -> None:
    """Raise `Failure` for a severity or a suppression by path, in the configuration, of a rule that there is not."""
    named = [("severity", rule) for rule in configuration.severity]
    for at, rules in enumerate(configuration.paths):
        named += [(f"paths[{at}].severity", rule) for rule in rules.severity]
        named += [(f"paths[{at}].ignore", rule) for rule in rules.ignore]
    for key, rule in named:
        _demand_rule(rule, known, configuration, key)


def _demand_rule(pattern: str, known: Sequence[str], configuration: Configuration | None = None, key: str = "") -> None:
    """Raise `Failure` where no rule is called so; `key` is where the configuration names it, if that does."""
    # A colon stands only in the names of other tools' rules, which are not known here.
    if ":" not in pattern and not any(fnmatchcase(rule, pattern) for rule in known):
        import difflib  # noqa: PLC0415 - only a mistake needs it

        near = difflib.get_close_matches(pattern, known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "; `auditor rules` lists them"
        place = f"{configuration.place(key, pattern)}: " if configuration is not None else ""
        raise Failure(f"{place}no rule is called {pattern!r}{hint}")


def selection(options: argparse.Namespace, configuration: Configuration) -> Callable[[str], bool]:
    """Whether `select` and `ignore` leave a rule, by its id."""
    select, ignore = _patterns(options, configuration)

    def wanted(rule: str) -> bool:
        if select and not any(fnmatchcase(rule, pattern) for pattern in select):
            return False
        return not any(fnmatchcase(rule, pattern) for pattern in ignore)

    return wanted


def _patterns(options: argparse.Namespace, configuration: Configuration) -> tuple[tuple[str, ...], tuple[str, ...]]:
    select = split_lists(options.select) or configuration.select
    return select, (*configuration.ignore, *split_lists(options.ignore))
