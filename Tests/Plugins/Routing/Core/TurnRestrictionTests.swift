import Foundation
import Geodesy
import PluginKit
import Testing

@testable import RoutingPlugin

/// Bicycles do not take forbidden turns; walkers may.
@Suite(.needs(.osmium)) struct TurnRestrictionTests {
    private static let tags = "highway=residential surface=asphalt"

    /// A street from the west that meets one to the north, 200 m; the way round the block is 400 m long.
    private func crossing(gate: Bool = false, _ add: (inout WaysInMetres) -> Void) throws -> RoutingRegion {
        try map(gate: gate, add).region()
    }

    private func map(gate: Bool = false, _ add: (inout WaysInMetres) -> Void) -> WaysInMetres {
        var map = WaysInMetres()
        map.add(Self.tags, (-100, 0), (0, 0), nodeTags: gate ? [1: "barrier=gate"] : [:])
        map.add(Self.tags, (0, 0), (100, 0))
        map.add(Self.tags, (0, 0), (0, 100))
        map.add(Self.tags, (100, 0), (100, 100))
        map.add(Self.tags, (100, 100), (0, 100))
        map.add(Self.tags, (0, 0), (0, -100))
        add(&map)
        return map
    }

    private let west = WaysInMetres.place(-90, 0)
    private let north = WaysInMetres.place(0, 90)

    private func length(
        _ region: RoutingRegion, _ profile: CostProfile = .cycling, at moment: LocalMoment? = nil
    ) throws -> (Double, [String]) {
        var profile = profile
        profile.moment = moment
        let path = try RoutePlanner(region, profile: profile).plan([west, north])
        return (path.distance.rounded(), path.notices)
    }

    @Test(arguments: [
        "restriction=no_left_turn", "restriction:bicycle=no_left_turn", "restriction=no_left_turn;no_u_turn",
    ])
    func aForbiddenTurnIsNotRidden(tag: String) throws {
        let region = try crossing { $0.addTurn(tag, from: 1, via: (0, 0), to: 3) }
        #expect(try length(region).0 == 400)
        #expect(try length(region, .hiking).0 == 180)
        for method in SearchMethod.allCases {
            let path = try RoutePlanner(region, profile: .cycling).plan([west, north], method: method)
            #expect(path.distance.rounded() == 400, "\(method)")
        }
        let planner = try RoutePlanner(region, profile: .cycling)
        let stops = try ConnectedSnapping(planner.weighted).snap([west, north]).stops
        let plain = try planner.plan([west, north])
        #expect(try abs(planner.cost(from: stops[0], to: stops[1], method: .hierarchy) - plain.cost) < 1e-6)
    }

    @Test(arguments: [
        "restriction=no_left_turn except=bicycle", "restriction=no_left_turn except=psv;bicycle",
        "restriction:hgv=no_left_turn", "restriction=no_left_turn restriction:bicycle=none",
        "restriction=no_right_turn_on_red", "restriction:conditional=no_left_turn@(weight>7.5)",
    ])
    func bicyclesThatAreExceptedMayTurn(tags: String) throws {
        let region = try crossing { $0.addTurn(tags, from: 1, via: (0, 0), to: 3) }
        #expect(try length(region) == (180, []))
    }

    @Test func aMandatoryTurnForbidsTheOthers() throws {
        let region = try crossing { $0.addTurn("restriction=only_straight_on", from: 1, via: (0, 0), to: 2) }
        #expect(try length(region).0 == 400)
        let away = try crossing { $0.addTurn("restriction=only_right_turn", from: 1, via: (0, 0), to: 6) }
        let (distance, notices) = try length(away)
        // South is a dead end, in which nobody turns round.
        #expect(distance == 180 && notices.count == 1)
    }

    @Test func aGateAtTheCrossingDoesNotOpenATurn() throws {
        let region = try crossing(gate: true) {
            $0.addTurn("restriction=no_left_turn", from: 1, via: (0, 0), to: 3)
        }
        #expect(try length(region).0 == 400)
    }

    @Test func atTimesATurnIsForbiddenAtThoseTimes() throws {
        let region = try crossing {
            $0.addTurn("restriction:conditional=no_left_turn@(07:00-09:00)", from: 1, via: (0, 0), to: 3)
        }
        func moment(_ hour: Int) -> LocalMoment {
            LocalMoment(month: 5, day: 4, weekday: 1, minute: hour * 60)
        }
        #expect(try length(region, at: moment(8)).0 == 400)
        #expect(try length(region, at: moment(10)) == (180, []))
        let (distance, notices) = try length(region)
        #expect(distance == 180)
        #expect(
            notices == ["1 turn that may be forbidden: restriction:conditional=no_left_turn@(07:00-09:00)"])
    }

    /// A U-turn over the piece between two carriageways; the way round it is 200 m longer.
    @Test func aTurnOverAWayIsForbidden() throws {
        var map = WaysInMetres()
        map.add(Self.tags + " oneway=yes", (-100, 0), (0, 0))
        map.add(Self.tags, (0, 0), (0, 20))
        map.add(Self.tags + " oneway=yes", (0, 20), (-100, 20))
        map.add(Self.tags + " oneway=yes", (0, 0), (100, 0), (100, 20), (0, 20))
        let ends = [WaysInMetres.place(-90, 0), WaysInMetres.place(-90, 20)]
        let free = try RoutePlanner(map.region(), profile: .cycling).plan(ends)
        #expect(free.distance.rounded() == 200)
        map.addTurn("restriction=no_u_turn", from: 1, over: 2, to: 3)
        let bound = try RoutePlanner(map.region(), profile: .cycling).plan(ends)
        #expect(bound.distance.rounded() == 400)
    }

    @Test func whereOnlyAForbiddenTurnLeadsOneGetsOff() throws {
        var map = WaysInMetres()
        map.add(Self.tags, (-100, 0), (0, 0))
        map.add(Self.tags + " oneway=yes", (0, 0), (0, 100))
        map.addTurn("restriction=no_left_turn", from: 1, via: (0, 0), to: 2)
        let path = try RoutePlanner(map.region(), profile: .cycling).plan([west, north])
        #expect(path.distance.rounded() == 180)
        #expect(path.notices.contains { $0.contains("get off for restriction=no_left_turn") })
    }

    @Test func restrictionsSurviveTheDatabase() throws {
        let folder = try ScratchFolder()
        let region = try importedRegion(
            map { $0.addTurn("restriction=no_left_turn", from: 1, via: (0, 0), to: 3) }.document, in: folder)
        let read = try RoutingRegion(region.database, isOwn: false)
        #expect(read.graph.turnRestrictions == region.graph.turnRestrictions)
        #expect(region.graph.turnRestrictions.map(\.rule) == ["no_left_turn"])
        let over = TurnRestriction(
            relation: 7, rule: nil, conditional: "no_exit @ (Mo)", from: [1, 2], viaWays: [3, 4], to: [5])
        #expect(TurnRestriction(line: over.line[...]) == over)
        #expect(TurnRestriction(line: "7\tno_exit") == nil)
    }

    /// In a grid with many forbidden turns, costs are those of a search over arcs.
    @Test func costsAreThoseOfASearchOverArcs() throws {
        var map = WaysInMetres()
        var ways: [(from: WaysInMetres.Point, to: WaysInMetres.Point)] = []
        for row in 0..<5 {
            for column in 0..<5 {
                let place = (east: Double(column * 100 + row * 7), north: Double(row * 90 + column * 3))
                if column < 4 {
                    ways.append(
                        (place, (Double((column + 1) * 100 + row * 7), Double(row * 90 + column * 3 + 3))))
                }
                if row < 4 {
                    ways.append(
                        (place, (Double(column * 100 + row * 7 + 7), Double(row * 90 + 90 + column * 3))))
                }
            }
        }
        for way in ways { map.add(Self.tags, way.from, way.to) }
        var seed: UInt64 = 5
        func random(_ limit: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % limit
        }
        var forbidden = 0
        for _ in 0..<400 {
            let (one, other) = (random(ways.count), random(ways.count))
            guard one != other else { continue }
            for end in [ways[one].from, ways[one].to]
            where end == ways[other].from || end == ways[other].to {
                map.addTurn("restriction=no_left_turn", from: one + 1, via: end, to: other + 1)
                forbidden += 1
            }
        }
        #expect(forbidden > 20)
        let planner = try RoutePlanner(map.region(), profile: .cycling)
        let (graph, turns) = (planner.weighted.graph, try #require(planner.weighted.turns))
        var (longer, trace) = (0, NoTrace())
        for _ in 0..<25 {
            let (from, to) = (random(graph.edgeCount), random(graph.edgeCount))
            guard from != to else { continue }
            let stops = [from, to].map { edge in
                SnappedPoint(
                    coordinate: graph.line(of: edge)[0], point: graph.line(of: edge)[0], distance: 0,
                    edge: edge,
                    fraction: 0.5)
            }
            let cost = try planner.cost(from: stops[0], to: stops[1], method: .hierarchy)
            let free = try RoutePlanner(planner.weighted).search(
                LegEnds(planner.weighted, from: stops[0], to: stops[1]).query, .aStar, &trace)
            let least = overArcs(planner.weighted, turns, from: from, to: to)
            if least.isFinite { #expect(abs(cost - least) < 1e-6) }
            if let free = free.result?.cost, cost > free + 1e-6 { longer += 1 }
        }
        #expect(longer > 1)
    }

    /// The least cost from the middle of an edge to that of another, by arcs: each is reached from those before it.
    private func overArcs(_ weighted: WeightedGraph, _ turns: TurnRestrictions, from: Int, to: Int) -> Double
    {
        let graph = weighted.graph
        var costs = [Double](repeating: .infinity, count: 2 * graph.edgeCount)
        for side in 0...1 { costs[2 * from + side] = weighted.cost(of: from, isReversed: side == 1) / 2 }
        func end(_ arc: Int) -> Int32 { arc & 1 == 1 ? graph.source[arc / 2] : graph.target[arc / 2] }
        func start(_ arc: Int) -> Int32 { arc & 1 == 1 ? graph.target[arc / 2] : graph.source[arc / 2] }
        var isChanged = true
        while isChanged {
            isChanged = false
            for arc in costs.indices where costs[arc].isFinite {
                for next in costs.indices where start(next) == end(arc) && next / 2 != arc / 2 {
                    let state = turns.state(after: turns.state(after: 0, Int32(arc)), Int32(next))
                    guard !turns.isForbidden(state) else { continue }
                    let cost = costs[arc] + weighted.cost(of: next / 2, isReversed: next & 1 == 1)
                    if cost < costs[next] - 1e-9 { (costs[next], isChanged) = (cost, true) }
                }
            }
        }
        return [2 * to, 2 * to + 1].map { costs[$0] - weighted.cost(of: to, isReversed: $0 & 1 == 1) / 2 }
            .min()
            ?? .infinity
    }

    /// The way north is 90 m long with the turn, 400 m round the block without it.
    @Test func theReachableAreaTakesNoForbiddenTurn() throws {
        let plain = try crossing { _ in }
        let turn = try crossing { $0.addTurn("restriction=no_left_turn", from: 1, via: (0, 0), to: 3) }
        func seconds(_ region: RoutingRegion, _ profile: CostProfile) throws -> Double? {
            let planner = try RoutePlanner(region, profile: profile.timed)
            let area = try planner.reachable(from: west, within: 600)
            let graph = planner.weighted.graph
            return zip(area.nodes, area.seconds).first {
                graph.coordinate(of: $0.0).distance(to: WaysInMetres.place(0, 100)) < 1
            }?.1
        }
        let (free, bound) = (
            try #require(try seconds(plain, .cycling)), try #require(try seconds(turn, .cycling))
        )
        #expect(abs(bound / free - 390.0 / 190) < 0.01)
        #expect(try seconds(turn, .hiking) == seconds(plain, .hiking))
    }
}
