"""A browser profile on disk, as that of an installed app: it outlives the browser."""

import os
import signal

from playwright.sync_api import Error

CHROMIUM = os.environ.get("LADING_CHROMIUM", "/usr/bin/chromium")
HEADLESS_CHROMIUM = os.environ.get("LADING_HEADLESS_CHROMIUM", CHROMIUM)
"""The Chromium of most tests: one without windows is faster, and has neither background sync nor the cache of pages."""
FLAGS = ["--no-sandbox"] if os.getuid() == 0 else []


class BrowserProfile:
    """A profile that one browser at a time can open."""

    def __init__(self, browser_type, folder, screen):
        self._folder = folder
        self._launch = lambda **options: browser_type.launch_persistent_context(
            folder, executable_path=CHROMIUM, args=FLAGS, viewport=screen, **options)
        self._context = None

    def open(self, **options):
        """Opens the profile in a new browser, and returns its page."""
        self._context = self._launch(**options)
        return self._context.pages[0]

    def kill(self):
        """Kills the browser."""
        process = int(os.readlink(self._folder / "SingletonLock").rsplit("-", 1)[1])
        os.kill(process, signal.SIGKILL)
        self.close()

    def close(self):
        context, self._context = self._context, None
        try:
            if context:
                context.close()
        except Error:
            pass  # The browser was killed.
