"""A shop gets its orders in and out as files."""

import csv
import io

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from couriers import sign_in
from test_accessibility import large_text_faults, text_faults, violations

HEADER = "externalId;title;price;currency;address\n"
GOOD = HEADER + "A-1;Soup;12,50;EUR;1 Ash Street\nA-2;=1+1;3;EUR;2 Ash Street\n"
FAULTY = GOOD + "A-3;Bread;cheap;EUR;3 Ash Street\n"


@pytest.fixture
def screen():
    return SCREENS["desktop"]


@pytest.fixture
def program(start, tmp_path):
    return start("run", "--orders", "3", "--deliveries", "5", "--data", tmp_path / "data", "--port", "0")


def open_import(page, program):
    sign_in(page, program, "Ada")
    page.goto(f"{program.address}/dispatch/import")


def choose(page, text, encoding="utf-8"):
    page.get_by_label("File in CSV or JSON Lines").set_input_files(
        {"name": "orders.csv", "mimeType": "text/csv", "buffer": text.encode(encoding)})


def orders(page, program):
    """Returns the rows of an export."""
    page.goto(f"{program.address}/dispatch?show=all&sort=newest")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as CSV").click()
    return list(csv.DictReader(io.StringIO(download.value.path().read_bytes().decode("utf-8-sig"))))


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.console_errors_allowed
def test_a_file_is_checked_mended_imported_and_exported(program, new_page, script):
    page = new_page(java_script_enabled=script)
    open_import(page, program)
    message = page.locator(".import-message")

    choose(page, FAULTY)
    page.locator("[name=time-zone]").fill("Asia/Taipei")
    page.locator("[name=currency]").fill("TWD")
    page.get_by_role("button", name="Check the file").click()
    expect(message).to_contain_text("In the file: 2 orders. Faulty rows: 1.")
    expect(page.locator(".import-faults tbody tr")).to_contain_text(["cheap"])
    expect(page.locator("[name=time-zone]")).to_have_value("Asia/Taipei")
    expect(page.locator("[name=currency]")).to_have_value("TWD")
    choose(page, FAULTY)
    page.get_by_role("button", name="Import all").click()
    expect(message).to_have_text("Nothing was imported: these rows are faulty.")
    choose(page, GOOD, "utf-16")
    page.get_by_role("button", name="Import all").click()
    expect(message).to_contain_text("Created: 2 orders. There before: 0.")
    expect(page.get_by_text("Addresses without coordinates")).to_be_visible()
    choose(page, GOOD)
    page.get_by_role("button", name="Import the rows without faults").click()
    expect(message).to_contain_text("There before: 2.")

    rows = {row["externalId"]: row for row in orders(page, program) if row["externalId"]}
    assert (rows["A-1"]["title"], rows["A-1"]["price"]) == ("Soup", "12.50")
    assert rows["A-2"]["title"] == "'=1+1"


@pytest.mark.console_errors_allowed
def test_a_file_that_is_no_table_says_what_to_do(program, new_page):
    page = new_page()
    open_import(page, program)

    choose(page, "%PDF-1.7 and more")
    page.get_by_role("button", name="Check the file").click()
    expect(page.locator(".import-message")).to_contain_text("Not saved: the file is")
    choose(page, "colour;value\na;b\n")
    page.get_by_role("button", name="Check the file").click()
    expect(page.locator(".import-message")).to_contain_text('missing: "title"')


def test_an_import_is_shown_in_the_table_of_others_at_once(program, new_page):
    watcher, page = new_page(), new_page()
    sign_in(watcher, program, "Ada")
    watcher.goto(f"{program.address}/dispatch?show=all&sort=newest")
    open_import(page, program)

    choose(page, GOOD)
    page.get_by_role("button", name="Import all").click()

    expect(watcher.get_by_role("link", name="Soup")).to_be_visible()
    expect(watcher.locator("#scopes")).to_contain_text("All 5")


@pytest.mark.parametrize(("locale", "rule"), [("en-US", "must be an amount such as 42.50"), ("ar-EG", "يجب أن يكون مبلغًا مثل 42.50")])
@pytest.mark.console_errors_allowed
def test_the_form_and_its_result_are_in_one_language_and_pass_axe(program, new_page, locale, rule):
    page = new_page(locale=locale, reduced_motion="reduce")
    page.goto(f"{program.address}/sign-in")
    page.locator("[name=demo]").last.click()
    page.goto(f"{program.address}/dispatch/import")
    page.locator("[name=file]").set_input_files({"name": "orders.csv", "mimeType": "text/csv", "buffer": FAULTY.encode()})
    page.locator("button[value=all]").click()
    expect(page.locator(".import-faults")).to_contain_text(rule)

    found = []
    for name in SCREENS:
        page.set_viewport_size(SCREENS[name])
        found += violations(page)
    assert "\n".join(found + text_faults(page, 320, may_ellipsize=True) + large_text_faults(page)) == ""
