import Foundation
import PluginKit

/// Checks of trips by their calls.
extension TableCheck {
    /// Checks usage of trips and stops, distances, speeds, headsigns and blocks.
    mutating func addTrips(_ times: CheckedTimes?) throws {
        addBlockModes()
        guard let times else { return }
        addUsage(times)
        addHeadsigns()
        try addCalls(times)
    }

    // MARK: Usage

    private mutating func addUsage(_ times: CheckedTimes) {
        addAll(.unusedTrip, .trips, trips(times) { $0 == 0 }, "the trip has no calls")
        addAll(.unusableTrip, .trips, trips(times) { $0 < 2 }, "the trip has fewer than two calls")
        let unused = content.stops.indices.filter {
            content.stops[$0].kind == .stop && !times.used[$0] && !facts.groupedStops.contains($0)
        }
        addAll(
            .stopWithoutStopTime, .stops, unused.map { content.stopIDs.text($0) }, "no trip calls at the stop"
        )
    }

    /// Trips by the number of their rows, including those that an import drops.
    private func trips(_ times: CheckedTimes, _ test: (Int32) -> Bool) -> [String] {
        times.counts.indices.filter { test(times.counts[$0]) }.map { content.tripIDs.text($0) }
            + times.droppedCounts.indices.filter { test(times.droppedCounts[$0]) }.map {
                droppedTrips.text($0)
            }
    }

    // MARK: Calls

    private mutating func addCalls(_ times: CheckedTimes) throws {
        let (order, starts) = times.rows.byTrip(trips: content.trips.count)
        let points = content.stops.map { ShapeLine.point($0.latitude, $0.longitude) }
        for trip in content.trips.indices {
            if trip % TransitSettings.shapeStep == 0 { try Interruption.check() }
            let calls = order[starts[trip]..<starts[trip + 1]].map { times.rows[Int($0)] }
            guard let first = calls.first, let last = calls.last else { continue }
            for end in calls.count > 1 ? [first, last] : [first]
            where (end.arrival < 0) != (end.departure < 0) {
                tally(
                    .missingTripEdge, .stopTimes, Int(end.line),
                    "the first and the last call of a trip require an arrival and a departure")
            }
            if times.hasDistances { checkDistances(calls) }
            checkSpeeds(trip, calls, points)
        }
    }

    private mutating func checkDistances(_ calls: [StopTimeRow]) {
        for (first, second) in zip(calls, calls.dropFirst()) where first.distance >= second.distance {
            tally(
                .decreasingOrEqualStopTimeDistance, .stopTimes, Int(second.line),
                field: "shape_dist_traveled",
                "shape_dist_traveled does not increase along the trip")
        }
    }

    /// Speeds in km/h above which travel between two stops is too fast, by route type, from the canonical
    /// validator.
    static func fastest(_ type: Int) -> Double {
        switch type {
        case 0: 100
        case 1, 3, 11, 12: 150
        case 2: 500
        case 4: 80
        case 5: 30
        case 6, 7: 50
        default: 200
        }
    }

    private mutating func checkSpeeds(_ trip: Int, _ calls: [StopTimeRow], _ points: [SIMD3<Double>]) {
        let limit = Self.fastest(Int(content.routes[Int(content.trips[trip].route)].type)) / 3.6
        func speed(_ metres: Double, _ from: StopTimeRow, _ to: StopTimeRow) -> Double {
            var seconds = to.arrival - from.departure
            // Times in whole minutes may be up to a minute apart.
            if seconds <= 0 {
                seconds = 60
            } else if to.arrival % 60 == 0, from.departure % 60 == 0 {
                seconds += 60
            }
            return metres / Double(seconds)
        }
        func found(_ rule: FeedRule, _ from: StopTimeRow, _ to: StopTimeRow, _ speed: Double) {
            let route = content.routes[Int(content.trips[trip].route)].name
            let ends = [from, to].map { content.stopIDs.text(Int($0.stop)) }
            tally(
                rule, .stopTimes, Int(to.line),
                "route \(route), \(ends[0]) to \(ends[1]), \(Int((speed * 3.6).rounded())) km/h: too fast for its type"
            )
        }
        guard calls.count > 1 else { return }
        let hops = zip(calls, calls.dropFirst()).map {
            ShapeLine.metres(points[Int($0.stop)], points[Int($1.stop)])
        }
        for (index, metres) in hops.enumerated() {
            let (from, to) = (calls[index], calls[index + 1])
            guard from.departure >= 0, to.arrival >= 0 else { continue }
            // Where the place of a stop is unknown, so is the distance.
            guard !metres.isNaN else { continue }
            let speed = speed(metres, from, to)
            if speed > limit { found(.fastTravelBetweenConsecutiveStops, from, to, speed) }
        }
        for end in calls.indices where calls[end].arrival >= 0 {
            var metres = 0.0
            for start in stride(from: end - 1, through: max(0, end - TransitSettings.farCalls), by: -1) {
                guard !hops[start].isNaN else { break }
                metres += hops[start]
                guard metres > TransitSettings.farStops, calls[start].departure >= 0 else { continue }
                let speed = speed(metres, calls[start], calls[end])
                // One finding per trip is enough.
                if speed > limit { return found(.fastTravelBetweenFarStops, calls[start], calls[end], speed) }
            }
        }
    }

    // MARK: Headsigns and blocks

    /// Headsigns that name a stop that the vehicle has left. Trips that end where they began are not
    /// checked.
    private mutating func addHeadsigns() {
        var names = KeyTable()
        func number(_ text: String) -> Int {
            Array(text.lowercased().utf8).withUnsafeBytes { names.add($0).index }
        }
        let stops = content.stops.map { number($0.name) }
        var signs: [Int32: Int] = [:]
        var found: [String] = []
        for (index, trip) in content.trips.enumerated() where trip.headsign >= 0 && trip.pattern >= 0 {
            let pattern = content.patterns[Int(trip.pattern)]
            let calls = content.patternStops[pattern.first..<pattern.first + pattern.count]
            guard let first = calls.first, let last = calls.last, first.stop != last.stop else { continue }
            let sign = signs[trip.headsign] ?? number(content.texts.text(Int(trip.headsign)))
            signs[trip.headsign] = sign
            for call in calls.dropLast() where stops[Int(call.stop)] == sign {
                found.append(
                    "\(content.tripIDs.text(index)) to \(content.texts.text(Int(trip.headsign)))")
            }
        }
        addAll(
            .tripHeadsignMatchesIntermediateStop, .trips, found,
            "the headsign of the trip is a stop before its last one")
    }

    private mutating func addBlockModes() {
        var types: [Int32: Set<Int32>] = [:]
        for trip in content.trips where trip.block >= 0 {
            types[trip.block, default: []].insert(content.routes[Int(trip.route)].type)
        }
        let mixed = types.keys.filter { (types[$0]?.count ?? 0) > 1 }.sorted()
        addAll(
            .inconsistentRouteTypeForBlockId, .trips, mixed.map { content.texts.text(Int($0)) },
            "trips of the block have several route types")
    }
}
