"""Runs shipped notebooks through the kernel by nbclient: what they show is what `rutter test` compares.

Each is exported to .ipynb, validated by nbformat, and run by nbclient; the text of each cell's outputs is compared with what the
notebook expects, `<<patterns>>` matching anything. Cells marked nocheck, unordered or approx are run only.
"""
import glob
import os
import re
import subprocess
import sys
import time

import nbformat
from nbclient import NotebookClient

PROGRAM = os.environ["RUTTER_PROGRAM"]


def rutter(*arguments, folder):
    return subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True)


def shown(outputs):
    """The text of a cell's outputs, as the terminal shows it, one output below the other."""
    texts = []
    for output in outputs:
        if output.output_type in ("display_data", "execute_result"):
            if output.metadata.get("rutter") == "progress":
                continue
            texts.append(output.data["text/plain"].rstrip("\n"))
        elif output.output_type == "error":
            texts.append("\n".join(output.traceback))
    return "\n".join(texts)


def pattern(expected):
    """The expected text of a notebook, with its patterns, as a regular expression."""
    lines = []
    for line in expected.split("\n"):
        if line == "...":
            lines.append(None)
            continue
        parts = re.split(r"(<<.*?>>)", line)
        lines.append("".join(".*" if part.startswith("<<") else re.escape(part) for part in parts))
    text = ""
    for index, line in enumerate(lines):
        if line is None:
            text += r"(?:.*\n)*?"
        else:
            text += line + r"\n"
    return text


def check(path, scratch):
    name = os.path.basename(path)
    folder = os.path.dirname(os.path.abspath(path))
    target = os.path.join(scratch, name[:-3] + ".ipynb")
    made = rutter("notebook", "render", name, "--out", target, folder=folder)
    if made.returncode != 0:
        return "not exported: " + made.stderr
    notebook = nbformat.read(target, as_version=4)
    nbformat.validate(notebook)
    expected = [
        "\n".join(output.data["text/plain"] for output in cell.outputs) if cell.cell_type == "code" else None
        for cell in notebook.cells
    ]
    flags = [
        (cell.metadata.get("rutter", {}).get("text") or [""])[0].split()[1:] if cell.cell_type == "code" else []
        for cell in notebook.cells
    ]
    client = NotebookClient(notebook, kernel_name="rutter", timeout=300, resources={"metadata": {"path": folder}})
    try:
        client.execute()
    except Exception as error:  # the first cell that fails without being marked
        text = str(error)
        for word in ("is missing", "--allow-plugins", "--allow-network"):
            if word in text:
                return "SKIPPED: " + next(line for line in text.split("\n") if word in line)
        return text
    for cell, wanted, words in zip(notebook.cells, expected, flags):
        if cell.cell_type != "code" or not wanted or {"nocheck", "unordered", "approx"} & set(words):
            continue
        actual = shown(cell.outputs)
        if not re.fullmatch(pattern(wanted), actual + "\n"):
            return "cell differs\n" + cell.source + "\n--- expected\n" + wanted + "\n--- shown\n" + actual
    # The notebook with the outputs of the run is still a valid one.
    nbformat.validate(notebook)
    return None


def main():
    wanted = sys.argv[1:] or ["."]
    paths = sorted(p for p in glob.glob("Notebooks/*.md") if any(re.search(w, p) for w in wanted))
    scratch = os.environ["TMPDIR"]
    failures = skipped = 0
    begun = time.monotonic()
    for path in paths:
        problem = check(path, scratch)
        if problem and problem.startswith("SKIPPED"):
            skipped += 1
            print(f"{path}: {problem}", flush=True)
        elif problem:
            failures += 1
            print(f"FAILED {path}: {problem}", flush=True)
    print(f"{len(paths) - failures - skipped} notebooks through the kernel as in `rutter test`, {skipped} skipped, {failures} failed"
          f" ({time.monotonic() - begun:.0f} s)")
    sys.exit(1 if failures or not paths else 0)


main()
