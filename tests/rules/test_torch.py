"""The torch rules: their own examples, what each rule must bring along, and twins that are not among the examples."""

from pathlib import Path

import pytest

from auditor.matching import find, prepare
from auditor.rulebook import load, message

ROOT = Path(__file__).parents[2]
RULES = {rule.id: rule for rule in load([ROOT / "rules" / "torch"], builtin=False).rules}
EXPECTED = {
    "residual-overwrite", "softmax-float-downcast", "layernorm-sample-std", "layernorm-eps-outside-root",
    "kv-reuses-query-length", "encoder-decoder-same-sequence", "external-resource", "direct-forward-call",
    "head-divisibility-only", "odd-width-position-table", "mask-and-table-length-differ",
    "hidden-width-equals-model-width", "shape-comment-mismatch", "reshape-mixes-heads", "debug-print-in-forward",
}  # fmt: skip


PROGRAMS = {rule.id: prepare([rule]) for rule in RULES.values()}


def lines(rule: str, code: str) -> list[int]:
    """The lines on which a rule reports."""
    found = find(PROGRAMS[rule], code)
    assert found.not_applied is None
    return sorted(code.count("\n", 0, match.start) + 1 for match in found.matches)


def test_the_pack_is_whole_and_without_mistakes() -> None:
    book = load([ROOT / "rules" / "torch"], builtin=False)
    assert book.problems == ()
    assert set(RULES) == EXPECTED


@pytest.mark.parametrize("rule", sorted(EXPECTED))
def test_a_rule_brings_all_it_must(rule: str) -> None:
    made = RULES[rule]
    assert set(made.messages) == {"en", "zh"}
    assert made.notes
    assert len(made.examples.finding) >= 2
    assert len(made.examples.clean) >= 2
    assert bool(made.examples.fixed) == bool(made.fix)
    assert made.links
    for evidence in made.evidence:
        path, _, test = evidence.partition("::")
        assert f"def {test}(" in (ROOT / path).read_text(encoding="utf-8"), evidence
    assert made.evidence


@pytest.mark.parametrize("rule", sorted(EXPECTED))
def test_its_messages_say_what_was_found(rule: str) -> None:
    for example in RULES[rule].examples.finding:
        for match in find(PROGRAMS[rule], example.code).matches:
            bound = {name: value.text for name, value in match.bindings.items()}
            for language in ("en", "zh"):
                assert "$" not in message(RULES[rule], bound, language)


# Of a long file only what a rule can concern is read.
ELSEWHERE = "\n".join(f"def other_{n}(a, b):\n    c = a * {n}\n    return [c, b]\n" for n in range(80))


@pytest.mark.parametrize("rule", sorted(EXPECTED))
def test_its_examples_hold_in_a_long_file(rule: str) -> None:
    for example in RULES[rule].examples.finding:
        assert lines(rule, f"{example.code}\n{ELSEWHERE}") == list(example.lines), example.name
    for example in RULES[rule].examples.clean:
        assert lines(rule, f"{example.code}\n{ELSEWHERE}") == [], example.name


@pytest.mark.parametrize("rule", sorted(EXPECTED))
def test_its_examples_hold(rule: str) -> None:
    for example in RULES[rule].examples.finding:
        assert lines(rule, example.code) == list(example.lines), example.name
    for example in RULES[rule].examples.clean:
        assert lines(rule, example.code) == [], example.name


def layer(*statements: str, arguments: str = "x") -> str:
    """A method with some statements; the first of them stands on line 2."""
    return "\n".join((f"def forward(self, {arguments}):", *(f"    {line}" for line in statements), ""))


@pytest.mark.parametrize("rule", sorted(rule for rule in EXPECTED if RULES[rule].fix))
def test_its_fixes_hold(rule: str) -> None:
    for example in RULES[rule].examples.fixed:
        code = example.code
        for match in reversed(find(PROGRAMS[rule], code).matches):
            for edit in sorted(match.fix or (), key=lambda edit: edit.start, reverse=True):
                code = code[: edit.start] + edit.replacement + code[edit.end :]
        assert code == example.after, example.name


# Rule, code, lines: what the rules' own examples do not show.
VARIANTS: list[tuple[str, str, list[int]]] = [
    ("residual-overwrite", layer("x = F.layer_norm(x, (8,))", "return x + self.f(x)"), [2]),
    ("residual-overwrite", layer("x = self.ln1(x)", "return self.drop(self.f(x)) + x"), [2]),
    ("residual-overwrite", layer("x = self.norms[0](x)", "x = torch.add(x, self.f(x))"), [2]),
    ("residual-overwrite", layer("x = self.norm(x) if self.pre else x", "x = x + self.f(x)"), [2]),
    ("residual-overwrite", layer("y = x", "y = self.norm(y)", "a, b = self.f(y)", "y = y + a"), [3]),
    (
        "residual-overwrite",
        layer("for f in self.parts:", "    x = self.norm(x)", "    x = x + f(x)"),
        [3],
    ),
    ("residual-overwrite", layer("for f in self.parts:", "    x = x + f(x)", "    x = self.norm(x)"), []),
    ("residual-overwrite", layer("n = self.norm(x)", "x = n", "return x + 1"), []),
    ("residual-overwrite", layer("x = self.norm(x)", "kept = x", "x = self.f(x)", "return kept + x"), [2]),
    ("residual-overwrite", layer("kept = x", "x = self.norm(x)", "x = self.f(x)", "return kept + x"), []),
    ("residual-overwrite", layer("x = self.norm(x)", "x = x + self.table[: x.size(1)]", "return x"), []),
    ("residual-overwrite", layer("x = self.norm(x)", "x = x + self.table[: x.shape[1]]", "return x"), []),
    ("residual-overwrite", layer("x = self.rms_norm(input=x)", "with scope():", "    x += self.f(x)"), [2]),
    (
        "residual-overwrite",
        layer("a = self.mix(x)", "x = x + a", "x = self.norm1(x)", "b = self.ff(x)", "x = self.norm2(x + b)"),
        [],
    ),
    ("residual-overwrite", layer("x, kept = self.norm(x), x", "return kept + self.f(x)"), []),
    ("residual-overwrite", layer("x = self.norm(x)", "return x + self.bias"), []),
    ("residual-overwrite", layer("x = self.normal(x)", "return x + self.f(x)"), []),
    ("residual-overwrite", layer("x = self.norm(x)", "x = x + self.pos_embed(x)", "return x"), []),
    ("residual-overwrite", layer("if not self.pre:", "    x = self.norm(x)", "return x + self.f(x)"), []),
    ("softmax-float-downcast", "w = nn.Softmax(dim=-1)(s.float())\n", [1]),
    ("softmax-float-downcast", "t = s.float()\nu = t\nw = t.softmax(-1) @ F.softmax(u, -1)\n", [3, 3]),
    ("softmax-float-downcast", "w = F.softmax(s.float(), dim=-1)\ny = w @ v\n", [1]),
    ("softmax-float-downcast", "t = s.float() if s.dtype == torch.half else s\nw = F.softmax(t, dim=-1)\n", []),
    ("softmax-float-downcast", "w = F.softmax(s, dim=-1).float()\n", []),
    ("layernorm-sample-std", "class MyLayerNorm(M):\n    def f(self, x):\n        return x.std(-1, True)\n", [3]),
    ("layernorm-sample-std", "class NormLayer(M):\n    def f(self, x):\n        x.std(-1, unbiased=self.u)\n", []),
    ("layernorm-sample-std", "class LayerNormV2(M):\n    def f(self, x):\n        x.std(-1, keepdim=True)\n", [3]),
    ("layernorm-sample-std", "class NormalPrior(M):\n    def f(self, x):\n        return x.std(-1)\n", []),
    ("layernorm-sample-std", "def layer_norm(x):\n    return x / x.std(-1, keepdim=True)\n", [2]),
    ("layernorm-sample-std", "class Normalizer:\n    def fit(self, rows):\n        self.s = rows.std(0)\n", []),
    (
        "layernorm-eps-outside-root",
        "class ANorm(M):\n    def f(self, x):\n        s = x.std(-1)\n        d = s + 1e-6\n        return x / d\n",
        [5],
    ),
    (
        "layernorm-eps-outside-root",
        "class ANorm(M):\n    def f(self, x):\n        return x / (x.std(-1) + x.mean())\n",
        [],
    ),
    (
        "kv-reuses-query-length",
        layer(
            "n, t = x.shape[:2]", "k, v = self.kv(context).chunk(2)", "return k.view(n, t, self.h, -1)",
            arguments="x, context",
        ),
        [4],
    ),
    (
        "kv-reuses-query-length",
        layer(
            "n, t, _ = x.size()", "k = self.key(encoder_states)", "k = k.reshape(n, t, self.h, -1)",
            arguments="x, encoder_states",
        ),
        [4],
    ),
    (
        "kv-reuses-query-length",
        layer(
            "assert q.shape == k.shape, 'one length'", "n, t, _ = q.shape", "return self.to_k(k).view(n, t, 4, -1)",
            arguments="q, k",
        ),
        [],
    ),
    (
        "kv-reuses-query-length",
        layer("n, t = x.size(0), x.size(1)", "return self.to_k(y).view(n, t, self.h, -1)", arguments="x, y"),
        [3],
    ),
    (
        "kv-reuses-query-length",
        layer("n, t, _ = x.size()", "y = x if c else y", "return self.to_k(y).view(n, t, 4, -1)", arguments="x, y"),
        [],
    ),
    (
        "kv-reuses-query-length",
        layer("n, t, _ = x.size()", "return mask.view(n, t, 1, 1)", arguments="x, mask"),
        [],
    ),
    (
        "kv-reuses-query-length",
        layer("n, t, _ = k.shape", "return self.to_v(v).view(n, t, 4, -1)", arguments="q, k, v"),
        [],
    ),
    (
        "encoder-decoder-same-sequence",
        layer("memory = self.net.encode(src=x)", "return self.net.decode(x, memory)"),
        [3],
    ),
    ("encoder-decoder-same-sequence", layer("m = self.encoder(x, mask)", "return self.decoder(y, m, mask)"), []),
    ("encoder-decoder-same-sequence", layer("m = self.encoder(x)", "return self.decoder(x, y)"), []),
    ("encoder-decoder-same-sequence", "t = name.encode('utf-8').decode('utf-8')\n", []),
    ("external-resource", "import requests as r\npage = r.get(address, timeout=3)\n", [2]),
    ("external-resource", "p = '/data/net'\nnet = AutoModel.from_pretrained(p)\n", []),
    ("external-resource", "def load(name):\n    return AutoModel.from_pretrained(name)\n", [2]),
    ("external-resource", "def load(model_dir):\n    return AutoModel.from_pretrained(model_dir)\n", []),
    ("external-resource", "net = AutoModel.from_pretrained(os.path.join('a', 'b'))\n", []),
    ("external-resource", "p = pathlib.Path('a')\nnet = AutoModel.from_pretrained(p)\n", []),
    ("external-resource", "class A:\n    def from_pretrained(cls, name):\n        return cls(name)\n", []),
    ("external-resource", "rows = torchvision.datasets.MNIST('.', download=True)\n", [1]),
    ("direct-forward-call", layer("return self.a.b.forward(x)"), [2]),
    ("direct-forward-call", "h = x + self.mixer.forward(x)\n", [1]),
    ("direct-forward-call", "import torch\nnet = Net()\nnet = wrap(net)\nnet.forward(x)\n", []),
    ("direct-forward-call", layer("return self.module.forward(x)"), []),
    ("direct-forward-call", "class D(M):\n    def run(self, x):\n        return self.module.forward(x)\n", []),
    (
        "reshape-mixes-heads",
        layer("b, c, h, w = x.shape", "return self.q(x).reshape(b, self.num_heads, -1, h * w // 4)"),
        [],
    ),
    ("direct-forward-call", "import torch\ndef run(net, x):\n    return net.forward(x)\n", []),
    ("reshape-mixes-heads", layer("b, t, c = x.size()", "return self.q_proj(x).view(b, self.n_head, t, c // 4)"), [3]),
    ("reshape-mixes-heads", layer("b, t, c = x.size()", "return self.q_proj(x).view(b, t, self.n_head, c // 4)"), []),
    ("shape-comment-mismatch", "# 形状为 [批次, 长度, 维度]\nb, t = x.shape\n", [2]),
    ("shape-comment-mismatch", "# 形状为（批次，长度）\nb, t = x.shape\n", []),
    ("debug-print-in-forward", "class N(M):\n    def step(self, x):\n        print(x)\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "code", "expected"), VARIANTS)
def test_twins(rule: str, code: str, expected: list[int]) -> None:
    assert lines(rule, code) == expected
