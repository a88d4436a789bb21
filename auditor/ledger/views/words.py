"""The words of the views, in English and Chinese; facts that have no word here stand as they are."""

from collections.abc import Mapping
from typing import Literal

Lang = Literal["en", "zh"]

# Key: (English, Chinese).
WORDS: Mapping[str, tuple[str, str]] = {
    "title": ("Coverage ledger", "代码覆盖台账"),
    "lead": (
        "Every piece of Python in these pages: what compiles, what was found, what it shows. Nothing was run.",
        "这些页面里的每一段 Python：能否编译、有何发现、展示了哪个定义。没有运行任何代码。",
    ),
    "pages": ("Pages", "页面"),
    "files": ("Files", "文件"),
    "fences": ("fences", "代码块"),
    "fence": ("fence", "代码块"),
    "findings": ("findings", "发现"),
    "definitions": ("definitions", "定义"),
    "uncovered": ("Definitions no fence shows", "没有代码块展示的定义"),
    "all-covered": (
        "None: each definition recorded here is shown or exempt.",
        "没有：这里记录的定义都有展示，或属豁免。",
    ),
    "scope": ("Scope", "范围"),
    "verified": ("Verified", "已核实"),
    "not-verified": ("Not verified", "未核实"),
    "search": ("Search code, names, headings", "搜索代码、名称、标题"),
    "search-label": ("Search", "搜索"),
    "clear": ("Clear", "清除"),
    "verdict": ("Verdict", "结论"),
    "links": ("links", "关联"),
    "link": ("Link", "关联"),
    "with-findings": ("With findings", "有发现"),
    "reviewed": ("Reviewed", "已审阅"),
    "review-expired": ("Review expired", "审阅已过期"),
    "unlinked": ("No link", "无关联"),
    "shown-of": ("shown", "显示"),
    "nothing": ("No fence matches these filters.", "没有符合筛选条件的代码块。"),
    "keys": ("Keys", "快捷键"),
    "key-search": ("search", "搜索"),
    "key-next": ("next, previous fence", "下一个、上一个代码块"),
    "key-chapter": ("previous, next page", "上一页、下一页"),
    "key-help": ("this help", "本帮助"),
    "key-escape": ("clear the search, close", "清除搜索、关闭"),
    "close": ("Close", "关闭"),
    "theme": ("Light or dark", "浅色或深色"),
    "skip": ("Skip to the fences", "跳到代码块"),
    "in-page": ("Page", "页面"),
    "in-files": ("files", "个文件"),
    "line": ("Line", "行"),
    "lines": ("Lines", "行"),
    "equal-lines": ("equal lines", "行相同"),
    "file-lines": ("lines only in the file", "行仅在文件中"),
    "suppressed": ("suppressed", "已抑制"),
    "recovered": ("read as far as it could be", "只读出能读的部分"),
    "right-fence": ("the fence is right", "以代码块为准"),
    "right-file": ("the file is right", "以文件为准"),
    "explained": ("explained in", "说明见"),
    "evidence": ("by", "依据"),
    "no-code": (
        "Code left out to keep this page small; it stands in the source.",
        "为控制页面大小略去代码，请看源文件。",
    ),
    "status": ("status", "状态"),
    "needs": ("needs Python", "需要 Python"),
    "target": ("target", "目标"),
    "made-by": ("Made by", "生成工具"),
    "source": ("Source", "来源"),
    "licence": ("licence", "许可"),
    "coverage": ("Coverage", "覆盖"),
    "covered-by": ("Shown by", "展示于"),
    "section": ("Section", "章节"),
    "definition": ("Definition", "定义"),
    "what": ("What", "内容"),
    "more": ("more", "更多"),
    # Verdicts
    "compiles": ("compiles", "可编译"),
    "compiles-in-context": ("compiles in context", "在上下文中可编译"),
    "compiles-elided": ("compiles with elisions", "略去部分后可编译"),
    "newer-python": ("needs a newer Python", "需要更新的 Python"),
    "broken": ("broken", "有误"),
    "not-python": ("not Python", "不是 Python"),
    "skipped": ("skipped", "已跳过"),
    # Contexts
    "module": ("module", "模块"),
    "class-body": ("class body", "类体"),
    "method": ("method", "方法体"),
    "function-body": ("function body", "函数体"),
    "loop-body": ("loop body", "循环体"),
    "async": ("async", "异步"),
    "session": ("session", "交互会话"),
    "notebook": ("notebook", "笔记本"),
    "continuation": ("continuation", "续接"),
    "fragment": ("fragment", "片段"),
    # Adjustments
    "margin": ("margin removed", "去掉缩进"),
    "magics": ("magics masked", "屏蔽魔法命令"),
    "prompt": ("prompts removed", "去掉提示符"),
    "function": ("as a function body", "视为函数体"),
    "loop": ("as a loop body", "视为循环体"),
    "elision": ("elisions filled", "填补省略"),
    "placeholder": ("placeholders filled", "填补占位"),
    # Links
    "covers": ("covers", "覆盖"),
    "outdated": ("outdated", "已过时"),
    "ambiguous": ("ambiguous", "不明确"),
    "orphaned": ("orphaned", "已失联"),
    "marker": ("marker", "标记"),
    "qualname": ("name", "名称"),
    "structure": ("structure", "结构"),
    "alias": ("alias", "别名"),
    "identical": ("identical", "完全相同"),
    "formatting": ("formatting only", "仅格式不同"),
    "comments": ("comments only", "仅注释不同"),
    "renamed": ("renamed", "改名"),
    "elided": ("elided", "有省略"),
    "subset": ("an excerpt", "节选"),
    "signature": ("signature differs", "签名不同"),
    "diverged": ("diverged", "内容不一致"),
    # Coverage
    "full": ("in full", "完整"),
    "partial": ("in part", "部分"),
    "none": ("not shown", "未展示"),
    "exempt": ("exempt", "豁免"),
    # Severities
    "error": ("error", "错误"),
    "warning": ("warning", "警告"),
    "note": ("note", "提示"),
    # Claims and reasons
    "compiled": ("compiled", "已编译"),
    "linked": ("tied to definitions", "已关联定义"),
    "names-resolved": ("names resolved", "名称已解析"),
    "rules-applied": ("rules applied", "已应用规则"),
    "executed": ("executed", "运行"),
    "never-run": ("never: audited code is not run", "从不：被审代码不运行"),
    "external-resource": ("external resource", "外部资源"),
    "read": ("read", "读取"),
    "audited": ("audited", "审计"),
    "whole-body": ("the whole body", "完整代码"),
    "requirements": ("requirements", "依赖清单"),
    "recorded-only": ("recorded, not installed", "仅有记录，未安装"),
    "left-out-parts": ("parts left out", "略去的部分"),
    "compiler": ("compiler", "编译器"),
    "static-names": ("static lookup", "静态查找"),
    # Operations
    "statement-removed": ("statement only in the file", "语句仅在文件中"),
    "statement-added": ("statement only in the fence", "语句仅在代码块中"),
    "statement-changed": ("statement changed", "语句不同"),
    "argument-added": ("argument added", "多了参数"),
    "argument-removed": ("argument removed", "少了参数"),
    "argument-changed": ("argument changed", "参数不同"),
    "condition-changed": ("condition changed", "条件不同"),
    "annotation-changed": ("annotation changed", "注解不同"),
    "name-replaced": ("name replaced", "名称替换"),
    "base-changed": ("base changed", "基类不同"),
    "decorator-changed": ("decorator changed", "装饰器不同"),
    "default-changed": ("default changed", "默认值不同"),
}


# How English names one of what a word above names many of.
_ONE: Mapping[str, str] = {
    "fences": "fence",
    "findings": "finding",
    "links": "link",
    "definitions": "definition",
    "in-files": "file",
    "equal-lines": "equal line",
    "file-lines": "line only in the file",
}
# And many of what a word above names one of.
_MANY: Mapping[str, str] = {
    "compiles": "compile",
    "compiles-in-context": "compile in context",
    "compiles-elided": "compile with elisions",
    "newer-python": "need a newer Python",
    "covers": "cover",
    "error": "errors",
    "warning": "warnings",
    "note": "notes",
}


def counted(number: int, key: str, lang: Lang) -> str:
    """The word for so many of something, without the number; Chinese has one form for all numbers."""
    forms = _ONE if number == 1 else _MANY
    return forms[key] if lang == "en" and key in forms else word(key, lang)


def word(key: str, lang: Lang) -> str:
    """The word for a fact in a language, or the fact itself."""
    pair = WORDS.get(key)
    return key if pair is None else pair[lang == "zh"]
