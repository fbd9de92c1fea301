"""Content security policies, and requests of other origins."""

import urllib.error
import urllib.request
from html.parser import HTMLParser

import pytest
from playwright.sync_api import expect

from orders_server import order_document


def fetch(address, accept="text/html"):
    """Returns the status, headers and text, also of errors."""
    request = urllib.request.Request(address, headers={"Accept": accept})
    try:
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        return response.status, response.headers, response.read().decode(errors="replace")


class Markup(HTMLParser):
    """The inline code of a page, which a strict policy forbids, and the URLs of its assets."""

    def __init__(self, text):
        super().__init__()
        self.inline = []
        self.assets = []
        self._element = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self._element = tag
        self.inline += [f"<{tag} {name}>" for name, _ in attributes if name == "style" or name.startswith("on")]
        self.inline += [f"<{tag} {name}={value}>" for name, value in attributes if (value or "").startswith("javascript:")]
        self.assets += [value for name, value in attributes if name in ("href", "src") and "/assets/" in (value or "")]
        if tag == "style" or tag == "script" and not dict(attributes).get("src"):
            self.inline.append(f"<{tag}>")

    def handle_data(self, text):
        if self._element == "script" and text.strip():
            self.inline.append(text)


def assert_strict_policy(policy):
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/orders", 200), ("/orders?plain=1", 200), ("/orders/3", 200), ("/orders/999", 404), ("/orders/none", 404),
     ("/nothing/here", 404), ("/assets/old/app.js", 404), ("/tiles/0/0/9", 404), ("/windows/gone/events", 410)],
)
def test_every_page_has_a_strict_policy_and_no_inline_code(orders, start_window, path, status):
    program = start_window(orders)

    answered, headers, text = fetch(program.address + path)

    assert answered == status
    assert_strict_policy(headers["Content-Security-Policy"])
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert Markup(text).inline == []


def test_assets_have_a_policy_that_forbids_loading(orders, start_window):
    program = start_window(orders)
    assets = Markup(fetch(f"{program.address}/orders")[2]).assets
    assert len(assets) > 3

    for asset in assets:
        status, headers, _ = fetch(program.address + asset, accept="*/*")
        assert status == 200
        assert headers["Content-Security-Policy"] == "default-src 'none'"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "immutable" in headers["Cache-Control"]


def test_the_service_worker_has_the_policy_of_pages(orders, start_window):
    _, headers, _ = fetch(f"{start_window(orders).address}/worker.js", accept="*/*")

    assert_strict_policy(headers["Content-Security-Policy"])


@pytest.mark.console_errors_allowed
def test_the_browser_does_not_run_injected_scripts(orders, make_order_list, console_messages):
    page = make_order_list(orders).open().page

    ran = page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "globalThis.intruder = true";
        document.head.append(script);
        return globalThis.intruder ?? false;
    }""")

    assert ran is False
    assert any("Content Security Policy" in complaint for complaint in console_messages)


def test_text_from_the_orders_server_is_escaped(orders, make_order_list):
    evil = '<img src=x onerror="document.title=1"></article><script>document.title=2</script>'
    orders.responses[2] = order_document(2, title=evil)

    orders_page = make_order_list(orders).open()

    expect(orders_page.row(2).locator(".title")).to_have_text(evil)
    assert orders_page.row(2).locator("img, script").count() == 0


@pytest.mark.console_errors_allowed
def test_a_post_from_another_origin_is_refused(orders, make_order_list, new_page):
    orders_page = make_order_list(orders).open()
    orders_page.expect_all_loaded()
    window = orders_page.page.locator("#list").get_attribute("data-window")
    address = orders_page.address.replace("/orders", f"/windows/{window}/refresh")
    elsewhere = new_page()
    elsewhere.goto(f"{orders.address}/elsewhere")

    # The browser hides the 403 as it hides every response of another origin.
    outcome = elsewhere.evaluate(
        "(address) => fetch(address, { method: 'POST', mode: 'no-cors', body: '{}' }).then(() => 'answered', () => 'blocked')", address)
    with elsewhere.expect_response(address) as submitted:
        elsewhere.evaluate("""(address) => {
            const form = document.createElement("form");
            Object.assign(form, { method: "post", action: address });
            document.body.append(form);
            form.submit();
        }""", address)

    assert outcome == "blocked"
    assert submitted.value.status == 403
    assert orders.lists_sent == 1
