"""What holds for every test: none reads or writes the user's own cache, or any, unless it asks for one."""

import os

import pytest


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDITOR_CACHE_DIR", os.path.join(os.devnull, "no-folder"))
