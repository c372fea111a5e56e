"""Reloads, stopped servers, tabs, and permissions."""

from support import *


def a_reload_in_the_middle_loses_nothing(check):
    page = check.page()
    plan(page)
    before = page.locator(".turns").inner_text()
    page.reload()
    page.wait_for_selector(".panel .turns li")
    assert page.locator(".turns").inner_text() == before
    # Turning the device keeps it, too.
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert page.locator(".turns").inner_text() == before
    fits(page, "turned")


def a_killed_server_comes_back(check):
    for size in (DESKTOP, PHONE):
        page = check.page(size)
        plan(page)
        before = page.locator(".turns").inner_text()
        check.server.kill()
        page.wait_for_selector("#gone:not([hidden])")
        assert "Waiting" in page.locator("#gone").inner_text()
        check.server = Server(check.folder, check.server.port)
        page.wait_for_function("() => document.querySelector('#gone').textContent.includes('restarted')", timeout=20_000)
        axe(page, "another key")
        fits(page, "another key")
        shot(page, f"another-key-{size[0]}")
        # An invalid address is reported; the printed one admits the page again, with its content.
        page.get_by_label("Address").fill("http://127.0.0.1/")
        page.get_by_role("button", name="Open", exact=True).click()
        page.wait_for_function("() => document.querySelector('#message').textContent.includes('no key')")
        page.get_by_label("Address").fill(check.server.url)
        page.keyboard.press("Enter")
        page.wait_for_selector(".panel .turns li")
        assert page.locator(".turns").inner_text() == before
    check.problems.clear()


def a_dropped_connection_catches_up(check):
    """As after a sleep: the connection is lost, something happens meanwhile, and nobody reloads the page."""
    context = check.browser.new_context()
    check.contexts.append(context)
    links = []

    def pass_on(link):
        server = link.connect_to_server()
        links.append((link, server))

    context.route_web_socket("**/api/events", pass_on)
    page = check.page(context=context)
    go(page, "waypoints")
    page.wait_for_selector("tbody a")
    for link in links:
        for end in link:
            end.close()
    page.wait_for_selector("#gone:not([hidden])")
    page.evaluate("""() => fetch('/api/run', {method: 'POST', headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({entry: "waypoint add 0.5,0.5 --label 'While it slept'", record: true})})""")
    page.get_by_role("link", name="While it slept").wait_for()
    assert page.locator("#gone").is_hidden()


def any_name_can_be_given(check):
    """Quotes, backslashes and signs of the command language are letters of a name."""
    name = "Anna's \"hut\" $x \\ `y` | z"
    page = check.page()
    go(page, "hikes")
    page.locator("tbody a").first.click()
    page.wait_for_selector(".detail .chart")
    page.get_by_role("button", name="Rename").click()
    page.locator("dialog input").fill(name)
    page.locator("dialog button.primary").click()
    page.locator(".detail h2").filter(has_text=name).wait_for()
    # Rows in a pipe have their backslashes doubled.
    assert name.replace("\\", "\\\\") in rutter(check.folder, "hike list | get name")


def anything_may_be_stored_under_the_pages_keys(check):
    for key, text in (("pins", "garbage"), ("pins", '[["x", null]]'), ("past", "[1, 2"), ("map-map", "[null, null, null]"), ("plan-options", "7")):
        page = check.page()
        page.evaluate("([key, text]) => sessionStorage.setItem(key, text)", [key, text])
        page.reload()
        page.wait_for_selector("body[data-ready]")
        page.wait_for_selector(".panel h2")
    # Where the browser stores nothing, the page has its state until it is left.
    for refusal in ("Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('denied', 'SecurityError') } })",
                    "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"):
        context = check.browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]})
        check.contexts.append(context)
        context.add_init_script(refusal)
        page = check.page(context=context)
        plan(page)
        go(page, "hikes")
        go(page, "map")
        page.wait_for_selector(".panel .turns li")
    assert not check.problems, check.problems


def missing_tiles_are_said(check):
    page = check.page()
    page.route("**/tiles/light/**", lambda route: route.fulfill(status=500, body="no"))
    page.reload()
    page.locator(".leaflet-control-attribution").get_by_text("A part of the map could not be drawn").wait_for()
    # What has nothing to be drawn lacks nothing.
    page.unroute("**/tiles/light/**")
    page.route("**/tiles/light/**", lambda route: route.fulfill(status=204))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    settle(page)
    assert "could not be drawn" not in page.locator("main").inner_text()
    check.problems.clear()


def two_tabs_show_the_same(check):
    one = check.page()
    two = check.page(context=one.context)
    go(one, "waypoints")
    go(two, "commands")
    two.locator("#entry").fill("waypoint add 0.5,0.5 --label 'Of the other tab'")
    two.keyboard.press("Enter")
    one.get_by_role("link", name="Of the other tab").wait_for()
    two.locator("#entry").fill("undo")
    two.keyboard.press("Enter")
    one.get_by_role("link", name="Of the other tab").wait_for(state="detached")


def names_are_text(check):
    quoted = EVIL.replace("'", "\\'")
    hostile = f"""<gpx version="1.1" creator="x"><wpt lat="0.501" lon="0.49"><name><![CDATA[{EVIL} way]]></name></wpt>
        <trk><name><![CDATA[{EVIL} hike]]></name><trkseg><trkpt lat="0.5" lon="0.49"><ele>1</ele><time>2026-02-05T08:00:00Z</time></trkpt>
        <trkpt lat="0.51" lon="0.49"><ele>90</ele><time>2026-02-05T09:00:00Z</time></trkpt></trkseg></trk></gpx>"""
    with open(f"{check.folder}/evil.gpx", "w") as file:
        file.write(hostile)
    stops = open(f"{check.folder}/harbour/stops.txt").read()
    with open(f"{check.folder}/harbour/stops.txt", "w") as file:
        file.write(stops.replace("Central Station", EVIL.replace('"', "'")))
    osm = open(f"{DATA}/valley.osm").read()
    with open(f"{check.folder}/evil.osm", "w") as file:
        escaped = EVIL.replace("<", "&lt;").replace(">", "&gt;")
        file.write(re.sub(r"Station Street", escaped, osm))
    check.server.stop()
    rutter(check.folder, "import evil.gpx", "waypoint add 0.502,0.49 --label " + f"'{quoted}'",
           "feed import harbour --force", "region delete valley", f"region import evil.osm --elevation {DATA}/N00E000.hgt.gz")
    check.server = Server(check.folder)
    for size in (DESKTOP, PHONE):
        page = check.page(size)
        for section in SECTIONS:
            go(page, section)
        go(page, "hikes")
        page.get_by_role("link", name="onerror").first.click()
        page.wait_for_selector(".detail .chart")
        page.locator(".detail h2").filter(has_text=EVIL).wait_for()
        go(page, "waypoints")
        page.get_by_role("link", name="onerror").first.click()
        page.wait_for_selector("section[aria-label=Waypoints] .detail h2")
        plan(page)
        page.locator(".turns").filter(has_text=EVIL).wait_for()
        go(page, "stops")
        page.locator("#stop-search").fill("onerror")
        page.locator(".results [role=option]").first.click()
        page.wait_for_selector(".drawer h2")
        page.locator(".drawer h2").filter(has_text=EVIL).wait_for()
        go(page, "commands")
        page.locator("#entry").fill("hike list")
        page.keyboard.press("Enter")
        page.wait_for_selector(".answer pre")
        assert page.evaluate("window.hacked") is None
        assert page.evaluate("document.querySelectorAll('img[onerror], main script').length") == 0
    assert not check.problems, check.problems


def nothing_inline_runs_and_nothing_frames_it(check):
    page = check.page()
    for attempt in (
        "const s = document.createElement('script'); s.textContent = 'window.hacked=1'; document.body.append(s)",
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked=1\">')",
        "const s = document.createElement('script'); s.src = 'http://127.0.0.2/x.js'; document.body.append(s)",
    ):
        page.evaluate("() => { " + attempt + " }")
    page.wait_for_timeout(200)
    assert page.evaluate("window.hacked") is None
    blocked = page.evaluate("""() => new Promise((done) => {
        const link = document.createElement('a'); link.href = 'javascript:window.hacked=1'; document.body.append(link);
        link.click(); setTimeout(() => done(window.hacked === undefined), 200);
    })""")
    assert blocked
    check.problems.clear()
    # A page of another port, which is the same site.
    import http.server, threading
    class Framing(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = f'<iframe id=f src="http://127.0.0.1:{check.server.port}/"></iframe><script src="http://127.0.0.1:{check.server.port}/page/app.js"></script>'.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)
        def log_message(self, *_):
            pass
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Framing)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    tab = page.context.new_page()
    statuses = {}
    tab.on("response", lambda response: statuses.__setitem__(response.url, response.status))
    tab.goto(f"http://127.0.0.1:{other.server_port}/")
    tab.wait_for_timeout(500)
    ours = {url: status for url, status in statuses.items() if f":{check.server.port}/" in url}
    assert ours and all(status == 403 for status in ours.values()), statuses
    told = tab.evaluate(f"""() => fetch('http://127.0.0.1:{check.server.port}/api/run', {{method: 'POST', mode: 'no-cors',
        credentials: 'include', body: '{{"entry":"waypoint add 0.5,0.5 --label Forged"}}'}}).then((r) => r.type, (e) => 'refused')""")
    assert told in ("opaque", "refused")
    other.shutdown()
    assert "Forged" not in rutter(check.folder, "waypoint list")


def read_only_offers_no_change(check):
    check.server.stop()
    check.server = Server(check.folder, options=["--read-only"])
    before = {name: os.stat(f"{check.folder}/{name}").st_mtime for name in os.listdir(check.folder) if name.endswith(".db")}
    page = check.page()
    for section in SECTIONS:
        go(page, section)
    go(page, "hikes")
    page.locator("tbody a").first.click()
    page.wait_for_selector(".detail .chart")
    assert page.get_by_role("button", name="Delete").count() == 0
    plan(page)
    assert page.get_by_role("button", name="Save").count() == 0
    go(page, "commands")
    page.locator("#entry").fill("waypoint add 0.5,0.5")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer .problem")
    assert "E-READ-ONLY" in page.locator(".answer .problem").inner_text()
    after = {name: os.stat(f"{check.folder}/{name}").st_mtime for name in before}
    assert before == after


def nothing_leaves_the_machine(check):
    for size in (DESKTOP, PHONE):
        page = check.page(size)
        for section in SECTIONS:
            go(page, section)
        plan(page)
    strange = [url for url in check.requests if not url.startswith((f"http://127.0.0.1:{check.server.port}/", "data:", "blob:"))]
    assert not strange, strange
    # With no cookie nothing is shown, whoever asks.
    for path in ("/", "/api/session", "/page/app.js", "/tiles/13/4106/4084.png"):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{check.server.port}{path}")
            raise AssertionError(path)
        except urllib.error.HTTPError as error:
            assert error.code == 403
