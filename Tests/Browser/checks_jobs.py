"""Three jobs from beginning to end, by keys alone and by touch alone, on four screens, with text of usual and of double size: a weekend, a timetable, a broken store."""

import sqlite3

from checks_plan import HUT, STATION
from support import *

SCREENS = [(390, 844), (844, 390), (820, 1180), (1440, 900)]


class Keys:
    """A person without a pointer: Tab, arrows, Enter and letters."""

    name, scheme, touch, text = "keys", "light", False, 1

    def __init__(self, page):
        self.page = page

    def focus(self, target, limit=250):
        """Tab until the target has the focus: it must be reached, not be focused by a script."""
        target = target.first
        target.wait_for(state="attached")
        for key in ["Tab"] * limit + ["Shift+Tab"] * limit:
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"not reached by Tab: {target}")

    def press(self, target):
        self.focus(target)
        self.page.keyboard.press("Enter")

    def section(self, name):
        link = self.page.locator("#sections").get_by_role("link", name=name, exact=True)
        if not link.is_visible():
            self.press(self.page.get_by_role("button", name="More"))
        self.press(link)

    def write(self, target, text):
        self.focus(target)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)

    def choose(self, target, value):
        """A list of words: letters of the word choose it."""
        self.focus(target)
        self.page.keyboard.type(value.split()[0])
        self.page.keyboard.press("Tab")

    def match(self, text):
        self.page.locator(".results [role=option]").filter(has_text=text).first.wait_for()
        self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")


class Touch(Keys):
    """A person with a finger: what is not on the screen is scrolled to, and nothing is focused by Tab."""

    name, scheme, touch = "touch", "dark", True

    def press(self, target):
        target.first.tap()

    def write(self, target, text):
        target.first.tap()
        target.first.fill(text)

    def choose(self, target, value):
        # The list itself is the system's.
        target.first.select_option(label=value)

    def match(self, text):
        self.page.locator(".results [role=option]").filter(has_text=text).first.tap()


class Reader(Keys):
    """A person without a pointer who needs text of double size."""

    name, text = "large", 2


def people(check, job):
    """Each way on each screen, in both looks."""
    for size in SCREENS:
        for person in (Keys, Touch, Reader):
            context = check.browser.new_context(
                viewport={"width": size[0], "height": size[1]}, has_touch=person.touch, color_scheme=person.scheme, reduced_motion="reduce")
            check.contexts.append(context)
            if person.text > 1:
                context.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ document.documentElement.style.fontSize = '{person.text * 100}%'; }})")
            page = check.page(context=context)
            name = f"{job}-{person.name}-{size[0]}x{size[1]}"
            yield page, person(page), size, name
            fits(page, name)
            context.close()
            check.contexts.remove(context)


def a_weekend_is_planned(check):
    """Two places are found by name, the way is split into two days, printed and saved, and walked in advance."""
    for page, person, size, name in people(check, "weekend"):
        in_panel = page.locator(".panel")
        person.write(page.locator("#place-search"), "null station")
        person.match("Null Station")
        person.press(in_panel.get_by_role("button", name="Route from here"))
        person.write(page.locator("#place-search"), "zero peak")
        person.match("Zero Peak")
        page.wait_for_selector(".panel .numbers")
        settle(page)
        person.choose(in_panel.get_by_label("Days"), "2 days")
        page.get_by_role("region", name="Days").wait_for(state="attached")
        assert page.get_by_role("region", name="Days").locator("tbody tr").count() == 2
        shot(page, name)
        axe(page, name)
        person.press(in_panel.get_by_role("button", name="Print (PDF)"))
        with page.expect_download():
            person.press(page.locator("dialog button.primary"))
        person.press(in_panel.get_by_role("button", name="Save", exact=True))
        person.write(page.locator("dialog input"), name)
        person.press(page.locator("dialog button.primary"))
        page.get_by_role("heading", name=name).wait_for()
        assert name in rutter(check.folder, "route list | get name")
        person.press(in_panel.get_by_role("button", name="Open", exact=True))
        person.press(page.locator(".detail").get_by_role("button", name="Walk", exact=True))
        page.wait_for_selector(".prompts li", state="attached")
        person.press(page.get_by_role("button", name="One fix forward"))
        assert page.locator(".walk-text").first.inner_text()
        shot(page, f"{name}-walk")
        rutter(check.folder, f"route delete '{name}'")
    assert not check.problems, check.problems


def a_timetable_is_looked_through(check):
    """A stop is found, its departures and a trip are read, and the timetable's own tables are asked."""
    for page, person, size, name in people(check, "timetable"):
        person.section("Stops")
        person.write(page.locator("#stop-search"), "central")
        person.match("Central Station")
        page.wait_for_selector('.drawer[data-detent="half"] tbody tr')
        # The stop is not below its drawer.
        pin = page.evaluate("() => { const box = document.querySelector('.stops path.pointer')?.getBoundingClientRect(); return box && [box.x, box.y]; }")
        drawer = page.locator(".drawer").bounding_box()
        if pin:
            assert not (drawer["x"] < pin[0] < drawer["x"] + drawer["width"] and drawer["y"] < pin[1]), (pin, drawer)
        person.press(page.locator(".grip"))
        page.wait_for_selector('.drawer[data-detent="full"]')
        person.press(page.locator(".departures .to button"))
        page.wait_for_selector(".calls tbody tr")
        shot(page, name)
        axe(page, name)
        person.press(page.get_by_role("button", name="Back to departures"))
        page.wait_for_selector(".drawer tbody tr .in")
        person.press(page.get_by_role("button", name="Close the drawer"))
        page.wait_for_selector(".drawer", state="hidden")
        person.section("Stores")
        person.press(page.locator("section[aria-label=Stores]").get_by_role("link", name="gtfs.db"))
        person.press(page.get_by_role("link", name="SQL", exact=True))
        person.write(page.locator("#store-sql"), "SELECT count(*) AS n FROM stops")
        person.press(page.locator("section[aria-label=Stores]").get_by_role("button", name="Run", exact=True))
        page.get_by_role("region", name="Result").get_by_text("121").wait_for(state="attached")
        shot(page, f"{name}-sql")
    assert not check.problems, check.problems


def a_broken_store_is_understood(check):
    """A store of another program is opened beside one's own, its mistakes are found, and the row that has one is read."""
    folder = tempfile.mkdtemp(prefix="rutter-page-")
    path = f"{folder}/phone.db"
    check.server.stop()
    rutter(check.folder, f"store copy waypoints.db '{path}'")
    with sqlite3.connect(path) as store:
        store.execute("UPDATE waypoints SET latitude = 946.5 WHERE rowid = 1")
    store.close()
    check.server = Server(check.folder)
    for page, person, size, name in people(check, "store"):
        in_stores = page.locator("section[aria-label=Stores]")
        person.section("Stores")
        person.write(page.get_by_label("Open a file"), path)
        person.press(in_stores.get_by_role("button", name="Open", exact=True))
        person.press(in_stores.get_by_role("link", name="phone", exact=True))
        person.press(in_stores.get_by_role("link", name="Findings"))
        in_stores.locator(".table-box[aria-label=Findings] tbody tr").first.wait_for(state="attached")
        shot(page, name)
        axe(page, name)
        person.press(in_stores.locator("button[aria-label='Row 1 of waypoints']"))
        in_stores.locator("[aria-label=Row] .fields").get_by_text("946.5").wait_for(state="attached")
        person.press(in_stores.get_by_role("link", name="Schema"))
        in_stores.locator(".source").get_by_text("CREATE TABLE").first.wait_for(state="attached")
        person.press(in_stores.get_by_role("button", name="Close", exact=True))
        in_stores.get_by_role("link", name="phone", exact=True).wait_for(state="detached")
        # One's own waypoints are those they were.
        person.section("Places")
        page.locator("section[aria-label=Waypoints] tbody a").first.wait_for(state="attached")
        assert "946.5" not in page.locator("section[aria-label=Waypoints]").inner_text()
    shutil.rmtree(folder)
    assert not check.problems, check.problems


def what_every_command_says_is_shown(check):
    """Every answer of the session gets a note of its own; whatever section asked, for whatever it asked, the note is on the page."""
    page = check.page(url=check.server.url)
    said = []

    def note(route):
        answer = route.fetch()
        body = answer.json()
        words = f"note {len(said)} of {body.get('entry')}"
        said.append(words)
        body["notes"] = body.get("notes", []) + [words]
        route.fulfill(response=answer, json=body)

    page.route("**/api/run", note)
    places = [
        "waypoints", f"map/plan/{STATION};{HUT}/stages=2d", "map", "map/at/0.5,0.49", "stops", "stops/CEN", "hikes", "routes", "regions", "walk", "sync",
        "stores", "stores/gtfs.db/t/stops", "stores/waypoints.db/check", "notebooks", "steps", "commands",
    ]
    for place in places:
        before = len(said)
        go(page, place)
        settle(page)
        page.wait_for_timeout(400)
        if place in ("hikes", "routes", "waypoints", "regions"):
            page.locator(f"main > section:not([hidden]) tbody a").first.click()
            settle(page)
            page.wait_for_timeout(400)
        # What is asked last may be drawn some time after the network is idle.
        for _ in range(100):
            # An answer that a later one with the same purpose has replaced is gone with its note.
            newest = {}
            for words in said[before:]:
                entry = words.split(" of ", 1)[1]
                newest[entry.split(" -", 1)[0][:9] if entry.startswith("stop list") else entry] = words
            text = page.evaluate("document.body.textContent")
            lost = [words for words in newest.values() if words not in text]
            if not lost:
                break
            page.wait_for_timeout(200)
        assert not lost, f"{place}: {len(lost)} of {len(newest)}: {lost[:3]}"
        assert place == "commands" or newest or place in ("map",), place
    check.problems.clear()
