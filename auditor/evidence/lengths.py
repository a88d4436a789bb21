"""Lengths that need not be equal: of queries and keys, of a mask and a table."""

import numpy as np

from auditor.evidence.attention import Array, Attended, attend, causal_mask
from auditor.evidence.heads import merge_heads, split_heads
from auditor.evidence.observation import Observation


def cross_attention(query: Array, key: Array, value: Array, heads: int) -> Array:
    """Attention with heads, keys and values cut by their own length; (batch, queries, width) comes back."""
    return merge_heads(attend(split_heads(query, heads), split_heads(key, heads), split_heads(value, heads)).output)


def cross_attention_by_query_length(query: Array, key: Array, value: Array, heads: int) -> Array:
    """The form under audit: keys and values cut by the length of the queries. Raises `ValueError` where they differ."""
    length = query.shape[1]
    cut = (split_heads(query, heads), split_heads(key, heads, length), split_heads(value, heads, length))
    return merge_heads(attend(*cut).output)


def attend_with_limits(x: Array, mask_length: int, table_length: int) -> Attended:
    """Causal attention of `x` (length, width) on itself, guarded by the table's limit but masked by the mask's.

    Raises `ValueError` where the guard passes and the mask is too short, `OverflowError` where the guard stops it.
    """
    length = x.shape[0]
    if length > table_length:
        raise OverflowError(f"{length} places, the table has {table_length}")
    mask = causal_mask(mask_length, mask_length)[:length, :length]
    return attend(x, x, x, mask)


def outcome(queries: int, keys: int) -> str:
    """What the form under audit does with one head of width 4: `fails`, or the shape that comes out."""
    query, key = np.zeros((1, queries, 4)), np.zeros((1, keys, 4))
    try:
        found = cross_attention_by_query_length(query, key, key, heads=2)
    except ValueError:
        return "fails"
    return "×".join(str(size) for size in found.shape[1:])


def observe() -> tuple[Observation, ...]:
    """Two queries on three keys and on five, values longer than the weights, a mask shorter than its table."""
    query, key = np.zeros((1, 2, 4)), np.zeros((1, 5, 4))
    mended = cross_attention(query, key, key, heads=2)
    try:
        product = attend(np.zeros((2, 4)), np.zeros((5, 4)), np.zeros((6, 4)))
        mixed = "×".join(str(size) for size in product.output.shape)
    except ValueError:
        mixed = "fails"
    limits = []
    for length in (4, 5, 7):
        try:
            attend_with_limits(np.zeros((length, 2)), mask_length=4, table_length=6)
            limits.append("passes")
        except ValueError:
            limits.append("fails inside")
        except OverflowError:
            limits.append("is refused")
    return (
        Observation(
            "equal-lengths",
            "keys cut by the query's length, Tq = Tk = 3: the output is",
            "键按查询的长度来切，Tq = Tk = 3：输出是",
            outcome(3, 3),
            outcome(3, 3) == "3×4",
            ("kv-reuses-query-length",),
        ),
        Observation(
            "unequal-lengths",
            "Tq = 2, Tk = 3: the same code",
            "Tq = 2，Tk = 3：同样的代码",
            outcome(2, 3),
            outcome(2, 3) == "fails",
            ("kv-reuses-query-length",),
        ),
        Observation(
            "own-lengths",
            "keys cut by their own length, Tq = 2, Tk = 5: the output is",
            "键按自己的长度来切，Tq = 2，Tk = 5：输出是",
            mended.shape[1:],
            mended.shape == (1, 2, 4),
            ("kv-reuses-query-length",),
        ),
        Observation(
            "values-of-another-length",
            "weights over 5 keys, 6 values: the product",
            "权重对着 5 个键，值却有 6 个：相乘",
            mixed,
            mixed == "fails",
            ("kv-reuses-query-length",),
        ),
        Observation(
            "between-the-limits",
            "mask for 4, table for 6: a sentence of 5 passes the check and",
            "掩码 4、位置表 6：长度 5 的句子通过检查，然后",
            limits[1],
            limits == ["passes", "fails inside", "is refused"],
            ("mask-and-table-length-differ",),
        ),
    )
