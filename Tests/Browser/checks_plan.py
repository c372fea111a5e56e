"""Planning a weekend: straight legs, days, print, addresses, undo and redo."""

from support import *

HUT, PEAK, STATION = "0.514389,0.497302", "0.522483,0.494604", "0.49786,0.48291"


def planned(page, address):
    go(page, address)
    page.wait_for_selector(".panel .numbers")
    settle(page)


def a_leg_is_made_straight_and_stays_so(check):
    page = check.page()
    planned(page, f"map/plan/{STATION};{HUT};{PEAK}")
    ways = page.locator(".numbers").inner_text()
    page.get_by_role("button", name="To B: Straight").click()
    page.wait_for_function("() => document.querySelector('#ran').textContent.includes(' --straight 2')")
    settle(page)
    assert page.locator(".numbers").inner_text() != ways
    # What nobody knows of the line is said, by the terminal's words.
    said = rutter(check.folder, ran(page) + " | get warnings | first").strip()
    assert said.startswith("leg 2 is a straight line of") and said in page.locator(".warning").inner_text(), said
    assert page.locator("button[aria-pressed=true]").inner_text().endswith("Straight")
    assert page.evaluate("location.hash").count("~") == 1
    axe(page, "straight leg")
    shot(page, "plan-straight-desktop")
    # The way back is straight at its first leg; undo and redo lead back and forth.
    page.get_by_role("button", name="Reverse").click()
    page.wait_for_function("() => / --straight 1/.test(document.querySelector('#ran').textContent)")
    page.keyboard.press("Control+z")
    page.wait_for_function("() => / --straight 2/.test(document.querySelector('#ran').textContent)")
    page.keyboard.press("Control+y")
    page.wait_for_function("() => / --straight 1/.test(document.querySelector('#ran').textContent)")
    # The next pins are joined by lines, if one asks for them.
    page.get_by_label("Next legs").select_option("straight")
    page.mouse.click(*in_map(page, 0.5, 0.9))
    page.wait_for_function("() => / --straight 1 --straight 3/.test(document.querySelector('#ran').textContent)")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.wait_for_function("() => / --straight 1 --straight 3/.test(document.querySelector('#ran').textContent)")
    assert not check.problems, check.problems


def the_days_of_a_plan_end_at_huts(check):
    page = check.page()
    planned(page, f"map/plan/{STATION};{PEAK}")
    page.get_by_role("combobox", name="Days").select_option("2d")
    page.get_by_role("region", name="Days").wait_for()
    settle(page)
    plain = page.evaluate("location.hash")
    assert "stages=2d" in plain, plain
    entry = ran(page)
    said = [line.split("\t") for line in rutter(check.folder, f"{entry} | route stages --days 2").splitlines()]
    rows = page.get_by_role("region", name="Days").locator("tbody tr").all()
    assert len(rows) == len(said) - 1 > 1, (len(rows), said)
    at = said[0].index("distance")
    for row, line in zip(rows, said[1:]):
        assert line[at] in row.inner_text(), (row.inner_text(), line)
    # Each night is on the map, by name.
    marks = [mark.get_attribute("aria-label") for mark in page.locator(".leaflet-marker-icon.cluster").all()]
    assert sum("End of day" in mark for mark in marks) == len(rows) - 1, marks
    axe(page, "days")
    shot(page, "plan-days-desktop")
    # Each day becomes a route of its own.
    page.get_by_role("button", name="Save each day").click()
    page.locator("#message").get_by_text("Saved 2 days as routes.").wait_for()
    names = rutter(check.folder, "route list | get name").splitlines()
    assert sum(", day " in name for name in names) == 2, names
    page.get_by_role("combobox", name="Days").select_option("4h")
    page.wait_for_function("() => location.hash.includes('stages=4h')")
    settle(page)
    assert page.get_by_role("region", name="Days").locator("tbody tr").count() > 1


def a_plan_is_printed_at_scale(check):
    page = check.page()
    planned(page, f"map/plan/{STATION};{HUT}")
    page.get_by_role("button", name="Print (PDF)").click()
    page.get_by_label("Scale").select_option("1:25000")
    page.get_by_label("Paper").select_option("a4-landscape")
    axe(page, "print")
    shot(page, "print-desktop")
    with page.expect_download() as download:
        page.locator("dialog button.primary").click()
    path = download.value.path()
    entry = ran(page)
    assert " | map --scale 1:25000 --size a4-landscape" in entry, entry
    # The same bytes as in the terminal.
    rutter(check.folder, entry)
    with open(path, "rb") as one, open(f"{check.folder}/route.pdf", "rb") as other:
        mine, theirs = [re.sub(rb"/(CreationDate|ModDate|ID)[^\n]*", b"", file.read()) for file in (one, other)]
    assert mine == theirs and mine.startswith(b"%PDF") and len(mine) > 5000, (len(mine), len(theirs))
    # A hike is printed in the same way.
    go(page, "hikes")
    page.locator("tbody a").first.click()
    page.get_by_role("button", name="Print").click()
    with page.expect_download():
        page.locator("dialog button.primary").click()
    assert ran(page).startswith("hike show ") and " | map --scale 1:25000 --size a4-landscape" in ran(page), ran(page)


def the_address_of_a_plan_has_all_of_it(check):
    page = check.page()
    planned(page, f"map/plan/{STATION};{HUT}")
    page.get_by_label("Mode").select_option("cycling")
    page.wait_for_function("() => / --profile cycling/.test(document.querySelector('#ran').textContent)")
    settle(page)
    numbers, entry = page.locator(".numbers").inner_text(), ran(page)
    other = check.page()
    planned(other, page.evaluate("location.hash")[1:])
    assert other.locator(".numbers").inner_text() == numbers and ran(other) == entry
    # Its walk is that of the plan, and so is its search.
    page.get_by_role("button", name="Walk", exact=True).click()
    page.wait_for_function("() => / --profile cycling \\| guide simulate/.test(document.querySelector('#ran').textContent)")
    go(page, "steps")
    page.get_by_role("button", name="The route on the map").click()
    page.wait_for_function("() => / --profile cycling/.test(document.querySelector('#ran').textContent)")
    # Where the map stands elsewhere, the plan is brought into view.
    for pin in other.locator(".handle").all():
        box = pin.bounding_box()
        assert 0 < box["x"] < 1280 and 0 < box["y"] < 800, box


def what_an_address_cannot_mean_is_said(check):
    page = check.page()
    for address, words in (
        (f"map/plan/{STATION};abc;{HUT}", "left out of the plan: abc"), (f"map/plan/{STATION};95,7;{HUT}", "95,7"),
        ("map/waypoints/NOPE", "waypoints/NOPE"), ("nosuch", "no section nosuch"),
    ):
        page.evaluate("hash => { location.hash = hash }", address)
        page.locator("#message").get_by_text(words).first.wait_for()
    page.wait_for_function("() => location.hash.startsWith('#map')")


def a_closed_plan_is_continued(check):
    page = check.page()
    deleted = rutter(check.folder, "waypoint list | first | get id").strip()
    page.evaluate("""entry => fetch('/api/run', {method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({entry, record: true})}).then((answer) => answer.text())""", f"waypoint delete {deleted}")
    planned(page, f"map/plan/{STATION};{HUT}")
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Continue the plan").wait_for()
    # Undo opens it again; what was deleted before stays deleted.
    page.keyboard.press("Control+z")
    page.wait_for_selector(".panel .numbers")
    assert page.locator(".handle").count() == 2
    assert deleted not in rutter(check.folder, "waypoint list | get id")
    page.get_by_role("button", name="Clear").click()
    page.wait_for_function("() => document.querySelectorAll('.handle').length === 0")
    page.keyboard.press("Control+z")
    page.wait_for_function("() => document.querySelectorAll('.handle').length === 2")
    # What is saved is shown.
    settle(page)
    page.get_by_role("button", name="Save").click()
    page.locator("dialog input").fill("Kept")
    page.locator("dialog button.primary").click()
    page.get_by_role("heading", name="Kept").wait_for()
    assert page.evaluate("location.hash").startswith("#map/routes/")
    assert page.evaluate("window.rutter.sections[0].drawn.routes.isShown")


def what_is_chosen_is_brought_into_view(check):
    rutter(check.folder, "waypoint add 0.9,0.9 --label 'Far away'")
    check.server.stop()
    check.server = Server(check.folder)
    page = check.page()
    page.evaluate("window.rutter.sections[0].pane.map.setView([0.5, 0.49], 15, { animate: false })")
    page.get_by_text("List of waypoints").click()
    page.locator(".layers").get_by_role("button", name="Far away").click()
    page.get_by_role("heading", name="Far away").wait_for()
    assert page.evaluate("window.rutter.sections[0].pane.map.getBounds().contains([0.9, 0.9])")
    box = page.locator(".leaflet-marker-icon[aria-label='Far away']").bounding_box()
    assert 0 < box["x"] < 1280 and 0 < box["y"] < 800, box


def pins_are_one_stop_of_the_tab_key(check):
    rutter(check.folder, "waypoint add 0.51,0.49 --label One", "waypoint add 0.505,0.5 --label Two")
    check.server.stop()
    check.server = Server(check.folder)
    page = check.page()
    page.locator(".leaflet-marker-icon").nth(3).wait_for()
    settle(page)
    assert page.locator('.roving[tabindex="0"]').count() == 1
    page.locator('.roving[tabindex="0"]').focus()
    seen = set()
    for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown") * 3:
        page.keyboard.press(key)
        seen.add(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert len(seen) > 1 and page.locator('.roving[tabindex="0"]').count() == 1, seen


def the_line_is_dragged_by_a_finger(check):
    page = check.page(PHONE)
    planned(page, f"map/plan/{STATION};{HUT}")
    line = page.evaluate("() => window.rutter.sections[0].route.map[0].find((f) => f.type === 'route').line")
    middle = line[len(line) * 2 // 5]
    page.evaluate("place => window.rutter.sections[0].pane.map.setView(place, 16, { animate: false })", middle)
    settle(page)
    x, y = place_of(page, middle)
    touch = page.context.new_cdp_session(page)

    def drag(x, y):
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 9):
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 8 * step, "y": y + 2 * step}]})
            page.wait_for_timeout(20)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        settle(page)

    center = page.evaluate("() => { const c = window.rutter.sections[0].pane.map.getCenter(); return [c.lat, c.lng]; }")
    drag(x, y)
    assert page.locator(".handle").count() == 3 and " --via " in ran(page), ran(page)
    assert center == page.evaluate("() => { const c = window.rutter.sections[0].pane.map.getCenter(); return [c.lat, c.lng]; }")
    # Beside the line a finger moves the map.
    box = page.locator(".with-map .map").bounding_box()
    drag(box["x"] + 30, box["y"] + box["height"] - 60)
    assert page.locator(".handle").count() == 3
    assert center != page.evaluate("() => { const c = window.rutter.sections[0].pane.map.getCenter(); return [c.lat, c.lng]; }")


def a_saved_route_is_planned_again(check):
    """Its points, its mode and its straight leg are those with which it was saved."""
    rutter(check.folder, f"route plan {STATION} {PEAK} --via {HUT} --straight 2 --profile cycling | route save 'Over the top'")
    check.server.stop()
    check.server = Server(check.folder)
    page = check.page()
    go(page, "routes")
    page.locator("tbody a").filter(has_text="Over the top").click()
    length = page.locator(".detail .fields div").filter(has=page.locator("dt", has_text="distance")).locator("dd").first.inner_text()
    page.get_by_role("button", name="Plan again").click()
    page.wait_for_selector(".panel .numbers")
    settle(page)
    assert ran(page).endswith(f"--via {HUT} --straight 2 --profile cycling"), ran(page)
    assert length in page.locator(".numbers").inner_text(), length
    # Saved as it is, the old one stays beside it.
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("dialog input").fill("Over it once more")
    page.locator("dialog button.primary").click()
    page.get_by_role("heading", name="Over it once more").wait_for()
    assert {"Over the top", "Over it once more"} <= set(rutter(check.folder, "route list | get name").splitlines())


def the_profile_says_what_the_way_is_like(check):
    """Steepness, surface, grade and the places beside the way: by colour, by words at the pointer, and as the terminal says it."""
    page = check.page()
    planned(page, f"map/plan/{STATION};{PEAK}")
    entry = ran(page)
    page.locator(".panel .bands").filter(has_text="surface").wait_for()
    bands = {band.inner_text().split()[0]: band.inner_text() for band in page.locator(".panel .bands").all()}
    surfaces = rutter(check.folder, f"{entry} | get edges | get surface").split()
    assert set(bands) == {"steepness", "surface", "grade"} and all(one in bands["surface"] for one in surfaces), bands
    assert "unknown" not in bands["steepness"], bands
    # Grades are those of the scale, each in its own colour, and the table says them the same way.
    grades = re.findall(r"T[1-6]", bands["grade"])
    assert grades and "hiking" not in bands["grade"], bands
    colours = page.locator(".panel .bands").filter(has_text="grade").locator("i").evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(set(colours)) == len(colours), colours
    assert all(grade in page.get_by_role("region", name="Ways by grade (SAC)").inner_text() for grade in grades)
    # Each band is as long as the axis, and a piece of way as long as its share of it.
    shares = [float(one) for one in rutter(check.folder, f"{entry} | get edges | get distance | to json").strip("[] \n").replace("\n", "").split(",")]
    rects = page.evaluate("() => [...document.querySelectorAll('.panel .chart rect')].map((one) => [one.getAttribute('y'), Number(one.getAttribute('width'))])")
    axis = page.evaluate("() => { const line = document.querySelector('.panel .chart .axis'); return line.getAttribute('x2') - line.getAttribute('x1'); }")
    rows = sorted({float(y) for y, _ in rects})
    assert len(rows) == 3, rows
    for row in rows:
        assert abs(sum(width for y, width in rects if float(y) == row) - axis) < 3, (row, rects)
    assert any(width > axis * max(shares) / sum(shares) - 2 for y, width in rects if float(y) == rows[1]), rects
    chart = page.locator(".panel .chart")
    chart.focus()
    page.keyboard.press("Home")
    first = chart.get_attribute("aria-valuetext")
    assert surfaces[0] in first and re.search(r"\d% (up|down)", first), first
    said = [line.split("\t") for line in rutter(check.folder, f"{entry} | place along | select name along").splitlines()[1:]]
    table = page.get_by_role("region", name="On the way").inner_text()
    assert said and all(name in table and along in table for name, along in said), (said, table)
    assert page.locator(".panel .flag").count() == len(said)
    axe(page, "profile with bands")
    shot(page, "profile-bands-desktop")
    other = check.page(PHONE, color_scheme="dark")
    planned(other, f"map/plan/{STATION};{PEAK}")
    other.locator(".panel .bands").filter(has_text="surface").wait_for()
    fits(other, "profile phone")
    axe(other, "profile phone dark")
    other.locator(".panel .bands").first.scroll_into_view_if_needed()
    shot(other, "profile-bands-phone")
    assert not check.problems, check.problems


LATE = """(place) => {
    const asked = window.fetch;
    window.fetch = async (address, options) => {
        const isPlan = /"entry":"route plan [^|]*"/.test(options?.body ?? "");
        if (isPlan) await new Promise((resolve) => { window.answer = resolve; });
        return asked(address, options);
    };
    window.rutter.sections[0].add(place);
}"""


def a_late_answer_draws_no_route_that_was_undone(check):
    page = check.page()
    go(page, f"map/plan/{STATION}")
    page.evaluate(LATE, [float(part) for part in HUT.split(",")])
    page.wait_for_function("() => window.answer")
    page.keyboard.press("Control+z")
    page.evaluate("window.answer()")
    settle(page)
    assert page.locator(".handle").count() == 1
    assert page.evaluate("window.rutter.sections[0].routeLayer.getLayers().length") == 0
    assert page.locator(".panel .numbers").count() == 0
    assert page.get_by_role("button", name="Save", exact=True).is_disabled()
    assert not check.problems, check.problems


def a_plan_that_ends_where_it_starts_asks_for_a_place(check):
    page = check.page()
    planned(page, f"map/plan/{STATION};{HUT};{STATION}")
    page.get_by_role("button", name="Remove 1").click()
    page.locator(".panel").get_by_text("The route ends where it starts").wait_for()
    assert page.locator(".panel .problem, .panel .numbers").count() == 0
    page.keyboard.press("Control+z")
    page.wait_for_selector(".panel .numbers")
    assert not check.problems, check.problems


def a_route_is_saved_once(check):
    page = check.page()
    planned(page, f"map/plan/{STATION};{HUT}")
    held = []
    page.route("**/api/run", lambda route: held.append(route) if "route save" in route.request.post_data else route.continue_())
    for _ in range(2):
        page.get_by_role("button", name="Save", exact=True).click()
        if page.locator("dialog").count():
            page.locator("dialog input").fill("Once")
            page.keyboard.press("Enter")
            page.wait_for_function("() => !document.querySelector('dialog')")
    page.get_by_text("The route is being saved.").wait_for()
    assert len(held) == 1
    held[0].continue_()
    page.get_by_text("Saved Once.").wait_for()


def the_keyboard_stays_where_it_is(check):
    """What a control changes is shown anew, and the control with it."""
    page = check.page()
    planned(page, f"map/plan/{STATION};{HUT}")
    at = "() => (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent)"
    for name in ("To B: Straight", "Reverse", "Undo"):
        page.get_by_role("button", name=name, exact=True).focus()
        page.keyboard.press("Enter")
        settle(page)
        assert page.evaluate(at) == name, page.evaluate(at)
    page.get_by_label("Mode").focus()
    page.get_by_label("Mode").select_option("cycling")
    settle(page)
    assert page.evaluate(at) == "Mode", page.evaluate(at)
    # What is gone leaves it to the panel.
    page.get_by_role("button", name="Remove B").focus()
    page.keyboard.press("Enter")
    settle(page)
    assert page.evaluate(at) == "Details", page.evaluate(at)


def the_result_of_a_plan_is_said(check):
    """Screen readers say what changes in a region of the role `status`."""
    page = check.page()
    go(page, "map")
    page.get_by_role("button", name="Plan a route").click()
    said = page.locator(".with-map > [role=status]")
    said.get_by_text("Click the map where the route starts").wait_for(state="attached")
    planned(page, f"map/plan/{STATION};{HUT}")
    distance = page.locator(".numbers dd").first.inner_text()
    said.get_by_text(f"Route, distance {distance}").wait_for(state="attached")
    # Of a search the number of matches is said while they are chosen by the arrow keys.
    page.get_by_role("combobox", name="Search places").fill("Hut")
    page.locator(".search [role=status]").get_by_text("match").wait_for(state="attached")
