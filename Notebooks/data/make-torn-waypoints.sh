#!/bin/sh
# Makes torn-waypoints.db: 60 waypoints as an app would store them, on pages of 1 KiB, one of which is overwritten with zeros.
# Run in this folder with `rutter` and `sqlite3` in the path. ../lesson-stores.md recovers what can be read of it.
set -eu
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

rutter --workspace "$scratch/own" -c "
    seed 7; clock 2026-02-06T08:15:30Z
    for n in (range 1 60) { waypoint add 46.5,7.9 --label \"Cairn \$n\" }" > "$scratch/log"
sqlite3 "$scratch/own/waypoints.db" "PRAGMA journal_mode = DELETE; PRAGMA page_size = 1024; VACUUM" >> "$scratch/log"

# A page in the middle of the table: the path of a leaf is its position in the tree.
leaves=$(sqlite3 "$scratch/own/waypoints.db" \
    "SELECT pageno FROM dbstat WHERE name = 'waypoints' AND pagetype = 'leaf' ORDER BY path")
middle=$(echo "$leaves" | sed -n "$(( ($(echo "$leaves" | wc -l) + 1) / 2 ))p")
cp "$scratch/own/waypoints.db" torn-waypoints.db
dd if=/dev/zero of=torn-waypoints.db bs=1024 seek=$((middle - 1)) count=1 conv=notrunc 2> /dev/null
