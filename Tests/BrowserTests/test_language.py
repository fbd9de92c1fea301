"""Pages speak the language that was chosen, or that the browser asks for, and go on in it."""

import pytest
from playwright.sync_api import expect

from order_list import OrderList
from orders_server import OrdersServer, order_document

TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

# Where an element ends, in parts of the width of the screen.
MIDDLE = "(element) => { const { x, width } = element.getBoundingClientRect(); return (x + width / 2) / innerWidth; }"


@pytest.fixture
def list_in(window_on, new_page):
    """Opens the list in a browser that asks for a language."""
    return lambda orders, locale, **options: OrderList(new_page(locale=locale, **options), window_on(orders).page)


@pytest.fixture
def some_orders():
    """A server of 200 orders, few enough that all are read soon after a sort."""
    server = OrdersServer(200)
    yield server
    server.stop()


def middle(locator):
    return locator.evaluate(MIDDLE)


def choose(page, address, name):
    """Chooses a language on the start page."""
    page.goto(address)
    page.get_by_role("button", name=name).click()
    expect(page.locator("[aria-current]")).to_have_text(name)


def test_a_german_list_stays_german_as_its_rows_come_in(orders, list_in):
    orders.replies[2] = 500
    orders.hold()
    orders_page = list_in(orders, "de-AT").open()

    expect(orders_page.page.locator("html")).to_have_attribute("lang", "de")
    expect(orders_page.heading).to_have_text("40 Bestellungen")

    orders.release_all()
    expect(orders_page.row(1)).to_contain_text("1,50")
    expect(orders_page.row(1)).to_contain_text("2 Artikel")
    expect(orders_page.row(2)).to_contain_text("Der Server ist gestört.")
    expect(orders_page.row(2).get_by_role("button")).to_have_text("Nochmal")


def test_an_order_is_german_too(orders, list_in):
    orders_page = list_in(orders, "de-AT").open()
    orders_page.page.goto(f"{orders_page.address}/3")

    expect(orders_page.page.locator("#detail")).to_contain_text("Im Umkreis von 1,5 km")
    expect(orders_page.page.get_by_role("link", name="Navigieren")).to_be_visible()


def test_a_window_in_a_language_that_is_not_spoken_is_english(orders, list_in):
    orders_page = list_in(orders, "fr-FR").open()

    expect(orders_page.page.locator("html")).to_have_attribute("lang", "en")
    expect(orders_page.heading).to_have_text("40 orders")


def test_a_chinese_list_counts_and_measures_in_chinese(orders, list_in):
    orders_page = list_in(orders, "zh-TW").open()

    expect(orders_page.page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(orders_page.heading).to_have_text("40 筆訂單")
    expect(orders_page.row(1)).to_contain_text("2 個品項")
    expect(orders_page.row(1)).to_contain_text("5月15日")
    expect(orders_page.page.locator("#status")).to_contain_text("更新時間")


# From right to left

def test_an_arabic_list_is_mirrored(orders, list_in):
    orders.replies[2] = 500
    orders_page = list_in(orders, "ar-EG").open()
    page, row = orders_page.page, orders_page.row(1)
    orders_page.expect_state(1, "loaded")
    orders_page.expect_state(2, "failed")

    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(orders_page.heading).to_have_text("40 طلبًا")
    assert middle(page.locator("#bar .icon-back")) > 0.75 and middle(page.locator("#refresh .tool")) < 0.25
    assert middle(row.locator(".price")) < 0.5 < middle(row.locator(".title a"))
    assert middle(orders_page.row(2).get_by_role("button")) < 0.5
    assert page.locator("#bar .icon-back").evaluate("(icon) => getComputedStyle(icon).scale") == "-1 1"
    assert page.evaluate(TOO_WIDE) == 0


def test_texts_of_others_keep_their_direction_and_stay_on_the_side_of_the_page(orders, list_in):
    orders.replies[1] = order_document(1, title="Groceries (1).")
    orders.replies[2] = order_document(2, title="بقالة (2).")
    for locale, side in (("ar", "right"), ("en", "left")):
        orders_page = list_in(orders, locale).open()
        for number, direction in ((1, "ltr"), (2, "rtl")):
            orders_page.expect_state(number, "loaded")
            title = orders_page.row(number).locator(".title")
            link = title.locator("a").bounding_box()
            box = title.bounding_box()

            assert title.evaluate("(title) => getComputedStyle(title).direction") == direction
            gaps = {"left": link["x"] - box["x"], "right": box["x"] + box["width"] - link["x"] - link["width"]}
            assert abs(gaps[side]) < 2, (locale, number)


def test_a_price_runs_from_left_to_right_in_an_arabic_page(orders, list_in):
    orders_page = list_in(orders, "ar").open()
    orders_page.expect_state(1, "loaded")
    price = orders_page.row(1).locator(".price")

    assert price.locator("bdi").evaluate("(price) => getComputedStyle(price).direction") == "ltr"
    currency, whole = price.locator(".currency").bounding_box(), price.locator("bdi").bounding_box()
    assert currency["x"] + currency["width"] / 2 > whole["x"] + whole["width"] / 2


@pytest.mark.parametrize("path", ["/", "/orders", "/orders?plain=1", "/orders/3", "/operations", "/nowhere", "/orders/none"])
@pytest.mark.parametrize("locale", ["ar", "zh-TW"])
@pytest.mark.noisy  # a page that is not there is a message in the console
def test_no_page_is_too_wide_nor_with_large_text(orders, window_on, new_page, locale, path, screen):
    address = window_on(orders).page
    page = new_page(locale=locale)
    for size in (16, 32):
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
        page.goto(f"{address}{path}")
        expect(page.locator("h1").first).to_be_visible()

        assert page.evaluate(TOO_WIDE) == 0, (path, size)


def test_the_map_and_its_keys_are_not_mirrored(orders, list_in):
    orders_page = list_in(orders, "ar")
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    expect(page.locator("#map.live")).to_be_visible()
    expect(page.locator(".map-scale")).to_contain_text("م")
    pin = page.locator(".map-marks .pin")
    before = pin.bounding_box()["x"]

    page.locator(".map-marks").press("ArrowRight")

    page.wait_for_function("(before) => document.querySelector('.map-marks .pin').getBoundingClientRect().x < before - 32", arg=before)


def test_a_latin_street_above_the_pin_runs_from_left_to_right_in_an_arabic_page(orders, list_in):
    orders_page = list_in(orders, "ar")
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    label = page.locator(".map-marks .pin-title")
    expect(label).to_have_text("3 Harbor Street")

    number, end = label.evaluate(
        "(text) => [0, text.getNumberOfChars() - 1].map((index) => text.getStartPositionOfChar(index).x)")

    assert page.locator("html").get_attribute("dir") == "rtl"
    assert number < end


def test_the_time_of_operations_runs_as_the_reader_reads(orders, window_on, new_page):
    address = window_on(orders).page
    OrderList(new_page(), address).open().expect_all_loaded()
    page = new_page(locale="ar")
    page.goto(f"{address}/operations")

    flight = page.locator(".flight", has_text="order-1.xml").first
    expect(flight).to_be_visible()
    assert flight.locator(".name").bounding_box()["x"] > flight.locator(".track").bounding_box()["x"]
    flight.click()
    story = page.locator("#story li").first
    expect(story).to_contain_text("أُدرجت")
    expect(story).not_to_contain_text("visible")
    expect(story).not_to_contain_text("viewer")


# By hand

def test_a_language_chosen_by_hand_goes_before_that_of_the_browser_and_stays(orders, window_on, new_page):
    address = window_on(orders).page
    page = new_page(locale="de-DE")

    choose(page, address, "العربية")

    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.goto(f"{address}/orders/3")
    expect(page.locator("html")).to_have_attribute("lang", "ar")
    choose(page, address, "English")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_language_is_chosen_without_scripts_too(orders, window_on, new_page):
    address = window_on(orders).page
    page = new_page(java_script_enabled=False)

    choose(page, address, "Deutsch")

    page.goto(f"{address}/orders?plain=1&from=30")
    expect(page.locator("#heading")).to_have_text("40 Bestellungen")
    expect(page.locator("#row-31")).to_be_visible()


def test_a_list_keeps_place_and_sort_when_the_language_is_switched(some_orders, window_on, new_page):
    address = window_on(some_orders).page
    page = new_page()
    orders_page = OrderList(page, address).open()
    orders_page.sort("price").check()
    # Until all are read, the rows above may still change, and with them the place of the row at the top.
    some_orders.wait_until(lambda: set(some_orders.asked) == set(some_orders.numbers))
    expect(orders_page.status).not_to_contain_text("read")
    orders_page.expect_all_loaded()
    orders_page.jump_to(50)
    place = orders_page.rows_in_view()[0]["index"]

    choose(page, address, "繁體中文")
    page.go_back()
    page.go_back()

    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(page.locator("#heading")).to_have_text("200 筆訂單")
    orders_page.expect_to_show(place)
    expect(orders_page.sort("price")).to_be_checked()


def test_a_list_in_another_tab_follows_when_it_is_shown_again(many_orders, window_on, new_page):
    address = window_on(many_orders).page
    page = new_page()
    orders_page = OrderList(page, address).open()
    orders_page.expect_all_loaded()
    orders_page.jump_to(200)
    choose(page.context.new_page(), address, "Deutsch")

    # What a browser does with a tab that was behind another one.
    page.evaluate("dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('pageshow'))")

    expect(orders_page.heading).to_have_text("4.000 Bestellungen")
    orders_page.expect_to_show(200)
