import PluginKit

/// Checks of the calls of trips against their shapes.
extension TableCheck {
    /// Finds stops far from the shapes of their trips, stops in another order along them, and inconsistent
    /// distances.
    mutating func addShapes(
        _ shapes: CheckedShapes, _ times: CheckedTimes, _ progress: ProgressReporter
    ) throws {
        let (order, starts) = times.rows.byTrip(trips: content.trips.count)
        let points = content.stops.map { ShapeLine.point($0.latitude, $0.longitude) }
        var trips = [[Int32]](repeating: [], count: content.shapes.ids.count)
        for (index, trip) in content.trips.enumerated() where trip.shape >= 0 {
            trips[Int(trip.shape)].append(Int32(index))
        }
        for shape in trips.indices where !trips[shape].isEmpty {
            if shape % TransitSettings.shapeStep == 0 {
                progress.report("matching stops to shapes", done: shape, of: trips.count)
            }
            try Interruption.check()
            let rows = shapes[shape]
            guard let last = rows.last else { continue }
            var matching = ShapeMatching(line: ShapeLine(rows), points: points)
            let lacksDistances = rows.contains { $0.distance.isNaN }
            var end = last
            for row in rows where row.distance > end.distance || end.distance.isNaN { end = row }
            var seen: Set<[UInt64]> = []
            for trip in trips[shape] {
                let calls = order[starts[Int(trip)]..<starts[Int(trip) + 1]].map { times.rows[Int($0)] }
                guard let last = calls.last else { continue }
                let name = content.tripIDs.text(Int(trip))
                if lacksDistances, calls.contains(where: { !$0.distance.isNaN }) {
                    tally(
                        .tripWithShapeDistTraveledButNoShapeDistances, .trips, 0, field: "shape_id",
                        "trip \(name) has distances, its shape does not")
                }
                let metres = ShapeLine.metres(
                    points[Int(last.stop)], ShapeLine.point(end.latitude, end.longitude))
                // Which of two rules it is depends on the place of the last stop.
                if end.distance > 0, last.distance > end.distance, !metres.isNaN {
                    tally(
                        metres > TransitSettings.shapeEnd
                            ? .tripDistanceExceedsShapeDistance
                            : .tripDistanceExceedsShapeDistanceBelowThreshold, .trips,
                        0,
                        field: "shape_dist_traveled",
                        "trip \(name) goes to \(last.distance), its shape to \(end.distance)")
                }
                let key = calls.flatMap { [UInt64($0.stop), $0.distance.bitPattern] }
                guard seen.insert(key).inserted else { continue }
                let isRail = content.routes[Int(content.trips[Int(trip)].route)].type == 2
                // Where a stop is that has no place, no shape can tell.
                let placed = calls.filter { !content.stops[Int($0.stop)].latitude.isNaN }
                for problem in matching.problems(placed, isRail: isRail) {
                    report(problem, shape: shape, trip: name)
                }
            }
        }
    }

    private mutating func report(_ problem: ShapeProblem, shape: Int, trip: String) {
        let stop = content.stopIDs.text(Int(problem.call.stop))
        let name = content.shapes.ids.text(shape)
        let text =
            switch problem.rule {
            case .stopHasTooManyMatchesForShape:
                "stop \(stop) is near \(problem.count) points of shape \(name)"
            case .stopsMatchShapeOutOfOrder:
                "stop \(stop) of trip \(trip) is before its predecessor along shape \(name)"
            default: "stop \(stop) is \(Int(problem.offset.rounded())) m from shape \(name)"
            }
        tally(problem.rule, .stopTimes, Int(problem.call.line), field: "stop_id", value: stop, text)
    }
}

/// An inconsistency between a trip and its shape.
struct ShapeProblem {
    var rule: FeedRule
    var call: StopTimeRow
    /// Metres from the shape.
    var offset = 0.0
    /// Points of the shape near the stop.
    var count = 0
}

/// Matches the calls of trips to one shape.
private struct ShapeMatching {
    let line: ShapeLine
    let points: [SIMD3<Double>]
    /// The points of the shape near stops, cached.
    private var near: [Key: [ShapeLine.Match]] = [:]
    /// Stops that were reported as too far.
    private var far: Set<Int32> = []

    private struct Key: Hashable {
        var stop: Int32
        var isLarge: Bool
    }

    init(line: ShapeLine, points: [SIMD3<Double>]) {
        (self.line, self.points) = (line, points)
    }

    /// By coordinate, and by the distances of the feed where both have them.
    mutating func problems(_ calls: [StopTimeRow], isRail: Bool) -> [ShapeProblem] {
        var found = bySpace(calls, isRail)
        if line.hasDistances, (calls.last?.distance ?? 0) > 0 { found += byDistance(calls, isRail) }
        return found
    }

    /// Shapes often do not reach the ends of the tracks of a large station.
    private func isLarge(_ index: Int, _ calls: [StopTimeRow], _ isRail: Bool) -> Bool {
        isRail && (index == 0 || index == calls.count - 1)
    }

    private mutating func bySpace(_ calls: [StopTimeRow], _ isRail: Bool) -> [ShapeProblem] {
        var found: [ShapeProblem] = []
        var matches: [[ShapeLine.Match]] = []
        for (index, call) in calls.enumerated() {
            matches.append(self.matches(call, isLarge(index, calls, isRail), .stopTooFarFromShape, &found))
        }
        if !matches.contains(where: \.isEmpty) { addOrder(matches, calls, &found) }
        return found
    }

    private mutating func byDistance(_ calls: [StopTimeRow], _ isRail: Bool) -> [ShapeProblem] {
        var found: [ShapeProblem] = []
        var matches: [[ShapeLine.Match]] = []
        var start = 0
        for (index, call) in calls.enumerated() {
            if call.distance > 0 {
                let match = line.match(distance: call.distance, from: start, points[Int(call.stop)])
                start = match.index
                matches.append([match])
            } else {
                matches.append(
                    self.matches(
                        call, isLarge(index, calls, isRail), .stopTooFarFromShapeUsingUserDistance, &found))
                if matches[index].isEmpty { return found }
            }
        }
        let choice = addOrder(matches, calls, &found)
        for (call, match) in zip(calls, choice) where match.offset > TransitSettings.farFromShape {
            if far.insert(call.stop).inserted {
                found.append(
                    ShapeProblem(
                        rule: .stopTooFarFromShapeUsingUserDistance, call: call, offset: match.offset))
            }
        }
        return found
    }

    @discardableResult
    private func addOrder(
        _ matches: [[ShapeLine.Match]], _ calls: [StopTimeRow], _ found: inout [ShapeProblem]
    ) -> [ShapeLine.Match] {
        let (choice, failsAt) = ShapeOrder.best(matches)
        if let failsAt { found.append(ShapeProblem(rule: .stopsMatchShapeOutOfOrder, call: calls[failsAt])) }
        return choice
    }

    private mutating func matches(
        _ call: StopTimeRow, _ isLarge: Bool, _ rule: FeedRule, _ found: inout [ShapeProblem]
    ) -> [ShapeLine.Match] {
        let stop = points[Int(call.stop)]
        let limit = TransitSettings.farFromShape * (isLarge ? TransitSettings.largeStation : 1)
        let key = Key(stop: call.stop, isLarge: isLarge)
        let matches = near[key] ?? line.matches(stop, within: limit)
        near[key] = matches
        if matches.isEmpty, !far.contains(call.stop) {
            let offset = line.offset(stop)
            if offset > limit {
                far.insert(call.stop)
                found.append(ShapeProblem(rule: rule, call: call, offset: offset))
            }
        }
        if matches.count > TransitSettings.mostMatches {
            found.append(ShapeProblem(rule: .stopHasTooManyMatchesForShape, call: call, count: matches.count))
        }
        return matches
    }
}
