"""A real browser for tests: Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = (
    "NO BROWSER: the pages were not tested. Install Chromium (Debian: apt-get install chromium; elsewhere: playwright"
    " install chromium), or name one in BOARDWRIGHT_CHROMIUM."
)


@cache
def chromium() -> str | None:
    """The path of a Chromium; if there is none, an attempt is made to install one."""
    given = os.environ.get("BOARDWRIGHT_CHROMIUM")
    if given:
        return given
    return _found() or (_installed() and _found()) or None


def _found() -> str | None:
    from playwright.sync_api import sync_playwright

    for name in NAMES:
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def _installed() -> bool:
    """By the system's packages, where one may."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    command = "apt-get update -qq && apt-get install -y -qq chromium"
    try:
        return subprocess.run(command, shell=True, capture_output=True, timeout=240, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False
