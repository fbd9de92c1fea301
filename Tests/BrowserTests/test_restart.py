"""Open pages continue after a restart of the program."""

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from order_list import LOADED, OFFLINE_STATUS, UPDATED_STATUS, OrderList
from orders_server import order_document

COUNT_EMPTY_FRAMES = """() => {
    globalThis.emptyFrames = 0;
    const check = () => { if (!(%s)()) emptyFrames += 1; requestAnimationFrame(check); };
    check();
}""" % LOADED

pytestmark = pytest.mark.console_errors_allowed


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


def test_an_open_page_reconnects_to_a_restarted_program_and_is_never_empty(orders, start_window, start, page):
    program = start_window(orders)
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_all_loaded()
    page.evaluate(COUNT_EMPTY_FRAMES)
    orders.responses[2] = order_document(2, title="Groceries for tomorrow")

    program.stop()
    expect(orders_page.status).to_have_text(OFFLINE_STATUS)
    with page.expect_response(lambda response: response.url.endswith("/windows") and response.status == 201):
        start("window", "--port", program.port, *orders.arguments)

    expect(orders_page.status).to_have_text(UPDATED_STATUS)
    expect(orders_page.row(2)).to_contain_text("Groceries for tomorrow")
    orders_page.expect_all_loaded()
    assert page.evaluate("emptyFrames") == 0


def test_rows_stay_visible_while_the_restarted_program_loads_them(orders, start_window, start, page):
    program = start_window(orders)
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_all_loaded()
    texts = orders_page.texts_in_view()
    page.evaluate(COUNT_EMPTY_FRAMES)
    orders.hold()

    program.stop()
    start("window", "--port", program.port, *orders.arguments)

    orders.wait_until(lambda: len(orders.held) == 8)
    expect(orders_page.status).to_have_text(UPDATED_STATUS)
    assert orders_page.texts_in_view() == texts
    orders.release_all()
    orders_page.expect_all_loaded()
    assert page.evaluate("emptyFrames") == 0


def test_a_page_keeps_its_scroll_position_through_a_restart(many_orders, start_window, start, page):
    program = start_window(many_orders)
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_all_loaded()
    orders_page.jump_to(2_000)
    orders_page.expect_all_loaded()
    rows = orders_page.rows_in_view()
    many_orders.responses[2_002] = order_document(2_002, title="Groceries for tomorrow")

    program.stop()
    start("window", "--port", program.port, *many_orders.arguments)

    expect(orders_page.row(2_002)).to_contain_text("Groceries for tomorrow")
    orders_page.expect_all_loaded()
    assert orders_page.rows_in_view() == rows
    assert [number for number in many_orders.requested if 100 < number < 1_900] == []


def test_scrolling_after_a_restart_loads_rows(many_orders, start_window, start, page):
    program = start_window(many_orders)
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_all_loaded()

    program.stop()
    with page.expect_response(lambda response: response.url.endswith("/windows") and response.status == 201):
        start("window", "--port", program.port, *many_orders.arguments)
    orders_page.jump_to(3_000)

    orders_page.expect_all_loaded()


def test_an_order_page_reconnects_to_a_restarted_program(orders, start_window, start, page):
    program = start_window(orders)
    page.goto(f"{program.address}/orders/3")
    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    orders.responses[3] = order_document(3, title="Groceries for tomorrow")

    program.stop()
    start("window", "--port", program.port, *orders.arguments)

    expect(page.get_by_role("heading", level=1, name="Groceries for tomorrow")).to_be_visible()
