"""Browsers other than Chromium, with the same few functions."""

import time
from pathlib import Path

from marionette_driver.marionette import Marionette
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

TIMEOUT = 30
WIDTH, HEIGHT = 420, 900
"""The size of a window, in pixels."""

FIND_BUTTON = """
    const [name] = arguments, isVisible = (element) => element.offsetParent !== null;
    const names = (element) => [element.textContent.trim(), element.textContent.trim().split(" · ")[0], element.getAttribute("aria-label")];
    return [...document.querySelectorAll("button, a")].find((element) => isVisible(element) && names(element).includes(name));
"""


class Browser:
    """A browser with one window. Subclasses have `open`, `run` and `quit`."""

    def wait_for(self, expression, timeout=TIMEOUT):
        """Returns the value of a JavaScript expression once it is true; pages may be replaced meanwhile."""
        end, value = time.monotonic() + timeout, None
        while time.monotonic() < end:
            try:
                value = self.run(f"return {expression};")
            except Exception as error:  # the page is being replaced
                value = error
            if value and not isinstance(value, Exception):
                return value
            time.sleep(0.1)
        raise AssertionError(f"{expression} is {value!r} at {self.run('return location.href;')}")

    def press(self, name):
        """Presses the visible button or link with a name."""
        self.wait_for(f"(function() {{ {FIND_BUTTON} }})({name!r})")
        self.run(f"(function() {{ {FIND_BUTTON} }})({name!r}).click();")

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? '';", selector)

    def wait_for_text(self, selector, text):
        self.wait_for(f"document.querySelector({selector!r})?.textContent.includes({text!r})")


class Firefox(Browser):
    """Firefox without a display, controlled by its own protocol."""

    def __init__(self):
        self._driver = Marionette(bin="/usr/bin/firefox-esr", headless=True)
        self._driver.start_session()
        self._driver.set_window_rect(width=WIDTH, height=HEIGHT)

    def open(self, address):
        self._driver.navigate(address)

    def run(self, script, *arguments):
        return self._driver.execute_script(script, script_args=list(arguments), sandbox=None)

    def type(self, selector, text):
        self._driver.find_element("css selector", selector).send_keys(text)

    def quit(self):
        self._driver.delete_session()
        self._driver.cleanup()


class WebKit(Browser):
    """The small browser of WebKitGTK, which needs a display."""

    BINARIES = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"

    def __init__(self):
        options = Options()
        options.binary_location = str(next(Path("/").glob(self.BINARIES[1:])))
        options.add_argument("--automation")
        self._driver = webdriver.WebKitGTK(options=options, service=Service("/usr/bin/WebKitWebDriver"))
        self._driver.set_window_size(WIDTH, HEIGHT)

    def open(self, address):
        self._driver.get(address)

    def run(self, script, *arguments):
        return self._driver.execute_script(script, *arguments)

    def type(self, selector, text):
        self._driver.find_element(By.CSS_SELECTOR, selector).send_keys(text)

    def quit(self):
        self._driver.quit()
