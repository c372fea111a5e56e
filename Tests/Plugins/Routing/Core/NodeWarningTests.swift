import Testing

@testable import RoutingPlugin

/// Hazards and fees at nodes, and lists of kinds of ways.
@Suite struct NodeWarningTests {
    @Test(arguments: [
        ("hazard", "rock_slide", true), ("hazard", "wild_animal", false), ("hazard", "no", false),
        ("fee", "yes", false),
    ])
    func aHazardAtANodeIsKept(key: String, value: String, isKept: Bool) {
        #expect(WayRules.isObstacle([key: value]) == isKept)
    }

    @Test func theReaderTakesNodesWithHazards() {
        #expect(TagKeys.obstacles.prefix(TagKeys.obstacleMarks).contains("hazard"))
        #expect(TagKeys.obstacles.contains("charge"))
    }

    @Test func whoPaysAtABoothIsToldSo() throws {
        #expect(!WayRules.isObstacle(["barrier": "toll_booth"]))
        #expect(WayRules.isObstacle(["barrier": "toll_booth", "fee": "yes"]))
        let kind = WayRules.obstacle(["barrier": "entrance", "charge": "2 EUR"]).kind
        #expect(CostProfile.hiking.rules.contains { $0.warns && $0.holds(kind) })
        let summer = ["barrier": "entrance", "fee:conditional": "yes @ (Jul-Aug)"]
        #expect(WayRules.isObstacle(summer))
        #expect(CostProfile.hiking.rules.contains { $0.warns && $0.holds(WayRules.obstacle(summer).kind) })
    }

    /// A bench, a parking's entrance and the like beside the way have an access of their own.
    @Test(arguments: [
        (["access": "private"], true), (["access": "private", "amenity": "parking_entrance"], false),
        (["access": "no", "power": "pole"], false), (["foot": "no", "natural": "peak"], false),
        (["access": "private", "entrance": "yes", "amenity": "school"], true),
        (["barrier": "gate", "tourism": "information"], true),
    ])
    func accessOfWhatIsAtANodeClosesNoWay(tags: [String: String], isObstacle: Bool) {
        #expect(WayRules.isObstacle(tags) == isObstacle)
        #expect(WayRules.obstacle(tags).kind.value("amenity") == nil)
    }

    /// Wheels that go past a stop do not board there; rails that they cross and entrances are on their way.
    @Test(
        arguments: [
            (["highway": "bus_stop"], false), (["railway": "tram_stop"], false),
            (["railway": "station"], false), (["aerialway": "station"], false),
            (["information": "board"], false), (["highway": "crossing"], true),
            (["railway": "level_crossing"], true),
            (["highway": "crossing", "railway": "tram_crossing"], true),
            (["railway": "subway_entrance"], true), ([:], true),
        ] as [([String: String], Bool)])
    func wheelsGoPastWhatIsBesideTheWay(tags: [String: String], isObstacle: Bool) {
        for value in ["no", "limited"] {
            #expect(WayRules.isObstacle(tags.merging(["wheelchair": value]) { $1 }) == isObstacle)
        }
        #expect(Set(tags.keys).isSubset(of: TagKeys.obstacles))
        #expect(TagKeys.all.contains("railway") && !TagKeys.all.contains("aerialway"))
    }

    @Test(arguments: [
        (["entrance": "emergency"], "entrance=emergency"), (["entrance": "exit"], "entrance=exit"),
        (["entrance": "main", "opening_hours": "08:00-20:00"], "opening_hours=08:00-20:00"),
        (["barrier": "turnstile", "oneway": "yes"], "oneway=yes"),
        (["barrier": "gate", "foot:backward": "no"], "foot:backward=no"),
        (["barrier": "gate", "status": "closed"], "status=closed"),
    ])
    func aDoorThatIsNotAlwaysOpenIsSaid(tags: [String: String], words: String) {
        #expect(WayRules.isObstacle(tags))
        let kind = WayRules.obstacle(tags).kind
        #expect(AccessRules.verdict(kind.value, mode: .hiking) == .restricted(words))
    }

    @Test(arguments: [
        ["kerb:height": "0.1"], ["door": "revolving"], ["wheelchair": "no", "highway": "crossing"],
        ["highway": "steps"],
        ["step_count": "2"], ["entrance": "main", "width": "0.6"], ["door": "hinged", "width": "70 cm"],
    ])
    func whatWheelsCannotPassAtANodeIsClosedToThem(tags: [String: String]) throws {
        #expect(WayRules.isObstacle(tags))
        let kind = WayRules.obstacle(tags).kind
        #expect(CostProfile.wheelchair.rules.contains { $0.isForbidden && $0.holds(kind) })
        #expect(AccessRules.verdict(kind.value, mode: .hiking) == .open)
    }

    @Test func aWidthOfSeventyMetresIsOfCentimetres() {
        #expect(TagMeasures.value("75", of: "maxwidth:physical") == nil)
        #expect(TagMeasures.value("12", of: "width") == 12)
        #expect(TagMeasures.value("10", of: "kerb:height") == nil)
        #expect(TagMeasures.value("10 cm", of: "kerb:height") == 0.1)
    }

    @Test(arguments: [("yes", false), (nil, true)] as [(String?, Bool)])
    func stepsWithARampBesideThemAreSaid(ramp: String?, isForbidden: Bool) throws {
        let way = try #require(
            WayRules.verdict(
                WayTags(
                    ["highway": "steps"].merging(["ramp:wheelchair": ramp].compactMapValues { $0 }) { $1 })))
        let rules = CostProfile.wheelchair.rules.filter { $0.holds(way.kind) }
        #expect(rules.contains { $0.isForbidden } == isForbidden)
        #expect(rules.contains { $0.warns })
    }

    @Test(arguments: [
        ("cai_scale", "EE"), ("surface", "ice"), ("reservation", "required"), ("permit", "yes"),
    ])
    func whatHikersShouldKnowIsSaid(key: String, value: String) throws {
        let way = try #require(WayRules.verdict(WayTags(["highway": "path", key: value])))
        #expect(CostProfile.hiking.rules.contains { $0.warns && $0.holds(way.kind) })
    }

    @Test(arguments: [
        ["foot:temporary": "no"], ["ruins": "yes"], ["bridge": "low_water_crossing"], ["climbing": "yes"],
    ])
    func whatMayBeImpassableIsSaid(tags: [String: String]) throws {
        let way = try #require(
            WayRules.verdict(WayTags(["highway": "path"].merging(tags) { $1 })))
        let words = tags.map { "\($0.key)=\($0.value)" }.joined()
        #expect(AccessRules.verdict(way.kind.value, mode: .hiking) == .restricted(words))
    }

    @Test func aCircularJunctionHasOneDirection() throws {
        let ring = try #require(
            WayRules.verdict(WayTags(["highway": "residential", "junction": "circular"])))
        #expect(ring.kind.isOneway)
    }

    @Test func aRockSlideAtANodeWarns() throws {
        var map = WaysInMetres()
        map.add("", (0, 0), (100, 0), (200, 0), nodeTags: [1: "hazard=rock_slide"])
        let region = try map.region()
        let path = try RoutePlanner(region, profile: .hiking).plan([
            WaysInMetres.place(0, 0), WaysInMetres.place(200, 0),
        ])
        #expect(abs(path.distance - 200) < 1)
        let warnings = RouteWarnings.of(PathTurns(graph: region.graph, path: path).edges(.hiking), .hiking)
        #expect(warnings.contains { $0.contains("rock_slide") })
    }

    @Test(arguments: [
        ("path;track", "path"), ("footway; steps", "steps"), ("service;tertiary", "tertiary"),
        ("construction;path", nil), ("path;racetrack", nil), (";", nil),
    ])
    func ofAListTheKindThatCountsIsTaken(list: String, kind: String?) {
        #expect(WayRules.verdict(WayTags(["highway": list]))?.kind.highway == kind)
    }
}
