"""Routes of the community: published, searched, previewed and imported."""

from support import *


def a_route_is_shared_and_found_again(check):
    page = check.page()
    go(page, "community")
    # Before a folder is chosen nothing is wrong: the page says what to do.
    page.locator("section[aria-label=Community] .hint").get_by_text("choose a copy of the community's repository").wait_for()
    assert not page.locator("section[aria-label=Community] .problem").count()
    folder = f"{check.folder}/shared by 'us'"
    page.get_by_role("button", name="Folder").click()
    page.locator("dialog input").fill(folder)
    page.locator("dialog button.primary").click()
    page.wait_for_function("() => document.querySelector('#ran').textContent === 'community list'")
    settle(page)
    go(page, "routes")
    page.locator("tbody a").filter(has_text="To the hut").click()
    page.get_by_role("button", name="Publish").click()
    for label, text in (("Author", "Ann"), ("Country", "CH"), ("Area", "Oberland"), ("Description", "To the hut's \"terrace\"")):
        page.locator("dialog").get_by_label(label).fill(text)
    page.locator("dialog").get_by_label("Activity").select_option("hiking")
    axe(page, "publish")
    shot(page, "publish-desktop")
    page.locator("dialog button.primary").click()
    page.locator("#message").get_by_text("routes/ch/to-the-hut").wait_for()
    go(page, "community")
    rows = page.locator("section[aria-label=Community] tbody tr")
    rows.first.wait_for()
    assert rows.count() == 1 and "Oberland" in rows.first.inner_text(), rows.first.inner_text()
    axe(page, "community")
    fits(page, "community")
    shot(page, "community-desktop")
    in_section = page.locator("section[aria-label=Community]")
    for words, activity, area, count in (("hut", "", "", 1), ("hut", "cycling", "", 0), ("", "hiking", "ober", 1), ("nowhere", "", "", 0), ("", "", "", 1)):
        in_section.get_by_label("Words").fill(words)
        in_section.get_by_label("Activity").select_option(activity)
        in_section.get_by_label("Country or area").fill(area)
        in_section.get_by_role("button", name="Search", exact=True).click()
        settle(page)
        assert rows.count() == count, (words, activity, area, rows.count(), ran(page))
    rutter(check.folder, "route delete 'To the hut'")
    rows.locator("a").first.click()
    page.locator(".detail .fields").get_by_text("Ann").first.wait_for()
    shot(page, "community-route-desktop")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_role("region", name="Table").get_by_text("1 planned route").wait_for()
    page.keyboard.press("Escape")
    assert "To the hut" in rutter(check.folder, "route list | get name")
    # What cannot be read is said: the list, and without it the route.
    for name in ("index.json", "routes/ch/to-the-hut/route.json"):
        with open(f"{folder}/{name}", "w") as file:
            file.write("{")
    in_section.get_by_role("button", name="Search", exact=True).click()
    in_section.get_by_text("2 entries cannot be used").first.wait_for()
    assert not check.problems, check.problems
