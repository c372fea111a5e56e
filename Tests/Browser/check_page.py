"""The local web page in Chromium, in desktop and phone size. `Tests/Browser/run` calls it."""

import contextlib
import io
import multiprocessing
import shutil
import sys
import traceback
from types import FunctionType

from playwright.sync_api import sync_playwright

import checks_community
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
    checks_session, checks_export, checks_files, checks_ways_in, checks_plan, checks_many, checks_jobs, checks_community,
]
# A check is a function of its module that takes a check and nothing else.
CHECKS = [
    run for module in MODULES for run in vars(module).values()
    if isinstance(run, FunctionType) and run.__module__ == module.__name__ and run.__code__.co_varnames[:run.__code__.co_argcount] == ("check",)
    and not run.__name__.endswith("_pages") and run.__name__ != "page_of_a_file"
]


# Checks wait more than they work: two at a time keep two cores busy.
AT_A_TIME = 2
browser = None


def launch():
    """Starts the browser of this process."""
    global browser
    browser = sync_playwright().start().chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])


def attempt(index):
    """Runs a check: whether it passed, and what is to be printed."""
    run, said = CHECKS[index], io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            check = Check(browser)
            try:
                run(check)
            finally:
                check.close()
    except Exception as error:
        here = [frame for frame in traceback.extract_tb(error.__traceback__) if "Tests/Browser" in frame.filename]
        places = "".join(f"    {frame.filename.split('/')[-1]} line {frame.lineno}: {frame.line}\n" for frame in here)
        return index, False, f"{said.getvalue()}{run.__name__}: {error}\n{places}"
    return index, True, f"{said.getvalue()}{run.__name__}"


def main():
    chosen = [index for index, run in enumerate(CHECKS) if PATTERN in run.__name__]
    assert chosen, f"no check is called {PATTERN}"
    processes = multiprocessing.get_context("spawn")
    again, failed = [], 0
    with processes.Pool(AT_A_TIME, launch) as pool:
        for index, passed, said in pool.imap_unordered(attempt, chosen):
            again += [] if passed else [index]
            print("passed " if passed else "again  ", said, flush=True)
    # On a busy machine the browser is sometimes too slow: what failed is tried once more, alone, with the message above.
    with processes.Pool(1, launch) as pool:
        for index, passed, said in pool.imap(attempt, sorted(again)):
            failed += not passed
            print("passed " if passed else "FAILED ", said, flush=True)
    print(f"{failed} failed" if failed else "the page: all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
