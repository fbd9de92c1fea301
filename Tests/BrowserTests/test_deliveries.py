"""Deliveries: pages without a known end, from a store."""

import re

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from error_bar import retry
from test_layout_shifts import SHIFTS, RECORD_SHIFTS


@pytest.fixture
def page(new_page):
    """A page that records its layout shifts."""
    page = new_page()
    page.add_init_script(RECORD_SHIFTS)
    return page


@pytest.fixture
def deliveries_page(deliveries, start_window, page):
    """The list of deliveries in the page of the test."""
    return DeliveryList(page, start_window(deliveries).address).open()


def test_the_first_rows_load_with_an_empty_store(deliveries, deliveries_page):
    deliveries_page.expect_all_loaded()

    expect(deliveries_page.row(0)).to_contain_text("Parcel 0 for Zoë")
    expect(deliveries_page.row(0)).to_contain_text("at 0 Harbor Street")
    expect(deliveries_page.row(0).locator("img")).to_have_js_property("complete", True)
    assert deliveries.requested[0] == 0


def test_the_next_pages_are_requested_before_the_end_is_reached(many_deliveries, start_window, page):
    deliveries_page = DeliveryList(page, start_window(many_deliveries).address).open()
    deliveries_page.expect_all_loaded()
    many_deliveries.wait_until(lambda: 40 in many_deliveries.requested)
    assert max(many_deliveries.requested) <= 80
    expect(deliveries_page.heading).to_have_text(re.compile(r"\d+ deliveries so far"))
    expect(deliveries_page.row(0)).to_have_attribute("aria-setsize", "-1")

    deliveries_page.scroll_to_the_end()

    expect(deliveries_page.heading).to_have_text("210 deliveries")
    expect(deliveries_page.footer).to_have_text("End of list")
    expect(deliveries_page.row(209)).to_be_in_viewport()
    expect(deliveries_page.row(209)).to_have_attribute("aria-setsize", "210")
    assert sorted(many_deliveries.requested) == list(range(0, 211, 20))
    assert page.evaluate(SHIFTS) == []


def test_a_refresh_in_progress_shows_a_busy_status(deliveries, deliveries_page):
    deliveries_page.expect_count(45)
    deliveries.numbers += range(45, 60)
    deliveries.hold()

    deliveries_page.refresh()

    expect(deliveries_page.bar).to_have_attribute("data-status", "busy")
    deliveries.release()
    expect(deliveries_page.bar).to_have_attribute("data-status", "ready")
    expect(deliveries_page.row(0)).to_contain_text("Parcel 0")


def test_an_empty_list_shows_a_message(deliveries, start_window, page):
    deliveries.numbers = []

    deliveries_page = DeliveryList(page, start_window(deliveries).address).open()

    expect(page.locator("#empty")).to_have_text("There are no deliveries right now.")
    expect(deliveries_page.heading).to_have_text("Deliveries")


@pytest.mark.parametrize("count", [3, 20])
def test_a_refresh_keeps_the_scroll_position_and_announces_new_rows(deliveries, deliveries_page, count):
    deliveries_page.expect_all_loaded()
    deliveries_page.expect_count(45)
    deliveries_page.jump_to(5)
    deliveries_page.expect_all_loaded()
    before = deliveries_page.bounding_box_of(6)
    deliveries.numbers = [*range(100, 100 + count)] + deliveries.numbers

    deliveries_page.refresh()

    expect(deliveries_page.new_rows_button).to_have_text(f"{count} new deliveries")
    assert deliveries_page.bounding_box_of(6)["y"] == before["y"]
    deliveries_page.new_rows_button.click()
    expect(deliveries_page.row(100)).to_be_in_viewport()


def test_a_failed_refresh_keeps_all_rows_and_can_be_retried(deliveries, deliveries_page):
    deliveries_page.expect_all_loaded()
    deliveries_page.expect_count(45)
    deliveries.is_failing = True

    deliveries_page.refresh()

    expect(deliveries_page.error).to_have_text("The server has a problem. Try again later.")
    expect(deliveries_page.row(0)).to_contain_text("Parcel 0")
    deliveries_page.expect_count(45)

    deliveries.is_failing = False
    retry(deliveries_page.page)

    expect(deliveries_page.error).to_be_empty()


def test_search_and_sort_cover_all_stored_deliveries(deliveries, deliveries_page):
    deliveries_page.expect_count(45)

    deliveries_page.search.fill("parcel 4")

    expect(deliveries_page.heading).to_have_text("9 deliveries")
    expect(deliveries_page.row(44)).to_contain_text("Parcel 44")
    expect(deliveries_page.row(5)).to_have_count(0)
    deliveries_page.search.fill("")
    deliveries_page.expect_count(45)
    deliveries_page.sort("nearest").check(force=True)
    deliveries_page.expect_in_view(0)
    expect(deliveries_page.row(0)).to_have_attribute("data-index", "0")
    deliveries_page.sort("nearest").click(force=True)
    expect(deliveries_page.sort("nearest")).not_to_be_checked()


def test_a_cleared_sort_shows_the_list_in_its_own_order(deliveries, start_window, page):
    deliveries.numbers.reverse()
    deliveries_page = DeliveryList(page, start_window(deliveries).address).open()
    deliveries_page.expect_count(45)
    deliveries_page.sort("title").check(force=True)
    expect(deliveries_page.row(0)).to_have_attribute("data-index", "0")

    deliveries_page.sort("title").click(force=True)

    expect(deliveries_page.row(44)).to_have_attribute("data-index", "0")
    deliveries_page.expect_count(45)


def test_the_page_title_shows_the_number_of_deliveries(deliveries, start_window, page):
    deliveries.hold()
    deliveries_page = DeliveryList(page, start_window(deliveries).address).open()
    expect(page).to_have_title("Deliveries")

    deliveries.release()

    expect(page).to_have_title("45 deliveries")
    deliveries_page.search.fill("parcel 4")
    expect(page).to_have_title("9 deliveries")


def test_a_search_without_a_match_shows_a_message(deliveries_page):
    deliveries_page.search.fill("zucchini")

    expect(deliveries_page.page.locator("#empty")).to_have_text("No stored delivery matches “zucchini”.")


def test_keys_move_the_focus_between_rows_and_to_the_last_known_row(deliveries_page):
    deliveries_page.expect_count(45)
    deliveries_page.row(0).focus()

    deliveries_page.page.keyboard.press("PageDown")
    expect(deliveries_page.row(1)).to_be_focused()
    deliveries_page.page.keyboard.press("Control+End")
    expect(deliveries_page.page.locator("[data-index='44']")).to_be_focused()
    deliveries_page.page.keyboard.press("Control+Home")
    expect(deliveries_page.row(0)).to_be_focused()


# The refresh may remove a row whose picture the browser then requests.
@pytest.mark.console_errors_allowed
def test_the_focus_stays_on_its_row_while_the_list_changes(deliveries, deliveries_page, console_messages):
    deliveries_page.expect_count(45)
    deliveries_page.row(6).focus()
    deliveries.numbers = [100, 101, 102] + deliveries.numbers

    # A click on the button would move the focus to it.
    deliveries_page.page.evaluate("document.querySelector('#refresh button').click()")

    expect(deliveries_page.new_rows_button).to_have_text("3 new deliveries")
    expect(deliveries_page.row(6)).to_be_focused()
    deliveries_page.favourite(6).focus()
    deliveries_page.row(6).evaluate("(row) => { row.isFormer = true; }")
    deliveries_page.page.keyboard.press("Enter")
    deliveries_page.expect_favourite(6, True)
    # The event with the favourite replaces the element of the row.
    deliveries_page.page.wait_for_function("() => !document.getElementById('row-6').isFormer")
    expect(deliveries_page.favourite(6)).to_be_focused()
    assert all("404 (Not Found)" in message and "/picture?" in message for message in console_messages)


def test_a_delivery_page_shows_a_map_and_links_back_to_the_list(deliveries_page):
    deliveries_page.expect_all_loaded()
    deliveries_page.row(2).get_by_role("link").click()

    page = deliveries_page.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Parcel 2 for Zoë")
    expect(page.locator("#map .pin-title")).to_have_text("2 Harbor Street")
    expect(page.locator("#map.live")).to_be_visible()
    page.get_by_role("link", name="Back to deliveries").click()
    expect(deliveries_page.row(2)).to_be_in_viewport()


def test_a_delivery_without_a_location_shows_a_message_and_no_map(deliveries, start_window, page):
    deliveries.without_location.add(3)
    deliveries_page = DeliveryList(page, start_window(deliveries).address).open()
    deliveries_page.row(3).get_by_role("link").click()

    expect(page.locator(".map-placeholder")).to_contain_text("This delivery has no location.")
    expect(page.locator("#map")).to_have_count(0)


@pytest.mark.console_errors_allowed
def test_an_unknown_delivery_returns_404(deliveries_page):
    deliveries_page.expect_all_loaded()

    response = deliveries_page.page.goto(f"{deliveries_page.address}/999")

    assert response.status == 404
    expect(deliveries_page.page.get_by_role("link", name="Back to deliveries")).to_be_visible()


def test_nothing_shifts_while_rows_and_pages_load(deliveries, start_window, page):
    deliveries.hold()
    deliveries_page = DeliveryList(page, start_window(deliveries).address).open()
    deliveries.wait_until(lambda: deliveries.requested)

    deliveries.release()

    deliveries_page.expect_count(45)
    deliveries_page.expect_all_loaded()
    assert page.evaluate(SHIFTS) == []
