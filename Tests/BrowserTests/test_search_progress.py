"""Searches in more orders than have loaded: their progress, and their delay without a connection."""

import re

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from order_list import OrderList
from orders_server import OrdersServer


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


@pytest.fixture
def long_list():
    """A stub server of slightly more orders than a search loads at once."""
    server = OrdersServer(2_400)
    yield server
    server.stop()


def test_a_search_shows_its_progress_and_can_load_all_orders(long_list, make_order_list):
    orders_page = make_order_list(long_list).open()
    orders_page.expect_all_loaded()
    page = orders_page.page

    orders_page.search.fill("Groceries")

    expect(orders_page.status).to_have_text(re.compile(r"[\d,]+ found in 2,0\d\d of 2,400 loaded"), timeout=60_000)
    expect(orders_page.heading).to_have_text(re.compile(r"[\d,]+ found"))
    long_list.hold()
    page.get_by_role("button", name="Load all 2,400").click()
    expect(page.get_by_role("progressbar", name="Orders loaded")).to_be_visible()
    stop = page.get_by_role("button", name="Stop")
    stop.click()
    expect(page.get_by_role("button", name="Load all 2,400")).to_be_visible()
    long_list.release_all()

    page.get_by_role("button", name="Load all 2,400").click()

    expect(orders_page.heading).to_have_text("2,400 orders", timeout=60_000)
    expect(page.locator("#search-progress")).to_be_hidden()


def test_a_search_continues_while_the_end_of_its_results_is_in_view(long_list, make_order_list):
    orders_page = make_order_list(long_list).open()
    orders_page.expect_all_loaded()

    orders_page.search.fill("Groceries 2399")

    expect(orders_page.row(2399)).to_contain_text("Groceries 2399", timeout=60_000)
    expect(orders_page.heading).to_have_text("1 order", timeout=60_000)


def test_an_unreadable_order_is_reported_and_loaded_again_on_request(long_list, make_order_list):
    long_list.responses[1_500] = 404
    orders_page = make_order_list(long_list).open()
    orders_page.expect_all_loaded()

    orders_page.search.fill("Groceries 1500")

    expect(orders_page.error).to_have_text(
        "1 order couldn’t be loaded. This is no longer on the server.", timeout=60_000)
    expect(orders_page.status).to_have_text("None found yet in 2,399 of 2,400 loaded")
    expect(orders_page.page.locator("#empty")).to_be_empty()
    del long_list.responses[1_500]
    orders_page.page.get_by_role("button", name="Load all 2,400").click()

    expect(orders_page.heading).to_have_text("1 order")
    expect(orders_page.error).to_be_empty()


@pytest.mark.console_errors_allowed
def test_a_search_typed_offline_is_announced_as_pending_and_sent_later(orders, start_window, start, page):
    program = start_window(orders)
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_all_loaded()
    program.stop()

    orders_page.search.fill("Groceries 39")

    expect(page.locator("#pending-query")).to_have_text("You’re offline. Search and sort will run when you’re back online.")
    start("window", "--port", program.port, *orders.arguments)
    expect(orders_page.heading).to_have_text("1 order", timeout=60_000)
    expect(page.locator("#pending-query")).to_be_hidden()


def test_the_search_progress_bar_does_not_shift_the_rows(long_list, make_order_list):
    orders_page = make_order_list(long_list).open()
    orders_page.expect_all_loaded()
    page = orders_page.page
    top = "() => document.getElementById('list').getBoundingClientRect().top"
    before = page.evaluate(top)

    orders_page.search.fill("Groceries")

    expect(page.get_by_role("button", name="Load all 2,400")).to_be_in_viewport(timeout=60_000)
    assert page.evaluate(top) == before
    page.get_by_role("button", name="Load all 2,400").click()
    expect(page.locator("#search-progress")).to_be_hidden(timeout=60_000)
    assert page.evaluate(top) == before
