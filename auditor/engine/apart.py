"""One process beside this one for what could kill or stall it, made when it is first needed."""

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from auditor.audited import AuditOptions
from auditor.model import Source

if TYPE_CHECKING:
    from auditor.engine.workers import Workers

Result = TypeVar("Result")


class Apart(Generic[Result]):
    """Hands sources to workers that `make` gives; use it as a context."""

    def __init__(self, make: Callable[[], "Workers[Result]"]) -> None:
        self._make = make
        self._workers: Workers[Result] | None = None

    def work_on(self, source: Source, options: AuditOptions) -> Result:
        """What the workers make of one source, or of its loss."""
        if self._workers is None:
            self._workers = self._make()
        return self._workers.work_on(source, options)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._workers is not None:
            self._workers.__exit__(kind, error, trace)
