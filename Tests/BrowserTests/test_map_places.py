"""Maps of places elsewhere, tiles of an operator's server, and the way to other maps."""

import re
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.sync_api import expect

from listener import StoppableServer
from orders_server import order_document
from photos_server import png
from test_map import SETTLED


class TileServer(StoppableServer):
    """Serves tiles in colours of their own; `asked` are their paths."""

    def __init__(self):
        super().__init__(_TileHandler)

    @property
    def template(self):
        return f"{self.address}/{{z}}/{{x}}/{{y}}.png?key=secret"

    def note(self, path):
        self._note(self.asked, path)


class _TileHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.served.note(self.path)
        body = png(sum(map(int, re.findall(r"\d+", self.path))), width=256, height=256)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        """Tests tell what they saw."""


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


@pytest.fixture
def tiles():
    server = TileServer()
    yield server
    server.stop()


@pytest.fixture
def london(orders):
    """An order in London, which no drawing of the demo city shows."""
    orders.replies[3] = (order_document(3).replace("3 Harbor Street, Lading Harbor", "3 Main Street, London")
                         .replace("40.764", "51.5").replace("-73.923", "-0.12"))
    return orders


def test_a_place_elsewhere_has_its_position_in_the_place_of_a_false_map(london, window_on, page):
    page.goto(f"{window_on(london).page}/orders/3")

    nowhere = page.locator(".nowhere")
    expect(nowhere).to_contain_text("There is no map of this place.")
    expect(nowhere).to_contain_text("51.5, -0.12")
    expect(page.locator("#map, image")).to_have_count(0)
    expect(page.locator("body")).not_to_contain_text("Lading Harbor")
    expect(page.get_by_role("link", name="Navigate")).to_have_attribute("href", "geo:51.5,-0.12?q=51.5,-0.12")


def test_tiles_of_an_operators_server_show_every_place_and_name_their_source(london, tiles, start, page):
    arguments = ["--tiles", tiles.template, "--tiles-attribution", "© Somebody", *london.arguments]
    program = start("window", "--port", 0, *arguments)

    page.goto(f"{program.page}/orders/3")

    page.wait_for_function(SETTLED)
    expect(page.locator(".map-source")).to_have_text("© Somebody")
    page.evaluate("() => Promise.all([...document.querySelectorAll('.map-tiles image')].map((tile) => tile.decode()))")
    zoom, seen = int(page.locator(".map-tiles g").get_attribute("data-zoom")), len(tiles.asked)
    assert page.locator(".map-tiles image").count() <= seen == len(set(tiles.asked)) <= 16, "nothing is fetched twice"
    assert all(path.startswith(f"/{zoom}/") for path in tiles.asked), "nothing is fetched ahead"
    assert all(path.endswith(".png?key=secret") for path in tiles.asked)
    assert "secret" not in page.content()

    page.get_by_role("button", name="Zoom in").click()

    page.wait_for_function("(zoom) => [...document.querySelectorAll('.map-tiles g')].some((layer) => +layer.dataset.zoom > zoom)", arg=zoom)
    page.wait_for_function(SETTLED)
    assert len(tiles.asked) > seen


def test_tiles_outlive_their_server(london, tiles, start, page, new_page, tmp_path):
    program = start("window", "--port", 0, "--data", tmp_path, "--tiles", tiles.template, *london.arguments)
    page.goto(f"{program.page}/orders/3")
    page.wait_for_function(SETTLED)
    tiles.stop()

    other = new_page()
    other.goto(f"{program.page}/orders/3")

    other.wait_for_function(SETTLED)
    other.evaluate("() => Promise.all([...document.querySelectorAll('.map-tiles image')].map((tile) => tile.decode()))")
    expect(other.locator(".map-source")).to_have_text("127.0.0.1")


@pytest.mark.parametrize("path", ["/orders/7", "/deliveries/1"])
def test_the_demo_has_its_map(start, page, path):
    program = start("run", "--port", 0, "--in-memory", "--orders", 20)
    page.goto(f"{program.page}{path.rsplit('/', 1)[0]}")
    expect(page.locator(".row[data-state=loaded]").first).to_be_visible()

    page.goto(f"{program.page}{path}")

    page.wait_for_function(SETTLED)
    expect(page.locator(".map-source")).to_have_text("Lading Harbor, an invented city")


# The way to other maps

@pytest.fixture
def order_page(orders, window_on, page):
    """The page of an order, and a map on the web that is none."""
    page.context.route("https://www.openstreetmap.org/**", lambda route: route.fulfill(content_type="text/html", body="<title>A map</title>"))
    page.goto(f"{window_on(orders).page}/orders/3")
    expect(page.locator("#map.live")).to_be_visible()
    return page


ADDRESS = "https://www.openstreetmap.org/?mlat=40.764&mlon=-73.923#map=17/40.764/-73.923"


@pytest.mark.noisy  # a browser without an app for `geo:` says so in the console
def test_where_no_app_opens_a_place_the_map_on_the_web_does(order_page):
    order_page.get_by_role("link", name="Navigate").click()

    order_page.wait_for_url(ADDRESS)
    order_page.go_back()
    expect(order_page.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()


@pytest.mark.noisy
@pytest.mark.parametrize("what_happens", ["blur", "visibilitychange", "pointerdown", "keydown"])
def test_whoever_left_or_went_on_reading_stays_on_the_page(order_page, what_happens):
    order_page.evaluate("""(name) => {
        const { setTimeout: later } = window;
        window.setTimeout = (act, pause) => later(() => { act(); window.isOver = true; }, pause / 10);
        document.querySelector("[href^='geo:']").addEventListener("click", () => dispatchEvent(new Event(name)), { capture: true });
        document.addEventListener("click", () => later(() => { dispatchEvent(new Event(name)); later(() => { window.isOver = true; }, 400); }, 0));
    }""", what_happens)

    order_page.get_by_role("link", name="Navigate").click()

    order_page.wait_for_function("() => window.isOver")
    assert order_page.url.endswith("/orders/3")


def test_without_scripts_both_ways_are_links(london, window_on, new_page):
    page = new_page(java_script_enabled=False)
    page.goto(f"{window_on(london).page}/orders/3?plain=1")

    expect(page.get_by_role("link", name="Navigate")).to_have_attribute("href", "geo:51.5,-0.12?q=51.5,-0.12")
    expect(page.get_by_role("link", name="Map on the web")).to_have_attribute(
        "href", "https://www.openstreetmap.org/?mlat=51.5&mlon=-0.12#map=17/51.5/-0.12")
