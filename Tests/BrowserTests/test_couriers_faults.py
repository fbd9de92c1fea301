"""Couriers' steps take effect exactly once: with cut uploads, lost answers, restarts, several tabs, a day offline and killed browsers."""

import hashlib
import os
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from courier_history import CourierHistory, OrderAPI
from couriers import DOUBLE_TAP_TIME, SOAK, STATES_AFTER, choose_photo, expect_sent, noise_photo, open_order, send_now, sign_in
from cut_connection import CuttingProxy
from program import wait_until
from service_worker import wait_until_page_is_stored, wait_until_worker_is_ready

KILLS = 200 if SOAK else 10
"""The number of times that the browser is killed."""

ORDERS_OF_A_DAY = 30 if SOAK else 6
LINK = "edge" if SOAK else "3g"
"""The link by which the steps of a day are sent; over EDGE each takes six seconds, because the stored pages are fetched after it."""

MINUTE, HOUR = 60, 3_600

# Connections break, and the browser logs it.
pytestmark = [pytest.mark.console_errors_allowed, pytest.mark.timeout(HOUR if SOAK else 600)]


@pytest.fixture
def screen():
    """Couriers have phones."""
    return SCREENS["phone"]


@pytest.fixture
def arguments(tmp_path):
    return ("run", "--orders", "100", "--deliveries", "5", "--data", tmp_path / "data")


@pytest.fixture
def program(start, arguments):
    return start(*arguments, "--port", "0")


@pytest.fixture
def proxy(program):
    """A connection to the program that can be cut."""
    proxy = CuttingProxy(program.port)
    yield proxy
    proxy.stop()


@pytest.fixture
def history(tmp_path):
    return CourierHistory(tmp_path / "history.jsonl")


DELIVERED = ["create", "claim", "pickUp", "arrive", "deliver"]
"""The events of an order that was delivered, each once."""


def begin_work(page, program):
    """Signs in as a courier, and waits for the worker."""
    sign_in(page, program, "Mina")
    wait_until_worker_is_ready(page)


def make_step(page, history, order, step, state=None, side=400):
    """Makes a step, a delivery with a photo, and records it once the page shows it as done; returns it as it is stored."""
    if step == "Delivered":
        choose_photo(page, noise_photo(order, side))
    if step == "Not delivered":
        page.wait_for_timeout(DOUBLE_TAP_TIME + 500)
    known = {stored["key"] for stored in history.confirm(page)}
    # By the keyboard: a message may cover the button for some seconds.
    page.get_by_role("button", name=step, exact=True).press("Enter")
    expect(page.locator("#order-state")).to_have_text(state or STATES_AFTER[step])
    expect(page.locator("#steps li[data-write]").last).to_contain_text(step)
    # The same step may have been shown before.
    wait_until(lambda: any(stored["key"] not in known for stored in history.confirm(page)), "the step was not stored")
    return history.confirm(page)[-1]


def send_all(page, history):
    """Sends until no step waits."""
    wait_until_sent(page, history, on_wait=lambda: send_now(page))


def wait_until_sent(page, history, timeout=MINUTE, on_wait=lambda: None):
    """Waits until no step waits, and records those that do."""
    deadline = time.monotonic() + timeout
    while steps := history.confirm(page):
        assert time.monotonic() < deadline, f"not sent: {steps}"
        on_wait()
        page.wait_for_timeout(500)


def expect_delivered_once(program, order, delivery):
    """Expects each event once, and the proof of the delivery with its digest."""
    api = OrderAPI(program)
    assert api.actions(order) == DELIVERED
    assert api.events(order)[-1]["proofs"] == delivery["proofs"]
    [digest] = delivery["proofs"]
    assert hashlib.sha256(api.proof(order, digest)).hexdigest() == digest


# Connections

def test_a_photo_whose_upload_is_cut_at_any_byte_arrives_whole_and_once(program, proxy, page, history):
    begin_work(page, proxy)
    history.take(page, proxy, 1)
    *_, delivery = [make_step(page, history, 1, step) for step in STATES_AFTER]
    size = delivery["size"]
    assert size > 100_000
    cuts = [0, 1, *(size * tenth // 10 for tenth in range(1, 10)), size - 1, size]

    proxy.cut_uploads(cuts)
    for number in range(len(cuts)):
        if number % 3 == 2:
            open_order(page, proxy, 1)
        send_now(page)
        proxy.wait_for_cuts(number + 1)

    send_now(page)
    expect_sent(page, "Taken", *STATES_AFTER)
    expect_delivered_once(program, 1, delivery)
    history.check(program)


def test_the_progress_of_an_upload_is_shown(program, proxy, page, history):
    begin_work(page, proxy)
    history.take(page, proxy, 1)
    *_, delivery = [make_step(page, history, 1, step, side=1_400) for step in STATES_AFTER]
    proxy.stall_upload(delivery["size"] // 2)

    send_now(page)

    expect(page.locator("#steps li[data-write]").last).to_contain_text(re.compile(r"sending: [1-9]\d?%"))


def test_steps_whose_answers_are_lost_take_effect_once_and_are_shown_as_sent(program, proxy, page, history):
    begin_work(page, proxy)
    proxy.lose_answers(2)
    steps = {
        1: [*STATES_AFTER.items()],
        2: [("Picked up", "On the way"), ("Not delivered", "On the way"), ("Not delivered", "On the way"),
            ("Not delivered", "On the way back"), ("Returned to the shop", "Returned")],
        3: [("Give the order back", "No longer open")],
    }
    for order, steps_of_order in steps.items():
        history.take(page, proxy, order)
        for step, state in steps_of_order:
            make_step(page, history, order, step, state)
        send_all(page, history)
        open_order(page, proxy, order)
        expect_sent(page, "Taken", *(step for step, _ in steps_of_order))

    assert len(proxy.lost_answers) == 2 * 12
    api = OrderAPI(program)
    assert api.actions(1) == DELIVERED
    assert api.actions(2) == ["create", "claim", "pickUp", "attempt", "attempt", "attempt", "return"]
    assert api.actions(3) == ["create", "claim", "release"]
    history.check(program)


def test_a_stalled_page_delays_the_steps_of_its_order_only(program, proxy, page, history):
    begin_work(page, proxy)
    for order in (1, 2):
        history.take(page, proxy, order)
        make_step(page, history, order, "Picked up")
    # The worker stores pages between the answer to a step and the next step.
    proxy.stall_stored_pages()

    send_now(page)

    wait_until(lambda: "pickUp" in OrderAPI(program).actions(2), "the step of the other order was not sent")


def test_a_killed_server_loses_no_step_and_repeats_none(program, start, arguments, proxy, page, history):
    begin_work(page, proxy)
    history.take(page, proxy, 1)
    for step in ("Picked up", "Arrived"):
        make_step(page, history, 1, step)
        send_now(page)
        program = restart(program, start, arguments)
    delivery = make_step(page, history, 1, "Delivered")
    proxy.stall_upload(delivery["size"] // 2)
    send_now(page)
    proxy.wait_for_cuts(1)
    program = restart(program, start, arguments)

    send_all(page, history)
    expect_sent(page, "Taken", *STATES_AFTER)
    expect_delivered_once(program, 1, delivery)
    history.check(program)


def restart(program, start, arguments):
    """Kills the program, and starts it again at its address."""
    program.kill()
    return start(*arguments, "--port", program.port)


# Tabs

def test_two_tabs_and_the_worker_send_each_step_once(program, page, history):
    begin_work(page, program)
    other = page.context.new_page()
    # The other tab sends its steps itself, as in a browser without workers.
    other.add_init_script("Object.defineProperty(navigator, 'serviceWorker', { value: undefined });")
    for order in (1, 2):
        history.take(page, program, order)
        for number, step in enumerate(STATES_AFTER):
            tab = (page, other)[(number + order) % 2]
            open_order(tab, program, order)
            make_step(tab, history, order, step)
            send_now(page, other, delay=0.2)

    send_all(page, history)
    for order in (1, 2):
        open_order(page, program, order)
        expect_sent(page, "Taken", *STATES_AFTER)
        assert OrderAPI(program).actions(order) == DELIVERED
    history.check(program)


# A day offline

@pytest.fixture
def fast_clock():
    """The environment of a browser whose clock is one hour fast, in the long variant; each browser needs a suitable libfaketime."""
    if not SOAK:
        return {**os.environ}
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    assert library, "libfaketime is missing: install it (Debian package libfaketime)"
    # With its correction of waits on the monotonic clock, which Chromium does not need, the browser never sleeps.
    correct_waits = {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0"}
    return {**os.environ, "LD_PRELOAD": str(library), "FAKETIME": "+1h", **correct_waits}


def test_a_day_offline_arrives_in_order_with_the_times_of_its_steps(program, start, arguments, profile, history, fast_clock):
    page = profile.open(env=fast_clock)
    begin_work(page, program)
    orders = range(1, ORDERS_OF_A_DAY + 1)
    for order in orders:
        history.take(page, program, order)
        wait_until_page_is_stored(page, f"/orders/{order}", 'data-standing="claimed"')
    program.stop()

    deliveries, times = {}, {}
    for order in orders:
        open_order(page, program, order)
        times[order] = []
        for step in STATES_AFTER:
            times[order].append(time.time())
            deliveries[order] = make_step(page, history, order, step, side=100)
    program = start(*arguments, "--link", LINK, "--port", program.port)

    wait_until_sent(page, history, timeout=ORDERS_OF_A_DAY * MINUTE)
    for order in orders:
        expect_delivered_once(program, order, deliveries[order])
        # The events follow the creation and the claim.
        assert OrderAPI(program).action_times(order)[2:] == pytest.approx(times[order], abs=2 * MINUTE)
    history.check(program)


# Killed browsers

def test_a_killed_browser_loses_no_confirmed_step_and_repeats_none(program, proxy, profile, history):
    page = profile.open()
    begin_work(page, proxy)
    # A browser that is closed stores its cookies.
    profile.close()
    page = profile.open()
    orders = range(1, KILLS // len(STATES_AFTER) + 2)
    for order in orders:
        history.take(page, proxy, order)

    steps = [(order, step) for step in STATES_AFTER for order in orders]
    for number, (order, step) in enumerate(steps):
        open_order(page, proxy, order)
        if number < KILLS:
            begin_step(page, proxy, history, order, step, is_shown=number % 2 == 1)
            profile.kill()
            page = profile.open()
            open_order(page, proxy, order)
            history.confirm(page)
        # A step that was not stored yet when the browser was killed is made again.
        if not shows_state(page, STATES_AFTER[step]):
            make_step(page, history, order, step)

    send_all(page, history)
    for order in orders:
        open_order(page, proxy, order)
        expect_sent(page, "Taken", *STATES_AFTER)
        assert OrderAPI(program).actions(order) == DELIVERED
    # To close a browser that was killed before takes seconds.
    profile.kill()
    history.check(program)


def shows_state(page, state):
    """Whether a page shows a state of its order once it has read the stored steps."""
    try:
        expect(page.locator("#order-state")).to_have_text(state, timeout=1_000)
    except AssertionError:
        return False
    return True


def begin_step(page, proxy, history, order, step, is_shown):
    """Makes a step until it is shown, or until half of its photo is uploaded; otherwise only presses its button."""
    if step == "Delivered":
        delivery = make_step(page, history, order, step)
        proxy.stall_upload(delivery["size"] // 2)
        send_now(page)
        proxy.wait_for_cuts(1)
    elif is_shown:
        make_step(page, history, order, step)
    else:
        page.get_by_role("button", name=step, exact=True).press("Enter")
