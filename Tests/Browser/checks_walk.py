"""Walks that play, and decisions that are stepped."""

from support import *


def a_walk_plays_and_steps(check):
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        go(page, "routes")
        page.get_by_role("link", name="To the hut").click()
        page.get_by_role("button", name="Walk", exact=True).click()
        page.wait_for_selector(".prompts li")
        entry = ran(page)
        assert re.fullmatch(r"route show \w+ \| guide simulate --noise 5m --seed 7", entry), entry
        # The prompts are those of the terminal.
        said = rutter(check.folder, entry + " | get events | get text").splitlines()
        assert page.locator(".prompts .what").all_inner_texts() == said, said
        assert "Head north on Station Street" in page.locator(".watch").inner_text() or "left onto Church Steps" in page.locator(".watch").inner_text()
        # The overlay at the end is that of the terminal, too.
        end = rutter(check.folder, entry + " | guide show")
        slider = page.get_by_role("slider", name="Time")
        slider.focus()
        page.keyboard.press("End")
        assert page.locator(".walk-text").inner_text() == "You have arrived" and "You have arrived" in end
        assert "✓" in page.locator(".watch .haptic").inner_text()
        facts = page.locator(".walk-facts span").inner_text()
        assert facts.split()[0] in end, (facts, end)
        # To a prompt, a fix back and forward.
        page.locator(".prompts button").nth(1).click()
        assert "now" in page.locator(".prompts li").nth(1).get_attribute("class")
        before = page.locator(".walk-clock").inner_text()
        page.get_by_role("button", name="One fix back").click()
        assert page.locator(".walk-clock").inner_text() != before
        page.get_by_role("button", name="One fix forward").click()
        assert page.locator(".walk-clock").inner_text() == before
        axe(page, f"walk {name}")
        fits(page, f"walk {name}")
        shot(page, f"walking-{name}")
        # Keys and playing: the walker moves on the map, and the haptic of a turn shows.
        page.locator(".panel h2:text-is('Walk')").click()
        page.keyboard.press("r")
        where = page.locator(".walker").bounding_box()
        page.keyboard.press("e")
        assert "now" in page.locator(".prompts li").first.get_attribute("class")
        page.keyboard.press("+")
        page.keyboard.press("Space")
        page.wait_for_function("() => document.querySelectorAll('.prompts .past').length > 1")
        page.get_by_role("button", name="Pause").click()
        assert page.locator(".walker").bounding_box() != where
        # A reload goes on where it was.
        at = page.locator(".walk-clock").inner_text()
        page.reload()
        page.wait_for_selector(".prompts li.past")
        assert page.locator(".walk-clock").inner_text() == at
        # Two beside each other: the app's matcher skips a prompt that ours gives.
        page.locator("#walk-options").fill("--noise 5m --seed 7 --detour 600m,120m,150m")
        page.locator("#walk-other").fill("off-route=150m")
        page.get_by_role("button", name="Simulate").click()
        page.wait_for_selector(".watches.two .watch:nth-child(2)")
        assert ran(page).endswith("--with 'off-route=150m'")
        left = page.locator(".prompts li:has-text('left the route')")
        assert left.count() == 1 and left.locator(".mark").inner_text() == "A"
        left.locator("button").click()
        assert "ff route" in page.locator(".watch").first.inner_text() and "ff route" not in page.locator(".watch").nth(1).inner_text()
        axe(page, f"two walks {name}")
        fits(page, f"two walks {name}")
        shot(page, f"two-walks-{name}")
        # What the command refuses is said.
        page.locator("#walk-options").fill("--detour 99km,1m,1m")
        page.get_by_role("button", name="Simulate").click()
        page.wait_for_selector(".player .problem")
        assert "beyond the end" in page.locator(".player .problem").inner_text()
    assert not check.problems, check.problems


def a_search_is_stepped_both_ways(check):
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        go(page, "steps")
        page.get_by_role("button", name="Search of To the hut").click()
        page.wait_for_selector(".rutter-pane:nth-child(2) .rutter-picture svg")
        entry = ran(page)
        assert entry.startswith("[(trace --limit 10000 route plan 0.49") and entry.endswith("--method dijkstra)]"), entry
        status = page.locator(".rutter-controls output")
        assert status.inner_text().startswith("1 of "), status.inner_text()
        # The same steps and reasons as in the terminal.
        first = entry[entry.index("(") + 1:entry.index(")")]
        whys = rutter(check.folder, f"({first}) | get why").splitlines()
        kinds = rutter(check.folder, f"({first}) | get kind").splitlines()
        pane = page.locator(".rutter-pane").first
        for step in (0, 1, 2):
            assert pane.locator(".rutter-why").inner_text() == whys[step]
            assert pane.locator(".rutter-step").inner_text() == f"Step {step + 1}: {kinds[step]}"
            page.get_by_role("button", name="Step forward").click()
        page.get_by_role("button", name="Step back").click()
        assert pane.locator(".rutter-why").inner_text() == whys[2]
        slider = page.get_by_role("slider", name="Step")
        slider.focus()
        page.keyboard.press("End")
        assert status.inner_text().split(" of ")[0] == status.inner_text().split(" of ")[1]
        page.keyboard.press("Home")
        page.get_by_role("button", name="First difference").click()
        assert "differ for the first time" in page.locator(".rutter-differs").first.inner_text()
        axe(page, f"steps {name}")
        fits(page, f"steps {name}")
        shot(page, f"stepping-{name}")
        # To a condition, in both directions.
        page.locator("#step-condition").fill("kind == settle")
        page.get_by_role("button", name="Next", exact=True).click()
        page.wait_for_function("() => document.querySelector('.until output').textContent.includes('steps')")
        assert pane.locator(".rutter-step").inner_text().endswith(": settle")
        number = int(re.search(r"\d+", pane.locator(".rutter-step").inner_text()).group())
        page.get_by_role("button", name="Next", exact=True).click()
        page.wait_for_function("n => Number(document.querySelector('.rutter-step').textContent.match(/\\d+/)[0]) > n", arg=number)
        page.get_by_role("button", name="Previous", exact=True).click()
        page.wait_for_function("n => Number(document.querySelector('.rutter-step').textContent.match(/\\d+/)[0]) === n", arg=number)
        page.locator("#step-condition").fill("nonsense ==")
        page.get_by_role("button", name="Next", exact=True).click()
        page.wait_for_function("() => !document.querySelector('.until output').textContent.includes('steps')")
        # Playing, and a reload in the middle.
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function("n => Number(document.querySelector('.rutter-step').textContent.match(/\\d+/)[0]) > n", arg=number)
        page.get_by_role("button", name="Pause").click()
        at = status.inner_text()
        page.reload()
        page.wait_for_selector(".rutter-pane .rutter-picture svg")
        page.wait_for_function("at => document.querySelector('.rutter-controls output').textContent === at", arg=at)
        # One alone, and what decides nothing.
        page.locator("#step-other").fill("")
        page.locator("#step-entry").fill("place find hut")
        page.get_by_role("button", name="Trace").click()
        page.wait_for_selector(".rutter-pane:only-child h2:has-text('place find hut')")
        page.locator("#step-entry").fill("1 + 1")
        page.get_by_role("button", name="Trace").click()
        page.wait_for_selector(".steps-result .problem")
    assert not check.problems, check.problems


def simulate_without_a_route_says_so(check):
    """Also before the routes are listed, and when one clicks twice."""
    page = check.page()
    held = []
    page.route("**/api/run", lambda route: held.append(route) if route.request.post_data_json["entry"] == "route list" and not held else route.continue_())
    page.evaluate("location.hash = '#walk'")
    page.wait_for_function("() => document.querySelector('.walk-form')")
    page.get_by_role("button", name="Simulate").click()
    for route in held:
        route.continue_()
    page.unroute("**/api/run")
    page.wait_for_selector(".prompts li", state="attached")
    for _ in range(2):
        page.get_by_role("button", name="Simulate").click()
    settle(page)
    assert page.locator(".watch").count() == 1
    for noun in ("route", "hike"):
        rutter(check.folder, *[f"{noun} delete {one}" for one in rutter(check.folder, f"{noun} list | get id").split()])
    page = check.page()
    go(page, "walk")
    page.get_by_role("button", name="Simulate").click()
    page.locator("#message").get_by_text("There is no route to walk yet").wait_for()
    check.problems.clear()
