"""Tens of thousands of rows and pins: only what is in view is made."""

from support import *


def with_many(check, count):
    """A walk of many points and splits, and many waypoints, whose rows are made here: the server needs no minute to read them."""
    page = check.page()

    def many(route):
        entry = route.request.post_data_json["entry"]
        if entry.startswith("hike splits"):
            rows = [[str(i + 1), f"{i}km", "12min"] for i in range(count)]
            return route.fulfill(json={"entry": entry, "text": "", "kind": "rows", "changed": False, "table": {"columns": ["split", "distance", "pace"], "rows": rows}})
        if entry.startswith("waypoint list"):
            rows = [[f"P{i}", "custom", f"id{i}", f"{0.4 + i // 200 * 0.001:.4f},{0.4 + i % 200 * 0.001:.4f}"] for i in range(count)]
            features = [[{"type": "pin", "at": [0.4 + i // 200 * 0.001, 0.4 + i % 200 * 0.001], "label": f"P{i}", "color": "#1c5fb8", "icon": "mappin"}] for i in range(count)]
            return route.fulfill(json={"entry": entry, "text": "", "kind": "rows", "changed": False, "map": features, "value": [], "table": {"columns": ["label", "category", "id", "at"], "rows": rows}})
        return route.continue_()

    page.route("**/api/run", many)
    return page


def measured(page, selector, act):
    """Milliseconds of the page's own work until the selector is there: from the parsed answer to the frame that shows it."""
    page.evaluate("""() => { window.worked = 0; window.watching = new PerformanceObserver((list) => { for (const one of list.getEntries()) window.worked = Math.max(window.worked, one.duration); });
        window.watching.observe({ entryTypes: ['longtask'] }); }""")
    act()
    page.wait_for_selector(selector)
    page.wait_for_timeout(300)
    return page.evaluate("() => { window.watching.disconnect(); return window.worked; }")


def twenty_thousand_splits_are_scrolled(check):
    page = with_many(check, 20_000)
    go(page, "hikes")
    page.locator("tbody a").first.wait_for()
    time_ = measured(page, "[aria-label=Splits] tbody tr[aria-rowindex]", lambda: page.locator("tbody a").first.click())
    print(f"    20,000 splits: longest task {time_:.0f} ms")
    box = page.get_by_role("region", name="Splits")
    assert box.locator("table").get_attribute("aria-rowcount") == "20001"
    assert box.locator("tbody tr").count() < 200
    # The last row is there when one scrolls to it, and the first again.
    box.focus()
    page.keyboard.press("End")
    box.get_by_text("19999km", exact=True).wait_for()
    last = box.locator('tr[aria-rowindex="20001"]').bounding_box()
    frame = box.bounding_box()
    assert frame["y"] < last["y"] < frame["y"] + frame["height"], (last, frame)
    page.keyboard.press("Home")
    box.get_by_text("0km", exact=True).wait_for()
    assert box.locator("tbody tr").count() < 200
    axe(page, "many splits")
    shot(page, "many-splits-desktop")


def twenty_thousand_places_are_listed_and_drawn(check):
    page = with_many(check, 20_000)
    time_ = measured(page, "section[aria-label=Waypoints] tbody tr[aria-rowindex]", lambda: go(page, "waypoints"))
    print(f"    20,000 rows: longest task {time_:.0f} ms")
    # The chosen row is marked although it is made later.
    page.evaluate("location.hash = '#waypoints/id15000'")
    page.wait_for_timeout(300)
    box = page.locator("section[aria-label=Waypoints] .table-box")
    box.evaluate("box => { box.scrollTop = box.scrollHeight * .75; }")
    page.locator('a[href="#waypoints/id15000"]').wait_for()
    assert "chosen" in page.locator("tr:has(a[href='#waypoints/id15000'])").get_attribute("class")
    go(page, "map")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("window.rutter.sections[0].drawn.waypoints.layer.getLayers().length") == 20_000
    # Made and drawn again from the same answer, up to the frame that shows it.
    time_ = page.evaluate("""async () => { const section = window.rutter.sections[0]; const { map, titles, layer } = section.drawn.waypoints; layer.remove();
        const began = performance.now(); const made = section.pane.layer(map, { titles, onpick: () => {} }).addTo(section.pane.map);
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done))); const time = performance.now() - began;
        made.remove(); layer.addTo(section.pane.map); return time; }""")
    print(f"    20,000 pins made and drawn: {time_:.0f} ms")
    # A dot has its name, and opens what it stands for.
    page.evaluate("window.rutter.sections[0].pane.map.setView([0.45, 0.45], 17, { animate: false })")
    settle(page)
    x, y = place_of(page, (0.45, 0.45))
    page.mouse.move(x, y)
    page.locator(".leaflet-tooltip").get_by_text("P10050").wait_for()
    page.mouse.click(x, y)
    page.get_by_role("heading", name="P10050").wait_for()
    check.problems.clear()


def a_list_is_printed_whole(check):
    """On paper a list has all its rows, and none of what is pressed."""
    with_many_waypoints(check)
    page = check.page()
    go(page, "waypoints")
    rows = page.locator("section[aria-label=Waypoints] .table-box tr[aria-rowindex]")
    rows.first.wait_for()
    assert rows.count() < 500
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert rows.count() >= 5000, rows.count()
    assert not page.locator("#sections").is_visible() and not page.locator(".ran").is_visible()
    box = page.locator("section[aria-label=Waypoints] .table-box").bounding_box()
    assert box["height"] > 50_000, box
    numbers = rows.evaluate_all("all => all.map((one) => Number(one.ariaRowIndex))")
    assert numbers == sorted(numbers)
    # Back on the screen the rows out of view are gone again.
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert rows.count() < 500
    assert not check.problems, check.problems
