"""Orders and photo lists that were seen are there after the program was killed, without their server."""

import re
import sqlite3
import time

import pytest
from playwright.sync_api import expect

from listener import PATIENCE
from order_list import OrderList
from orders_server import order_document
from photo_grid import PhotoGrid

pytestmark = pytest.mark.noisy


def stored(folder, name):
    """How many values with names like this are on disk."""
    count = 0
    for file in (folder / "feeds").glob("records-*.sqlite"):
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
            count += database.execute("SELECT count(*) FROM records WHERE id LIKE ?", (name,)).fetchone()[0]
    return count


def wait_until_stored(folder, **counts):
    """Waits until the program has written at least so many values of each kind."""
    kinds = {"orders": "orders/row/%", "items": "items", "rovers": "rovers", "manifests": "manifest/%", "sols": "sol/%"}
    deadline = time.monotonic() + PATIENCE
    while any(stored(folder, kinds[kind]) < count for kind, count in counts.items()):
        assert time.monotonic() < deadline, counts
        time.sleep(0.05)


def test_orders_are_there_after_a_kill_without_their_server(orders, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *orders.arguments)
    program = start(*arguments)
    opened = OrderList(page, program.page).open()
    opened.expect_all_loaded()
    opened.jump_to_end()
    opened.expect_all_loaded()
    page.goto(f"{program.page}/orders/3")
    expect(page.locator(".items li")).to_have_count(2)
    expect(page.locator(".items img").first).to_have_js_property("naturalWidth", 64)
    wait_until_stored(tmp_path, orders=len(set(orders.asked)), items=1)
    program.kill()
    orders.stop()
    asked = list(orders.asked)

    program = start(*arguments)
    opened = OrderList(page, program.page).open()

    expect(opened.heading).to_have_text("40 orders")
    expect(opened.row(1)).to_contain_text("Groceries 1")
    expect(opened.problem).to_contain_text("cannot reach")
    opened.search.fill("groceries 40")
    expect(page.locator("[data-index='0']")).to_contain_text("Groceries 40")
    opened.search.fill("")
    opened.sort("priceDown").check()
    expect(page.locator("[data-index='0']")).to_contain_text("Groceries 40")
    page.goto(f"{program.page}/orders/3")
    expect(page.get_by_role("heading", level=1)).to_have_text("Groceries 3")
    expect(page.locator(".items li").first).to_contain_text("Broccoli")
    expect(page.locator(".items img").first).to_have_js_property("naturalWidth", 64)
    expect(page.locator(".setback")).to_contain_text(re.compile("cannot reach .*Stored (just now|.* ago)"))
    assert orders.asked == asked


def test_orders_come_alive_when_their_server_is_back(orders, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *orders.arguments)
    program = start(*arguments)
    OrderList(page, program.page).open().expect_all_loaded()
    program.stop()
    orders.stop()
    opened = OrderList(page, start(*arguments).page).open()
    expect(opened.row(1)).to_contain_text("Groceries 1")
    expect(opened.problem).to_contain_text("cannot reach")

    orders.numbers.remove(2)
    orders.replies[1] = order_document(1, title="Groceries for tomorrow")
    orders.start()
    page.get_by_role("button", name="Retry").first.click()

    expect(opened.problem).to_be_empty()
    expect(opened.heading).to_have_text("39 orders")
    expect(opened.row(1)).to_contain_text("Groceries for tomorrow")
    expect(opened.row(2)).to_have_count(0)


def test_photos_are_there_after_a_kill_without_their_server(photos, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *photos.arguments)
    program = start(*arguments)
    page.goto(f"{program.page}/photos")
    expect(page.locator(".rover")).not_to_have_count(0)
    rovers = page.locator(".rovers").inner_text()
    grid = PhotoGrid(page, program.page).open()
    grid.expect_all_loaded()
    page.goto(f"{program.page}/photos/curiosity/1000/1")
    expect(page.locator("#picture")).to_have_js_property("complete", True)
    wait_until_stored(tmp_path, sols=1, manifests=1, rovers=1)
    program.kill()
    photos.stop()

    program = start(*arguments)
    grid = PhotoGrid(page, program.page).open()
    grid.expect_all_loaded()
    expect(grid.problem).to_contain_text("cannot reach")
    page.goto(f"{program.page}/photos/curiosity/1000/1")
    expect(page.locator("#picture")).to_have_js_property("complete", True)
    assert page.locator("#picture").evaluate("image => image.naturalWidth") > 0
    page.goto(f"{program.page}/photos")
    expect(page.locator(".rovers-stored")).to_have_text(re.compile("Stored (just now|.* ago)"))
    assert rovers.split("\n")[1] in page.locator(".rovers").inner_text()
