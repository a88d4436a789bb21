import numpy as np
import pytest

from auditor.evidence.attention import Array
from auditor.evidence.causality import (
    Weights,
    attention_layer,
    draw_weights,
    earlier_places_move,
    encode_and_decode,
)


@pytest.fixture
def layers() -> tuple[Weights, Weights, Weights]:
    draw = np.random.RandomState(21)
    return draw_weights(draw, 4), draw_weights(draw, 4), draw_weights(draw, 4)


@pytest.fixture
def sequence() -> Array:
    return np.random.RandomState(22).randn(6, 4)


def test_one_sequence_on_both_sides_leaks_the_future(layers: tuple[Weights, Weights, Weights], sequence: Array) -> None:
    assert earlier_places_move(lambda x: encode_and_decode(x, x, layers), sequence) > 0.01


def test_a_source_of_its_own_does_not_leak(layers: tuple[Weights, Weights, Weights], sequence: Array) -> None:
    source = np.random.RandomState(23).randn(5, 4)
    assert earlier_places_move(lambda x: encode_and_decode(source, x, layers), sequence) == 0.0


def test_causal_attention_alone_does_not_leak(layers: tuple[Weights, Weights, Weights], sequence: Array) -> None:
    assert earlier_places_move(lambda x: attention_layer(x, x, layers[0], causal=True), sequence) == 0.0
    assert earlier_places_move(lambda x: attention_layer(x, x, layers[0], causal=False), sequence) > 0.01


def test_only_the_last_place_is_changed(sequence: Array) -> None:
    # A model that returns its input moves nothing earlier; one that returns it backwards does, by the change itself.
    assert earlier_places_move(lambda x: x, sequence) == 0.0
    np.testing.assert_allclose(earlier_places_move(lambda x: x[::-1], sequence), 1.0)


def test_a_layer_adds_what_it_hears() -> None:
    # Silent keys share the weight, so that every place hears the mean.
    weights = Weights(np.zeros((2, 2)), np.zeros((2, 2)), np.eye(2))
    stream, seen = np.array([[1.0, 2.0]]), np.array([[0.0, 4.0], [2.0, 0.0]])
    np.testing.assert_allclose(attention_layer(stream, seen, weights, causal=False), [[2.0, 4.0]])


def test_projections_stand_where_they_are_named() -> None:
    # The query asks for its first entry's key in the second place only; the value doubles what is heard.
    weights = Weights(np.eye(2) * 50, np.eye(2) * 50, np.eye(2) * 2)
    stream, seen = np.array([[0.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])
    np.testing.assert_allclose(attention_layer(stream, seen, weights, causal=False), [[0.0, 3.0]], atol=1e-12)


def test_the_decoder_reads_the_source(layers: tuple[Weights, Weights, Weights], sequence: Array) -> None:
    source = np.random.RandomState(23).randn(5, 4)
    changed = source.copy()
    changed[0] += 1.0
    assert encode_and_decode(source, sequence, layers).shape == (6, 4)
    assert not np.allclose(encode_and_decode(changed, sequence, layers), encode_and_decode(source, sequence, layers))


def test_each_layer_has_its_own_weights() -> None:
    # Silent projections give even weights; a layer that hears passes on the mean of what it may see.
    nothing = np.zeros((2, 2))
    deaf, hears = Weights(nothing, nothing, nothing), Weights(nothing, nothing, np.eye(2))
    source, target = np.array([[1.0, 0.0], [3.0, 8.0]]), np.array([[10.0, 20.0], [30.0, 40.0]])
    roles: list[tuple[tuple[Weights, Weights, Weights], list[list[float]]]] = [
        ((deaf, deaf, deaf), [[10.0, 20.0], [30.0, 40.0]]),
        ((hears, deaf, deaf), [[10.0, 20.0], [30.0, 40.0]]),
        ((deaf, hears, deaf), [[20.0, 40.0], [50.0, 70.0]]),
        ((deaf, deaf, hears), [[12.0, 24.0], [32.0, 44.0]]),
        ((hears, deaf, hears), [[14.0, 28.0], [34.0, 48.0]]),
    ]
    for layers, wanted in roles:
        np.testing.assert_allclose(encode_and_decode(source, target, layers), wanted)


def test_weights_are_drawn_apart() -> None:
    drawn = draw_weights(np.random.RandomState(1), 3)
    assert drawn.query.shape == drawn.key.shape == drawn.value.shape == (3, 3)
    assert not np.array_equal(drawn.query, drawn.key)
    assert not np.array_equal(drawn.key, drawn.value)
