#!/usr/bin/env python3
"""Measures what the first load of a page costs a phone; prints one line a figure: figure <name> <value> <unit>.

    Benchmarks/first_load.py ADDRESS

ADDRESS is that of a program with orders, deliveries and photos. Bytes are those on the wire, heads of responses included, without a worker that would
fetch what other pages need. Speeds are medians on a processor four times slower than this one.
"""

import sys
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "Tests" / "BrowserTests"))
from browser_profile import CHROMIUM, FLAGS  # noqa: E402
from page_speed import REST, time  # noqa: E402
from page_weight import PHONE, PageWeight  # noqa: E402

PAGES = "/orders", "/deliveries", "/photos"
SCRIPTED = "/", "/orders", "/orders/1", "/deliveries", "/deliveries/1", "/photos", "/photos/curiosity", "/operations"
ROUNDS = 5


def figure(name, value, unit):
    print(f"figure {name} {value:.{0 if unit == 'bytes' or unit == 'ms' else 3}f} {unit}", flush=True)


def new_page(browser):
    return browser.new_context(viewport=PHONE, has_touch=True, service_workers="block").new_page()


def weigh(browser, address):
    """What the first load of a page brings."""
    page = new_page(browser)
    weight = PageWeight(page)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(REST)
    page.context.close()
    print(f"Lading: {address}: {weight.requests} requests, {weight.total()} bytes: {weight.by_kind}", file=sys.stderr)
    return weight


def measure(browser, address):
    """How soon a page shows and answers, as `time` gives it."""
    page = new_page(browser)
    result = time(page, address)
    page.context.close()
    print(f"Lading: {address}: {result}", file=sys.stderr)
    return result


def main(address):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        weigh(browser, f"{address}/orders")  # the orders in view are known to the program from here on
        first = weigh(browser, f"{address}/orders")
        figure("page-first-load", first.total(), "bytes")
        figure("page-first-load-html-css", first.total("Document", "Stylesheet"), "bytes")
        figure("window-script-gzip", max(weigh(browser, f"{address}{path}").total("Script") for path in SCRIPTED), "bytes")
        speeds = {path: [measure(browser, f"{address}{path}") for _ in range(ROUNDS)] for path in PAGES}
        for name, unit in (("inp", "ms"), ("lcp", "ms"), ("cls", "score")):
            figure(f"window-{name}", max(median(result[name] for result in results) for results in speeds.values()), unit)
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Benchmarks/first_load.py ADDRESS: the address of a program with orders, deliveries and photos.")
    main(sys.argv[1].rstrip("/"))
