"""Whole answers out of the cache: where nothing that a run reads has changed, what it said is said again.

Only complete runs without a base, a baseline, other tools or a clock in their output are remembered. Every file that
had a part in one is told by size and times, and one that was written a moment ago is not trusted.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from auditor.cli.ground import Ground
from auditor.discover import top_of
from auditor.engine.codec import CodecError, dump, load
from auditor.engine.identity import key_of, tool_digest
from auditor.engine.store import Stamp

# A larger answer takes longer to read than it is worth keeping.
LARGEST = 8_000_000
# What makes two runs over the same files differ without a difference in what they say.
_ASIDE = frozenset({"jobs", "no_cache", "output"})
_BESIDE = frozenset({"mkdocs.yml", "mkdocs.yaml"})
# Among the files beside the pages those alone may tell a flavour that end so; others come and go.
_TELLING = (".yml", ".yaml", ".toml", ".json", ".js", ".cjs", ".mjs", ".ts", "conf.py")
_TIMED = "json"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run wrote to standard output and into each file, by format, and its exit code.

    `files` are rule files, their folders and settings beside the configuration, each as it was; `reads` are the files
    that pages include: the content's digest, or `None` where nothing was.
    """

    code: int
    text: str
    outputs: Mapping[str, str]
    files: tuple[tuple[str, Stamp | None], ...]
    reads: tuple[tuple[str, str | None], ...]


def is_repeatable(options: argparse.Namespace, formats: Iterable[str]) -> bool:
    """Whether what a run says depends on nothing but files under its root, the rules and the options."""
    if options.no_cache or options.stats or _TIMED in formats:
        return False
    return not (
        options.since
        or options.baseline
        or options.linters
        or options.interpreter
        or options.stdin_path
        or "-" in options.paths
    )


def recall(ground: Ground, options: argparse.Namespace, name: str) -> Answer | None:
    """The answer of an equal run, where all that it read is as it was."""
    key = _key(ground, options, name)
    data = ground.store.get(key) if key is not None else None
    if data is None:
        return None
    try:
        answer = load(Answer, data)
    except CodecError:
        return None
    known = ground.store.digests(ground.settings.root)
    as_it_was = all(Stamp.of(path) == stamp for path, stamp in answer.files)
    return answer if as_it_was and all(_still(ground, known, *read) for read in answer.reads) else None


def remember(
    ground: Ground,
    options: argparse.Namespace,
    name: str,
    others: Iterable[Path],
    reads: Iterable[tuple[str, str | None]],
    said: tuple[int, str, Mapping[str, str]],
) -> None:
    """Keep what a run said (exit code, text, outputs), if all it read is told by the disk and old enough to be sure.

    `others` are files that had a part in it and folders of such files, whether they are there or not.
    """
    key = _key(ground, options, name)
    if key is None:
        return
    files = tuple((os.fspath(path), Stamp.of(path)) for path in _beside(ground, others))
    if all(stamp is None or stamp.settled for _, stamp in files):
        ground.store.put(key, dump(Answer, Answer(*said, files, tuple(sorted(reads, key=str)))))
        ground.store.flush()


def _beside(ground: Ground, others: Iterable[Path]) -> Iterator[Path]:
    root = ground.settings.root
    yield root / "pyproject.toml"
    yield from (root / path for path in sorted(ground.discovery.beside) if path.rpartition("/")[2] in _BESIDE)
    for path in others:
        yield path
        for folder, folders, names in os.walk(path):
            yield from (Path(folder, name) for name in (*folders, *names))


def _still(ground: Ground, known: Mapping[str, tuple[Stamp, str]], path: str, content: str | None) -> bool:
    """Whether an include would find what it found."""
    file = ground.settings.root / path
    if content is None:
        return not os.path.lexists(file)
    stamp, digest = known.get(path, (None, None))
    return stamp is not None and digest == content and Stamp.of(file) == stamp


def _key(ground: Ground, options: argparse.Namespace, name: str) -> str | None:
    """What decides the answer: the tool, the wishes, every file with its content; `None` where one is unknown."""
    if not ground.store.works or ground.settings.configuration.baseline:
        return None
    discovery = ground.discovery
    known = ground.store.digests(discovery.root)
    contents = []
    for candidate in discovery.candidates:
        stamp, digest = known.get(candidate.path, (None, ""))
        if stamp is None or Stamp.of(candidate.file) != stamp:
            return None
        contents.append(f"{candidate.path}\0{candidate.named}\0{digest}")
    wishes = sorted((word, repr(value)) for word, value in vars(options).items() if word not in _ASIDE)
    return key_of(
        "answer",
        tool_digest(),
        repr((name, sys.stdout.isatty(), wishes, [output.partition("=")[0] for output in options.output])),
        repr((ground.settings, ground.paths, top_of(discovery.root))),
        repr(discovery.left_out),
        "\n".join(sorted(path for path in discovery.beside if path.endswith(_TELLING))),
        *contents,
    )
