"""Notebooks: read, run cell by cell, edit, save."""

from support import *

NOTEBOOK = f"""---
seed: 42
requires: [routing]
---
# Sums and ways

Prose with *words*, a [link](javascript:window.hacked=1), and {EVIL}

```rutter
rutter> 1 + 1
2
```

```rutter
rutter> let far = 2km * 3
rutter> $far
6km
```

```rutter
rutter> '{EVIL}'
{EVIL}
```

```rutter
rutter> [{{x: 1, y: 2}} {{x: 2, y: 5}}] | plot x y
<<*>>
...
```
"""


def in_notebooks(page, text):
    return page.locator("section[aria-label=Notebooks]").locator(text)


def write(check, name="sums.md", text=NOTEBOOK):
    with open(f"{check.folder}/{name}", "w") as file:
        file.write(text)
    return f"{check.folder}/{name}"


def open_notebook(page, check, title="Sums and ways"):
    go(page, "notebooks")
    page.get_by_label("Folder").fill(check.folder)
    page.get_by_role("button", name="List", exact=True).click()
    page.get_by_role("link", name=title).click()
    in_notebooks(page, ".notebook .rutter-cell").first.wait_for()


def notebooks_are_read_run_and_edited(check):
    path = write(check)
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        write(check)
        page = check.page(size)
        open_notebook(page, check)
        assert ran(page) == f"notebook show '{path}'", ran(page)
        assert in_notebooks(page, ".rutter-cell").count() == 4
        axe(page, f"notebook {name}")
        fits(page, f"notebook {name}")
        shot(page, f"notebook-{name}")
        assert page.evaluate("window.hacked") is None and in_notebooks(page, "img, script").count() == 0
        assert in_notebooks(page, ".notebook a").get_attribute("href") == ""
        # Cell by cell, by keys alone.
        page.get_by_role("button", name="Run cell 2").focus()
        page.keyboard.press("Enter")
        in_notebooks(page, ".shown .rutter-output:has-text('1 cell ran, all as expected')").wait_for()
        assert ran(page) == f"notebook run '{path}' --from 2 --to 2", ran(page)
        # The cell ran in this session.
        go(page, "commands")
        page.locator("#entry").fill("$far")
        page.keyboard.press("Enter")
        page.wait_for_selector(".answer pre:has-text('6km')")
        go(page, f"notebooks/{path.replace('/', '%2F')}")
        # In a fresh session it is the page that `notebook render` writes.
        page.get_by_role("button", name="Run in a fresh session").click()
        in_notebooks(page, ".rutter-picture svg").wait_for()
        out = f"{check.folder}/rendered-{name}.html"
        rutter(check.folder, f"notebook render sums.md --out {out} --force")
        file = check.browser.new_page()
        file.goto(f"file://{out}")
        texts = "(root) => [...document.querySelectorAll(root + ' .rutter-prose, ' + root + ' .rutter-cell')].map((one) => one.textContent)"
        assert page.evaluate(texts, "section[aria-label=Notebooks] .part") == file.evaluate(texts, "main")
        drawn = "(root) => document.querySelector(root + ' .rutter-picture svg').outerHTML"
        assert page.evaluate(drawn, "section[aria-label=Notebooks]") == file.evaluate(drawn, "main")
        file.close()
        axe(page, f"notebook run {name}")
        shot(page, f"notebook-run-{name}")
        # What is typed outlives a reload, and is written at last.
        page.get_by_role("button", name="Edit cell 1").click()
        field = page.get_by_label("Source of part 3")
        assert field.input_value().startswith("```rutter\nrutter> 1 + 1\n2\n```"), field.input_value()
        field.fill(f"```rutter\nrutter> '$it\\'s \"{name}\"' == 1\n3\n```\n")
        page.reload()
        field.wait_for()
        assert name in field.input_value()
        axe(page, f"notebook edited {name}")
        shot(page, f"notebook-edit-{name}")
        field.fill("```rutter\nrutter> 1 + 2\n4\n```\n")
        page.get_by_role("button", name="Save", exact=True).click()
        in_notebooks(page, ".rutter-input:has-text('1 + 2')").wait_for()
        assert "1 + 2\n4\n" in open(path).read()
        # A cell that differs says how.
        page.get_by_role("button", name="Run cell 1").click()
        in_notebooks(page, ".shown .problem:has-text('E-NOTEBOOK-DIFFERS')").wait_for()
        shot(page, f"notebook-differs-{name}")
        # Somebody else writes meanwhile: nothing is lost.
        page.get_by_role("button", name="Edit part 2").click()
        page.get_by_label("Source of part 2").fill("# Mine\n")
        text = open(path).read().replace("# Sums and ways", "# Theirs")
        with open(path, "w") as file:
            file.write(text)
        page.get_by_role("button", name="Save", exact=True).click()
        in_notebooks(page, ".problem:has-text('E-NOTEBOOK-CHANGED')").wait_for()
        assert open(path).read() == text
        page.get_by_role("button", name="Cancel", exact=True).click()
        page.evaluate("sessionStorage.clear()")
    assert not check.problems, check.problems


def the_session_becomes_a_notebook(check):
    page = check.page()
    go(page, "commands")
    page.locator("#entry").fill("2 * 21")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer pre")
    go(page, "notebooks")
    page.get_by_role("button", name="Save the session").click()
    page.locator("dialog input").fill(f"{check.folder}/kept.md")
    page.locator("dialog button.primary").click()
    page.wait_for_function("() => document.querySelector('#message').textContent.includes('written to')")
    assert "2 * 21\n42" in open(f"{check.folder}/kept.md").read()


def a_lesson_asks_in_the_page(check):
    shutil.copy("Notebooks/lesson-distance.md", check.folder)
    page = check.page()
    open_notebook(page, check, re.search(r"^# (.*)", open("Notebooks/lesson-distance.md").read(), re.M).group(1))
    form = in_notebooks(page, ".rutter-form").first
    form.locator("button").click()
    assert form.locator("output").text_content() == "Answer first."
    assert page.url.endswith(".md")
    axe(page, "lesson")
    shot(page, "notebook-lesson-desktop")
