"""The map of stops with its drawer."""

from support import *


def open_central(page):
    go(page, "stops")
    page.locator("#stop-search").fill("central")
    page.locator(".results [role=option]").first.click()
    page.wait_for_selector('.drawer[data-detent="half"] tbody tr')


def the_drawer_has_three_detents(check):
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        open_central(page)
        # The search moved the map: its stops are loaded, and the command that was asked for stays to be seen.
        page.wait_for_timeout(500)
        page.wait_for_load_state("networkidle")
        assert ran(page) == "departures 'CEN' --limit 3", ran(page)
        assert page.locator(".departures tbody tr").count() == 3
        # After nine the tram runs by headway.
        assert "every 15min" in page.locator(".departures tbody tr").first.inner_text()
        assert "Scheduled" in page.locator(".departures tbody tr").nth(1).inner_text()
        # Half does not scroll.
        assert page.evaluate("getComputedStyle(document.querySelector('.drawer-body')).overflowY") == "hidden"
        shot(page, f"drawer-half-{name}")
        axe(page, f"drawer {name}")
        grip = page.locator(".grip")
        grip.focus()
        page.keyboard.press("ArrowUp")
        page.wait_for_selector('.drawer[data-detent="full"]')
        page.wait_for_function("() => document.querySelectorAll('.departures tbody tr').length === 20")
        assert ran(page).endswith("--limit 20"), ran(page)
        shot(page, f"drawer-full-{name}")
        page.evaluate("document.querySelector('.drawer-body').scrollTop = 200")
        page.wait_for_timeout(400)
        # Dragged down by more than half of the map: the name alone is left.
        box = grip.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + 10
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y + size[1] * 0.6, steps=10)
        page.mouse.up()
        page.wait_for_selector('.drawer[data-detent="collapsed"]')
        assert page.locator(".departures").count() == 0
        assert page.evaluate("document.querySelector('.drawer-body').scrollTop") == 0
        assert page.locator(".drawer h2").inner_text() == "Central Station"
        page.wait_for_timeout(400)
        share = page.locator(".drawer").bounding_box()["height"] / page.locator(".stops").bounding_box()["height"]
        assert 0.12 < share < 0.2, share
        shot(page, f"drawer-collapsed-{name}")
        # Departures follow the session's clock.
        page.keyboard.press("ArrowUp")
        page.wait_for_selector(".departures tbody tr")
        first = page.locator(".departures .time").first.inner_text()
        page.evaluate("""() => fetch('/api/run', {method: 'POST', headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({entry: 'clock +2h', record: true})})""")
        page.wait_for_function("first => document.querySelector('.departures .time').innerText !== first", arg=first)
        page.wait_for_load_state("networkidle")
        assert ran(page) == "departures 'CEN' --limit 3", ran(page)
        page.keyboard.press("Escape")
        page.wait_for_selector(".drawer", state="hidden")
        # A hand that moves the map asks for its stops.
        page.mouse.move(*in_map(page, 0.6, 0.5))
        page.mouse.down()
        page.mouse.move(*in_map(page, 0.5, 0.4), steps=5)
        page.mouse.up()
        page.wait_for_function("() => document.querySelector('#ran').textContent.startsWith('stop list')")
    assert not check.problems, check.problems


def realtime_shows_when_it_is_loaded(check):
    """The words are those of the terminal; a message says how old it is, and what is late or cancelled is told apart."""
    realtime = f"{DATA}/realtime"
    said = rutter(check.folder, f"let loaded = feed realtime '{realtime}'", "departures CEN --limit 20 | get status").splitlines()
    assert {"Cancelled", "19min late", "Scheduled"} <= set(said), said
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        open_central(page)
        page.evaluate("""entry => fetch('/api/run', {method: 'POST', headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({entry, record: true})})""", f"feed realtime '{realtime}'")
        page.locator(".grip").focus()
        page.keyboard.press("ArrowUp")
        page.wait_for_function("() => document.querySelectorAll('.departures tbody tr').length === 20")
        page.locator(".departures .state:text-is('Cancelled')").first.wait_for()
        assert page.locator(".departures .state").all_inner_texts() == said
        late = page.locator(".departures tr").filter(has_text="19min late")
        assert late.locator(".time").inner_text().split() == ["08:42", "09:01"] and late.locator("s").inner_text() == "08:42"
        colors = {word: page.locator(f".departures .state:text-is('{word}')").first.evaluate("cell => getComputedStyle(cell).color")
                  for word in ("Cancelled", "19min late", "Scheduled")}
        assert len(set(colors.values())) == 3, colors
        assert "realtime" in page.locator(".drawer-body .hint").first.inner_text()
        axe(page, f"realtime {name}")
        fits(page, f"realtime {name}")
        shot(page, f"realtime-{name}")
    assert not check.problems, check.problems


def a_departure_shows_its_trip(check):
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        open_central(page)
        page.locator(".grip").focus()
        page.keyboard.press("ArrowUp")
        page.wait_for_selector(".drawer h3:text-is('Lines')")
        lines = page.locator(".drawer .table-box tbody tr").all_inner_texts()
        said = rutter(check.folder, "stop lines CEN | get towards").splitlines()
        assert len(lines) == len(said) and all(word in line for word, line in zip(said, lines)), lines
        page.get_by_role("button", name="Airport: stops of this trip").first.click()
        page.wait_for_selector(".calls tbody tr")
        entry = ran(page)
        assert entry.startswith("departures 'CEN' --limit 20 | where trip == 'S1-WD-out") and entry.endswith("| get 0 | trip show"), entry
        calls = rutter(check.folder, entry + " | get calls | get stop").splitlines()
        assert page.locator(".calls .to").all_inner_texts() == calls
        assert page.evaluate("window.rutter.shown.tripGroup.getLayers().length") > 0
        page.wait_for_load_state("networkidle")
        assert ran(page) == entry
        axe(page, f"trip {name}")
        fits(page, f"trip {name}")
        shot(page, f"trip-{name}")
        # From one of its stops to that stop, and back from a trip.
        page.locator(".calls .to button").last.click()
        page.wait_for_function("name => document.querySelector('.drawer h2').textContent === name", arg=calls[-1])
        assert page.evaluate("window.rutter.shown.tripGroup.getLayers().length") == 0
        page.wait_for_selector(".departures tbody tr, .drawer .hint")
    assert not check.problems, check.problems


def a_pin_opens_the_drawer(check):
    page = check.page()
    go(page, "stops")
    page.wait_for_selector(".stops canvas, .stops .pin-box", state="attached")
    page.locator("#stop-search").fill("harbour")
    page.locator(".results [role=option]").first.click()
    page.wait_for_selector(".drawer .departures, .drawer .hint")
    page.keyboard.press("Escape")
    page.wait_for_selector(".stops .pin-box")
    settle(page)
    # The stop that was searched, once it is drawn and the map rests: until then the pins are those of the view before.
    find = """() => {
        const pin = document.querySelector('.stops .pin-box[aria-label^="Harbour, "]');
        if (!pin) return null;
        const at = pin.getBoundingClientRect();
        return { x: at.x + at.width / 2, y: at.y + at.height / 2, label: pin.getAttribute('aria-label'), mode: Boolean(pin.querySelector('svg path')) };
    }"""
    pin = at_rest(page, lambda: page.evaluate(find))
    # It says which lines stop there, and shows the mode.
    assert "stop" in pin["label"] and pin["mode"], pin
    page.mouse.click(pin["x"], pin["y"])
    page.wait_for_selector('.drawer[data-detent="collapsed"]')
    assert page.locator(".drawer h2").inner_text()


def a_trip_says_what_is_late_and_what_does_not_run(check):
    page = check.page()
    open_central(page)
    page.evaluate("""entry => fetch('/api/run', {method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({entry, record: true})}).then((answer) => answer.text())""", f"feed realtime '{DATA}/realtime'")
    page.locator(".grip").focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => document.querySelectorAll('.departures tbody tr').length === 20")
    for word in ("Cancelled", "19min late"):
        row = page.locator(".departures tr").filter(has=page.locator(f".state:text-is('{word}')")).first
        row.wait_for()
        row.locator(".to button").click()
        page.wait_for_selector(".calls tbody tr")
        said = rutter(check.folder, f"let loaded = feed realtime '{DATA}/realtime'", ran(page) + " | get calls | get status").splitlines()
        shown = page.locator(".calls .state").all_inner_texts()
        assert word in shown and [text for text in said if text] == shown, (said, shown)
        if word != "Cancelled":
            assert page.locator(".calls s").count() > 0
        shot(page, f"trip-{word.split()[0]}-desktop")
        page.get_by_role("button", name="Back to departures").click()
        page.wait_for_selector(".drawer tbody tr .in")


def all_departures_are_a_button_away(check):
    page = check.page()
    go(page, "stops/CEN")
    page.wait_for_selector('.drawer[data-detent="half"] tbody tr')
    page.get_by_role("button", name="View all departures").click()
    page.wait_for_selector('.drawer[data-detent="full"] tbody tr:nth-child(20)')
    page.get_by_role("button", name="More departures").click()
    page.wait_for_selector(".drawer tbody tr:nth-child(40)")
    said = [line.split("\t") for line in rutter(check.folder, "departures CEN --limit 40 | select time headsign").splitlines()[1:]]
    shown = [row.inner_text() for row in page.locator(".departures tbody tr").all()]
    assert len(said) == 40 and all(time in row and to in row for row, (time, to) in zip(shown, said)), (shown[-1], said[-1])


def a_journey_is_planned(check):
    """Asked in a form, or from a stop; each state has an address, and shows what the terminal shows."""
    page = check.page()
    go(page, "stops")
    page.get_by_role("button", name="Plan a journey").click()
    page.get_by_label("From").fill("@CEN")
    page.get_by_label("To", exact=True).fill("0.535,0.531")
    page.get_by_label("When").fill("2026-02-06T09:00")
    axe(page, "ask for a journey")
    shot(page, "journey-ask-desktop")
    page.get_by_role("button", name="Search", exact=True).click()
    journeys = page.get_by_role("region", name="Journeys")
    journeys.locator("tbody tr").first.wait_for()
    entry = "journey plan '@CEN' '0.535,0.531' --at 2026-02-06T09:00"
    assert ran(page) == entry, ran(page)
    said = [line.split("\t") for line in rutter(check.folder, f"{entry} | select departs arrives lines").splitlines()[1:]]
    rows = [row.inner_text() for row in journeys.locator("tbody tr").all()]
    assert len(rows) == len(said) > 0 and all(word in row for row, words in zip(rows, said) for word in words), (rows, said)
    # What the command says beside it.
    assert "walks follow streets" in page.locator(".drawer .notes").inner_text()
    axe(page, "journeys")
    shot(page, "journeys-desktop")
    journeys.locator("tbody a").first.click()
    legs = page.get_by_role("list", name="Legs")
    legs.get_by_text("Airport").first.wait_for()
    assert re.search(r"09:12 Central Station, platform 1\s+S1\s.*Airport.*\s+09:30 Airport", legs.inner_text()), legs.inner_text()
    axe(page, "journey")
    shot(page, "journey-desktop")
    other = check.page(PHONE)
    go(other, page.evaluate("location.hash")[1:])
    other.get_by_role("list", name="Legs").wait_for()
    fits(other, "journey phone")
    shot(other, "journey-phone")
    page.go_back()
    journeys.locator("tbody tr").first.wait_for()
    page.go_back()
    page.wait_for_selector(".drawer", state="hidden")
    # Arrival, and what cannot be found.
    go(page, "stops//journey/@CEN/0.535,0.531/>2026-02-06T10:00")
    journeys.locator("tbody tr").first.wait_for()
    assert ran(page).endswith("--arrive-by 2026-02-06T10:00"), ran(page)
    go(page, "stops//journey/@CEN/Nowhere at all/")
    page.locator(".drawer .problem").wait_for()
    # From a stop.
    go(page, "stops/CEN")
    page.get_by_role("button", name="Journey from here").click()
    assert page.get_by_label("From").input_value() == "@CEN" and page.get_by_label("To", exact=True).input_value() == ""
    page.keyboard.press("Escape")
