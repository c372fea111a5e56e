"""What the checks of the local web page share: servers, pages, and ways to look at them."""

import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

PROGRAM = os.path.abspath(sys.argv[1])
PATTERN = sys.argv[2] if len(sys.argv) > 2 else ""
DATA = os.path.abspath("Notebooks/data")
# The page's files in a folder, instead of those in the program: to try a change without building.
PAGE = os.environ.get("RUTTER_PAGE")
SHOTS = os.environ.get("RUTTER_SCREENSHOTS")
DESKTOP, PHONE = (1280, 800), (390, 844)
SECTIONS = ["map", "hikes", "routes", "waypoints", "stops", "walk", "sync", "stores", "notebooks", "steps", "commands", "regions", "community"]
EVIL = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>"
CLOCK = "2026-02-06T08:00:00Z"
ZONE = "Europe/Zurich"


class Server:
    """`rutter serve` on a workspace of its own."""

    def __init__(self, workspace, port=None, options=()):
        arguments = [PROGRAM, "serve", "--workspace", workspace, "--clock", CLOCK, "--timezone", ZONE]
        if port:
            arguments += ["--port", str(port)]
        self.process = subprocess.Popen(arguments + list(options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        first = self.process.stdout.readline()
        assert first.startswith("http://127.0.0.1:"), first + self.process.stdout.read()
        self.url = first.strip()
        self.port = int(re.search(r":(\d+)/", self.url).group(1))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(30) == 0

    def kill(self):
        self.process.kill()
        self.process.wait()


def rutter(workspace, *entries):
    arguments = [PROGRAM, "--workspace", workspace, "--clock", CLOCK, "--seed", "42", "--timezone", ZONE]
    for entry in entries:
        arguments += ["-c", entry]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=workspace)
    assert done.returncode == 0, done.stderr
    return done.stdout


def serve_from_folder(route):
    path = f"{PAGE}/{route.request.url.split('/')[-1]}"
    if os.path.exists(path):
        route.fulfill(path=path)
    else:
        route.continue_()


class Check:
    """What every check has: a server, and pages in a browser."""

    def __init__(self, browser):
        self.browser = browser
        self.folder = tempfile.mkdtemp(prefix="rutter-page-")
        rutter(
            self.folder,
            f"region import {DATA}/valley.osm --elevation {DATA}/N00E000.hgt.gz",
            f"import {DATA}/hut-and-lake.gpx",
            'route plan "Null Station" "Meridian Hut" | route save "To the hut"',
            "feed sample", "feed import harbour")
        self.server = Server(self.folder)
        self.contexts = []
        self.problems = []
        self.requests = []

    def page(self, size=DESKTOP, url=None, context=None, **options):
        if context is None:
            context = self.browser.new_context(
                viewport={"width": size[0], "height": size[1]}, has_touch=size == PHONE, is_mobile=size == PHONE,
                permissions=["clipboard-read", "clipboard-write"], **options)
            self.contexts.append(context)
        if PAGE:
            context.route("**/page/*", serve_from_folder)
        page = context.new_page()
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(url or self.server.url)
        page.wait_for_selector("body[data-ready]")
        return page

    def close(self):
        for context in self.contexts:
            # An answer that is still on its way through a check's own handler would be reported in the check that follows.
            for page in context.pages:
                page.unroute_all(behavior="ignoreErrors")
            context.close()
        if self.server.process.poll() is None:
            self.server.stop()
        shutil.rmtree(self.folder)


def with_many_waypoints(check):
    """5,000 waypoints beside each other, and a server that has read them."""
    points = "".join(
        f'<wpt lat="{0.48 + (i // 100) * 0.0008:.5f}" lon="{0.47 + (i % 100) * 0.0006:.5f}"><name>P{i}</name></wpt>' for i in range(5000))
    with open(f"{check.folder}/many.gpx", "w") as file:
        file.write(f'<gpx version="1.1" creator="x">{points}</gpx>')
    check.server.stop()
    rutter(check.folder, "import many.gpx --as waypoints")
    check.server = Server(check.folder)


def go(page, section):
    page.evaluate("hash => { location.hash = hash }", section)
    page.wait_for_selector(f'#sections a[href="#{section.split("/")[0]}"][aria-current]', state="attached")
    page.wait_for_load_state("networkidle")


def ran(page):
    return page.locator("#ran").text_content()


def in_map(page, x, y):
    box = page.locator("main > section:not([hidden]) .map").first.bounding_box()
    return box["x"] + box["width"] * x, box["y"] + box["height"] * y


def shot(page, name):
    if SHOTS:
        os.makedirs(SHOTS, exist_ok=True)
        page.screenshot(path=f"{SHOTS}/{name}.png")


def axe(page, where):
    found = Axe().run(page)
    words = [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in found.response["violations"]]
    assert not words, f"{where}: {words}"


def fits(page, where):
    """Nothing makes the page wider than the screen."""
    width, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= inner, f"{where}: {width} > {inner}"


def place_of(page, place):
    """A point of the window for a coordinate of the map section."""
    return page.evaluate("""([latitude, longitude]) => {
        const pane = window.rutter.sections[0].pane;
        const point = pane.map.latLngToContainerPoint([latitude, longitude]);
        const box = pane.element.getBoundingClientRect();
        return [box.x + point.x, box.y + point.y];
    }""", place)


def at_rest(page, look):
    """What `look` returns once it has stayed the same for a while: the map has stopped moving, and what it shows is drawn."""
    seen, times = None, 0
    for _ in range(50):
        now = look()
        times = times + 1 if now and now == seen else 0
        if times == 2:
            return now
        seen = now
        page.wait_for_timeout(200)
    raise AssertionError("the map does not come to rest")


def resting_place_of(page, place):
    """The same, once the map has stopped moving."""
    return at_rest(page, lambda: place_of(page, place))


def settle(page):
    """Waits until nothing is asked for any more, and what is shown has stayed the same for a while."""
    seen = None
    for _ in range(100):
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(200)
        now = page.locator("#ran").inner_text() + "".join(page.locator(".numbers").all_inner_texts())
        if now == seen:
            return
        seen = now


# On Station Street, some pixels away from the crossing where another road begins.
def plan(page, a=(0.49835, 0.48304), b=(0.5144, 0.4973)):
    go(page, "map")
    page.get_by_role("button", name="Plan a route").click()
    for place in (a, b):
        page.mouse.click(*resting_place_of(page, place))
    page.wait_for_selector(".panel .turns li")
