"""Links, devices, settings of strangers, broken disks and sudden deaths: nothing is read or written that was not meant.

The numbers are those of the forty inputs that the tool is held to.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from shelf import PAGE, Shelf, fence

import auditor

COMMAND = [sys.executable, "-c", "import sys; from auditor.cli import main; sys.exit(main())"]
FIXABLE = fence("x = f(1，2)")


def environment(shelf: Shelf) -> dict[str, str]:
    package = Path(auditor.__file__).parent.parent
    return {**os.environ, "PYTHONPATH": str(package), "XDG_CACHE_HOME": str(shelf.root.parent / "cache")}


def start(shelf: Shelf, *words: str, out: int = subprocess.PIPE) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*COMMAND, *words], cwd=shelf.root, env=environment(shelf), stdout=out, stderr=subprocess.PIPE
    )


def finish(shelf: Shelf, *words: str) -> tuple[int, bytes, bytes]:
    process = start(shelf, *words)
    out, err = process.communicate(timeout=100)
    return process.returncode, out, err


def test_36_links_and_devices_are_left_out_by_name(shelf: Shelf) -> None:
    outside = shelf.root.parent / "outside.md"
    outside.write_text(fence("secret("))
    for name, target in {
        "self": ".",
        "loop.md": "loop.md",
        "out.md": "../outside.md",
        "zero.md": "/dev/zero",
        "folder": "..",
    }.items():
        (shelf.root / name).symlink_to(target)
    os.mkfifo(shelf.root / "fifo.md")
    run = shelf.audit()
    assert run.code == 0
    assert run.seconds < 5
    assert "secret" not in run.out
    for name in ("loop.md", "out.md", "zero.md"):
        assert run.status(name) == ("excluded", "a symbolic link, not followed")
    assert run.status("fifo.md") == ("excluded", "not a regular file")


@pytest.mark.parametrize("name", ["out.md", "fifo.md"])
def test_36_named_by_the_user_they_make_the_run_incomplete(shelf: Shelf, name: str) -> None:
    (shelf.root / "out.md").symlink_to("aaa.md")
    os.mkfifo(shelf.root / "fifo.md")
    assert shelf.run("audit", "--no-cache", name, "aaa.md").code == 5


def test_36_an_include_leads_nowhere_outside(shelf: Shelf) -> None:
    (shelf.root.parent / "secret.py").write_text("sesame = 1\n")
    (shelf.root / "link.py").symlink_to("../secret.py")
    shelf.add("mkdocs.yml", "site_name: x\nmarkdown_extensions:\n  - pymdownx.snippets\n")
    shelf.add("page.md", fence('--8<-- "../secret.py"') + "\n" + fence('--8<-- "link.py"'))
    run = shelf.audit("--notes")
    assert "sesame" not in run.out + run.err


def test_37_excluding_everything_is_no_clean_run(shelf: Shelf) -> None:
    shelf.add("auditor.toml", 'exclude = ["*"]\n')
    run = shelf.run("audit", "--no-cache")
    assert run.code == 3
    assert "nothing to audit" in run.err


@pytest.mark.parametrize(
    "settings",
    [
        'extends = "../secret.toml"\n',
        'rules = ["../secret.toml"]\n',
        'ledger = "../../secret.toml"\n',
        'baseline = "/etc/passwd"\n',
        'cache = "/tmp/somewhere"\n',
        "[limits]\nseconds-per-file = 'sesame'\n",
    ],
)
def test_38_settings_lead_nowhere_outside_and_echo_nothing(shelf: Shelf, settings: str) -> None:
    (shelf.root.parent / "secret.toml").write_text("sesame: [\n")
    shelf.add("auditor.toml", settings)
    run = shelf.run("audit", "--no-cache")
    assert run.code == 2
    assert "auditor.toml" in run.err
    assert "sesame: [" not in run.out + run.err
    assert shelf.run("ledger", "--no-cache").code == 2
    assert (shelf.root.parent / "secret.toml").read_text() == "sesame: [\n"
    assert not Path("/tmp/somewhere").exists()  # noqa: S108 - it must not


def test_39_hard_links_keep_their_bytes(shelf: Shelf) -> None:
    shelf.add("page.md", FIXABLE)
    os.link(shelf.root / "page.md", shelf.root.parent / "twin.md")
    run = shelf.run("fix", "--quiet")
    assert run.code == 5
    assert "hard-linked" in run.err
    assert (shelf.root.parent / "twin.md").read_text() == FIXABLE


def test_39_a_folder_that_is_read_only(shelf: Shelf) -> None:
    shelf.add("sub/page.md", FIXABLE)
    folder = shelf.root / "sub"
    folder.chmod(0o555)
    try:
        if os.access(folder, os.W_OK):
            pytest.skip("this user may write everywhere")
        assert shelf.run("fix", "--quiet").code == 5
    finally:
        folder.chmod(0o755)
    assert (folder / "page.md").read_text() == FIXABLE
    assert [file.name for file in folder.iterdir()] == ["page.md"]


def test_39_a_write_that_fails_in_the_middle(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.add("page.md", FIXABLE)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    run = shelf.run("fix", "--quiet")
    assert run.code == 5
    assert "No space left" in run.err
    assert (shelf.root / "page.md").read_text() == FIXABLE
    assert shelf.run("ledger", "--no-cache").code == 5
    assert not list(shelf.root.glob("**/.*"))
    assert not list(shelf.root.glob("reports/*"))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("name", ["text", "json", "github"])
def test_40_a_lost_output_is_never_zero(shelf: Shelf, name: str) -> None:
    with open("/dev/full", "wb") as full:
        process = start(shelf, "audit", "--no-cache", "--format", name, out=full.fileno())
        _, err = process.communicate(timeout=100)
    assert process.returncode == 5
    assert b"Traceback" not in err
    assert b"cannot be written" in err


@pytest.mark.parametrize("words", [("audit", "--no-cache"), ("rules",), ("fix", "--diff")])
def test_40_a_reader_that_goes_away(shelf: Shelf, words: tuple[str, ...]) -> None:
    shelf.add("page.md", FIXABLE)
    reader, writer = os.pipe()
    os.close(reader)  # how large a pipe is, and so when a writer sees that nobody reads, differs
    try:
        process = start(shelf, *words, out=writer)
    finally:
        os.close(writer)
    _, err = process.communicate(timeout=100)
    assert process.returncode == 5
    assert b"Traceback" not in err
    assert b"Exception ignored" not in err


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_40_a_reader_that_takes_a_little(shelf: Shelf, unbuffered: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    shelf.add("page.md", "".join(f"```python\nx = = {number}\n```\n\n" for number in range(800)))
    process = start(shelf, "audit", "--no-cache", "--format", "json")  # far more than a pipe holds
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.read(10)
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=100) == 5
    assert b"Traceback" not in err
    assert b"Exception ignored" not in err


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_40_a_sudden_end_leaves_the_old_ledger_or_the_new_one(shelf: Shelf, sent: signal.Signals) -> None:
    assert finish(shelf, "ledger", "--quiet", "--no-cache")[0] == 0
    file = shelf.root / "reports" / "ledger.jsonl"
    for number in range(20):
        shelf.add(f"new{number}.md", PAGE.replace("x = 1", f"class C{number}:\n    x = {number}\n" * 20))
    old = file.read_bytes()
    left = []
    for delay in (0.2, 0.3, 0.6):
        file.write_bytes(old)
        process = start(shelf, "ledger", "--quiet", "--no-cache", "--jobs", "2")
        time.sleep(delay)
        process.send_signal(sent)
        process.communicate(timeout=100)
        assert process.returncode in {0, -sent, 130, 143}
        left.append(file.read_bytes())
    assert finish(shelf, "ledger", "--quiet", "--no-cache")[0] == 0
    new = file.read_bytes()
    assert new != old
    assert set(left) <= {old, new}
    assert finish(shelf, "ledger", "--quiet", "--no-cache", "--check")[0] == 0


def test_40_two_runs_on_one_cache_and_a_flipped_bit_in_it(shelf: Shelf) -> None:
    shelf.add("bad.md", fence("bad("))
    words = ("audit", "--format", "concise")
    uncached = finish(shelf, *words, "--no-cache")
    pair = [start(shelf, *words) for _ in range(2)]
    outs = [process.communicate(timeout=100)[0] for process in pair]
    assert outs == [uncached[1], uncached[1]]
    assert [process.returncode for process in pair] == [1, 1]
    kept = [file for file in (shelf.root.parent / "cache").rglob("*") if file.is_file() and file.stat().st_size > 5000]
    kept += [file for file in shelf.root.rglob("*") if "cache" in str(file) and file.is_file()]
    for file in kept:
        data = bytearray(file.read_bytes())
        for at in range(200, len(data), 997):
            data[at] ^= 4
        file.write_bytes(data)
    again = finish(shelf, *words)
    assert (again[0], again[1]) == (uncached[0], uncached[1])


def test_no_module_of_the_audited_folder_is_ever_imported(shelf: Shelf) -> None:
    trap = f"open({str(shelf.root.parent / 'sprung')!r}, 'w').close()\n"
    for name in ("multiprocessing", "libcst", "markdown_it", "pebble", "auditor", "encodings"):
        shelf.add(f"{name}/__init__.py", trap)
    for name in ("selectors", "regex", "yaml", "tempfile", "socket", "sitecustomize", "usercustomize"):
        shelf.add(f"{name}.py", trap)
    shelf.add("nested.py", f"x = {'(' * 60}1{')' * 60}\n")  # audited in a process of its own
    program = (
        "import sys, auditor.cli, auditor.engine.workers; sys.path = [p for p in sys.path if p];"
        "sys.exit(auditor.cli.main())"
    )
    package = Path(auditor.__file__).parent.parent
    for jobs in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-P", "-c", program, "audit", "--no-cache", "--jobs", jobs],
            cwd=shelf.root, env={**os.environ, "PYTHONPATH": str(package)}, capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert not (shelf.root.parent / "sprung").exists()


@pytest.mark.parametrize("nested", ["", "docs/"])
def test_a_folder_laid_out_like_a_repository_names_no_program(shelf: Shelf, nested: str) -> None:
    trap = f"touch {shelf.root.parent / 'sprung'}"
    if nested:
        subprocess.run(["git", "init", "-q", shelf.root], check=True)
    shelf.add(f"{nested}HEAD", "ref: refs/heads/main\n")
    shelf.add(
        f"{nested}config",
        f'[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "{trap};"\n',
    )
    for folder in ("objects", "refs"):
        shelf.add(f"{nested}{folder}/keep.md", PAGE)
    shelf.add(f"{nested}page.md", PAGE)
    run = shelf.run("audit", "--no-cache", "--format", "json", nested or ".")
    assert run.code == 0
    assert len(run.blocks(f"{nested}page.md")) == 1
    shelf.run("audit", "--no-cache", "--since", "HEAD", nested or ".")
    assert not (shelf.root.parent / "sprung").exists()
