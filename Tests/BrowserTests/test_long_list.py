"""A list that exceeds the maximum height of an element."""

import pytest
from playwright.sync_api import expect

from order_list import OrderList

ORDERS = 200_000
# A debug build stores and reads so many orders slowly.
SEED_TIME, LOAD_TIME = 120, 60
"""The maximum times in which the orders are stored and loaded, in seconds."""

MAX_SPACER_HEIGHT = 16_000_000

# The distances between consecutive rows on the screen.
ROW_DISTANCES = """() => {
    const rows = [...document.querySelectorAll(".row")].sort((a, b) => a.dataset.index - b.dataset.index);
    const tops = rows.map((row) => row.getBoundingClientRect().top);
    return rows.slice(1).map((row, index) => (tops[index + 1] - tops[index]) / (row.dataset.index - rows[index].dataset.index));
}"""


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


@pytest.mark.timeout(300)
def test_200_000_orders_scroll_in_segments(start, page):
    program = start("run", "--port", 0, "--in-memory", "--orders", ORDERS, timeout=SEED_TIME)
    orders_page = OrderList(page, program.address).open()
    expect(orders_page.heading).to_have_text("200,000 orders", timeout=LOAD_TIME * 1_000)
    orders_page.expect_all_loaded()
    height = orders_page.bounding_box_of(1)["height"]
    orders_page.row(1).focus()

    page.keyboard.press("Control+End")

    expect(orders_page.row(ORDERS)).to_be_focused()
    orders_page.expect_all_loaded()
    assert set(page.evaluate(ROW_DISTANCES)) == {height}
    assert page.evaluate("() => document.getElementById('list').offsetHeight") <= MAX_SPACER_HEIGHT
    assert page.locator(".row").count() <= 500

    first = orders_page.rows_in_view()[0]
    page.mouse.move(200, 500)
    page.mouse.wheel(0, -5 * height)
    page.wait_for_function("(index) => document.querySelector(`.row[data-index='${index - 5}']`)", arg=first["index"])
    orders_page.expect_in_view(first["index"] - 5)

    page.evaluate("() => scrollTo({ top: 100, behavior: 'instant' })")
    page.wait_for_function("(height) => scrollY > 1_000_000 && scrollY < 16_000_000 - height", arg=height)
    orders_page.expect_all_loaded()
    # The top of the last segment is far below that of the list.
    assert (ORDERS - MAX_SPACER_HEIGHT / height) / 2 < orders_page.rows_in_view()[0]["index"] < ORDERS / 2

    orders_page.page.locator(".row").nth(2).focus()
    page.keyboard.press("Control+Home")

    expect(orders_page.row(1)).to_be_focused()
    assert page.evaluate("scrollY") == 0
