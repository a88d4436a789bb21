from auditor.evidence.layers import Layer


def test_direct_forward_skips_the_hooks() -> None:
    seen: list[float] = []
    layer = Layer(hooks=[seen.append])
    assert layer(3.0) == 6.0
    assert seen == [6.0]
    assert layer.forward(3.0) == 6.0
    assert seen == [6.0]


def test_a_print_in_forward_writes_at_every_step() -> None:
    talkative, quiet = Layer(talkative=True), Layer()
    for step in range(100):
        talkative(float(step))
        quiet(float(step))
    assert len(talkative.written) == 100
    assert quiet.written == []
