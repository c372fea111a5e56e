"""Compares what Rutter and DuckDB's reader find in sixty CSV files made here: the kind of each column, how many cells are filled
and how many distinct, the least and greatest of numbers, dates and texts, and the sum of numbers.

Where the two differ by intention, the reason stands in REASONS; any other difference is an error.
Needs duckdb 2.0.1 of PyPI; usage: check_columns.py RUTTER
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

import duckdb

#: Columns whose kinds differ, with the reason.
REASONS = {
    "zip": "leading zeros are an identifier: text, where DuckDB reads a number",
    "time": "a time of day has no date: text, where DuckDB has a type for it",
    "length": "numbers with a unit are quantities",
}

KINDS = {"BIGINT": "number", "DOUBLE": "number", "DATE": "date", "TIMESTAMP": "date", "BOOLEAN": "boolean", "VARCHAR": "text",
         "TIMESTAMP WITH TIME ZONE": "date", "HUGEINT": "number"}


def makers(seed):
    """The columns of a file, by name: a function of the row's number."""
    r = random.Random(seed)
    return {
        "count": lambda i: r.randint(-1000, 100000),
        "big": lambda i: 10**15 + r.randint(0, 10**6),
        "price": lambda i: f"{r.randint(0, 99999) / 100:.2f}",
        "lat": lambda i: f"{r.uniform(-90, 90):.6f}",
        "exponent": lambda i: f"{r.randint(1, 9)}.{r.randint(0, 99):02}e{r.randint(-5, 5)}",
        "day": lambda i: f"20{r.randint(10, 30)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}",
        "moment": lambda i: f"2026-{r.randint(1, 12):02}-{r.randint(1, 28):02} {r.randint(0, 23):02}:{r.randint(0, 59):02}:30",
        "flag": lambda i: r.choice(["true", "false"]),
        "name": lambda i: r.choice(["Illa", "Ull de Ter", "Évian", "a\"b", "x,y", "NO"]),
        "zip": lambda i: f"{r.randint(0, 99999):05}",
        "time": lambda i: f"{r.randint(0, 23):02}:{r.randint(0, 59):02}:00",
        "length": lambda i: f"{r.randint(1, 99)} km",
        "week": lambda i: f"2026-W{r.randint(1, 52):02}-{r.randint(1, 7)}",
        "route": lambda i: r.choice(["S1", "12", "N7", "4A"]),
    }


def cell(text, quoted):
    text = str(text)
    return '"' + text.replace('"', '""') + '"' if quoted or any(c in text for c in ',;\t|"\n') else text


def write(path, seed):
    """A file with a separator, quotes, line ends and missing cells of its own."""
    r = random.Random(seed * 7919)
    columns = makers(seed)
    names = r.sample(sorted(columns), 6)
    separator, quoted, end = r.choice(",,,;\t|"), r.random() < 0.4, r.choice(["\n", "\r\n"])
    lines = [separator.join(cell(n, quoted) for n in names)]
    for i in range(r.choice([3, 40, 400])):
        cells = ["" if r.random() < 0.05 and i > 2 else columns[n](i) for n in names]
        lines.append(separator.join(cell(c, quoted) for c in cells))
    path.write_bytes(("\ufeff" if r.random() < 0.2 else "").encode() + (end.join(lines) + end).encode())
    return names


def ask(rutter, folder, entries):
    arguments = [rutter, "--workspace", str(folder / "workspace")]
    for entry in entries:
        arguments += ["-c", entry]
    result = subprocess.run(arguments, cwd=folder, capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else result.stderr


def main(rutter):
    rutter = str(pathlib.Path(rutter).resolve())
    faults, stated, refused, same = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed in range(60):
            path = folder / f"f{seed}.csv"
            columns = write(path, seed)
            found = json.loads(ask(rutter, folder, [f"open {path.name} | describe | get fields | to json"]))
            kinds = {row["field"]: row for row in found}
            cells = duckdb.read_csv(str(path))
            theirs = dict(zip(cells.columns, map(str, cells.types)))
            for column in columns:
                if column not in theirs:
                    continue
                kind, other = kinds[column]["kind"], KINDS.get(theirs[column], theirs[column])
                if kind != other:
                    if column in REASONS:
                        stated += 1
                    else:
                        faults.append(f"{path.name} {column}: {kind}, DuckDB {theirs[column]}")
                    continue
                filled, distinct = duckdb.sql(
                    f'select count("{column}"), count(distinct "{column}") from cells').fetchall()[0]
                mine = ask(rutter, folder, [
                    f"open {path.name} | summarize count({column}) by {column} | where {column} != nothing | count"])
                if (filled, distinct) != (kinds[column]["filled"], int(mine)):
                    faults.append(f"{path.name} {column}: {kinds[column]['filled']} filled, {mine.strip()} distinct, "
                                  f"DuckDB {filled}, {distinct}")
                elif kind == "number":
                    least, greatest, total = duckdb.sql(
                        f'select min("{column}"), max("{column}"), sum("{column}") from cells').fetchall()[0]
                    total_mine = float(ask(rutter, folder, [f"open {path.name} | sum {column}"]))
                    pairs = [(kinds[column]["min"], least), (kinds[column]["max"], greatest), (total_mine, total)]
                    if any(abs(float(a) - float(b)) > 1e-9 * max(1, abs(float(b))) for a, b in pairs):
                        faults.append(f"{path.name} {column}: {pairs}")
                elif kind in ("date", "text"):
                    least, greatest = duckdb.sql(
                        f'select min("{column}"), max("{column}") from cells').fetchall()[0]
                    if kind == "date":
                        # A day, or a moment to the second.
                        width = 10 if theirs[column] == "DATE" else 19
                        ours = [kinds[column][end][:width] for end in ("min", "max")]
                        wanted = [str(end).replace(" ", "T")[:width] for end in (least, greatest)]
                    else:
                        ours = ask(rutter, folder, [f"open {path.name} | min {column}", f"open {path.name} | max {column}"])
                        if "E-DATA-TEXT" in ours:
                            # Most cells look like numbers: no order of letters is given for one of size.
                            refused += 1
                            continue
                        ours, wanted = ours.splitlines(), [least, greatest]
                    if ours != wanted:
                        faults.append(f"{path.name} {column}: {ours}, DuckDB {wanted}")
                same += 1
    print(f"{same} columns compared, {stated} of another kind for a stated reason, {refused} of text like numbers "
          f"refused, {len(faults)} different")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
