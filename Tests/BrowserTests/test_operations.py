"""The page that shows operations at work."""

import re

import pytest
from playwright.sync_api import expect

from order_list import OrderList


class Operations:
    """The page of operations, in a browser's page."""

    def __init__(self, page, address):
        self.page = page
        self.address = f"{address}/operations"
        self.now = page.locator("#now")

    def open(self):
        self.page.goto(self.address)
        return self

    def flight(self, name):
        return self.page.locator(".flight", has=self.page.locator(".name", has_text=name))

    def decision(self):
        """How many decisions the board shows, and how many there are."""
        return tuple(int(number) for number in self.now.inner_text().split(" / "))


@pytest.fixture
def watched(orders, window_on, new_page):
    """A window whose orders are held, a page that shows them, and the operations in another."""
    orders.hold()
    program = window_on(orders)
    operations = Operations(new_page(), program.page).open()
    orders_page = OrderList(new_page(), program.page).open()
    orders_page.expect_state(1, "loading")
    return operations, orders_page


def test_what_loads_is_a_line_of_its_lane_until_it_has_ended(orders, watched):
    operations, orders_page = watched
    flight = operations.flight("order-1.xml")
    expect(flight).to_be_visible()
    expect(flight).not_to_have_attribute("data-end", "succeeded")
    lane = operations.page.locator(".lane", has=flight)
    expect(lane.locator("h2")).to_contain_text("net:127.0.0.1")
    expect(lane.locator("p")).to_contain_text("8 of 8 run, 2 reserved for visible rows")

    orders.release_all()
    orders_page.expect_all_loaded()

    expect(flight).to_have_attribute("data-end", "succeeded")
    expect(lane.locator("p")).to_contain_text("0 of 8 run")


def test_a_flight_is_named_by_the_part_of_its_address_that_differs(watched):
    operations, _ = watched

    expect(operations.flight("order-1.xml").locator(".name")).to_have_text("order-1.xml")


def test_nobody_is_greeted_with_decisions_that_are_missing(many_orders, window_on, new_page):
    program = window_on(many_orders)
    orders_page = OrderList(new_page(), program.page).open()
    orders_page.expect_all_loaded()
    orders_page.sort("price").check()
    expect(orders_page.status).to_have_text(re.compile(r"(1,\d{3}|2,\d{3}) of 4,000 read"), timeout=60_000)

    operations = Operations(new_page(), program.page).open()

    expect(operations.page.locator("#controls")).to_be_visible()
    operations.page.wait_for_function("() => +document.getElementById('position').max > 0")
    expect(operations.page.locator("#missing")).to_be_hidden()


def test_what_left_the_screen_is_seen_to_be_cancelled_and_its_story_says_why(orders, watched):
    operations, orders_page = watched
    expect(operations.flight("order-1.xml")).to_be_visible()

    orders_page.jump_to_end()
    expect(operations.flight("order-1.xml")).to_have_attribute("data-end", "cancelled")
    operations.flight("order-1.xml").click()

    story = operations.page.locator("#story li")
    expect(story.first).to_contain_text("lined up")
    expect(story.last).to_contain_text("cancelled")
    expect(story.last).to_contain_text("Equal wishes share one flight")
    orders.release_all()


def test_what_was_recorded_can_be_stepped_through_again(orders, watched):
    operations, orders_page = watched
    orders.release_all()
    orders_page.expect_all_loaded()
    expect(operations.flight("order-1.xml")).to_have_attribute("data-end", "succeeded")
    page = operations.page

    page.get_by_role("button", name="Pause").click()
    shown, count = operations.decision()
    assert shown == count
    page.locator("#position").fill("1")
    expect(page.locator(".flight")).to_have_count(1)
    page.get_by_role("button", name="One decision on").click()
    expect(operations.now).to_have_text(re.compile("^2 /"))
    page.get_by_role("button", name="One decision back").click()
    expect(operations.now).to_have_text(re.compile("^1 /"))

    page.get_by_role("button", name="Live").click()
    expect(operations.flight("order-1.xml")).to_have_attribute("data-end", "succeeded")
    assert operations.decision()[0] >= count


def test_paused_it_stands_still_and_misses_nothing(orders, watched):
    operations, orders_page = watched
    expect(operations.flight("order-1.xml")).to_be_visible()
    operations.page.get_by_role("button", name="Pause").click()
    # The button says what it would do: that it were pressed as well would say the contrary.
    expect(operations.page.get_by_role("button", name="Live")).not_to_have_attribute("aria-pressed", "true")
    shown, count = operations.decision()

    orders.release_all()
    orders_page.expect_all_loaded()

    operations.page.wait_for_function("(count) => Number(document.getElementById('position').max) > count", arg=count)
    assert operations.decision()[0] == shown
    expect(operations.flight("order-1.xml")).not_to_have_attribute("data-end", "succeeded")


def test_what_is_tried_again_says_so_in_its_story_and_holds_no_slot(orders, start, new_page):
    orders.replies[3] = 503
    program = start("window", "--port", 0, "--retries", 10, *orders.arguments)
    operations = Operations(new_page(), program.page).open()
    orders_page = OrderList(new_page(), program.page).open()
    orders_page.expect_state(3, "retrying")

    operations.flight("order-3.xml").click()

    story = operations.page.locator("#story li[data-outcome=resting]")
    expect(story.first).to_contain_text("will be tried again")
    expect(story.first).to_contain_text("A failure says why and can be retried")
    del orders.replies[3]
    orders_page.expect_state(3, "loaded")


def test_rows_that_are_known_come_from_memory(orders, watched, new_page):
    operations, orders_page = watched
    orders.release_all()
    orders_page.expect_all_loaded()

    OrderList(new_page(), operations.address.removesuffix("/operations")).open().expect_all_loaded()

    line = operations.flight(re.compile("^Order 1$"))
    expect(line).to_have_attribute("data-end", "known")
    expect(operations.page.locator(".lane", has=line).locator("h2")).to_have_text("memory")
    line.click()
    expect(operations.page.locator("#story li")).to_contain_text("from memory")


@pytest.mark.noisy
def test_a_program_that_was_started_anew_is_shown_from_its_beginning(orders, window_on, start, new_page):
    program = window_on(orders)
    operations = Operations(new_page(), program.page).open()
    OrderList(new_page(), program.page).open().expect_all_loaded()
    expect(operations.flight("order-1.xml")).to_have_attribute("data-end", "succeeded")
    before = operations.decision()[1]
    program.stop()

    orders.hold()
    program = start("window", "--port", program.port, *orders.arguments)
    OrderList(new_page(), program.page).open()

    expect(operations.flight("order-1.xml")).not_to_have_attribute("data-end", "succeeded")
    assert 0 < operations.decision()[1] < before
    orders.release_all()
    expect(operations.flight("order-1.xml")).to_have_attribute("data-end", "succeeded")


def test_the_filter_leaves_what_it_names(orders, watched):
    operations, _ = watched
    expect(operations.flight("order-1.xml")).to_be_visible()

    operations.page.get_by_role("searchbox").fill("order-1.xml")

    expect(operations.page.locator(".flight")).to_have_count(1)
    expect(operations.page.locator(".lane")).to_have_count(1)
    orders.release_all()


def test_wishes_of_two_pages_are_one_line(orders, watched, new_page):
    operations, orders_page = watched
    other = OrderList(new_page(), operations.address.removesuffix("/operations")).open()
    other.expect_state(1, "loading")

    expect(operations.flight("parse 1 ×2")).to_have_count(1)
    expect(operations.flight("order-1.xml")).to_have_count(1)
    orders.release_all()


def test_without_scripts_the_latest_decisions_are_a_table(orders, window_on, new_page):
    program = window_on(orders)
    OrderList(new_page(), program.page).open().expect_all_loaded()

    page = new_page(java_script_enabled=False, locale="de-DE")
    page.goto(f"{program.page}/operations")

    expect(page.get_by_role("heading", name="Operationen")).to_be_visible()
    row = page.locator("#decisions tbody tr", has_text="order-1.xml").first
    expect(row).to_contain_text("gelungen")
    expect(row).to_contain_text("net:127.0.0.1")


def test_the_legend_keeps_its_colours_where_others_are_forced(orders, window_on, new_page):
    page = new_page(forced_colors="active")
    page.goto(f"{window_on(orders).page}/operations")

    colours = page.locator(".legend li").evaluate_all("(lines) => lines.map((line) => getComputedStyle(line, '::before').backgroundColor)")

    assert len(set(colours)) > 4


def test_the_start_page_leads_there_and_nothing_is_too_wide(orders, window_on, page):
    program = window_on(orders)
    page.goto(program.page)

    page.get_by_role("link", name="Watch it work").click()

    expect(page.get_by_role("heading", name="Operations")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
