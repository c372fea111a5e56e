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
    page.keyboard.press("/")
    page.wait_for_function("() => document.activeElement.id === 'entry'")
    page.keyboard.type("1 + 1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".answer pre")
    assert page.locator(".answer pre").last.inner_text() == "2"
    page.keyboard.press("ArrowUp")
    assert page.locator("#entry").input_value() == "1 + 1"
