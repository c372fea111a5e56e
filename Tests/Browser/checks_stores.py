"""Stores: tables with filters, facets, sorting and paging, blobs, SQL, findings, watching."""

import sqlite3

from support import *


def with_a_foreign_store(check, options=""):
    """A store of another program with what a browser of tables has to bear: 120 rows, a photo, hostile names, two mistakes."""
    os.makedirs(f"{check.folder}/of-another", exist_ok=True)
    path = f"{check.folder}/of-another/phone.db"
    check.server.stop()
    rutter(
        check.folder, f"photo match {DATA}/photos --hike 'Over the hut to the lake' --add | count",
        "store copy waypoints.db of-another/phone.db")
    store = sqlite3.connect(path)
    store.execute(f'CREATE TABLE "<b>odd</b>" (id INTEGER PRIMARY KEY, "{EVIL}" TEXT, kind TEXT, size REAL, "select" TEXT)')
    store.executemany(
        f'INSERT INTO "<b>odd</b>" VALUES (?, ?, ?, ?, ?)',
        [(n, EVIL if n == 3 else f"name {n:03d}", "odd" if n % 2 else "even", n * 1.5, None if n % 10 else "it's") for n in range(1, 121)])
    store.execute("UPDATE waypoints SET latitude = 946.5 WHERE rowid = 1")
    # Rows without numbers: of a view, and of a table with a key of its own, whose text holds more than letters.
    store.execute("CREATE VIEW pictured AS SELECT label, photo_data AS photo FROM waypoints WHERE photo_data IS NOT NULL")
    store.execute("CREATE TABLE keyed (name TEXT PRIMARY KEY, photo BLOB) WITHOUT ROWID")
    store.execute("INSERT INTO keyed SELECT 'it''s' || char(10) || label || ' ä', photo_data FROM waypoints WHERE photo_data IS NOT NULL")
    store.commit()
    store.close()
    check.server = Server(check.folder)
    return path


def enter(page, entry):
    """Runs an entry at the page's prompt."""
    go(page, "commands")
    page.locator("#entry").fill(entry)
    count = page.locator(".answer").count()
    page.keyboard.press("Enter")
    page.wait_for_selector(f".answer:nth-of-type({count + 1}) pre")


def open_store(page, check, name="phone"):
    go(page, "stores")
    if not at(page, ".list a").filter(has_text=re.compile(f"^{name}$")).count():
        enter(page, f"store open '{check.folder}/of-another/phone.db'")
    page.evaluate("hash => { location.hash = hash }", f"stores/{name}")
    page.wait_for_selector("section[aria-label=Stores] .chips a")
    settle(page)


def at(page, text):
    return page.locator("section[aria-label=Stores]").locator(text)


def tables_are_browsed(check):
    with_a_foreign_store(check)
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        open_store(page, check)
        at(page, ".chips a", ).filter(has_text="<b>odd</b>").click()
        at(page, ".table-box[aria-label='Rows of <b>odd</b>'] tbody tr").first.wait_for()
        entry = ran(page)
        assert entry == "store rows '<b>odd</b>' --store 'phone' --keys --limit 50 --offset 0", entry
        rows = at(page, ".table-box[aria-label^='Rows of'] tbody tr")
        rows.nth(49).wait_for()
        assert rows.count() == 50
        # As the terminal says it.
        said = rutter(check.folder, "store open of-another/phone.db | get name", entry + " | get kind").splitlines()[1:]
        kind = [row.split("\t")[3] for row in rows.all_inner_texts()]
        assert kind == said, (kind[:3], said[:3])
        at(page, "[role=status]:has-text('rows 1–50 of 120')").wait_for()
        page.get_by_role("button", name="Next rows").click()
        at(page, "[role=status]:has-text('rows 51–100 of 120')").wait_for()
        axe(page, f"table {name}")
        fits(page, f"table {name}")
        shot(page, f"stores-table-{name}")
        # Sorting, by keys alone.
        at(page, "thead button").filter(has_text="size").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('#ran').textContent.includes('--sort \\'size\\'')")
        settle(page)
        if "--descending" not in ran(page):
            at(page, "thead button").filter(has_text="size").click()
            page.wait_for_function("() => document.querySelector('#ran').textContent.includes('--descending')")
        settle(page)
        assert rows.first.inner_text().split("\t")[0].strip() == "120"
        # A facet, and a filter of its value; then one that is typed.
        page.get_by_label("Count the values of").select_option("select")
        at(page, ".chips[aria-label='Values of select'] li").first.wait_for()
        at(page, ".chips[aria-label='Values of select'] button:has-text(\"it's\")").click()
        at(page, "[role=status]:has-text('rows 1–12 of 12')").wait_for()
        assert "it''s" in ran(page), ran(page)
        page.get_by_label("Column", exact=True).select_option("size")
        page.get_by_label("Condition").select_option(">")
        page.get_by_label("Value", exact=True).fill("150")
        page.get_by_role("button", name="Filter", exact=True).click()
        at(page, "[role=status]:has-text('rows 1–2 of 2')").wait_for()
        axe(page, f"filtered {name}")
        shot(page, f"stores-filtered-{name}")
        page.reload()
        at(page, "[role=status]:has-text('rows 1–2 of 2')").wait_for()
        for _ in range(2):
            at(page, ".chips[aria-label=Filters] button").first.click()
            settle(page)
        at(page, "[role=status]:has-text('of 120')").wait_for()
        # A condition in SQL that is none.
        page.get_by_label("Condition").select_option("SQL condition")
        page.get_by_label("Value", exact=True).fill("kind = (")
        page.get_by_role("button", name="Filter", exact=True).click()
        at(page, ".problem").wait_for()
        at(page, ".chips[aria-label=Filters] button").first.click()
        at(page, "[role=status]:has-text('of 120')").wait_for()
        assert page.evaluate("window.hacked") is None and at(page, "td img, th img, b").count() == 0
        # One row in full.
        at(page, "tbody button").first.click()
        at(page, "[aria-label=Row] .fields").wait_for()
        axe(page, f"row {name}")
        page.evaluate("location.hash = 'stores'")
        enter(page, "store close phone")
    assert not check.problems, check.problems


def blobs_are_previewed(check):
    with_a_foreign_store(check)
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        page.evaluate("location.hash = 'stores/routes.db/t/' + encodeURIComponent('hikes')")
        tables = rutter(check.folder, "store show routes.db --schema | where column == track_data | get table").split()
        page.evaluate("table => { location.hash = 'stores/routes.db/t/' + table }", tables[0])
        blob = at(page, "tbody button").filter(has_text="blob of").first
        blob.wait_for()
        blob.click()
        at(page, "[aria-label=Row] .map-box path.leaflet-interactive, [aria-label=Row] .map-box canvas").first.wait_for()
        assert ran(page).startswith("store blob "), ran(page)
        at(page, "[aria-label=Row] .fields:has-text('track')").wait_for()
        settle(page)
        axe(page, f"track {name}")
        fits(page, f"track {name}")
        shot(page, f"stores-track-{name}")
        page.evaluate("location.hash = 'stores/waypoints.db/t/waypoints'")
        photo = at(page, "tbody button").filter(has_text="blob of").first
        photo.wait_for()
        photo.click()
        at(page, "[aria-label=Row] img.photo").wait_for()
        page.wait_for_function("() => { const image = document.querySelector('img.photo'); return image.complete && image.naturalWidth > 0; }")
        shot(page, f"stores-photo-{name}")
        response = page.request.get(page.evaluate("document.querySelector('img.photo').src"))
        assert response.headers["content-type"] == "image/jpeg" and response.headers["x-content-type-options"] == "nosniff"
        # Rows that have no number are selected by their values.
        open_store(page, check)
        for table in ("pictured", "keyed"):
            at(page, ".chips a").filter(has_text=table).click()
            at(page, f".table-box[aria-label='Rows of {table}'] tbody button").filter(has_text="blob of").first.click()
            at(page, f"[aria-label=Row] h3:has-text('{table}')").wait_for()
            page.wait_for_function("() => document.querySelector('img.photo')?.naturalWidth > 0")
            assert ran(page).startswith(f"store blob '{table}' 'photo' --where "), ran(page)
            at(page, f".table-box[aria-label='Rows of {table}'] tbody button").filter(has_text="Show").first.click()
            at(page, f"[aria-label=Row] .fields:has-text('blob of')").wait_for()
            axe(page, f"{table} {name}")
            fits(page, f"{table} {name}")
        shot(page, f"stores-keyed-{name}")
        page.evaluate("location.hash = 'stores'")
        enter(page, "store close phone")
    assert not check.problems, check.problems


def statements_give_tables_charts_and_maps(check):
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        page.evaluate("location.hash = 'stores/gtfs.db/sql'")
        field = page.get_by_label("Statement")
        field.fill("SELECT stop_name AS name, stop_lat AS lat, stop_lon AS lon, sid FROM stops ORDER BY sid LIMIT 40")
        field.focus()
        page.keyboard.press("Control+Enter")
        at(page, "[role=status]:has-text('40 rows')").wait_for()
        assert ran(page).startswith("sql 'SELECT stop_name") and ran(page).endswith("--read-only"), ran(page)
        page.get_by_role("button", name="Map", exact=True).click()
        at(page, ".map-box canvas, .map-box path").first.wait_for()
        settle(page)
        axe(page, f"sql map {name}")
        shot(page, f"stores-sql-map-{name}")
        page.get_by_label("Horizontal axis").select_option("sid")
        page.get_by_label("Vertical axis").select_option("lat")
        page.get_by_role("button", name="Chart", exact=True).click()
        at(page, "img.picture").wait_for()
        page.wait_for_function("() => { const image = document.querySelector('img.picture'); return image.complete && image.naturalWidth > 0; }")
        axe(page, f"sql chart {name}")
        fits(page, f"sql chart {name}")
        shot(page, f"stores-sql-chart-{name}")
        # What would change an own store is refused, with the words of the terminal.
        field.fill("DELETE FROM stops")
        page.get_by_role("button", name="Run", exact=True).click()
        at(page, ".problem:has-text('E-STORE-READONLY')").wait_for()
        field.fill(f"SELECT '{EVIL}' AS \"{EVIL}\"")
        page.get_by_role("button", name="Run", exact=True).click()
        at(page, "td, th").filter(has_text="onerror").first.wait_for()
        assert page.evaluate("window.hacked") is None
    assert not check.problems, check.problems


def a_store_for_writing_is_written(check):
    path = with_a_foreign_store(check)
    page = check.page()
    go(page, "stores")
    page.get_by_label("Open a file").fill(path)
    page.get_by_label("for writing").check()
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("link", name="phone", exact=True).wait_for()
    page.evaluate("location.hash = 'stores/phone/sql'")
    page.get_by_label("Statement").fill("UPDATE waypoints SET note = 'written here' WHERE rowid = 2")
    page.get_by_role("button", name="Run", exact=True).click()
    at(page, "[role=status]:has-text('1 row changed')").wait_for()
    assert ran(page).startswith("sql ")
    assert sqlite3.connect(path).execute("SELECT note FROM waypoints WHERE rowid = 2").fetchone() == ("written here",)
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("link", name="phone", exact=True).wait_for(state="detached")
    assert not check.problems, check.problems


def findings_lead_to_their_rows(check):
    with_a_foreign_store(check)
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        open_store(page, check)
        page.get_by_role("link", name="Findings").click()
        at(page, ".table-box[aria-label=Findings] tbody tr").first.wait_for()
        axe(page, f"findings {name}")
        fits(page, f"findings {name}")
        shot(page, f"stores-findings-{name}")
        at(page, "button[aria-label='Row 1 of waypoints']").first.click()
        at(page, "[aria-label=Row] .fields:has-text('946.5')").wait_for()
        page.get_by_role("link", name="Schema").click()
        at(page, ".source:has-text('CREATE TABLE')").wait_for()
        axe(page, f"schema {name}")
        shot(page, f"stores-schema-{name}")


def a_store_is_watched_live(check):
    path = with_a_foreign_store(check)
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        open_store(page, check)
        at(page, ".tabs a:has-text('Watch')").click()
        page.get_by_role("button", name="Watch", exact=True).click()
        page.get_by_role("button", name="Stop", exact=True).wait_for()
        # The session goes on meanwhile.
        other = check.page(context=page.context)
        go(other, "commands")
        other.locator("#entry").fill("1 + 1")
        other.keyboard.press("Enter")
        other.wait_for_selector(".answer pre")
        store = sqlite3.connect(path)
        store.execute("UPDATE waypoints SET label = ? WHERE rowid = 2", (f"{EVIL} {name}",))
        store.commit()
        store.close()
        at(page, "tbody tr").filter(has_text=f"{EVIL} {name}").wait_for()
        assert page.evaluate("window.hacked") is None
        axe(page, f"watch {name}")
        fits(page, f"watch {name}")
        shot(page, f"stores-watch-{name}")
        page.get_by_role("button", name="Stop", exact=True).click()
        page.get_by_role("button", name="Watch", exact=True).wait_for()
    assert not check.problems, check.problems


def two_tabs_and_a_reader_see_the_same_table(check):
    one = check.page()
    two = check.page(context=one.context)
    one.evaluate("location.hash = 'stores/waypoints.db'")
    at(one, "[role=status]:has-text('of 5')").wait_for()
    go(two, "commands")
    two.locator("#entry").fill("waypoint add 0.5,0.5 --label 'In a table'")
    two.keyboard.press("Enter")
    at(one, "td:has-text('In a table')").wait_for()
    check.server.stop()
    check.server = Server(check.folder, options=["--read-only"])
    reader = check.page()
    reader.evaluate("location.hash = 'stores/waypoints.db'")
    at(reader, "td:has-text('In a table')").wait_for()
    assert reader.get_by_label("Open a file").count() == 0
    reader.evaluate("location.hash = 'stores/waypoints.db/sql'")
    reader.get_by_label("Statement").fill("SELECT count(*) AS n FROM waypoints")
    reader.get_by_role("button", name="Run", exact=True).click()
    at(reader, "tbody th:has-text('6')").wait_for()
