"""A headless Chromium spoken to over its debugging pipe, with the standard library alone."""

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_browser() -> str | None:
    """The Chromium on this machine, if there is one; `AUDITOR_CHROMIUM` names another."""
    return os.environ.get("AUDITOR_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One browser with one page. Raises `TimeoutError` where it does not answer, `RuntimeError` where it refuses."""

    def __init__(self, program: str, profile: Path) -> None:
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        # The pipe's two ends have fixed numbers in the browser.
        def place() -> None:
            kept = os.dup2(to_browser, 63), os.dup2(from_browser, 64)
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)

        self._process = subprocess.Popen(
            [
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-pipe",
                "--hide-scrollbars",
                "--no-first-run",
                "--lang=en",
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=place,  # noqa: PLW1509 - no thread is running yet, and `pass_fds` keeps the numbers as they are
            close_fds=False,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._number = 0
        self._kept = b""
        self._session: str | None = None
        pages = self._tell("Target.getTargets")["targetInfos"]
        target = next(page["targetId"] for page in pages if page["type"] == "page")
        self._session = self._tell("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._tell("Page.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        os.close(self._write)
        os.close(self._read)
        self._process.terminate()
        self._process.wait(timeout=20)

    def _answer(self) -> Mapping[str, Any]:
        end = time.monotonic() + 60
        while b"\0" not in self._kept:
            if not select.select([self._read], [], [], max(0.0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self._read, 1 << 16)
            if not piece:
                raise RuntimeError("the browser has gone")
            self._kept += piece
        message, _, self._kept = self._kept.partition(b"\0")
        answer: Mapping[str, Any] = json.loads(message)
        return answer

    def _tell(self, method: str, **parameters: object) -> Any:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._answer()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, address: str, *, scripts: bool = True) -> None:
        """Load a page and wait until it is there."""
        self._tell("Emulation.setScriptExecutionDisabled", value=not scripts)
        self._tell("Page.navigate", url="about:blank")
        self._tell("Page.navigate", url=address)
        self.wait(lambda: self.run("document.readyState") == "complete" and self.run("location.href") != "about:blank")

    def wait(self, ready: Callable[[], object]) -> None:
        """Ask until the answer is true."""
        end = time.monotonic() + 30
        while not ready():
            if time.monotonic() > end:
                raise TimeoutError("the page is not as it should be")
            time.sleep(0.02)

    def run(self, expression: str) -> Any:
        """The value of an expression in the page."""
        found = self._tell("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"].get("exception", {}).get("description", "no description"))
        return found["result"].get("value")

    def size(self, width: int, height: int) -> None:
        """Set the window's inner size in CSS pixels."""
        self._tell(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def prefer(self, scheme: str) -> None:
        """Set the colour scheme that the reader prefers."""
        self._tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key: str, code: int, text: str = "", modifiers: int = 0) -> None:
        """Press and release a key, by its name and its virtual key code."""
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self._tell("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self._tell("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        """Put text where the caret is."""
        self._tell("Input.insertText", text=text)
