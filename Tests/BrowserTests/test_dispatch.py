"""Dispatchers see what needs a decision, and decide with the keyboard."""

import re
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from couriers import press, sign_in, take
from program import OriginProgram, wait_until
from stub_server import StoppableServer
from test_accessibility import LANGUAGES, large_text_faults, text_faults, violations
from test_couriers import carry_out
from test_sign_in import FIRST_LINK


@pytest.fixture
def screen():
    """Dispatchers have large screens."""
    return SCREENS["desktop"]


@pytest.fixture
def program(start, tmp_path):
    return start("run", "--orders", "60", "--deliveries", "5", "--data", tmp_path / "data", "--port", "0")


@pytest.fixture
def ada(program, new_page):
    """A page of the demo's dispatcher."""
    page = new_page()
    sign_in(page, program, "Ada")
    return page


@pytest.fixture
def mina(program, new_page):
    """A page of a courier."""
    page = new_page()
    sign_in(page, program, "Mina")
    return page


def open_table(page, program, query="show=all"):
    page.goto(f"{program.address}/dispatch?{query}")
    expect(page.locator("#dispatch-rows tr").first).to_be_visible()


def open_order(page, program, order):
    page.goto(f"{program.address}/dispatch/orders/{order}")
    expect(page.locator("#order-state")).to_be_visible()


def give_away(page, program, order, courier):
    open_order(page, program, order)
    page.locator("#reassign select").select_option(label=courier)
    page.get_by_role("button", name="Give to another courier").click()


# The table

def test_the_table_shows_changes_of_couriers_and_keeps_the_focus(program, ada, mina):
    open_table(ada, program, "show=all&sort=price")
    row = ada.locator("#dispatch-rows tr").first
    order = row.get_attribute("id").removeprefix("row-")
    row = ada.locator(f"#row-{order}")
    row.get_by_role("link").focus()

    mina.goto(f"{program.address}/orders/{order}")
    mina.locator("#step-claim button").click()

    expect(row).to_contain_text("Mina")
    expect(row).to_contain_text("To be picked up")
    expect(ada.locator("#scopes")).to_contain_text("To be picked up 1")
    expect(row.get_by_role("link")).to_be_focused()


def test_the_address_of_the_table_keeps_filter_search_sort_and_page(program, ada):
    open_table(ada, program, "show=open&sort=price")
    ada.get_by_role("link", name="Next").click()
    expect(ada).to_have_url(re.compile("show=open&sort=price&after="))
    expect(ada.locator("#dispatch-rows tr")).to_have_count(10)
    ada.reload()
    expect(ada.locator("#dispatch-rows tr")).to_have_count(10)
    ada.get_by_role("link", name="First page").click()
    expect(ada.locator("#dispatch-rows tr")).to_have_count(50)

    ada.get_by_role("searchbox").fill("breakfast bed")
    ada.keyboard.press("Enter")

    expect(ada).to_have_url(re.compile("show=open&search=breakfast.*sort=price"))
    for title in ada.locator("#dispatch-rows a").all_inner_texts():
        assert title == "Breakfast in bed"
    ada.goto(f"{program.address}/dispatch?show=all&sort=price&after=nonsense")
    expect(ada).to_have_url(re.compile("show=all&sort=price$"))


def test_couriers_are_listed_with_load_and_position(program, ada, new_page):
    mina = new_page(geolocation={"latitude": 40.76, "longitude": -73.92}, permissions=["geolocation"])
    sign_in(mina, program, "Mina")
    take(mina, program, 3)
    with mina.expect_response("**/positions"):
        mina.get_by_label("Share my position while I have an order").check()

    open_table(ada, program)

    courier = ada.locator("#dispatch-couriers li", has_text="Mina")
    expect(courier).to_contain_text("1 order")
    expect(courier).to_contain_text("Last position")
    expect(ada.locator(".overview-map .pin-title")).to_have_text("Mina (demo)")


@pytest.mark.parametrize("scripts", [True, False])
def test_on_a_phone_the_first_order_is_on_the_screen(program, new_page, scripts):
    page = new_page(java_script_enabled=scripts)
    page.set_viewport_size(SCREENS["phone"])
    sign_in(page, program, "Ada")

    page.goto(f"{program.address}/dispatch?show=cancelled")
    page.goto(f"{program.address}/dispatch?show=all")

    assert page.locator("#dispatch-rows tr").first.bounding_box()["y"] < 330
    assert page.locator("#scopes").bounding_box()["height"] < 64
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"{program.address}/dispatch?show=cancelled")
    if scripts:
        expect(page.locator("#scopes [aria-current]")).to_be_in_viewport()


def test_on_a_phone_the_filters_stay_in_their_place_when_a_count_changes(program, new_page, mina):
    page = new_page()
    page.set_viewport_size(SCREENS["phone"])
    sign_in(page, program, "Ada")
    open_table(page, program)
    page.locator("#scopes").evaluate("(strip) => strip.scrollLeft = 150")

    mina.goto(f"{program.address}/orders/12")
    mina.locator("#step-claim button").click()

    expect(page.locator("#scopes")).to_contain_text("To be picked up 1")
    assert page.locator("#scopes").evaluate("(strip) => strip.scrollLeft") == 150


# Decisions

def test_a_change_closes_no_form(program, ada, mina, new_page):
    take(mina, program, 13)
    other = new_page()
    sign_in(other, program, "Ada")
    open_order(ada, program, 13)
    ada.locator("#cancel summary").click()
    ada.locator("#cancel button").focus()

    give_away(other, program, 13, "Jonas (demo)")

    expect(ada.locator("#order-state")).to_contain_text("Jonas")
    expect(ada.locator("#cancel")).to_have_attribute("open", "")
    expect(ada.locator("#cancel button")).to_be_focused()


@pytest.mark.console_errors_allowed
def test_a_form_that_is_older_than_the_sign_in_is_kept(program, ada):
    ada.goto(f"{program.address}/dispatch/orders/14/edit")
    ada.get_by_label("Title").fill("Entered before")
    other = ada.context.new_page()
    other.goto(f"{program.address}/sign-in")
    other.get_by_role("button", name="Sign out").click()

    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_role("alert")).to_contain_text("you are signed out")
    expect(ada.get_by_text("Entered before")).to_be_visible()
    sign_in(other, program, "Ada")
    ada.get_by_role("button", name="Send again").click()
    ada.get_by_role("button", name="Send again").click()

    expect(ada.get_by_role("heading", name="Entered before")).to_be_visible()


def test_a_day_by_keyboard_alone(program, ada, mina):
    open_table(ada, program)
    ada.keyboard.press("n")
    expect(ada.get_by_role("heading", name="New order")).to_be_visible()
    for label, text in [("Title", "Soup for the mayor"), ("Address", "1 Ash Street"), ("Price", "12.50"), ("Currency", "eur")]:
        ada.get_by_label(label, exact=True).focus()
        ada.keyboard.type(text)
    ada.keyboard.press("Enter")
    expect(ada.locator("#order-state")).to_have_text("Open")
    order = int(ada.url.rsplit("/", 1)[1])
    mina.goto(f"{program.address}/orders/{order}")
    mina.locator("#step-claim button").click()
    expect(ada.locator("#order-state")).to_contain_text("To be picked up · Mina")

    ada.keyboard.press("r")
    ada.keyboard.press("J")  # chooses Jonas
    ada.keyboard.press("Tab")
    ada.keyboard.press("Enter")
    expect(ada.locator("#order-state")).to_contain_text("Jonas")
    expect(ada.locator("#history")).to_contain_text("Given to Jonas")
    ada.keyboard.press("c")
    ada.keyboard.press("Tab")
    ada.keyboard.press("Enter")
    expect(ada.locator("#order-state")).to_contain_text("Cancelled")

    ada.keyboard.press("u")
    expect(ada).to_have_url(re.compile("show=all"))
    expect(ada.locator("#scopes")).to_contain_text("Cancelled 1")
    ada.get_by_role("link", name="All 61").focus()
    ada.keyboard.press("Enter")
    expect(ada.locator("#row-1")).to_be_visible()
    ada.keyboard.press("/")
    ada.keyboard.type("mayor")
    ada.keyboard.press("Enter")
    expect(ada.locator("#dispatch-rows tr")).to_have_count(1)
    ada.keyboard.press("j")
    expect(ada.locator("#dispatch-rows a")).to_be_focused()
    ada.keyboard.press("Enter")
    expect(ada.locator("#order-state")).to_contain_text("Cancelled")


def test_a_report_is_accepted_and_its_proof_is_shown(program, ada, mina):
    take(mina, program, 5)
    press(mina, "Picked up", "On the way")
    expect(mina.locator("#steps li", has_text="Picked up").first).to_contain_text(re.compile("(?<!not )sent"), timeout=60_000)
    mina.context.set_offline(True)
    press(mina, "Arrived", "At the recipient")
    mina.locator("[name=note]").fill("Left with the neighbour")
    press(mina, "Delivered", "Delivered")
    give_away(ada, program, 5, "Jonas (demo)")
    expect(ada.locator("#order-state")).to_contain_text("Jonas")

    mina.context.set_offline(False)
    report = ada.locator("#reports li")
    expect(report).to_contain_text("Delivered", timeout=60_000)
    expect(report).to_contain_text("The order had been given to somebody else.")
    open_table(ada, program, "show=attention")
    expect(ada.locator("#row-5")).to_contain_text("Report to settle")
    open_order(ada, program, 5)
    ada.keyboard.press("a")

    expect(ada.locator("#order-state")).to_contain_text("Delivered")
    expect(report).to_contain_text("settled")
    with ada.expect_navigation():
        report.get_by_role("link", name="Note").click()
    assert "Left with the neighbour" in ada.content()


def test_photos_of_a_delivery_are_in_its_history(program, ada, mina):
    take(mina, program, 6)
    carry_out(mina)
    open_order(ada, program, 6)

    photo = ada.locator("#history img")
    expect(photo).to_be_visible(timeout=60_000)
    assert photo.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 1
    expect(ada.locator("#history")).to_contain_text("Mina (demo)")


@pytest.mark.console_errors_allowed
def test_an_edit_of_a_changed_order_shows_both_and_loses_nothing(program, ada, new_page):
    other = new_page()
    sign_in(other, program, "Ada")
    for page in (ada, other):
        page.goto(f"{program.address}/dispatch/orders/7/edit")
    other.get_by_label("Title").fill("Theirs")
    other.get_by_role("button", name="Save").click()
    expect(other.get_by_role("heading", name="Theirs")).to_be_visible()

    ada.get_by_label("Title").fill("Mine")
    ada.get_by_role("button", name="Save").click()

    expect(ada.get_by_role("alert")).to_contain_text("somebody has changed the order meanwhile")
    expect(ada.get_by_label("Title")).to_have_value("Mine")
    expect(ada.locator(".stored")).to_have_text("Stored now: Theirs")
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_role("heading", name="Mine")).to_be_visible()


@pytest.mark.console_errors_allowed
def test_a_faulty_entry_says_what_to_write_and_keeps_the_rest(program, ada):
    ada.goto(f"{program.address}/dispatch/orders/new")
    for name, text in {"title": "Soup", "address": "1 Ash Street", "price": "cheap", "currency": "EUR", "latitude": "north"}.items():
        ada.locator(f"[name={name}]").fill(text)
    ada.get_by_role("button", name="Save").click()

    expect(ada.get_by_role("alert")).to_have_text("Not saved: “Latitude” must be a number such as 48.137")
    expect(ada.get_by_label("Title")).to_have_value("Soup")
    expect(ada.get_by_label("Latitude")).to_have_value("north")
    ada.locator("[name=latitude]").fill("")
    ada.get_by_role("button", name="Save").click()
    expect(ada.get_by_role("alert")).to_have_text("Not saved: “Price” must be an amount such as 42.50")


@pytest.mark.console_errors_allowed
@pytest.mark.parametrize(("locale", "texts"), [
    ("en-US", ["Not done: the order is “Cancelled” now.", "Last change: Cancelled"]),
    ("de-DE", ["Nicht ausgeführt: Die Bestellung ist jetzt „Storniert“.", "Letzte Änderung: Storniert"]),
])
def test_a_refused_decision_names_the_state_and_the_last_change(program, ada, new_page, locale, texts):
    page = new_page(locale=locale, java_script_enabled=False)
    page.goto(f"{program.address}/sign-in")
    page.locator("[name=demo]").last.click()
    page.goto(f"{program.address}/dispatch/orders/4")
    page.locator("#cancel summary").click()
    open_order(ada, program, 4)
    ada.locator("#cancel summary").click()
    ada.locator("#cancel button").click()
    expect(ada.locator("#order-state")).to_contain_text("Cancelled")

    page.locator("#cancel button").click()

    alert = page.get_by_role("alert")
    for text in texts:
        expect(alert).to_contain_text(text)
    expect(alert).to_contain_text("Ada (demo)")
    expect(alert.locator("time")).to_be_visible()


def test_a_click_on_the_map_sets_the_place(program, ada):
    ada.goto(f"{program.address}/dispatch/orders/8/edit")
    latitude = ada.get_by_label("Latitude")
    before = latitude.input_value()
    expect(ada.locator("#map.live")).to_be_visible()
    marks = ada.locator("#map .map-marks")
    box = marks.bounding_box()

    marks.click(position={"x": box["width"] / 2, "y": box["height"] / 2 + 50})

    expect(latitude).not_to_have_value(before)
    ada.get_by_role("button", name="Save").click()
    expect(ada.locator("#history")).to_contain_text("Edited")


def test_couriers_are_sent_to_their_own_pages(program, mina):
    mina.goto(f"{program.address}/dispatch")

    expect(mina).to_have_url(f"{program.address}/orders")


# The webhook

class WebhookReceiver(StoppableServer):
    """Answers the events of a webhook with the status that a test sets."""

    def __init__(self):
        self.status = 200
        super().__init__(_ReceiverHandler)

    def record(self, event):
        self._record(self.requested, event)


class _ReceiverHandler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.server.stub.status)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.server.stub.record(self.headers["webhook-id"])

    def log_message(self, *_):
        pass


@pytest.fixture
def receiver():
    receiver = WebhookReceiver()
    yield receiver
    receiver.stop()


@pytest.fixture
def sending_program(start, receiver, tmp_path):
    """A program with a webhook, whose failures it writes to standard error."""
    program = start(
        "run", "--orders", "5", "--deliveries", "5", "--data", tmp_path / "data", "--port", "0", "--webhook", f"{receiver.address}/orders")
    yield program
    program.kill()


def create_order(page, program):
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "token")
    response = page.request.post(
        f"{program.origin_address}/api/v1/orders", headers={"Authorization": f"Bearer {token}", "Idempotency-Key": "soup"},
        data={"title": "Soup", "price": "5", "currency": "USD", "destination": {"address": "1 Ash Street"}, "items": []})
    assert response.ok, response.text()
    return response.json()["order"]


def webhook_faults(page):
    """Returns the faults of a table with the state of the webhook."""
    found = []
    for name in ("desktop", "phone"):
        page.set_viewport_size(SCREENS[name])
        found += violations(page)
    return found + text_faults(page, 320, may_ellipsize=True) + large_text_faults(page)


def reload_until(page, text):
    """Reloads a table until the state of the webhook contains a text: an open table reads it twice a minute only."""
    def is_shown():
        page.reload()
        return text in page.locator("#webhook").inner_text()

    wait_until(is_shown, f"the state of the webhook is {page.locator('#webhook').inner_text()!r}, without {text!r}")


@pytest.mark.timeout(600)
def test_the_table_shows_the_state_of_the_webhook(sending_program, receiver, new_page):
    page, arabic = new_page(reduced_motion="reduce"), new_page(locale="ar-EG", reduced_motion="reduce")
    receiver.wait_until(lambda: receiver.requested)
    for each in (page, arabic):
        each.goto(f"{sending_program.address}/sign-in")
        each.locator("[name=demo]").last.click()
        open_table(each, sending_program)
    webhook = page.locator("#webhook")
    reload_until(page, "Last accepted")
    expect(webhook).to_contain_text("All accepted")

    receiver.status = 500
    order = create_order(page, sending_program)

    reload_until(page, "Last error: your system answered with 500")
    expect(webhook).to_contain_text("1 change waits")
    reload_until(arabic, "تغيير واحد ينتظر")
    assert "\n".join(webhook_faults(page) + webhook_faults(arabic)) == ""
    receiver.status = 410
    reload_until(page, "1 change given up")
    assert "\n".join(webhook_faults(page)) == ""
    webhook.get_by_role("link", name=f"Order {order}").click()
    expect(page.locator("#history")).to_contain_text("Created")


# Without scripts

@pytest.mark.console_errors_allowed
def test_without_scripts_orders_are_decided_with_forms(program, new_page, mina):
    take(mina, program, 9)
    page = new_page(java_script_enabled=False)
    sign_in(page, program, "Ada")
    page.goto(f"{program.address}/dispatch/orders/9")

    page.locator("#reassign select").select_option(label="Jonas (demo)")
    page.get_by_role("button", name="Give to another courier").click()
    expect(page.locator("#order-state")).to_contain_text("Jonas")
    page.locator("#cancel summary").click()
    page.locator("#cancel button").click()
    expect(page.locator("#order-state")).to_contain_text("Cancelled")
    page.locator("#correct summary").click()
    page.locator("#correct select[name=state]").select_option("open")
    page.locator("#correct button").click()
    expect(page.locator("#order-state")).to_have_text("Open")


@pytest.fixture
def start_origin(tmp_path):
    """Starts a server of orders on a port; each has the same data."""
    origins = []

    def start_origin(port):
        origins.append(OriginProgram("--orders", "5", "--deliveries", "5", "--data", tmp_path / "origin", "--port", port))
        return origins[-1]

    yield start_origin
    for origin in origins:
        origin.kill()


@pytest.mark.console_errors_allowed
def test_what_could_not_be_delivered_is_kept_and_can_be_sent_again(start, start_origin, tmp_path, new_page):
    origin = start_origin(0)
    window = start("window", "--port", "0", "--origin", origin.address, "--data", tmp_path / "window")
    dispatcher, courier = new_page(java_script_enabled=False), new_page(java_script_enabled=False)
    sign_in_with(dispatcher, window, origin.wait_for_line(FIRST_LINK))
    sign_in_with(courier, window, courier_link(dispatcher, origin))
    courier.goto(f"{window.address}/orders/2?plain=1")
    for step in ("Take", "Picked up", "Arrived"):
        courier.get_by_role("button", name=step, exact=True).click()
    courier.get_by_label("Note").fill("Left at the door")
    dispatcher.goto(f"{window.address}/dispatch/orders/3/edit")
    dispatcher.get_by_label("Title").fill("Changed")
    port = origin.port
    origin.stop()

    courier.get_by_role("button", name="Delivered", exact=True).click()
    dispatcher.get_by_role("button", name="Save").click()

    expect(courier.get_by_role("heading", name="Not sent")).to_be_visible()
    expect(courier.get_by_text("Left at the door")).to_be_visible()
    expect(dispatcher.get_by_role("heading", name="Not sent")).to_be_visible()
    expect(dispatcher.get_by_text("Changed")).to_be_visible()
    start_origin(port)
    courier.get_by_role("button", name="Send again").click()
    expect(courier.locator("#order-state")).to_have_text("Delivered")
    dispatcher.get_by_role("button", name="Send again").click()
    expect(dispatcher.get_by_role("heading", name="Changed")).to_be_visible()


def sign_in_with(page, window, link):
    page.goto(f"{window.address}/sign-in")
    page.get_by_label("Link").fill(link)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Signed in as")).to_be_visible()


def courier_link(dispatcher, origin):
    token = next(cookie["value"] for cookie in dispatcher.context.cookies() if cookie["name"] == "token")
    response = dispatcher.request.post(
        f"{origin.address}/api/v1/people", headers={"Authorization": f"Bearer {token}"}, data={"name": "Mina", "role": "courier"})
    assert response.ok, response.text()
    return f"#{response.json()['link']['secret']}"


# Accessibility

@pytest.mark.parametrize("locale", LANGUAGES)
def test_every_page_passes_axe_and_shows_its_text_unclipped(program, mina, new_page, locale):
    take(mina, program, 2)
    page = new_page(locale=locale, reduced_motion="reduce")
    page.goto(f"{program.address}/sign-in")
    page.locator("[name=demo]").last.click()
    found = []
    for path in ["/dispatch?show=all", "/dispatch?show=returned", "/dispatch/orders/2", "/dispatch/orders/2/edit", "/dispatch/orders/new"]:
        for name in ("desktop", "phone"):
            page.set_viewport_size(SCREENS[name])
            page.goto(f"{program.address}{path}")
            expect(page.locator("#detail")).to_be_visible()
            found += [f"{path} {name}: {complaint}" for complaint in violations(page)]
        found += [f"{path}: {complaint}" for complaint in text_faults(page, 320, may_ellipsize=True) + large_text_faults(page)]

    assert "\n".join(found) == ""
