"""Nothing in the page jumps, and the browser has nothing to complain about."""

import pytest
from playwright.sync_api import expect

from order_list import OrderList

WATCH_SHIFTS = """
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
    """A page that notes what moves on its own."""
    page = new_page()
    page.add_init_script(WATCH_SHIFTS)
    return page


def test_nothing_moves_while_rows_fill_in(orders, list_of):
    orders.hold()
    orders_page = list_of(orders).open()
    page = orders_page.page
    orders.wait_until(lambda: len(orders.held) >= 4)
    assert page.evaluate(SHIFTS) == []

    orders.release_all()

    orders_page.expect_all_loaded()
    assert page.evaluate(SHIFTS) == []


def test_nothing_moves_after_a_jump_to_the_end(many_orders, list_of):
    orders_page = list_of(many_orders).open()
    orders_page.expect_all_loaded()

    orders_page.jump_to_end()

    orders_page.expect_to_show(3_999)
    orders_page.expect_all_loaded()
    assert orders_page.page.evaluate(SHIFTS) == []


def test_nothing_moves_when_a_row_fails_and_is_retried(orders, list_of):
    orders.replies[2] = 404
    orders_page = list_of(orders).open()
    orders_page.expect_state(2, "failed")
    del orders.replies[2]

    orders_page.row(2).get_by_role("button", name="Retry").click()

    orders_page.expect_state(2, "loaded")
    assert orders_page.page.evaluate(SHIFTS) == []


def test_nothing_moves_when_an_order_arrives_on_its_own_page(orders, list_of):
    orders.hold()
    orders_page = list_of(orders)
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    expect(page.locator("#detail .bone").first).to_be_visible()

    orders.release_all()

    expect(page.locator(".items li")).to_have_count(2)
    expect(page.locator("#map.live")).to_be_visible()
    assert page.evaluate(SHIFTS) == []


def test_the_watch_would_see_a_movement(orders, list_of):
    orders_page = list_of(orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()

    page.evaluate("() => { document.getElementById('list').style.marginTop = '100px'; }")

    assert page.evaluate(SHIFTS) != []


def test_a_tour_through_all_pages_leaves_the_console_empty(start, page, complaints):
    program = start("run", "--port", 0, "--in-memory", "--orders", 60)
    page.goto(program.page)

    page.get_by_role("link", name="Show orders").click()
    expect(page.locator("#row-2")).to_have_attribute("data-state", "loaded")
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    expect(page.locator("#row-60")).to_have_attribute("data-state", "loaded")
    orders_page = OrderList(page, program.page)
    orders_page.refresh()
    expect(orders_page.bar).to_have_attribute("data-status", "ready")
    page.locator("#row-60 a").click()
    expect(page.locator("#map.live")).to_be_visible()
    page.get_by_role("link", name="Back to the orders").click()
    expect(page.locator("#row-60")).to_have_attribute("data-state", "loaded")
    page.reload()
    expect(page.locator("#row-60")).to_have_attribute("data-state", "loaded")

    assert complaints == []


def test_a_script_error_would_be_noticed(orders, list_of, complaints):
    page = list_of(orders).open().page

    with page.expect_event("pageerror"):
        page.evaluate("() => { setTimeout(() => { throw new Error('noticed'); }); }")

    assert complaints == ["noticed"]
    complaints.clear()
