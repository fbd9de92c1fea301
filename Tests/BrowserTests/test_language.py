"""The language of pages: chosen by the reader or by the browser, and the same on all pages."""

import re

import pytest
from playwright.sync_api import expect

from order_list import OrderList
from orders_server import OrdersServer, order_document

HORIZONTAL_OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

# The centre of an element, as a fraction of the width of the viewport.
HORIZONTAL_CENTRE = "(element) => { const { x, width } = element.getBoundingClientRect(); return (x + width / 2) / innerWidth; }"


@pytest.fixture
def make_order_list_in(start_window, new_page):
    """Opens the list in a browser with a preferred language."""
    return lambda orders, locale, **options: OrderList(new_page(locale=locale, **options), start_window(orders).address)


@pytest.fixture
def some_orders():
    """A stub server of 200 orders, all of which load soon after a sort."""
    server = OrdersServer(200)
    yield server
    server.stop()


def horizontal_centre(locator):
    return locator.evaluate(HORIZONTAL_CENTRE)


def choose_language(page, address, name):
    """Chooses a language on the start page."""
    page.goto(address)
    page.get_by_role("button", name=name).click()
    expect(page.locator("[aria-current]")).to_have_text(name)


def test_rows_that_load_later_are_german_in_a_german_list(orders, make_order_list_in):
    orders.responses[2] = 500
    orders.hold()
    orders_page = make_order_list_in(orders, "de-AT").open()

    expect(orders_page.page.locator("html")).to_have_attribute("lang", "de")
    expect(orders_page.heading).to_have_text("40 Bestellungen")

    orders.release_all()
    expect(orders_page.row(1)).to_contain_text("1,50")
    expect(orders_page.row(1)).to_contain_text("2 Artikel")
    expect(orders_page.row(2)).to_contain_text("Der Server hat ein Problem.")
    expect(orders_page.row(2).get_by_role("button")).to_have_text("Nochmal")


def test_an_order_page_is_german_for_a_german_browser(orders, make_order_list_in):
    orders_page = make_order_list_in(orders, "de-AT").open()
    orders_page.page.goto(f"{orders_page.address}/3")

    expect(orders_page.page.locator("#detail")).to_contain_text("Im Umkreis von 1,5 km")
    expect(orders_page.page.get_by_role("link", name="Navigieren")).to_be_visible()


def test_an_unsupported_language_falls_back_to_english(orders, make_order_list_in):
    orders_page = make_order_list_in(orders, "fr-FR").open()

    expect(orders_page.page.locator("html")).to_have_attribute("lang", "en")
    expect(orders_page.heading).to_have_text("40 orders")


def test_a_chinese_list_formats_counts_and_dates_in_chinese(orders, make_order_list_in):
    orders_page = make_order_list_in(orders, "zh-TW").open()

    expect(orders_page.page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(orders_page.heading).to_have_text("40 筆訂單")
    expect(orders_page.row(1)).to_contain_text("2 個品項")
    expect(orders_page.row(1)).to_contain_text("5月15日")
    expect(orders_page.page.locator("#status")).to_have_text(re.compile(r"^\s*更新時間：\d{2}:\d{2}\s*$"))


# Right to left

def test_an_arabic_list_is_mirrored(orders, make_order_list_in):
    orders.responses[2] = 500
    orders_page = make_order_list_in(orders, "ar-EG").open()
    page, row = orders_page.page, orders_page.row(1)
    orders_page.expect_state(1, "loaded")
    orders_page.expect_state(2, "failed")

    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(orders_page.heading).to_have_text("40 طلبًا")
    assert horizontal_centre(page.locator("#bar .icon-back")) > 0.75 and horizontal_centre(page.locator("#refresh .tool")) < 0.25
    assert horizontal_centre(row.locator(".price")) < 0.5 < horizontal_centre(row.locator(".title a"))
    assert horizontal_centre(orders_page.row(2).get_by_role("button")) < 0.5
    assert page.locator("#bar .icon-back").evaluate("(icon) => getComputedStyle(icon).scale") == "-1 1"
    assert page.evaluate(HORIZONTAL_OVERFLOW) == 0


def test_foreign_text_keeps_its_direction_and_the_alignment_of_the_page(orders, make_order_list_in):
    orders.responses[1] = order_document(1, title="Groceries (1).")
    orders.responses[2] = order_document(2, title="بقالة (2).")
    for locale, side in (("ar", "right"), ("en", "left")):
        orders_page = make_order_list_in(orders, locale).open()
        for number, direction in ((1, "ltr"), (2, "rtl")):
            orders_page.expect_state(number, "loaded")
            title = orders_page.row(number).locator(".title")
            link = title.locator("a").bounding_box()
            box = title.bounding_box()

            assert title.evaluate("(title) => getComputedStyle(title).direction") == direction
            gaps = {"left": link["x"] - box["x"], "right": box["x"] + box["width"] - link["x"] - link["width"]}
            assert abs(gaps[side]) < 2, (locale, number)


def test_a_price_is_written_left_to_right_in_an_arabic_page(orders, make_order_list_in):
    orders_page = make_order_list_in(orders, "ar").open()
    orders_page.expect_state(1, "loaded")
    price = orders_page.row(1).locator(".price")

    assert price.locator("bdi").evaluate("(price) => getComputedStyle(price).direction") == "ltr"
    currency, whole = price.locator(".currency").bounding_box(), price.locator("bdi").bounding_box()
    assert currency["x"] + currency["width"] / 2 > whole["x"] + whole["width"] / 2


@pytest.mark.parametrize("path", ["/", "/orders", "/orders?plain=1", "/orders/3", "/operations", "/nowhere", "/orders/none"])
@pytest.mark.parametrize("locale", ["ar", "zh-TW"])
@pytest.mark.console_errors_allowed  # a missing page logs an error
def test_no_page_overflows_horizontally_even_with_large_text(orders, start_window, new_page, locale, path, screen):
    address = start_window(orders).address
    page = new_page(locale=locale)
    for size in (16, 32):
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})
        page.goto(f"{address}{path}")
        expect(page.locator("h1").first).to_be_visible()

        assert page.evaluate(HORIZONTAL_OVERFLOW) == 0, (path, size)


def test_the_map_and_its_arrow_keys_are_not_mirrored(orders, make_order_list_in):
    orders_page = make_order_list_in(orders, "ar")
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    expect(page.locator("#map.live")).to_be_visible()
    expect(page.locator(".map-scale")).to_contain_text("م")
    pin = page.locator(".map-marks .pin")
    before = pin.bounding_box()["x"]

    page.locator(".map-marks").press("ArrowRight")

    page.wait_for_function("(before) => document.querySelector('.map-marks .pin').getBoundingClientRect().x < before - 32", arg=before)


def test_a_latin_street_label_is_written_left_to_right_in_an_arabic_page(orders, make_order_list_in):
    orders_page = make_order_list_in(orders, "ar")
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    label = page.locator(".map-marks .pin-title")
    expect(label).to_have_text("3 Harbor Street")

    number, end = label.evaluate(
        "(text) => [0, text.getNumberOfChars() - 1].map((index) => text.getStartPositionOfChar(index).x)")

    assert page.locator("html").get_attribute("dir") == "rtl"
    assert number < end


def test_the_operations_page_is_mirrored_and_translated(orders, start_window, new_page):
    address = start_window(orders).address
    OrderList(new_page(), address).open().expect_all_loaded()
    page = new_page(locale="ar")
    page.goto(f"{address}/operations")

    flight = page.locator(".flight", has_text="order-1.xml").first
    expect(flight).to_be_visible()
    assert flight.locator(".name").bounding_box()["x"] > flight.locator(".track").bounding_box()["x"]
    flight.click()
    story = page.locator("#decision-history li").first
    expect(story).to_contain_text("أُدرجت")
    expect(story).not_to_contain_text("visible")
    expect(story).not_to_contain_text("consumer")


# Choice of a language

def test_a_chosen_language_overrides_that_of_the_browser_and_persists(orders, start_window, new_page):
    address = start_window(orders).address
    page = new_page(locale="de-DE")

    choose_language(page, address, "العربية")

    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.goto(f"{address}/orders/3")
    expect(page.locator("html")).to_have_attribute("lang", "ar")
    choose_language(page, address, "English")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_language_can_be_chosen_without_scripts(orders, start_window, new_page):
    address = start_window(orders).address
    page = new_page(java_script_enabled=False)

    choose_language(page, address, "Deutsch")

    page.goto(f"{address}/orders?plain=1&from=30")
    expect(page.locator("#heading")).to_have_text("40 Bestellungen")
    expect(page.locator("#row-31")).to_be_visible()


def test_a_list_keeps_its_position_and_sort_when_the_language_changes(some_orders, start_window, new_page):
    address = start_window(some_orders).address
    page = new_page()
    orders_page = OrderList(page, address).open()
    orders_page.sort("price").check()
    # Rows above change the position of the first row in view until all have loaded.
    some_orders.wait_until(lambda: set(some_orders.requested) == set(some_orders.numbers))
    expect(orders_page.status).not_to_contain_text("loaded")
    orders_page.expect_all_loaded()
    orders_page.jump_to(50)
    place = orders_page.rows_in_view()[0]["index"]

    choose_language(page, address, "繁體中文")
    page.go_back()
    page.go_back()

    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(page.locator("#heading")).to_have_text("200 筆訂單")
    orders_page.expect_in_view(place)
    expect(orders_page.sort("price")).to_be_checked()


def test_a_list_in_another_tab_changes_its_language_when_shown_again(many_orders, start_window, new_page):
    address = start_window(many_orders).address
    page = new_page()
    orders_page = OrderList(page, address).open()
    orders_page.expect_all_loaded()
    orders_page.jump_to(200)
    choose_language(page.context.new_page(), address, "Deutsch")

    # The events of a tab that returns to the foreground.
    page.evaluate("dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('pageshow'))")

    expect(orders_page.heading).to_have_text("4.000 Bestellungen")
    orders_page.expect_in_view(200)
