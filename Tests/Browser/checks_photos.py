"""Photos of hikes, and exports as downloads."""

from support import *


def photos_of_a_hike_are_shown(check):
    check.server.stop()
    rutter(check.folder, f"photo match {DATA}/photos --hike 'Over the hut to the lake' --add | count")
    check.server = Server(check.folder)
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        go(page, "hikes")
        page.locator("tbody a").first.click()
        page.wait_for_selector(".photos li:nth-child(3) img")
        page.wait_for_function("() => [...document.querySelectorAll('.photos img')].every((image) => image.complete && image.naturalWidth > 0)")
        settle(page)
        page.locator(".photos").scroll_into_view_if_needed()
        axe(page, f"photos {name}")
        fits(page, f"photos {name}")
        shot(page, f"hike-photos-{name}")
        page.get_by_role("button", name="Photo of terrace").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog img.photo")
        assert re.fullmatch(r"waypoint photo \w+", ran(page)), ran(page)
        address = page.evaluate("document.querySelector('dialog img').src")
        response = page.request.get(address)
        assert response.headers["content-type"] == "image/jpeg" and response.headers["x-content-type-options"] == "nosniff"
        assert response.body()[:2] == b"\xff\xd8"
        axe(page, f"photo {name}")
        page.keyboard.press("Escape")
        # Nobody else gets it.
        try:
            urllib.request.urlopen(address)
            raise AssertionError("a photo is visible without the cookie")
        except urllib.error.HTTPError as error:
            assert error.code == 403
    assert not check.problems, check.problems
