"""Places outside the demo city, tiles of a configured server, and links to other maps."""

import re
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.sync_api import expect

from stub_server import StoppableServer
from orders_server import order_document
from photos_server import png
from test_map import TILES_LOADED


class TileServer(StoppableServer):
    """Serves tiles in distinct colours; `requested` are their paths."""

    def __init__(self):
        super().__init__(_TileHandler)

    @property
    def template(self):
        return f"{self.address}/{{z}}/{{x}}/{{y}}.png?key=secret"

    def record_request(self, path):
        self._record(self.requested, path)


class _TileHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.stub.record_request(self.path)
        body = png(sum(map(int, re.findall(r"\d+", self.path))), width=256, height=256)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        """Logs nothing."""


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


@pytest.fixture
def tiles_argument(tiles, tmp_path_factory):
    """The argument that names a file with the template, which has a key."""
    file = tmp_path_factory.mktemp("tiles") / "template"
    file.write_text(tiles.template)
    return f"@{file}"


@pytest.fixture
def tiles():
    server = TileServer()
    yield server
    server.stop()


@pytest.fixture
def london(orders):
    """An order in London, outside the demo city."""
    orders.responses[3] = (order_document(3).replace("3 Harbor Street, Lading Harbor", "3 Main Street, London")
                         .replace("40.764", "51.5").replace("-73.923", "-0.12"))
    return orders


def test_a_place_outside_the_demo_city_shows_coordinates_without_a_map(london, start_window, page):
    page.goto(f"{start_window(london).address}/orders/3")

    placeholder = page.locator(".map-placeholder")
    expect(placeholder).to_contain_text("There is no map of this place.")
    expect(placeholder).to_contain_text("51.5, -0.12")
    expect(page.locator("#map, image")).to_have_count(0)
    expect(page.locator("body")).not_to_contain_text("Lading Harbor")
    expect(page.get_by_role("link", name="Navigate")).to_have_attribute("href", "geo:51.5,-0.12?q=51.5,-0.12")


def test_tiles_of_a_configured_server_show_every_place_and_name_their_source(london, tiles, tiles_argument, start, page):
    arguments = ["--tiles", tiles_argument, "--tiles-attribution", "© Somebody", *london.arguments]
    program = start("window", "--port", 0, *arguments)

    page.goto(f"{program.address}/orders/3")

    page.wait_for_function(TILES_LOADED)
    expect(page.locator(".map-source")).to_have_text("© Somebody")
    page.evaluate("() => Promise.all([...document.querySelectorAll('.map-tiles image')].map((tile) => tile.decode()))")
    zoom, seen = int(page.locator(".map-tiles g").get_attribute("data-zoom")), len(tiles.requested)
    assert page.locator(".map-tiles image").count() <= seen == len(set(tiles.requested)) <= 16, "nothing is fetched twice"
    assert all(path.startswith(f"/{zoom}/") for path in tiles.requested), "nothing is fetched ahead"
    assert all(path.endswith(".png?key=secret") for path in tiles.requested)
    assert "secret" not in page.content()

    page.get_by_role("button", name="Zoom in").click()

    page.wait_for_function("(zoom) => [...document.querySelectorAll('.map-tiles g')].some((layer) => +layer.dataset.zoom > zoom)", arg=zoom)
    page.wait_for_function(TILES_LOADED)
    assert len(tiles.requested) > seen


def test_cached_tiles_are_shown_without_their_server(london, tiles, tiles_argument, start, page, new_page, tmp_path):
    program = start("window", "--port", 0, "--data", tmp_path, "--tiles", tiles_argument, *london.arguments)
    page.goto(f"{program.address}/orders/3")
    page.wait_for_function(TILES_LOADED)
    tiles.stop()

    other = new_page()
    other.goto(f"{program.address}/orders/3")

    other.wait_for_function(TILES_LOADED)
    other.evaluate("() => Promise.all([...document.querySelectorAll('.map-tiles image')].map((tile) => tile.decode()))")
    expect(other.locator(".map-source")).to_have_text("127.0.0.1")


@pytest.mark.parametrize("path", ["/orders/7", "/deliveries/1"])
def test_demo_pages_show_a_map(start, page, path):
    program = start("run", "--port", 0, "--in-memory", "--orders", 20)
    page.goto(f"{program.address}{path.rsplit('/', 1)[0]}")
    expect(page.locator(".row[data-state=loaded]").first).to_be_visible()

    page.goto(f"{program.address}{path}")

    page.wait_for_function(TILES_LOADED)
    expect(page.locator(".map-source")).to_have_text("Lading Harbor, a fictional city")


# Links to other maps

@pytest.fixture
def order_page_with_web_map(orders, start_window, page):
    """The page of an order, with a stub of the web map."""
    page.context.route("https://www.openstreetmap.org/**", lambda route: route.fulfill(content_type="text/html", body="<title>A map</title>"))
    page.goto(f"{start_window(orders).address}/orders/3")
    expect(page.locator("#map.live")).to_be_visible()
    return page


WEB_MAP_URL = "https://www.openstreetmap.org/?mlat=40.764&mlon=-73.923#map=17/40.764/-73.923"


@pytest.mark.console_errors_allowed  # a browser without an app for `geo:` logs an error
def test_the_web_map_opens_when_no_app_handles_a_geo_link(order_page_with_web_map):
    order_page_with_web_map.get_by_role("link", name="Navigate").click()

    order_page_with_web_map.wait_for_url(WEB_MAP_URL)
    order_page_with_web_map.go_back()
    expect(order_page_with_web_map.get_by_role("heading", level=1, name="Groceries 3")).to_be_visible()


@pytest.mark.console_errors_allowed
@pytest.mark.parametrize("what_happens", ["blur", "visibilitychange", "pointerdown", "keydown"])
def test_the_web_map_does_not_open_after_other_input(order_page_with_web_map, what_happens):
    order_page_with_web_map.evaluate("""(name) => {
        const { setTimeout: later } = window;
        window.setTimeout = (act, pause) => later(() => { act(); window.isOver = true; }, pause / 10);
        document.querySelector("[href^='geo:']").addEventListener("click", () => dispatchEvent(new Event(name)), { capture: true });
        document.addEventListener("click", () => later(() => { dispatchEvent(new Event(name)); later(() => { window.isOver = true; }, 400); }, 0));
    }""", what_happens)

    order_page_with_web_map.get_by_role("link", name="Navigate").click()

    order_page_with_web_map.wait_for_function("() => window.isOver")
    assert order_page_with_web_map.url.endswith("/orders/3")


def test_without_scripts_both_map_links_work(london, start_window, new_page):
    page = new_page(java_script_enabled=False)
    page.goto(f"{start_window(london).address}/orders/3?plain=1")

    expect(page.get_by_role("link", name="Navigate")).to_have_attribute("href", "geo:51.5,-0.12?q=51.5,-0.12")
    expect(page.get_by_role("link", name="Map on the web")).to_have_attribute(
        "href", "https://www.openstreetmap.org/?mlat=51.5&mlon=-0.12#map=17/51.5/-0.12")
