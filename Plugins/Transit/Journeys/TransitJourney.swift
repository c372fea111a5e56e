import CivilTime
import Foundation
import Geodesy
import Pictures
import PluginKit

/// A part of a journey: a walk or a ride.
struct JourneyLeg: FieldedObject, MapDrawable {
    /// The columns of some legs: agencies and alerts where they matter.
    static func columns(of legs: [JourneyLeg]) -> [String] {
        fields.names.filter { name in
            switch name {
            case "agency": legs.contains { $0.ride?.route?.isNamesake ?? false }
            case "alerts": legs.contains { !($0.ride?.alerts.isEmpty ?? true) }
            default: columns.contains(name)
            }
        }
    }

    /// A ride on a run of a trip.
    struct Ride: Sendable {
        var trip: String
        var route: Feed.Route?
        /// `trip_short_name`, such as the number of a train.
        var train: String?
        /// `bikes_allowed`
        var bikes: Int?
        var headsign: String
        var day: CivilDate
        /// The start of its run, in seconds of the service day: a trip by headway has several.
        var start: Int
        /// Stops passed, the last one included.
        var stops: Int
        /// Delay of the departure against the schedule, in seconds; `nil` without realtime data.
        var delay: Int?
        /// The headway in seconds, for a run by headway alone: its times are not exact.
        var headway: Int?
        /// Whether the rider stays seated from the ride before.
        var isContinued = false
        /// Whether the trip exists only in a realtime message.
        var isAdded = false
        /// Realtime data of the call at which it is boarded.
        var live: LiveCall?
        /// `wheelchair_accessible`, if it was asked for: `unknown` is told too.
        var wheelchair: String?
        /// Boarding and alighting that need a phone call or a word with the driver.
        var boarding: [String] = []
        /// The alerts about it.
        var alerts: [ServiceAlert] = []
        /// The fares for this ride alone, cheapest first.
        var fares: [FareObject] = []
        /// What its fare depends on, for sums of several rides.
        var paid: FareSum.Ride?

        /// `2.50 EUR`, or `2.50 to 4.00 EUR` of several in one currency; `nil` without fares.
        var price: String? {
            guard let first = fares.first, let last = fares.last else { return nil }
            if let missing = fares.first(where: { $0.signedPrice == nil }) {
                return "unknown: \(missing.unknownPrice)"
            }
            let isOne = Set(fares.map(\.currency)).count == 1
            let hours = fares.contains { $0.times != nil && !$0.isAtTime } ? " (at certain times)" : ""
            if first.amount == last.amount || !isOne {
                return isOne ? "\(first.amount) \(first.currency)\(hours)" : nil
            }
            return "\(first.amount) to \(last.amount) \(last.currency)\(hours)"
        }
    }

    /// An end: the name of its stop, `nil` for a coordinate, and its place, `nil` if the timetable does not say where the stop is.
    typealias End = (name: String?, at: Coordinate?)

    /// Its ends.
    var from: End
    var to: End
    /// Seconds since 1970.
    var departs: Int
    var arrives: Int
    /// `nil` for a walk.
    var ride: Ride?
    /// Its way through the places that are known.
    var line: [Coordinate]
    /// Whether the place of a stop along it is unknown, and with it the length.
    var hasUnknownPlace = false
    /// The zone of the clocks where it begins, and where it ends if that is another one.
    var zone: TimeZone
    var arrivalZone: TimeZone?
    /// The part of a walk outside stations.
    var pair: StreetWalks.Pair?
    /// Whether a walk follows streets; otherwise its time is estimated.
    var isOnStreets = false
    /// The day asked: times of other days are written with their day.
    var asked: CivilDate?

    let typeName = "journeyLeg"

    /// Local times at both ends.
    var departsClock: String { ServiceDay.clock(departs, in: zone, unless: asked) }
    var arrivesClock: String { ServiceDay.clock(arrives, in: arrivalZone ?? zone, unless: asked) }

    private static func name(_ end: End) -> String {
        end.name ?? end.at.map { Literal.coordinate($0) } ?? "a place that is unknown"
    }

    static let fields = FieldTable<Self> {
        Field(column: "kind") { .text($0.ride == nil ? "walk" : "ride") }
        Field(column: "from") { .text(Self.name($0.from)) }
        Field(column: "departs") { .text($0.departsClock) }
        Field(column: "to") { .text(Self.name($0.to)) }
        Field(column: "arrives") { .text($0.arrivesClock) }
        Field(column: "line") { Value($0.ride?.route?.name, Value.text) }
        Field("agency") { Value($0.ride?.route?.agency, Value.text) }
        Field(column: "headsign") { Value($0.ride?.headsign, Value.text) }
        Field(column: "stops") { Value($0.ride?.stops, Value.integer) }
        Field(column: "status") { Value($0.ride) { .text(Self.status($0)) } }
        Field("alerts") { Value($0.ride) { .list($0.alerts.map { .text($0.title) }) } }
        Field("wheelchair") { Value($0.ride?.wheelchair, Value.text) }
        Field("boarding") { Value($0.ride) { .list($0.boarding.map { .text($0) }) } }
        Field("fares") { Value($0.ride) { .list($0.fares.map { .text($0.words) }) } }
        Field("trip") { Value($0.ride?.trip, Value.text) }
        Field("train") { Value($0.ride?.train, Value.text) }
        Field("bikes", where: { Bicycles.word($0.ride?.bikes) != nil }) {
            Value(Bicycles.word($0.ride?.bikes), Value.text)
        }
        Field("day") { Value($0.ride?.day.text, Value.text) }
        Field("headway") { Value($0.ride?.headway) { .quantity(.seconds(Double($0))) } }
        Field("duration") { .quantity(.seconds(Double($0.arrives - $0.departs))) }
        Field("length") { Value($0.length) { .quantity(.metres($0)) } }
        Field("departsAt") { .date(Timestamp(milliseconds: Int64($0.departs) * 1000)) }
        Field("arrivesAt") { .date(Timestamp(milliseconds: Int64($0.arrives) * 1000)) }
        Field("at") { Value($0.from.at, Value.coordinate) }
        Field("wayFrom") {
            $0.ride != nil
                ? .nothing
                : .text($0.isOnStreets ? "streets" : $0.pair == nil ? "the feed" : "a straight line")
        }
    }

    /// That its way is too long for its time; `nil` for what vehicles can do.
    var impossible: String? {
        guard let ride, let lineLength else { return nil }
        return ImpossibleSpeed.words(lineLength, within: arrives - departs, routeType: ride.route?.type)
    }

    /// Metres; `nil` if the place of a stop is unknown, or is none by the time that the ride takes.
    var length: Double? {
        guard let lineLength else { return nil }
        guard let ride else { return lineLength }
        return ImpossibleSpeed.isTooFast(
            lineLength, within: arrives - departs, routeType: ride.route?.type) ? nil : lineLength
    }

    private var lineLength: Double? { hasUnknownPlace ? nil : Polyline.length(line) }

    private static func status(_ ride: Ride) -> String {
        if let live = ride.live, let delay = ride.delay, live.departure != nil {
            return live.status(scheduled: 0, predicted: delay)
        }
        guard let delay = ride.delay else { return ride.headway.map(DepartureText.every) ?? "Scheduled" }
        return LiveCall(departure: delay, why: "").status(scheduled: 0, predicted: delay)
    }

    var summary: String {
        let clock = "\(departsClock)–\(arrivesClock)"
        guard let ride else { return "\(clock) walk to \(Self.name(to))" }
        return "\(clock) \(ride.route?.name ?? "") to \(Self.name(to))"
    }

    /// Its line in the text of the journey.
    var sentence: String {
        let start = "\(departsClock)  "
        guard let ride else {
            return start
                + "walk \(Literal.duration(Double((arrives - departs + 59) / 60 * 60))) to \(Self.name(to))"
        }
        let isPlain = ride.delay == nil && ride.headway == nil && !ride.isAdded
        let status = isPlain ? "" : ", \(Self.status(ride))"
        return start + (ride.isContinued ? "stay seated: " : "")
            + "\(ride.route?.label ?? "")\(ride.train.map { " (\($0))" } ?? "") to \(ride.headsign) from \(Self.name(from)), arrives \(Self.name(to)) "
            + "\(arrivesClock), \(ride.stops, of: "stop")\(status)"
            + (ride.wheelchair == "unknown" ? ", wheelchair access unknown" : "")
            + [Bicycles.warning(ride.bikes), impossible].compactMap(\.self).map { ", \($0)" }.joined()
            + ride.boarding.map { ", \($0)" }.joined() + (ride.price.map { ", fare \($0)" } ?? "")
            + ride.alerts.map { "\n       ! \($0.text)" }.joined()
    }

    var mapFeatures: [MapFeature] {
        guard line.count > 1 else { return [] }
        var style: MapLineStyle
        if let route = ride?.route {
            style = ShapeObject.style(route, width: 4)
        } else {
            style = MapLineStyle(stroke: Stroke(.faint, width: 3), layer: MapLayer.route)
            style.stroke.dash = [2, 4]
        }
        return [.line(line, style)]
    }
}

/// A journey as a value: displayed as its legs.
struct TransitJourney: FieldedObject, SelfRendering, MapDrawable {
    /// The columns of some journeys: alerts and what riders have to know where there are any.
    static func columns(of journeys: [TransitJourney]) -> [String] {
        columns + (journeys.contains { !$0.alerts.isEmpty } ? ["alerts"] : [])
            + (journeys.contains { !$0.facts.isEmpty } ? ["note"] : [])
    }

    /// What riders have to know of its rides: access that is unknown, and how to board, each once.
    private var facts: [String] {
        legs.flatMap { leg in
            (leg.ride?.wheelchair == "unknown" ? ["wheelchair access unknown"] : [])
                + (leg.ride?.boarding ?? [])
                + [leg.impossible].compactMap(\.self)
        }.reduce(into: []) { found, fact in
            if !found.contains(fact) { found.append(fact) }
        }
    }

    /// The alerts about its rides, each once.
    var alerts: [ServiceAlert] {
        legs.flatMap { $0.ride?.alerts ?? [] }.reduce(into: []) { found, alert in
            if !found.contains(alert) { found.append(alert) }
        }
    }

    var legs: [JourneyLeg]
    /// The time span of all journeys in the result, which the diagram shows.
    var span: ClosedRange<Int>
    /// What its rides cost together; `nil` if the timetable has no fares.
    var fare: FareSum.Outcome?

    var departs: Int { legs.first?.departs ?? 0 }
    var arrives: Int { legs.last?.arrives ?? 0 }
    /// Local times at both ends; lines of several feeds may have different zones.
    var departsClock: String { legs.first?.departsClock ?? "" }
    var arrivesClock: String { legs.last?.arrivesClock ?? "" }
    var rides: Int { legs.count { $0.ride.map { !$0.isContinued } ?? false } }

    let typeName = "transitJourney"

    private var lines: String {
        rides == 0
            ? "walk" : legs.compactMap { $0.ride.map { $0.route?.label ?? $0.trip } }.joined(separator: ", ")
    }

    static let fields = FieldTable<Self> {
        Field(column: "departs") { .text($0.departsClock) }
        Field(column: "arrives") { .text($0.arrivesClock) }
        Field(column: "duration") { .quantity(.seconds(Double($0.arrives - $0.departs))) }
        Field(column: "changes") { .integer(max(0, $0.rides - 1)) }
        Field(column: "walk") {
            .quantity(
                .seconds(Double($0.legs.filter { $0.ride == nil }.reduce(0) { $0 + $1.arrives - $1.departs }))
            )
        }
        Field(column: "lines") { .text($0.lines) }
        Field(column: "diagram") { .text(JourneyDiagram.bar($0)) }
        Field("alerts") { .list($0.alerts.map { .text($0.title) }) }
        Field("note") { $0.facts.isEmpty ? .nothing : .text($0.facts.joined(separator: ", ")) }
        Field("legs") { .table(objects: $0.legs, columns: JourneyLeg.columns(of: $0.legs)) }
        Field("departsAt") { .date(Timestamp(milliseconds: Int64($0.departs) * 1000)) }
        Field("arrivesAt") { .date(Timestamp(milliseconds: Int64($0.arrives) * 1000)) }
        Field("length") { journey in
            let lengths = journey.legs.compactMap(\.length)
            return lengths.count < journey.legs.count ? .nothing : .quantity(.metres(lengths.reduce(0, +)))
        }
        Field("way") { .list($0.way.map { .coordinate($0) }) }
        Field("fare", where: { $0.fare != nil }) { Value($0.fare) { .text($0.words) } }
    }

    /// The line of all its legs.
    private var way: [Coordinate] {
        legs.flatMap(\.line).reduce(into: []) { way, point in
            if way.last != point { way.append(point) }
        }
    }

    var summary: String {
        "\(departsClock)–\(arrivesClock), \(lines)"
    }

    var mapFeatures: [MapFeature] {
        let stops = legs.filter { $0.ride != nil }.flatMap { [$0.from, $0.to] }
        return legs.flatMap(\.mapFeatures)
            + stops.compactMap { stop in
                stop.at.map { .point($0, MapPointStyle(color: .ink, label: stop.name ?? "")) }
            }
    }

    func rendered(in environment: PluginKit.Environment) -> String {
        let minutes = Literal.duration(Double((arrives - departs + 59) / 60 * 60))
        let changes = rides < 2 ? "no change" : rides == 2 ? "1 change" : "\(rides - 1) changes"
        let day = legs.first.map { ServiceDay.date(of: $0.departs, in: $0.zone) }
        let date = day.map { "\($0.weekdayName) \($0.text), " } ?? ""
        // The first line has the day.
        let legs = legs.map { leg in
            var leg = leg
            leg.asked = day
            return leg
        }
        return
            (["\(date)\(minutes), \(changes)\(rides > 1 ? fare.map { ", fare \($0.words)" } ?? "" : "")"]
            + legs.map(\.sentence)
            + ["\(legs.last?.arrivesClock ?? "")  arrive"]).joined(separator: "\n")
    }
}

/// Draws journeys along one time axis.
enum JourneyDiagram {
    /// Width of the axis in characters.
    private static let width = 32

    /// `  ~~[S1====]..[10=]~ `: spaces before and after, `~` for walks, dots for waiting, lines in
    /// brackets.
    static func bar(_ journey: TransitJourney) -> String {
        let length = max(1, journey.span.upperBound - journey.span.lowerBound)
        func column(_ time: Int) -> Int {
            Int((Double(time - journey.span.lowerBound) / Double(length) * Double(width)).rounded())
        }
        var cells = [Character](repeating: " ", count: width)
        for index in column(journey.departs)..<max(column(journey.departs), column(journey.arrives))
        where index < width {
            cells[index] = "."
        }
        for leg in journey.legs {
            let (start, end) = (column(leg.departs), column(leg.arrives))
            guard start < end else { continue }
            let room = end - start
            var text: [Character]
            if let ride = leg.ride {
                let name = Array((ride.route?.name ?? "").prefix(max(0, room - 2)))
                text =
                    room == 1
                    ? ["="] : ["["] + name + Array(repeating: "=", count: room - 2 - name.count) + ["]"]
            } else {
                text = Array(repeating: "~", count: room)
            }
            for (offset, character) in text.enumerated() where start + offset < width {
                cells[start + offset] = character
            }
        }
        return String(cells)
    }
}
