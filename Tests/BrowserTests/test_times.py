"""Times are those of their document where it has a zone, and otherwise the reader's; a list says how long until then."""

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from order_list import OrderList
from orders_server import order_document
from test_calm import SHIFTS, WATCH_SHIFTS
from worker import wait_until_kept, wait_until_worker_works

ZONES = ["America/New_York", "Europe/Berlin", "Asia/Kathmandu"]


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


def due_on(orders, text, number=1):
    orders.replies[number] = order_document(number).replace("May, 15th 16:00", text)


@pytest.fixture
def at(new_page):
    """Makes a page in a zone whose clock stands still at a moment."""
    def at(moment, zone, **options):
        page = new_page(timezone_id=zone, **options)
        page.clock.set_fixed_time(moment)
        return page

    return at


@pytest.fixture
def pickups(deliveries):
    """Deliveries that are picked up at moments written in two ways."""
    deliveries.extras[0] = {"pickupTime": "2026-05-20T08:00:00-04:00"}
    deliveries.extras[1] = {"pickupTime": "2026-05-20T12:00:00Z"}
    return deliveries


def time_in(row):
    return row.locator("time")


# A time on a clock at the place of delivery

@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("moment, text", [
    ("2026-05-19T09:00:00", "Tomorrow 12:00"), ("2026-05-20T09:00:00", "Today 12:00"), ("2026-05-20T11:20:00", "12:00, in 40 min"),
    ("2026-05-20T12:15:00", "12:00, 15 min ago"), ("2026-05-12T09:00:00", "Wed 20 May, 12:00"), ("2026-05-21T09:00:00", "Yesterday 12:00"),
    ("2025-01-12T09:00:00", "Wed 20 May 2026, 12:00"),
])
def test_a_delivery_date_without_a_zone_is_never_shifted(orders, window_on, new_page, zone, moment, text):
    due_on(orders, "2026-05-20 12:00")
    page = new_page(timezone_id=zone)
    page.clock.set_fixed_time(page.evaluate("(moment) => Date.parse(moment) / 1_000", moment))

    orders_page = OrderList(page, window_on(orders).page).open()

    expect(time_in(orders_page.row(1))).to_have_text(text)
    page.goto(f"{orders_page.address}/1")
    expect(time_in(page.locator("#detail"))).to_have_text(text)


def test_a_date_that_cannot_be_read_stays_as_it_was_written(orders, window_on, at):
    due_on(orders, "when ripe")

    orders_page = OrderList(at("2026-05-19T12:00:00Z", ZONES[0]), window_on(orders).page).open()

    expect(orders_page.row(1).locator(".due")).to_have_text("when ripe")


@pytest.mark.parametrize("locale, texts", [
    ("en-US", ["Today 12:00", "Wed 20 May, 12:00"]), ("de-DE", ["Heute 12:00", "Mi., 20. Mai, 12:00"]),
    ("zh-TW", ["今天 12:00", "5月20日週三 12:00"]), ("ar", ["اليوم 12:00", "الأربعاء، 20 مايو، 12:00"]),
])
def test_every_language_tells_times_with_and_without_scripts(orders, window_on, new_page, locale, texts):
    due_on(orders, "2026-05-20 12:00")
    address = window_on(orders).page
    page = new_page(locale=locale, timezone_id="Asia/Kathmandu")
    orders_page = OrderList(page, address)
    for moment, text in zip(("2026-05-20T09:00:00", "2026-05-10T09:00:00"), texts):
        page.clock.set_fixed_time(page.evaluate("(moment) => Date.parse(moment) / 1_000", moment))
        orders_page.open()
        expect(time_in(orders_page.row(1))).to_have_text(text)


# A time with an offset, and an instant

@pytest.mark.parametrize("zone, texts", [
    ("America/New_York", ["Today 08:00", "Today 08:00"]), ("Europe/Berlin", ["Today 08:00 UTC−4", "Today 14:00"]),
    ("Asia/Kathmandu", ["Today 08:00 UTC−4", "Today 17:45"]),
])
def test_a_pickup_is_told_in_its_own_zone_or_in_the_readers(pickups, window_on, at, zone, texts):
    page = at("2026-05-20T09:00:00Z", zone)
    opened = DeliveryList(page, window_on(pickups).page).open()

    for number, text in enumerate(texts):
        expect(time_in(opened.row(number))).to_have_text(text)
    page.goto(f"{opened.address}/0")
    expect(time_in(page.locator(".facts"))).to_have_text(texts[0])


def test_without_scripts_the_zone_is_named(pickups, window_on, new_page):
    page = new_page(java_script_enabled=False, timezone_id="Asia/Kathmandu")
    page.goto(f"{window_on(pickups).page}/deliveries?plain=1")

    expect(page.locator("#row-0 time")).to_contain_text("08:00 UTC−4")
    expect(page.locator("#row-1 time")).to_contain_text("UTC")


# As time goes by

def test_the_time_left_is_kept_current_and_nothing_moves(orders, window_on, new_page):
    due_on(orders, "2026-05-20 12:00")
    page = new_page(timezone_id="Asia/Kathmandu")
    page.add_init_script(WATCH_SHIFTS)
    page.clock.install(time="2026-05-20T05:10:00Z")
    orders_page = OrderList(page, window_on(orders).page).open()
    time = time_in(orders_page.row(1))
    expect(time).to_have_text("Today 12:00")

    page.clock.fast_forward("10:00")
    expect(time).to_have_text("12:00, in 55 min")

    page.clock.fast_forward("50:00")
    expect(time).to_have_text("12:00, in 5 min")
    assert page.evaluate(SHIFTS) == []


@pytest.mark.noisy  # without a program
def test_a_kept_page_tells_times_as_of_now(orders, window_on, new_page):
    due_on(orders, "2026-05-20 12:00")
    page = new_page(timezone_id="Asia/Kathmandu")
    page.clock.set_fixed_time("2026-05-19T05:00:00Z")
    program = window_on(orders)
    orders_page = OrderList(page, program.page).open()
    orders_page.expect_all_loaded()
    wait_until_worker_works(page)
    wait_until_kept(page, "/orders", "Groceries 1")
    program.stop()

    page.clock.set_fixed_time("2026-05-20T05:00:00Z")
    orders_page.open()

    expect(time_in(orders_page.row(1))).to_have_text("Today 12:00")
