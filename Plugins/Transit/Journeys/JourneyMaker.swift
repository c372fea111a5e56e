import CivilTime
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Builds journeys from the results of a search: adds names and lines on the map, and removes waiting at
/// the start.
struct JourneyMaker {
    let feed: Feed
    let network: JourneyNetwork
    let days: JourneyDays
    let request: JourneyRequest
    /// The walks at the beginning and the end.
    let origins: [Int: JourneyAccess]
    let targets: [Int: JourneyAccess]
    let streets: StreetWalks?
    /// The alerts of the moment; `nil` without messages.
    var alerts: ServiceAlerts?

    /// A ride in the direction of time.
    private struct Ride {
        var run: JourneyDays.Run
        var line: JourneyDays.Line
        var stops: [Int32]
        var departs: Int
        var arrives: Int
        /// Indexes of the calls in the direction of time, and their instants.
        var calls: ClosedRange<Int>
        var departures: [Int]
        var arrivals: [Int]
    }

    func journeys(_ found: [Raptor.Found]) throws -> [TransitJourney] {
        var made = try found.map(journey)
        for index in made.indices {
            for leg in made[index].legs.indices { made[index].legs[leg].asked = request.day }
        }
        return made
    }

    private func ride(_ found: Raptor.Ride) -> Ride {
        let line = days.lines[found.line]
        let start = line.starts[found.run]
        let positions = Array(found.from...found.to)
        guard request.isArrival else {
            let departures = positions.map { start + line.departures[$0] }
            let arrivals = positions.map { start + line.arrivals[$0] }
            return Ride(
                run: line.runs[found.run], line: line, stops: positions.map { line.stops[$0] },
                departs: departures[0], arrives: arrivals[arrivals.count - 1], calls: found.from...found.to,
                departures: departures, arrivals: arrivals)
        }
        // In a backward search an arrival is a departure with negated time.
        let departures = positions.reversed().map { -(start + line.arrivals[$0]) }
        let arrivals = positions.reversed().map { -(start + line.departures[$0]) }
        let last = line.stops.count - 1
        return Ride(
            run: line.runs[found.run], line: line, stops: positions.reversed().map { line.stops[$0] },
            departs: departures[0], arrives: arrivals[arrivals.count - 1],
            calls: last - found.to...last - found.from, departures: departures, arrivals: arrivals)
    }

    private func journey(_ found: Raptor.Found) throws -> TransitJourney {
        let rides = (request.isArrival ? found.rides.reversed() : found.rides).map(ride)
        guard let first = rides.first, let last = rides.last else {
            let times = request.isArrival ? (-found.end, -found.start) : (found.start, found.end)
            let pair = StreetWalks.Pair(from: StreetWalks.Pair.start, to: StreetWalks.Pair.destination)
            return TransitJourney(
                legs: [walk((nil, request.from), (nil, request.to), times.0, times.1, feed.zone, pair)],
                span: 0...0)
        }
        var legs: [JourneyLeg] = []
        let (start, end) = (Int(first.stops[0]), Int(last.stops[last.stops.count - 1]))
        if let access = origins[start], access.seconds > 0 {
            legs.append(
                walk(
                    (nil, request.from), try place(start), first.departs - access.seconds, first.departs,
                    try zone(start, first.line.route), access.pair))
        }
        for (index, ride) in rides.enumerated() {
            if index > 0 {
                let before = rides[index - 1]
                let (from, to) = (Int(before.stops[before.stops.count - 1]), Int(ride.stops[0]))
                if network.numbers[from] != network.numbers[to] {
                    legs.append(try change(from, to, before, ride))
                }
            }
            legs += try self.legs(ride)
        }
        if let egress = targets[end], egress.seconds > 0 {
            legs.append(
                walk(
                    try place(end), (nil, request.to), last.arrives, last.arrives + egress.seconds,
                    try zone(end, last.line.route), egress.pair))
        }
        var journey = TransitJourney(legs: legs, span: 0...0)
        let paid = legs.compactMap { $0.ride?.paid }
        let fares = try feed.fares
        if paid.count == legs.count(where: { $0.ride != nil }) {
            journey.fare = try FareSum(table: fares, feed: feed).sum(paid)
        } else if !fares.isEmpty {
            journey.fare = .unknown("the line of a run is unknown")
        }
        return journey
    }

    /// The walk between two rides, without the minute for the change.
    private func change(_ from: Int, _ to: Int, _ before: Ride, _ ride: Ride) throws -> JourneyLeg {
        let known = days.walk(from: from, to: to, isBackwards: request.isArrival)
        var seconds = 0
        var pair: StreetWalks.Pair?
        if let known, known.kind == .outside || known.kind == .station {
            seconds = Int(known.seconds - JourneySettings.change)
            if known.kind == .outside { pair = StreetWalks.Pair(from: known.fromDoor, to: known.toDoor) }
        } else {
            // A rule of transfers.txt gives the time of the change, not of the walk.
            // Where a place is unknown, only that time is known.
            seconds = Int(network.metres(from, to).map { JourneySettings.seconds($0) } ?? known?.seconds ?? 0)
        }
        var leg = walk(
            try place(from), try place(to), before.arrives,
            before.arrives + min(seconds, ride.departs - before.arrives),
            try zone(from, before.line.route), pair)
        leg.arrivalZone = try zone(to, ride.line.route)
        return leg
    }

    /// The zone of the clocks at a stop where a line calls.
    private func zone(_ stop: Int, _ route: Int64?) throws -> TimeZone {
        let own = feed.layout.hasStopZones ? try feed.stops.rows([network.numbers[stop]]).first?.zone : nil
        return own ?? route.map(feed.zone(ofRoute:)) ?? feed.zone
    }

    private func walk(
        _ from: JourneyLeg.End, _ to: JourneyLeg.End, _ departs: Int,
        _ arrives: Int, _ zone: TimeZone, _ pair: StreetWalks.Pair?
    ) -> JourneyLeg {
        let street = pair.flatMap { streets?.known[$0]?.line }
        let ends = [from.at, to.at]
        return JourneyLeg(
            from: from, to: to, departs: departs, arrives: arrives, ride: nil,
            line: (street.map { [from.at] + $0 + [to.at] } ?? ends).compactMap(\.self),
            hasUnknownPlace: ends.contains(nil), zone: zone, pair: pair, isOnStreets: street != nil)
    }

    private func place(_ stop: Int) throws -> JourneyLeg.End {
        let record = try feed.stops.rows([network.numbers[stop]]).first
        let platform = record?.platform.map { ", platform \($0)" } ?? ""
        return (record.map { $0.title + platform }, network.coordinates[stop])
    }

    /// The same for a call of a message, which may be at a platform that the timetable does not have.
    private func place(_ stop: Int, _ call: LiveRun.Call?) throws -> JourneyLeg.End {
        guard let call, call.isPlatformOfMessage, let record = try feed.stops.rows([call.stop]).first else {
            return try place(stop)
        }
        return (record.title + (record.platform.map { ", platform \($0)" } ?? ""), record.coordinate)
    }

    /// The legs of a ride: one for each trip that the vehicle makes.
    private func legs(_ ride: Ride) throws -> [JourneyLeg] {
        if !ride.line.live.isEmpty { return try liveLegs(ride) }
        guard !ride.run.chainedTrips.isEmpty else {
            return [
                try leg(
                    ride, ride.calls, trip: ride.run.trip, start: ride.run.start, pattern: ride.line.pattern,
                    route: ride.line.route, first: 0, isContinued: false)
            ]
        }
        var legs: [JourneyLeg] = []
        for (part, chained) in zip(ride.line.parts, ride.run.chainedTrips) {
            let first = max(part.calls.lowerBound, ride.calls.lowerBound)
            let last = min(part.calls.upperBound - 1, ride.calls.upperBound)
            // Boarding and alighting at the single call of a trip is not possible.
            guard first < last else { continue }
            let calls = first...last
            legs.append(
                try leg(
                    ride, calls, trip: chained.row, start: chained.start, pattern: part.pattern,
                    route: part.route,
                    first: part.calls.lowerBound, isContinued: !legs.isEmpty))
        }
        return legs
    }

    /// The legs of a ride on a run of a message.
    private func liveLegs(_ ride: Ride) throws -> [JourneyLeg] {
        var legs: [JourneyLeg] = []
        for part in ride.line.live {
            let first = max(part.calls.lowerBound, ride.calls.lowerBound)
            let last = min(part.calls.upperBound - 1, ride.calls.upperBound)
            guard first < last else { continue }
            legs.append(try leg(ride, part, first...last, isContinued: !legs.isEmpty))
        }
        return legs
    }

    private func leg(
        _ ride: Ride, _ part: JourneyDays.LivePart, _ calls: ClosedRange<Int>, isContinued: Bool
    ) throws -> JourneyLeg {
        let (from, to) = (calls.lowerBound - ride.calls.lowerBound, calls.upperBound - ride.calls.lowerBound)
        let stops = ride.stops[from...to]
        let lineStops = request.isArrival ? ride.line.stops.reversed() : ride.line.stops
        let facts = try part.trip.flatMap { try feed.trips.with(row: $0) }
        let terminus = try place(Int(lineStops[part.calls.upperBound - 1]))
        let index = calls.lowerBound - part.calls.lowerBound
        let call = part.run.map { $0.calls[part.callsOfRun[index]] }
        let end = part.run.map { $0.calls[part.callsOfRun[calls.upperBound - part.calls.lowerBound]] }
        let sign = try headsign(call?.sequence, part.run?.pattern)
        let late = ride.departures[from] - part.planned[index]
        let known = part.run?.kind == .changed ? nil : facts?.headsign.flatMap { $0.isEmpty ? nil : $0 }
        let route = part.route.flatMap { feed.routes[$0] }
        let id = part.run?.trip ?? facts?.id ?? ""
        let alerts = try alerts(
            ride, stops, trip: id, direction: facts?.direction, route: route,
            start: part.run?.start ?? facts?.start ?? 0,
            time: ride.departures[from]...max(ride.departures[from], ride.arrivals[to]))
        let (start, target) = (
            try place(Int(ride.stops[from]), call), try place(Int(ride.stops[to]), end)
        )
        let between = stops.dropFirst().dropLast().map { network.coordinates[Int($0)] }
        let way = [start.at] + between + [target.at]
        return JourneyLeg(
            from: start, to: target,
            departs: ride.departures[from], arrives: ride.arrivals[to],
            ride: JourneyLeg.Ride(
                trip: id, route: route, train: facts?.shortName, bikes: facts?.bikes,
                headsign: try call?.properties.headsign ?? part.run?.headsign
                    ?? LiveRun.headsign(
                        sign ?? known ?? terminus.name ?? "", endingAt: self.end(of: part.run)),
                day: ride.run.day, start: part.run?.start ?? facts?.start ?? 0, stops: stops.count - 1,
                // A call of which the message says nothing is not on time: it is as scheduled.
                delay: call?.live == nil && late == 0 ? nil : late,
                isContinued: isContinued, isAdded: part.run?.kind == .added, live: call?.live,
                wheelchair: wheelchair(part.run?.wheelchair ?? facts?.wheelchair),
                boarding: try Boarding.words(
                    pickup: call?.pickup ?? 0,
                    dropOff: end?.dropOff ?? 0) + notes(call, part.run)
                    + (isContinued
                        ? held(
                            ride.departures[from], call?.expectedDeparture ?? part.planned[index],
                            try zone(Int(ride.stops[from]), part.route)) : []),
                alerts: alerts, fares: try fares(stops, part.route, ride.departures[from], ride.arrivals[to]),
                paid: try paid(
                    stops, part.route, ride.departures[from], ride.arrivals[to], isContinued)),
            line: way.compactMap(\.self), hasUnknownPlace: way.contains(nil),
            zone: try zone(Int(ride.stops[from]), part.route),
            arrivalZone: try zone(Int(ride.stops[to]), part.route))
    }

    /// The access of a vehicle, if it was asked for.
    private func wheelchair(_ value: Int?) -> String? {
        request.needsWheelchair ? Wheelchair.word(value) ?? "unknown" : nil
    }

    /// What boarding and alighting at two calls of a scheduled line need.
    private func boarding(
        _ line: JourneyNetwork.Line?, _ from: Int, _ to: Int, _ pattern: Int64
    ) throws -> [String] {
        guard let line else { return [] }
        let calls = try feed.trips.calls(ofPattern: pattern)
        func call(_ index: Int) -> PatternCall? { calls.first { $0.sequence == Int(line.sequences[index]) } }
        return Boarding.words(pickup: call(from)?.pickup ?? 0, dropOff: call(to)?.dropOff ?? 0)
            + [call(from)?.note].compactMap { $0 }
    }

    /// That a vehicle's next trip should leave before the vehicle arrives: riders who stay seated leave later. Seconds that no clock
    /// shows are rounding of the producer.
    private func held(_ departs: Int, _ due: Int, _ zone: TimeZone) -> [String] {
        let (shown, own) = (ServiceDay.clock(departs, in: zone), ServiceDay.clock(due, in: zone))
        return due < departs && own != shown
            ? ["doubtful: due to leave at \(own), before the vehicle arrives"] : []
    }

    /// What riders have to know of a call of a message's run.
    private func notes(_ call: LiveRun.Call?, _ run: LiveRun?) throws -> [String] {
        guard let call, let run else { return [] }
        var notes: [String] = []
        if let pattern = run.pattern, let sequence = call.sequence {
            let known = try feed.trips.calls(ofPattern: pattern).first { $0.sequence == sequence }
            if let note = known?.note { notes.append(note) }
        }
        if let word = call.properties.occupancyWord {
            notes.append("expected: \(word)")
        } else if let word = run.occupancy(at: call) {
            notes.append(word)
        }
        return notes
    }

    /// The name of the stop at which a run ends although the timetable has later calls.
    private func end(of run: LiveRun?) throws -> String? {
        try run?.earlyEnd.flatMap { try feed.stops.rows([$0]).first?.title }
    }

    /// The headsign of a pattern from a call on; `nil` for that of the trip.
    private func headsign(_ sequence: Int?, _ pattern: Int64?) throws -> String? {
        guard let sequence, let pattern else { return nil }
        return try feed.trips.calls(ofPattern: pattern).first { $0.sequence == sequence }?.headsign
    }

    /// The fares of a ride alone.
    private func fares(_ stops: ArraySlice<Int32>, _ number: Int64?, _ departs: Int, _ arrives: Int) throws
        -> [FareObject]
    {
        let table = try feed.fares
        guard !table.isEmpty, let number, let route = feed.routes[number] else { return [] }
        let records = try feed.stops.rows(stops.map { network.numbers[Int($0)] })
        return try table.fares(
            ofRoute: number, route, stops: records, during: departs...max(departs, arrives), feed)
    }

    /// What the fare of a ride depends on; `nil` without fares, and for a run without a line.
    private func paid(
        _ stops: ArraySlice<Int32>, _ number: Int64?, _ departs: Int, _ arrives: Int, _ isContinued: Bool
    ) throws -> FareSum.Ride? {
        guard try !feed.fares.isEmpty, let number, let route = feed.routes[number] else { return nil }
        let records = try feed.stops.rows(stops.map { network.numbers[Int($0)] })
        return FareSum.Ride(
            number: number, route: route, stops: records, departs: departs, arrives: max(departs, arrives),
            isContinued: isContinued)
    }

    /// The alerts about a ride, at its stops or about its run.
    private func alerts(
        _ ride: Ride, _ stops: ArraySlice<Int32>, trip: String, direction: Int?, route: Feed.Route?,
        start: Int,
        time: ClosedRange<Int>
    ) throws -> [ServiceAlert] {
        guard let alerts, alerts.view.alerts != nil else { return [] }
        let records = try feed.stops.rows(stops.map { network.numbers[Int($0)] })
        let subject = AlertSubject(
            route: route, direction: direction, trip: trip, day: ride.run.day, start: start,
            stops: Set(records.flatMap { [$0.id, $0.parent].compactMap { $0 } }))
        return alerts.alerts([subject], during: time)
    }

    private func leg(
        _ ride: Ride, _ calls: ClosedRange<Int>, trip row: Int64, start: Int32, pattern: Int64, route: Int64,
        first: Int, isContinued: Bool
    ) throws -> JourneyLeg {
        let facts = try feed.trips.with(row: row)
        let id = facts?.id ?? ""
        let line = network.lines.first { $0.pattern == pattern && $0.parts.isEmpty }
        let sequence = line.map { Int($0.sequences[calls.lowerBound - first]) }
        let ownHeadsign = try headsign(sequence, pattern) ?? facts?.headsign ?? ""
        let (from, to) = (calls.lowerBound - ride.calls.lowerBound, calls.upperBound - ride.calls.lowerBound)
        let stops = ride.stops[from...to]
        let terminus = try place(Int(line?.stops.last ?? ride.stops[to]))
        let way = stops.map { network.coordinates[Int($0)] }
        let alerts = try alerts(
            ride, stops, trip: id, direction: facts?.direction, route: feed.routes[route], start: Int(start),
            time: ride.departures[from]...max(ride.departures[from], ride.arrivals[to]))
        return JourneyLeg(
            from: try place(Int(ride.stops[from])), to: try place(Int(ride.stops[to])),
            departs: ride.departures[from], arrives: ride.arrivals[to],
            ride: JourneyLeg.Ride(
                trip: id, route: feed.routes[route], train: facts?.shortName, bikes: facts?.bikes,
                headsign: ownHeadsign.isEmpty ? terminus.name ?? "" : ownHeadsign, day: ride.run.day,
                start: Int(start), stops: stops.count - 1,
                headway: ride.run.isFrequency
                    ? try feed.trips.headway(ofTrip: id, pattern: pattern, start: Int(start)) : nil,
                isContinued: isContinued, wheelchair: wheelchair(facts?.wheelchair),
                boarding: try boarding(line, calls.lowerBound - first, calls.upperBound - first, pattern),
                alerts: alerts, fares: try fares(stops, route, ride.departures[from], ride.arrivals[to]),
                paid: try paid(stops, route, ride.departures[from], ride.arrivals[to], isContinued)),
            line: way.compactMap(\.self), hasUnknownPlace: way.contains(nil),
            zone: try zone(Int(ride.stops[from]), route),
            arrivalZone: try zone(Int(ride.stops[to]), route))
    }
}
