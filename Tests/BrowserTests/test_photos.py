"""Photos of Mars: a grid that shows each picture in its own cell, sols and cameras to choose from, and one photo to look into."""

import re

import pytest
from playwright.sync_api import expect

from message_bar import retry
from photo_grid import PhotoGrid
from photos_server import colour
from test_calm import SHIFTS, WATCH_SHIFTS
from touch import Finger
from worker import wait_until_pictures_are_kept, wait_until_worker_works


@pytest.fixture
def page(new_page):
    """A page that notes what moves on its own."""
    page = new_page()
    page.add_init_script(WATCH_SHIFTS)
    return page


@pytest.fixture
def grid_of(window_on, page):
    return lambda photos, sol=1000: PhotoGrid(page, window_on(photos).page, sol)


def is_near(shown, number):
    return all(abs(one - other) < 24 for one, other in zip(shown, colour(number)))


def wrong(cells, first=1_000):
    """The cells that show another picture than theirs."""
    return [cell for cell in cells if cell["number"] != first + cell["index"] or not is_near(cell["colour"], cell["number"])]


# The grid

def test_each_cell_shows_its_own_picture_in_squares_of_150_px_or_more(photos, grid_of, page):
    opened = grid_of(photos).open()

    cells = opened.cells()

    assert wrong(cells) == []
    assert all(abs(cell["width"] - cell["height"]) < 1.5 and cell["width"] >= 150 for cell in cells)
    assert opened.columns() == page.viewport_size["width"] // 150
    expect(opened.heading).to_have_text("Curiosity · Sol 1000")
    assert page.evaluate(SHIFTS) == []


@pytest.mark.noisy
def test_a_program_that_was_restarted_fetches_no_photo_again(photos, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *photos.arguments)
    program = start(*arguments)
    opened = PhotoGrid(page, program.page, 1000).open()
    opened.expect_whole()
    shown = {cell["number"] for cell in opened.cells()}
    program.stop()
    asked = len(photos.asked)

    opened = PhotoGrid(page, start(*arguments).page, 1000).open()

    assert wrong(opened.cells()) == []
    # What was fetched ahead, and cut short by the end of the program, may be asked for once more.
    assert len(shown) > 2 and shown.isdisjoint(photos.asked[asked:])


def test_at_the_end_the_cells_there_are_loaded_and_back_at_the_top_nothing_is_fetched_twice(many_photos, grid_of):
    opened = grid_of(many_photos).open()
    opened.expect_whole()

    opened.scroll_to_the_end()
    assert wrong(opened.cells()) == []
    opened.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    opened.expect_to_show(0)
    opened.expect_whole()

    assert wrong(opened.cells()) == []
    assert len(many_photos.asked) == len(set(many_photos.asked))
    assert len(many_photos.asked) < 300, "what nobody looked at was left alone"


def test_a_window_of_another_width_has_other_columns_and_the_same_pictures(photos, grid_of, page):
    opened = grid_of(photos).open()
    opened.expect_whole()
    opened.jump_to_line(1)

    page.set_viewport_size({"width": 640, "height": 700})

    page.wait_for_function("() => getComputedStyle(list).gridTemplateColumns.split(' ').length === 4")
    assert opened.columns() == 4
    assert wrong(opened.cells()) == []


def test_a_photo_under_way_tells_how_much_of_it_has_come(photos, grid_of):
    photos.hold()
    photos.is_slow = True

    opened = grid_of(photos).open()

    expect(opened.page.locator("progress[value='40'], progress[value='50']").first).to_be_visible()
    photos.release()
    opened.expect_whole()
    expect(opened.page.locator("[data-state=loaded] progress")).to_have_count(0)


def test_a_photo_that_fails_says_why_and_can_be_retried(photos, grid_of):
    photos.broken.add(1_001)
    photos.pages.add(1_002)

    opened = grid_of(photos).open()

    opened.expect_state(1_001, "failed")
    expect(opened.cell(1_001)).to_contain_text("The server has a problem. Try again later.")
    expect(opened.cell(1_002)).to_contain_text("This photo can’t be shown. Report it.")
    photos.broken.clear()
    opened.cell(1_001).get_by_role("button", name="Retry").click()
    opened.expect_state(1_001, "loaded")
    opened.expect_state(1_002, "failed")


def test_of_each_thumbnail_the_worker_keeps_the_size_that_is_shown(photos, window_on, new_page):
    page = new_page(device_scale_factor=2)
    PhotoGrid(page, window_on(photos).page).open().expect_whole()
    wait_until_worker_works(page)
    wait_until_pictures_are_kept(page, 3)

    kept = page.evaluate("async () => (await (await caches.open('pictures')).keys()).map(({ url }) => url)")

    assert all("size=640" in address for address in kept)


@pytest.mark.parametrize("screen", [{"width": 1280, "height": 800}])
def test_arrows_go_from_cell_to_cell(photos, grid_of):
    opened = grid_of(photos).open()
    opened.expect_whole()
    opened.cell(1_000).focus()

    for key, number in [("ArrowRight", 1_001), ("ArrowDown", 1_009), ("ArrowLeft", 1_008), ("ArrowUp", 1_000)]:
        opened.page.keyboard.press(key)
        expect(opened.cell(number)).to_be_focused()
    opened.page.keyboard.press("Control+End")
    last = opened.page.locator("[data-index='59']")
    expect(last).to_be_focused()
    expect(last).to_have_attribute("aria-setsize", "60")


# Sols and cameras

def test_the_sols_without_photos_are_skipped(photos, grid_of, page):
    grid_of(photos).open().expect_whole()

    page.get_by_role("link", name="Next sol with photos").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 1001")
    page.get_by_role("link", name="Next sol with photos").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 1004")
    expect(page.get_by_role("link", name="Next sol with photos")).to_have_count(0)
    page.get_by_label("Sol", exact=True).fill("996")
    page.get_by_label("Sol", exact=True).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 996")
    day = page.locator("form", has=page.get_by_label("Date on Earth"))
    # A date is complete with its first digit, as far as a browser knows.
    page.get_by_label("Date on Earth").press("1")
    page.wait_for_timeout(300)
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 996")
    page.get_by_label("Date on Earth").fill("2015-05-30")
    day.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 1000")


def test_a_page_that_is_there_before_the_sols_are_told_learns_of_them(photos, grid_of, page):
    photos.sols_may_be_told.clear()
    opened = grid_of(photos).open()
    opened.expect_whole()
    following, number = page.get_by_role("link", name="Next sol with photos"), page.get_by_label("Sol", exact=True)
    expect(following).to_have_attribute("href", re.compile("/1000/next$"))
    expect(page.get_by_role("link", name="MAST", exact=True)).to_have_count(1)
    expect(page.get_by_label("Date on Earth")).to_have_value("2015-05-30")

    number.fill("99")
    photos.sols_may_be_told.set()
    opened.cell(1_000).focus()
    expect(number).to_have_value("99")
    expect(following).to_have_attribute("href", re.compile("/1000/next$"))
    number.fill("1000")
    opened.cell(1_000).focus()

    expect(following).to_have_attribute("href", re.compile("/1001$"))


def test_one_camera_is_shown_alone(photos, grid_of, page):
    opened = grid_of(photos).open()
    opened.expect_whole()

    page.get_by_role("link", name="MAST", exact=True).click()

    expect(page.get_by_role("link", name="MAST", exact=True)).to_have_attribute("aria-current", "true")
    page.wait_for_function("() => list.dataset.count === '20'")
    cells = opened.cells()
    assert all(cell["number"] % 3 == 1 and is_near(cell["colour"], cell["number"]) for cell in cells)


def test_a_photo_of_one_camera_has_its_neighbours_among_those_of_that_camera(photos, grid_of, page):
    opened = grid_of(photos).open()
    opened.expect_whole()
    page.get_by_role("link", name="MAST", exact=True).click()
    page.wait_for_function("() => list.dataset.count === '20'")

    opened.cell(1_003).get_by_role("link").click()
    page.get_by_role("link", name="Next photo").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Photo 1006")


def test_the_chosen_camera_stands_out_in_forced_colours(photos, window_on, new_page):
    opened = PhotoGrid(new_page(forced_colors="active"), window_on(photos).page).open()
    opened.expect_whole()

    # In one look: the chips are exchanged when more is known of the sol.
    colours = opened.page.evaluate("() => [...document.querySelectorAll('.chip')].map((chip) => getComputedStyle(chip).backgroundColor)")

    assert len(colours) == 4
    assert colours[0] not in colours[1:]


def test_a_sol_without_photos_says_what_to_do(photos, grid_of, page):
    grid_of(photos, 998).open()

    expect(page.locator("#empty")).to_have_text("Curiosity took no photos on Sol 998. Go to the sol before or after it.")
    page.get_by_role("link", name="Previous sol with photos").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 996")


def test_a_source_that_is_down_says_so_and_can_be_asked_again(photos, grid_of, page):
    photos.is_failing = True
    opened = grid_of(photos).open()
    expect(opened.problem).to_have_text("The server has a problem. Try again later.")

    photos.is_failing = False
    retry(page)

    opened.expect_whole()
    expect(opened.problem).to_be_empty()


def test_sols_in_flight_do_not_mix(photos, window_on, new_page):
    window = window_on(photos)
    photos.hold()
    one, other = PhotoGrid(new_page(), window.page, 1000).open(), PhotoGrid(new_page(), window.page, 1001).open()
    photos.wait_until(lambda: len(photos.asked) >= 4)

    photos.release()

    assert wrong(one.cells()) == []
    assert wrong(other.cells(), first=5_000) == []


def test_a_rover_is_chosen(photos, window_on, page):
    page.goto(f"{window_on(photos).page}/")
    page.get_by_role("link", name="Show Mars photos").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mars photos")

    page.get_by_role("link", name="Curiosity").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 1004")


# One photo

def test_one_photo_is_looked_into_and_leads_back(photos, grid_of, page):
    opened = grid_of(photos).open()
    opened.expect_whole()
    opened.cell(1_002).get_by_role("link").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Photo 1002")
    expect(page.locator("#picture")).to_have_js_property("naturalWidth", 480)
    expect(page.locator(".sheet")).to_contain_text("NAVCAM camera" if 1_002 % 3 == 2 else "FHAZ camera")
    page.get_by_role("link", name="Back to the photos of the sol").click()
    expect(opened.cell(1_002)).to_be_in_viewport()


def test_a_photo_in_a_tab_of_its_own_leads_back_too(photos, grid_of, page):
    opened = grid_of(photos).open()
    opened.expect_whole()
    with page.context.expect_page() as opening:
        opened.cell(1_002).get_by_role("link").click(modifiers=["ControlOrMeta"])
    tab = opening.value
    expect(tab.locator("#tuning")).to_be_visible()

    tab.get_by_role("link", name="Back to the photos of the sol").click()

    expect(tab).to_have_url(opened.address)


def test_the_cell_that_is_opened_becomes_the_photo(photos, grid_of, page):
    page.add_init_script("""addEventListener("pagehide", () => {
        const named = [...document.querySelectorAll("img")].filter((img) => img.style.viewTransitionName === "photo");
        sessionStorage.named = named.map((img) => img.closest(".cell").dataset.id).join();
    });""")
    opened = grid_of(photos).open()
    opened.expect_whole()

    opened.cell(1_002).get_by_role("link").click()

    expect(page.locator("#picture")).to_have_css("view-transition-name", "photo")
    assert page.evaluate("sessionStorage.named") == "curiosity/1000/1002"


def test_the_wheel_zooms_at_the_pointer_and_dragging_moves(photos, grid_of, page):
    grid_of(photos)
    page.goto(f"{grid_of(photos).address}/1002")
    expect(page.locator("#picture")).to_have_js_property("complete", True)
    stage = page.locator("#stage").bounding_box()
    left = (stage["x"] + 10, stage["y"] + stage["height"] / 2)
    matrix = "() => { const { a, e, f } = new DOMMatrix(getComputedStyle(picture).transform); return [a, e, f]; }"

    page.mouse.move(*left)
    page.mouse.wheel(0, -300)

    page.wait_for_function("() => new DOMMatrix(getComputedStyle(picture).transform).a > 1.9")
    scale, x, _ = page.evaluate(matrix)
    # What lies at the pointer stays there.
    assert abs(x - (stage["width"] / 2 - 10) * (scale - 1)) < 2
    page.mouse.down()
    page.mouse.move(left[0] + 5, left[1] - 40)
    page.mouse.up()
    assert page.evaluate(matrix)[2] == pytest.approx(-40, abs=1)
    page.locator("#stage").focus()
    page.keyboard.press("-")
    page.wait_for_function("() => new DOMMatrix(getComputedStyle(picture).transform).a === 1")


def test_two_fingers_zoom_between_them(photos, window_on, new_page):
    page = new_page(has_touch=True)
    page.goto(f"{window_on(photos).page}/photos/curiosity/1000/1002")
    expect(page.locator("#picture")).to_have_js_property("complete", True)
    stage = page.locator("#stage").bounding_box()

    Finger(page).pinch(stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2, 60, 180)

    page.wait_for_function("() => Math.abs(new DOMMatrix(getComputedStyle(picture).transform).a - 3) < 0.05")
    assert page.evaluate("visualViewport.scale") == 1


def test_over_a_fast_link_the_neighbours_of_a_photo_are_fetched_too(photos, grid_of, page):
    photos.are_large = True

    page.goto(f"{grid_of(photos).address}/1005")

    photos.wait_until(lambda: set(photos.asked) == {1_004, 1_005, 1_006})


def test_over_a_slow_link_only_the_photo_is_fetched(photos, grid_of, page):
    photos.is_slow = True
    photos.hold()
    page.goto(f"{grid_of(photos).address}/1005", wait_until="commit")
    photos.wait_until(lambda: photos.asked == [1_005])
    page.wait_for_timeout(200)  # so slow is the link
    photos.release()
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")

    page.evaluate("new Promise((resume) => requestIdleCallback(() => setTimeout(resume, 200)))")

    assert photos.asked == [1_005]


def test_contrast_and_sharpness_change_how_it_looks_until_it_is_set_back(photos, grid_of, page):
    page.goto(f"{grid_of(photos).address}/1002")
    page.get_by_label("Contrast").fill("180")
    page.get_by_label("Sharpness").fill("50")

    expect(page.locator("#picture")).to_have_css("filter", re.compile(r'url\("#sharpen"\) contrast\(1\.8\)'))
    expect(page.locator("#kernel")).to_have_attribute("kernelMatrix", "0 -1 0 -1 5 -1 0 -1 0")
    page.get_by_role("button", name="As it came").click()
    expect(page.locator("#picture")).to_have_css("filter", "contrast(1)")


def test_a_photo_is_saved_when_that_is_confirmed(photos, grid_of, page):
    page.goto(f"{grid_of(photos).address}/1002")
    page.get_by_role("link", name="Save photo").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("curiosity-sol-1000-1002.jpg")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).not_to_be_visible()

    page.get_by_role("link", name="Save photo").click()
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Save").click()

    assert download.value.suggested_filename == "curiosity-sol-1000-1002.jpg"
    assert download.value.path().stat().st_size > 500


@pytest.mark.noisy
def test_one_photo_that_cannot_be_had_says_why_and_can_be_retried(photos, grid_of, page):
    photos.pages.add(1_002)
    page.goto(f"{grid_of(photos).address}/1002")
    expect(page.locator("#trouble")).to_contain_text("This photo can’t be shown. Report it.")
    expect(page.locator("#why")).to_contain_text("this is a web page")

    photos.pages.clear()
    page.get_by_role("button", name="Retry").click()

    expect(page.locator("#trouble")).not_to_be_visible()
    expect(page.locator("#picture")).to_have_js_property("naturalWidth", 480)
