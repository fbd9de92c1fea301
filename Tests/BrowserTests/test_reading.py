"""A search in more orders than have been read: what it says, how it goes on, and what becomes of it without a connection."""

import re

import pytest
from playwright.sync_api import expect

from order_list import OrderList
from orders_server import OrdersServer


@pytest.fixture
def long_list():
    """A server of more orders than a search reads at once, and few more."""
    server = OrdersServer(2_400)
    yield server
    server.stop()


def test_a_search_says_how_much_of_the_list_it_has_read_and_can_be_told_to_read_all(long_list, list_of):
    orders_page = list_of(long_list).open()
    orders_page.expect_all_loaded()
    page = orders_page.page

    orders_page.search.fill("Groceries")

    expect(orders_page.status).to_have_text(re.compile(r"[\d,]+ found in 2,0\d\d of 2,400 read"), timeout=60_000)
    expect(orders_page.heading).to_have_text(re.compile(r"[\d,]+ found"))
    long_list.hold()
    page.get_by_role("button", name="Read all 2,400").click()
    expect(page.get_by_role("progressbar", name="Orders read")).to_be_visible()
    stop = page.get_by_role("button", name="Stop")
    stop.click()
    expect(page.get_by_role("button", name="Read all 2,400")).to_be_visible()
    long_list.release_all()

    page.get_by_role("button", name="Read all 2,400").click()

    expect(orders_page.heading).to_have_text("2,400 orders", timeout=60_000)
    expect(page.locator("#reading")).to_be_hidden()


def test_a_search_goes_on_while_the_reader_waits_for_more(long_list, list_of):
    orders_page = list_of(long_list).open()
    orders_page.expect_all_loaded()

    orders_page.search.fill("Groceries 2399")

    expect(orders_page.row(2399)).to_contain_text("Groceries 2399", timeout=60_000)
    expect(orders_page.heading).to_have_text("1 order", timeout=60_000)


def test_an_order_that_cannot_be_read_is_reported_and_read_again_on_request(long_list, list_of):
    long_list.replies[1_500] = 404
    orders_page = list_of(long_list).open()
    orders_page.expect_all_loaded()

    orders_page.search.fill("Groceries 1500")

    expect(orders_page.problem).to_have_text(
        "1 order could not be read. The server doesn’t have this any more.", timeout=60_000)
    expect(orders_page.status).to_have_text("None found yet in 2,399 of 2,400 read")
    expect(orders_page.page.locator("#empty")).to_be_empty()
    del long_list.replies[1_500]
    orders_page.page.get_by_role("button", name="Read all 2,400").click()

    expect(orders_page.heading).to_have_text("1 order")
    expect(orders_page.problem).to_be_empty()


@pytest.mark.noisy
def test_a_search_that_is_typed_offline_says_that_it_waits_and_is_made_afterwards(orders, window_on, start, page):
    program = window_on(orders)
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_all_loaded()
    program.stop()

    orders_page.search.fill("Groceries 39")

    expect(page.locator("#later")).to_have_text("No connection: the search and the sort begin when it is back.")
    start("window", "--port", program.port, *orders.arguments)
    expect(orders_page.heading).to_have_text("1 order", timeout=60_000)
    expect(page.locator("#later")).to_be_hidden()


def test_no_row_moves_when_the_bar_of_a_search_comes_and_goes(long_list, list_of):
    orders_page = list_of(long_list).open()
    orders_page.expect_all_loaded()
    page = orders_page.page
    top = "() => document.getElementById('list').getBoundingClientRect().top"
    before = page.evaluate(top)

    orders_page.search.fill("Groceries")

    expect(page.get_by_role("button", name="Read all 2,400")).to_be_in_viewport(timeout=60_000)
    assert page.evaluate(top) == before
    page.get_by_role("button", name="Read all 2,400").click()
    expect(page.locator("#reading")).to_be_hidden(timeout=60_000)
    assert page.evaluate(top) == before
