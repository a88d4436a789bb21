import numpy as np

from auditor.evidence.attention import Array
from auditor.evidence.residual import overwritten_layer, pre_norm_layer


def silent(x: Array) -> Array:
    return np.zeros_like(x)


def test_norm_before_skip_changes_the_function() -> None:
    # With F = 0 a residual layer is the identity; the overwritten one is the norm instead.
    row = np.array([[1.0, 2.0, 3.0, 4.0]])
    np.testing.assert_array_equal(pre_norm_layer(row, silent), row)
    lost = overwritten_layer(row, silent)
    np.testing.assert_allclose(lost, (row - 2.5) / np.sqrt(1.25), rtol=1e-6)
    assert np.abs(lost - row).max() > 2.0


def test_the_branch_reads_the_norm_in_both() -> None:
    row = np.array([[1.0, 2.0, 3.0, 4.0]])
    seen: list[Array] = []

    def branch(x: Array) -> Array:
        seen.append(x)
        return 2 * x

    kept, lost = pre_norm_layer(row, branch), overwritten_layer(row, branch)
    np.testing.assert_array_equal(seen[0], seen[1])
    np.testing.assert_allclose(kept, row + 2 * seen[0])
    np.testing.assert_allclose(lost, 3 * seen[0])


def test_the_scale_of_the_stream_survives_only_the_raw_skip() -> None:
    row = np.array([[1.0, 2.0, 3.0, 4.0]])
    np.testing.assert_array_equal(pre_norm_layer(10 * row, silent), 10 * row)
    np.testing.assert_allclose(overwritten_layer(10 * row, silent), overwritten_layer(row, silent), atol=1e-5)
