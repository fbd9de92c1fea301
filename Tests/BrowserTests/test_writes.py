"""What is written while the program is out of reach is kept, and takes effect once when it is back."""

import pytest

from order_list import OrderList
from worker import wait_until_kept, wait_until_worker_works
from write_server import WriteServer

# Without a program the browser's console fills up.
pytestmark = pytest.mark.noisy

WRITE = """async (key) => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    const body = JSON.stringify({ favourite: true, at: "2026-05-15T16:00:00Z" });
    const reply = await fetch(`/deliveries/${key}/favourite`, { method: "PUT", headers, body });
    return [reply.status, await reply.json()];
}"""

KEPT = [202, {"kept": True}]

LISTEN = """() => {
    globalThis.told = [];
    document.addEventListener("writes", ({ detail: { written } }) => written && told.push([written.url.split("/").at(-2), written.status]));
}"""

COME_BACK = "() => dispatchEvent(new Event('online'))"


@pytest.fixture
def away(orders, window_on, profile):
    """The list in a page whose program has gone, and the port where it was."""
    program = window_on(orders)
    page = profile.open()
    OrderList(page, program.page).open().expect_all_loaded()
    wait_until_worker_works(page)
    wait_until_kept(page, "/orders", "Groceries 8")
    page.evaluate(LISTEN)
    program.stop()
    return page, program.port


@pytest.fixture
def serve():
    servers = []

    def serve(port):
        servers.append(WriteServer(port))
        return servers[-1]

    yield serve
    for server in servers:
        server.stop()


def test_writes_arrive_once_and_in_order(away, serve):
    page, port = away
    assert [page.evaluate(WRITE, key) for key in ("a", "b", "c")] == [KEPT] * 3

    server = serve(port)
    page.evaluate(COME_BACK)

    assert server.wait_for(3) == ["a", "b", "c"]
    assert server.taken[0] == ("/deliveries/a/favourite", "a", '{"favourite":true,"at":"2026-05-15T16:00:00Z"}')
    page.wait_for_function("() => told.length === 3")
    page.evaluate(COME_BACK)
    assert page.evaluate(WRITE, "d") == [200, {"favourite": True}]
    assert server.wait_for(4) == ["a", "b", "c", "d"]


def test_a_killed_browser_loses_nothing(away, serve, profile):
    page, port = away
    assert [page.evaluate(WRITE, key) for key in ("a", "b")] == [KEPT] * 2
    address = page.url
    profile.kill()

    server = serve(port)
    profile.open().goto(address)

    assert server.wait_for(2)[:2] == ["a", "b"]


def test_a_refused_write_is_told_and_not_sent_again(away, serve):
    page, port = away
    page.evaluate(WRITE, "a")

    server = serve(port)
    server.status = 409
    page.evaluate(COME_BACK)

    page.wait_for_function("() => told.length === 1")
    assert page.evaluate("told") == [["a", 409]]
    server.status = 200
    page.evaluate(WRITE, "b")
    assert server.wait_for(2) == ["a", "b"]


@pytest.mark.parametrize("status", [429, 500])
def test_a_write_that_meets_a_busy_program_is_sent_again_by_the_same_key(away, serve, status):
    page, port = away
    server = serve(port)
    server.status = status

    assert page.evaluate(WRITE, "a") == KEPT
    server.wait_for(1)
    server.status = 200
    page.evaluate(COME_BACK)

    page.wait_for_function("() => told.length === 1")
    assert set(server.wait_for(2)) == {"a"}


def test_a_program_in_reach_answers_for_itself(away, serve):
    page, port = away
    server = serve(port)
    server.status = 422

    assert page.evaluate(WRITE, "a") == [422, {"favourite": True}]


def test_what_is_no_write_of_a_reader_is_not_kept(away):
    page, _ = away

    assert page.evaluate("() => fetch('/windows/gone/refresh', { method: 'POST', body: '{}' }).catch(() => 'failed')") == "failed"
