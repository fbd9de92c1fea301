"""Failed rows and lists show the reason, can be retried, and keep loaded content."""

import re

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from order_list import UPDATED_STATUS, OrderList
from orders_server import order_document


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


def test_a_failed_row_shows_the_reason_and_loads_on_retry(orders, make_order_list):
    orders.responses[3] = 404
    orders_page = make_order_list(orders).open()
    orders_page.expect_state(3, "failed")
    expect(orders_page.row(3).locator(".reason")).to_have_text("This is no longer on the server.")
    expect(orders_page.row(3).get_by_role("link")).to_have_attribute("title", "not found (404): /order-3.xml")
    del orders.responses[3]

    orders_page.row(3).get_by_role("button", name="Retry").click()

    orders_page.expect_state(3, "loaded")
    expect(orders_page.row(3)).to_contain_text("Groceries 3")
    assert orders.request_counts()[3] == 2


def test_the_details_of_a_failure_expand_on_the_order_page(orders, make_order_list):
    orders.responses[3] = 404
    orders_page = make_order_list(orders).open()
    orders_page.expect_state(3, "failed")
    page = orders_page.page

    orders_page.row(3).get_by_role("link").click()

    expect(page.locator("#detail")).to_contain_text("This is no longer on the server.")
    words = page.locator("#detail details p")
    expect(words).to_be_hidden()
    page.locator("#detail summary").click()
    expect(words).to_have_text("not found (404): /order-3.xml")


def test_a_row_that_fails_again_can_be_retried_again(orders, make_order_list):
    orders.responses[3] = 404
    orders_page = make_order_list(orders).open()
    orders_page.expect_state(3, "failed")
    orders.responses[3] = 503

    orders_page.row(3).get_by_role("button", name="Retry").click()

    expect(orders_page.row(3).locator(".reason")).to_have_text("The server has a problem. Try again later.")
    expect(orders_page.row(3).get_by_role("button", name="Retry")).to_be_enabled()


def test_an_order_page_shows_a_reload_error_until_a_retry_succeeds(orders, make_order_list):
    orders_page = make_order_list(orders)
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    orders.responses[3] = 404

    page.reload()

    reload_error = page.locator(".stale-notice")
    expect(reload_error).to_contain_text("Couldn’t refresh: This is no longer on the server.")
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    del orders.responses[3]
    reload_error.get_by_role("button", name="Retry").click()
    orders.wait_until(lambda: orders.requested.count(3) >= 3)
    expect(reload_error).to_have_count(0)


def test_a_retrying_row_shows_the_reason_until_it_loads(orders, start, page):
    orders.responses[3] = 503
    program = start("window", "--port", 0, "--retries", 10, *orders.arguments)
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_state(3, "retrying")
    expect(orders_page.row(3).locator(".reason")).to_have_text("Retrying: The server has a problem. Try again later.")
    expect(orders_page.row(3)).to_have_attribute("aria-busy", "true")
    del orders.responses[3]

    orders_page.expect_state(3, "loaded")
    assert orders.request_counts()[3] > 1


def test_a_row_makes_five_attempts_and_five_more_after_a_manual_retry(orders, make_order_list):
    orders.responses[3] = 503
    orders_page = make_order_list(orders).open()
    orders_page.expect_state(3, "failed")
    assert orders.request_counts()[3] == 5

    orders_page.row(3).get_by_role("button", name="Retry").click()

    orders.wait_until(lambda: orders.requested.count(3) == 10)
    orders_page.expect_state(3, "failed")
    assert orders.request_counts()[3] == 10


def test_a_retrying_order_shows_the_reason_on_its_own_page(orders, start, page):
    orders.responses[3] = 503
    program = start("window", "--port", 0, "--retries", 10, *orders.arguments)
    page.goto(f"{program.address}/orders/3")
    expect(page.locator("#detail .reason")).to_have_text("Retrying: The server has a problem. Try again later.")
    del orders.responses[3]

    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()


def test_a_truncated_document_fails_only_its_own_row(orders, make_order_list):
    orders.responses[2] = order_document(2)[:200]

    orders_page = make_order_list(orders).open()

    orders_page.expect_state(2, "failed")
    expect(orders_page.row(2).locator(".reason")).to_have_text("This order can’t be read. Report it.")
    orders_page.expect_state(1, "loaded")
    orders_page.expect_state(3, "loaded")


def test_a_failed_order_page_shows_the_reason_and_loads_on_retry(orders, make_order_list):
    orders.responses[3] = 500
    orders_page = make_order_list(orders)
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    expect(page.locator("#detail")).to_have_attribute("data-state", "failed")
    expect(page.locator("#detail")).to_contain_text("the server responded with 500")
    del orders.responses[3]

    page.get_by_role("button", name="Retry").click()

    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    expect(page).to_have_url(f"{orders_page.address}/3")


def test_a_refresh_without_a_server_keeps_every_row_and_shows_the_error(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    texts = orders_page.texts_in_view()
    orders.stop()

    orders_page.refresh()

    expect(orders_page.error).to_have_text("The server can’t be reached.")
    assert orders_page.texts_in_view() == texts[:len(orders_page.rows_in_view())]

    orders.start()
    orders_page.refresh()

    expect(orders_page.error).to_be_hidden()
    orders_page.expect_all_loaded()
    assert orders_page.texts_in_view() == texts


def test_a_refresh_shows_changed_orders(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    orders_page.expect_all_loaded()
    orders.responses[2] = order_document(2, title="Groceries for tomorrow")

    orders_page.refresh()

    expect(orders_page.row(2)).to_contain_text("Groceries for tomorrow")
    expect(orders_page.status).to_have_text(UPDATED_STATUS)


def test_a_refresh_whose_documents_fail_keeps_the_rows_loaded(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    orders_page.expect_all_loaded()
    requested = len(orders.requested)
    seen = len(orders_page.rows_in_view())
    orders.responses = dict.fromkeys(orders.numbers, 500)

    orders_page.refresh()

    orders.wait_until(lambda: len(orders.requested) >= requested + seen)
    orders_page.expect_all_loaded()
    expect(orders_page.row(1)).to_contain_text("Groceries 1")


def test_a_list_that_fails_to_load_shows_the_error_and_loads_on_refresh(orders, make_order_list):
    orders.stop()
    orders_page = make_order_list(orders).open()
    expect(orders_page.error).to_have_text("The server can’t be reached.")
    expect(orders_page.page.locator("#empty")).to_have_text("")  # The number of orders is unknown.
    orders.start()

    orders_page.refresh()

    expect(orders_page.heading).to_have_text("40 orders")
    orders_page.expect_all_loaded()


def test_an_order_without_price_and_location_shows_placeholder_texts(orders, make_order_list):
    document = order_document(3).replace("<price>3.50</price>", "<price>3,50</price>")
    orders.responses[3] = re.sub("<location>.*</location>", "", document)
    orders_page = make_order_list(orders).open()
    page = orders_page.page

    orders_page.expect_state(3, "loaded")
    expect(orders_page.row(3)).to_contain_text("No readable price")
    expect(orders_page.row(3)).to_contain_text("No address given")

    page.goto(f"{orders_page.address}/3")

    detail = page.locator("#detail")
    expect(detail.get_by_text("No readable price")).to_be_visible()
    expect(detail.get_by_text("No address given")).to_be_visible()
    expect(detail.get_by_text("This order has no readable location.")).to_be_visible()
    expect(detail.get_by_text("No readable radius")).to_be_visible()
    expect(detail.get_by_text("2 items")).to_be_visible()
