"""Pages cause no layout shifts and log no errors."""

import pytest
from playwright.sync_api import expect

from order_list import OrderList

RECORD_SHIFTS = """
globalThis.shifts = [];
globalThis.shiftObserver = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
shiftObserver.observe({ type: "layout-shift", buffered: true });
"""

SHIFTS = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
    shifts.push(...shiftObserver.takeRecords());
    resolve(shifts.map(({ value, sources }) => ({ value, moved: sources.map(({ node }) => node?.outerHTML?.slice(0, 120)) })));
})))"""


@pytest.fixture
def page(new_page):
    """A page that records its layout shifts."""
    page = new_page()
    page.add_init_script(RECORD_SHIFTS)
    return page


def test_nothing_shifts_while_rows_load(orders, make_order_list):
    orders.hold()
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    orders.wait_until(lambda: len(orders.held) >= 4)
    assert page.evaluate(SHIFTS) == []

    orders.release_all()

    orders_page.expect_all_loaded()
    assert page.evaluate(SHIFTS) == []


def test_nothing_shifts_after_a_jump_to_the_end(many_orders, make_order_list):
    orders_page = make_order_list(many_orders).open()
    orders_page.expect_all_loaded()

    orders_page.jump_to_end()

    orders_page.expect_in_view(3_999)
    orders_page.expect_all_loaded()
    assert orders_page.page.evaluate(SHIFTS) == []


def test_nothing_shifts_when_a_row_fails_and_is_retried(orders, make_order_list):
    orders.responses[2] = 404
    orders_page = make_order_list(orders).open()
    orders_page.expect_state(2, "failed")
    del orders.responses[2]

    orders_page.row(2).get_by_role("button", name="Retry").click()

    orders_page.expect_state(2, "loaded")
    assert orders_page.page.evaluate(SHIFTS) == []


def test_nothing_shifts_when_an_order_page_loads(orders, make_order_list):
    orders.hold()
    orders_page = make_order_list(orders)
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    expect(page.locator("#detail .skeleton-line").first).to_be_visible()

    orders.release_all()

    expect(page.locator(".items li")).to_have_count(2)
    expect(page.locator("#map.live")).to_be_visible()
    assert page.evaluate(SHIFTS) == []


def test_the_observer_detects_a_layout_shift(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()

    page.evaluate("() => { document.getElementById('list').style.marginTop = '100px'; }")

    assert page.evaluate(SHIFTS) != []


def test_no_page_writes_to_the_console(start, page, console_messages):
    program = start("run", "--port", 0, "--in-memory", "--orders", 60)
    page.goto(program.address)

    page.get_by_role("link", name="Show orders").click()
    expect(page.locator("#row-2")).to_have_attribute("data-state", "loaded")
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    expect(page.locator("#row-60")).to_have_attribute("data-state", "loaded")
    orders_page = OrderList(page, program.address)
    orders_page.refresh()
    expect(orders_page.bar).to_have_attribute("data-status", "ready")
    page.locator("#row-60 a").click()
    expect(page.locator("#map.live")).to_be_visible()
    page.get_by_role("link", name="Back to orders").click()
    expect(page.locator("#row-60")).to_have_attribute("data-state", "loaded")
    page.reload()
    expect(page.locator("#row-60")).to_have_attribute("data-state", "loaded")

    assert console_messages == []


def test_a_script_error_is_recorded(orders, make_order_list, console_messages):
    page = make_order_list(orders).open().page

    with page.expect_event("pageerror"):
        page.evaluate("() => { setTimeout(() => { throw new Error('noticed'); }); }")

    assert [message.split()[0] for message in console_messages] == ["noticed"]
    console_messages.clear()
