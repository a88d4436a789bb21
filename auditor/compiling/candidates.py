"""A text that may be Python, and the judgement on it: it fits somewhere, or why it does not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from auditor.compiling.compiler import Failure, compile_text, parse
from auditor.compiling.scopes import Stray, compile_in_scope, find_stray, label, may_belong, return_beside_definition
from auditor.compiling.versions import minimum_python
from auditor.model import Adjustment, Context, Diagnosis, MappedText, Span

_ORDER: dict[str, int] = {name: index for index, name in enumerate(get_args(Adjustment))}
_LEFT_OUT = frozenset({"elision", "placeholder", "header-only", "signature-only"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may compile, how it was made from the block's, and what is to be said of that.

    `context` is set where the making itself tells it. Diagnoses are in the source's offsets.
    """

    code: MappedText
    adjustments: tuple[Adjustment, ...] = ()
    context: Context | None = None
    diagnoses: tuple[Diagnosis, ...] = ()

    def adjusted(self, code: MappedText, *adjustments: Adjustment, context: Context | None = None) -> "Candidate":
        """The same with another text and what was done for it."""
        done = sorted({*self.adjustments, *adjustments}, key=_ORDER.__getitem__)
        return replace(self, code=code, adjustments=tuple(done), context=context or self.context)

    def saying(self, diagnoses: Sequence[Diagnosis]) -> "Candidate":
        """The same with more to say, given in its text's offsets."""
        return replace(self, diagnoses=(*self.diagnoses, *(said.through(self.code) for said in diagnoses)))


@dataclass(frozen=True, slots=True)
class Fit:
    """A candidate that compiles, and where it belongs."""

    candidate: Candidate
    context: Context

    @property
    def elided(self) -> bool:
        """Whether it compiles only with something put in that its author left out."""
        return any(said.kind in _LEFT_OUT for said in self.candidate.diagnoses)


@dataclass(frozen=True, slots=True)
class Misfit:
    """A candidate that does not compile."""

    candidate: Candidate
    failure: Failure


@dataclass(frozen=True, slots=True)
class Foreign:
    """A cell whose body is handed to something that is not this Python: `magic` is its name with the `%%`."""

    magic: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to read a block: `vary` makes candidates from the best text so far, or says that it is another language.

    Where `builds` is set, later attempts go on from its last candidate, since it leaves sound text sound.
    """

    name: str
    vary: Callable[[Candidate], Iterator[Candidate | Foreign]]
    builds: bool = True


def fit(candidate: Candidate, *, in_scope: bool = True) -> Fit | Misfit:
    """Judge a candidate as it stands, then in the scope that its stray statements ask for; a file has but its own."""
    text = candidate.code.text
    failure = compile_text(text)
    if failure is None:
        return Fit(candidate, candidate.context or _label(text))
    if failure.gave_up:
        return Misfit(candidate, failure)
    tree = parse(text)
    if isinstance(tree, Failure):
        # Syntax that only a newer compiler than this host's reads, put in older words.
        if minimum_python(text) is None:
            return Misfit(candidate, failure)
        from auditor.compiling.newer import rewrite_newer  # noqa: PLC0415 - few texts are newer than this host

        text = rewrite_newer(text)
        newer = compile_text(text)
        if newer is None:
            return Fit(candidate, candidate.context or _label(text))
        tree = parse(text)
        if isinstance(tree, Failure):
            return Misfit(candidate, failure)
        failure = newer
    stray = find_stray(tree)
    if not in_scope or not stray.adjustments:
        return Misfit(candidate, failure)
    place = label(tree)
    # Between excerpts nothing is beside anything.
    remarks = () if candidate.context == "fragment" else _remarks(text, stray, return_beside_definition(tree, stray))
    deeper = compile_in_scope(tree, stray, text)
    if deeper is not None:
        return Misfit(candidate, deeper)
    context = candidate.context or (stray.context if place == "module" else place)
    return Fit(candidate.adjusted(candidate.code, *stray.adjustments).saying(remarks), context)


def _label(text: str) -> Context:
    if not may_belong(text):
        return "module"
    tree = parse(text)
    return "module" if isinstance(tree, Failure) else label(tree)


def _remarks(text: str, stray: Stray, definition: str | None) -> tuple[Diagnosis, ...]:
    if definition is None or stray.function is None:
        return ()
    from auditor.compiling.remarks import Lines  # noqa: PLC0415 - seldom needed

    lines = Lines(text)
    span = Span(lines.start(stray.function), lines.end(stray.function))
    return (Diagnosis("stray-return-beside-def", span, {"definition": definition}),)


def settle(start: Candidate, attempts: Sequence[Attempt]) -> Fit | Foreign | list[Misfit]:
    """The first candidate that fits, the text itself being one; a foreign cell; or all that were tried in vain."""
    as_it_stands = fit(start)
    return as_it_stands if isinstance(as_it_stands, Fit) else settle_adjusted(as_it_stands, attempts)


def settle_adjusted(as_it_stands: Misfit, attempts: Sequence[Attempt]) -> Fit | Foreign | list[Misfit]:
    """What `settle` does with a text that does not fit as it stands."""
    best = as_it_stands.candidate
    tried = [as_it_stands]
    if as_it_stands.failure.gave_up:
        return tried
    for attempt in attempts:
        last = best
        for candidate in attempt.vary(best):
            if isinstance(candidate, Foreign):
                return candidate
            outcome = fit(candidate)
            if isinstance(outcome, Fit):
                return outcome
            tried.append(outcome)
            if outcome.failure.gave_up:
                return tried
            last = candidate
        if attempt.builds:
            best = last
    return tried
