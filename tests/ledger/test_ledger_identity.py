import time
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

import pytest

from auditor.ledger.identity import carry
from auditor.ledger.pairing import Trait
from auditor.ledger.sketch import read_sketch, similarity, sketch

LOOP = "total = 0\nfor item in items:\n    total += weight(item) * price[item]\nprint(total)\n"
READ = "import csv\nwith open(name, newline='') as file:\n    rows = list(csv.reader(file))\n"
PLOT = "figure, axes = subplots(2, 2)\naxes[0].plot(xs, ys, label='loss')\naxes[0].legend(loc='upper right')\n"


def fence(body: str, path: str = "a.md", heading: Sequence[str] = ("One",), **more: object) -> Trait:
    trait = Trait(path, "fence", tuple(heading), sha256(body.encode()).hexdigest(), read_sketch(sketch(body)))
    return replace(trait, **more)  # type: ignore[arg-type]


def minted(*traits: Trait) -> list[Trait]:
    """The traits as the ledger holds them after a first run."""
    return [
        replace(trait, id=identity.id, origin=identity.origin, mark=None)
        for trait, identity in zip(traits, carry([], traits), strict=True)
    ]


def ids(before: Sequence[Trait], *after: Trait) -> list[str | None]:
    """For each block of now the name of what it was before: its index there, as text."""
    names = {trait.id: str(at) for at, trait in enumerate(before)}
    return [names.get(identity.id) for identity in carry(before, after)]


def test_a_first_run_mints_ids_that_differ_even_for_equal_fences() -> None:
    found = carry([], [fence(LOOP), fence(LOOP), fence(LOOP, path="b.md")])
    assert len({identity.id for identity in found}) == 3
    assert {identity.origin for identity in found} == {"minted"}
    assert found == carry([], [fence(LOOP), fence(LOOP), fence(LOOP, path="b.md")])


def test_an_unchanged_book_keeps_its_records_word_for_word() -> None:
    before = minted(fence(LOOP), fence(LOOP), fence(READ))
    again = carry(before, [fence(LOOP), fence(LOOP), fence(READ)])
    assert [(found.id, found.origin) for found in again] == [(trait.id, "minted") for trait in before]


def test_a_fence_inserted_above_moves_no_id() -> None:
    before = minted(fence(LOOP), fence(READ))
    assert ids(before, fence(PLOT), fence(LOOP), fence(READ)) == [None, "0", "1"]


def test_of_equal_fences_the_neighbours_tell_which_is_which() -> None:
    short = "print(x)\n"
    before = minted(fence(LOOP), fence(short), fence(READ), fence(short))
    assert ids(before, fence(LOOP), fence(READ), fence(short)) == ["0", "2", "3"]
    assert ids(before, fence(LOOP), fence(short), fence(READ)) == ["0", "1", "2"]


def test_of_equal_fences_the_one_left_is_told_by_its_place_though_every_heading_changed() -> None:
    before = minted(*(fence(text, heading=("Old",)) for text in (PLOT, READ, PLOT, LOOP)))
    now = [fence(text, heading=("New",)) for text in (PLOT.replace("loss", "perte"), READ, "print(1)\n", PLOT, LOOP)]
    assert ids(before, *now)[3:] == ["2", "3"]


def test_a_fence_that_moved_to_another_file_is_known_by_its_body() -> None:
    before = minted(fence(LOOP), fence(READ))
    assert ids(before, fence(READ), fence(LOOP, path="b.md", heading=("Elsewhere",))) == ["1", "0"]


def test_a_body_that_says_too_little_is_not_followed_into_another_file() -> None:
    before = minted(fence("import torch\n"), fence(READ))
    assert ids(before, fence(READ), fence("import torch\n", path="b.md")) == ["1", None]


def test_a_renamed_file_keeps_its_edited_fences() -> None:
    before = minted(fence(LOOP), fence(READ), fence(PLOT))
    now = [fence(text, path="new/name.md") for text in (LOOP, READ, PLOT.replace("upper right", "best"))]
    assert ids(before, *now) == ["0", "1", "2"]


def test_a_fence_copied_elsewhere_and_edited_at_home_stays_at_home() -> None:
    before = minted(fence(PLOT))
    assert ids(before, fence(PLOT.replace("upper", "lower")), fence(PLOT, path="b.md")) == ["0", None]


def test_definitions_tell_what_an_edit_hides() -> None:
    before = minted(fence(LOOP, defines=("total",)), fence(READ, defines=("rows",)))
    now = [fence("def rows(): return []\n", defines=("rows",)), fence("def total(): return 7\n", defines=("total",))]
    assert ids(before, *now) == ["1", "0"]


def test_an_edited_fence_is_the_most_like_one_of_its_section() -> None:
    before = minted(fence(LOOP), fence(PLOT))
    edited = LOOP.replace("print(total)", "print(f'{total:.2f}')")
    assert ids(before, fence(PLOT.replace("loss", "error")), fence(edited)) == ["1", "0"]


def test_another_fence_in_the_place_of_one_that_went_gets_an_id_of_its_own() -> None:
    before = minted(fence(LOOP), fence(READ))
    assert ids(before, fence(PLOT), fence(READ)) == [None, "1"]


def test_between_two_equally_likely_ones_nothing_is_guessed() -> None:
    tabs = [f"{name}.seed(0)\nx = {name}.zeros((2, 3))\ny = {name}.ones(x)\n" for name in ("mx", "pt", "tf")]
    before = minted(*(fence(text) for text in tabs))
    joined = "x = np.zeros((2, 3), dtype=float)\ny = np.ones(x)\nprint(x)\n"
    assert ids(before, fence(joined)) == [None]


def test_a_fence_that_lets_a_small_part_go_keeps_its_id() -> None:
    before = minted(fence("import pathlib\n" + LOOP + READ), fence(PLOT))
    assert ids(before, fence("import pathlib\n"), fence(LOOP + READ), fence(PLOT)) == [None, "0", "1"]


def test_of_a_fence_parted_in_halves_neither_is_given_its_id() -> None:
    before = minted(fence(LOOP + READ), fence(PLOT))
    assert ids(before, fence(LOOP), fence(READ), fence(PLOT)) == [None, None, "1"]


@pytest.mark.parametrize("cut", [7, 8, 9, 10])
def test_a_fence_that_is_parted_leaves_its_id_to_the_larger_part(cut: int) -> None:
    lines = [f"value_{at} = compute_{at}(value_{at - 1}, {at * 7})\n" for at in range(12)]
    before = minted(fence("".join(lines)), fence(PLOT))
    large, small = fence("".join(lines[:cut])), fence("".join(lines[cut:]))
    assert ids(before, large, small, fence(PLOT)) == ["0", None, "1"]
    assert ids(before, small, large, fence(PLOT)) == [None, "0", "1"]


def test_a_fence_joined_to_a_larger_one_leaves_the_larger_one_its_id() -> None:
    before = minted(fence("print(total)\n"), fence(READ + PLOT))
    assert ids(before, fence("print(total)\n" + READ + PLOT)) == ["1"]


def test_a_name_that_two_fences_define_follows_what_the_fence_holds() -> None:
    before = minted(fence("class Model:\n    pass\n" + LOOP + READ, defines=("Model",)))
    other = fence("class Model:\n    size = 3\n" + PLOT, defines=("Model",))
    grown = fence("class Model:\n    pass\n" + LOOP + READ + "class Data: ...\n", defines=("Model", "Data"))
    assert ids(before, grown, other) == ["0", None]


def test_a_fence_that_was_edited_and_doubled_gives_its_id_to_neither() -> None:
    before = minted(fence(PLOT), fence(READ))
    edited = PLOT.replace("loss", "error")
    assert ids(before, fence(edited), fence("    " + edited.replace("\n", "\n    ")), fence(READ)) == [None, None, "1"]


def test_fences_that_are_all_nearly_the_same_keep_their_order() -> None:
    first, second = (
        f"text = 'thirty days of it'\nprint(text.{find}('y'))\nprint(text.{find}('th'))  # {at}\n"
        for find, at in (("find", 17), ("rfind", 1))
    )
    swapped = first.replace("find", "rfind"), second.replace("rfind", "find")
    before = minted(fence(first), fence(second))
    assert ids(before, *(fence(text) for text in swapped)) in (["0", "1"], [None, None])


def test_a_fence_edited_in_its_section_and_copied_to_another_gives_its_id_to_no_copy() -> None:
    before = minted(fence(PLOT), fence(READ))
    found = ids(before, fence(PLOT.replace("upper", "lower")), fence(READ), fence(PLOT, heading=("Two",)))
    assert found == [None, "1", None]


def test_a_page_renamed_and_copied_from_is_known_by_its_name() -> None:
    before = minted(fence(LOOP, path="loops.md", heading=("All",)), fence(READ, path="loops.md", heading=("All",)))
    copy = [fence(text, path="a/first.md", heading=("All",)) for text in (LOOP, READ)]
    renamed = [fence(text, path="old/loops.md", heading=("All",)) for text in (LOOP, READ)]
    assert ids(before, *copy, *renamed) == [None, None, "0", "1"]


def test_a_fence_copied_elsewhere_and_grown_at_home_stays_at_home_on_a_long_page() -> None:
    others = [fence(f"value_{at} = compute_{at}(alpha_{at})\n") for at in range(90)]
    changed = [fence(f"other_{at} = make_{at}(delta_{at})\n") for at in range(90)]
    before = minted(*others, fence(PLOT))
    grown = fence(PLOT + LOOP + READ)
    assert ids(before, *changed, grown, fence(PLOT, path="b.md"))[-1] is None


def test_an_author_gives_an_id_and_it_stays_when_the_mark_goes() -> None:
    before = minted(fence(LOOP, mark="loop"), fence(READ))
    assert before[0].id == "loop"
    kept = carry(before, [fence(LOOP), fence(READ)])
    assert [(found.id, found.origin) for found in kept] == [("loop", "carried"), (before[1].id, "minted")]


def test_an_author_marks_a_fence_that_had_an_id() -> None:
    before = minted(fence(LOOP), fence(READ))
    found = carry(before, [fence(LOOP, mark="loop"), fence(READ)])
    assert [each.id for each in found] == ["loop", before[1].id]


def test_a_marked_fence_may_change_and_move_as_it_likes() -> None:
    before = minted(fence(LOOP, mark="it"), fence(READ))
    assert ids(before, fence(READ), fence(PLOT, path="z.md", mark="it")) == ["1", "0"]


def test_an_id_given_twice_goes_to_the_first_and_is_told_of_the_second() -> None:
    found = carry([], [fence(LOOP, mark="it"), fence(READ, mark="it"), fence(PLOT, mark="no blanks")])
    assert found[0].id == "it"
    assert [each.conflict for each in found] == [None, "duplicate-id", "malformed-id"]
    assert len({each.id for each in found}) == 3


def test_no_id_is_given_to_another_fence() -> None:
    before = minted(fence(LOOP))
    first = carry(before, [fence(LOOP + "print('more')\n")])[0]
    assert first.id == before[0].id
    # The first body comes back beside the one that carries the id made from it.
    edited = replace(fence(LOOP + "print('more')\n"), id=first.id, origin=first.origin)
    found = carry([edited], [fence(LOOP + "print('more')\n"), fence(LOOP, heading=("Two",))])
    assert found[0].id == first.id != found[1].id


def test_thousands_of_fences_that_all_changed_take_a_moment() -> None:
    before = minted(*(fence(f"value_{at} = compute_{at}(alpha_{at}, beta_{at}, gamma_{at})\n") for at in range(1500)))
    now = [fence(f"other_{at} = make_{at}(delta_{at}, eta_{at})\n") for at in range(1500)]
    started = time.process_time()
    carry(before, now)
    assert time.process_time() - started < 20


def test_likeness_is_exact_for_short_bodies_and_near_for_long_ones() -> None:
    short, other = read_sketch(sketch("a = f(x, y)\n")), read_sketch(sketch("a = f(x, z)\n"))
    assert similarity(short, short) == 1
    assert 0.4 < similarity(short, other) < 0.9
    long = "\n".join(f"name_{at} = call_{at}(argument_{at})" for at in range(300))
    half = "\n".join(f"name_{at} = call_{at}(argument_{at})" for at in range(150))
    assert abs(similarity(read_sketch(sketch(long)), read_sketch(sketch(half))) - 2 / 3) < 0.2
    assert similarity(read_sketch(sketch("")), read_sketch(sketch(""))) == 1
    assert similarity(read_sketch("not base64!"), short) == 0
    assert len(sketch(long)) <= 128
