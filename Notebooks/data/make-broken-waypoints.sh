#!/bin/sh
# Makes broken-waypoints.db: the valley's nine waypoints as an app would store them, then broken in six ways.
# Run in this folder with `rutter` and `sqlite3` in the path. ../broken-store.md documents what is broken, and why.
set -eu
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

# A grey JPEG of 16 × 8 pixels stands for the photo.
base64 -d > "$scratch/photo.jpg" <<'PHOTO'
/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1R
V19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAIABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAABgf/xAAUEAEAAAAAAAAAAAAAAAAA
AAAA/9oACAEBAAA/ACaoP//Z
PHOTO

rutter --workspace "$scratch/own" -c "
    seed 7; clock 2026-02-06T08:15:30Z; import valley.gpx --as waypoints
    waypoint edit @'Terrace View' --photo $scratch/photo.jpg" > "$scratch/log"

sqlite3 "$scratch/own/waypoints.db" >> "$scratch/log" <<'SQL'
PRAGMA journal_mode = DELETE;
-- A form that loses the decimal point.
UPDATE waypoints SET latitude = 514.389 WHERE label = 'Upper Hut';
-- A date as people write it.
UPDATE waypoints SET timestamp = '06.02.2026 08:15' WHERE label = 'Cold Spring';
-- A watch that writes identifiers in lower case, and so adds what it should replace.
INSERT INTO waypoints SELECT lower(id), latitude, longitude, altitude, timestamp, label, category,
    'renamed on the watch', has_photo, hike_id, photo_data, photo_thumbnail, '2026-02-05T18:00:00.000Z', NULL
    FROM waypoints WHERE label = 'Church';
-- A transfer that broke off.
UPDATE waypoints SET photo_data = substr(photo_data, 1, length(photo_data) - 40) WHERE label = 'Terrace View';
-- A photo that was taken away, but not its flag.
UPDATE waypoints SET has_photo = 1 WHERE label = 'Peak';
-- A category of a later version of the app.
UPDATE waypoints SET category = 'bivouac' WHERE label = 'Lake Meadow';
VACUUM;
SQL
cp "$scratch/own/waypoints.db" broken-waypoints.db
