"""What the first load of a page costs: bytes and requests, which decide on a slow line."""

import pytest

from order_list import OrderList
from page_weight import PHONE, PageWeight

# Playwright says on the console that it blocks the worker.
pytestmark = pytest.mark.noisy

PAGE = 28 * 1_024
HTML_AND_CSS = 16 * 1_024
SCRIPTS = 24 * 1_024
REQUESTS = 12


@pytest.fixture
def screen():
    return PHONE


@pytest.fixture
def weigh(new_page):
    """Opens an address in a browser that has nothing, and weighs what comes."""
    def weigh(address, prepare=lambda page: page.wait_for_load_state("load")):
        page = new_page(service_workers="block", has_touch=True)
        weight = PageWeight(page)
        page.goto(address)
        prepare(page)
        return weight

    return weigh


def test_the_list_of_orders_comes_in_few_bytes_and_requests(orders, window_on, weigh):
    program = window_on(orders)

    def read(page):
        OrderList(page, program.page).expect_all_loaded()
        page.wait_for_function("() => document.querySelector('.status-text').textContent.startsWith('Updated')")

    weight = weigh(f"{program.page}/orders", read)

    assert 5_000 < weight.total() <= PAGE, weight.by_kind
    assert 3_000 < weight.total("Document", "Stylesheet") <= HTML_AND_CSS, weight.by_kind
    assert weight.requests <= REQUESTS


@pytest.mark.parametrize("path", ["/", "/orders", "/orders/1", "/operations"])
def test_the_scripts_of_a_page_of_orders_keep_to_their_budget(orders, window_on, weigh, path):
    weight = weigh(window_on(orders).page + path)

    assert 1_000 < weight.total("Script") <= SCRIPTS, weight.by_kind


@pytest.mark.parametrize("path", ["/deliveries", "/deliveries/1"])
def test_the_scripts_of_a_page_of_deliveries_keep_to_their_budget(deliveries, start, weigh, path):
    program = start("window", "--port", 0, *deliveries.arguments)
    weigh(f"{program.page}/deliveries", lambda page: page.wait_for_selector(".row[data-state=loaded]"))

    weight = weigh(program.page + path)

    assert 1_000 < weight.total("Script") <= SCRIPTS, weight.by_kind


@pytest.mark.parametrize("path", ["/photos/curiosity", "/photos"])
def test_the_scripts_of_a_page_of_photos_keep_to_their_budget(photos, start, weigh, path):
    program = start("window", "--port", 0, *photos.arguments)

    weight = weigh(program.page + path)

    assert 1_000 < weight.total("Script") <= SCRIPTS, weight.by_kind
