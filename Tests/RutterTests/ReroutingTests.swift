import PluginTestKit
import Testing

/// Rerouting as a contract between Guidance and Routing, on sketches whose lengths follow from columns of 50 m and lines of
/// 100 m.
@Suite(.enabled(if: PluginFolders.have("Guidance", "Routing"), "a plugin is not there"))
struct ReroutingTests {
    /// Blocks of 200 m; steps lead down from B, a hard path from C, a lane named Toll from D.
    private static let town = """
        let p = region sketch town '
        A---B---C---D

        E---F---G---H
        ' --way 'ABCD highway=residential surface=asphalt' --way 'EFGH highway=residential surface=asphalt' \
        --way 'AE highway=residential surface=asphalt' --way 'BF highway=steps' \
        --way 'CG sac_scale=demanding_mountain_hiking' --way 'DH highway=residential surface=asphalt name=Toll'
        """

    /// A way round by X, shorter than the one back to B and along the plan.
    private static func field(_ name: String, width: Int, at origin: String) -> String {
        """
        let p = region sketch \(name) '
        A---B\(String(repeating: "-", count: width - 1))D

        E---F
              X
        ' --way 'ABD highway=residential' --way 'BF highway=residential' \
        --way 'FXD highway=residential' --at \(origin)
        """
    }

    /// Steps count nine times their length.
    private static let knees = """
        '{"name": "knees", "mode": "hiking", "speed": 1.33, "surfaces": {"asphalt": 1}, "otherSurface": 1, \
        "sacScales": {}, "highways": {"steps": 9}, "closedHighways": [], "gain": 8, "loss": 30, "descents": [], \
        "steepestDescent": 1}' | save knees.json
        """

    /// The entries of a new route from a letter; the last prints how long it is.
    private static func reroute(_ plan: String, from letter: String) -> String {
        """
        let r = \(plan)
        let overlay = guide start $r
        let events = guide fix $p.\(letter)
        let event = guide reroute
        guide show | get remaining
        let walk = guide stop
        """
    }

    /// What a session prints.
    private static func run(_ entries: [String]) throws -> (lines: [String], errors: String) {
        let folder = try TemporaryFolder()
        let outcome = try RutterProcess.run(
            ["--workspace", folder.url.path + "/ws", "--seed", "1"],
            input: entries.joined(separator: "\n") + "\n", folder: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return (outcome.output.split(separator: "\n").map(String.init), outcome.errors)
    }

    @Test("the places to pass, the profile, the limit and what is avoided are kept")
    func asTheFirst() throws {
        let cases = [
            // B A E F G H D, or B F E and on; without E it is 400 m.
            ("route plan $p.A $p.D --via $p.E", "B", "1.2km"),
            ("route plan $p.A $p.D", "B", "400m"),
            // 200 m down the steps, or three blocks round them.
            ("route plan $p.A $p.F --profile knees.json", "B", "600m"),
            ("route plan $p.A $p.F", "B", "200m"),
            ("route plan $p.A $p.G --sac-limit T2", "C", "600m"),
            ("route plan $p.A $p.G", "C", "200m"),
            ("route plan $p.A $p.H --avoid Toll", "D", "600m"),
            ("route plan $p.A $p.H", "D", "200m"),
        ]
        let found = try Self.run([Self.town, Self.knees] + cases.map { Self.reroute($0.0, from: $0.1) })
        #expect(Array(found.lines.suffix(cases.count)) == cases.map(\.2))
        #expect(found.errors.isEmpty)
    }

    /// From E, 200 m aside, it is two blocks to G; by B, which was passed, it would be four.
    @Test("a new route starts at the walker, and leads to no place that was passed before")
    func fromTheWalker() throws {
        let found = try Self.run([
            Self.town,
            """
            let r = route plan $p.A $p.G --via $p.B
            let overlay = guide start $r
            let events = guide fix destination($p.B, 90deg, 30m)
            let events = guide fix $p.E --after 5min
            let event = guide reroute
            guide show | get remaining
            let events = guide fix $p.E --after 5s
            guide show | get along
            guide show | get fromRoute
            """,
        ])
        #expect(found.lines == ["400m", "0m", "0m"])
    }

    /// From F the new way by X is 565 m long; back by B and along the plan it is 600 m, 1.06 times that. With D 400 m
    /// farther they are 903 m and 1,000 m, 1.11 times that.
    @Test("the plan is rejoined where that is hardly longer")
    func rejoining() throws {
        let found = try Self.run([
            Self.field("near", width: 8, at: "47,9"), Self.reroute("route plan $p.A $p.D", from: "F"),
            Self.field("far", width: 16, at: "47.1,9"), Self.reroute("route plan $p.A $p.D", from: "F"),
        ])
        #expect(found.lines.filter { $0.hasSuffix("m") } == ["600m", "903m"])
    }

    @Test("how a saved route was planned is not known, and that is said")
    func savedRoute() throws {
        let found = try Self.run([
            Self.town, "route plan $p.A $p.H --name Way | route save | get name",
            Self.reroute("route list | first", from: "D"),
        ])
        #expect(found.lines.last == "200m")
        #expect(found.errors.contains("planning options are unknown"))
    }

    /// Detours of 120 m from routes with a place to pass, in a real town.
    @Test(
        "rerouted walks in a real region arrive, and pass the places to pass",
        .enabled(if: RealData.has("osm/krems.osm.pbf"), "needs the folder of real data"))
    func realRegion() throws {
        let places = [
            ("48.4112,15.5983", "48.4093,15.6085", "48.4102,15.6170"),
            ("48.4099,15.6150", "48.4115,15.6040", "48.4125,15.5960"),
            ("48.4140,15.6010", "48.4095,15.6060", "48.4105,15.6180"),
        ]
        let walks = places.enumerated().map { index, place in
            """
            let r = route plan \(place.0) \(place.2) --via \(place.1)
            guide simulate $r --detour 200m,120m,300m --noise 5m --interval 2s --seed \(index) --reroute | guide score \
            | select falseArrivals missedArrivals reroutes viasMissed
            """
        }
        let file = RealData.url("osm/krems.osm.pbf").path
        let found = try Self.run(["let region = region import '\(file)' --name krems"] + walks)
        let rows = found.lines.compactMap { line -> [Int]? in
            let cells = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            return cells.count == 4 ? cells : nil
        }
        #expect(rows.count == places.count)
        #expect(rows.allSatisfy { $0[0] == 0 && $0[1] == 0 && $0[3] == 0 }, "\(rows)")
        #expect(rows.reduce(0) { $0 + $1[2] } >= 2, "\(rows)")
    }

    /// The town has streets from 47 north on; 900 m beside them no route begins.
    @Test("far from any way the nearest way is pointed to, where a region lies around; it is said once")
    func nearestWay() throws {
        let found = try Self.run([
            """
            let p = region sketch valley '
            A---B
            |
            |
            |
            |
            |
            |
            |
            |
            |
            |
            |
            |
            C---D
            ' --way 'AB highway=residential' --way 'AC highway=path' --way 'CD highway=path'
            """,
            "let line = [47.0005,9.0095 47.0005,9.0300]",
            "let w = guide simulate $line --interval 5s --detour 100m,-100m,900m --reroute",
            "$w | where event == noWay | each text",
        ])
        #expect(found.lines.count { $0.hasPrefix("No new route here.") } == 1, "\(found.lines)")
    }
}
