"""The list on every screen: large text, low screens, right to left, on paper."""

import pytest
from playwright.sync_api import expect

from order_list import OrderList

TARGETS = """() => [...document.querySelectorAll("a, button, .chip, [type=search]")]
    .filter((element) => element.checkVisibility() && !element.closest(".row") && element.getBoundingClientRect().width > 0)
    .map((element) => ({ what: element.outerHTML.slice(0, 80), box: element.getBoundingClientRect() }))
    .filter(({ box }) => Math.min(box.width, box.height) < 43.9)
    .map(({ what }) => what)"""

CUT_LINES = """() => [...document.querySelectorAll(".row[data-state=loaded]")].slice(0, 3).flatMap((row) => {
    const { bottom } = row.getBoundingClientRect();
    return [...row.children].filter((child) => child.getBoundingClientRect().bottom > bottom + 1).map((child) => child.className);
})"""


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


@pytest.fixture
def opened(orders, window_on, new_page):
    """Opens the list in a page of its own kind."""
    def opened(prepare=lambda page: None, **options):
        page = new_page(**options)
        prepare(page)
        orders_page = OrderList(page, window_on(orders).page).open()
        for number in (1, 2):
            orders_page.expect_state(number, "loaded")
        return orders_page

    return opened


def text_at_200_percent(page):
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})


def test_text_at_200_percent_fits(opened):
    page = opened(text_at_200_percent).page

    assert page.evaluate("() => getComputedStyle(document.documentElement).fontSize") == "32px"
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    assert page.evaluate(CUT_LINES) == []
    assert page.evaluate("() => { const h = document.getElementById('heading'); return h.scrollWidth <= h.clientWidth; }")


def test_rows_of_large_text_scroll_as_others_do(opened):
    orders_page = opened(text_at_200_percent)

    orders_page.jump_to(20)

    assert orders_page.rows_in_view()[0]["index"] == 20
    orders_page.expect_state(22, "loaded")


def test_every_target_is_large_enough_for_a_thumb(opened):
    assert opened().page.evaluate(TARGETS) == []


def test_a_low_screen_belongs_to_the_rows(opened):
    orders_page = opened(lambda page: page.set_viewport_size({"width": 844, "height": 390}))
    page = orders_page.page

    assert orders_page.bar.bounding_box()["height"] <= 56
    page.evaluate("() => scrollTo(0, 400)")

    expect(page.locator("#arrange")).not_to_be_in_viewport()
    assert orders_page.bar.bounding_box()["y"] == 0


def test_the_list_reads_from_right_to_left(opened):
    def turn(page):
        page.route("**/orders", lambda route: route.fulfill(
            response=(reply := route.fetch()), body=reply.text().replace('dir="ltr"', 'dir="rtl"')))

    orders_page = opened(turn)
    title = orders_page.row(1).locator(".title a").bounding_box()
    price = orders_page.row(1).locator(".price").bounding_box()

    assert price["x"] + price["width"] < 195 < title["x"] + title["width"]
    assert orders_page.page.evaluate("() => document.documentElement.scrollWidth") == 390


def test_chosen_sorts_stand_out_in_forced_colours(opened):
    orders_page = opened(forced_colors="active")
    chips = orders_page.page.locator(".chip")

    orders_page.sort("price").check()

    colours = [chip.evaluate("(element) => getComputedStyle(element).backgroundColor") for chip in chips.all()]
    assert colours[0] not in colours[1:]


def test_a_print_holds_the_rows_and_no_more(opened):
    orders_page = opened()
    page = orders_page.page
    orders_page.jump_to(20)

    page.emulate_media(media="print")

    expect(page.locator("#arrange")).to_be_hidden()
    # In one look: a locator could hold skeletons that rows have taken the place of.
    boxes = page.evaluate("() => [...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect().toJSON())")
    assert len(boxes) > 20
    assert all(abs(below["top"] - above["bottom"]) < 1 for above, below in zip(boxes, boxes[1:]))
