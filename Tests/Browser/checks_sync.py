"""Sync: devices, outbox, log, why."""

from support import *


def in_sync(page, text):
    return page.locator("section[aria-label=Sync]").locator(text)


def devices_sync_and_say_why(check):
    page = check.page()
    go(page, "sync")
    page.get_by_role("button", name="Add a device").click()
    page.locator("dialog input").fill("anna")
    page.locator("dialog button.primary").click()
    in_sync(page, "tbody th:has-text('anna')").wait_for()
    for number, (name, size) in enumerate((("desktop", DESKTOP), ("phone", PHONE))):
        page = check.page(size)
        go(page, "commands")
        page.locator("#entry").fill(f"waypoint add 0.5,0.5 --label \"{EVIL}\"")
        page.keyboard.press("Enter")
        page.wait_for_selector(".answer pre")
        go(page, "sync/outbox")
        in_sync(page, ".table-box[aria-label=Outbox] tbody tr").first.wait_for()
        rows = in_sync(page, ".table-box[aria-label=Outbox] tbody tr")
        shown = rows.all_inner_texts()
        assert len(shown) == 1 and "edited here" in shown[0], shown
        axe(page, f"outbox {name}")
        fits(page, f"outbox {name}")
        shot(page, f"sync-outbox-{name}")
        # By keys alone.
        page.get_by_role("button", name="Sync now").focus()
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('#message').textContent.includes('pushed 1')")
        in_sync(page, ".hint:has-text('Nothing to sync')").wait_for()
        page.get_by_role("link", name="Compare", exact=True).click()
        in_sync(page, ".hint:has-text('are equal')").wait_for()
        page.get_by_role("link", name="Log", exact=True).click()
        in_sync(page, "h3:text-is('Log')").wait_for()
        settle(page)
        shot(page, f"sync-log-{name}")
        go(page, "sync")
        axe(page, f"devices {name}")
        shot(page, f"sync-devices-{name}")
    # The same field is edited on two devices: one value loses. No page is open while the server is not.
    while check.contexts:
        check.contexts.pop().close()
    check.server.stop()
    edit = "waypoint edit (waypoint list | where at == 0.5,0.5 | first | get id) --note"
    rutter(
        check.folder, "device add mac desk | get name", "sync | get pulled", f"{edit} 'of the desk {EVIL}' | get note",
        "device use anna", f"{edit} 'of anna {EVIL}' | get note", "sync | get pushed", "device use desk", "sync | get pushed")
    check.server = Server(check.folder)
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page = check.page(size)
        go(page, "sync")
        if in_sync(page, "button[aria-label='Use desk']").count():
            in_sync(page, "button[aria-label='Use desk']").click()
        in_sync(page, "a:has-text('Outbox and log')").first.wait_for(state="attached")
        go(page, "sync/conflicts")
        in_sync(page, ".table-box[aria-label=Conflicts] tbody tr").filter(has_text="onerror").first.wait_for()
        in_sync(page, "button[aria-label^='Explain']").first.click()
        in_sync(page, "[aria-label=Explanation] tbody tr").first.wait_for()
        assert page.evaluate("window.hacked") is None and in_sync(page, "img, script").count() == 0
        axe(page, f"conflicts {name}")
        shot(page, f"sync-conflicts-{name}")
    assert not check.problems, check.problems
