"""A server with the faults of the original: one response in nine is a 500, each takes up to four seconds, and the content changes each time."""

import os

import pytest

from delivery_list import DeliveryList

# The full number takes minutes: `make soak` uses it.
ROWS = 2_000 if os.environ.get("LADING_SOAK") else 200

RECORD_ERRORS = """
  window.seen = [];
  const record = () => {
    if (error.textContent) seen.push(error.textContent);
    for (const row of list.querySelectorAll("[data-state=failed]")) seen.push(row.textContent);
  };
  new MutationObserver(record).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
"""


@pytest.mark.timeout(1_200)
def test_server_faults_are_never_shown_while_scrolling_to_the_end(start, page):
    program = start("run", "--port", 0, "--in-memory", "--orders", 10, "--deliveries", ROWS, "--faults", "original")
    page.set_default_timeout(60_000)
    opened = DeliveryList(page, program.address).open()
    page.evaluate(RECORD_ERRORS)

    opened.scroll_to_the_end()

    opened.expect_count(ROWS)
    assert page.evaluate("seen") == []
