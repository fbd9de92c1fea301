"""Search and sort: what the reader chooses is arranged, kept in the address, and taken back."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from order_list import OrderList
from orders_server import order_document
from test_calm import SHIFTS, WATCH_SHIFTS

PRICES = {1: 30, 2: 10, 3: 20}

WATCH_SLIDES = """() => {
    globalThis.slides = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        slides.push({ row: this.id, properties: Object.keys(frames), duration: timing.duration });
        return animate.call(this, frames, timing);
    };
}"""


def arrangement_of(request):
    """What a page asked for, without when, which has to be there too."""
    wish = json.loads(request.post_data)
    assert wish.pop("at") > 0
    return wish


@pytest.fixture
def orders(orders):
    """Three orders with a price, a title and an address of their own."""
    orders.numbers = list(PRICES)
    for number, price in PRICES.items():
        title = {1: "Crème brûlée", 2: "Onions", 3: "Bread"}[number]
        orders.replies[number] = order_document(number, title=title).replace(f"<price>{number}.50", f"<price>{price}.50")
    return orders


@pytest.fixture
def arranged(orders, list_of):
    """The list with all its rows loaded, and the arrangements that the page posts."""
    orders_page = list_of(orders)
    posts = []

    def note(request):
        if request.url.endswith("/arrange"):
            posts.append(arrangement_of(request))

    orders_page.page.on("request", note)
    orders_page.open().expect_all_loaded()
    return orders_page, posts


def ids(orders_page):
    return [row["id"] for row in orders_page.rows_in_view()]


def expect_ids(orders_page, wanted):
    orders_page.page.wait_for_function(
        """(wanted) => {
            const rows = [...document.querySelectorAll(".row")].sort((a, b) => a.dataset.index - b.dataset.index);
            return JSON.stringify(rows.map((row) => +row.dataset.id)) === JSON.stringify(wanted);
        }""",
        arg=wanted,
    )
    assert ids(orders_page) == wanted


def test_a_sort_orders_the_rows_and_stands_in_the_address(arranged):
    orders_page, posts = arranged
    page = orders_page.page

    orders_page.sort("price").check()

    expect_ids(orders_page, [2, 3, 1])
    assert page.url.endswith("/orders?sort=price")
    assert posts == [{"search": "", "sort": "price", "near": None}]

    orders_page.sort("price").click()

    expect_ids(orders_page, [1, 3, 2])


def test_one_button_turns_the_price_over_and_takes_it_back(arranged):
    orders_page, posts = arranged
    chip = orders_page.page.locator("label:has([value^=price])")
    expect(chip).to_have_text("Price ↑")

    for label, sort, wanted in (("Price ↑", "price", [2, 3, 1]), ("Price ↓", "priceDown", [1, 3, 2]), ("Price ↑", None, [1, 2, 3])):
        chip.click()
        expect(chip).to_have_text(label)
        expect_ids(orders_page, wanted)
        assert posts[-1]["sort"] == sort
        expect(chip.get_by_role("radio")).to_be_checked(checked=sort is not None)


def test_a_page_that_comes_sorted_from_the_highest_price_goes_on_from_there(orders, list_of):
    orders_page = list_of(orders)
    orders_page.page.goto(f"{orders_page.address}?sort=priceDown")
    expect_ids(orders_page, [1, 3, 2])
    expect(orders_page.sort("priceDown")).to_be_checked()

    orders_page.sort("soonest").check()
    expect(orders_page.sort("price")).not_to_be_checked()
    orders_page.sort("price").check()

    expect_ids(orders_page, [2, 3, 1])


def test_rows_slide_to_their_places_and_nothing_shifts(orders, list_of):
    orders_page = list_of(orders)
    page = orders_page.page
    page.add_init_script(WATCH_SHIFTS)
    orders_page.open().expect_all_loaded()
    page.evaluate(WATCH_SLIDES)

    orders_page.sort("price").check()

    expect_ids(orders_page, [2, 3, 1])
    slides = page.evaluate("slides")
    assert {slide["row"] for slide in slides} == {"row-1", "row-2", "row-3"}
    assert all(slide["properties"] == ["translate"] and slide["duration"] == 250 for slide in slides)
    assert page.evaluate(SHIFTS) == []


def test_rows_do_not_slide_for_readers_who_want_no_motion(orders, window_on, new_page):
    page = new_page(reduced_motion="reduce")
    orders_page = OrderList(page, window_on(orders).page).open()
    orders_page.expect_all_loaded()
    page.evaluate(WATCH_SLIDES)

    orders_page.sort("price").check()

    expect_ids(orders_page, [2, 3, 1])
    assert page.evaluate("slides") == []


def test_a_press_on_the_chosen_sort_takes_it_back(arranged):
    orders_page, posts = arranged
    orders_page.sort("soonest").click()
    orders_page.page.wait_for_url("**/orders?sort=soonest")

    with orders_page.page.expect_request(lambda request: request.url.endswith("/arrange") and arrangement_of(request)["sort"] is None):
        orders_page.sort("soonest").click()

    expect(orders_page.sort("soonest")).not_to_be_checked()
    orders_page.page.wait_for_url("**/orders")


def test_space_and_arrows_choose_and_take_back(arranged):
    orders_page, _ = arranged
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


def test_a_search_finds_titles_and_addresses_whatever_their_accents(arranged):
    orders_page, _ = arranged

    orders_page.search.fill("creme BRULEE")
    expect_ids(orders_page, [1])
    expect(orders_page.heading).to_have_text("1 order")

    orders_page.search.fill("3 harbor")
    expect_ids(orders_page, [3])

    orders_page.search.fill("")
    expect_ids(orders_page, [1, 2, 3])


def test_quick_typing_is_one_search(arranged):
    orders_page, posts = arranged

    orders_page.search.press_sequentially("onion", delay=10)

    expect_ids(orders_page, [2])
    assert [post["search"] for post in posts] == ["onion"]


def test_a_search_without_a_match_says_so(arranged):
    orders_page, _ = arranged

    orders_page.search.fill("nothing like that")

    expect(orders_page.page.locator("#empty")).to_contain_text("nothing like that")
    expect(orders_page.page.locator(".row")).to_have_count(0)


def test_a_reload_and_the_way_back_restore_search_and_sort(arranged):
    orders_page, _ = arranged
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


def test_a_search_goes_to_the_top_of_the_list(many_orders, list_of):
    orders_page = list_of(many_orders).open()
    orders_page.expect_all_loaded()
    orders_page.jump_to(2_000)
    orders_page.expect_all_loaded()

    orders_page.search.fill("groceries 2")

    expect(orders_page.heading).not_to_have_text("4,000 orders")
    orders_page.page.wait_for_function("() => scrollY === 0")
    assert orders_page.rows_in_view()[0]["index"] == 0
    assert "from=" not in orders_page.page.url


def test_rows_that_become_known_never_move_the_reader(many_orders, list_of):
    orders_page = list_of(many_orders).open()
    page = orders_page.page
    orders_page.expect_all_loaded()
    orders_page.sort_by_highest()
    # One of the highest that are known is at the top, not order 1 any more.
    page.wait_for_function("() => +document.querySelector('.row[data-index=\"0\"]')?.dataset.id > 12")
    expect(orders_page.status).to_contain_text("read")
    page.mouse.move(200, 500)
    page.mouse.wheel(0, 600)
    page.wait_for_function("() => scrollY > 500")
    # The address tells where the reader has come to rest.
    page.wait_for_url(lambda url: "from=" in url)
    orders_page.expect_all_loaded()
    # Rows that were sorted a moment ago may still slide to their places.
    page.wait_for_function("() => ![...document.querySelectorAll('.row')].some((row) => row.getAnimations().length)")
    first = orders_page.rows_in_view()[0]

    for _ in range(3):
        known = orders_page.status.inner_text()
        expect(orders_page.status).not_to_have_text(known)
        assert abs(orders_page.box_of(first["id"])["top"] - first["top"]) <= 1


# Where the reader is

def test_nobody_is_asked_where_they_are_before_they_want_the_nearest(orders, window_on, new_page):
    page = new_page()
    page.add_init_script("""
        globalThis.questions = 0;
        Geolocation.prototype.getCurrentPosition = (found) => { questions += 1; found({ coords: { latitude: 40.5, longitude: -74.25 } }); };
    """)
    posts = []
    page.on("request", lambda request: posts.append(arrangement_of(request)) if request.url.endswith("/arrange") else None)
    orders_page = OrderList(page, window_on(orders).page).open()
    orders_page.expect_all_loaded()
    orders_page.sort("price").check()
    expect_ids(orders_page, [2, 3, 1])
    assert page.evaluate("questions") == 0

    with page.expect_request("**/arrange"):
        orders_page.sort("nearest").check()

    assert page.evaluate("questions") == 1
    assert page.url.endswith("/orders?sort=nearest")
    assert posts[-1] == {"search": "", "sort": "nearest", "near": [40.5, -74.25]}


def test_without_an_answer_the_server_takes_its_own_middle(arranged):
    orders_page, posts = arranged

    with orders_page.page.expect_request("**/arrange"):
        orders_page.sort("nearest").check()

    assert posts[-1] == {"search": "", "sort": "nearest", "near": None}


# Without script

def test_the_form_works_without_script(orders, window_on, new_page):
    page = new_page(java_script_enabled=False)
    page.goto(f"{window_on(orders).page}/orders?plain=1")
    expect(page.get_by_role("radio", name="As listed")).to_be_checked()

    page.locator("#arrange [value=price]").check()
    page.get_by_role("searchbox").fill("harbor street")
    page.get_by_role("button", name="Show").click()

    rows = page.locator(".row .title")
    expect(rows).to_have_text(["Onions", "Bread", "Crème brûlée"])
    expect(page.locator("#arrange [value=price]")).to_be_checked()
    expect(page.get_by_role("searchbox")).to_have_value("harbor street")

    page.get_by_role("searchbox").fill("bread")
    page.get_by_role("button", name="Show").click()

    expect(rows).to_have_text(["Bread"])


def test_what_only_a_page_without_script_needs_is_not_in_one_with_it(arranged):
    orders_page, _ = arranged

    expect(orders_page.page.get_by_role("button", name="Show")).to_have_count(0)
    expect(orders_page.page.get_by_role("radio")).to_have_count(3)
