import CivilTime
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Makes journeys of what a search found: with names, lines on the map, and without waiting at the beginning.
struct JourneyMaker {
    let feed: Feed
    let network: JourneyNetwork
    let days: JourneyDays
    let request: JourneyRequest
    /// Seconds of the walks at the beginning and the end.
    let origins: [Int: Int]
    let targets: [Int: Int]

    /// A ride in the direction of time.
    private struct Ride {
        var run: JourneyDays.Run
        var line: JourneyDays.Line
        var stops: [Int32]
        var departs: Int
        var arrives: Int
        /// Position of the boarding in the pattern.
        var call: Int
    }

    func journeys(_ found: [Raptor.Found]) throws -> [Journey] {
        var made = try found.map(journey)
        guard let first = made.map(\.departs).min(), let last = made.map(\.arrives).max() else { return [] }
        for index in made.indices { made[index].span = first...last }
        return made
    }

    private func ride(_ found: Raptor.Ride) -> Ride {
        let line = days.lines[found.line]
        let start = line.starts[found.run]
        let between = Array(line.stops[found.from...found.to])
        guard request.isArrival else {
            return Ride(
                run: line.runs[found.run], line: line, stops: between,
                departs: start + line.departures[found.from],
                arrives: start + line.arrivals[found.to], call: found.from)
        }
        return Ride(
            run: line.runs[found.run], line: line, stops: between.reversed(),
            departs: -(start + line.arrivals[found.to]), arrives: -(start + line.departures[found.from]),
            call: line.stops.count - 1 - found.to)
    }

    private func journey(_ found: Raptor.Found) throws -> Journey {
        let rides = (request.isArrival ? found.rides.reversed() : found.rides).map(ride)
        guard let first = rides.first, let last = rides.last else {
            let times = request.isArrival ? (-found.end, -found.start) : (found.start, found.end)
            return Journey(
                legs: [walk((nil, request.from), (nil, request.to), times.0, times.1, feed.zone)],
                span: 0...0)
        }
        var legs: [JourneyLeg] = []
        let (start, end) = (Int(first.stops[0]), Int(last.stops[last.stops.count - 1]))
        let access = origins[start] ?? 0
        if access > 0 {
            let zone = feed.zone(ofRoute: first.line.route)
            legs.append(
                walk((nil, request.from), try place(start), first.departs - access, first.departs, zone))
        }
        for (index, ride) in rides.enumerated() {
            if index > 0 {
                let before = rides[index - 1]
                let (from, to) = (Int(before.stops[before.stops.count - 1]), Int(ride.stops[0]))
                if from != to {
                    let metres = network.coordinates[from].distance(to: network.coordinates[to])
                    let seconds = min(Int(JourneySettings.seconds(metres)), ride.departs - before.arrives)
                    legs.append(
                        walk(
                            try place(from), try place(to), before.arrives, before.arrives + seconds,
                            feed.zone(ofRoute: before.line.route)))
                }
            }
            legs.append(try leg(ride))
        }
        let egress = targets[end] ?? 0
        if egress > 0 {
            let zone = feed.zone(ofRoute: last.line.route)
            legs.append(walk(try place(end), (nil, request.to), last.arrives, last.arrives + egress, zone))
        }
        return Journey(legs: legs, span: 0...0)
    }

    private func walk(
        _ from: (name: String?, at: Coordinate), _ to: (name: String?, at: Coordinate), _ departs: Int,
        _ arrives: Int, _ zone: TimeZone
    ) -> JourneyLeg {
        JourneyLeg(
            from: from, to: to, departs: departs, arrives: arrives, ride: nil, line: [from.at, to.at],
            zone: zone)
    }

    private func place(_ stop: Int) throws -> (name: String?, at: Coordinate) {
        let record = try feed.stops([network.numbers[stop]]).first
        let platform = record?.platform.map { ", platform \($0)" } ?? ""
        return (record.map { $0.title + platform }, network.coordinates[stop])
    }

    private func leg(_ ride: Ride) throws -> JourneyLeg {
        let trip = try feed.read { db -> (id: String, headsign: String) in
            let rows = try RawStatement(
                db, "SELECT trip_id, trip_headsign FROM \(feed.layout.trips) WHERE rowid = ?", isCached: true)
            rows.bind(1, ride.run.trip)
            return try rows.next() ? (rows.text(0) ?? "", rows.text(1) ?? "") : ("", "")
        }
        let terminus = try place(
            Int((request.isArrival ? ride.line.stops.first : ride.line.stops.last) ?? ride.stops[0]))
        let zone = feed.zone(ofRoute: ride.line.route)
        let scheduled = ServiceDay.reference(ride.run.day, in: zone) + Int(ride.run.start)
        var delay: Int?
        if ride.line.isLive, let line = network.lines.first(where: { $0.pattern == ride.line.pattern }) {
            delay = ride.departs - scheduled - Int(line.departures[ride.call])
        }
        return JourneyLeg(
            from: try place(Int(ride.stops[0])), to: try place(Int(ride.stops[ride.stops.count - 1])),
            departs: ride.departs, arrives: ride.arrives,
            ride: JourneyLeg.Ride(
                trip: trip.id, route: feed.routes[ride.line.route],
                headsign: trip.headsign.isEmpty ? terminus.name ?? "" : trip.headsign, day: ride.run.day,
                stops: ride.stops.count - 1, delay: delay),
            line: ride.stops.map { network.coordinates[Int($0)] }, zone: zone)
    }
}
