import CivilTime
import Foundation
import Geodesy
import Pictures
import PluginKit

/// What can be reached by public transport and on foot within some times: the area of an isochrone.
struct TransitReach: FieldedObject, MapDrawable {
    /// A stop reached.
    struct Stop: Sendable {
        var stop: StopRecord
        /// Seconds since 1970.
        var arrives: Int
        /// The fewest rides with which it is reached at that time.
        var rides: Int
        var zone: TimeZone
    }

    var from: Coordinate
    /// Seconds since 1970.
    var departs: Int
    /// Seconds.
    var limit: Int
    var zone: TimeZone
    /// Stops by their arrival.
    var stops: [Stop]
    /// The outline of the area: closed rings; those around holes run clockwise.
    var outline: [[Coordinate]]

    private enum Look {
        static let color = Color(0x7A3FB8)
        static let area = MapAreaStyle(
            fill: Fill(color, opacity: 0.15), stroke: Stroke(color, width: 2), layer: MapLayer.base - 1)
        static let start = MapPointStyle(color: Color(0x2F9E44), radius: 5, symbol: "A", label: "start")
    }

    let typeName = "transitReach"
    var place: Value? { .coordinate(from) }
    var summary: String {
        "\(stops.count, of: "stop") within \(Literal.duration(Double(limit))) from "
            + "\(ServiceDay.date(of: departs, in: zone).text) \(ServiceDay.clock(departs, in: zone))"
    }

    static let fields = FieldTable<Self> {
        Field("start") { .coordinate($0.from) }
        Field(column: "within") { .quantity(.seconds(Double($0.limit))) }
        Field(column: "at") { .date(Timestamp(milliseconds: Int64($0.departs) * 1000)) }
        Field(column: "stops") { .integer($0.stops.count) }
        Field(column: "farthest") { reach in
            .quantity(
                .metres(reach.stops.compactMap { $0.stop.coordinate?.distance(to: reach.from) }.max() ?? 0))
        }
        Field("reached") { .table(columns: Self.stopColumns, cells: $0.stops.map($0.cells)) }
        Field("outline") { .list($0.outline.map { .list($0.map(Value.coordinate)) }) }
    }

    private static let stopColumns = ["arrives", "in", "stop", "platform", "rides", "stopId", "at"]

    private func cells(_ reached: Stop) -> [Value] {
        [
            .text(ServiceDay.clock(reached.arrives, in: reached.zone)),
            .quantity(.seconds(Double(reached.arrives - departs))), .text(reached.stop.title),
            Value(reached.stop.platform, Value.text), .integer(reached.rides), .text(reached.stop.id),
            Value(reached.stop.coordinate, Value.coordinate),
        ]
    }

    var mapFeatures: [MapFeature] {
        (outline.isEmpty ? [] : [.polygon(outline, Look.area)]) + [.point(from, Look.start)]
    }
}

extension JourneyPlanner {
    /// The areas that are reached from a coordinate within some limits in seconds, smallest first, with notes. A point is in
    /// an area if a journey with the walks of a request arrives there in time.
    func reach(_ request: JourneyRequest, within limits: [Int], live view: RealtimeView?) throws -> (
        areas: [TransitReach], notes: [String]
    ) {
        let network = try network(needsWheelchair: request.needsWheelchair)
        let most = limits.max() ?? 0
        let origins = try origins(of: request)
        let days = try days(
            from: request.time, until: request.time + max(most, 1), snapshot: view?.usable,
            needsWheelchair: request.needsWheelchair, allowsUnknown: request.allowsUnknownAccess,
            isBackwards: false)
        var memory = feed.journeyMemory.withLock { $0.popLast() }
        var raptor = Raptor(
            days, to: [], changes: request.changes, direct: nil, bound: request.time + most + 1,
            memory: &memory)
        var none = NoTrace()
        let names = JourneyNames(routes: feed.routes, isBackwards: false)
        _ = try raptor.search(from: origins, at: request.time, into: &none, names)
        let arrivals = raptor.arrivals()
        let released = raptor.release()
        feed.journeyMemory.withLock { if $0.count < JourneySettings.memories { $0.append(released) } }
        let zone = try feed.stops.zone(near: request.from)
        // On foot at the start no walk from there is added.
        var known = arrivals
        for origin in origins where network.isServed(origin.stop) {
            let time = request.time + origin.seconds
            if time <= known[origin.stop]?.time ?? .max { known[origin.stop] = (time, 0) }
        }
        let reached = try stops(known, network)
        let areas = limits.sorted().map { limit in
            TransitReach(
                from: request.from, departs: request.time, limit: limit, zone: zone,
                stops: reached.filter { $0.arrives <= request.time + limit },
                outline: DiscUnion.rings(around: discs(arrivals, network, request, limit)))
        }
        let day = ServiceDay.date(of: request.time, in: zone)
        var notes = feed.coverage.notes(day...day, routes: nil) + [feed.setAside.note].compactMap { $0 }
        if !isServed(origins, days, network) {
            notes.append(
                "no stop with trips lies within \(Literal.inMessage(.metres(request.walk))) of the start; --walk allows more"
            )
        }
        if let view { notes.append(view.note(in: feed.zone, of: feed)) }
        return (areas, notes + ["walks are estimated from straight lines"])
    }

    /// The discs within which the rest of the time suffices for the walk: around the start, and around the doors of the
    /// stops reached.
    private func discs(
        _ arrivals: [Int: (time: Int, rides: Int)], _ network: JourneyNetwork, _ request: JourneyRequest,
        _ limit: Int
    ) -> [DiscUnion.Disc] {
        func radius(_ seconds: Int) -> Double { min(request.walk, JourneySettings.metres(within: seconds)) }
        let stops = network.numbers.count - network.places.count
        var earliest: [Int32: Int] = [:]
        for (index, arrival) in arrivals {
            let stop = index < stops ? Int32(index) : network.places[index - stops].stop
            earliest[stop] = min(earliest[stop] ?? .max, arrival.time)
        }
        let doors = network.doors.compactMap { door -> DiscUnion.Disc? in
            guard let time = earliest[door.stop], let outward = door.outward else { return nil }
            let left = request.time + limit - time - Int(outward)
            return left > 0 ? DiscUnion.Disc(center: door.at, radius: radius(left)) : nil
        }
        return [DiscUnion.Disc(center: request.from, radius: radius(limit))] + doors
    }

    private func stops(
        _ arrivals: [Int: (time: Int, rides: Int)], _ network: JourneyNetwork
    ) throws -> [TransitReach.Stop] {
        var best: [Int64: (time: Int, rides: Int)] = [:]
        for (index, arrival) in arrivals {
            let number = network.numbers[index]
            if let known = best[number], known <= arrival { continue }
            best[number] = arrival
        }
        return try feed.stops.rows(best.keys.sorted()).compactMap { stop in
            guard let arrival = best[stop.number] else { return nil }
            return TransitReach.Stop(
                stop: stop, arrives: arrival.time, rides: arrival.rides, zone: try feed.stops.zone(of: stop))
        }.sorted { ($0.arrives, $0.stop.number) < ($1.arrives, $1.stop.number) }
    }
}
