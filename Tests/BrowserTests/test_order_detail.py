"""The page of an order."""

from playwright.sync_api import expect

from orders_server import order_document


def test_an_order_page_shows_every_field_of_its_document(orders, make_order_list):
    orders_page = make_order_list(orders).open()
    page = orders_page.page

    orders_page.row(3).get_by_role("link", name="Groceries 3").click()

    expect(page).to_have_url(f"{orders_page.address}/3")
    detail = page.locator("#detail")
    expect(detail.get_by_role("heading", level=1)).to_have_text("Groceries 3")
    expect(detail.locator(".price")).to_have_text("3.50 EUR")
    for text in ("3 Harbor Street, Lading Harbor", "15 May", "16:00", "Within 1.5 km", "Ring 3 times", "2 items"):
        expect(detail.get_by_text(text)).to_be_visible()


def test_items_show_name_quantity_unit_and_picture(orders, make_order_list):
    orders_page = make_order_list(orders)
    page = orders_page.page

    page.goto(f"{orders_page.address}/3")

    items = page.locator(".items li")
    expect(items.locator(".item-name")).to_have_text(["Broccoli", "Onion"])
    expect(items.locator(".quantity")).to_have_text(["5 kg", "1.5 pc."])
    expect(page.locator("#map.live")).to_be_visible()
    items.last.scroll_into_view_if_needed()
    page.wait_for_function("() => [...document.querySelectorAll('.items img')].filter((image) => image.naturalWidth > 0).length === 2")


def test_the_map_shows_tiles_a_pin_and_a_navigation_link(orders, make_order_list):
    orders_page = make_order_list(orders)
    page = orders_page.page
    tiles = []
    page.on("response", lambda response: tiles.append(response.status) if "/tiles/" in response.url else None)

    page.goto(f"{orders_page.address}/3")

    expect(page.locator("#map.live")).to_be_visible()
    expect(page.locator(".map-tiles image").first).to_be_attached()
    page.evaluate("() => Promise.all([...document.querySelectorAll('.map-tiles image')].map((tile) => tile.decode()))")
    assert set(tiles) == {200}
    expect(page.locator(".map-marks .pin")).to_be_visible()
    expect(page.get_by_label("Map: Groceries 3, 3 Harbor Street")).to_be_visible()
    expect(page.get_by_role("link", name="Navigate")).to_have_attribute("href", "geo:40.764,-73.923?q=40.764,-73.923")


def test_the_tip_of_the_pin_is_at_the_centre_of_the_map(orders, make_order_list):
    orders_page = make_order_list(orders)
    page = orders_page.page

    page.goto(f"{orders_page.address}/3")

    expect(page.locator("#map.live")).to_be_visible()
    distance = page.evaluate("""() => {
        const { x, y, width, height } = document.getElementById("map").getBoundingClientRect();
        const tip = document.querySelector(".map-marks .pin").getScreenCTM();
        return Math.hypot(tip.e - x - width / 2, tip.f - y - height / 2);
    }""")
    assert distance < 2


def test_a_loading_order_appears_when_its_document_arrives(orders, make_order_list):
    orders.hold()
    orders_page = make_order_list(orders)
    page = orders_page.page
    page.goto(f"{orders_page.address}/3")
    expect(page.locator("#detail .skeleton-line").first).to_be_visible()

    orders.release(3)

    expect(page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()
    expect(page.locator(".items li")).to_have_count(2)
    expect(page.locator("#map.live")).to_be_visible()


def test_an_unknown_item_shows_a_placeholder(orders, make_order_list):
    orders.responses[3] = order_document(3, items=((1, "5", "kg"), (99, "2", "boxes")))
    orders_page = make_order_list(orders)
    page = orders_page.page

    page.goto(f"{orders_page.address}/3")

    expect(page.locator(".items li .item-name")).to_have_text(["Broccoli", "Unknown item"])
    unknown = page.locator(".items li").nth(1)
    expect(unknown.locator(".quantity")).to_have_text("2 boxes")
    expect(unknown.locator(".icon-placeholder")).to_be_visible()
    expect(unknown.locator("img")).to_have_count(0)


def test_a_demo_order_has_pictures_of_all_its_items(start, page):
    program = start("run", "--port", 0, "--in-memory", "--orders", 20)

    page.goto(f"{program.address}/orders/7")

    pictures = page.locator(".items img")
    expect(pictures.first).to_be_attached()
    # Each item that arrives replaces the elements of all.
    expect(page.locator(".items li", has_not=page.locator("img"))).to_have_count(0)
    for index in range(pictures.count()):
        pictures.nth(index).scroll_into_view_if_needed()
        expect(pictures.nth(index)).not_to_have_js_property("naturalWidth", 0)
