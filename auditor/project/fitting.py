"""Whether the arguments of a call fit the parameters of a function, by Python's own rules of binding."""

from dataclasses import dataclass
from typing import Literal

from auditor.structure.shape import Arguments, Signature

Fault = Literal["missing", "too-many", "unknown", "twice"]


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a call does not fit: parameters that get nothing, are unknown or given twice; for too many how many fit."""

    fault: Fault
    names: tuple[str, ...] = ()
    given: int = 0
    fit: int = 0


def misfit(given: Arguments, signature: Signature, bound: int = 0) -> Misfit | None:
    """The first reason why a call does not fit; `bound` parameters are filled by the instance or the class."""
    parameters = signature.positional[bound:]
    if bound > len(signature.positional):
        return None
    if given.positional > len(parameters) and not signature.rest:
        return Misfit("too-many", given=given.positional, fit=len(parameters))
    by_name = {*parameters[max(0, signature.only_positional - bound) :], *signature.named}
    if not signature.any_named:
        unknown = tuple(name for name in given.named if name not in by_name)
        if unknown:
            return Misfit("unknown", unknown)
    filled = parameters[: given.positional]
    twice = tuple(name for name in given.named if name in filled and name in by_name)
    if twice:
        return Misfit("twice", twice)
    if given.spread or given.starred:
        return None
    needed = (*parameters[given.positional : max(0, signature.required - bound)], *signature.named_required)
    missing = tuple(name for name in needed if name not in by_name or name not in given.named)
    return Misfit("missing", missing) if missing else None
