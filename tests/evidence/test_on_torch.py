"""The same claims on PyTorch itself, in float64, where `torch` is installed."""

import math
from typing import Any

import numpy as np
import pytest

from auditor.evidence.attention import attend, causal_mask
from auditor.evidence.causality import Weights, encode_and_decode
from auditor.evidence.heads import split_heads
from auditor.evidence.norms import row_norm, row_norm_by_sample, row_norm_outside
from auditor.evidence.positions import sine_table
from auditor.evidence.residual import overwritten_layer, pre_norm_layer
from auditor.evidence.softmax_precision import softmax_through_float32

torch: Any = pytest.importorskip("torch", reason="left out: torch is not installed")


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found.detach().numpy(), wanted, rtol=0, atol=1e-12, equal_nan=True)


def drawn(seed: int, *shape: int) -> tuple[Any, Any]:
    numbers = np.random.RandomState(seed).randn(*shape)
    return torch.from_numpy(numbers), numbers


def test_norm_before_skip_changes_the_function() -> None:
    row, numbers = drawn(1, 3, 4)
    norm = torch.nn.LayerNorm(4, eps=1e-6, elementwise_affine=False).double()
    branch = torch.nn.Linear(4, 4).double()

    def reference(x: Any) -> Any:
        return branch(torch.from_numpy(x)).detach().numpy()

    close(row + branch(norm(row)), pre_norm_layer(numbers, reference))
    x = norm(row)
    close(x + branch(x), overwritten_layer(numbers, reference))
    assert not torch.allclose(row + branch(norm(row)), x + branch(x))


@pytest.mark.parametrize("width", [2, 4, 768])
def test_sample_and_population_deviation_differ(width: int) -> None:
    row, numbers = drawn(2, 3, width)
    centred = row - row.mean(-1, keepdim=True)
    close(torch.nn.functional.layer_norm(row, (width,), eps=1e-6), row_norm(numbers))
    close(centred / row.std(-1, keepdim=True), row_norm_by_sample(numbers, eps=0.0))
    close(centred / (row.std(-1, unbiased=False, keepdim=True) + 1e-6), row_norm_outside(numbers))


@pytest.mark.filterwarnings("ignore:.*degrees of freedom.*")
def test_width_one_gives_nan() -> None:
    single = torch.tensor([[5.0]], dtype=torch.float64)
    assert torch.isnan((single - single.mean(-1, keepdim=True)) / (single.std(-1, keepdim=True) + 1e-6)).all()
    assert torch.nn.functional.layer_norm(single, (1,)).item() == 0.0


def test_float32_softmax_of_float64_scores_loses_digits() -> None:
    near = torch.tensor([1.0, 1.0 + 1e-9], dtype=torch.float64)
    blurred = torch.softmax(near.float(), dim=-1).type_as(near)
    assert blurred[0] == blurred[1]
    told = torch.softmax(near, dim=-1)
    assert math.isclose(told[1] - told[0], 5e-10, rel_tol=1e-6)
    scores, numbers = drawn(3, 5, 7)
    found = torch.softmax(scores.float(), dim=-1).double().numpy()
    np.testing.assert_allclose(found, softmax_through_float32(numbers), rtol=1e-6)


def test_attention_step_by_step() -> None:
    query, q = drawn(4, 2, 5, 4)
    key, k = drawn(5, 2, 5, 4)
    value, v = drawn(6, 2, 5, 3)
    mask = torch.triu(torch.full((5, 5), float("-inf"), dtype=torch.float64), diagonal=1)
    wanted = attend(q, k, v, causal_mask(5, 5))
    scaled = query @ key.transpose(-2, -1) / math.sqrt(4)
    weights = torch.softmax(scaled + mask, dim=-1)
    close(scaled, wanted.scaled)
    close(weights, wanted.weights)
    close(weights @ value, wanted.output)
    assert torch.isnan(torch.softmax(torch.full((1, 3), float("-inf")), dim=-1)).all()


def test_query_length_for_keys_fails() -> None:
    batch, length, _ = torch.zeros(1, 2, 4).shape
    with pytest.raises(RuntimeError, match="invalid for input"):
        torch.zeros(1, 3, 4).view(batch, length, 2, 2)


def test_values_longer_than_the_weights_fail_at_the_product() -> None:
    with pytest.raises(RuntimeError, match="multiplied"):
        torch.zeros(2, 5) @ torch.zeros(6, 4)


def test_reshape_without_swap_mixes_heads() -> None:
    x, numbers = drawn(7, 2, 3, 8)
    close(x.view(2, 3, 4, 2).transpose(1, 2), split_heads(numbers, 4))
    assert not torch.equal(x.view(2, 3, 4, 2).transpose(1, 2), x.view(2, 4, 3, 2))


def test_one_sequence_on_both_sides_leaks_the_future() -> None:
    sequence, numbers = drawn(8, 6, 4)
    mask = torch.triu(torch.full((6, 6), float("-inf"), dtype=torch.float64), diagonal=1)
    projections = [[drawn(10 * layer + part, 4, 4) for part in range(3)] for layer in range(3)]

    def attention(stream: Any, seen: Any, layer: int, *, causal: bool) -> Any:
        query, key, value = (weights for weights, _ in projections[layer])
        scores = (stream @ query) @ (seen @ key).transpose(-2, -1) / math.sqrt(4)
        return stream + torch.softmax(scores + mask if causal else scores, dim=-1) @ (seen @ value)

    def model(source: Any, target: Any) -> Any:
        memory = attention(source, source, 0, causal=False)
        return attention(attention(target, target, 1, causal=True), memory, 2, causal=False)

    first, second, third = (Weights(*(plain for _, plain in layer)) for layer in projections)
    close(model(sequence, sequence), encode_and_decode(numbers, numbers, (first, second, third)))
    changed = sequence.clone()
    changed[-1] += 1.0
    assert (model(changed, changed)[:-1] - model(sequence, sequence)[:-1]).abs().max() > 0.01
    assert (model(sequence, changed)[:-1] - model(sequence, sequence)[:-1]).abs().max() == 0.0


def test_odd_width_breaks_the_table() -> None:
    angles = torch.arange(3.0).unsqueeze(1) * torch.exp(torch.arange(0, 5, 2) * (-math.log(10000.0) / 5))
    with pytest.raises(RuntimeError, match="size"):
        torch.zeros(3, 5)[:, 1::2] = torch.cos(angles)
    even = torch.arange(3.0, dtype=torch.float64).unsqueeze(1) * torch.exp(
        torch.arange(0, 4, 2, dtype=torch.float64) * (-math.log(10000.0) / 4)
    )
    close(torch.sin(even), sine_table(3, 4)[:, 0::2])


def test_shorter_mask_than_table_fails_between_the_limits() -> None:
    mask = torch.zeros(4, 4)
    with pytest.raises(RuntimeError, match="size"):
        torch.zeros(5, 5) + mask[:5, :5]


def test_divisible_heads_do_not_make_widths_agree() -> None:
    with pytest.raises(RuntimeError, match="size"):
        torch.zeros(2, 3, 6) + torch.zeros(2, 3, 4)
    assert (torch.zeros(2, 3, 1) + torch.ones(2, 3, 4)).shape == (2, 3, 4)


def test_direct_forward_skips_the_hooks() -> None:
    seen: list[Any] = []
    layer = torch.nn.Linear(2, 2)
    layer.register_forward_hook(lambda *arguments: seen.append(arguments))
    layer(torch.zeros(1, 2))
    layer.forward(torch.zeros(1, 2))
    assert len(seen) == 1


def test_unpacking_fewer_names_than_axes_fails() -> None:
    with pytest.raises(ValueError, match="too many values"):
        _batch, _length = torch.zeros(2, 7, 1).size()
