"""The map: planning, search, charts, many markers."""

from support import *


def a_route_is_planned_by_two_clicks_and_dragged(check):
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        plan(page)
        assert ran(page).startswith("route plan 0.49")
        turns = page.locator(".turns li").all_inner_texts()
        assert "Head north on Station Street" in turns[0] and "Arrive" in turns[-1], turns
        assert page.locator(".profile .area").count() == 1
        before = page.locator(".numbers").inner_text()
        axe(page, f"planning {name}")
        shot(page, f"planning-{name}")
        # The same as the terminal says.
        said = rutter(check.folder, ran(page) + " | select distance duration gain")
        for number in re.findall(r"\t(\S+)", said):
            assert number in before, (number, before)
        # Drag the end; the route follows while it is dragged.
        box = page.locator(".handle.end").bounding_box()
        x, y = box["x"] + 15, box["y"] + 15
        times = []
        page.on("requestfinished", lambda request: request.url.endswith("/api/run") and times.append(request.timing["responseEnd"]))
        page.mouse.move(x, y)
        page.mouse.down()
        for step in range(1, 21):
            page.mouse.move(x + step, y + 2 * step)
            page.wait_for_timeout(30)
        during = page.locator(".numbers").inner_text()
        page.mouse.up()
        settle(page)
        assert during != before
        print(f"    {name}: {len(times)} routes while dragging, median {sorted(times)[len(times) // 2]:.0f} ms, slowest {max(times):.0f} ms")
        # Insert a place between by a click on the line, then take both back.
        assert page.locator(".handle").count() == 2
        middle = page.evaluate("""() => {
            const section = window.rutter.sections[0];
            const line = section.route.map[0].find((feature) => feature.type === 'route').line;
            return line[Math.floor(line.length * .4)];
        }""")
        # Near enough that no pin covers the line.
        page.evaluate("place => window.rutter.sections[0].pane.map.setView(place, 17, { animate: false })", middle)
        settle(page)
        page.mouse.click(*place_of(page, middle))
        page.wait_for_selector(".handle.via")
        page.wait_for_function("() => document.querySelector('#ran').textContent.includes(' --via ')")
        settle(page)
        page.keyboard.press("Control+z")
        settle(page)
        assert page.locator(".handle").count() == 2
        page.keyboard.press("Control+z")
        settle(page)
        page.wait_for_function("before => document.querySelector('.numbers')?.innerText === before", arg=before)
        # Save it: the command goes into the session's record.
        page.get_by_role("button", name="Save").click()
        page.locator("dialog input").fill(f"By {name}")
        page.locator("dialog button.primary").click()
        page.wait_for_function("name => document.querySelector('#message').textContent.includes(name)", arg=f"By {name}")
        assert f"route save 'By {name}'" in ran(page)
        page.get_by_role("button", name="Copy").click()
        assert page.evaluate("navigator.clipboard.readText()") == ran(page)
        go(page, "routes")
        page.get_by_role("link", name=f"By {name}").wait_for()
    assert not check.problems, check.problems


def places_are_found_as_one_types(check):
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        go(page, "map")
        field = page.get_by_role("combobox", name="Search places")
        # A prefix; entries while typing query no server.
        field.press_sequentially("meridian h", delay=20)
        page.wait_for_function("() => document.querySelector('.results strong')?.textContent === 'Meridian Hut'")
        assert "--local" in ran(page) and "--near" in ran(page), ran(page)
        axe(page, f"search {name}")
        shot(page, f"search-{name}")
        # A letter is missing: the match only resembles the text, and Enter does not select it.
        field.fill("Merdian Hut")
        page.wait_for_selector(".results .guess")
        assert "resembles" in page.locator(".results .guess").first.inner_text()
        shot(page, f"search-misspelt-{name}")
        page.keyboard.press("Enter")
        page.wait_for_function("() => !document.querySelector('#ran').textContent.includes('--local')")
        settle(page)
        assert page.locator(".results .guess").count() > 0
        page.keyboard.press("ArrowDown")
        assert field.get_attribute("aria-activedescendant") == "place-search-0"
        page.keyboard.press("Enter")
        page.wait_for_selector(".panel h2:text-is('Meridian Hut')")
        assert ran(page).startswith("place at 0.5")
        settle(page)
        axe(page, f"place {name}")
        shot(page, f"place-{name}")
        # A kind, a coordinate, and what is nowhere.
        field.fill("huts")
        page.wait_for_selector(".results li:has-text('hut')")
        field.fill("0.4979, 0.4829")
        page.wait_for_selector(".results li:has-text('coordinate')")
        field.fill("151.2, -33.9")
        page.wait_for_selector(".results .hint:has-text('-33.9,151.2')")
        field.fill("Xyzzy")
        page.wait_for_selector(".results .hint:has-text('no place')")
        shot(page, f"search-none-{name}")
        page.keyboard.press("Escape")
        assert page.locator(".results li").count() == 0 and field.input_value() == ""
        # A route is planned by names alone.
        page.get_by_role("button", name="Route from here").click()
        field.fill("null station")
        page.wait_for_selector(".results li:has-text('Null Station')")
        page.keyboard.press("Enter")
        page.wait_for_selector(".panel .turns li")
        assert page.locator(".handle").count() == 2
        page.get_by_role("button", name="Close").click()
        # A click on the map says what is there.
        page.mouse.click(*place_of(page, (0.49786, 0.482913)))
        page.wait_for_function("() => document.querySelector('#ran').textContent.startsWith('place at')")
        page.wait_for_selector(".panel .fields")
    assert not check.problems, check.problems


def the_chart_follows_the_pointer_and_the_keys(check):
    page = check.page()
    go(page, "hikes")
    page.locator("tbody a").first.click()
    chart = page.locator(".detail .chart")
    chart.hover()
    words = page.locator(".detail .chart-words").inner_text()
    # A place on the way, its height, and how steep it is there.
    assert re.fullmatch(r"[\d.]+k?m, \d+m, (\d+% (up|down)|level)", words), words
    chart.focus()
    page.keyboard.press("End")
    assert page.locator(".detail .chart-words").inner_text().startswith("4.57km")
    assert chart.get_attribute("aria-valuetext").startswith("4.57km")


def a_hike_is_edited_and_restored(check):
    page = check.page()
    go(page, "hikes")
    page.locator("tbody a").first.click()
    page.wait_for_selector(".detail .chart")
    hike = page.evaluate("location.hash").split("/")[1]

    def distance():
        return rutter(check.folder, f"hike show {hike} | get distance").strip()

    before = distance()
    page.get_by_role("button", name="Crop the start").click()
    page.locator("dialog input").fill("500m")
    page.locator("dialog button.primary").click()
    page.wait_for_selector(".detail h3:text-is('Before and after')")
    assert ran(page) == f"hike crop {hike} --skip 500m", ran(page)
    after = distance()
    assert after != before
    cells = page.locator(".table-box[aria-label='Before and after'] tbody tr").first.locator("th, td").all_inner_texts()
    assert cells == ["distance", before, after], cells
    axe(page, "edited hike")
    shot(page, "hike-edited-desktop")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.wait_for_timeout(300)
    fits(page, "edited hike")
    shot(page, "hike-edited-phone")
    # Errors are reported, and nothing is changed.
    page.get_by_role("button", name="Trim", exact=True).click()
    page.locator("dialog input").fill("99km")
    page.locator("dialog button.primary").click()
    page.wait_for_function("() => !['', 'D'].includes(document.querySelector('#message').textContent.slice(0, 1))")
    assert distance() == after
    settle(page)
    page.get_by_role("button", name="Restore").click()
    page.wait_for_selector(".detail h3:text-is('Before and after')", state="detached")
    assert distance() == before
    assert not check.problems, check.problems


def five_thousand_markers_pan_smoothly(check):
    with_many_waypoints(check)
    page = check.page()
    page.wait_for_load_state("networkidle")
    assert page.locator(".panel .count").first.inner_text() == "5005"
    session = page.context.new_cdp_session(page)
    page.evaluate("""() => { window.frames5 = []; let last = performance.now();
        const step = (now) => { window.frames5.push(now - last); last = now; requestAnimationFrame(step); };
        requestAnimationFrame(step); }""")
    x, y = in_map(page, 0.5, 0.5)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(x + step * 3, y + step)
    page.mouse.up()
    page.wait_for_timeout(600)
    frames = sorted(page.evaluate("window.frames5"))
    slow = [frame for frame in frames if frame > 50]
    print(f"    {len(frames)} frames, median {frames[len(frames) // 2]:.1f} ms, slowest {frames[-1]:.0f} ms, {len(slow)} over 50 ms")
    session.detach()
    shot(page, "many-desktop")
