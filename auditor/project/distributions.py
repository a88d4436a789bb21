"""Which distributions give a module: a table of those whose names differ, and what a file of requirements lists."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

# Source: the projects' own pages on PyPI; a module that is not here is given by the distribution of its own name.
_GIVEN_BY: Mapping[str, tuple[str, ...]] = {
    "Crypto": ("pycryptodome", "pycrypto"),
    "IPython": ("ipython", "jupyter", "notebook", "ipykernel"),
    "MySQLdb": ("mysqlclient",),
    "OpenSSL": ("pyopenssl",),
    "PIL": ("pillow",),
    "attr": ("attrs",),
    "bs4": ("beautifulsoup4",),
    "cv2": ("opencv-python", "opencv-python-headless", "opencv-contrib-python"),
    "dateutil": ("python-dateutil", "pandas"),
    "docx": ("python-docx",),
    "dotenv": ("python-dotenv",),
    "faiss": ("faiss-cpu", "faiss-gpu"),
    "fitz": ("pymupdf",),
    "git": ("gitpython",),
    "jose": ("python-jose",),
    "jwt": ("pyjwt",),
    "keras": ("keras", "tensorflow", "tensorflow-cpu", "tensorflow-gpu"),
    "llama_cpp": ("llama-cpp-python",),
    "magic": ("python-magic",),
    "mpl_toolkits": ("matplotlib",),
    "multipart": ("python-multipart",),
    "pkg_resources": ("setuptools",),
    "pptx": ("python-pptx",),
    "psycopg2": ("psycopg2", "psycopg2-binary"),
    "pylab": ("matplotlib",),
    "serial": ("pyserial",),
    "skimage": ("scikit-image",),
    "sklearn": ("scikit-learn",),
    "slugify": ("python-slugify",),
    "speech_recognition": ("speechrecognition",),
    "telegram": ("python-telegram-bot",),
    "tensorflow": ("tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tensorflow-macos"),
    "umap": ("umap-learn",),
    "usb": ("pyusb",),
    "win32api": ("pywin32",),
    "win32com": ("pywin32",),
    "wx": ("wxpython",),
    "yaml": ("pyyaml",),
    "zmq": ("pyzmq",),
}
_NAME = re.compile(r"[ \t]*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)[ \t]*(?:\[[^\]\n]*\])?[ \t]*(?:[=<>!~@;,(#]|$)")
_EGG = re.compile(r"[#&]egg=([\w.-]+)")
_SEPARATORS = re.compile(r"[-_.]+")


@dataclass(frozen=True, slots=True)
class Listed:
    """The distributions that a file lists, by their normal names; `more` tells that it takes others in."""

    names: frozenset[str]
    more: bool = False

    def gives(self, module: str) -> bool:
        """Whether something listed gives a module, by its first word."""
        return any(provides(name, module) for name in self.names)


def normal(name: str) -> str:
    """A distribution's name in its normal form (PEP 503)."""
    return _SEPARATORS.sub("-", name).lower()


def provides(name: str, module: str) -> bool:
    """Whether a distribution gives a module; one that begins with the module's name is a part of its name space."""
    own = normal(module)
    return name == own or name in _GIVEN_BY.get(module, ()) or name.startswith((f"{own}-", f"python-{own}"))


def listed(path: str, text: str) -> Listed | None:
    """What a `requirements.txt` or a `pyproject.toml` lists; `None` where it lists nothing that can be read."""
    if path.endswith(".toml"):
        return _of_project(text)
    names: set[str] = set()
    more = False
    for line in text.split("\n"):
        code = line.strip()
        egg = _EGG.search(code)
        if code.startswith(("-r", "--requirement", "-c ", "-e", "--editable")) or (egg is None and "://" in code[:12]):
            more = more or not code.startswith("-c ")
            continue
        found = _NAME.match(code)
        if egg is not None:
            names.add(normal(egg[1]))
        elif found is not None and not code.startswith("-"):
            names.add(normal(found[1]))
    return Listed(frozenset(names), more) if names or more else None


def _of_project(text: str) -> Listed | None:
    import tomllib  # noqa: PLC0415 - not every book has such a file

    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    project, poetry = _table(table, "project"), _table(_table(table, "tool"), "poetry")
    if "dependencies" not in project and "dependencies" not in poetry:
        return None
    lines = list(_lines(project.get("dependencies")))
    for group in (*_table(project, "optional-dependencies").values(), *_table(table, "dependency-groups").values()):
        lines.extend(_lines(group))
    names = {normal(found[1]) for line in lines if (found := _NAME.match(line))}
    tables = [poetry, *(each for each in _table(poetry, "group").values() if isinstance(each, dict))]
    for each in tables:
        names.update(normal(name) for key in ("dependencies", "dev-dependencies") for name in _table(each, key))
    own = (project.get("name"), poetry.get("name"))
    names.update(normal(name) for name in own if isinstance(name, str))
    return Listed(frozenset(names - {"python"}))


def _table(table: Mapping[str, object], key: str) -> dict[str, object]:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def _lines(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, str))
