"""Pages that look at the same orders share the work."""

from order_list import OrderList


def times_asked(orders, orders_page):
    """How often the documents of the rows in view were asked for."""
    return {orders.times_asked()[number] for number in orders_page.numbers_in_view()}


def test_two_windows_on_the_same_orders_share_one_flight(orders, window_on, new_page):
    orders.hold()
    program = window_on(orders)
    first, second = (OrderList(new_page(), program.page).open() for _ in range(2))
    first.expect_state(1, "loading")
    second.expect_state(1, "loading")

    orders.release_all()

    first.expect_all_loaded()
    second.expect_all_loaded()
    assert times_asked(orders, first) == times_asked(orders, second) == {1}
    assert orders.lists_sent == 1


def test_a_flight_goes_on_for_the_one_who_stays(orders, window_on, new_page):
    orders.hold()
    program = window_on(orders)
    leaving, staying = (OrderList(new_page(), program.page).open() for _ in range(2))
    leaving.expect_state(1, "loading")
    staying.expect_state(1, "loading")

    leaving.page.close()
    orders.release_all()

    staying.expect_all_loaded()
    assert times_asked(orders, staying) == {1}


def test_a_page_that_comes_later_has_the_rows_at_once(orders, window_on, new_page):
    program = window_on(orders)
    OrderList(new_page(), program.page).open().expect_all_loaded()
    orders.hold()

    later = OrderList(new_page(java_script_enabled=False), program.page)
    later.page.goto(later.address)

    assert later.row(1).get_attribute("data-state") == "loaded"


def test_what_nobody_looks_at_any_more_is_cancelled(orders, list_of):
    orders.hold()
    orders_page = list_of(orders).open()
    orders.wait_until(lambda: len(orders.held) == 8)

    orders_page.page.close()

    orders.wait_until(lambda: not orders.held)
    assert set(orders.abandoned) == set(orders.asked)
