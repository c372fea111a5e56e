import Geodesy
import PluginKit
import Testing

@testable import RoutingPlugin

/// Coordinates among parts of the network that nothing joins.
@Suite struct IslandTests {
    private func region(_ ways: [(name: String, points: [WaysInMetres.Point])]) throws -> RoutingRegion {
        var map = WaysInMetres()
        for way in ways { map.add("name=" + way.name, way.points) }
        return try map.region()
    }

    private func place(_ east: Double, _ north: Double) -> Coordinate { WaysInMetres.place(east, north) }

    /// A street of 1 km with two side streets: the largest part.
    private let street: [(name: String, points: [WaysInMetres.Point])] = [
        ("Street", [(0, 0), (400, 0), (700, 0), (1000, 0)]), ("Side", [(400, 0), (400, -50)]),
        ("Lane", [(700, 0), (700, -50)]),
    ]

    private func planner(_ ways: [(name: String, points: [WaysInMetres.Point])]) throws -> RoutePlanner {
        try RoutePlanner(region(street + ways), profile: .hiking)
    }

    @Test func thirtyPlatformsNearerThanTheStreetDoNotHideIt() throws {
        let platforms = (0..<30).map { index -> (name: String, points: [WaysInMetres.Point]) in
            let north = 50 + Double(index)
            return ("Platform\(index)", [(100, north), (110, north)])
        }
        let path = try planner(platforms).plan([place(105, 60), place(600, 3)])
        #expect(abs(path.distance - 495) < 5)
        #expect(path.notices.count == 1)
        #expect(path.notices.first?.contains("60 m from its way (Street)") == true)
    }

    @Test func aKioskBetweenTwoPinsIsNoRoute() throws {
        let path = try planner([("Kiosk", [(395, 250), (405, 250)])]).plan([place(200, 250), place(600, 250)])
        #expect(abs(path.distance - 400) < 4)
        #expect(path.notices.allSatisfy { $0.contains("250 m from its way (Street)") })
        #expect(path.notices.count == 2)
    }

    @Test func aRouteShorterThanAMoveIsRefused() throws {
        // The street is too far.
        let planner = try planner([("Kiosk", [(395, 600), (405, 600)])])
        let error = #expect(throws: RutterError.self) {
            try planner.plan([place(200, 600), place(600, 600)])
        }
        #expect(error?.code == RouteErrors.noRoute.code)
        #expect(error?.message.contains("195 m from its way") == true)
    }

    @Test func bothPinsOnOneUsefulIslandStay() throws {
        let path = try planner([("Quay", [(200, 200), (500, 200)])]).plan([place(210, 203), place(490, 203)])
        #expect(abs(path.distance - 280) < 3)
        #expect(path.notices.isEmpty)
    }

    @Test func aPinIsNotMovedToAFarIslandOfAnother() throws {
        // The end lies on the street; the start's island is 300 m away from it, the street 600 m from the start.
        let planner = try planner([("Quay", [(0, 600), (400, 300)])])
        #expect(throws: RutterError.self) { try planner.plan([place(0, 605), place(600, 0)]) }
    }

    /// Off the largest island of an archipelago the main network is that of the island one is on.
    @Test func eachIslandHasAMainNetworkOfItsOwn() throws {
        let other: [(name: String, points: [WaysInMetres.Point])] = [
            ("Strand", [(0, 9000), (300, 9000), (600, 9000)]), ("Jetty", [(100, 9200), (110, 9200)]),
        ]
        let path = try planner(other).plan([place(105, 9205), place(500, 9002)])
        #expect(abs(path.distance - 395) < 5)
        #expect(path.notices.first?.contains("205 m from its way (Strand)") == true)
    }

    @Test func avoidedWaysMoveNoPinPastThem() throws {
        let region = try region(street)
        let weighted = WeightedGraph(region.graph, profile: .hiking)
        // The middle of the street is closed; each half is within reach of the other's pin.
        let closed = (0..<region.graph.edgeCount).filter {
            let line = region.graph.line(of: $0)
            return line.allSatisfy { $0.longitude > place(399, 0).longitude }
                && line.allSatisfy { $0.longitude < place(701, 0).longitude }
                && abs(line[0].latitude - 47.5) < 1e-6 && abs(line[line.count - 1].latitude - 47.5) < 1e-6
        }
        #expect(closed.count == 1)
        var planner = RoutePlanner(WeightedGraph(weighted, closing: closed))
        planner.avoids = true
        let error = #expect(throws: RutterError.self) { try planner.plan([place(100, 0), place(800, 0)]) }
        #expect(error?.fix?.contains("--avoid") == true)
        #expect(error?.fix?.contains("--sac-limit") == false)
    }

    /// Each attempt to open ways is a search over the whole network: most often none helps, which one attempt shows.
    @Test(arguments: [(1, 1, 4), (4, 4, 4), (6, 6, 4), (7, nil, 1)] as [(Int, Int?, Int)])
    func theLeastGradeThatHelpsIsFoundInFewSearches(least: Int, found: Int?, most: Int) {
        var searches = 0
        let grade = RoutePlanner.least(of: [1, 2, 3, 4, 5, 6]) {
            searches += 1
            return $0 >= least
        }
        #expect(grade == found && searches <= most)
        #expect(RoutePlanner.least(of: [Int]()) { _ in true } == nil)
    }

    @Test func aFragmentEndsNoReachableArea() throws {
        let area = try planner([("Platform", [(100, 60), (104, 60)])])
            .reachable(from: place(102, 61), within: 300)
        #expect(area.length > 300)
        #expect(area.notice?.contains("61 m from its way (Street)") == true)
    }

    @Test func aRealIslandKeepsItsArea() throws {
        let area = try planner([("Isle", [(100, 200), (300, 200), (500, 200)])])
            .reachable(from: place(300, 200), within: 3600)
        #expect(abs(area.length - 400) < 4)
        #expect(area.notice == nil)
    }
}
