#!/usr/bin/env python3
"""Measures the first load of pages on a phone; prints one line per figure: figure <name> <value> <unit>.

    Benchmarks/first_load.py ADDRESS

ADDRESS is that of a program with orders, deliveries and photos. Bytes are those on the wire, including headers, without the service worker, which
fetches assets of other pages. Speeds are medians on a processor four times slower than this one.
"""

import sys
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "Tests" / "BrowserTests"))
from browser_profile import CHROMIUM, FLAGS  # noqa: E402
from page_speed import SETTLE_TIME, measure_page  # noqa: E402
from page_weight import PHONE, PageWeight  # noqa: E402

PAGES = "/orders", "/deliveries", "/photos"
SCRIPTED = "/", "/orders", "/orders/1", "/deliveries", "/deliveries/1", "/photos", "/photos/curiosity", "/operations"
ROUNDS = 5


def print_figure(name, value, unit):
    print(f"figure {name} {value:.{0 if unit == 'bytes' or unit == 'ms' else 3}f} {unit}", flush=True)


def new_page(browser):
    return browser.new_context(viewport=PHONE, has_touch=True, service_workers="block").new_page()


def measure_weight(browser, address):
    """Measures the bytes and requests of the first load of a page."""
    page = new_page(browser)
    weight = PageWeight(page)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(SETTLE_TIME)
    page.context.close()
    print(f"Lading: {address}: {weight.requests} requests, {weight.total()} bytes: {weight.by_type}", file=sys.stderr)
    return weight


def measure_speed(browser, address):
    """Measures the `speed_metrics` of a page."""
    page = new_page(browser)
    result = measure_page(page, address)
    page.context.close()
    print(f"Lading: {address}: {result}", file=sys.stderr)
    return result


def main(address):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        measure_weight(browser, f"{address}/orders")  # from here on the program has stored the orders in view
        first = measure_weight(browser, f"{address}/orders")
        print_figure("page-first-load", first.total(), "bytes")
        print_figure("page-first-load-html-css", first.total("Document", "Stylesheet"), "bytes")
        print_figure("window-script-gzip", max(measure_weight(browser, f"{address}{path}").total("Script") for path in SCRIPTED), "bytes")
        speeds = {path: [measure_speed(browser, f"{address}{path}") for _ in range(ROUNDS)] for path in PAGES}
        for name, unit in (("inp", "ms"), ("lcp", "ms"), ("cls", "score")):
            print_figure(f"window-{name}", max(median(result[name] for result in results) for results in speeds.values()), unit)
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Benchmarks/first_load.py ADDRESS: the address of a program with orders, deliveries and photos.")
    main(sys.argv[1].rstrip("/"))
