"""The list can be used by keyboard alone."""

from playwright.sync_api import expect


def focus_first_row(page):
    """Presses Tab until a row has the focus."""
    focused = page.locator(".row:focus")
    for _ in range(6):
        page.keyboard.press("Tab")
        if focused.count():
            return focused
    raise AssertionError("Tab leads to no row")


def test_page_down_and_page_up_move_the_focus_by_one_row(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    focused = focus_first_row(page)
    expect(focused).to_have_id("row-1")

    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")

    expect(focused).to_have_id("row-3")

    page.keyboard.press("PageUp")

    expect(focused).to_have_id("row-2")


def test_the_focused_row_is_always_fully_in_view(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    focused = focus_first_row(page)

    for number in range(2, 26):
        page.keyboard.press("PageDown")
        expect(focused).to_have_attribute("data-index", str(number - 1))
        expect(focused).to_be_in_viewport(ratio=0.99)

    orders_page.expect_all_loaded()
    expect(focused).to_have_id("row-25")


def test_a_focused_link_is_not_covered_by_the_bar(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    orders_page.jump_to(10)
    orders_page.expect_all_loaded()
    orders_page.row(11).focus()

    page.keyboard.press("Shift+Tab")

    link = orders_page.row(10).get_by_role("link")
    expect(link).to_be_focused()
    bar = orders_page.bar.bounding_box()
    assert link.bounding_box()["y"] > bar["y"] + bar["height"] - 1


def test_control_end_and_control_home_focus_the_last_and_first_row(many_orders, make_order_list):
    orders_page = make_order_list(many_orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    focused = focus_first_row(page)

    page.keyboard.press("Control+End")

    orders_page.expect_all_loaded()
    expect(focused).to_have_id("row-4000")
    expect(focused).to_have_attribute("aria-posinset", "4000")
    expect(focused).to_have_attribute("aria-setsize", "4000")

    page.keyboard.press("Control+Home")

    expect(focused).to_have_id("row-1")
    page.wait_for_function("() => scrollY === 0")


def test_control_home_in_an_empty_list_shows_no_row(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    orders_page.search.fill("Nothing")
    orders_page.search.press("Enter")
    expect(page.locator("#empty")).not_to_be_empty()
    expect(page.locator("#list .row")).to_have_count(0)

    page.keyboard.press("Control+Home")

    assert page.locator("#list .row").count() == 0


def test_enter_opens_the_focused_order(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    focus_first_row(page)
    page.keyboard.press("PageDown")

    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{orders_page.address}/2")
    expect(page.get_by_role("heading", level=1, name="Groceries 2")).to_be_visible()


def test_a_loading_row_keeps_the_focus_when_it_loads(orders, make_order_list):
    orders.hold()
    orders_page = make_order_list(orders).open()
    orders_page.expect_state(1, "loading")
    focused = focus_first_row(orders_page.page)

    orders.release_all()

    orders_page.expect_all_loaded()
    expect(focused).to_have_id("row-1")


def test_enter_retries_a_failed_row(orders, make_order_list):
    orders.responses[1] = 404
    orders_page = make_order_list(orders).open()
    orders_page.expect_state(1, "failed")
    focus_first_row(orders_page.page)
    del orders.responses[1]

    orders_page.page.keyboard.press("Enter")

    orders_page.expect_state(1, "loaded")
    expect(orders_page.page).to_have_url(orders_page.address)
