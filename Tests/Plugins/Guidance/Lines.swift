import CivilTime
import Foundation
import Geodesy
import PluginKit

@testable import GuidancePlugin

/// Lines drawn in metres around a place, for tests.
struct Ground {
    var origin = Coordinate(latitude: 47, longitude: 9)

    static let equator = Ground(origin: Coordinate(latitude: 0, longitude: 9))
    static let north60 = Ground(origin: Coordinate(latitude: 60, longitude: 9))
    static let antimeridian = Ground(origin: Coordinate(latitude: 10, longitude: 179.999))
    static let north85 = Ground(origin: Coordinate(latitude: 85, longitude: -40))

    /// The coordinate at metres east and north.
    func place(_ east: Double, _ north: Double) -> Coordinate {
        origin.destination(bearing: 0, distance: north).destination(bearing: 90, distance: east)
    }

    func line(_ points: [(Double, Double)]) -> [Coordinate] { points.map { place($0.0, $0.1) } }

    /// A line with points at an interval in metres.
    func fineLine(_ points: [(Double, Double)], step: Double = 10) -> [Coordinate] {
        var fine = [points[0]]
        for (from, to) in zip(points, points.dropFirst()) {
            let length = hypot(to.0 - from.0, to.1 - from.1)
            let count = max(1, Int((length / step).rounded()))
            for index in 1...count {
                let share = Double(index) / Double(count)
                fine.append((from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1)))
            }
        }
        return line(fine)
    }
}

extension GuideRoute {
    /// A route with turns at distances from the start.
    static func made(
        _ line: [Coordinate], turns: [(Double, TurnDirection)] = [], duration: Double? = nil
    ) throws -> GuideRoute {
        let geometry = try Needed.require(RouteGeometry(line))
        let instructions = turns.enumerated().map { index, turn in
            let (along, direction) = turn
            return TurnInstruction(
                coordinate: geometry.coordinate(at: along).withoutAltitude, direction: direction, bearing: 0,
                distanceFromPrevious: 0, cumulativeDistance: along, trailName: "way \(index)",
                description: "Turn \(direction.rawValue)")
        }
        let arrival = TurnInstruction(
            coordinate: geometry.points[geometry.points.count - 1], direction: .arrive, bearing: 0,
            distanceFromPrevious: 0, cumulativeDistance: geometry.length, trailName: nil,
            description: "Arrive")
        return try Needed.require(
            GuideRoute(
                name: "made", mode: .hiking, line: line, turns: instructions + [arrival], duration: duration,
                isBareLine: true))
    }
}

enum Needed {
    struct Missing: Error {}

    static func require<T>(_ value: T?) throws -> T {
        guard let value else { throw Missing() }
        return value
    }
}

/// Feeds an engine and collects its events.
struct Driver {
    let engine: GuidanceEngine
    var state = GuidanceState()
    var events: [GuidanceEvent] = []
    private var seconds = 0.0

    init(_ route: GuideRoute, _ settings: GuidanceSettings = GuidanceSettings()) {
        engine = GuidanceEngine(route, settings: settings)
    }

    /// Processes a fix some seconds after the previous one; returns the kinds of its events.
    @discardableResult
    mutating func fix(_ coordinate: Coordinate, after: Double = 1, speed: Double? = nil) -> [GuidanceEvent
        .Kind]
    {
        seconds += after
        let before = events.count
        var none = NoTrace()
        let time = Timestamp(milliseconds: Int64(seconds * 1000))
        engine.update(
            &state, with: PositionFix(coordinate, time: time, speed: speed), events: &events, trace: &none)
        return events[before...].map(\.kind)
    }
}

/// Runs a walk by a plan to its end.
func walked(
    _ route: GuideRoute, _ plan: WalkPlan, settings: GuidanceSettings = GuidanceSettings(), seed: UInt64 = 1
) throws -> GuidanceRun {
    var walker = try Walker(route, plan, start: Timestamp(milliseconds: 0), random: Xoshiro256(seed: seed))
    var run = GuidanceRun(route, settings: settings)
    var none = NoTrace()
    while let fix = walker.next() { run.take(fix, trace: &none) }
    return run
}
