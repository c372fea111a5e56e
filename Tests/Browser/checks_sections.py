"""Every section, in both sizes and looks."""

from support import *


def every_section_in_both_sizes(check):
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        for scheme in ("light", "dark"):
            page = check.page(size, color_scheme=scheme)
            for section in SECTIONS:
                go(page, section)
                page.wait_for_timeout(300)
                fits(page, f"{section} {name}")
                axe(page, f"{section} {name} {scheme}")
                shot(page, f"{section}-{name}-{scheme}")
            go(page, "hikes")
            page.locator("tbody a").first.click()
            page.wait_for_selector(".detail .chart")
            page.wait_for_load_state("networkidle")
            fits(page, f"hike {name}")
            axe(page, f"hike {name} {scheme}")
            shot(page, f"hike-{name}-{scheme}")
    assert not check.problems, check.problems


def further_sections_are_behind_the_last_tab(check):
    page = check.page(PHONE)
    assert page.locator("#sections a:visible").count() == 5
    more = page.get_by_role("button", name="More")
    assert more.get_attribute("aria-expanded") == "false"
    more.click()
    assert page.locator("#sections a:visible").count() == page.locator("#sections a").count() > 5
    axe(page, "more")
    shot(page, "more-phone")
    page.locator('#sections a[href="#commands"]').click()
    page.wait_for_selector("section[aria-label=Commands]:not([hidden])")
    assert page.locator("#sections a:visible").count() == 5


def large_text_stays_readable(check):
    for size in (DESKTOP, PHONE):
        page = check.page(size)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for section in SECTIONS:
            go(page, section)
            fits(page, section)
            for link in page.locator("#sections a:visible, #sections button:visible").all():
                box = link.bounding_box()
                assert box and box["width"] > 20 and box["x"] + box["width"] <= size[0] + 1, section
        shot(page, f"large-{size[0]}")
    # Whoever enlarges the text, the browser or a rule of the page's root, the layout is that of a screen of as many letters.
    page = check.page((820, 1180))
    for percent, is_compact in ((100, False), (200, True)):
        page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
        assert (page.locator("#sections").bounding_box()["y"] > 900) == is_compact, percent
        assert (page.locator(".map-box").first.bounding_box()["width"] > 800) == is_compact, percent


def the_keyboard_is_enough(check):
    page = check.page()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Alt+2")
    page.wait_for_selector("section[aria-label=Hikes]:not([hidden]) tbody a")
    page.keyboard.press("Alt+1")
    page.wait_for_selector("section[aria-label=Map]:not([hidden])")
    page.locator(".with-map .map").focus()
    page.keyboard.press("Enter")
    for _ in range(2):
        page.keyboard.press("ArrowUp")
        page.wait_for_timeout(500)
    page.keyboard.press("Enter")
    page.wait_for_load_state("networkidle")
    assert page.locator(".handle").count() == 2 and ran(page).startswith("route plan")
    before = ran(page)
    page.locator(".handle.end").focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_function("before => document.querySelector('#ran').textContent !== before", arg=before)
    assert "end" in page.evaluate("document.activeElement.className")
    page.keyboard.press("Delete")
    page.wait_for_function("() => document.querySelectorAll('.handle').length === 1")
    page.keyboard.press("?")
    assert page.locator("dialog h2").inner_text() == "Keys"
    page.keyboard.press("Escape")
    # The browser closes a dialog in its own time.
    page.wait_for_selector("dialog[open]", state="detached")
    # A field that is being typed into keeps its letters.
    page.locator("#place-search").focus()
    page.keyboard.type("?/")
    assert page.locator("#place-search").input_value() == "?/" and page.locator("dialog[open]").count() == 0
    page.keyboard.press("Escape")
    page.locator(".with-map .map").first.focus()
    page.keyboard.press("/")
    page.wait_for_function("() => document.activeElement.id === 'entry'")
    page.keyboard.type("1 + 1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer pre")
    assert page.locator(".answer pre").last.inner_text() == "2"
    page.keyboard.press("ArrowUp")
    assert page.locator("#entry").input_value() == "1 + 1"


def the_menu_has_the_commands_of_the_desktop_app(check):
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        go(page, "commands")
        page.locator("#entry").fill("device use")
        page.keyboard.press("Enter")
        page.wait_for_selector(".answer pre")
        settle(page)
        enter = lambda title: (page.get_by_role("button", name="Menu").click(), page.locator("#menu button").filter(has_text=title).click())
        page.get_by_role("button", name="Menu").click()
        titles = [text.split("\n")[0] for text in page.locator("#menu button").all_inner_texts()]
        assert titles == ["Undo", "Sync now", "Settings", "Keys"], titles
        axe(page, f"menu {name}")
        fits(page, f"menu {name}")
        shot(page, f"menu-{name}")
        page.keyboard.press("Escape")
        assert page.locator("#menu:popover-open").count() == 0
        enter("Settings")
        page.get_by_label("units").wait_for()
        axe(page, f"settings {name}")
        shot(page, f"settings-{name}")
        page.get_by_label("units").fill("imperial")
        page.keyboard.press("Tab")
        page.wait_for_function("() => document.querySelector('#ran').textContent === \"set units 'imperial'\"")
        page.get_by_label("timezone").fill("Nowhere")
        page.keyboard.press("Tab")
        page.locator("dialog .problem").wait_for()
        page.keyboard.press("Escape")
        go(page, "routes")
        page.locator("section[aria-label=Routes] tbody td").filter(has_text="mi").first.wait_for()
        page.keyboard.press("Control+,")
        page.get_by_label("units").fill("metric")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('#ran').textContent === \"set units 'metric'\"")
        # Without a device there is nothing to set for its syncs.
        page.locator("dialog .tabs button").filter(has_text="Sync").click()
        page.locator("dialog .problem").filter(has_text="E-DEVICE-NONE").wait_for()
        page.keyboard.press("Escape")
        go(page, "commands")
        page.locator("#entry").fill("device add phone anna" if name == "desktop" else "device use anna")
        page.keyboard.press("Enter")
        page.wait_for_selector(".answer:nth-of-type(2) pre")
        page.keyboard.press("Control+,")
        page.locator("dialog .tabs button").filter(has_text="Sync").click()
        page.get_by_label("rule").wait_for()
        assert page.get_by_label("rule").input_value() == "merge"
        axe(page, f"settings of sync {name}")
        shot(page, f"settings-sync-{name}")
        page.keyboard.press("Escape")
        # By key, from wherever one is.
        page.keyboard.press("Control+Shift+S")
        page.wait_for_function("() => document.querySelector('#ran').textContent === 'sync'")
        page.wait_for_function("() => document.querySelector('#message').textContent.includes('pushed')")
    check.server.stop()
    check.server = Server(check.folder, options=["--read-only"])
    page = check.page()
    page.get_by_role("button", name="Menu").click()
    assert page.locator("#menu button").count() == 2
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Shift+S")
    page.keyboard.press("Control+,")
    page.get_by_label("units").wait_for()
    assert page.get_by_label("units").is_disabled() and "sync" not in ran(page)
    check.problems.clear()


def a_row_is_deleted_by_a_swipe(check):
    page = check.page(PHONE)
    go(page, "waypoints")
    row = page.locator("section[aria-label=Waypoints] tbody tr:has(a)").first
    row.wait_for()
    name = row.locator("a").inner_text()
    touch = page.context.new_cdp_session(page)

    def swipe(by, down=0):
        box = row.bounding_box()
        x, y = box["x"] + box["width"] - 40, box["y"] + box["height"] / 2
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 11):
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + by * step / 10, "y": y + down * step / 10}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(200)

    # Too short, to the right, or a scroll: nothing happens.
    for by, down in ((-30, 0), (150, 0), (-5, -150)):
        swipe(by, down)
        assert page.locator("dialog[open]").count() == 0 and row.evaluate("row => row.style.translate") == ""
    swipe(-200)
    page.locator("dialog h2").filter(has_text=f"Delete {name}").wait_for()
    shot(page, "swiped-phone")
    page.locator("dialog button.danger").click()
    page.get_by_role("link", name=name).wait_for(state="detached")
    assert ran(page) in ("waypoint list", ) or ran(page).startswith("waypoint delete"), ran(page)
    assert name not in rutter(check.folder, "waypoint list | get label")
    check.server.stop()
    check.server = Server(check.folder, options=["--read-only"])
    page = check.page(PHONE)
    touch = page.context.new_cdp_session(page)
    go(page, "waypoints")
    row = page.locator("section[aria-label=Waypoints] tbody tr:has(a)").first
    row.wait_for()
    swipe(-200)
    assert page.locator("dialog[open]").count() == 0
    check.problems.clear()


def turning_the_device_keeps_what_one_does(check):
    """Landscape and portrait of a phone, and a window that becomes narrow: nothing is asked again, nothing is lost."""
    for upright, across in ((PHONE, (844, 390)), ((700, 800), DESKTOP)):
        page = check.page(upright)

        def turned(what, state):
            before = state()
            for size in (across, upright):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                page.wait_for_timeout(400)
                assert state() == before, (what, size, before, state())
                fits(page, f"{what} {size}")

        go(page, "hikes")
        page.locator("section[aria-label=Hikes] tbody a").first.click()
        page.wait_for_selector("section[aria-label=Hikes] .detail .chart")
        settle(page)
        turned("hike", lambda: page.locator("section[aria-label=Hikes] .detail .fields").inner_text())
        page.locator("section[aria-label=Hikes] .detail .chart").focus()
        page.keyboard.press("End")
        turned("place on a chart", lambda: page.locator("section[aria-label=Hikes] .chart-words").inner_text())
        go(page, "stops")
        page.locator("#stop-search").fill("Central")
        page.locator("#stop-search-list [role=option]").first.click()
        page.wait_for_selector(".drawer .departures")
        turned("drawer", lambda: (page.locator(".drawer").get_attribute("data-detent"), page.locator(".drawer h2").inner_text()))
        go(page, "walk")
        # The routes to walk along are there.
        settle(page)
        page.get_by_role("button", name="Simulate").click()
        page.get_by_label("Time").wait_for()
        for _ in range(5):
            page.get_by_role("button", name="One fix forward").click()
        turned("walk", lambda: page.locator(".walk-clock").inner_text())
        go(page, "commands")
        page.locator("#entry").fill("half an entry")
        turned("prompt", lambda: page.locator("#entry").input_value())
        page.close()
    assert not check.problems, check.problems


def magnified_fourfold_the_page_scrolls(check):
    """1280 × 1024 at 400 %: nothing is wider than the screen, and what a section is for can be scrolled to."""
    page = check.page((320, 256))
    for section in SECTIONS:
        go(page, section)
        settle(page)
        fits(page, f"{section} at 400 %")
        shot(page, f"magnified-{section}")
        assert page.evaluate("scrollY") == 0, f"{section} begins at its top"
        for link in page.locator("#sections a:visible, #sections button:visible").all():
            box = link.bounding_box()
            assert box["width"] > 20 and box["x"] + box["width"] <= 321, section
    go(page, "hikes")
    page.locator("section[aria-label=Hikes] tbody a").first.click()
    chart = page.locator(".detail .chart")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert 0 <= box["y"] < 256 and box["width"] > 200, box
    go(page, "map")
    button = page.get_by_role("button", name="Plan a route")
    button.scroll_into_view_if_needed()
    button.click()
    page.get_by_label("Days").scroll_into_view_if_needed()
    axe(page, "magnified")
    go(page, "stops")
    page.locator("#stop-search").fill("central")
    page.locator(".results [role=option]").first.click()
    page.wait_for_selector('.drawer[data-detent="half"] tbody tr')
    settle(page)
    page.locator(".departures tbody tr").first.scroll_into_view_if_needed()
    # The rows are drawn anew when news of them arrive.
    row = at_rest(page, lambda: page.locator(".departures tbody tr").first.bounding_box())
    drawer = page.locator(".drawer").bounding_box()
    shot(page, "magnified-drawer")
    assert row["y"] + 20 < min(256, drawer["y"] + drawer["height"]), (row, drawer)


def the_browsers_own_font_size_chooses_the_layout(check):
    """Letters of double size, set in the browser: a wide window has the layout of a small screen, and nothing is cut."""
    for size in ((390, 844), (844, 390), (820, 1180), (1440, 900)):
        page = check.page(size)
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        assert page.evaluate("matchMedia('(max-width: 47.99em), (max-height: 30em)').matches")
        for section in SECTIONS:
            go(page, section)
            settle(page)
            fits(page, f"{section} {size}")
            shot(page, f"letters-{section}-{size[0]}x{size[1]}")
        go(page, "map")
        box = page.locator("section[aria-label=Map] .map").bounding_box()
        assert box["height"] > 120 and box["width"] > 120, (size, box)
        axe(page, f"letters {size}")
        page.close()
    assert not check.problems, check.problems


def addresses_with_a_stray_percent_are_answered(check):
    page = check.page()
    for address in ("map/at/%E0%A4%A", "hikes/100%", "stores/50%/t/%", "stops/%%"):
        go(page, address)
        page.locator("main > section:not([hidden])").filter(has_text=re.compile(r"\S")).wait_for()
    # What was removed is said, and what was shown before does not stay under its address.
    go(page, "stops/CEN")
    page.locator(".drawer h2").get_by_text("Central Station").wait_for()
    for address, words in (("stops/GONE", "No stop has the id GONE"), ("walk/gone", "No route or hike has the address gone"), ("map/hikes/gone", "Nothing has the address")):
        go(page, address)
        page.locator("#message").get_by_text(words).wait_for()
        assert not page.locator(".drawer").is_visible()
    check.problems = [problem for problem in check.problems if "URI" in problem]
    assert not check.problems, check.problems


def the_keyboard_is_never_lost(check):
    """What had it may go away: then it is beside that, and not at the start of the page."""
    at = "() => document.activeElement.getAttribute('aria-label') || document.activeElement.id || document.activeElement.textContent"
    # On a small screen a detail takes the place of its list, and the list that of the detail.
    phone = check.page(PHONE)
    go(phone, "hikes")
    link = phone.locator("tbody a").first
    name = link.inner_text()
    link.focus()
    phone.keyboard.press("Enter")
    phone.wait_for_function("() => document.activeElement.matches('.detail')")
    phone.locator(".detail .back a").focus()
    phone.keyboard.press("Enter")
    phone.wait_for_function("name => document.activeElement.textContent === name", arg=name)
    # A message stays while the keyboard is there, and leaves it to the page.
    phone.evaluate("rutter.notify('read me')")
    phone.get_by_role("button", name="Close the message").focus()
    phone.wait_for_timeout(7500)
    phone.keyboard.press("Enter")
    assert phone.evaluate(at) == "main", phone.evaluate(at)
    page = check.page()
    go(page, "routes")
    sort = page.locator("thead button").first
    column = sort.inner_text().split()[0]
    sort.focus()
    for _ in range(2):
        page.keyboard.press("Enter")
        settle(page)
        assert column in page.evaluate(at), page.evaluate(at)
    go(page, "map/plan/0.49786,0.48291;0.514389,0.497302")
    page.wait_for_selector(".handle")
    page.locator(".handle").last.focus()
    page.keyboard.press("Delete")
    assert "Start" in page.evaluate(at), page.evaluate(at)
    page.keyboard.press("Delete")
    assert "Map of the session" in page.evaluate(at), page.evaluate(at)
    assert not check.problems, check.problems
