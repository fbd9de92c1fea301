"""The list is read and left by keys alone."""

from playwright.sync_api import expect


def enter_list(page):
    """Presses Tab until a row has the focus."""
    focused = page.locator(".row:focus")
    for _ in range(6):
        page.keyboard.press("Tab")
        if focused.count():
            return focused
    raise AssertionError("Tab leads to no row")


def test_page_down_and_page_up_go_from_row_to_row(orders, list_of):
    orders_page = list_of(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    focused = enter_list(page)
    expect(focused).to_have_id("row-1")

    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")

    expect(focused).to_have_id("row-3")

    page.keyboard.press("PageUp")

    expect(focused).to_have_id("row-2")


def test_the_focused_row_is_always_wholly_in_view(orders, list_of):
    orders_page = list_of(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    focused = enter_list(page)

    for number in range(2, 26):
        page.keyboard.press("PageDown")
        expect(focused).to_have_attribute("data-index", str(number - 1))
        expect(focused).to_be_in_viewport(ratio=0.99)

    orders_page.expect_all_loaded()
    expect(focused).to_have_id("row-25")


def test_what_tab_leads_to_is_not_under_the_bar(orders, list_of):
    orders_page = list_of(orders).open()
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


def test_control_end_and_home_go_to_the_ends(many_orders, list_of):
    orders_page = list_of(many_orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    focused = enter_list(page)

    page.keyboard.press("Control+End")

    orders_page.expect_all_loaded()
    expect(focused).to_have_id("row-4000")
    expect(focused).to_have_attribute("aria-posinset", "4000")
    expect(focused).to_have_attribute("aria-setsize", "4000")

    page.keyboard.press("Control+Home")

    expect(focused).to_have_id("row-1")
    assert page.evaluate("scrollY") == 0


def test_enter_opens_the_focused_order(orders, list_of):
    orders_page = list_of(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    enter_list(page)
    page.keyboard.press("PageDown")

    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{orders_page.address}/2")
    expect(page.get_by_role("heading", level=1, name="Groceries 2")).to_be_visible()


def test_the_focus_stays_on_a_row_that_is_filled_in(orders, list_of):
    orders.hold()
    orders_page = list_of(orders).open()
    focused = enter_list(orders_page.page)
    orders_page.expect_state(1, "loading")

    orders.release_all()

    orders_page.expect_all_loaded()
    expect(focused).to_have_id("row-1")


def test_enter_retries_a_failed_row(orders, list_of):
    orders.replies[1] = 404
    orders_page = list_of(orders).open()
    orders_page.expect_state(1, "failed")
    enter_list(orders_page.page)
    del orders.replies[1]

    orders_page.page.keyboard.press("Enter")

    orders_page.expect_state(1, "loaded")
    expect(orders_page.page).to_have_url(orders_page.address)
