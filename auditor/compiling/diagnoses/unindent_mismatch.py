"""unindent-mismatch: a statement moves out to a width at which no block stands."""

from auditor.compiling.diagnoses.indentation import run_end, shift
from auditor.compiling.diagnoses.reading import Arguments, Found, Proof, Reading

KIND = "unindent-mismatch"


def find_unindent_mismatch(reading: Reading) -> Found | None:
    """The statement between two levels; a repair only where one of the two compiles and the other does not."""
    fault = reading.fault
    if fault is None or fault.kind != "mismatch":
        return None
    scan, index = reading.scan, fault.index
    statement = scan.statements[index]
    outer, inner = fault.levels[-1], fault.closed[0]
    nearest = inner if inner.width - statement.width <= statement.width - outer.width else outer
    arguments: Arguments = {
        "width": statement.width,
        "expected": nearest.width,
        "outer": outer.width,
        "inner": inner.width,
        "margin_line": reading.line_argument(scan.statements[nearest.first].line),
    }
    end = run_end(scan.statements, index, statement.width)
    both = [shift(scan, index, end, level.width - statement.width) for level in (inner, outer)]
    proofs = [reading.proof(edits) for edits in both]
    whole = [edits for edits, proof in zip(both, proofs, strict=True) if proof == "whole"]
    repair = whole[0] if len(whole) == 1 else None
    proof: Proof = "whole" if whole else next((proof for proof in proofs if proof), "shown")
    return reading.found(KIND, statement.start, statement.end, arguments, repair=repair, proof=proof)
