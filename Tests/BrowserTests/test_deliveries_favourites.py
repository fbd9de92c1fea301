"""Favourites: shown at once, sent once, and reverted if they are refused."""

import re
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from couriers import COUNT_WRITES
from delivery_list import DeliveryList
from program import wait_until


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


@pytest.fixture
def deliveries_page(deliveries, start_window, page):
    deliveries_page = DeliveryList(page, start_window(deliveries).address).open()
    deliveries_page.expect_all_loaded()
    return deliveries_page


def test_a_favourite_is_shown_at_once_and_sent_with_a_key_and_a_timestamp(deliveries, deliveries_page):
    deliveries_page.favourite(1).click()

    deliveries_page.expect_favourite(1, True)
    deliveries.wait_until(lambda: len(deliveries.favourite_requests) == 1)
    number, body, key = deliveries.favourite_requests[0]
    assert (number, body["favourite"]) == (1, True)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", body["at"])
    assert re.fullmatch(r'"[0-9a-f-]{32,36}"', key)

    deliveries_page.favourite(1).click()

    deliveries_page.expect_favourite(1, False)
    deliveries.wait_until(lambda: len(deliveries.favourite_requests) == 2)
    assert deliveries.favourite_requests[1][1]["favourite"] is False


def test_a_favourite_persists_on_reload_and_on_the_delivery_page(deliveries, deliveries_page):
    deliveries_page.favourite(1).click()
    deliveries.wait_until(lambda: deliveries.favourite_requests)

    deliveries_page.open()

    deliveries_page.expect_favourite(1, True)
    deliveries_page.page.goto(f"{deliveries_page.address}/1")
    expect(deliveries_page.page.locator(".favourite button")).to_have_attribute("aria-pressed", "true")


def refresh_and_wait(deliveries_page, deliveries):
    """Refreshes, and waits until the first page has been sent and shown."""
    requested = deliveries.requested.count(0)
    deliveries_page.refresh()
    deliveries.wait_until(lambda: deliveries.requested.count(0) > requested)
    deliveries_page.expect_idle()


def test_a_favourite_persists_through_refreshes_that_omit_it(deliveries, deliveries_page):
    deliveries_page.favourite(1).click()
    deliveries_page.favourite(2).click()
    deliveries.wait_until(lambda: len(deliveries.favourite_requests) == 2)
    deliveries_page.favourite(2).click()
    deliveries.wait_until(lambda: len(deliveries.favourite_requests) == 3)

    for _ in range(3):
        refresh_and_wait(deliveries_page, deliveries)

    deliveries_page.expect_favourite(1, True)
    deliveries_page.expect_favourite(2, False)
    deliveries_page.open()
    deliveries_page.expect_favourite(1, True)
    deliveries_page.expect_favourite(2, False)


def test_a_newer_list_with_a_favourite_field_overrides_the_local_change(deliveries, deliveries_page):
    deliveries_page.favourite(1).click()
    deliveries.wait_until(lambda: deliveries.favourite_requests)
    deliveries.favourites = {1: False}

    for _ in range(2):
        refresh_and_wait(deliveries_page, deliveries)
    deliveries_page.expect_favourite(1, False)

    deliveries.favourites = {}
    refresh_and_wait(deliveries_page, deliveries)
    deliveries_page.expect_favourite(1, False)


@pytest.mark.console_errors_allowed
def test_demo_favourites_persist_through_refreshes_on_every_page_and_after_a_restart(start, page, new_page, tmp_path):
    arguments = ("run", "--port", 0, "--data", tmp_path)
    program = start(*arguments)
    deliveries_page = DeliveryList(page, program.address).open()
    other = DeliveryList(new_page(), program.address).open()
    for each in (deliveries_page, other):
        each.expect_all_loaded()

    deliveries_page.favourite(1).click()

    other.expect_favourite(1, True)
    wait_until_favourite(page, program.origin_address, 1)
    for _ in range(3):
        deliveries_page.refresh()
        deliveries_page.expect_idle()
    for each in (deliveries_page, other):
        each.expect_favourite(1, True)
    program.stop()
    program = start(*arguments)
    again = DeliveryList(new_page(), program.address).open()
    again.expect_all_loaded()
    again.refresh()
    again.expect_idle()
    again.expect_favourite(1, True)


def wait_until_favourite(page, origin, number):
    """Waits until the origin has stored a favourite."""
    address = f"{origin}/v1/deliveries/{number}/favourite"
    wait_until(lambda: page.request.get(address).json()["favourite"], f"delivery {number} was never marked")


def test_changing_a_favourite_on_the_delivery_page_keeps_the_focus(deliveries, deliveries_page):
    page = deliveries_page.page
    page.goto(f"{deliveries_page.address}/2")
    mark = page.locator(".favourite button")
    before = mark.get_attribute("aria-pressed")
    mark.focus()

    for pressed in ["true", "false"] if before == "false" else ["false", "true"]:
        page.keyboard.press("Space")
        expect(mark).to_have_attribute("aria-pressed", pressed)
        page.wait_for_timeout(300)
        expect(mark).to_be_focused()


@pytest.mark.console_errors_allowed
def test_the_page_of_a_removed_delivery_shows_not_found_when_the_program_returns(deliveries, start_window, start, page):
    program = start_window(deliveries)
    DeliveryList(page, program.address).open().expect_all_loaded()
    page.goto(f"{program.address}/deliveries/2")
    expect(page.locator("#detail")).to_be_visible()
    program.stop()

    deliveries.numbers = []
    start("window", "--port", program.port, *deliveries.arguments)

    expect(page.get_by_role("heading", level=1)).to_contain_text("not found", ignore_case=True)


def test_a_refused_favourite_is_reverted_with_the_reason(deliveries, deliveries_page):
    deliveries.refused.add(2)

    deliveries_page.favourite(2).click()

    expect(deliveries_page.notice).to_contain_text("Couldn’t save “Parcel 2 for Zoë” as a favourite. The server doesn’t allow this.")
    deliveries_page.expect_favourite(2, False)


@pytest.mark.parametrize("count, ending", [(3, ""), (4, "and 1 more")])
def test_refused_favourites_are_all_reverted_and_the_last_three_are_named(deliveries, deliveries_page, count, ending):
    numbers = range(count)
    deliveries.stop()
    for number in numbers:
        deliveries_page.favourite(number).click()
        deliveries_page.expect_favourite(number, True)
    deliveries.refused |= set(numbers)
    deliveries.start()

    line = r"Couldn’t save “Parcel (\d) for Zoë” as a favourite\. The server doesn’t allow this\."
    expect(deliveries_page.notice).to_have_text(re.compile(rf"^({line}\s*){{3}}{ending}$"))
    assert len(set(re.findall(line, deliveries_page.notice.text_content()))) == 3
    assert len(deliveries_page.notice.inner_text().splitlines()) == (3 if not ending else 4)
    for number in numbers:
        deliveries_page.expect_favourite(number, False)


def set_favourite(deliveries_page, number):
    """Presses a heart, and waits until the program has accepted it, and not only the worker."""
    page = deliveries_page.page
    with page.expect_response(lambda response: response.url.endswith("/favourite") and response.status in (200, 202)) as response:
        deliveries_page.favourite(number).click()
    if response.value.status == 202:
        # The worker has stored it, and receives the response of a slow program itself.
        wait_until(lambda: page.evaluate(COUNT_WRITES) == 0, f"the program never accepted the favourite {number}")


def wait_until_reverted(page, address, number):
    """Waits until the program shows a row without its favourite, by requests that open no page."""
    wait_until(
        lambda: 'aria-pressed="false"' in page.request.get(f"{address}/{number}?plain=1").text(), f"the mark of {number} was never undone")


def test_a_favourite_refused_while_its_row_is_out_of_view_is_reported_when_the_row_is_visible(deliveries, deliveries_page):
    deliveries_page.expect_count(45)
    deliveries.stop()
    deliveries_page.favourite(1).click()
    deliveries_page.expect_favourite(1, True)
    deliveries_page.jump_to(30)
    deliveries.refused.add(1)
    deliveries.start()
    wait_until_reverted(deliveries_page.page, deliveries_page.address, 1)
    expect(deliveries_page.notice).to_be_empty()

    deliveries_page.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")

    expect(deliveries_page.notice).to_contain_text("Couldn’t save “Parcel 1 for Zoë” as a favourite. The server doesn’t allow this.")
    deliveries_page.expect_favourite(1, False)


def test_a_favourite_refused_after_its_page_was_closed_is_reported_once_when_it_is_reopened(deliveries, deliveries_page):
    deliveries.stop()
    set_favourite(deliveries_page, 1)
    deliveries_page.expect_favourite(1, True)
    deliveries_page.page.goto("about:blank")
    deliveries.refused.add(1)
    deliveries.start()
    wait_until_reverted(deliveries_page.page, deliveries_page.address, 1)

    deliveries_page.open()

    expect(deliveries_page.notice).to_contain_text("Couldn’t save “Parcel 1 for Zoë” as a favourite. The server doesn’t allow this.")
    deliveries_page.open()
    deliveries_page.expect_all_loaded()
    deliveries_page.page.wait_for_load_state("networkidle")
    expect(deliveries_page.notice).to_be_empty()


@pytest.mark.console_errors_allowed
def test_a_refusal_is_reported_after_a_restart(deliveries, start, page, tmp_path):
    arguments = ("--data", tmp_path, *deliveries.arguments)
    program = start("window", "--port", 0, *arguments)
    deliveries_page = DeliveryList(page, program.address).open()
    deliveries_page.expect_count(45)
    deliveries.refused |= {1, 2}
    deliveries_page.favourite(1).click()
    expect(deliveries_page.notice).to_contain_text("Couldn’t save “Parcel 1 for Zoë” as a favourite.")
    program.stop()

    with page.expect_response(lambda response: response.url.endswith("/windows") and response.status == 201):
        start("window", "--port", program.port, *arguments)
    deliveries_page.favourite(2).click()

    expect(deliveries_page.notice).to_contain_text("Couldn’t save “Parcel 2 for Zoë” as a favourite.")
    deliveries_page.expect_favourite(2, False)


@pytest.mark.console_errors_allowed
def test_a_favourite_set_offline_is_stored_and_sent_later(deliveries, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *deliveries.arguments)
    program = start(*arguments)
    deliveries_page = DeliveryList(page, program.address).open()
    deliveries_page.expect_count(45)
    deliveries.stop()
    before = datetime.now(timezone.utc)
    set_favourite(deliveries_page, 1)
    deliveries_page.expect_favourite(1, True)
    after = datetime.now(timezone.utc)
    program.kill()

    again = DeliveryList(page, start(*arguments).address).open()
    again.expect_favourite(1, True)
    deliveries.start()

    deliveries.wait_until(lambda: len(deliveries.favourite_requests) == 1)
    number, body, _ = deliveries.favourite_requests[0]
    moment = datetime.fromisoformat(body["at"].replace("Z", "+00:00"))
    assert number == 1
    # Pages have timestamps in milliseconds.
    assert before - timedelta(milliseconds=1) <= moment <= after
    again.expect_favourite(1, True)


# The ring of an unsent favourite, which appears after a delay.
RING_IS_SHOWN = """(selector) => {
    const form = document.querySelector(selector);
    if (!form) return false;
    const { content, visibility, width, borderTopWidth, borderTopLeftRadius } = getComputedStyle(form, "::after");
    return content === '""' && visibility === "visible" && parseFloat(width) > 4 && parseFloat(borderTopWidth) >= 1 && borderTopLeftRadius === "50%";
}"""


def test_an_unsent_favourite_is_labelled_while_only_its_server_is_unreachable(deliveries, deliveries_page):
    row, other = deliveries_page.favourite(1), deliveries_page.favourite(2)
    deliveries.stop()

    row.click()

    expect(row).to_have_accessible_name("Favourite: Parcel 1 for Zoë (Not sent yet)")
    expect(other).to_have_accessible_name("Favourite: Parcel 2 for Zoë")
    deliveries_page.page.wait_for_function(RING_IS_SHOWN, arg="#row-1 .favourite[data-unsent]")
    deliveries_page.page.goto(f"{deliveries_page.address}/1")
    words = deliveries_page.page.locator(".favourite[data-unsent]")
    words.wait_for()
    assert words.evaluate("(form) => getComputedStyle(form, '::before').content") == '"Not sent yet"'
    deliveries_page.page.wait_for_function("() => getComputedStyle(document.querySelector('.favourite'), '::before').visibility === 'visible'")

    deliveries.start()

    expect(words).to_have_count(0)
    expect(deliveries_page.page.locator(".favourite button")).to_have_accessible_name("Favourite: Parcel 1 for Zoë")
    expect(deliveries_page.page.locator(".favourite button")).to_have_attribute("aria-pressed", "true")


def test_a_favourite_button_is_44_px_and_has_an_accessible_name(deliveries_page):
    # Read in one step, because a loading row replaces its element.
    deliveries_page.page.wait_for_function("""() => {
        const { width, height } = document.querySelector(".row[data-index='0'] .favourite button").getBoundingClientRect();
        return Math.min(width, height) >= 44;
    }""")
    expect(deliveries_page.favourite(0)).to_have_accessible_name("Favourite: Parcel 0 for Zoë")


def test_without_scripts_a_favourite_is_a_form(deliveries, start_window, new_page):
    page = new_page(java_script_enabled=False)
    deliveries_page = DeliveryList(page, start_window(deliveries).address).open()
    expect(deliveries_page.row(0)).to_contain_text("Parcel 0")

    deliveries_page.favourite(1).click()

    deliveries_page.expect_favourite(1, True)
    assert "/deliveries" in page.url
    deliveries.wait_until(lambda: len(deliveries.favourite_requests) == 1)
