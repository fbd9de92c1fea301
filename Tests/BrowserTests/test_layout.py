"""The layout of the list: large text, low screens, right to left, print."""

import pytest
from playwright.sync_api import expect

from order_list import UPDATED_STATUS, OrderList

SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, .chip, [type=search]")]
    .filter((element) => element.checkVisibility() && !element.closest(".row") && element.getBoundingClientRect().width > 0)
    .map((element) => ({ what: element.outerHTML.slice(0, 80), box: element.getBoundingClientRect() }))
    .filter(({ box }) => Math.min(box.width, box.height) < 43.9)
    .map(({ what }) => what)"""

CLIPPED_LINES = """() => [...document.querySelectorAll(".row[data-state=loaded]")].slice(0, 3).flatMap((row) => {
    const { bottom } = row.getBoundingClientRect();
    return [...row.children].filter((child) => child.getBoundingClientRect().bottom > bottom + 1).map((child) => child.className);
})"""

# The offsets of icons from the middle of capital letters beside them, in px; texts of several lines are omitted.
ICON_OFFSETS = """(hosts) => hosts.flatMap((host) => {
    const isText = ({ data, parentElement }) => data.trim() && !parentElement.closest(".visually-hidden") ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
    const text = document.createTreeWalker(host, NodeFilter.SHOW_TEXT, isText).nextNode(), line = new Range();
    line.selectNodeContents(text);
    if (line.getClientRects().length > 1) return [];
    const foot = document.createElement("span"); // has no height, and so is on the baseline
    foot.style.display = "inline-block";
    text.before(foot);
    const baseline = foot.getBoundingClientRect().bottom;
    foot.remove();
    const pen = document.createElement("canvas").getContext("2d"), { fontWeight, fontSize, fontFamily } = getComputedStyle(text.parentElement);
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const { top, bottom } = host.querySelector(".icon").getBoundingClientRect();
    return [(top + bottom) / 2 - baseline + pen.measureText("H").actualBoundingBoxAscent / 2];
})"""

# The styles of the status icon in each state, except its colour; the last state is a failed refresh.
STATUS_ICON_SHAPES = """() => {
    const bar = document.getElementById("bar"), error = document.getElementById("error"), style = getComputedStyle(bar.querySelector(".status-icon"));
    const shape = (status, text) => {
        bar.dataset.status = status;
        error.textContent = text;
        return [style.maskImage, style.borderTopLeftRadius, style.scale, style.animationName].join(" ");
    };
    return [shape("ready", ""), shape("busy", ""), shape("loading", ""), shape("offline", ""), shape("ready", "!")];
}"""


@pytest.fixture
def screen():
    return {"width": 390, "height": 844}


@pytest.fixture
def open_list(orders, start_window, new_page):
    """Opens the list in a page with options."""
    def open_list(prepare=lambda page: None, **options):
        page = new_page(**options)
        prepare(page)
        orders_page = OrderList(page, start_window(orders).address).open()
        for number in (1, 2):
            orders_page.expect_state(number, "loaded")
        return orders_page

    return open_list


def set_text_size_200_percent(page):
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})


def test_text_at_200_percent_fits(open_list):
    page = open_list(set_text_size_200_percent).page

    assert page.evaluate("() => getComputedStyle(document.documentElement).fontSize") == "32px"
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    assert page.evaluate(CLIPPED_LINES) == []
    assert page.evaluate("() => { const h = document.getElementById('heading'); return h.scrollWidth <= h.clientWidth; }")


def test_rows_with_large_text_scroll_correctly(open_list):
    orders_page = open_list(set_text_size_200_percent)

    orders_page.jump_to(20)

    assert orders_page.rows_in_view()[0]["index"] == 20
    orders_page.expect_state(22, "loaded")


def test_every_target_is_at_least_44_px(open_list):
    assert open_list().page.evaluate(SMALL_TARGETS) == []


def test_controls_scroll_away_on_a_low_screen(open_list):
    orders_page = open_list(lambda page: page.set_viewport_size({"width": 844, "height": 390}))
    page = orders_page.page

    assert orders_page.bar.bounding_box()["height"] <= 56
    page.evaluate("() => scrollTo(0, 400)")

    expect(page.locator("#list-controls")).not_to_be_in_viewport()
    assert orders_page.bar.bounding_box()["y"] == 0


def test_the_list_is_mirrored_right_to_left(open_list):
    def turn(page):
        page.route("**/orders", lambda route: route.fulfill(
            response=(response := route.fetch()), body=response.text().replace('dir="ltr"', 'dir="rtl"')))

    orders_page = open_list(turn)
    title = orders_page.row(1).locator(".title a").bounding_box()
    price = orders_page.row(1).locator(".price").bounding_box()

    assert price["x"] + price["width"] < 195 < title["x"] + title["width"]
    assert orders_page.page.evaluate("() => document.documentElement.scrollWidth") == 390


def test_icons_are_vertically_centred_on_the_text_beside_them(orders, open_list):
    orders.responses[3] = 404
    orders_page = open_list()
    page = orders_page.page
    orders_page.expect_state(3, "failed")
    expect(orders_page.status).to_have_text(UPDATED_STATUS)
    offsets = {part: page.locator(part).evaluate_all(ICON_OFFSETS) for part in (".status", ".chip", "#row-3 > .title")}

    page.goto(f"{orders_page.address}/1")
    expect(page.locator(".facts")).to_be_visible()
    offsets[".facts"] = page.locator(".facts > div").evaluate_all(ICON_OFFSETS)

    assert all(offsets.values()), offsets
    assert all(abs(offset) < 1.5 for part in offsets.values() for offset in part), offsets


def test_each_status_of_a_list_has_its_own_icon_shape(open_list):
    orders_page = open_list()
    expect(orders_page.status).to_have_text(UPDATED_STATUS)

    shapes = orders_page.page.evaluate(STATUS_ICON_SHAPES)

    assert len(set(shapes)) == len(shapes) == 5, shapes


def test_the_chosen_sort_stands_out_in_forced_colours(open_list):
    orders_page = open_list(forced_colors="active")
    chips = orders_page.page.locator(".chip")

    orders_page.sort("price").check()

    colours = [chip.evaluate("(element) => getComputedStyle(element).backgroundColor") for chip in chips.all()]
    assert colours[0] not in colours[1:]


def test_a_print_shows_only_the_rows(open_list):
    orders_page = open_list()
    page = orders_page.page
    orders_page.jump_to(20)

    page.emulate_media(media="print")

    expect(page.locator("#list-controls")).to_be_hidden()
    # Read in one step: a loading row replaces its element, to which a locator might refer.
    boxes = page.evaluate("() => [...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect().toJSON())")
    assert len(boxes) > 20
    assert all(abs(below["top"] - above["bottom"]) < 1 for above, below in zip(boxes, boxes[1:]))
