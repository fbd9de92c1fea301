"""Photos of Mars: the grid, the choice of sols and cameras, and the page of a photo."""

import re

import pytest
from playwright.sync_api import expect

from conftest import on_phone
from error_bar import retry
from photo_grid import PhotoGrid
from photos_server import colour
from test_layout_shifts import SHIFTS, RECORD_SHIFTS
from touch import Finger
from service_worker import wait_until_pictures_are_stored, wait_until_worker_is_active

MEASURE_FAST_LINK = """
    const { getEntriesByName } = Performance.prototype;
    Performance.prototype.getEntriesByName = function (name) {
        return getEntriesByName.call(this, name).map(({ transferSize }) => ({ transferSize, duration: transferSize / 1_000 }));
    };
"""
"""Measures 1 MB/s for each response, whatever a busy machine allows."""


@pytest.fixture
def page(new_page):
    """A page that records its layout shifts."""
    page = new_page()
    page.add_init_script(RECORD_SHIFTS)
    return page


@pytest.fixture
def make_grid(start_window, page):
    return lambda photos, sol=1000: PhotoGrid(page, start_window(photos).address, sol)


def is_similar(shown, number):
    return all(abs(one - other) < 24 for one, other in zip(shown, colour(number)))


def mismatched_cells(cells, first=1_000):
    """Returns the cells with the picture of another photo."""
    return [cell for cell in cells if cell["number"] != first + cell["index"] or not is_similar(cell["colour"], cell["number"])]


# The grid

def test_each_cell_shows_its_own_picture_in_a_square_of_at_least_150_px(photos, make_grid, page):
    opened = make_grid(photos).open()

    cells = opened.cells()

    assert mismatched_cells(cells) == []
    assert all(abs(cell["width"] - cell["height"]) < 1.5 and cell["width"] >= 150 for cell in cells)
    assert opened.columns() == page.viewport_size["width"] // 150
    expect(opened.heading).to_have_text("Curiosity · Sol 1000")
    assert page.evaluate(SHIFTS) == []


@pytest.mark.console_errors_allowed
@on_phone
def test_a_restarted_program_fetches_no_photo_again(photos, start, page, tmp_path):
    arguments = ("window", "--port", 0, "--data", tmp_path, *photos.arguments)
    program = start(*arguments)
    opened = PhotoGrid(page, program.address, 1000).open()
    opened.expect_pictures_loaded()
    shown = {cell["number"] for cell in opened.cells()}
    program.stop()
    requested = len(photos.requested)

    opened = PhotoGrid(page, start(*arguments).address, 1000).open()

    assert mismatched_cells(opened.cells()) == []
    # A prefetch that was cancelled by the end of the program may be repeated.
    assert len(shown) > 2 and shown.isdisjoint(photos.requested[requested:])


def test_scrolling_to_the_end_and_back_fetches_no_photo_twice(many_photos, make_grid):
    opened = make_grid(many_photos).open()
    opened.expect_pictures_loaded()
    # A photo near the view that leaves it before it has arrived is cancelled, and requested again later.
    many_photos.wait_until_quiet()

    opened.scroll_to_the_end()
    many_photos.wait_until_quiet()
    assert mismatched_cells(opened.cells()) == []
    opened.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    opened.expect_in_view(0)
    opened.expect_pictures_loaded()

    assert mismatched_cells(opened.cells()) == []
    assert len(many_photos.requested) == len(set(many_photos.requested))
    assert len(many_photos.requested) < 300, "photos out of view are not fetched"


@pytest.mark.parametrize("screen", [{"width": 3000, "height": 1900}], ids=["large"])
def test_each_cell_of_a_large_screen_shows_its_picture(many_photos, make_grid):
    cells = make_grid(many_photos).open().cells(timeout=100_000)

    assert len(cells) > 210
    assert mismatched_cells(cells) == []


def test_another_window_width_changes_the_columns_but_not_the_pictures(photos, make_grid, page):
    opened = make_grid(photos).open()
    opened.expect_pictures_loaded()
    opened.jump_to_grid_row(1)

    page.set_viewport_size({"width": 640, "height": 700})

    page.wait_for_function("() => getComputedStyle(list).gridTemplateColumns.split(' ').length === 4")
    assert opened.columns() == 4
    assert mismatched_cells(opened.cells()) == []


@on_phone
def test_a_loading_photo_shows_its_progress(photos, make_grid):
    photos.hold()
    photos.is_slow = True

    opened = make_grid(photos).open()

    expect(opened.page.locator("progress[value='40'], progress[value='50']").first).to_be_visible()
    photos.release()
    opened.expect_pictures_loaded()
    expect(opened.page.locator("[data-state=loaded] progress")).to_have_count(0)


@on_phone
def test_a_failed_photo_shows_the_reason_and_can_be_retried(photos, make_grid):
    photos.broken.add(1_001)
    photos.replaced_by_html.add(1_002)

    opened = make_grid(photos).open()

    opened.expect_state(1_001, "failed")
    expect(opened.cell(1_001)).to_contain_text("The server has a problem. Try again later.")
    expect(opened.cell(1_002)).to_contain_text("This photo can’t be shown. Report it.")
    photos.broken.clear()
    opened.cell(1_001).get_by_role("button", name="Retry").click()
    opened.expect_state(1_001, "loaded")
    opened.expect_state(1_002, "failed")


@on_phone
def test_the_worker_stores_only_the_displayed_size_of_each_thumbnail(photos, start_window, new_page):
    page = new_page(device_scale_factor=2)
    PhotoGrid(page, start_window(photos).address).open().expect_pictures_loaded()
    wait_until_worker_is_active(page)
    wait_until_pictures_are_stored(page, 3)

    cached = page.evaluate("async () => (await (await caches.open('pictures')).keys()).map(({ url }) => url)")

    assert all("size=640" in address for address in cached)


@pytest.mark.parametrize("screen", [{"width": 1280, "height": 800}])
def test_arrow_keys_move_the_focus_between_cells(photos, make_grid):
    opened = make_grid(photos).open()
    opened.expect_pictures_loaded()
    opened.cell(1_000).focus()

    for key, number in [("ArrowRight", 1_001), ("ArrowDown", 1_009), ("ArrowLeft", 1_008), ("ArrowUp", 1_000)]:
        opened.page.keyboard.press(key)
        expect(opened.cell(number)).to_be_focused()
    opened.page.keyboard.press("Control+End")
    last = opened.page.locator("[data-index='59']")
    expect(last).to_be_focused()
    expect(last).to_have_attribute("aria-setsize", "60")


# Sols and cameras

@on_phone
def test_sols_without_photos_are_skipped(photos, make_grid, page):
    make_grid(photos).open().expect_pictures_loaded()

    page.get_by_role("link", name="Next sol with photos").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 1001")
    page.get_by_role("link", name="Next sol with photos").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 1004")
    expect(page.get_by_role("link", name="Next sol with photos")).to_have_count(0)
    page.get_by_label("Sol", exact=True).fill("996")
    page.get_by_label("Sol", exact=True).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 996")
    day = page.locator("form", has=page.get_by_label("Date on Earth"))
    # For a browser a date is complete with its first digit.
    page.get_by_label("Date on Earth").press("1")
    page.wait_for_timeout(300)
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 996")
    page.get_by_label("Date on Earth").fill("2015-05-30")
    day.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 1000")


@on_phone
def test_an_open_page_is_updated_when_the_manifest_arrives(photos, make_grid, page):
    photos.manifest_released.clear()
    opened = make_grid(photos).open()
    opened.expect_pictures_loaded()
    following, number = page.get_by_role("link", name="Next sol with photos"), page.get_by_label("Sol", exact=True)
    expect(following).to_have_attribute("href", re.compile("/1000/next$"))
    expect(page.get_by_role("link", name="MAST", exact=True)).to_have_count(1)
    expect(page.get_by_label("Date on Earth")).to_have_value("2015-05-30")

    number.fill("99")
    photos.manifest_released.set()
    opened.cell(1_000).focus()
    expect(number).to_have_value("99")
    expect(following).to_have_attribute("href", re.compile("/1000/next$"))
    number.fill("1000")
    opened.cell(1_000).focus()

    expect(following).to_have_attribute("href", re.compile("/1001$"))


@on_phone
def test_one_camera_can_be_shown_alone(photos, make_grid, page):
    opened = make_grid(photos).open()
    opened.expect_pictures_loaded()

    page.get_by_role("link", name="MAST", exact=True).click()

    expect(page.get_by_role("link", name="MAST", exact=True)).to_have_attribute("aria-current", "true")
    page.wait_for_function("() => list.dataset.count === '20'")
    cells = opened.cells()
    assert all(cell["number"] % 3 == 1 and is_similar(cell["colour"], cell["number"]) for cell in cells)


@on_phone
def test_neighbours_of_a_photo_are_from_the_same_camera(photos, make_grid, page):
    opened = make_grid(photos).open()
    opened.expect_pictures_loaded()
    page.get_by_role("link", name="MAST", exact=True).click()
    page.wait_for_function("() => list.dataset.count === '20'")

    opened.cell(1_003).get_by_role("link").click()
    page.get_by_role("link", name="Next photo").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Photo 1006")


@on_phone
def test_the_chosen_camera_stands_out_in_forced_colours(photos, start_window, new_page):
    opened = PhotoGrid(new_page(forced_colors="active"), start_window(photos).address).open()
    opened.expect_pictures_loaded()

    # Read in one step, because the chips are replaced when the manifest arrives.
    colours = opened.page.evaluate("() => [...document.querySelectorAll('.chip')].map((chip) => getComputedStyle(chip).backgroundColor)")

    assert len(colours) == 4
    assert colours[0] not in colours[1:]


@on_phone
def test_a_sol_without_photos_shows_a_hint(photos, make_grid, page):
    make_grid(photos, 998).open()

    expect(page.locator("#empty")).to_have_text("Curiosity took no photos on Sol 998. Go to the previous or next sol.")
    page.get_by_role("link", name="Previous sol with photos").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 996")


@on_phone
def test_a_failed_source_shows_the_error_and_can_be_retried(photos, make_grid, page):
    photos.is_failing = True
    opened = make_grid(photos).open()
    expect(opened.error).to_have_text("The server has a problem. Try again later.")

    photos.is_failing = False
    retry(page)

    opened.expect_pictures_loaded()
    expect(opened.error).to_be_empty()


@on_phone
def test_photos_of_sols_loaded_concurrently_do_not_mix(photos, start_window, new_page):
    window = start_window(photos)
    photos.hold()
    one, other = PhotoGrid(new_page(), window.address, 1000).open(), PhotoGrid(new_page(), window.address, 1001).open()
    photos.wait_until(lambda: len(photos.requested) >= 4)

    photos.release()

    assert mismatched_cells(one.cells()) == []
    assert mismatched_cells(other.cells(), first=5_000) == []


@on_phone
def test_a_rover_can_be_chosen(photos, start_window, page):
    page.goto(f"{start_window(photos).address}/")
    page.get_by_role("link", name="Show Mars photos").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mars photos")

    page.get_by_role("link", name="Curiosity").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Curiosity · Sol 1004")


# The page of a photo

def test_a_photo_page_opens_and_links_back_to_the_grid(photos, make_grid, page):
    opened = make_grid(photos).open()
    opened.expect_pictures_loaded()
    opened.cell(1_002).get_by_role("link").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Photo 1002")
    expect(page.locator("#picture")).to_have_js_property("naturalWidth", 480)
    expect(page.locator(".sheet")).to_contain_text("NAVCAM camera" if 1_002 % 3 == 2 else "FHAZ camera")
    page.get_by_role("link", name="Back to the sol’s photos").click()
    expect(opened.cell(1_002)).to_be_in_viewport()


@on_phone
def test_a_photo_page_in_a_new_tab_links_back_to_the_grid(photos, make_grid, page):
    opened = make_grid(photos).open()
    opened.expect_pictures_loaded()
    with page.context.expect_page() as opening:
        opened.cell(1_002).get_by_role("link").click(modifiers=["ControlOrMeta"])
    tab = opening.value
    expect(tab.locator("#adjustments")).to_be_visible()

    tab.get_by_role("link", name="Back to the sol’s photos").click()

    expect(tab).to_have_url(opened.address)


def test_an_opened_cell_transitions_into_the_photo(photos, make_grid, page):
    page.add_init_script("""addEventListener("pagehide", () => {
        const named = [...document.querySelectorAll("img")].filter((img) => img.style.viewTransitionName === "photo");
        sessionStorage.named = named.map((img) => img.closest(".cell").dataset.id).join();
    });""")
    opened = make_grid(photos).open()
    opened.expect_pictures_loaded()

    opened.cell(1_002).get_by_role("link").click()

    expect(page.locator("#picture")).to_have_css("view-transition-name", "photo")
    assert page.evaluate("sessionStorage.named") == "curiosity/1000/1002"


def test_the_wheel_zooms_at_the_pointer_and_dragging_pans(photos, make_grid, page):
    make_grid(photos)
    page.goto(f"{make_grid(photos).address}/1002")
    expect(page.locator("#picture")).to_have_js_property("complete", True)
    stage = page.locator("#stage").bounding_box()
    left = (stage["x"] + 10, stage["y"] + stage["height"] / 2)
    matrix = "() => { const { a, e, f } = new DOMMatrix(getComputedStyle(picture).transform); return [a, e, f]; }"

    page.mouse.move(*left)
    page.mouse.wheel(0, -300)

    page.wait_for_function("() => new DOMMatrix(getComputedStyle(picture).transform).a > 1.9")
    scale, x, _ = page.evaluate(matrix)
    # The point at the pointer does not move.
    assert abs(x - (stage["width"] / 2 - 10) * (scale - 1)) < 2
    page.mouse.down()
    page.mouse.move(left[0] + 5, left[1] - 40)
    page.mouse.up()
    assert page.evaluate(matrix)[2] == pytest.approx(-40, abs=1)
    page.locator("#stage").focus()
    page.keyboard.press("-")
    page.wait_for_function("() => new DOMMatrix(getComputedStyle(picture).transform).a === 1")


def test_a_pinch_zooms_around_its_centre(photos, start_window, new_page):
    page = new_page(has_touch=True)
    page.goto(f"{start_window(photos).address}/photos/curiosity/1000/1002")
    expect(page.locator("#picture")).to_have_js_property("complete", True)
    stage = page.locator("#stage").bounding_box()

    Finger(page).pinch(stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2, 60, 180)

    page.wait_for_function("() => Math.abs(new DOMMatrix(getComputedStyle(picture).transform).a - 3) < 0.05")
    assert page.evaluate("visualViewport.scale") == 1


@on_phone
def test_neighbours_are_preloaded_over_a_fast_link(photos, make_grid, page):
    page.add_init_script(MEASURE_FAST_LINK)

    page.goto(f"{make_grid(photos).address}/1005")

    photos.wait_until(lambda: set(photos.requested) == {1_004, 1_005, 1_006})


@on_phone
def test_neighbours_are_not_preloaded_over_a_slow_link(photos, make_grid, page):
    photos.is_slow = True
    photos.hold()
    page.goto(f"{make_grid(photos).address}/1005", wait_until="commit")
    photos.wait_until(lambda: photos.requested == [1_005])
    page.wait_for_timeout(200)  # simulates a slow link
    photos.release()
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")

    page.evaluate("new Promise((resume) => requestIdleCallback(() => setTimeout(resume, 200)))")

    assert photos.requested == [1_005]


@on_phone
def test_contrast_and_sharpness_apply_until_they_are_reset(photos, make_grid, page):
    page.goto(f"{make_grid(photos).address}/1002")
    page.get_by_label("Contrast").fill("180")
    page.get_by_label("Sharpness").fill("50")

    expect(page.locator("#picture")).to_have_css("filter", re.compile(r'url\("#sharpen"\) contrast\(1\.8\)'))
    expect(page.locator("#sharpen-kernel")).to_have_attribute("kernelMatrix", "0 -1 0 -1 5 -1 0 -1 0")
    page.get_by_role("button", name="Reset").click()
    expect(page.locator("#picture")).to_have_css("filter", "contrast(1)")


@on_phone
def test_a_photo_is_saved_after_confirmation(photos, make_grid, page):
    page.goto(f"{make_grid(photos).address}/1002")
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


@pytest.mark.console_errors_allowed
@on_phone
def test_a_failed_photo_page_shows_the_reason_and_can_be_retried(photos, make_grid, page):
    photos.replaced_by_html.add(1_002)
    page.goto(f"{make_grid(photos).address}/1002")
    expect(page.locator("#photo-error")).to_contain_text("This photo can’t be shown. Report it.")
    expect(page.locator("#error-details")).to_contain_text("received a web page")

    photos.replaced_by_html.clear()
    page.get_by_role("button", name="Retry").click()

    expect(page.locator("#photo-error")).not_to_be_visible()
    expect(page.locator("#picture")).to_have_js_property("naturalWidth", 480)
