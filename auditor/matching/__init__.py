"""Rules matched on code: patterns and formulas, flow inside one function, taint, and the edits of a fix."""
