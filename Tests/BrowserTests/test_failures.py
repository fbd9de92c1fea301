"""What fails says why, can be tried again, and takes nothing away."""

import re

from playwright.sync_api import expect

from order_list import UPDATED, OrderList
from orders_server import order_document


def test_a_failed_row_says_why_and_loads_when_it_is_retried(orders, list_of):
    orders.replies[3] = 404
    orders_page = list_of(orders).open()
    orders_page.expect_state(3, "failed")
    expect(orders_page.row(3).locator(".reason")).to_have_text("The server doesn’t have this any more.")
    expect(orders_page.row(3).get_by_role("link")).to_have_attribute("title", "not found (404): /order-3.xml")
    del orders.replies[3]

    orders_page.row(3).get_by_role("button", name="Retry").click()

    orders_page.expect_state(3, "loaded")
    expect(orders_page.row(3)).to_contain_text("Groceries 3")
    assert orders.times_asked()[3] == 2


def test_the_words_of_the_program_unfold_on_the_page_of_a_row_that_failed(orders, list_of):
    orders.replies[3] = 404
    orders_page = list_of(orders).open()
    orders_page.expect_state(3, "failed")
    page = orders_page.page

    orders_page.row(3).get_by_role("link").click()

    expect(page.locator("#detail")).to_contain_text("The server doesn’t have this any more.")
    words = page.locator("#detail details p")
    expect(words).to_be_hidden()
    page.locator("#detail summary").click()
    expect(words).to_have_text("not found (404): /order-3.xml")


def test_a_row_that_fails_again_stays_failed_and_can_be_retried_again(orders, list_of):
    orders.replies[3] = 404
    orders_page = list_of(orders).open()
    orders_page.expect_state(3, "failed")
    orders.replies[3] = 503

    orders_page.row(3).get_by_role("button", name="Retry").click()

    expect(orders_page.row(3).locator(".reason")).to_have_text("The server has a problem. Try again later.")
    expect(orders_page.row(3).get_by_role("button", name="Retry")).to_be_enabled()


def test_the_page_of_an_order_that_cannot_be_reloaded_says_so_until_it_can(orders, list_of):
    orders_page = list_of(orders)
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    orders.replies[3] = 404

    page.reload()

    setback = page.locator(".setback")
    expect(setback).to_contain_text("Could not be reloaded: The server doesn’t have this any more.")
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    del orders.replies[3]
    setback.get_by_role("button", name="Retry").click()
    orders.wait_until(lambda: orders.asked.count(3) >= 3)
    expect(setback).to_have_count(0)


def test_a_row_that_is_tried_again_says_why_and_is_there_once_it_can_be(orders, start, page):
    orders.replies[3] = 503
    program = start("window", "--port", 0, "--retries", 10, *orders.arguments)
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_state(3, "retrying")
    expect(orders_page.row(3).locator(".reason")).to_have_text("Trying again: The server has a problem. Try again later.")
    expect(orders_page.row(3)).to_have_attribute("aria-busy", "true")
    del orders.replies[3]

    orders_page.expect_state(3, "loaded")
    assert orders.times_asked()[3] > 1


def test_a_row_is_tried_five_times_and_so_it_is_again_by_who_retries(orders, list_of):
    orders.replies[3] = 503
    orders_page = list_of(orders).open()
    orders_page.expect_state(3, "failed")
    assert orders.times_asked()[3] == 5

    orders_page.row(3).get_by_role("button", name="Retry").click()

    orders.wait_until(lambda: orders.asked.count(3) == 10)
    orders_page.expect_state(3, "failed")
    assert orders.times_asked()[3] == 10


def test_an_order_that_is_tried_again_says_why_on_its_own_page(orders, start, page):
    orders.replies[3] = 503
    program = start("window", "--port", 0, "--retries", 10, *orders.arguments)
    page.goto(f"{program.page}/orders/3")
    expect(page.locator("#detail .reason")).to_have_text("Trying again: The server has a problem. Try again later.")
    del orders.replies[3]

    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()


def test_a_truncated_document_is_a_failed_row_among_good_ones(orders, list_of):
    orders.replies[2] = order_document(2)[:200]

    orders_page = list_of(orders).open()

    orders_page.expect_state(2, "failed")
    expect(orders_page.row(2).locator(".reason")).to_have_text("This order can’t be read. Report it.")
    orders_page.expect_state(1, "loaded")
    orders_page.expect_state(3, "loaded")


def test_a_failed_order_says_why_on_its_own_page_and_loads_when_it_is_retried(orders, list_of):
    orders.replies[3] = 500
    orders_page = list_of(orders)
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    expect(page.locator("#detail")).to_have_attribute("data-state", "failed")
    expect(page.locator("#detail")).to_contain_text("the server answered 500")
    del orders.replies[3]

    page.get_by_role("button", name="Retry").click()

    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    expect(page).to_have_url(f"{orders_page.address}/3")


def test_a_refresh_while_the_server_is_away_keeps_every_row_and_says_so(orders, list_of):
    orders_page = list_of(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    texts = orders_page.texts_in_view()
    orders.stop()

    orders_page.refresh()

    expect(orders_page.problem).to_have_text("The server can’t be reached.")
    assert orders_page.texts_in_view() == texts[:len(orders_page.rows_in_view())]

    orders.start()
    orders_page.refresh()

    expect(orders_page.problem).to_be_hidden()
    orders_page.expect_all_loaded()
    assert orders_page.texts_in_view() == texts


def test_a_refresh_brings_what_has_changed(orders, list_of):
    orders_page = list_of(orders).open()
    orders_page.expect_all_loaded()
    orders.replies[2] = order_document(2, title="Groceries for tomorrow")

    orders_page.refresh()

    expect(orders_page.row(2)).to_contain_text("Groceries for tomorrow")
    expect(orders_page.status).to_have_text(UPDATED)


def test_a_refresh_whose_documents_fail_keeps_the_rows(orders, list_of):
    orders_page = list_of(orders).open()
    orders_page.expect_all_loaded()
    asked = len(orders.asked)
    seen = len(orders_page.rows_in_view())
    orders.replies = dict.fromkeys(orders.numbers, 500)

    orders_page.refresh()

    orders.wait_until(lambda: len(orders.asked) >= asked + seen)
    orders_page.expect_all_loaded()
    expect(orders_page.row(1)).to_contain_text("Groceries 1")


def test_a_list_that_cannot_be_reached_says_so_and_comes_with_the_next_refresh(orders, list_of):
    orders.stop()
    orders_page = list_of(orders).open()
    expect(orders_page.problem).to_have_text("The server can’t be reached.")
    expect(orders_page.page.locator("#empty")).to_have_text("")  # Nobody knows how many there are.
    orders.start()

    orders_page.refresh()

    expect(orders_page.heading).to_have_text("40 orders")
    orders_page.expect_all_loaded()


def test_an_order_without_price_and_location_is_shown_and_says_so(orders, list_of):
    document = order_document(3).replace("<price>3.50</price>", "<price>3,50</price>")
    orders.replies[3] = re.sub("<location>.*</location>", "", document)
    orders_page = list_of(orders).open()
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
