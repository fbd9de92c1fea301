"""Favourite marks: shown at once, sent once, undone where they are refused."""

import re
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList


@pytest.fixture
def opened(deliveries, window_on, page):
    opened = DeliveryList(page, window_on(deliveries).page).open()
    opened.expect_all_loaded()
    return opened


def test_a_mark_is_shown_and_sent_with_a_key_and_the_time_of_the_finger(deliveries, opened):
    opened.favourite(1).click()

    opened.expect_favourite(1, True)
    deliveries.wait_until(lambda: len(deliveries.marks) == 1)
    number, body, key = deliveries.marks[0]
    assert (number, body["favourite"]) == (1, True)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", body["at"])
    assert re.fullmatch(r'"[0-9a-f-]{32,36}"', key)

    opened.favourite(1).click()

    opened.expect_favourite(1, False)
    deliveries.wait_until(lambda: len(deliveries.marks) == 2)
    assert deliveries.marks[1][1]["favourite"] is False


def test_a_mark_stays_when_the_page_is_opened_anew_and_on_its_own_page(deliveries, opened):
    opened.favourite(1).click()
    deliveries.wait_until(lambda: deliveries.marks)

    opened.open()

    opened.expect_favourite(1, True)
    opened.page.goto(f"{opened.address}/1")
    expect(opened.page.locator(".favourite button")).to_have_attribute("aria-pressed", "true")


def test_a_mark_on_its_own_page_keeps_the_focus(deliveries, opened):
    page = opened.page
    page.goto(f"{opened.address}/2")
    mark = page.locator(".favourite button")
    before = mark.get_attribute("aria-pressed")
    mark.focus()

    for pressed in ["true", "false"] if before == "false" else ["false", "true"]:
        page.keyboard.press("Space")
        expect(mark).to_have_attribute("aria-pressed", pressed)
        page.wait_for_timeout(300)
        expect(mark).to_be_focused()


@pytest.mark.noisy
def test_a_page_of_a_delivery_that_is_gone_says_so_when_its_program_comes_back(deliveries, window_on, start, page):
    program = window_on(deliveries)
    DeliveryList(page, program.page).open().expect_all_loaded()
    page.goto(f"{program.page}/deliveries/2")
    expect(page.locator("#detail")).to_be_visible()
    program.stop()

    deliveries.numbers = []
    start("window", "--port", program.port, *deliveries.arguments)

    expect(page.get_by_role("heading", level=1)).to_contain_text("not found", ignore_case=True)


def test_a_mark_that_is_refused_is_taken_back_with_the_reason(deliveries, opened):
    deliveries.refused.add(2)

    opened.favourite(2).click()

    expect(opened.notice).to_contain_text("Couldn’t save “Parcel 2 for Zoë” as a favourite. The server doesn’t allow this.")
    opened.expect_favourite(2, False)


@pytest.mark.noisy
def test_a_refusal_is_told_also_by_a_program_that_was_restarted(deliveries, start, page, tmp_path):
    arguments = ("--data", tmp_path, *deliveries.arguments)
    program = start("window", "--port", 0, *arguments)
    opened = DeliveryList(page, program.page).open()
    opened.expect_count(45)
    deliveries.refused |= {1, 2}
    opened.favourite(1).click()
    expect(opened.notice).to_contain_text("Couldn’t save “Parcel 1 for Zoë” as a favourite.")
    program.stop()

    with page.expect_response(lambda reply: reply.url.endswith("/windows") and reply.status == 201):
        start("window", "--port", program.port, *arguments)
    opened.favourite(2).click()

    expect(opened.notice).to_contain_text("Couldn’t save “Parcel 2 for Zoë” as a favourite.")
    opened.expect_favourite(2, False)


@pytest.mark.noisy
def test_a_mark_without_a_network_is_kept_and_sent_later(deliveries, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *deliveries.arguments)
    program = start(*arguments)
    opened = DeliveryList(page, program.page).open()
    opened.expect_count(45)
    deliveries.stop()
    before = datetime.now(timezone.utc)
    opened.favourite(1).click()
    opened.expect_favourite(1, True)
    after = datetime.now(timezone.utc)
    page.wait_for_load_state("networkidle")
    program.kill()

    again = DeliveryList(page, start(*arguments).page).open()
    again.expect_favourite(1, True)
    deliveries.start()

    deliveries.wait_until(lambda: len(deliveries.marks) == 1)
    number, body, _ = deliveries.marks[0]
    moment = datetime.fromisoformat(body["at"].replace("Z", "+00:00"))
    assert number == 1
    # To the millisecond, as a page counts.
    assert before - timedelta(milliseconds=1) <= moment <= after
    again.expect_favourite(1, True)


def test_a_mark_is_as_large_as_a_finger_and_says_what_it_marks(opened):
    box = opened.favourite(0).bounding_box()

    assert min(box["width"], box["height"]) >= 44
    expect(opened.favourite(0)).to_have_accessible_name("Favourite: Parcel 0 for Zoë")


def test_without_scripts_a_mark_is_a_form(deliveries, window_on, new_page):
    page = new_page(java_script_enabled=False)
    opened = DeliveryList(page, window_on(deliveries).page).open()
    expect(opened.row(0)).to_contain_text("Parcel 0")

    opened.favourite(1).click()

    opened.expect_favourite(1, True)
    assert "/deliveries" in page.url
    deliveries.wait_until(lambda: len(deliveries.marks) == 1)
