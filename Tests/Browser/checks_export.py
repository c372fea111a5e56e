"""Downloads: each format of `export`, in both page sizes, and in read-only mode."""

from support import *

FORMATS = {
    "GPX": "gpx", "PDF": "pdf", "HTML": "html", "Markdown": "md", "KML": "kml", "GeoJSON": "geojson", "Community": "json", "FIT": "fit",
    "TCX": "tcx",
}


def open_first(page, section):
    go(page, section)
    page.locator(f"section[aria-label={section.capitalize()}] tbody a").first.click()
    page.wait_for_selector(f"section[aria-label={section.capitalize()}] .detail .chart")
    settle(page)
    return page.evaluate("location.hash").split("/")[1]


def every_format_is_downloaded(check):
    """Downloads are byte-identical to what the command writes at the prompt; nothing is written to the workspace."""
    for size, options in ((DESKTOP, []), (PHONE, ["--read-only"])):
        check.server.stop()
        check.server = Server(check.folder, options=options)
        page = check.page(size)
        for section, count in (("hikes", 9), ("routes", 7)):
            identifier = open_first(page, section)
            detail = page.locator(f"section[aria-label={section.capitalize()}] .detail")
            choice = detail.get_by_label("Format")
            titles = choice.locator("option").all_inner_texts()
            assert titles == list(FORMATS)[:count], titles
            for title in titles:
                choice.select_option(title)
                before = sorted(os.listdir(check.folder))
                with page.expect_download() as started:
                    detail.get_by_role("button", name="Export").click()
                download = started.value
                name = "Over the hut to the lake" if section == "hikes" else "To the hut"
                assert download.suggested_filename == f"{name}.{FORMATS[title]}", download.suggested_filename
                assert before == sorted(os.listdir(check.folder))
                # The command that is shown writes the same at the prompt.
                entry = ran(page)
                assert entry == f"export '{download.suggested_filename}' {identifier}", entry
                rutter(check.folder, entry + " --force")
                written = f"{check.folder}/{download.suggested_filename}"
                with open(download.path(), "rb") as one, open(written, "rb") as other:
                    assert one.read() == other.read(), title
                os.remove(written)
            choice.select_option("Markdown")
            detail.locator("pre[aria-label=Preview]").filter(has_text="# ").wait_for()
            axe(page, f"export {size}")
            fits(page, f"export {size}")
            shot(page, f"export-{section}-{size[0]}")
        page.close()
    left = glob.glob(f"{tempfile.gettempdir()}/rutter-page-*/*.pdf")
    assert not left and not check.problems, (left, check.problems)
