"""The content of rows: distances, currencies, and addresses without the parts that all share."""

import re

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from order_list import OrderList
from orders_server import order_document

# About 1.1 km, 11 km and 0.04 km north of the reader.
LATITUDES = {1: 40.71, 2: 40.8, 3: 40.7004}
CITY = "Lading Harbor, NY {}, United States"


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


@pytest.fixture
def orders(orders):
    """Four orders at different distances, in two currencies, in the same city."""
    orders.numbers = [1, 2, 3, 4]
    for number in orders.numbers:
        orders.responses[number] = (
            order_document(number).replace("40.764", str(LATITUDES.get(number, 41))).replace("-73.923", "-74.0")
            .replace("Harbor Street, Lading Harbor", "Harbor Street, " + CITY.format(11_100 + number)).replace(">EUR<", ">USD<" if number > 2 else ">EUR<"))
    return orders


def page_at(new_page, latitude=40.7, longitude=-74.0, **options):
    return new_page(geolocation={"latitude": latitude, "longitude": longitude}, permissions=["geolocation"], **options)


def distances(orders_page):
    return [orders_page.row(number).locator(".distance") for number in (3, 1, 2)]


# Distances

@pytest.mark.parametrize("locale, expected", [
    ("en-US", ["0.1 km", "1.1 km", "11.1 km"]), ("de-DE", ["0,1 km", "1,1 km", "11,1 km"]), ("zh-TW", ["0.1 公里", "1.1 公里", "11.1 公里"]),
    ("ar", ["0.1 كم", "1.1 كم", "11.1 كم"]),
])
def test_rows_sorted_by_distance_show_the_distance_from_the_reader(orders, start_window, new_page, locale, expected):
    orders_page = OrderList(page_at(new_page, locale=locale), start_window(orders).address).open()
    orders_page.expect_all_loaded()
    for distance in distances(orders_page):
        expect(distance).to_be_empty()

    orders_page.sort("nearest").check()

    for distance, text in zip(distances(orders_page), expected):
        expect(distance).to_have_text(text)
    for index, number in enumerate((3, 1, 2, 4)):
        expect(orders_page.row(number)).to_have_attribute("data-index", str(index))

    # The position of the reader is restored on reload.
    orders_page.page.reload()
    for distance, text in zip(distances(orders_page), expected):
        expect(distance).to_have_text(text)


def test_without_a_location_distances_are_from_the_configured_position(orders, start, new_page):
    program = start("window", "--port", 0, "--near", "40.7,-74.0", *orders.arguments)
    for options in ({}, {"java_script_enabled": False}):
        page = new_page(**options)
        page.goto(f"{program.address}/orders?sort=nearest{'&plain=1' if options else ''}")

        for index, (number, text) in enumerate(((3, "0.1 km"), (1, "1.1 km"), (2, "11.1 km"))):
            expect(page.locator(f"#row-{number} .distance")).to_have_text(text)
            expect(page.locator(f"#row-{number}")).to_have_attribute("data-index", str(index))


def test_a_list_sorted_without_a_location_shows_a_note(orders, start_window, page):
    orders_page = OrderList(page, start_window(orders).address).open()
    orders_page.expect_all_loaded()

    orders_page.sort("nearest").check()

    expect(orders_page.status).to_contain_text("Sorted without your location")
    expect(orders_page.row(1).locator(".distance")).to_be_empty()


def test_the_radius_is_shown_only_on_the_order_page(orders, start_window, page):
    orders_page = OrderList(page, start_window(orders).address).open()
    expect(orders_page.row(1)).to_contain_text("2 items")
    expect(orders_page.row(1)).not_to_contain_text("km")

    page.goto(f"{orders_page.address}/1")

    expect(page.locator(".facts")).to_contain_text("Within 1.5 km")


def test_deliveries_show_distances_in_the_same_unit(deliveries, start_window, new_page):
    deliveries.numbers = [0, 1, 2]
    for number, latitude in ((1, 40.7304), (2, 40.83)):
        deliveries.extra_fields[number] = {"location": {"lat": latitude, "lng": -73.92, "address": f"{number} Harbor Street, Lading Harbor"}}
    opened = DeliveryList(page_at(new_page, 40.73, -73.92), start_window(deliveries).address).open()
    opened.expect_all_loaded()

    opened.sort("nearest").check()

    for index, (number, text) in enumerate(((1, "0.1 km"), (0, "1.1 km"), (2, "11.1 km"))):
        expect(opened.row(number).locator(".distance")).to_have_text(text)
        expect(opened.row(number)).to_have_attribute("data-index", str(index))


# Addresses

def test_rows_omit_the_town_that_all_addresses_share(orders, start_window, page):
    orders_page = OrderList(page, start_window(orders).address).open()
    orders_page.expect_all_loaded()

    expect(orders_page.row(1).locator(".address")).to_have_text("1 Harbor Street", use_inner_text=True)
    page.goto(f"{orders_page.address}/1")
    expect(page.locator(".facts")).to_contain_text("1 Harbor Street, Lading Harbor, NY 11101, United States")


@pytest.mark.parametrize("scripts", [True, False])
def test_rows_show_their_towns_when_these_differ(orders, start_window, new_page, scripts):
    orders.responses[4] = orders.responses[4].replace("Lading Harbor, NY 11104", "Newark, NJ 07102")
    page = new_page(java_script_enabled=scripts)
    page.goto(f"{start_window(orders).address}/orders?plain=1" if not scripts else f"{start_window(orders).address}/orders")
    expect(page.locator("#row-4 .address")).to_contain_text("Newark")

    expect(page.locator("#list")).to_have_attribute("data-shared", "1")
    assert page.locator("#row-4 .address").inner_text() == "4 Harbor Street, Newark, NJ 07102"
    assert page.locator("#row-1 .address").inner_text() == "1 Harbor Street, Lading Harbor, NY 11101"


@pytest.mark.parametrize("scripts", [True, False])
def test_an_order_without_an_address_does_not_affect_the_shared_town(orders, start_window, new_page, scripts):
    for number in (1, 3):
        orders.responses[number] = re.sub("<address>.*</address>", "", orders.responses[number])
    page = new_page(java_script_enabled=scripts)
    page.goto(f"{start_window(orders).address}/orders{'' if scripts else '?plain=1'}")
    for number in (1, 3):
        expect(page.locator(f"#row-{number} .address")).to_have_text("No address given")
    for number in (2, 4):
        expect(page.locator(f"#row-{number}")).to_have_attribute("data-state", "loaded")

    expect(page.locator("#list")).to_have_attribute("data-shared", "3")
    for number in (2, 4):
        assert page.locator(f"#row-{number} .address").inner_text() == f"{number} Harbor Street"


# Currencies

@pytest.mark.parametrize("sort, expected", [("price", {1: "EUR", 3: "USD"}), ("priceDown", {2: "EUR", 4: "USD"})])
def test_currency_headings_are_shown_when_sorted_by_price(orders, start_window, page, sort, expected):
    orders_page = OrderList(page, start_window(orders).address).open()
    orders_page.expect_all_loaded()
    expect(page.locator("[data-heading]")).to_have_count(0)

    if sort == "price":
        orders_page.sort("price").check()
    else:
        orders_page.sort_by_highest()

    for number, currency in expected.items():
        expect(orders_page.row(number)).to_have_attribute("data-heading", currency)
    expect(page.locator("[data-heading]")).to_have_count(2)

    orders_page.sort("soonest").check()
    expect(page.locator("[data-heading]")).to_have_count(0)


def test_currency_headings_are_shown_without_scripts(orders, start_window, new_page):
    page = new_page(java_script_enabled=False)
    page.goto(f"{start_window(orders).address}/orders?plain=1&sort=priceDown")

    expect(page.locator("#row-2[data-heading=EUR]")).to_be_visible()
    expect(page.locator("#row-4[data-heading=USD]")).to_be_visible()
    expect(page.locator("[data-heading]")).to_have_count(2)


# On a phone

@pytest.mark.parametrize("locale", ["en-US", "de-DE", "zh-TW", "ar"])
def test_all_sorts_fit_on_the_first_screen_of_a_phone(orders, start_window, new_page, locale):
    page = new_page(locale=locale)
    page.goto(f"{start_window(orders).address}/orders")

    boxes = page.evaluate("() => [...document.querySelectorAll('.chip')].map((chip) => chip.getBoundingClientRect().toJSON())")
    assert boxes and all(box["left"] >= 0 and box["right"] <= 390 for box in boxes)


def test_the_navigate_button_is_always_in_view_on_an_order_page(orders, start_window, page):
    items = tuple((1, str(number), "kg") for number in range(40))
    orders.responses[1] = order_document(1, items=items)
    page.goto(f"{start_window(orders).address}/orders/1")
    button = page.get_by_role("link", name="Navigate")
    expect(button).to_be_in_viewport(ratio=1)

    page.evaluate("() => scrollTo(0, 900)")

    expect(button).to_be_in_viewport(ratio=1)
    # In one step: an update replaces the button.
    page.wait_for_function("() => document.querySelector('.pinned a')?.getBoundingClientRect().top > 700")
