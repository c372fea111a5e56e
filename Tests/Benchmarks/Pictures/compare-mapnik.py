#!/usr/bin/env python3
"""Draws the same views with Mapnik and with pictures-bench, and prints their times and ratios.

    swift build -c release --product pictures-bench
    python3 Tests/Benchmarks/Pictures/compare-mapnik.py REGION.routing.db FILE.osm.pbf [TILE.hgt…] [--pictures FOLDER]

Mapnik comes from Debian: apt-get install python3-mapnik mapnik-utils gdal-bin (use /usr/bin/python3). Where something is
missing it is named, and nothing is compared. The style has what the topographic map has: land cover, water, buildings,
ways by kind and grade with casings and dashes, railways, lifts, borders, labels of places, peaks, ways and water, and from
elevation tiles hillshade and contours. Mapnik reads indexed shapefiles, and shade and contours that GDAL made beforehand;
pictures-bench makes both from heights for each picture. Times are processor time of one thread for drawing and encoding a PNG,
the median of several runs, with everything loaded.
"""

import argparse
import importlib.util
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BENCH = pathlib.Path(__file__).resolve().parents[3] / ".build/release/pictures-bench"
SIZES = [(1280, 800, zoom) for zoom in (10, 12, 14, 16)] + [(256, 256, zoom) for zoom in (12, 14, 15)]
RUNS = 9
GOAL = 2.0
TAG = "hstore_get_value(other_tags,'{}')"

LAYERS = {
    "land": (
        "multipolygons",
        "select geometry, coalesce(landuse, natural, leisure) as kind from multipolygons where "
        "landuse in ('forest','meadow','farmland','residential','industrial','orchard','vineyard','cemetery','quarry') "
        "or natural in ('wood','scrub','grassland','bare_rock','scree','glacier','wetland','heath') "
        "or leisure in ('park','pitch')",
    ),
    "water": ("multipolygons", "select geometry, name from multipolygons where natural = 'water' or landuse in ('reservoir','basin')"),
    "buildings": ("multipolygons", "select geometry from multipolygons where building is not null"),
    "streams": ("lines", "select geometry, name, waterway as kind from lines where waterway in ('river','stream','canal')"),
    "ways": (
        "lines",
        f"select geometry, name, highway as kind, {TAG.format('sac_scale')} as sac, {TAG.format('tracktype')} as firm "
        "from lines where highway is not null order by z_order",
    ),
    "rails": (
        "lines",
        "select geometry, name, coalesce(railway, aerialway) as kind from lines where railway = 'rail' or aerialway is not null",
    ),
    "borders": ("multipolygons", "select geometry, admin_level as level from multipolygons where boundary = 'administrative'"),
    "places": (
        "points",
        f"select geometry, name, coalesce(place, {TAG.format('natural')}, {TAG.format('tourism')}) as kind, "
        f"{TAG.format('ele')} as ele from points where place is not null or {TAG.format('natural')} in ('peak','saddle') "
        f"or {TAG.format('tourism')} in ('alpine_hut','viewpoint','hotel','camp_site')",
    ),
}

FILLS = {
    "residential": "#EEE3DA", "industrial": "#E8DFE3", "farmland": "#F6F0DA", "meadow": "#EDF3D8", "grassland": "#EDF3D8",
    "orchard": "#E0E8B4", "vineyard": "#E0E8B4", "park": "#D5ECC0", "pitch": "#BFE0B4", "cemetery": "#CFDDC5",
    "quarry": "#DCD3C8", "scrub": "#DEEABF", "heath": "#DEEABF", "forest": "#CDE3B2", "wood": "#CDE3B2",
    "scree": "#EAE5DB", "bare_rock": "#DDD8CF", "glacier": "#E1F1FA", "wetland": "#D5EAE2",
}
# Kind, colour, rim, and the widths at zooms 10, 12, 14 and 16.
ROADS = [
    ("service", "#FBFAF7", "#BCB4AA", (0, 0, 1, 2.8)), ("pedestrian", "#F4EEE8", "#948C82", (0, 0, 1.6, 5)),
    ("residential", "#FFFFFF", "#948C82", (0, 0.7, 2, 5.5)), ("unclassified", "#FFFFFF", "#948C82", (0, 0.7, 2, 5.5)),
    ("tertiary", "#FFFFFF", "#948C82", (0.7, 1.6, 3, 6.5)), ("secondary", "#FBE793", "#9C8434", (1.2, 2.3, 3.8, 7.5)),
    ("primary", "#F7C766", "#A2701C", (1.6, 2.6, 4.4, 8.4)), ("trunk", "#F2A953", "#A2701C", (2.2, 3.2, 5, 9)),
    ("motorway", "#E8823F", "#9A4712", (2.6, 3.6, 5.6, 10)),
]
ZOOMS = (10, 12, 14, 16)


class Failure(Exception):
    """A reason why the comparison cannot run."""


def missing():
    """The names of missing packages."""
    parts = [] if importlib.util.find_spec("mapnik") else ["python3-mapnik (for /usr/bin/python3)"]
    parts += [package for tool, package in (("ogr2ogr", "gdal-bin"), ("shapeindex", "mapnik-utils")) if not shutil.which(tool)]
    return parts + ([] if BENCH.exists() else [f"{BENCH}: swift build -c release --product pictures-bench"])


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{words[0]}: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    return done.stdout


def prepare(extract, tiles, folder):
    """Shapefiles of the extract, shade and contours of the tiles."""
    for name, (_, sql) in LAYERS.items():
        shape = folder / f"{name}.shp"
        run("ogr2ogr", "-t_srs", "EPSG:3857", "-lco", "ENCODING=UTF-8", "-dialect", "sqlite", "-sql", sql, shape, extract)
        run("shapeindex", shape)
    if not tiles:
        return
    run("gdalbuildvrt", folder / "heights.vrt", *tiles)
    run("gdalwarp", "-t_srs", "EPSG:3857", "-r", "cubicspline", "-tr", 30, 30, folder / "heights.vrt", folder / "heights.tif")
    run("gdaldem", "hillshade", "-multidirectional", "-z", 1, folder / "heights.tif", folder / "grey.tif")
    run("gdaldem", "color-relief", folder / "grey.tif", ramp(folder), folder / "shade.tif", "-alpha")
    run("gdaladdo", folder / "shade.tif", 2, 4, 8, 16)
    for step in (20, 100):
        shape = folder / f"contours{step}.shp"
        run("gdal_contour", "-a", "ele", "-i", step, folder / "heights.tif", shape)
        run("shapeindex", shape)


def ramp(folder):
    """A colour table: black for shadow, white for light, transparent in between."""
    path = folder / "ramp.txt"
    path.write_text("0 0 0 0 128\n180 0 0 0 0\n181 255 255 255 0\n255 255 255 255 77\n")
    return path


def scale(zoom):
    """Mapnik's scale denominators between a zoom and the next, for 0.28 mm per pixel."""
    return 559082264.028 / 2**zoom


def between(low, high=None):
    text = f"<MaxScaleDenominator>{scale(low - 0.5):.0f}</MaxScaleDenominator>"
    return text + (f"<MinScaleDenominator>{scale(high + 0.5):.0f}</MinScaleDenominator>" if high else "")


def rule(symbol, test="", low=None, high=None):
    zooms = between(low, high) if low else ""
    return f"<Rule>{zooms}{f'<Filter>{test}</Filter>' if test else ''}{symbol}</Rule>"


def line(color, width, dash="", cap="round"):
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<LineSymbolizer stroke="{color}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="{cap}"{dashes}/>'


def text(field, size, color, placement="point", dy=0, bold=False):
    face = "DejaVu Sans Bold" if bold else "DejaVu Sans Book"
    return (
        f'<TextSymbolizer face-name="{face}" size="{size}" fill="{color}" halo-fill="white" halo-radius="1.2" '
        f'placement="{placement}" dy="{dy}" spacing="340" minimum-distance="20" wrap-width="90">{field}</TextSymbolizer>'
    )


def style(name, rules):
    return f'<Style name="{name}">{"".join(rules)}</Style>'


def layer(folder, name, styles, minimum=None, source=None):
    names = "".join(f"<StyleName>{style}</StyleName>" for style in styles)
    least = f' maximum-scale-denominator="{scale(minimum - 0.5):.0f}"' if minimum else ""
    data = f'<Parameter name="type">shape</Parameter><Parameter name="file">{folder / (source or name)}.shp</Parameter>'
    if name == "shade":
        data = f'<Parameter name="type">gdal</Parameter><Parameter name="file">{folder / "shade.tif"}</Parameter>'
    return f'<Layer name="{name}" srs="epsg:3857"{least}>{names}<Datasource>{data}</Datasource></Layer>'


def stylesheet(folder, has_relief):
    """A style with the features of the regions' topographic map."""
    styles, layers = [], []
    styles.append(style("land", [rule(f'<PolygonSymbolizer fill="{fill}"/>', f"[kind] = '{kind}'") for kind, fill in FILLS.items()]))
    layers.append(layer(folder, "land", ["land"], 7))
    if has_relief:
        styles.append(style("shade", ['<Rule><RasterSymbolizer scaling="bilinear"/></Rule>']))
        layers.append(layer(folder, "shade", ["shade"]))
        for step, low, high in ((100, 10, 13), (20, 14, None)):
            bold = f"[ele] % {step * 5} = 0"
            styles.append(style(f"contours{step}", [rule(line("#B98A58", 1), bold, low, high), rule(line("#B98A58", 0.5), f"not ({bold})", low, high)]))
            layers.append(layer(folder, f"contours{step}", [f"contours{step}"], low))
    styles.append(style("water", [rule('<PolygonSymbolizer fill="#A6D2EC"/>' + line("#5B9FCB", 0.6))]))
    layers.append(layer(folder, "water", ["water"], 6))
    styles.append(style("buildings", [rule('<PolygonSymbolizer fill="#B7A79B"/>' + line("#8D7C70", 0.3))]))
    layers.append(layer(folder, "buildings", ["buildings"], 14))
    styles.append(style("streams", [
        rule(line("#4A93C6", 1.0), "[kind] = 'stream'", 12), rule(line("#4A93C6", 2.2), "[kind] != 'stream'", 7)]))
    layers.append(layer(folder, "streams", ["streams"], 7))
    styles.append(style("borders", [rule(line("#8E3FA0", 1.8, "10,3,2,3", "butt"), "[level] = '2'")]))
    layers.append(layer(folder, "borders", ["borders"], 4))
    rims, roads = [], []
    for kind, color, edge, widths in ROADS:
        for zoom, width in zip(ZOOMS, widths):
            high = {10: 11, 12: 13, 14: 15, 16: None}[zoom]
            if width:
                rims.append(rule(line(edge, width + 1.4), f"[kind] = '{kind}'", zoom, high))
                roads.append(rule(line(color, width), f"[kind] = '{kind}'", zoom, high))
    path = "[kind] = 'path' or [kind] = 'footway'"
    paths = []
    for test, color, dash in (
        (f"({path}) and [sac] = null", "#2A211C", "5,2.5"), (f"({path}) and [sac] = 'hiking'", "#2A211C", "5,2.5"),
        (f"({path}) and ([sac] = 'mountain_hiking' or [sac] = 'demanding_mountain_hiking')", "#C8102E", "7,2.5"),
        (f"({path}) and ([sac] = 'alpine_hiking')", "#0B57C4", "2.5,2.5"), ("[kind] = 'track' and [firm] != 'grade1'", "#6E5410", "8,3"),
    ):
        paths.append(rule(line("#FFFFFF", 3) + line(color, 1.2, dash, "butt"), test, 14))
        paths.append(rule(line(color, 0.6, dash, "butt"), test, 12, 13))
    paths.append(rule(line("#FFFFFF", 3) + line("#6E5410", 1.5), "[kind] = 'track' and [firm] = 'grade1'", 12))
    styles += [style("paths", paths), style("rims", rims), style("roads", roads)]
    layers.append(layer(folder, "ways", ["paths", "rims", "roads"], 10))
    styles.append(style("rails", [
        rule(line("#3C3C40", 1.8) + line("#FFFFFF", 0.9, "6,6", "butt"), "[kind] = 'rail'", 8),
        rule(line("#2C2C30", 1.2), "[kind] != 'rail'", 11)]))
    layers.append(layer(folder, "rails", ["rails"], 8))
    styles.append(style("names", [
        rule(text("[name]", 13, "#22262B", bold=True), "[kind] = 'city' or [kind] = 'town'", 7),
        rule(text("[name]", 12, "#22262B"), "[kind] = 'village'", 9),
        rule(text("[name] + ' ' + [ele]", 9, "#4A3420", dy=6) + '<DotSymbolizer fill="#4A3420" width="4" height="4"/>', "[kind] = 'peak'", 9),
        rule(text("[name]", 10, "#22262B"), "[kind] = 'hamlet' or [kind] = 'suburb'", 12),
        rule(text("[name]", 9, "#4A3420", dy=6) + '<DotSymbolizer fill="#4A3420" width="4" height="4"/>', "[kind] = 'saddle'", 12),
        rule(text("[name]", 9, "#8C2A6B", dy=6) + '<DotSymbolizer fill="#8C2A6B" width="5" height="5"/>', "[kind] = 'alpine_hut' or [kind] = 'hotel'", 12),
        rule(text("[name]", 9, "#4A3420"), "[kind] = 'locality'", 14)]))
    layers.append(layer(folder, "places", ["names"]))
    styles.append(style("water-names", [rule(text("[name]", 9, "#1F6A9E", "line"), "[name] != null", 13)]))
    layers.append(layer(folder, "stream-names", ["water-names"], 13, "streams"))
    styles.append(style("way-names", [rule(text("[name]", 9, "#22262B", "line"), "[name] != null", 15)]))
    layers.append(layer(folder, "way-names", ["way-names"], 14, "ways"))
    if has_relief:
        styles.append(style("heights", [rule(text("[ele]", 8, "#8F6434", "line"), "[ele] % 100 = 0", 14)]))
        layers.append(layer(folder, "heights", ["heights"], 14, "contours20"))
    return f'<Map srs="epsg:3857" background-color="#F9F6EE">{"".join(styles + layers)}</Map>'


def draw(mapnik, sheet, center, width, height, zoom, out):
    """Milliseconds of processor time for a picture."""
    view = mapnik.Map(width, height)
    mapnik.load_map_from_string(view, sheet)
    world = 40075016.686
    pixel = world / 256 / 2**zoom
    x, y = center
    view.zoom_to_box(mapnik.Box2d(x - width / 2 * pixel, y - height / 2 * pixel, x + width / 2 * pixel, y + height / 2 * pixel))
    times = []
    for _ in range(RUNS + 1):
        start = time.thread_time()
        image = mapnik.Image(width, height)
        mapnik.render(view, image)
        data = image.tostring("png32")
        times.append((time.thread_time() - start) * 1000)
    if out:
        (out / f"mapnik-{width}-{zoom}.png").write_bytes(data)
    return statistics.median(times[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("region", type=pathlib.Path)
    parser.add_argument("extract", type=pathlib.Path)
    parser.add_argument("tiles", type=pathlib.Path, nargs="*", help="elevation tiles that GDAL reads")
    parser.add_argument("--pictures", type=pathlib.Path, help="folder for the pictures of both")
    options = parser.parse_args()
    lacking = missing()
    if lacking:
        print("skipped, not installed: " + "; ".join(lacking))
        return 0
    import mapnik

    mapnik.FontEngine.register_fonts("/usr/share/fonts", True)
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    worst = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        prepare(options.extract, options.tiles, folder)
        sheet = stylesheet(folder, bool(options.tiles))
        version = mapnik.mapnik_version()
        print(f"Mapnik {version // 100000}.{version // 100 % 1000}.{version % 100} and pictures-bench, processor time of one thread")
        for width, height, zoom in SIZES:
            words = run(BENCH, options.region, "--time", zoom, width, height, RUNS).split()
            own, latitude, longitude = (float(word) for word in words)
            transform = mapnik.ProjTransform(mapnik.Projection("epsg:4326"), mapnik.Projection("epsg:3857"))
            place = transform.forward(mapnik.Coord(longitude, latitude))
            other = draw(mapnik, sheet, (place.x, place.y), width, height, zoom, options.pictures)
            worst = max(worst, own / other)
            print(f"{width} × {height} at zoom {zoom}: Rutter {own:.1f} ms, Mapnik {other:.1f} ms, ratio {own / other:.2f}×")
    print(f"goal within {GOAL:.0f}× of Mapnik: {'met' if worst <= GOAL else 'MISSED'}, at most {worst:.2f}×")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"compare-mapnik: {failure}", file=sys.stderr)
        sys.exit(1)
