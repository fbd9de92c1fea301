"""A server that behaves as the original did: one reply in nine is a 500, each takes up to four seconds, and tells other content each time."""

import os

import pytest

from delivery_list import DeliveryList

# All of them take minutes: `make soak` does that.
ROWS = 2_000 if os.environ.get("LADING_SOAK") else 200

WATCH = """
  window.seen = [];
  const look = () => {
    if (error.textContent) seen.push(error.textContent);
    for (const row of list.querySelectorAll("[data-state=failed]")) seen.push(row.textContent);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
"""


@pytest.mark.timeout(1_200)
def test_faults_are_never_shown_to_who_scrolls_from_an_empty_store_to_the_end(start, page):
    program = start("run", "--port", 0, "--in-memory", "--orders", 10, "--deliveries", ROWS, "--faults", "original")
    page.set_default_timeout(60_000)
    opened = DeliveryList(page, program.page).open()
    page.evaluate(WATCH)

    opened.scroll_to_the_end()

    opened.expect_count(ROWS)
    assert page.evaluate("seen") == []
