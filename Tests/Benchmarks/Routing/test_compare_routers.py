"""Tests of compare-routers.py without the routers: packages of the same names replace them."""

import importlib.util
import json
import pathlib
import sys
import tempfile
import textwrap
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SPEC = importlib.util.spec_from_file_location("compare_routers", HERE / "compare-routers.py")
compare = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(compare)

# The used parts of the two packages: building by `python -m`, and a query that fails for one of three pairs.
VALHALLA = {
    "__init__.py": """
        def get_config(tile_extract, tile_dir, verbose):
            return {"mjolnir": {"tile_dir": tile_dir}}

        class Actor:
            def __init__(self, config):
                import pathlib
                assert (pathlib.Path(config["mjolnir"]["tile_dir"]) / "built").is_file()

            def route(self, request):
                assert request["costing"] == "pedestrian"
                if request["locations"][0]["lat"] == 0:
                    raise RuntimeError("no route")
        """,
    "__main__.py": """
        import json, pathlib, sys
        assert sys.argv[1:3] == ["valhalla_build_tiles", "-c"], sys.argv
        if pathlib.Path(sys.argv[4]).read_text() == "broken":
            sys.exit("the extract is broken")
        config = json.loads(pathlib.Path(sys.argv[3]).read_text())
        (pathlib.Path(config["mjolnir"]["tile_dir"]) / "built").touch()
        """,
}
OSRM = {
    "__init__.py": """
        class RouteParameters:
            def __init__(self, coordinates, overview):
                self.coordinates = coordinates

        class OSRM:
            def __init__(self, path):
                import pathlib
                assert pathlib.Path(path).read_text() == "contracted"

            def Route(self, parameters):
                # Longitude first.
                if parameters.coordinates[0][1] == 0:
                    raise RuntimeError("NoRoute")
        """,
    "__main__.py": """
        import pathlib, sys
        if sys.argv[1] == "extract":
            assert sys.argv[2] == "-p" and sys.argv[3].endswith("foot.lua"), sys.argv
            pathlib.Path(sys.argv[4].replace(".osm.pbf", ".osrm")).write_text("extracted")
        else:
            assert sys.argv[1] == "contract", sys.argv
            file = pathlib.Path(sys.argv[2])
            assert file.read_text() == "extracted"
            file.write_text("contracted")
        """,
    "share/profiles/foot.lua": "",
}


class CompareRouters(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.extract = self.folder / "map.osm.pbf"
        self.extract.write_text("map")
        self.export = self.folder / "pairs.json"
        self.write({})

    def write(self, changes):
        export = {
            "extract": str(self.extract),
            "pairs": [[[47.1, 9.5], [47.2, 9.6]], [[0, 0], [1, 1]], [[47, 9], [47.1, 9.1]]],
            "planMedianSeconds": 1e-9,
            "importSeconds": 1e-6,
        }
        export.update(changes)
        self.export.write_text(json.dumps(export))

    def install(self, name, files):
        """Installs a package for this interpreter and its children."""
        for path, text in files.items():
            file = self.folder / "packages" / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(text))
        place = str(self.folder / "packages")
        sys.path.insert(0, place)
        self.addCleanup(sys.path.remove, place)
        self.addCleanup(sys.modules.pop, name, None)
        import os

        before = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = place
        self.addCleanup(
            lambda: os.environ.pop("PYTHONPATH", None)
            if before is None
            else os.environ.__setitem__("PYTHONPATH", before)
        )

    def run_main(self, *arguments):
        lines = []
        code = compare.main([str(self.export), *arguments], output=lines.append)
        return code, lines

    def needs_absent(self, *names):
        if any(importlib.util.find_spec(name) for name in names):
            self.skipTest("the routers are installed")

    def test_names_missing_packages(self):
        self.needs_absent("valhalla", "osrm")
        code, lines = self.run_main()
        self.assertEqual(code, 1)
        self.assertEqual(len(lines), 2)
        self.assertIn("valhalla: not installed: pip install pyvalhalla", lines[0])
        self.assertIn("osrm: not installed: pip install osrm-bindings", lines[1])
        if sys.version_info < (3, 12):
            self.assertIn("need Python 3.12 or later", lines[0])

    def test_measures_both_and_prints_ratios(self):
        self.needs_absent("valhalla", "osrm")
        self.install("valhalla", VALHALLA)
        self.install("osrm", OSRM)
        code, lines = self.run_main()
        self.assertEqual(code, 0, lines)
        for name, text in zip(["valhalla", "osrm"], lines, strict=True):
            self.assertRegex(text, rf"^{name}: query [\d.]+ ms, [\d.]+ times as long as a plan of Rutter's")
            self.assertRegex(text, r"build [\d.]+ s, [\d.]+ times as long as Rutter's import")
            self.assertIn("no route for 1 of 3 pairs", text)

    def test_a_build_that_fails_is_reported(self):
        self.needs_absent("valhalla")
        self.install("valhalla", VALHALLA)
        self.extract.write_text("broken")
        code, lines = self.run_main("--only", "valhalla")
        self.assertEqual(code, 1)
        self.assertIn("failed: the extract is broken", lines[0])

    def test_a_router_without_any_route_is_reported(self):
        self.needs_absent("valhalla")
        self.install("valhalla", VALHALLA)
        self.write({"pairs": [[[0, 0], [1, 1]]]})
        code, lines = self.run_main("--only", "valhalla")
        self.assertEqual((code, lines), (1, ["valhalla: it found no route for any pair"]))

    def test_the_ratio_is_of_medians(self):
        text = compare.line("x", {"planMedianSeconds": 0.0001, "importSeconds": 0.5, "pairs": []}, 1.3, 0.0047, 0)
        self.assertIn("query 4.700 ms, 47.0 times as long", text)
        self.assertIn("build 1.30 s, 2.6 times as long", text)
        calls = []
        median, failures = compare.median_query([(1, 2), (3, 4), (5, 6)], lambda a, b: calls.append((a, b)))
        self.assertEqual((len(calls), failures), (3, 0))
        self.assertGreaterEqual(median, 0)

    def test_the_example_of_the_polyline_format_is_decoded(self):
        # The published example has five digits; read with six, each number is a tenth.
        places = [(3.85, -12.02), (4.07, -12.095), (4.3252, -12.6453)]
        for found, wanted in zip(compare.decoded("_p~iF~ps|U_ulLnnqC_mqNvxq`@"), places, strict=True):
            self.assertAlmostEqual(found[0], wanted[0])
            self.assertAlmostEqual(found[1], wanted[1])

    def test_a_degree_of_the_equator(self):
        self.assertAlmostEqual(compare.metres([(0, 0), (0, 1)]), 111226.3, delta=0.01)

    def test_scores(self):
        def answer(line):
            ends = [line[0], line[-1]] if line else [[0, 0], [0, 0.1]]
            return ends, {"snapped": ends, "shortest": line}

        straight = [[0, 0], [0, 0.1]]
        detour = [[0, 0], [0.03, 0.05], [0, 0.1]]

        def refuses(places):
            raise RuntimeError("no route")

        score = compare.Score()
        score.add(0, *answer(straight), lambda places: straight)
        score.add(1, *answer(detour), lambda places: straight)
        score.add(2, *answer(straight), lambda places: detour)
        score.add(3, *answer(None), lambda places: straight)
        score.add(4, *answer(None), lambda places: [[0, 0.01], [0, 0.1]])
        score.add(5, *answer(straight), refuses)
        score.add(6, *answer(None), refuses)
        score.add(7, *answer(straight), lambda places: [[0, 0.001], [0, 0.1]])
        self.assertEqual((score.lost, score.far, score.extra, score.apart), ([3], 1, 1, 1))
        self.assertEqual((score.both, [pair[0] for pair in score.longer], score.shorter), (3, [1], 1))
        self.assertIn("within 1 % of its shortest 66.7 %", score.text("x", 8))

    def test_roads_and_grades_are_those_of_the_ways(self):
        class Router:
            def stretches(self, places):
                return [("1", 30.0), ("2", 20.0), ("unknown", 5.0)]

        own = {"way": 1, "highway": "path", "sac": 4, "metres": 40.0}
        export = {
            "answers": [{"places": [], "hiking": [own]}, {"places": []}],
            "ways": {"1": own, "2": {"highway": "primary_link", "sac": 0}},
        }
        self.assertEqual(compare.road_shares(export, Router()), ([40, 0, 40], [55, 20, 30]))

    def test_other_files_are_refused(self):
        for text in ["{", "[]", "{}", '{"pairs": []}']:
            self.export.write_text(text)
            self.assertEqual(self.run_main()[0], 2)
        self.write({"extract": str(self.folder / "gone")})
        code, lines = self.run_main()
        self.assertEqual(code, 2)
        self.assertIn("not there any more", lines[0])


if __name__ == "__main__":
    unittest.main()
