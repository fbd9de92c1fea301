"""Signing in with a one-time link or as one of the demo's people, and out."""

import re

import pytest
from playwright.sync_api import expect

from conftest import SCREENS
from couriers import sign_in, token_of

FIRST_LINK = re.compile(r"signs in, once and until tomorrow, with the link (\S+)")


@pytest.fixture
def screen():
    """These pages behave alike on each screen."""
    return SCREENS["phone"]


@pytest.fixture
def program(start, tmp_path):
    """A page and its server with an own data directory."""
    return start("run", "--port", "0", "--orders", "20", "--deliveries", "20", "--data", tmp_path / "data")


@pytest.fixture
def first_link(program):
    return program.wait_for_line(FIRST_LINK)


def sign_in_button(page):
    return page.get_by_role("button", name="Sign in", exact=True)


def test_a_link_is_opened_and_its_button_signs_in(first_link, page):
    page.goto(first_link)

    # The secret is removed from the address, where others could see it.
    expect(page).to_have_url(re.compile(r"/sign-in$"))
    expect(page.get_by_text("Your link works once.")).to_be_visible()
    expect(page.get_by_label("Link")).to_be_hidden()
    sign_in_button(page).click()

    expect(page.get_by_text("Signed in as Dispatcher · Dispatcher")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Signed in as")).to_be_visible()
    # No script reads the token.
    assert page.evaluate("document.cookie") == ""
    cookie = next(cookie for cookie in page.context.cookies() if cookie["name"] == "token")
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"


@pytest.mark.console_errors_allowed
def test_a_used_link_says_what_to_do(first_link, page):
    page.goto(first_link)
    sign_in_button(page).click()
    page.get_by_role("button", name="Sign out").click()
    expect(sign_in_button(page)).to_be_visible()

    page.goto("about:blank")
    page.goto(first_link)
    sign_in_button(page).click()

    expect(page.get_by_role("alert")).to_contain_text("ask your dispatcher for a new one")


def test_opening_a_link_without_its_button_does_not_use_it(first_link, page, new_page):
    preview = new_page(java_script_enabled=False)
    preview.goto(first_link)
    preview.reload()

    page.goto(first_link)
    sign_in_button(page).click()

    expect(page.get_by_text("Signed in as")).to_be_visible()


def test_without_scripts_the_link_is_pasted(program, first_link, new_page):
    page = new_page(java_script_enabled=False)
    page.goto(f"{program.address}/sign-in")
    page.get_by_label("Link").fill(first_link)
    sign_in_button(page).click()

    expect(page.get_by_text("Signed in as Dispatcher")).to_be_visible()


def test_the_start_page_offers_demo_people_to_this_machine(program, page):
    page.goto(program.address)
    page.get_by_role("button", name="Mina (demo)").click()

    expect(page.get_by_text("Signed in as Mina (demo) · Courier")).to_be_visible()
    page.goto(program.address)
    expect(page.get_by_text("Signed in as Mina (demo)")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(sign_in_button(page)).to_be_visible()


def test_a_page_of_somebody_who_was_signed_out_elsewhere_reloads_itself(program, page):
    sign_in(page, program, "Mina")
    with page.expect_response(lambda response: "/events" in response.url):
        page.goto(f"{program.address}/my-orders")

    response = page.request.post(f"{program.origin_address}/api/v1/sign-out", headers={"Authorization": f"Bearer {token_of(page)}"})

    assert response.status == 204
    expect(page).to_have_url(re.compile(r"/sign-in$"))


def test_other_machines_are_offered_no_demo_people(start, page, tmp_path):
    program = start("run", "--port", "0", "--host", "0.0.0.0", "--orders", "5", "--deliveries", "5", "--data", tmp_path / "data")

    page.goto(program.address.replace("0.0.0.0", "127.0.0.1"))

    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.get_by_role("button", name="Mina")).to_have_count(0)


@pytest.mark.parametrize("locale, text", [("de", "Anmelden"), ("zh-TW", "登入"), ("ar", "تسجيل الدخول")])
def test_the_page_speaks_the_reader_s_language(program, new_page, locale, text):
    page = new_page(locale=locale)
    page.goto(f"{program.address}/sign-in")

    expect(page.get_by_role("heading", level=1)).to_have_text(text)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
