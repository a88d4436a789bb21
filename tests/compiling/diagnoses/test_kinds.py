"""Each kind on a text of its own: verdict, kind, place and the arguments that its message shows."""

import pytest

from auditor.compiling.compiler import Neighbourhood, try_compile
from auditor.compiling.diagnoses.diagnose import Diagnosed, diagnose
from auditor.model import Span


def ask(code: str, before: str = "", distance: int | None = None) -> Diagnosed:
    failure = try_compile(code)
    assert failure is not None, "the text compiles"
    return diagnose(code, failure, Neighbourhood(before, distance))


def place(code: str, offset: int) -> tuple[int, int]:
    return code.count("\n", 0, offset) + 1, offset - code.rfind("\n", 0, offset)


BROKEN = [
    ("mixed-class-indentation", "class A:\n  '''doc'''\n    def f(self):\n        return 1\n", (3, 5)),
    (
        "mixed-class-indentation",
        "class A:\n    x = 1\n\n    def f(self):\n        return 1\n\n  def g(self):\n        return 2\n",
        (7, 3),
    ),
    ("unexpected-indent", "import a\n\n    b = a.c\n    b.d()\n", (3, 5)),
    ("unexpected-indent", "def f():\n    a = 1\n      b = 2\n    return a\n", (3, 7)),
    ("unexpected-indent", "  a = 1\nb = 2\n", (1, 3)),
    ("unindented-body", "while a:\nb()\n", (2, 1)),
    ("unindented-body", "for d in ds:\nif d.ok:\n        keep(d)\n", (2, 1)),
    ("unindent-mismatch", "def f(x):\n    for y in x:\n        g(y)\n  return x\n", (4, 3)),
    ("inconsistent-tabs", "if a:\n        b = 1\n\tc = 2\n", (3, 2)),
    ("lost-first-indent", "@cached\n    def f(self):\n        return 1\n", (1, 1)),
    ("lost-first-indent", "a = f()\n    b = a + 1\n    g(b)\n", (1, 1)),
    ("missing-comma", 'f(\n    a="x"\n    b=2,\n)\n', (2, 10)),
    ("missing-comma", '{"a": 1\n "b": 2}\n', (1, 8)),
    ("missing-comma", 'd = {\n    "a": "x"\n    "b": "y"\n}\n', (2, 13)),
    ("missing-comma", "f([1, 2] c=3)\n", (1, 9)),
    ("missing-comma", "f(\n  a=...\n  b=...\n)\n", (2, 8)),
    ("missing-colon", "while n > 0\n    n -= 1\n", (1, 12)),
    ("missing-colon", "class A(B)\n    def f(self):\n        pass\n", (1, 11)),
    ("missing-colon", 'ages = {"ann" 3}\n', (1, 14)),
    ("unclosed-bracket", "def f(a):\n    b = g(a\n    return b\n", (2, 10)),
    ("unmatched-bracket", "print(f(1)))\n", (1, 12)),
    ("unmatched-bracket", "a = [f(1), 2)\n", (1, 13)),
    ("unterminated-string", 'p = f(\n    d="cuda\n)\n', (2, 7)),
    ("unterminated-string", "print('it's')\n", (1, 12)),
    ("repeated-argument", "f(a=1, a=2)\n", (1, 8)),
    ("repeated-argument", "def f(a, b, a):\n    return a\n", (1, 13)),
    ("positional-after-keyword", "f(a=1, b)\n", (1, 8)),
    ("invalid-target", "f(a.b=1)\n", (1, 3)),
    ("invalid-target", "f() = 3\n", (1, 1)),
    ("equals-for-comparison", "if x = 3:\n    f()\n", (1, 4)),
    ("equals-for-comparison", "if f():\n    g()\nelif x.a = 3:\n    f()\n", (3, 6)),
    ("equals-for-comparison", "while not x = 3:\n    f()\n", (1, 13)),
    ("equals-for-comparison", "y = (x = 3)\n", (1, 6)),
    ("hyphenated-name", "from my-lib import x\ny = x()\n", (1, 6)),
    ("hyphenated-name", "the-graph = f()\nprint(the-graph)\n", (1, 1)),
    ("broken-line", 'url = "http\ns://x.org/"\nget(url)\n', (1, 11)),
    ("split-name", "pipe line = f(1)\nline = 2\n", (1, 1)),
    ("missing-operator", "y = f(x)   0.2*g(x)\n", (1, 9)),
    ("missing-operator", "y = (step 1)*3\n", (1, 10)),
    ("chopped-text", "mport torch\nx = torch.ones(3)\n", (1, 1)),
    ("chopped-text", "rom a import b\nb()\n", (1, 1)),
    ("chopped-text", "import a\n\nef f(x):\n    return a.g(x)\n", (3, 1)),
    ("copy-residue", "Copy code\nimport a\na.b()\n", (1, 1)),
    ("copy-residue", "import a\na.b() ❷\n", (2, 7)),
    ("copy-residue", "1 import a\n2 a.b()\n3 a.c()\n", (1, 1)),
    ("escape-artefact", "my\\_list = []\n", (1, 3)),
    ("escape-artefact", "if a &lt; b:\n    f()\n", (1, 6)),
    ("escape-artefact", "x = f(\\'a\\', 2)\n", (1, 7)),
    ("escape-artefact", "import a\\nimport b\n", (1, 9)),
    ("leaked-emphasis", "class A:\n    def **init**(self):\n        pass\n", (2, 9)),
    ("leaked-emphasis", "x = <b>f</b>(1)\n", (1, 5)),
    ("leaked-emphasis", "`d.keys()`\n", (1, 1)),
    ("fullwidth-punctuation", 's = "（好）"\nprint（s）\n', (2, 6)),
    ("fullwidth-punctuation", "x = f(a，b)\n", (1, 8)),
    ("smart-quotes", "print(“hello，there”)\n", (1, 7)),
    ("typographic-dash", "x = 5 – 3\n", (1, 7)),
    ("invisible-character", "def f():\n\u00a0\u00a0\u00a0\u00a0return 1\n", (2, 1)),
    ("invisible-character", "x\u200b = 1\n", (1, 2)),
    ("invisible-character", "x = 1  # a\0b\n", (1, 11)),
    ("python2-syntax", 'print "hello"\n', (1, 1)),
    ("python2-syntax", 'def f(x):\n    if x: raise ValueError, "no"\n', (2, 27)),
    ("python2-syntax", "if a <> b:\n    f()\n", (1, 6)),
    ("python2-syntax", "x = f(10L, 0777)\n", (1, 7)),
    ("python2-syntax", "x = ur'a'\n", (1, 5)),
    ("python2-syntax", "def f((a, b), c):\n    return a\n", (1, 7)),
    ("python2-syntax", "print [x for x in y]\n", (1, 1)),
    ("python2-syntax", "exec 'a = 1'\n", (1, 1)),
    ("python2-syntax", "print >>sys.stderr, 'a', b\nprint 'c'\n", (1, 1)),
    ("broken-continuation", "x = 1 + \\ \n    2\n", (1, 9)),
    ("orphan-clause", "f()\nelse:\n    g()\n", (2, 1)),
    ("broken-import", "from a.b C\nd = C()\n", (1, 10)),
    ("broken-import", "from a import b, c,\nd = b()\n", (1, 19)),
    ("output-after-code", "x = ones(2)\nx.shape\n\nout:\nSize([2])\n[1. 1.]\n", (4, 1)),
    ("output-after-code", "print(answer)\n\n>>>\n答案是（四十二）\n", (3, 1)),
    ("session-after-code", "def f():\n    return 1\n\n>>> f()\n1\n", (4, 1)),
    ("miscased-keyword", "x = 0\nWhile x < 3:\n    x += 1\n", (2, 1)),
    ("miscased-keyword", "FOR a IN b:\n    f(a)\n", (1, 1)),
    ("miscased-keyword", "def f(x):\n    if x:\n        Return x + 1\n    Else:\n        return x\n", (3, 9)),
    ("miscased-keyword", "From a import b\nb.c()\n", (1, 1)),
    ("missing-value", "x = \n", (1, 3)),
    ("shell-among-code", "pip install a\nimport a\nb = a.c()\nb.d()\n", (1, 1)),
    ("prose-among-code", "import a\n\nNow load the second file.\n\nb = a.c()\n", (3, 1)),
    ("compiler-limit", f"x = 1\ny = {'9' * 4301}\n", (2, 5)),
    ("compiler-limit", f"x = f(2, {'9' * 5000})\n", (1, 10)),
    ("compiler-limit", f"x = {'(' * 210}1{')' * 210}\n", (1, 205)),
    ("compiler-limit", "".join(f"{' ' * n}if x:\n" for n in range(110)) + f"{' ' * 110}y\n", (101, 101)),
    ("compiler-limit", f"{'a, ' * 256}*b = x\n", (1, 1)),
    ("compiler-limit", "".join(f"{' ' * n}for a in x:\n" for n in range(25)) + f"{' ' * 25}y\n", (1, 1)),
    (
        "compiler-limit",
        "def f(x):\n z = x\n" + "".join(f"{' ' * n}for a in x:\n" for n in range(1, 25)) + f"{' ' * 25}y(a)\n",
        (3, 2),
    ),
    ("syntax-error", "a = 1\nb = = 2\n", (2, 5)),
    ("syntax-error", "from __future__ import braces\n", (1, 1)),
]


@pytest.mark.parametrize(("kind", "code", "at"), BROKEN)
def test_a_defect_is_broken_and_points_at_its_place(kind: str, code: str, at: tuple[int, int]) -> None:
    diagnosed = ask(code)
    first = diagnosed.diagnoses[0]
    assert (diagnosed.verdict, first.kind, place(code, first.span.start)) == ("broken", kind, at)


def test_a_limit_of_the_compiler_is_named_once_for_nested_blocks() -> None:
    code = "".join(f"{' ' * n}for a in x:\n" for n in range(30)) + f"{' ' * 30}y(a)\n"
    assert [diagnosis.kind for diagnosis in ask(code).diagnoses] == ["compiler-limit"]


NOT_PYTHON = [
    ("printed-output", "[[ 0.          1.        ]\n [ 0.84147098  0.54030231]]\n", 1),
    ("printed-output", "MLP(\n  (hidden): Linear(in_features=2, bias=True)\n  (act): ReLU()\n)\n", 2),
    ("printed-output", 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nKeyError: 3\n', 1),
    ("printed-output", "<function f at 0x7f70b0a4ad58>\n", 1),
    ("printed-output", "{'a': <class 'int'>, 'b': 2}\n", 1),
    ("printed-output", "Epoch 1/5\n120/120 [==============================] - 2s 11ms/step - loss: 0.35\n", 1),
    ("printed-output", "+-----+-----+\n| a   | b   |\n+-----+-----+\n", 1),
    ("printed-output", "2024-05-02 12:23:01,123 INFO root: started\n2024-05-02 12:23:02,456 INFO root: done\n", 1),
    ("printed-output", "           a         b\n2013-01-01 -0.605936 0.1\n2013-01-02 -0.165408 0.2\n", 1),
    ("printed-output", "project/\n├── a.py\n└── b.py\n", 2),
    ("printed-output", "mean error of the fit: 0.25 s\nmedian error 0.2\n", 1),
    ("printed-output", "10 loops, best of 3: 40.7 ms per loop\n", 1),
    ("shell-in-python", "pip install -U torch transformers\ncd project && ls -l\n", 1),
    ("shell-in-python", "$ git clone https://x.org/y\n$ cd y\n", 1),
    ("shell-in-python", "curl -X POST http://localhost \\\n  -d '{\"a\": 1}'\n", 1),
    ("shell-in-python", "CUDA_VISIBLE_DEVICES=0 python train.py --lr 0.1\n", 1),
    ("shell-in-python", "export API_KEY=abc\npython serve.py\n", 1),
    ("diff-markers", '  model = Model()\n- model.to("cuda")\n+ model.to(device)\n  model.eval()\n', 2),
    ("diff-markers", "for _ in r:\n-    a = f(g)\n+    a = f(h)\n", 2),
    ("diff-markers", "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n", 3),
    ("pseudo-notation", "t(f)(x) = f(x) * 2\n", 1),
    ("pseudo-notation", "S -> NP VP\nNP -> Det N\n", 1),
    ("pseudo-notation", "+ - * /\n", 1),
    ("pseudo-notation", "+   -   *   **   /   //   %   @\n<<  >>  &   |   ^   ~   :=\n", 1),
    ("pseudo-notation", "and  or  not\nis   in  lambda\n", 1),
    ("pseudo-notation", "( ) [ ] { } , : . ;\n", 1),
    ("pseudo-notation", "+  addition\n-  subtraction\n%  what is left of a division\n", 3),
    ("pseudo-notation", "+    # addition\n//   # whole division\n%    # the remainder\n", 1),
    ("pseudo-notation", "assert <condition>[, <message>]\n", 1),
    ("pseudo-notation", "...statements\n", 1),
    ("printed-output", "---- ----\n---- ----\n", 1),
    ("pseudo-notation", "while <condition>:\n    <statements>\n", 1),
    ("prose-in-fence", "The quick brown fox jumps over the lazy dog.\nIt then sleeps for a while.\n", 1),
    ("prose-in-fence", "这是一段说明文字，不是代码。\n请把它移到正文。\n", 1),
]


@pytest.mark.parametrize(("kind", "code", "line"), NOT_PYTHON)
def test_what_is_no_code_is_named_at_the_first_line_that_proves_it(kind: str, code: str, line: int) -> None:
    diagnosed = ask(code)
    first = diagnosed.diagnoses[0]
    assert (diagnosed.verdict, first.kind, place(code, first.span.start)[0]) == ("not-python", kind, line)


@pytest.mark.parametrize("text", ["+ - * /\n", "and or not\n", "...statements\n", "( ) [ ] { }\n"])
def test_what_nobody_prints_is_no_output_below_code_either(text: str) -> None:
    near = ask(text, "print(1)\n", 2)
    assert near.diagnoses[0].kind == "pseudo-notation"


def test_what_was_begun_as_code_is_no_output_below_code() -> None:
    near = ask("x = \n", "print(1)\n", 2)
    assert (near.verdict, near.diagnoses[0].kind) == ("broken", "missing-value")
    near = ask("FOR a IN b:\n    PRINT a\n", "print(1)\n", 2)
    assert near.diagnoses[0].kind != "printed-output"


@pytest.mark.parametrize("text", ["Import error\n", "Return value\n", "Assert failed\n", "Not found\n", "Pass it on\n"])
def test_a_sentence_may_begin_as_a_keyword_does(text: str) -> None:
    assert ask(text).diagnoses[0].kind != "miscased-keyword"


LANGUAGES = [
    ("typescript", 'import { Client } from "lib";\nconst c: Client = new Client({ url: "x" });\n'),
    ("javascript", "const f = async (x) => {\n  console.log(x);\n};\n"),
    ("json", '{\n  // the name\n  "name": "a",\n  "on": true,\n}\n'),
    ("yaml", "services:\n  - name: web\n    image: a:1\n"),
    ("toml", '[project]\nname = "a"\nrequires-python = ">=3.10"\n\n[tool.x]\nline-length = 100\n'),
    ("sql", "SELECT a, b\nFROM t\nWHERE a > 3;\n"),
    ("html", '<div class="a">\n  <p>text</p>\n</div>\n'),
    ("xml", '<?xml version="1.0"?>\n<entry>\n  <word>whale</word>\n</entry>\n'),
    ("c", "#include <stdio.h>\nint main(void) {\n  return 0;\n}\n"),
    ("java", 'public class A {\n  public static void main(String[] a) {\n    System.out.println("x");\n  }\n}\n'),
    ("rust", 'fn main() {\n    let mut x = 1;\n    println!("{}", x);\n}\n'),
    ("go", "package main\n\nfunc main() {\n\tx := 1\n}\n"),
    ("bash", "for f in a b; do\n  process $f\ndone\n"),
    ("dockerfile", "FROM python:3.12\nRUN pip install a\nCOPY . /app\n"),
    ("jinja", "{% for x in xs %}\n<li>{{ x.name }}</li>\n{% endfor %}\n"),
    ("cython", "def fib(int n):\n    cdef int a, b\n    return a\n"),
]


@pytest.mark.parametrize(("label", "code"), LANGUAGES)
def test_another_language_is_named_by_the_label_to_use(label: str, code: str) -> None:
    diagnosed = ask(code)
    first = diagnosed.diagnoses[0]
    assert (diagnosed.verdict, first.kind, first.arguments.get("label")) == ("not-python", "wrong-language", label)


def test_widths_and_the_line_that_sets_the_margin_are_said() -> None:
    code = "class Gate(Base):\n   '''doc'''\n    def f(self):\n        return 1\n"
    first = ask(code).diagnoses[0]
    assert (first.arguments["expected"], first.arguments["width"], first.arguments["name"]) == (3, 4, "Gate")
    margin = first.arguments["margin_line"]
    assert isinstance(margin, Span)
    assert place(code, margin.start) == (2, 4)


def test_an_unexpected_indent_names_the_line_above() -> None:
    code = "import os\nimport sys\n    a = 1\n"
    first = ask(code).diagnoses[0]
    margin = first.arguments["margin_line"]
    assert isinstance(margin, Span)
    assert (first.arguments["width"], first.arguments["expected"], place(code, margin.start)) == (4, 0, (2, 1))


def test_a_character_is_said_by_code_point_name_and_what_was_meant() -> None:
    first = ask("f(1，2，3)\n").diagnoses[0]
    expected = {"code_point": "U+FF0C", "name": "FULLWIDTH COMMA", "ascii": ",", "count": 2}
    assert {key: first.arguments[key] for key in expected} == expected


def test_the_compilers_words_are_the_detail() -> None:
    assert ask("a = 1\nb = = 2\n").diagnoses[0].detail == "invalid syntax"


def test_output_is_split_behind_the_last_line_of_code() -> None:
    code = "x = f()\nprint(x)\n\nOutput:\n[1. 2.]\n"
    first = ask(code).diagnoses[0]
    line = first.arguments["line"]
    assert isinstance(line, Span)
    assert (first.kind, place(code, line.start)[0]) == ("output-after-code", 2)


def test_text_right_below_code_is_its_output() -> None:
    assert ask("Splat!\nPlunk!\n", 'print("Splat!")\n', 2).diagnoses[0].kind == "printed-output"
    assert ask("The plan was saved to disk.\n", "save(plan)\n", 40).diagnoses[0].kind == "prose-in-fence"
