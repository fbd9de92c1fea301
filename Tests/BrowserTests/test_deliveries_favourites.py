"""Favourite marks: shown at once, sent once, undone where they are refused."""

import re
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

from delivery_list import DeliveryList
from program import wait_until


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


def refresh_and_wait(opened, deliveries):
    """Refreshes, and waits until the first page has been sent and shown."""
    asked = deliveries.asked.count(0)
    opened.refresh()
    deliveries.wait_until(lambda: deliveries.asked.count(0) > asked)
    opened.expect_idle()


def test_a_mark_stays_through_refreshes_that_do_not_mention_it(deliveries, opened):
    opened.favourite(1).click()
    opened.favourite(2).click()
    deliveries.wait_until(lambda: len(deliveries.marks) == 2)
    opened.favourite(2).click()
    deliveries.wait_until(lambda: len(deliveries.marks) == 3)

    for _ in range(3):
        refresh_and_wait(opened, deliveries)

    opened.expect_favourite(1, True)
    opened.expect_favourite(2, False)
    opened.open()
    opened.expect_favourite(1, True)
    opened.expect_favourite(2, False)


def test_a_newer_list_that_mentions_the_mark_has_the_last_word(deliveries, opened):
    opened.favourite(1).click()
    deliveries.wait_until(lambda: deliveries.marks)
    deliveries.favourites = {1: False}

    for _ in range(2):
        refresh_and_wait(opened, deliveries)
    opened.expect_favourite(1, False)

    deliveries.favourites = {}
    refresh_and_wait(opened, deliveries)
    opened.expect_favourite(1, False)


@pytest.mark.noisy
def test_marks_of_the_demo_stay_through_refreshes_on_every_page_and_after_a_restart(start, page, new_page, tmp_path):
    arguments = ("run", "--port", 0, "--data", tmp_path)
    program = start(*arguments)
    opened = DeliveryList(page, program.page).open()
    other = DeliveryList(new_page(), program.page).open()
    for each in (opened, other):
        each.expect_all_loaded()

    opened.favourite(1).click()

    other.expect_favourite(1, True)
    wait_until_marked(page, program.origin, 1)
    for _ in range(3):
        opened.refresh()
        opened.expect_idle()
    for each in (opened, other):
        each.expect_favourite(1, True)
    program.stop()
    program = start(*arguments)
    again = DeliveryList(new_page(), program.page).open()
    again.expect_all_loaded()
    again.refresh()
    again.expect_idle()
    again.expect_favourite(1, True)


def wait_until_marked(page, origin, number):
    """Waits until the origin has a mark."""
    address = f"{origin}/v1/deliveries/{number}/favourite"
    wait_until(lambda: page.request.get(address).json()["favourite"], f"delivery {number} was never marked")


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


@pytest.mark.parametrize("count, ending", [(3, ""), (4, "and 1 more")])
def test_marks_that_are_refused_together_are_all_taken_back_and_the_last_three_named(deliveries, opened, count, ending):
    numbers = range(count)
    deliveries.stop()
    for number in numbers:
        opened.favourite(number).click()
        opened.expect_favourite(number, True)
    deliveries.refused |= set(numbers)
    deliveries.start()

    line = r"Couldn’t save “Parcel (\d) for Zoë” as a favourite\. The server doesn’t allow this\."
    expect(opened.notice).to_have_text(re.compile(rf"^({line}\s*){{3}}{ending}$"))
    assert len(set(re.findall(line, opened.notice.text_content()))) == 3
    assert len(opened.notice.inner_text().splitlines()) == (3 if not ending else 4)
    for number in numbers:
        opened.expect_favourite(number, False)


def wait_until_undone(page, address, number):
    """Waits until the window shows a row without its mark; nobody looks at the page that says so."""
    wait_until(
        lambda: 'aria-pressed="false"' in page.request.get(f"{address}/{number}?plain=1").text(), f"the mark of {number} was never undone")


def test_a_mark_that_is_refused_while_its_row_is_out_of_view_is_reported_when_the_row_is_seen(deliveries, opened):
    deliveries.stop()
    opened.favourite(1).click()
    opened.expect_favourite(1, True)
    opened.jump_to(30)
    deliveries.refused.add(1)
    deliveries.start()
    wait_until_undone(opened.page, opened.address, 1)
    expect(opened.notice).to_be_empty()

    opened.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")

    expect(opened.notice).to_contain_text("Couldn’t save “Parcel 1 for Zoë” as a favourite. The server doesn’t allow this.")
    opened.expect_favourite(1, False)


def test_a_mark_that_is_refused_after_its_page_was_left_is_reported_when_it_is_opened_again_once(deliveries, opened):
    deliveries.stop()
    opened.favourite(1).click()
    opened.expect_favourite(1, True)
    opened.page.wait_for_load_state("networkidle")
    opened.page.goto("about:blank")
    deliveries.refused.add(1)
    deliveries.start()
    wait_until_undone(opened.page, opened.address, 1)

    opened.open()

    expect(opened.notice).to_contain_text("Couldn’t save “Parcel 1 for Zoë” as a favourite. The server doesn’t allow this.")
    opened.open()
    opened.expect_all_loaded()
    opened.page.wait_for_load_state("networkidle")
    expect(opened.notice).to_be_empty()


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


# The ring of a mark that is not sent, which appears after a while.
RING_IS_SHOWN = """(selector) => {
    const form = document.querySelector(selector);
    if (!form) return false;
    const { content, visibility, width, borderTopWidth, borderTopLeftRadius } = getComputedStyle(form, "::after");
    return content === '""' && visibility === "visible" && parseFloat(width) > 4 && parseFloat(borderTopWidth) >= 1 && borderTopLeftRadius === "50%";
}"""


def test_a_mark_says_that_it_is_not_sent_while_only_its_server_is_away(deliveries, opened):
    row, other = opened.favourite(1), opened.favourite(2)
    deliveries.stop()

    row.click()

    expect(row).to_have_accessible_name("Favourite: Parcel 1 for Zoë (Not sent yet)")
    expect(other).to_have_accessible_name("Favourite: Parcel 2 for Zoë")
    opened.page.wait_for_function(RING_IS_SHOWN, arg="#row-1 .favourite[data-unsent]")
    opened.page.goto(f"{opened.address}/1")
    words = opened.page.locator(".favourite[data-unsent]")
    words.wait_for()
    assert words.evaluate("(form) => getComputedStyle(form, '::before').content") == '"Not sent yet"'
    opened.page.wait_for_function("() => getComputedStyle(document.querySelector('.favourite'), '::before').visibility === 'visible'")

    deliveries.start()

    expect(words).to_have_count(0)
    expect(opened.page.locator(".favourite button")).to_have_accessible_name("Favourite: Parcel 1 for Zoë")
    expect(opened.page.locator(".favourite button")).to_have_attribute("aria-pressed", "true")


def test_a_mark_is_as_large_as_a_finger_and_says_what_it_marks(opened):
    # In one look: a row that arrives takes the place of the one before.
    opened.page.wait_for_function("""() => {
        const { width, height } = document.querySelector(".row[data-index='0'] .favourite button").getBoundingClientRect();
        return Math.min(width, height) >= 44;
    }""")
    expect(opened.favourite(0)).to_have_accessible_name("Favourite: Parcel 0 for Zoë")


def test_without_scripts_a_mark_is_a_form(deliveries, window_on, new_page):
    page = new_page(java_script_enabled=False)
    opened = DeliveryList(page, window_on(deliveries).page).open()
    expect(opened.row(0)).to_contain_text("Parcel 0")

    opened.favourite(1).click()

    opened.expect_favourite(1, True)
    assert "/deliveries" in page.url
    deliveries.wait_until(lambda: len(deliveries.marks) == 1)
