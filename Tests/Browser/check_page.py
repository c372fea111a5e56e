"""The local web page in Chromium, in desktop and phone size. `Tests/Browser/run` calls it."""

import shutil
import sys
import traceback
from types import FunctionType

from playwright.sync_api import sync_playwright

import checks_export
import checks_files
import checks_jobs
import checks_many
import checks_map
import checks_notebooks
import checks_photos
import checks_plan
import checks_sections
import checks_session
import checks_stops
import checks_stores
import checks_sync
import checks_walk
import checks_ways_in
from support import PATTERN, Check

MODULES = [
    checks_sections, checks_map, checks_stops, checks_walk, checks_stores, checks_notebooks, checks_sync, checks_photos,
    checks_session, checks_export, checks_files, checks_ways_in, checks_plan, checks_many, checks_jobs,
]
# A check is a function of its module that takes a check and nothing else.
CHECKS = [
    run for module in MODULES for run in vars(module).values()
    if isinstance(run, FunctionType) and run.__module__ == module.__name__ and run.__code__.co_varnames[:run.__code__.co_argcount] == ("check",)
    and not run.__name__.endswith("_pages") and run.__name__ != "page_of_a_file"
]


def main():
    failed = 0
    assert any(PATTERN in run.__name__ for run in CHECKS), f"no check is called {PATTERN}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        for run in CHECKS:
            if PATTERN not in run.__name__:
                continue
            # On a busy machine the browser is sometimes too slow: a failed check is retried once, with a message.
            for last in (False, True):
                check = Check(browser)
                try:
                    run(check)
                    print(f"passed  {run.__name__}")
                    break
                except Exception as error:
                    failed += last
                    here = [frame for frame in traceback.extract_tb(error.__traceback__) if "Tests/Browser" in frame.filename]
                    places = "".join(f"    {frame.filename.split('/')[-1]} line {frame.lineno}: {frame.line}\n" for frame in here)
                    print(f"{'FAILED' if last else 'again '}  {run.__name__}: {error}\n{places}")
                finally:
                    check.close()
            sys.stdout.flush()
        browser.close()
    print(f"{failed} failed" if failed else "the page: all passed")
    return 1 if failed else 0


sys.exit(main())
