"""Ways in and around: files, addresses, keys, long commands, stores that are only looked at."""

import sqlite3

from support import *

WALK = """<gpx version="1.1" creator="x"><trk><name>Dropped walk</name><trkseg>
<trkpt lat="0.50" lon="0.49"><ele>100</ele><time>2026-02-01T08:00:00Z</time></trkpt>
<trkpt lat="0.501" lon="0.49"><ele>110</ele><time>2026-02-01T08:02:00Z</time></trkpt></trkseg></trk></gpx>"""
SLOW = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 400000000) SELECT count(*) AS n FROM c"
DROP = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    for (const kind of ['dragenter', 'dragover', 'drop']) {
        document.querySelector('main').dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
    }
}"""


def files_are_dropped_and_accounted_for(check):
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        go(page, "hikes")
        page.evaluate(DROP, [f"walk {name}.gpx", WALK.replace("Dropped", f"Dropped {name}").replace("02-01", "02-01" if name == "desktop" else "02-02")])
        dialog = page.locator("dialog")
        dialog.get_by_text("1 of 1 files imported.").wait_for()
        assert ran(page).startswith("import '") and f"walk {name}.gpx" in ran(page), ran(page)
        axe(page, f"account {name}")
        shot(page, f"account-{name}")
        dialog.get_by_role("button", name="Close").click()
        page.get_by_role("link", name=f"Dropped {name} walk").wait_for()
        # What cannot be read is said, with what can be.
        page.evaluate(DROP, ["notes.txt", "no walk"])
        page.locator("dialog .problem").wait_for()
        assert "GTFS" in dialog.inner_text()
        dialog.get_by_role("button", name="Close").click()
    assert not glob.glob(tempfile.gettempdir() + "/rutter-upload-*/walk *.gpx"), "files stay behind"
    assert not check.problems, check.problems


def files_are_chosen(check):
    page = check.page()
    for section in ("hikes", "routes", "waypoints", "map", "regions"):
        go(page, section)
        page.locator("main > section:not([hidden]) input[type=file]").first.wait_for(state="attached")
        assert page.locator("main > section:not([hidden]) input[type=file]").count() == 1, section
    go(page, "map")
    page.locator("main > section:not([hidden]) input[type=file]").set_input_files(files=[{"name": "w.gpx", "mimeType": "", "buffer": WALK.encode()}])
    page.locator("dialog").get_by_text("1 of 1 files imported.").wait_for()
    assert "Dropped walk" in rutter(check.folder, "hike list | get name")


def a_store_opened_to_look_at_replaces_nothing(check):
    folder = tempfile.mkdtemp(prefix="rutter-page-")
    with sqlite3.connect(f"{folder}/ints.sqlite") as store:
        store.execute("CREATE TABLE ints (i INTEGER)")
    page = check.page()
    go(page, "stores")
    page.get_by_label("Open a file").fill(f"{folder}/ints.sqlite")
    page.get_by_label("Open a file").press("Enter")
    page.get_by_role("link", name="ints", exact=True).wait_for()
    assert page.locator("#used").is_hidden()
    go(page, "hikes")
    page.get_by_role("link", name="Over the hut").wait_for()
    go(page, "map")
    page.wait_for_selector(".panel .chips button:text-is('valley')")
    # Used everywhere, it is said everywhere, and nothing is claimed of the regions that are set aside.
    go(page, "stores/ints")
    page.get_by_role("button", name="Use it everywhere").click()
    page.locator("#used").get_by_text("The store ints is in use").wait_for()
    go(page, "map")
    page.wait_for_selector(".panel .problem")
    assert "No region is imported" not in page.locator("main").inner_text()
    assert "no region" not in page.evaluate("""() => fetch('/api/run', {method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({entry: "place find 'Meridian Hut'"})}).then((r) => r.text())""")
    page.get_by_role("button", name="Return to your own").click()
    page.wait_for_selector(".panel .chips button:text-is('valley')")
    shutil.rmtree(folder)


def a_long_command_blocks_nothing_and_is_cancelled(check):
    page, other = check.page(), check.page()
    go(page, "stores/waypoints.db/sql")
    page.locator("#store-sql").fill(SLOW)
    page.get_by_role("button", name="Run", exact=True).click()
    busy = page.locator("#busy")
    busy.get_by_role("button", name="Cancel").wait_for()
    began = time.time()
    other.get_by_role("combobox", name="Search places").fill("Meridian Hut")
    other.wait_for_selector(".results li:has-text('Meridian Hut')")
    assert time.time() - began < 5, time.time() - began
    axe(page, "busy")
    shot(page, "busy-desktop")
    busy.get_by_role("button", name="Cancel").click()
    page.get_by_text("stopped").first.wait_for()
    assert busy.inner_text() == ""
    # The error of the stopped statement is gone when the next one runs.
    page.locator("#store-sql").fill("SELECT 1 AS one")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("1 rows").wait_for()
    assert page.locator("main > section:not([hidden]) .problem").count() == 0


def every_pin_is_a_button_with_a_name(check):
    page = check.page()
    pins = page.locator(".leaflet-marker-icon")
    pins.first.wait_for()
    for pin in pins.all():
        assert pin.get_attribute("role") == "button" and pin.get_attribute("aria-label"), pin.evaluate("e => e.outerHTML")
    name = pins.first.get_attribute("aria-label")
    pins.first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=name).wait_for()
    assert page.evaluate("location.hash").startswith("#map/waypoints/")
    # The list beside the map has the same.
    page.get_by_role("button", name="Back").click()
    page.get_by_text("List of waypoints").click()
    page.locator(".layers").get_by_role("button", name=name).first.wait_for()
    plan(page)
    for pin in page.locator(".handle").all():
        assert pin.get_attribute("role") == "button" and "Delete removes it" in pin.get_attribute("aria-label")
    axe(page, "pins")


def a_step_back_is_a_state_back(check):
    page = check.page()
    go(page, "stops")
    page.locator("#stop-search").fill("central")
    page.locator(".results [role=option]").first.click()
    page.wait_for_selector('.drawer[data-detent="half"] tbody tr')
    address = page.evaluate("location.hash")
    assert address == "#stops/CEN", address
    # A second tab shows the same.
    other = check.page(url=check.server.url, context=page.context)
    go(other, address[1:])
    other.locator(".drawer h2").get_by_text("Central Station").wait_for()
    page.locator(".departures .to button").first.click()
    page.wait_for_selector(".calls tbody tr")
    assert "/trip/" in page.evaluate("location.hash")
    go(other, page.evaluate("location.hash")[1:])
    other.wait_for_selector(".calls tbody tr")
    page.go_back()
    page.wait_for_selector('.drawer tbody tr .in')
    page.go_back()
    page.wait_for_selector(".drawer", state="hidden")
    assert page.evaluate("location.hash") == "#stops"
    go(page, "map")
    page.mouse.click(*in_map(page, 0.4, 0.4))
    page.wait_for_function("() => location.hash.startsWith('#map/at/')")
    page.go_back()
    page.get_by_role("heading", name="Map", exact=True).wait_for()


def a_plan_and_its_undo_survive_a_reload(check):
    page = check.page()
    plan(page)
    # The line itself is dragged: one more point, which undo takes back.
    line = page.evaluate("() => window.rutter.sections[0].route.map[0].find((f) => f.type === 'route').line")
    page.evaluate("place => window.rutter.sections[0].pane.map.setView(place, 17, { animate: false })", line[len(line) * 2 // 5])
    settle(page)
    x, y = place_of(page, line[len(line) * 2 // 5])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 10, steps=6)
    page.mouse.up()
    page.wait_for_selector(".handle.via")
    assert page.locator(".handle").count() == 3
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.wait_for_function("() => document.querySelectorAll('.handle').length === 3")
    page.keyboard.press("Control+z")
    page.wait_for_function("() => document.querySelectorAll('.handle').length === 2")
    page.get_by_role("button", name="Back to start").click()
    page.wait_for_function("""() => {
      const places = [...document.querySelectorAll('.pins li')].map((item) => item.textContent.match(/-?[0-9.]+,-?[0-9.]+/)?.[0]);
      return places.length === 3 && places[0] === places[2] && places[1] !== places[0];
    }""")
    settle(page)
    page.locator(".panel table").first.wait_for()
    shot(page, "loop-desktop")
    axe(page, "loop")


def both_sides_of_the_180th_meridian_are_side_by_side(check):
    rutter(check.folder, *[f"waypoint delete {one}" for one in rutter(check.folder, "waypoint list | get id").split()], *[f"hike delete {one}" for one in rutter(check.folder, "hike list | get id").split()],
           *[f"route delete {one}" for one in rutter(check.folder, "route list | get id").split()],
           "waypoint add -30,179.97 --label West", "waypoint add -30.01,-179.97 --label East")
    page = check.page()
    page.locator(".leaflet-marker-icon").nth(1).wait_for()
    west, east = [page.get_by_role("button", name=name, exact=True).first.bounding_box() for name in ("West", "East")]
    assert 50 < east["x"] - west["x"] < 1000, (west, east)
    assert all(0 < box["x"] < 1280 and 0 < box["y"] < 800 for box in (west, east))


def every_cut_and_doubt_is_shown(check):
    """Whatever a command says beside its value is on the page, even if the section that ran it shows something else."""
    feed = f"{check.folder}/feed"
    os.makedirs(feed)
    files = {
        "agency": "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,Europe/Zurich\n",
        "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nd,1,1,1,1,1,1,1,20260101,20261231\n",
        "routes": "route_id,agency_id,route_short_name,route_type\nr,a,7,3\n", "trips": "route_id,service_id,trip_id\nr,d,t\n",
        "stops": "stop_id,stop_name,stop_lat,stop_lon\n" + "".join(f"s{i},Halt {i},{0.5 + i // 20 * 0.002:.4f},{0.5 + i % 20 * 0.002:.4f}\n" for i in range(258)),
        "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                      + "".join(f"t,{10 + i // 60:02}:{i % 60:02}:00,{10 + i // 60:02}:{i % 60:02}:00,s{i},{i}\n" for i in range(258)),
    }
    for name, text in files.items():
        with open(f"{feed}/{name}.txt", "w") as file:
            file.write(text)
    check.server.stop()
    rutter(check.folder, "feed import feed --force")
    check.server = Server(check.folder)
    page = check.page()
    go(page, "stops")
    page.wait_for_function("() => /258 stops/.test(document.querySelector('.status').textContent)")
    page.get_by_text("Stops in view:").click()
    # The list is filled when the fold has opened, a moment after the click. It has what the map has, and the counts add up.
    page.wait_for_function("() => document.querySelectorAll('.beside li').length > 0")
    rows = page.locator(".beside li").all_inner_texts()
    assert sum(int(row.split()[0]) if re.match(r"\d+ stops: ", row) else 1 for row in rows) == 258, rows
    # A command's own limit is a note.
    go(page, "commands")
    page.locator("#entry").fill("stop list 0,0,1,1 --limit 3")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer pre")
    assert page.locator("#said").is_visible() and "note" in page.locator("#said summary").inner_text()
    shot(page, "stops-many-desktop")


def a_waypoint_has_a_category_and_a_note(check):
    page = check.page()
    page.get_by_role("button", name="Add waypoint").click()
    page.get_by_label("Label").fill("Well")
    page.get_by_label("Category").select_option("waterSource")
    page.get_by_label("Note").fill("cold, even in August")
    page.locator("dialog button.primary").click()
    page.wait_for_function("() => document.querySelector('#ran').textContent.includes('--category')")
    settle(page)
    assert rutter(check.folder, "waypoint show Well | get note").strip() == "cold, even in August"
    go(page, "waypoints")
    page.locator("tr.group").get_by_text("Water").wait_for()
    page.get_by_role("link", name="Well").click()
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Note").fill("dry since June")
    page.locator("dialog button.primary").click()
    page.locator(".detail").get_by_text("dry since June").wait_for()


def the_layout_suits_the_screen(check):
    for size in ((390, 844), (844, 390), (820, 1180), (1440, 900)):
        for scheme in ("light", "dark"):
            page = check.page(size, color_scheme=scheme)
            for section in ("map", "hikes", "stops", "stores", "regions"):
                go(page, section)
                fits(page, f"{section} {size}")
                shot(page, f"layout-{section}-{size[0]}x{size[1]}-{scheme}")
            go(page, "map")
            box = page.locator("main > section:not([hidden]) .map").bounding_box()
            assert box["width"] * box["height"] > 0.3 * size[0] * size[1], (size, box)
