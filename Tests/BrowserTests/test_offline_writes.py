"""Writes while the program is unreachable are queued, and take effect once when it returns."""

import pytest

from conftest import SCREENS
from order_list import OrderList
from service_worker import wait_until_page_is_stored, wait_until_worker_is_active
from write_server import WriteServer

# Without the program the browser logs errors.
pytestmark = pytest.mark.console_errors_allowed

WRITE = """async (key) => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    const body = JSON.stringify({ favourite: true, at: "2026-05-15T16:00:00Z" });
    const response = await fetch(`/deliveries/${key}/favourite`, { method: "PUT", headers, body });
    return [response.status, await response.json()];
}"""

QUEUED_RESPONSE = [202, {"kept": True}]

RECORD_WRITES = """() => {
    globalThis.completedWrites = [];
    document.addEventListener("writes", ({ detail: { written } }) => written && completedWrites.push([written.url.split("/").at(-2), written.status]));
}"""

GO_ONLINE = "() => dispatchEvent(new Event('online'))"


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


@pytest.fixture
def offline_page(orders, start_window, profile):
    """The list in a page whose program has stopped, and the port of the program."""
    program = start_window(orders)
    page = profile.open()
    OrderList(page, program.address).open().expect_all_loaded()
    wait_until_worker_is_active(page)
    wait_until_page_is_stored(page, "/orders", "Groceries 8")
    page.evaluate(RECORD_WRITES)
    program.stop()
    return page, program.port


@pytest.fixture
def start_write_server():
    servers = []

    def start_write_server(port, **options):
        servers.append(WriteServer(port, **options))
        return servers[-1]

    yield start_write_server
    for server in servers:
        server.stop()


def test_writes_arrive_once_and_in_order(offline_page, start_write_server):
    page, port = offline_page
    assert [page.evaluate(WRITE, key) for key in ("a", "b", "c")] == [QUEUED_RESPONSE] * 3

    server = start_write_server(port)
    page.evaluate(GO_ONLINE)

    assert server.wait_for(3) == ["a", "b", "c"]
    assert server.received[0] == ("/deliveries/a/favourite", "a", '{"favourite":true,"at":"2026-05-15T16:00:00Z"}')
    page.wait_for_function("() => completedWrites.length === 3")
    page.evaluate(GO_ONLINE)
    assert page.evaluate(WRITE, "d") == [200, {"favourite": True}]
    assert server.wait_for(4) == ["a", "b", "c", "d"]


def test_queued_writes_survive_a_killed_browser(offline_page, start_write_server, profile):
    page, port = offline_page
    assert [page.evaluate(WRITE, key) for key in ("a", "b")] == [QUEUED_RESPONSE] * 2
    address = page.url
    profile.kill()

    server = start_write_server(port)
    profile.open().goto(address)

    assert server.wait_for(2)[:2] == ["a", "b"]


def test_a_refused_write_is_reported_and_not_sent_again(offline_page, start_write_server):
    page, port = offline_page
    page.evaluate(WRITE, "a")

    server = start_write_server(port, status=409)
    page.evaluate(GO_ONLINE)

    page.wait_for_function("() => completedWrites.length === 1")
    assert page.evaluate("completedWrites") == [["a", 409]]
    server.status = 200
    page.evaluate(WRITE, "b")
    assert server.wait_for(2) == ["a", "b"]


@pytest.mark.parametrize("status", [429, 500])
def test_a_write_to_a_busy_program_is_retried_with_the_same_key(offline_page, start_write_server, status):
    page, port = offline_page
    server = start_write_server(port, status=status)

    assert page.evaluate(WRITE, "a") == QUEUED_RESPONSE
    server.wait_for(1)
    server.status = 200
    page.evaluate(GO_ONLINE)

    page.wait_for_function("() => completedWrites.length === 1")
    assert set(server.wait_for(2)) == {"a"}


def test_a_reachable_program_answers_writes_directly(offline_page, start_write_server):
    page, port = offline_page
    server = start_write_server(port, status=422)

    assert page.evaluate(WRITE, "a") == [422, {"favourite": True}]


def test_other_requests_are_not_queued(offline_page):
    page, _ = offline_page

    assert page.evaluate("() => fetch('/windows/gone/refresh', { method: 'POST', body: '{}' }).catch(() => 'failed')") == "failed"
