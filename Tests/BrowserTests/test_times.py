"""Times in the zone of their document or of the reader, and relative times."""

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from order_list import OrderList
from orders_server import order_document
from test_layout_shifts import SHIFTS, RECORD_SHIFTS
from service_worker import wait_until_page_is_stored, wait_until_worker_is_active

ZONES = ["America/New_York", "Europe/Berlin", "Asia/Kathmandu"]


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


def set_due_date(orders, text, number=1):
    orders.responses[number] = order_document(number).replace("May, 15th 16:00", text)


@pytest.fixture
def page_at(new_page):
    """Creates a page in a time zone, with a stopped clock."""
    def page_at(moment, zone, **options):
        page = new_page(timezone_id=zone, **options)
        page.clock.set_fixed_time(moment)
        return page

    return page_at


@pytest.fixture
def pickups(deliveries):
    """Deliveries with pickup times in two formats."""
    deliveries.extra_fields[0] = {"pickupTime": "2026-05-20T08:00:00-04:00"}
    deliveries.extra_fields[1] = {"pickupTime": "2026-05-20T12:00:00Z"}
    return deliveries


def time_element(row):
    return row.locator("time")


# Local times

@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("moment, text", [
    ("2026-05-19T09:00:00", "Tomorrow 12:00"), ("2026-05-20T09:00:00", "Today 12:00"), ("2026-05-20T11:20:00", "12:00, in 40 min"),
    ("2026-05-20T12:15:00", "12:00, 15 min ago"), ("2026-05-12T09:00:00", "Wed 20 May, 12:00"), ("2026-05-21T09:00:00", "Yesterday 12:00"),
    ("2025-01-12T09:00:00", "Wed 20 May 2026, 12:00"),
])
def test_a_delivery_date_without_a_zone_is_not_converted(orders, start_window, new_page, zone, moment, text):
    set_due_date(orders, "2026-05-20 12:00")
    page = new_page(timezone_id=zone)
    page.clock.set_fixed_time(page.evaluate("(moment) => Date.parse(moment) / 1_000", moment))

    orders_page = OrderList(page, start_window(orders).address).open()

    expect(time_element(orders_page.row(1))).to_have_text(text)
    page.goto(f"{orders_page.address}/1")
    expect(time_element(page.locator("#detail"))).to_have_text(text)


def test_an_unreadable_date_is_shown_as_written(orders, start_window, page_at):
    set_due_date(orders, "when ripe")

    orders_page = OrderList(page_at("2026-05-19T12:00:00Z", ZONES[0]), start_window(orders).address).open()

    expect(orders_page.row(1).locator(".delivery-time")).to_have_text("when ripe")


@pytest.mark.parametrize("locale, texts", [
    ("en-US", ["Today 12:00", "Wed 20 May, 12:00"]), ("de-DE", ["Heute 12:00", "Mi., 20. Mai, 12:00"]),
    ("zh-TW", ["今天 12:00", "5月20日週三 12:00"]), ("ar", ["اليوم 12:00", "الأربعاء، 20 مايو، 12:00"]),
])
def test_times_are_formatted_in_every_language(orders, start_window, new_page, locale, texts):
    set_due_date(orders, "2026-05-20 12:00")
    address = start_window(orders).address
    page = new_page(locale=locale, timezone_id="Asia/Kathmandu")
    orders_page = OrderList(page, address)
    for moment, text in zip(("2026-05-20T09:00:00", "2026-05-10T09:00:00"), texts):
        page.clock.set_fixed_time(page.evaluate("(moment) => Date.parse(moment) / 1_000", moment))
        orders_page.open()
        expect(time_element(orders_page.row(1))).to_have_text(text)


# Times with an offset, and instants

@pytest.mark.parametrize("zone, texts", [
    ("America/New_York", ["Today 08:00", "Today 08:00"]), ("Europe/Berlin", ["Today 08:00 UTC−4", "Today 14:00"]),
    ("Asia/Kathmandu", ["Today 08:00 UTC−4", "Today 17:45"]),
])
def test_a_pickup_time_is_shown_in_its_own_zone_or_that_of_the_reader(pickups, start_window, page_at, zone, texts):
    page = page_at("2026-05-20T09:00:00Z", zone)
    opened = DeliveryList(page, start_window(pickups).address).open()

    for number, text in enumerate(texts):
        expect(time_element(opened.row(number))).to_have_text(text)
    page.goto(f"{opened.address}/0")
    expect(time_element(page.locator(".facts"))).to_have_text(texts[0])


def test_without_scripts_the_zone_of_a_time_is_shown(pickups, start_window, new_page):
    page = new_page(java_script_enabled=False, timezone_id="Asia/Kathmandu")
    page.goto(f"{start_window(pickups).address}/deliveries?plain=1")

    expect(page.locator("#row-0 time")).to_contain_text("08:00 UTC−4")
    expect(page.locator("#row-1 time")).to_contain_text("UTC")


# Relative times

def test_relative_times_are_updated_without_layout_shifts(orders, start_window, new_page):
    set_due_date(orders, "2026-05-20 12:00")
    page = new_page(timezone_id="Asia/Kathmandu")
    page.add_init_script(RECORD_SHIFTS)
    page.clock.install(time="2026-05-20T05:10:00Z")
    orders_page = OrderList(page, start_window(orders).address).open()
    time = time_element(orders_page.row(1))
    expect(time).to_have_text("Today 12:00")

    page.clock.fast_forward("10:00")
    expect(time).to_have_text("12:00, in 55 min")

    page.clock.fast_forward("50:00")
    expect(time).to_have_text("12:00, in 5 min")
    assert page.evaluate(SHIFTS) == []


@pytest.mark.console_errors_allowed  # without a program
def test_a_stored_page_shows_times_relative_to_now(orders, start_window, new_page):
    set_due_date(orders, "2026-05-20 12:00")
    page = new_page(timezone_id="Asia/Kathmandu")
    page.clock.set_fixed_time("2026-05-19T05:00:00Z")
    program = start_window(orders)
    orders_page = OrderList(page, program.address).open()
    orders_page.expect_all_loaded()
    wait_until_worker_is_active(page)
    wait_until_page_is_stored(page, "/orders", "Groceries 1")
    program.stop()

    page.clock.set_fixed_time("2026-05-20T05:00:00Z")
    orders_page.open()

    expect(time_element(orders_page.row(1))).to_have_text("Today 12:00")
