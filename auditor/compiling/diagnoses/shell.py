"""What a line for a shell looks like; used for whole blocks and for lines among Python."""

import re

_COMMANDS = (
    "accelerate", "alembic", "apt", "apt-get", "aws", "az", "bash", "black", "brew", "bundle", "bunx", "bun", "cargo",
    "cat", "cd", "celery", "chmod", "chown", "choco", "clear", "cmake", "conda", "coverage", "cp", "curl", "dbt",
    "deno",
    "df", "diff", "dir", "django-admin", "dnf", "dnspython", "docker", "docker-compose", "dotnet", "du", "dvc", "echo",
    "export", "fastapi", "find", "flake8", "flask", "gcc", "gcloud", "gem", "gh", "git", "go", "gradle", "grep",
    "gunicorn", "gunzip", "gzip", "hatch", "hf", "helm", "huggingface-cli", "hypercorn", "ifconfig", "ipython", "isort",
    "java", "jupyter", "jupyter-lab", "kill", "kubectl", "langgraph", "less", "ll", "llamafactory-cli", "ln", "locust",
    "ls", "make", "mamba", "micromamba", "mkdir", "mkdocs", "mlflow", "modelscope", "more", "mv", "mypy", "mysql",
    "nano", "node", "nohup", "nox", "npm", "npx", "nvidia-smi", "nvcc", "ollama", "open", "openssl", "pdm", "perl",
    "ping", "pip", "pip3", "pip2", "pipenv", "pipx", "pixi", "pkill", "pnpm", "poetry", "pre-commit", "ps", "psql",
    "pwd", "py", "pytest", "python", "python2", "python3", "pyenv", "redis-cli", "rm", "rmdir", "rsync", "ruby", "ruff",
    "scp", "scrapy", "sed", "sh", "sort", "source", "sphinx-build", "sqlite3", "ssh", "streamlit", "su", "sudo",
    "systemctl", "tail", "tar", "tensorboard", "tmux", "torchrun", "touch", "tox", "tree", "twine", "unzip", "uv",
    "uvicorn", "uvx", "vi", "vim", "vllm", "wc", "wget", "where", "which", "xtuner", "yarn", "yum", "zip", "zsh",
)  # fmt: skip
_PROMPT = re.compile(
    r"\s*(?:[$➜❯](?=\s)|\$(?=[a-z][\w-]*(?:\s+[^\s=]|$))"
    r"|(?:\([\w.-]+\)\s*)?[\w.-]+@[\w.-]+[:\s][^$#\n]{0,80}[$#]\s|(?:PS )?[A-Z]:\\[^>\n]{0,120}>)"
)
_COMMAND = re.compile(
    r"\s*(?:#\s*)?(?:sudo\s+)?(?:[A-Z_][A-Z0-9_]*=\S*\s+)*(?P<command>[\w./~-]+(?:\.(?:sh|exe|bat))?)(?P<rest>\s.*|$)"
)
_KNOWN = frozenset(_COMMANDS)
# Commands that are words of running text, too.
_WORDY = frozenset(
    {
        "clear", "diff", "find", "go", "java", "kill", "less", "make", "more", "node", "open", "perl", "py", "python",
        "python2", "python3", "ruby", "sort", "source", "tail", "touch", "tree", "where", "which", "export",
    }
)  # fmt: skip
_ARGUMENT_SIGN = re.compile(r"(?:^|\s)-|[./\\=$*|>]|\d")
_PATH = re.compile(r"(?:\.{1,2}|~)?/[\w./-]+$")
_OPTION = re.compile(r"\s-{1,2}[A-Za-z][\w-]*(?:[\s=]|$)")
_PIPED = re.compile(r"\s\|\s+[a-z][\w-]*(?:\s|$)|\s(?:&&|>>?|2>&1)\s?\S")
_ASSIGNS = re.compile(r"\s*(?:=[^=]|[-+*/|&^%]=|:=)")
_CONTINUES = re.compile(r"\s*(?:-{1,2}[A-Za-z]|[|&]|\S.*\\\s*$)")
_DIRECTIVE = re.compile(r"\s*#!")


def is_command(line: str) -> bool:
    """Whether a line, which is no Python, is a command for a shell."""
    line = line[:1000]
    if _PROMPT.match(line):
        return True
    found = _COMMAND.match(line)
    if found is None:
        return False
    command, rest = found["command"], found["rest"]
    if _ASSIGNS.match(rest) or rest.lstrip().startswith(("(", ".", ",", ":")):
        return False
    if command in _WORDY and not _like_arguments(rest):
        return False
    if command in _KNOWN or (len(command) > 4 and command.endswith((".sh", ".exe", ".bat"))):
        return True
    if _PATH.match(command) and not command.startswith("//"):
        return True
    return bool(re.match(r"[a-z][\w-]+$", command) and (_OPTION.search(rest) or _PIPED.search(rest)))


def _like_arguments(rest: str) -> bool:
    """Whether what follows a word that may also open a sentence is what a command takes."""
    rest = rest.rstrip(" .!?:,")
    return len(rest.split()) < 2 or _ARGUMENT_SIGN.search(rest) is not None


def is_prompted(line: str) -> bool:
    """Whether a line starts with a shell's prompt."""
    return _PROMPT.match(line[:300]) is not None


def continues_command(line: str, above: str) -> bool:
    """Whether a line goes on with the command above it."""
    return above.rstrip().endswith("\\") or _CONTINUES.match(line[:1000]) is not None
