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
