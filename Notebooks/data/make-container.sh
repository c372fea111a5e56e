#!/bin/sh
# Makes container.zip: a phone's folder as it comes with a bug report, with the faults that app-container.md and
# the three notebooks after it look for. Run in this folder with `rutter`, `sqlite3` and `zip` in the path.
set -eu
here=$(pwd)
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
app="$scratch/AppData"
mkdir -p "$app/Documents/regions" "$app/Library/Preferences"

rutter --workspace "$scratch/own" -c "
    seed 7; clock 2026-02-06T08:15:30Z; import valley.gpx --as waypoints; import valley.gpx
    waypoint link 'Upper Hut' 'Church to Upper Hut'
    region import valley.osm --name valley; route plan @Station @Church | route save Morning
    route plan @Station @'Upper Hut' | route save Evening" > "$scratch/log"
cp "$scratch/own/waypoints.db" "$scratch/own/routes.db" "$app/Documents"
cp -r "$scratch/own/planned_routes" "$app/Documents/planned_routes"

# What went wrong before the last start of the app.
sqlite3 "$app/Documents/waypoints.db" >> "$scratch/log" <<'SQL'
PRAGMA secure_delete = OFF;
PRAGMA journal_mode = DELETE;
-- A watch that writes whole seconds: the app's reader rejects times without a fraction.
UPDATE waypoints SET timestamp = '2026-02-05T09:20:00Z' WHERE label = 'Mill Inn';
-- A hike that was deleted while its waypoint stayed.
UPDATE waypoints SET hike_id = 'C0FFEE00-0000-4000-8000-000000000001' WHERE label = 'Peak';
-- Two waypoints deleted a week ago.
DELETE FROM waypoints WHERE label IN ('Church', 'Lake Meadow');
PRAGMA journal_mode = WAL;
SQL
# The last session: three commits in the log, and the phone switched off before SQLite wrote them back.
sqlite3 "$app/Documents/waypoints.db" >> "$scratch/log" <<'SQL'
.dbconfig no_ckpt_on_close on
PRAGMA wal_autocheckpoint = 0;
PRAGMA secure_delete = OFF;
INSERT INTO waypoints (id, latitude, longitude, altitude, timestamp, label, category, note, has_photo, modified_at)
    VALUES ('5EED0000-0000-4000-8000-000000000001', 0.50012, 0.48611, 630, '2026-02-06T07:40:00.000Z', 'Ford', 'danger',
    'knee-deep after rain', 0, '2026-02-06T07:40:00.000Z');
UPDATE waypoints SET note = 'dry since January', modified_at = '2026-02-06T07:55:00.000Z' WHERE label = 'Cold Spring';
DELETE FROM waypoints WHERE category IN ('danger', 'waterSource');
SQL
rm -f "$app/Documents/waypoints.db-shm"

# A planned route whose date has a fraction, which the app's reader rejects there.
route=$(grep -l Evening "$app"/Documents/planned_routes/*.json)
sed -i -E 's/("createdAt" ?: ?"[0-9T:-]+)(\.[0-9]+)?Z/\1.250Z/' "$route"
# A region whose metadata has only the name.
cat > "$app/Documents/regions/regions.json" <<'JSON'
[{"id": "valley", "name": "Valley", "minZoom": 8, "maxZoom": 15, "tileCount": 0, "hasRoutingData": true}]
JSON
printf 'remember the ford\n' > "$app/Documents/notes.txt"
(cd "$app" && find . -exec touch -d 2026-02-06T08:00:00Z {} + && rm -f "$here/container.zip" \
    && TZ=UTC zip -X -q -r "$here/container.zip" .)
