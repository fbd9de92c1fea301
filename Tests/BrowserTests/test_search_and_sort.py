"""Search and sort, and their state in the URL."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from order_list import OrderList
from orders_server import order_document
from test_layout_shifts import SHIFTS, RECORD_SHIFTS

PRICES = {1: 30, 2: 10, 3: 20}

RECORD_ANIMATIONS = """() => {
    globalThis.animations = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        animations.push({ row: this.id, properties: Object.keys(frames), duration: timing.duration });
        return animate.call(this, frames, timing);
    };
}"""


# Types in one step, and returns the delays of the timers that this sets.
TYPE = """(field, text) => {
    const { setTimeout } = globalThis, delays = [];
    globalThis.setTimeout = (act, delay, ...rest) => {
        delays.push(delay);
        return setTimeout(act, delay, ...rest);
    };
    for (const [index] of [...text].entries()) {
        field.value = text.slice(0, index + 1);
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    globalThis.setTimeout = setTimeout;
    return delays;
}"""


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


def query_of(request):
    """Returns the query that a page posted, without its timestamp, which must be present."""
    query = json.loads(request.post_data)
    assert query.pop("at") > 0
    return query


@pytest.fixture
def orders(orders):
    """Three orders with distinct prices, titles and addresses."""
    orders.numbers = list(PRICES)
    for number, price in PRICES.items():
        title = {1: "Crème brûlée", 2: "Onions", 3: "Bread"}[number]
        orders.responses[number] = order_document(number, title=title).replace(f"<price>{number}.50", f"<price>{price}.50")
    return orders


@pytest.fixture
def list_and_queries(orders, make_order_list):
    """The list with all rows loaded, and the queries that the page posts."""
    orders_page = make_order_list(orders)
    posts = []

    def record(request):
        if request.url.endswith("/arrange"):
            posts.append(query_of(request))

    orders_page.page.on("request", record)
    orders_page.open().expect_all_loaded()
    return orders_page, posts


def ids(orders_page):
    return [row["id"] for row in orders_page.rows_in_view()]


def expect_ids(orders_page, expected):
    orders_page.page.wait_for_function(
        """(expected) => {
            const rows = [...document.querySelectorAll(".row")].sort((a, b) => a.dataset.index - b.dataset.index);
            return JSON.stringify(rows.map((row) => +row.dataset.id)) === JSON.stringify(expected);
        }""",
        arg=expected,
    )
    assert ids(orders_page) == expected


def test_a_sort_reorders_the_rows_and_updates_the_url(list_and_queries):
    orders_page, posts = list_and_queries
    page = orders_page.page

    orders_page.sort("price").check()

    expect_ids(orders_page, [2, 3, 1])
    assert page.url.endswith("/orders?sort=price")
    assert posts == [{"search": "", "sort": "price", "near": None}]

    orders_page.sort("price").click()

    expect_ids(orders_page, [1, 3, 2])


def test_the_price_button_cycles_through_ascending_descending_and_off(list_and_queries):
    orders_page, posts = list_and_queries
    chip = orders_page.page.locator("label:has([value^=price])")
    expect(chip).to_have_text("Price ↑")

    for label, sort, expected in (("Price ↑", "price", [2, 3, 1]), ("Price ↓", "priceDown", [1, 3, 2]), ("Price ↑", None, [1, 2, 3])):
        chip.click()
        expect(chip).to_have_text(label)
        expect_ids(orders_page, expected)
        assert posts[-1]["sort"] == sort
        expect(chip.get_by_role("radio")).to_be_checked(checked=sort is not None)


def test_a_page_opened_with_a_descending_sort_can_change_it(orders, make_order_list):
    orders_page = make_order_list(orders)
    orders_page.page.goto(f"{orders_page.address}?sort=priceDown")
    expect_ids(orders_page, [1, 3, 2])
    expect(orders_page.sort("priceDown")).to_be_checked()

    orders_page.sort("soonest").check()
    expect(orders_page.sort("price")).not_to_be_checked()
    orders_page.sort("price").check()

    expect_ids(orders_page, [2, 3, 1])


def test_sorting_animates_rows_without_layout_shifts(orders, make_order_list):
    orders_page = make_order_list(orders)
    page = orders_page.page
    page.add_init_script(RECORD_SHIFTS)
    orders_page.open().expect_all_loaded()
    page.evaluate(RECORD_ANIMATIONS)

    orders_page.sort("price").check()

    expect_ids(orders_page, [2, 3, 1])
    animations = page.evaluate("animations")
    assert {animation["row"] for animation in animations} == {"row-1", "row-2", "row-3"}
    assert all(animation["properties"] == ["translate"] and animation["duration"] == 250 for animation in animations)
    assert page.evaluate(SHIFTS) == []


def test_sorting_does_not_animate_with_reduced_motion(orders, start_window, new_page):
    page = new_page(reduced_motion="reduce")
    orders_page = OrderList(page, start_window(orders).address).open()
    orders_page.expect_all_loaded()
    page.evaluate(RECORD_ANIMATIONS)

    orders_page.sort("price").check()

    expect_ids(orders_page, [2, 3, 1])
    assert page.evaluate("animations") == []


def test_pressing_the_active_sort_clears_it(list_and_queries):
    orders_page, posts = list_and_queries
    orders_page.sort("soonest").click()
    orders_page.page.wait_for_url("**/orders?sort=soonest")

    with orders_page.page.expect_request(lambda request: request.url.endswith("/arrange") and query_of(request)["sort"] is None):
        orders_page.sort("soonest").click()

    expect(orders_page.sort("soonest")).not_to_be_checked()
    orders_page.page.wait_for_url("**/orders")


def test_the_space_bar_and_arrow_keys_change_the_sort(list_and_queries):
    orders_page, _ = list_and_queries
    page = orders_page.page
    orders_page.sort("price").focus()

    page.keyboard.press("Space")
    expect_ids(orders_page, [2, 3, 1])
    page.keyboard.press("Space")
    expect_ids(orders_page, [1, 3, 2])
    page.keyboard.press("Space")
    expect_ids(orders_page, [1, 2, 3])
    expect(orders_page.sort("price")).not_to_be_checked()

    page.keyboard.press("ArrowRight")

    expect(orders_page.sort("nearest")).to_be_checked()


def test_a_search_matches_titles_and_addresses_ignoring_case_and_diacritics(list_and_queries):
    orders_page, _ = list_and_queries

    orders_page.search.fill("creme BRULEE")
    expect_ids(orders_page, [1])
    expect(orders_page.heading).to_have_text("1 order")

    orders_page.search.fill("3 harbor")
    expect_ids(orders_page, [3])

    orders_page.search.fill("")
    expect_ids(orders_page, [1, 2, 3])


def test_fast_typing_posts_one_search(list_and_queries):
    orders_page, posts = list_and_queries

    # In one step: on a busy machine keystrokes of the test may be further apart than those of a search.
    delays = orders_page.search.evaluate(TYPE, "onion")

    expect_ids(orders_page, [2])
    assert [post["search"] for post in posts] == ["onion"]
    # Long enough for keystrokes that are apart.
    assert len(delays) == len("onion") and min(delays) >= 100


def test_a_search_without_a_match_shows_an_empty_message(list_and_queries):
    orders_page, _ = list_and_queries

    orders_page.search.fill("nothing like that")

    expect(orders_page.page.locator("#empty")).to_contain_text("nothing like that")
    expect(orders_page.page.locator(".row")).to_have_count(0)


def test_reload_and_back_navigation_restore_search_and_sort(list_and_queries):
    orders_page, _ = list_and_queries
    page = orders_page.page
    orders_page.sort("price").check()
    orders_page.search.fill("harbor street")
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query) == {"search": ["harbor street"], "sort": ["price"]})

    page.reload()

    expect(orders_page.search).to_have_value("harbor street")
    expect(orders_page.sort("price")).to_be_checked()
    expect_ids(orders_page, [2, 3, 1])

    orders_page.row(3).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1, name="Bread")).to_be_visible()
    page.go_back()

    expect(orders_page.search).to_have_value("harbor street")
    expect_ids(orders_page, [2, 3, 1])


def test_a_search_scrolls_to_the_top_of_the_list(many_orders, make_order_list):
    orders_page = make_order_list(many_orders).open()
    orders_page.expect_all_loaded()
    orders_page.jump_to(2_000)
    orders_page.expect_all_loaded()

    orders_page.search.fill("groceries 2")

    expect(orders_page.heading).not_to_have_text("4,000 orders")
    orders_page.page.wait_for_function("() => scrollY === 0")
    orders_page.expect_in_view(0)
    assert orders_page.rows_in_view()[0]["index"] == 0
    orders_page.page.wait_for_url(lambda url: "from=" not in url)


def test_rows_loaded_during_a_sort_do_not_move_the_scroll_position(many_orders, make_order_list):
    orders_page = make_order_list(many_orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    orders_page.sort_by_highest()
    # The first row is one of the highest that are known, and no longer order 1.
    page.wait_for_function("() => +document.querySelector('.row[data-index=\"0\"]')?.dataset.id > 12")
    expect(orders_page.status).to_contain_text("loaded")
    page.mouse.move(200, 500)
    page.mouse.wheel(0, 600)
    page.wait_for_function("() => scrollY > 500")
    # The URL is updated when the scroll ends.
    page.wait_for_url(lambda url: "from=" in url)
    orders_page.expect_all_loaded()
    # Rows may still be animated after the sort.
    page.wait_for_function("() => ![...document.querySelectorAll('.row')].some((row) => row.getAnimations().length)")
    first = orders_page.rows_in_view()[0]

    for _ in range(3):
        known = orders_page.status.inner_text()
        expect(orders_page.status).not_to_have_text(known)
        assert abs(orders_page.bounding_box_of(first["id"])["top"] - first["top"]) <= 1


# The location of the reader

def test_the_location_is_requested_only_when_sorting_by_distance(orders, start_window, new_page):
    page = new_page()
    page.add_init_script("""
        globalThis.questions = 0;
        Geolocation.prototype.getCurrentPosition = (found) => { questions += 1; found({ coords: { latitude: 40.5, longitude: -74.25 } }); };
    """)
    posts = []
    page.on("request", lambda request: posts.append(query_of(request)) if request.url.endswith("/arrange") else None)
    orders_page = OrderList(page, start_window(orders).address).open()
    orders_page.expect_all_loaded()
    orders_page.sort("price").check()
    expect_ids(orders_page, [2, 3, 1])
    assert page.evaluate("questions") == 0

    with page.expect_request("**/arrange"):
        orders_page.sort("nearest").check()

    assert page.evaluate("questions") == 1
    page.wait_for_url("**/orders?sort=nearest")
    assert posts[-1] == {"search": "", "sort": "nearest", "near": [40.5, -74.25]}


def test_sorting_by_distance_without_a_location_posts_no_position(list_and_queries):
    orders_page, posts = list_and_queries

    with orders_page.page.expect_request("**/arrange"):
        orders_page.sort("nearest").check()

    assert posts[-1] == {"search": "", "sort": "nearest", "near": None}


# Without scripts

def test_the_form_works_without_script(orders, start_window, new_page):
    page = new_page(java_script_enabled=False)
    page.goto(f"{start_window(orders).address}/orders?plain=1")
    expect(page.get_by_role("radio", name="Default")).to_be_checked()

    page.locator("#list-controls [value=price]").check()
    page.get_by_role("searchbox").fill("harbor street")
    page.get_by_role("button", name="Show").click()

    rows = page.locator(".row .title")
    expect(rows).to_have_text(["Onions", "Bread", "Crème brûlée"])
    expect(page.locator("#list-controls [value=price]")).to_be_checked()
    expect(page.get_by_role("searchbox")).to_have_value("harbor street")

    page.get_by_role("searchbox").fill("bread")
    page.get_by_role("button", name="Show").click()

    expect(rows).to_have_text(["Bread"])


def test_controls_for_pages_without_scripts_are_absent_with_scripts(list_and_queries):
    orders_page, _ = list_and_queries

    expect(orders_page.page.get_by_role("button", name="Show")).to_have_count(0)
    expect(orders_page.page.get_by_role("radio")).to_have_count(3)
