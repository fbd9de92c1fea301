"""The list is there before its rows, and what is seen comes first."""

from playwright.sync_api import expect


def test_the_list_appears_before_its_details(orders, list_of):
    orders.hold()

    orders_page = list_of(orders).open()

    expect(orders_page.heading).to_have_text("40 orders")
    orders.wait_until(lambda: len(orders.asked) >= 4)
    rows = orders_page.rows_in_view()
    assert [row["index"] for row in rows] == list(range(len(rows)))
    assert {row["state"] for row in rows} <= {"waiting", "loading"}
    expect(orders_page.row(1).locator(".bone").first).to_be_visible()


def test_rows_fill_in_as_their_documents_arrive(orders, list_of):
    orders.hold()
    orders_page = list_of(orders).open()
    orders.wait_until(lambda: {2, 3} <= orders.held)

    orders.release(3)

    orders_page.expect_state(3, "loaded")
    expect(orders_page.row(3)).to_contain_text("Groceries 3")
    orders_page.expect_state(2, "loading")

    orders.release_all()

    orders_page.expect_all_loaded()
    expect(orders_page.row(2)).to_contain_text("2 Harbor Street")
    expect(orders_page.row(2).locator(".price")).to_have_text("2.50 EUR")


def test_a_jump_to_the_end_of_4000_orders_loads_the_last_screen_before_anything_else(many_orders, list_of):
    many_orders.hold()
    orders_page = list_of(many_orders).open()
    expect(orders_page.heading).to_have_text("4,000 orders")
    first_screen = set(orders_page.numbers_in_view())
    many_orders.wait_until(lambda: len(many_orders.held) == 8 and many_orders.held <= first_screen)
    asked_before = list(many_orders.asked)

    orders_page.jump_to_end()
    orders_page.expect_to_show(3_999)

    last_screen = set(orders_page.numbers_in_view())
    many_orders.wait_until(lambda: set(asked_before) <= set(many_orders.abandoned))
    for count in range(1, len(last_screen) + 1):
        many_orders.wait_until(lambda: len(many_orders.asked) >= len(asked_before) + count)
        many_orders.release(many_orders.asked[len(asked_before) + count - 1])
    orders_page.expect_all_loaded()
    assert set(many_orders.asked[len(asked_before):][:len(last_screen)]) == last_screen


def test_rows_that_were_only_passed_are_never_asked_for(many_orders, list_of):
    orders_page = list_of(many_orders).open()
    orders_page.expect_all_loaded()

    orders_page.jump_to_end()
    orders_page.expect_to_show(3_999)
    orders_page.expect_all_loaded()

    assert [number for number in many_orders.asked if 100 < number < 3_900] == []


def test_the_demo_city_fills_the_list_from_the_start_page_on(start, page):
    program = start("run", "--port", 0, "--in-memory", "--orders", 60)
    page.goto(program.page)

    page.get_by_role("link", name="Show orders").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("60 orders")
    expect(page.locator("#row-1")).to_have_attribute("data-state", "loaded")
    expect(page.locator("#row-1 .address")).to_contain_text("Lading Harbor")
