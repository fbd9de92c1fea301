"""The list is shown before its rows have loaded, and rows in view load first."""

from playwright.sync_api import expect


def test_the_list_appears_before_its_orders_have_loaded(orders, make_order_list):
    orders.hold()

    orders_page = make_order_list(orders).open()

    expect(orders_page.heading).to_have_text("40 orders")
    orders.wait_until(lambda: len(orders.requested) >= 4)
    rows = orders_page.rows_in_view()
    assert [row["index"] for row in rows] == list(range(len(rows)))
    assert {row["state"] for row in rows} <= {"waiting", "loading"}
    expect(orders_page.row(1).locator(".skeleton-line").first).to_be_visible()


def test_rows_load_as_their_documents_arrive(orders, make_order_list):
    orders.hold()
    orders_page = make_order_list(orders).open()
    orders.wait_until(lambda: {2, 3} <= orders.held)

    orders.release(3)

    orders_page.expect_state(3, "loaded")
    expect(orders_page.row(3)).to_contain_text("Groceries 3")
    orders_page.expect_state(2, "loading")

    orders.release_all()

    orders_page.expect_all_loaded()
    expect(orders_page.row(2)).to_contain_text("2 Harbor Street")
    expect(orders_page.row(2).locator(".price")).to_have_text("2.50 EUR")


def test_a_jump_to_the_end_loads_the_last_screen_before_anything_else(many_orders, make_order_list):
    many_orders.hold()
    orders_page = make_order_list(many_orders).open()
    expect(orders_page.heading).to_have_text("4,000 orders")
    first_screen = set(orders_page.numbers_in_view())
    many_orders.wait_until(lambda: len(many_orders.held) == 8 and many_orders.held <= first_screen)
    requested_before = list(many_orders.requested)

    orders_page.jump_to_end()
    orders_page.expect_in_view(3_999)

    last_screen = set(orders_page.numbers_in_view())
    many_orders.wait_until(lambda: set(requested_before) <= set(many_orders.abandoned))
    for count in range(1, len(last_screen) + 1):
        many_orders.wait_until(lambda: len(many_orders.requested) >= len(requested_before) + count)
        many_orders.release(many_orders.requested[len(requested_before) + count - 1])
    orders_page.expect_all_loaded()
    assert set(many_orders.requested[len(requested_before):][:len(last_screen)]) == last_screen


def test_rows_scrolled_past_are_never_requested(many_orders, make_order_list):
    orders_page = make_order_list(many_orders).open()
    orders_page.expect_all_loaded()

    orders_page.jump_to_end()
    orders_page.expect_in_view(3_999)
    orders_page.expect_all_loaded()

    assert [number for number in many_orders.requested if 100 < number < 3_900] == []


def test_the_start_page_leads_to_the_demo_orders(start, page):
    program = start("run", "--port", 0, "--in-memory", "--orders", 60)
    page.goto(program.address)

    page.get_by_role("link", name="Show orders").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("60 orders")
    expect(page.locator("#row-1")).to_have_attribute("data-state", "loaded")
    expect(page.locator("#row-1 .address")).to_contain_text("Lading Harbor")
