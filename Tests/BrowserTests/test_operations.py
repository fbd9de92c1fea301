"""The page of operations."""

import re

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from order_list import OrderList


# Whether the position has been the same for a second.
POSITION_IS_FINAL = """() => {
    const text = document.getElementById("position-text").textContent;
    if (text !== window.lastPosition) [window.lastPosition, window.lastPositionTime] = [text, Date.now()];
    return Date.now() - window.lastPositionTime > 1_000;
}"""


@pytest.fixture
def screen():
    """The page behaves alike on each screen; developers read it on a desktop."""
    return SCREENS["desktop"]


class OperationsPage:
    """The page of operations."""

    def __init__(self, page, address):
        self.page = page
        self.address = f"{address}/operations"
        self.position_text = page.locator("#position-text")

    def open(self):
        self.page.goto(self.address)
        return self

    def flight(self, name):
        return self.page.locator(".flight", has=self.page.locator(".name", has_text=name))

    def position(self):
        """Returns the number of decisions that are shown, and the number of all."""
        return tuple(int(number) for number in self.position_text.inner_text().split(" / "))


@pytest.fixture
def operations_and_orders(orders, start_window, new_page):
    """The page of operations, and a list whose orders are held."""
    orders.hold()
    program = start_window(orders)
    operations = OperationsPage(new_page(), program.address).open()
    orders_page = OrderList(new_page(), program.address).open()
    orders_page.expect_state(1, "loading")
    return operations, orders_page


def test_a_running_operation_is_listed_in_its_lane_until_it_ends(orders, operations_and_orders):
    operations, orders_page = operations_and_orders
    flight = operations.flight("order-1.xml")
    expect(flight).to_be_visible()
    expect(flight).not_to_have_attribute("data-end", "succeeded")
    lane = operations.page.locator(".lane", has=flight)
    expect(lane.locator("h2")).to_contain_text("net:127.0.0.1")
    expect(lane.locator("p")).to_contain_text("8 of 8 running, 2 reserved for visible rows")

    orders.release_all()
    orders_page.expect_all_loaded()

    expect(flight).to_have_attribute("data-end", "succeeded")
    expect(lane.locator("p")).to_contain_text("0 of 8 running")


def test_a_flight_is_named_by_the_distinct_part_of_its_url(operations_and_orders):
    operations, _ = operations_and_orders

    expect(operations.flight("order-1.xml").locator(".name")).to_have_text("order-1.xml")


def test_missing_decisions_are_not_reported_when_the_page_opens(many_orders, start_window, new_page):
    program = start_window(many_orders)
    orders_page = OrderList(new_page(), program.address).open()
    orders_page.expect_all_loaded()
    orders_page.sort("price").check()
    expect(orders_page.status).to_have_text(re.compile(r"(1,\d{3}|2,\d{3}) of 4,000 loaded"), timeout=60_000)

    operations = OperationsPage(new_page(), program.address).open()

    expect(operations.page.locator("#controls")).to_be_visible()
    operations.page.wait_for_function("() => +document.getElementById('position').max > 0")
    expect(operations.page.locator("#missing")).to_be_hidden()


def test_an_operation_of_a_row_that_left_the_viewport_is_cancelled_with_a_reason(orders, operations_and_orders):
    operations, orders_page = operations_and_orders
    expect(operations.flight("order-1.xml")).to_be_visible()

    orders_page.jump_to_end()
    expect(operations.flight("order-1.xml")).to_have_attribute("data-end", "cancelled")
    operations.flight("order-1.xml").click()

    story = operations.page.locator("#decision-history li")
    expect(story.first).to_contain_text("queued")
    expect(story.first).to_contain_text("Queued: waits for a free slot")
    cancelled = operations.page.locator('#decision-history li[data-outcome="cancelled"]')
    expect(cancelled).to_contain_text("cancelled")
    expect(cancelled).to_contain_text("Cancelled: scrolled out of view, or no longer needed.")
    expect(story.last).to_contain_text("interrupted")
    orders.release_all()


def test_recorded_decisions_can_be_replayed_step_by_step(orders, operations_and_orders):
    operations, orders_page = operations_and_orders
    orders.release_all()
    orders_page.expect_all_loaded()
    expect(operations.flight("order-1.xml")).to_have_attribute("data-end", "succeeded")
    page = operations.page
    # Rows near the view are still loading, and the number of decisions grows.
    page.wait_for_function(POSITION_IS_FINAL, polling=100)

    page.get_by_role("button", name="Pause").click()
    shown, count = operations.position()
    assert shown == count
    page.locator("#position").fill("1")
    expect(page.locator(".flight")).to_have_count(1)
    page.get_by_role("button", name="Next decision").click()
    expect(operations.position_text).to_have_text(re.compile("^2 /"))
    page.get_by_role("button", name="Previous decision").click()
    expect(operations.position_text).to_have_text(re.compile("^1 /"))

    page.get_by_role("button", name="Live").click()
    expect(operations.flight("order-1.xml")).to_have_attribute("data-end", "succeeded")
    assert operations.position()[0] >= count


def test_a_paused_page_does_not_change_and_misses_no_decision(orders, operations_and_orders):
    operations, orders_page = operations_and_orders
    expect(operations.flight("order-1.xml")).to_be_visible()
    operations.page.get_by_role("button", name="Pause").click()
    # The label names the action of the button, so that a pressed state would contradict it.
    expect(operations.page.get_by_role("button", name="Live")).not_to_have_attribute("aria-pressed", "true")
    shown, count = operations.position()

    orders.release_all()
    orders_page.expect_all_loaded()

    operations.page.wait_for_function("(count) => Number(document.getElementById('position').max) > count", arg=count)
    assert operations.position()[0] == shown
    expect(operations.flight("order-1.xml")).not_to_have_attribute("data-end", "succeeded")


def test_a_retrying_operation_is_shown_as_such_and_holds_no_slot(orders, start, new_page):
    orders.responses[3] = 503
    program = start("window", "--port", 0, "--retries", 10, *orders.arguments)
    operations = OperationsPage(new_page(), program.address).open()
    orders_page = OrderList(new_page(), program.address).open()
    orders_page.expect_state(3, "retrying")

    operations.flight("order-3.xml").click()

    story = operations.page.locator("#decision-history li[data-outcome=awaitingRetry]")
    expect(story.first).to_contain_text("waiting to retry")
    expect(story.first).to_contain_text("Waiting: the attempt failed and will be repeated.")
    del orders.responses[3]
    orders_page.expect_state(3, "loaded")


def test_cached_rows_are_listed_in_the_memory_lane(orders, operations_and_orders, new_page):
    operations, orders_page = operations_and_orders
    orders.release_all()
    orders_page.expect_all_loaded()

    OrderList(new_page(), operations.address.removesuffix("/operations")).open().expect_all_loaded()

    flight = operations.flight(re.compile("^Order 1$"))
    expect(flight).to_have_attribute("data-end", "cacheHit")
    expect(operations.page.locator(".lane", has=flight).locator("h2")).to_have_text("memory")
    flight.click()
    expect(operations.page.locator("#decision-history li")).to_contain_text("from cache")
    expect(operations.page.locator("#decision-history li")).to_contain_text("From cache: no request was needed.")


@pytest.mark.console_errors_allowed
def test_a_restarted_program_is_shown_from_its_first_decision(orders, start_window, start, new_page):
    program = start_window(orders)
    operations = OperationsPage(new_page(), program.address).open()
    OrderList(new_page(), program.address).open().expect_all_loaded()
    expect(operations.flight("order-1.xml")).to_have_attribute("data-end", "succeeded")
    before = operations.position()[1]
    program.stop()

    orders.hold()
    program = start("window", "--port", program.port, *orders.arguments)
    OrderList(new_page(), program.address).open()

    expect(operations.flight("order-1.xml")).not_to_have_attribute("data-end", "succeeded")
    assert 0 < operations.position()[1] < before
    orders.release_all()
    expect(operations.flight("order-1.xml")).to_have_attribute("data-end", "succeeded")


def test_the_filter_shows_only_matching_flights(orders, operations_and_orders):
    operations, _ = operations_and_orders
    expect(operations.flight("order-1.xml")).to_be_visible()

    operations.page.get_by_role("searchbox").fill("order-1.xml")

    expect(operations.page.locator(".flight")).to_have_count(1)
    expect(operations.page.locator(".lane")).to_have_count(1)
    orders.release_all()


def test_equal_operations_of_two_pages_share_one_flight(orders, operations_and_orders, new_page):
    operations, orders_page = operations_and_orders
    other = OrderList(new_page(), operations.address.removesuffix("/operations")).open()
    other.expect_state(1, "loading")

    expect(operations.flight("parse 1 ×2")).to_have_count(1)
    expect(operations.flight("order-1.xml")).to_have_count(1)
    orders.release_all()


def test_without_scripts_the_latest_decisions_are_shown_in_a_table(orders, start_window, new_page):
    program = start_window(orders)
    OrderList(new_page(), program.address).open().expect_all_loaded()

    page = new_page(java_script_enabled=False, locale="de-DE")
    page.goto(f"{program.address}/operations")

    expect(page.get_by_role("heading", name="Vorgänge")).to_be_visible()
    row = page.locator("#decisions tbody tr", has_text="order-1.xml").first
    expect(row).to_contain_text("erfolgreich")
    expect(row).to_contain_text("net:127.0.0.1")
    expect(row).to_contain_text("Fertig.")


def test_the_legend_keeps_its_colours_in_forced_colours(orders, start_window, new_page):
    page = new_page(forced_colors="active")
    page.goto(f"{start_window(orders).address}/operations")

    colours = page.locator(".legend li").evaluate_all("(lines) => lines.map((line) => getComputedStyle(line, '::before').backgroundColor)")

    assert len(set(colours)) > 4


@pytest.mark.parametrize("screen", SCREENS.values(), ids=SCREENS)
def test_the_start_page_links_to_the_operations_page_without_overflow(orders, start_window, page):
    program = start_window(orders)
    page.goto(program.address)

    page.get_by_role("link", name="Developers watch every request").click()

    expect(page.get_by_role("heading", name="Operations")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
