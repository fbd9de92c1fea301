"""A page outlives the program that made it."""

import pytest
from playwright.sync_api import expect

from order_list import LOADED, OFFLINE, UPDATED, OrderList
from orders_server import order_document

WATCH_ROWS = """() => {
    globalThis.emptied = 0;
    const look = () => { if (!(%s)()) emptied += 1; requestAnimationFrame(look); };
    look();
}""" % LOADED

pytestmark = pytest.mark.noisy


def test_an_open_page_goes_on_with_the_restarted_program_and_is_never_empty(orders, window_on, start, page):
    program = window_on(orders)
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_all_loaded()
    page.evaluate(WATCH_ROWS)
    orders.replies[2] = order_document(2, title="Groceries for tomorrow")

    program.stop()
    expect(orders_page.status).to_have_text(OFFLINE)
    with page.expect_response(lambda response: response.url.endswith("/windows") and response.status == 201):
        start("window", "--port", program.port, *orders.arguments)

    expect(orders_page.status).to_have_text(UPDATED)
    expect(orders_page.row(2)).to_contain_text("Groceries for tomorrow")
    orders_page.expect_all_loaded()
    assert page.evaluate("emptied") == 0


def test_rows_stay_while_the_restarted_program_is_still_loading_them(orders, window_on, start, page):
    program = window_on(orders)
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_all_loaded()
    texts = orders_page.texts_in_view()
    page.evaluate(WATCH_ROWS)
    orders.hold()

    program.stop()
    start("window", "--port", program.port, *orders.arguments)

    orders.wait_until(lambda: len(orders.held) == 8)
    expect(orders_page.status).to_have_text(UPDATED)
    assert orders_page.texts_in_view() == texts
    orders.release_all()
    orders_page.expect_all_loaded()
    assert page.evaluate("emptied") == 0


def test_a_page_in_the_middle_of_the_list_stays_there(many_orders, window_on, start, page):
    program = window_on(many_orders)
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_all_loaded()
    orders_page.jump_to(2_000)
    orders_page.expect_all_loaded()
    rows = orders_page.rows_in_view()
    many_orders.replies[2_002] = order_document(2_002, title="Groceries for tomorrow")

    program.stop()
    start("window", "--port", program.port, *many_orders.arguments)

    expect(orders_page.row(2_002)).to_contain_text("Groceries for tomorrow")
    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view() == rows
    assert [number for number in many_orders.asked if 100 < number < 1_900] == []


def test_a_scroll_after_the_restart_brings_rows(many_orders, window_on, start, page):
    program = window_on(many_orders)
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_all_loaded()

    program.stop()
    with page.expect_response(lambda response: response.url.endswith("/windows") and response.status == 201):
        start("window", "--port", program.port, *many_orders.arguments)
    orders_page.jump_to(3_000)

    orders_page.expect_all_loaded()


def test_an_order_page_goes_on_too(orders, window_on, start, page):
    program = window_on(orders)
    page.goto(f"{program.page}/orders/3")
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    orders.replies[3] = order_document(3, title="Groceries for tomorrow")

    program.stop()
    start("window", "--port", program.port, *orders.arguments)

    expect(page.get_by_role("heading", level=1, name="Groceries for tomorrow")).to_be_visible()
