"""The list of orders in a page."""

import re

from playwright.sync_api import expect

VISIBLE_ROWS = """() => {
    const bar = document.getElementById("bar").getBoundingClientRect();
    const top = Math.max(0, bar.bottom);
    return [...document.querySelectorAll(".row")]
        .map((row) => ({ box: row.getBoundingClientRect(), ...row.dataset }))
        .filter(({ box }) => box.bottom > top + 1 && box.top < innerHeight - 1)
        .map(({ box, id, index, state }) => ({ index: +index, id: id && +id, state, top: Math.round(box.top), bottom: box.bottom }))
        .sort((a, b) => a.index - b.index);
}"""

VISIBLE_TEXTS = """() => (%s)().map(({ index }) => document.querySelector(`.row[data-index="${index}"]`).innerText)""" % VISIBLE_ROWS

LOADED = """() => {
    const rows = (%s)(), last = rows.at(-1);
    const fillView = last && (last.index === +list.dataset.count - 1 || last.bottom >= innerHeight - 1);
    return rows.length > 2 && fillView && rows.every(({ index, state }, place) => state === "loaded" && index === rows[0].index + place);
}""" % VISIBLE_ROWS

# The time in the status line, with the clock of the rows.
UPDATED_STATUS = re.compile(r"Updated \d{2}:\d{2}$")
# The status line while the program is unreachable.
OFFLINE_STATUS = re.compile(r"Offline\. Last updated \d{2}:\d{2}$")


class OrderList:
    """The list of orders."""

    def __init__(self, page, address):
        self.page = page
        self.address = f"{address}/orders"

    def open(self):
        self.page.goto(self.address)
        return self

    def row(self, number):
        return self.page.locator(f"#row-{number}")

    def rows_in_view(self):
        """Returns the index, id, state and position of each row that is at least partly in view, in order."""
        return self.page.evaluate(VISIBLE_ROWS)

    def bounding_box_of(self, number):
        """Returns the bounding box of a row. It is read in one step: a loading row replaces its element, to which a locator might refer."""
        return self.page.wait_for_function(
            "(id) => document.getElementById(id)?.getBoundingClientRect().toJSON()", arg=f"row-{number}").json_value()

    def numbers_in_view(self):
        return [row["index"] + 1 for row in self.rows_in_view()]

    def texts_in_view(self):
        """Returns the texts of the rows that are at least partly in view, in one step: an update may replace or move them."""
        return self.page.evaluate(VISIBLE_TEXTS)

    def expect_all_loaded(self):
        """Waits until loaded rows fill the viewport."""
        self.page.wait_for_function(LOADED)

    def expect_in_view(self, index):
        """Waits until the row of an index is in view."""
        self.page.wait_for_function("(index) => (%s)().some((row) => row.index === index)" % VISIBLE_ROWS, arg=index)

    def expect_state(self, number, state):
        expect(self.row(number)).to_have_attribute("data-state", state)

    def jump_to_end(self):
        """Scrolls to the end in one step, as with the scroll bar."""
        self.page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
        assert self.page.evaluate("scrollY") > 0

    def jump_to(self, index):
        """Scrolls in one step until a row is the first in view, and waits until the URL names it."""
        self.page.evaluate(
            """(index) => {
                const { height } = document.querySelector(".row").getBoundingClientRect();
                const lead = document.getElementById("list").offsetTop - document.getElementById("bar").offsetHeight;
                scrollTo({ top: Math.ceil(lead + index * height), behavior: "instant" });
            }""",
            index,
        )
        self.page.wait_for_url(lambda url: f"from={index}" in url)

    def refresh(self):
        """Presses the button and waits until the program has received the request; the refresh may take longer."""
        with self.page.expect_response(lambda response: response.url.endswith("/refresh")):
            self.page.get_by_role("button", name="Refresh").click()

    def expect_idle(self):
        """Waits until no list is being fetched."""
        expect(self.page.locator("#list")).to_have_attribute("aria-busy", "false")

    @property
    def bar(self):
        return self.page.locator("#bar")

    @property
    def status(self):
        return self.page.locator("#status")

    @property
    def search(self):
        return self.page.get_by_role("searchbox")

    def sort(self, value):
        return self.page.locator(f"#list-controls [type=radio][value={value}]")

    def sort_by_highest(self, value="price"):
        """Presses the button of a reversible sort until the highest values come first."""
        self.sort(value).check()
        self.sort(value).click()
        expect(self.sort(f"{value}Down")).to_be_checked()

    @property
    def new_rows_button(self):
        """The button that leads to new rows."""
        return self.page.locator("#new-rows")

    @property
    def error(self):
        """The error of the last refresh."""
        return self.page.locator("#error")

    @property
    def heading(self):
        return self.page.get_by_role("heading", level=1)
