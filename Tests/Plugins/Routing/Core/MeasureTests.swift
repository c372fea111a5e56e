import Geodesy
import PluginKit
import Testing

@testable import RoutingPlugin

/// Measures in tags, and the routes of wheels and ferries that depend on them.
@Suite struct MeasureTests {
    @Test(
        arguments: [(String, Double)]([
            ("20%", 20.0), ("-20 %", 20), ("1:12", 100.0 / 12), ("45°", 100.0), ("5-10%", 10), ("8,5 %", 8.5),
            ("3", 3),
            ("+6%", 6), ("4%;12%", 12),
        ]))
    func slopesOfAnySpelling(text: String, percent: Double) throws {
        let found = try #require(TagMeasures.value(text, of: "incline"))
        #expect(abs(found - percent) < 1e-9)
    }

    @Test(arguments: ["up", "down", "steep", "yes", "", "90°", "10m", "5%;up"])
    func aSlopeWithoutANumberIsUnknown(text: String) {
        #expect(TagMeasures.value(text, of: "incline") == nil)
    }

    @Test(arguments: [
        ("0.5", 0.5), ("0,5 m", 0.5), ("50cm", 0.5), ("2'6\"", 0.762), ("3 ft", 0.9144), ("~1.2", 1.2),
        ("2;0.7", 0.7), ("500 mm", 0.5), ("1-2", 1),
    ])
    func lengthsOfAnyUnit(text: String, metres: Double) throws {
        let found = try #require(TagMeasures.value(text, of: "width"))
        #expect(abs(found - metres) < 1e-9)
    }

    @Test(arguments: ["narrow", "", "2 lanes", "1m2m"])
    func aWidthWithoutAMeasureIsUnknown(text: String) {
        #expect(TagMeasures.value(text, of: "width") == nil)
    }

    @Test(arguments: [
        ("00:03", 180.0), ("3", 180), ("1:30", 5400), ("00:20:00", 1200), ("PT1H20M", 4800),
        ("P1DT1H", 90_000), ("20 min", 1200),
        ("1h", 3600), ("1 h 20 min", 4800),
        ("2 hours", 7200),
    ])
    func durationsOfFerries(text: String, seconds: Double) {
        #expect(TagMeasures.seconds(text) == seconds)
    }

    @Test(arguments: [
        "1:75", "soon", "half an hour", "20 lightyears", "h", "PT", "PT1M1H", "1:2:3:4", "-", "-90",
    ])
    func noDurationIsUnknown(text: String) {
        #expect(TagMeasures.seconds(text) == nil)
    }

    private func wheels(_ tags: [String: String]) -> CostProfile.KindCost {
        CostProfile.wheelchair.kindCost(EdgeKind(highway: "footway", surface: "asphalt", tags: tags))
    }

    @Test(arguments: [
        ["incline": "-20%"], ["incline": "12°"], ["incline": "1:8"], ["width": "50 cm"], ["width": "2'"],
        ["maxwidth:physical": "0.6"], ["kerb": "regular", "barrier": "kerb"], ["kerb:height": "10 cm"],
    ])
    func wheelsAreStopped(tags: [String: String]) {
        #expect(wheels(tags).factor == .infinity)
    }

    @Test(arguments: [["incline": "5%"], ["width": "1.5 m"], ["width": "6'"], ["kerb": "lowered"]])
    func wheelsPass(tags: [String: String]) {
        #expect(wheels(tags).factor == 1)
    }

    @Test(arguments: [["incline": "up"], ["width": "narrow"], ["kerb": "yes"]])
    func whatIsUnknownToWheelsIsWarnedOf(tags: [String: String]) {
        let kind = EdgeKind(highway: "footway", surface: "asphalt", tags: tags)
        #expect(wheels(tags).factor.isFinite)
        #expect(CostProfile.wheelchair.rules.contains { $0.warns && $0.holds(kind) })
    }

    @Test func aRuleOnAMeasureNeedsANumber() {
        for text in ["when surface<3: ×2", "when width<wide: ×2", "when width!<3: ×2"] {
            #expect(throws: CostRule.Fault.self) { try CostRule(text) }
        }
    }

    @Test func aFerryTakesItsDuration() throws {
        var map = WaysInMetres()
        map.add("", (-200, 0), (0, 0))
        map.add("route=ferry duration=00:10", (0, 0), (300, 0), (600, 0))
        map.add("", (600, 0), (800, 0))
        map.add("", (300, 0), (300, 100))
        let planner = try RoutePlanner(map.region(), profile: .hiking)
        let path = try planner.plan([WaysInMetres.place(0, 0), WaysInMetres.place(600, 0)])
        #expect(abs(path.duration - 600) < 5)
    }

    /// Of a duration that makes no speed of a ferry, the usual speed is used, and that is said.
    @Test(arguments: [("00:10", false), ("20:00", true), ("0", true), ("soon", true)])
    func anImpossibleDurationWarns(duration: String, warns: Bool) throws {
        var map = WaysInMetres()
        map.add("", (-200, 0), (0, 0))
        map.add("route=ferry duration=\(duration)", (0, 0), (600, 0))
        let region = try map.region()
        let kinds = region.graph.kinds.filter { $0.highway == "ferry" }
        #expect(!kinds.isEmpty)
        let rules = CostProfile.hiking.rules.filter { $0.warns && kinds.contains(where: $0.holds) }
        #expect(
            rules.flatMap { rule in kinds.map(rule.reason) }
                == (warns ? ["route=ferry, duration=\(duration), speed unknown"] : []))
    }

    /// The hour of the crossing is that of both ways of its relation.
    @Test func aFerryTakesTheDurationOfItsRelation() throws {
        var map = WaysInMetres()
        map.add("", (-200, 0), (0, 0))
        map.add("route=ferry", (0, 0), (300, 0))
        map.add("route=ferry", (300, 0), (1200, 0))
        map.addRelation("type=route route=ferry duration=01:00", 2, 3)
        let planner = try RoutePlanner(map.region(), profile: .hiking)
        let path = try planner.plan([WaysInMetres.place(0, 0), WaysInMetres.place(1200, 0)])
        #expect(abs(path.duration - 3600) < 40)
    }

    /// Nobody boards a ferry in the middle of a lake, or climbs down into a tunnel.
    @Test(arguments: ["route=ferry", "tunnel=yes"]) func aRideIsEnteredAtItsEnds(tags: String) throws {
        var map = WaysInMetres()
        map.add("", (-200, 0), (0, 0))
        map.add(tags, (0, 0), (400, 0))
        map.add("", (400, 0), (600, 0))
        let region = try map.region()
        let stop = try Snapper(region.weighted(.hiking)).snap(WaysInMetres.place(150, 20))
        #expect(stop.point.distance(to: WaysInMetres.place(0, 0)) < 1)
        let planner = try RoutePlanner(region, profile: .hiking)
        let path = try planner.plan([WaysInMetres.place(150, 20), WaysInMetres.place(350, 20)])
        #expect(abs(path.distance - 400) < 2)
    }

    @Test func aPassageThroughABuildingIsEnteredAnywhere() throws {
        var map = WaysInMetres()
        map.add("tunnel=building_passage", (0, 0), (400, 0))
        let stop = try Snapper(map.region().weighted(.hiking)).snap(WaysInMetres.place(150, 20))
        #expect(stop.point.distance(to: WaysInMetres.place(150, 0)) < 1)
    }

    @Test func aBicycleIsPushedOnAFootway() throws {
        var map = WaysInMetres()
        map.add("highway=footway", (0, 0), (600, 0))
        let region = try map.region()
        let path = try RoutePlanner(region, profile: .cycling)
            .plan([WaysInMetres.place(0, 0), WaysInMetres.place(600, 0)])
        #expect(path.duration > 300)
        let kind = region.graph.kind(of: 0)
        #expect(CostProfile.cycling.access(to: kind).restriction?.contains("pushed") == true)
        let shared = EdgeKind(highway: "footway", tags: ["bicycle": "yes"])
        #expect(CostProfile.cycling.kindCost(shared).effort == 1.5)
    }

    @Test(arguments: ["residential", "footway", "service", "tertiary"])
    func aStreetWithoutASurfaceIsWalkedAtTheStatedSpeed(highway: String) throws {
        var map = WaysInMetres()
        map.add("highway=" + highway, (0, 0), (1330, 0))
        let path = try RoutePlanner(map.region(), profile: .hiking)
            .plan([WaysInMetres.place(0, 0), WaysInMetres.place(1330, 0)])
        #expect(abs(path.duration - 1000) < 20)
        let grass = EdgeKind(highway: highway, surface: "grass", tags: [:])
        #expect(CostProfile.hiking.kindCost(grass).effort == 1.4)
        // The app counts what it always counted.
        #expect(CostProfile.appHiking.kindCost(EdgeKind(highway: highway, tags: [:])).effort == 1.3)
    }
}
