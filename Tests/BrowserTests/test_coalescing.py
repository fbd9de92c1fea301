"""Pages on the same orders share requests."""

import pytest

from conftest import SCREENS
from order_list import OrderList


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


def request_counts(orders, orders_page):
    """Returns the numbers of requests for the documents of the rows in view."""
    return {orders.request_counts()[number] for number in orders_page.numbers_in_view()}


def test_two_pages_on_the_same_orders_share_one_flight(orders, start_window, new_page):
    orders.hold()
    program = start_window(orders)
    first, second = (OrderList(new_page(), program.address).open() for _ in range(2))
    first.expect_state(1, "loading")
    second.expect_state(1, "loading")

    orders.release_all()

    first.expect_all_loaded()
    second.expect_all_loaded()
    assert request_counts(orders, first) == request_counts(orders, second) == {1}
    assert orders.lists_sent == 1


def test_a_flight_continues_for_the_remaining_page(orders, start_window, new_page):
    orders.hold()
    program = start_window(orders)
    leaving, staying = (OrderList(new_page(), program.address).open() for _ in range(2))
    leaving.expect_state(1, "loading")
    staying.expect_state(1, "loading")

    leaving.page.close()
    orders.release_all()

    staying.expect_all_loaded()
    assert request_counts(orders, staying) == {1}


def test_a_page_opened_later_shows_loaded_rows_at_once(orders, start_window, new_page):
    program = start_window(orders)
    OrderList(new_page(), program.address).open().expect_all_loaded()
    orders.hold()

    later = OrderList(new_page(java_script_enabled=False), program.address)
    later.page.goto(later.address)

    assert later.row(1).get_attribute("data-state") == "loaded"


def test_requests_are_cancelled_when_the_last_page_closes(orders, make_order_list):
    orders.hold()
    orders_page = make_order_list(orders).open()
    orders.wait_until(lambda: len(orders.held) == 8)

    orders_page.page.close()

    orders.wait_until(lambda: not orders.held)
    assert set(orders.abandoned) == set(orders.requested)
