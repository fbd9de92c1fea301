"""Deliveries: page by page without a known end, from what is stored."""

import re

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from message_bar import retry
from test_calm import SHIFTS, WATCH_SHIFTS


@pytest.fixture
def page(new_page):
    """A page that notes what moves on its own."""
    page = new_page()
    page.add_init_script(WATCH_SHIFTS)
    return page


@pytest.fixture
def opened(deliveries, window_on, page):
    """The list, opened in the test's page."""
    return DeliveryList(page, window_on(deliveries).page).open()


def test_the_first_rows_come_from_an_empty_store(deliveries, opened):
    opened.expect_all_loaded()

    expect(opened.row(0)).to_contain_text("Parcel 0 for Zoë")
    expect(opened.row(0)).to_contain_text("at 0 Harbor Street")
    expect(opened.row(0).locator("img")).to_have_js_property("complete", True)
    assert deliveries.asked[0] == 0


def test_the_next_pages_are_asked_for_before_the_end_is_reached(many_deliveries, window_on, page):
    opened = DeliveryList(page, window_on(many_deliveries).page).open()
    opened.expect_all_loaded()
    many_deliveries.wait_until(lambda: 40 in many_deliveries.asked)
    assert max(many_deliveries.asked) <= 80
    expect(opened.heading).to_have_text(re.compile(r"\d+ deliveries so far"))
    expect(opened.row(0)).to_have_attribute("aria-setsize", "-1")

    opened.scroll_to_the_end()

    expect(opened.heading).to_have_text("210 deliveries")
    expect(opened.foot).to_have_text("That is all")
    expect(opened.row(209)).to_be_in_viewport()
    expect(opened.row(209)).to_have_attribute("aria-setsize", "210")
    assert sorted(many_deliveries.asked) == list(range(0, 211, 20))
    assert page.evaluate(SHIFTS) == []


def test_a_page_that_is_under_way_shows_at_the_foot(deliveries, opened):
    opened.expect_count(45)
    deliveries.numbers += range(45, 60)
    deliveries.hold()

    opened.refresh()

    expect(opened.bar).to_have_attribute("data-status", "busy")
    deliveries.release()
    expect(opened.bar).to_have_attribute("data-status", "ready")
    expect(opened.row(0)).to_contain_text("Parcel 0")


def test_an_empty_list_says_so(deliveries, window_on, page):
    deliveries.numbers = []

    opened = DeliveryList(page, window_on(deliveries).page).open()

    expect(page.locator("#empty")).to_have_text("There are no deliveries right now.")
    expect(opened.heading).to_have_text("Deliveries")


def test_a_refresh_keeps_the_reader_where_they_are_and_tells_what_is_new(deliveries, opened):
    opened.expect_all_loaded()
    opened.expect_count(45)
    opened.jump_to(5)
    opened.expect_all_loaded()
    before = opened.box_of(6)
    deliveries.numbers = [100, 101, 102] + deliveries.numbers

    opened.refresh()

    expect(opened.fresh).to_have_text("3 new deliveries")
    assert opened.box_of(6)["y"] == before["y"]
    opened.fresh.click()
    expect(opened.row(100)).to_be_in_viewport()


def test_a_refresh_that_fails_keeps_all_rows_and_can_be_retried(deliveries, opened):
    opened.expect_all_loaded()
    deliveries.is_failing = True

    opened.refresh()

    expect(opened.problem).to_have_text("The server has a problem. Try again later.")
    expect(opened.row(0)).to_contain_text("Parcel 0")
    opened.expect_count(45)

    deliveries.is_failing = False
    retry(opened.page)

    expect(opened.problem).to_be_empty()


def test_search_and_sort_reach_all_that_is_stored(deliveries, opened):
    opened.expect_count(45)

    opened.search.fill("parcel 4")

    expect(opened.heading).to_have_text("9 deliveries")
    expect(opened.row(44)).to_contain_text("Parcel 44")
    expect(opened.row(5)).to_have_count(0)
    opened.search.fill("")
    opened.expect_count(45)
    opened.sort("nearest").check(force=True)
    opened.expect_to_show(0)
    expect(opened.row(0)).to_have_attribute("data-index", "0")
    opened.sort("nearest").click(force=True)
    expect(opened.sort("nearest")).not_to_be_checked()


def test_the_title_of_the_page_keeps_up_with_the_number_of_deliveries(deliveries, window_on, page):
    deliveries.hold()
    opened = DeliveryList(page, window_on(deliveries).page).open()
    expect(page).to_have_title("Deliveries")

    deliveries.release()

    expect(page).to_have_title("45 deliveries")
    opened.search.fill("parcel 4")
    expect(page).to_have_title("9 deliveries")


def test_one_that_is_not_found_says_so(opened):
    opened.search.fill("zucchini")

    expect(opened.page.locator("#empty")).to_have_text("No stored delivery matches “zucchini”.")


def test_keys_go_from_row_to_row_and_to_the_end_of_what_is_known(opened):
    opened.expect_count(45)
    opened.row(0).focus()

    opened.page.keyboard.press("PageDown")
    expect(opened.row(1)).to_be_focused()
    opened.page.keyboard.press("Control+End")
    expect(opened.page.locator("[data-index='44']")).to_be_focused()
    opened.page.keyboard.press("Control+Home")
    expect(opened.row(0)).to_be_focused()


def test_the_focus_stays_on_its_row_while_the_list_changes(deliveries, opened):
    opened.expect_count(45)
    opened.row(6).focus()
    deliveries.numbers = [100, 101, 102] + deliveries.numbers

    # A press on the button would take the focus with it.
    opened.page.evaluate("document.querySelector('#refresh button').click()")

    expect(opened.fresh).to_have_text("3 new deliveries")
    expect(opened.row(6)).to_be_focused()
    opened.favourite(6).focus()
    opened.row(6).evaluate("(row) => { row.isFormer = true; }")
    opened.page.keyboard.press("Enter")
    opened.expect_favourite(6, True)
    # The window tells the row with its mark, and another element takes its place.
    opened.page.wait_for_function("() => !document.getElementById('row-6').isFormer")
    expect(opened.favourite(6)).to_be_focused()


def test_a_delivery_opens_with_its_map_and_leads_back(opened):
    opened.expect_all_loaded()
    opened.row(2).get_by_role("link").click()

    page = opened.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Parcel 2 for Zoë")
    expect(page.locator("#map .pin-title")).to_have_text("2 Harbor Street")
    expect(page.locator("#map.live")).to_be_visible()
    page.get_by_role("link", name="Back to the deliveries").click()
    expect(opened.row(2)).to_be_in_viewport()


def test_a_delivery_without_a_location_says_so_and_shows_no_map(deliveries, window_on, page):
    deliveries.nowhere.add(3)
    opened = DeliveryList(page, window_on(deliveries).page).open()
    opened.row(3).get_by_role("link").click()

    expect(page.locator(".nowhere")).to_contain_text("There is no location for this delivery.")
    expect(page.locator("#map")).to_have_count(0)


@pytest.mark.noisy
def test_one_that_does_not_exist_is_not_found(opened):
    opened.expect_all_loaded()

    reply = opened.page.goto(f"{opened.address}/999")

    assert reply.status == 404
    expect(opened.page.get_by_role("link", name="Back to the deliveries")).to_be_visible()


def test_nothing_moves_while_rows_and_pages_come(deliveries, window_on, page):
    deliveries.hold()
    opened = DeliveryList(page, window_on(deliveries).page).open()
    deliveries.wait_until(lambda: deliveries.asked)

    deliveries.release()

    opened.expect_count(45)
    opened.expect_all_loaded()
    assert page.evaluate(SHIFTS) == []
