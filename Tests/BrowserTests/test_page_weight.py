"""The bytes and requests of the first load of a page."""

import pytest

from order_list import OrderList
from page_weight import PHONE, PageWeight

# Playwright logs that it blocks the service worker.
pytestmark = pytest.mark.console_errors_allowed

PAGE = 28 * 1_024
HTML_AND_CSS = 16 * 1_024
SCRIPTS = 24 * 1_024
REQUESTS = 12


@pytest.fixture
def screen():
    return PHONE


@pytest.fixture
def measure_weight(new_page):
    """Opens an address in a browser with empty caches, and measures its weight."""
    def measure_weight(address, prepare=lambda page: page.wait_for_load_state("load")):
        page = new_page(service_workers="block", has_touch=True)
        weight = PageWeight(page)
        page.goto(address)
        prepare(page)
        return weight

    return measure_weight


def test_the_order_list_stays_within_its_byte_and_request_budget(orders, start_window, measure_weight):
    program = start_window(orders)

    def read(page):
        OrderList(page, program.address).expect_all_loaded()
        page.wait_for_function("() => document.querySelector('.status-text').textContent.startsWith('Updated')")

    weight = measure_weight(f"{program.address}/orders", read)

    assert 5_000 < weight.total() <= PAGE, weight.by_type
    assert 3_000 < weight.total("Document", "Stylesheet") <= HTML_AND_CSS, weight.by_type
    assert weight.requests <= REQUESTS


@pytest.mark.parametrize("path", ["/", "/orders", "/orders/1", "/operations"])
def test_the_scripts_of_order_pages_stay_within_their_budget(orders, start_window, measure_weight, path):
    weight = measure_weight(start_window(orders).address + path)

    assert 1_000 < weight.total("Script") <= SCRIPTS, weight.by_type


@pytest.mark.parametrize("path", ["/deliveries", "/deliveries/1"])
def test_the_scripts_of_delivery_pages_stay_within_their_budget(deliveries, start, measure_weight, path):
    program = start("window", "--port", 0, *deliveries.arguments)
    measure_weight(f"{program.address}/deliveries", lambda page: page.wait_for_selector(".row[data-state=loaded]"))

    weight = measure_weight(program.address + path)

    assert 1_000 < weight.total("Script") <= SCRIPTS, weight.by_type


@pytest.mark.parametrize("path", ["/photos/curiosity", "/photos"])
def test_the_scripts_of_photo_pages_stay_within_their_budget(photos, start, measure_weight, path):
    program = start("window", "--port", 0, *photos.arguments)

    weight = measure_weight(program.address + path)

    assert 1_000 < weight.total("Script") <= SCRIPTS, weight.by_type
