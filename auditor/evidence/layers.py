"""A layer that is called as PyTorch calls one: hooks run around `forward`, and only when the layer itself is called."""

from collections.abc import Callable
from dataclasses import dataclass, field

from auditor.evidence.observation import Observation


@dataclass(slots=True)
class Layer:
    """`forward` doubles its input; `hooks` see every result of a call, `written` holds what `forward` printed."""

    talkative: bool = False
    hooks: list[Callable[[float], None]] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    def __call__(self, x: float) -> float:
        """Run `forward`, then every hook."""
        result = self.forward(x)
        for hook in self.hooks:
            hook(result)
        return result

    def forward(self, x: float) -> float:
        """Twice the input."""
        if self.talkative:
            self.written.append(f"x {x}")
        return 2.0 * x


def observe() -> tuple[Observation, ...]:
    """One hook, a call and a direct `forward`; then a thousand steps with a print in them."""
    seen: list[float] = []
    layer = Layer(hooks=[seen.append])
    layer(1.0)
    called = len(seen)
    layer.forward(1.0)
    direct = len(seen) - called
    talkative = Layer(talkative=True)
    for _ in range(1000):
        talkative(1.0)
    lines = len(talkative.written)
    return (
        Observation(
            "called",
            "layer(x): times its hook ran",
            "layer(x)：钩子运行的次数",
            called,
            called == 1,
            ("direct-forward-call",),
        ),
        Observation(
            "direct",
            "layer.forward(x): times its hook ran",
            "layer.forward(x)：钩子运行的次数",
            direct,
            direct == 0,
            ("direct-forward-call",),
        ),
        Observation(
            "printed",
            "one print in forward, a thousand steps: lines written",
            "forward 里一句 print，跑一千步：写出的行数",
            lines,
            lines == 1000,
            ("debug-print-in-forward",),
        ),
    )
