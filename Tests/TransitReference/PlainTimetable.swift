import Foundation

/// Departures directly from a feed's text files, by a scan of all trips of all days: slow and obvious.
struct PlainTimetable {
    /// A departure, as far as boards show it.
    struct Departure: Equatable, CustomStringConvertible {
        var time: Int
        var route: String
        var trip: String
        var stop: String
        var scheduled: String
        var day: String

        var description: String { "\(time) \(route) \(trip) \(stop) \(scheduled) \(day)" }
    }

    /// A departure of a run of a trip.
    struct Run {
        var time: Int
        var route: Int
        var trip: String
        var stop: String
        var scheduled: Int
        var day: Int
        /// When the run left its first stop.
        var start: Int
        /// The place of its trip among all, and of its call in the trip.
        var place: Int
        var index: Int
    }

    struct Call {
        var stop: String
        var sequence: Int
        var arrival: Int?
        var departure: Int?
        var distance: Double?
        var pickup: String
        var dropOff: String
    }

    struct Trip {
        var id: String
        var route: Int
        var service: String
        var calls: [Call]
        /// When its runs leave the first stop.
        var starts: [Int]
    }

    private struct Week {
        var days: [Bool]
        var start: Int
        var end: Int
    }

    let zone: TimeZone
    private var calendar: Calendar
    private var weeks: [String: Week] = [:]
    private var added: Set<String> = []
    private var removed: Set<String> = []
    private(set) var trips: [Trip] = []
    /// The number of trips of each service.
    private var tripsOf: [String: Int] = [:]
    private var routes: [(name: String, order: Int)] = []
    /// A stop and all of its parts.
    private(set) var groups: [String: Set<String>] = [:]
    /// `YYYYMMDD` of the days with an exception that adds, that removes.
    private(set) var addedDays: [Int] = []
    private(set) var removedDays: [Int] = []

    /// All stops that something could call at, with stations, in order.
    var stops: [String] { groups.keys.sorted() }

    init(_ tables: [String: String]) {
        zone =
            PlainTables.rows(tables["agency.txt"]).first.flatMap {
                TimeZone(identifier: $0["agency_timezone"] ?? "")
            }
            ?? .gmt
        calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        readStops(PlainTables.rows(tables["stops.txt"]))
        readCalendar(tables)
        readTrips(tables)
        // Entrances and other parts at which no trip calls have the board of what they are part of.
        let called = Set(trips.flatMap { $0.calls.map(\.stop) })
        for row in PlainTables.rows(tables["stops.txt"])
        where !["", "0", "1"].contains(row["location_type"] ?? "") {
            let id = row["stop_id"] ?? ""
            if let parent = groups[row["parent_station"] ?? ""], called.isDisjoint(with: groups[id] ?? []) {
                groups[id] = parent
            }
        }
    }

    private mutating func readStops(_ rows: [PlainRow]) {
        for row in rows { groups[row["stop_id"] ?? "", default: []].insert(row["stop_id"] ?? "") }
        let parents = rows.filter { !($0["parent_station"] ?? "").isEmpty }
        for row in parents { groups[row["parent_station"] ?? ""]?.insert(row["stop_id"] ?? "") }
        // Once more for what belongs to a platform of a station.
        for row in parents {
            for child in groups[row["stop_id"] ?? ""] ?? [] {
                groups[row["parent_station"] ?? ""]?.insert(child)
            }
        }
    }

    private mutating func readCalendar(_ tables: [String: String]) {
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        for row in PlainTables.rows(tables["calendar.txt"]) where weeks[row["service_id"] ?? ""] == nil {
            weeks[row["service_id"] ?? ""] = Week(
                days: names.map { row[$0] == "1" }, start: Int(row["start_date"] ?? "") ?? 0,
                end: Int(row["end_date"] ?? "") ?? 0)
        }
        for row in PlainTables.rows(tables["calendar_dates.txt"]) {
            let key = (row["service_id"] ?? "") + "@" + (row["date"] ?? "")
            if added.contains(key) || removed.contains(key) { continue }
            if row["exception_type"] == "1" { added.insert(key) } else { removed.insert(key) }
            guard let day = Int(row["date"] ?? "") else { continue }
            if row["exception_type"] == "1" { addedDays.append(day) } else { removedDays.append(day) }
        }
    }

    private mutating func readTrips(_ tables: [String: String]) {
        var routeIndex: [String: Int] = [:]
        for row in PlainTables.rows(tables["routes.txt"]) {
            routeIndex[row["route_id"] ?? ""] = routes.count
            let short = row["route_short_name"] ?? ""
            routes.append((short.isEmpty ? row["route_long_name"] ?? "" : short, routes.count))
        }
        var calls: [String: [Call]] = [:]
        for row in PlainTables.rows(tables["stop_times.txt"]) {
            calls[row["trip_id"] ?? "", default: []].append(
                Call(
                    stop: row["stop_id"] ?? "", sequence: Int(row["stop_sequence"] ?? "") ?? 0,
                    arrival: Self.seconds(row["arrival_time"]),
                    departure: Self.seconds(row["departure_time"]),
                    distance: Double(row["shape_dist_traveled"] ?? ""), pickup: row["pickup_type"] ?? "",
                    dropOff: row["drop_off_type"] ?? ""))
        }
        var frequencies: [String: [PlainRow]] = [:]
        for row in PlainTables.rows(tables["frequencies.txt"]) {
            frequencies[row["trip_id"] ?? "", default: []].append(row)
        }
        for row in PlainTables.rows(tables["trips.txt"]) {
            let id = row["trip_id"] ?? ""
            guard let route = routeIndex[row["route_id"] ?? ""], let own = calls[id], !own.isEmpty else {
                continue
            }
            let filled = Self.filled(own.sorted { $0.sequence < $1.sequence })
            var starts = [filled[0].departure ?? 0]
            if let rows = frequencies[id] {
                starts = []
                for row in rows {
                    var start = Self.seconds(row["start_time"]) ?? 0
                    while start < Self.seconds(row["end_time"]) ?? 0 {
                        starts.append(start)
                        start += Int(row["headway_secs"] ?? "") ?? 1
                    }
                }
            }
            tripsOf[row["service_id"] ?? "", default: 0] += 1
            trips.append(
                Trip(id: id, route: route, service: row["service_id"] ?? "", calls: filled, starts: starts))
        }
    }

    private static func seconds(_ text: String?) -> Int? {
        let parts = (text ?? "").split(separator: ":").compactMap { Int($0) }
        return parts.count == 3 ? parts[0] * 3600 + parts[1] * 60 + parts[2] : nil
    }

    /// Times between timepoints: by distance where it is known at all of them, else evenly.
    private static func filled(_ calls: [Call]) -> [Call] {
        var calls = calls
        for index in calls.indices {
            calls[index].arrival = calls[index].arrival ?? calls[index].departure
            calls[index].departure = calls[index].departure ?? calls[index].arrival
        }
        let known = calls.indices.filter { calls[$0].departure != nil }
        for (before, after) in zip(known, known.dropFirst()) where after > before + 1 {
            let from = Double(calls[before].departure ?? 0)
            let to = Double(calls[after].arrival ?? 0)
            let distances = calls[before...after].map(\.distance)
            for index in before + 1..<after {
                var share = Double(index - before) / Double(after - before)
                if distances.allSatisfy({ $0 != nil }) {
                    let values = distances.map { $0 ?? 0 }
                    if values[values.count - 1] > values[0], values == values.sorted() {
                        share = (values[index - before] - values[0]) / (values[values.count - 1] - values[0])
                    }
                }
                let time = Int((from + ((to - from) * share).rounded()))
                calls[index].arrival = time
                calls[index].departure = time
            }
        }
        return calls
    }

    // MARK: Days

    /// An instant by local time.
    func moment(_ day: Int, _ hour: Int, _ minute: Int) -> Int {
        let parts = DateComponents(
            year: day / 10_000, month: day / 100 % 100, day: day % 100, hour: hour, minute: minute)
        return Int(calendar.date(from: parts)?.timeIntervalSince1970 ?? 0)
    }

    /// The day this many days later.
    func day(_ day: Int, plus days: Int) -> Int {
        let noon = Date(timeIntervalSince1970: Double(moment(day, 12, 0)))
        let other = calendar.date(byAdding: .day, value: days, to: noon) ?? noon
        let parts = calendar.dateComponents([.year, .month, .day], from: other)
        return (parts.year ?? 0) * 10_000 + (parts.month ?? 0) * 100 + (parts.day ?? 0)
    }

    /// 0 for Monday.
    func weekday(_ day: Int) -> Int {
        let noon = Date(timeIntervalSince1970: Double(moment(day, 12, 0)))
        return (calendar.component(.weekday, from: noon) + 5) % 7
    }

    func runs(_ service: String, on day: Int) -> Bool {
        if added.contains("\(service)@\(day)") { return true }
        if removed.contains("\(service)@\(day)") { return false }
        guard let week = weeks[service] else { return false }
        return week.start <= day && day <= week.end && week.days[weekday(day)]
    }

    /// The number of trips on a day.
    func trips(on day: Int) -> Int {
        tripsOf.reduce(0) { $0 + (runs($1.key, on: day) ? $1.value : 0) }
    }

    /// The first and the last day of the calendar.
    var span: (first: Int, last: Int) {
        let days = weeks.values.flatMap { [$0.start, $0.end] } + addedDays
        return (days.min() ?? 0, days.max() ?? 0)
    }

    // MARK: Departures

    /// Every departure of every stop between two moments, by stop.
    func departures(from: Int, until end: Int) -> [String: [Run]] {
        var found: [String: [Run]] = [:]
        let parts = calendar.dateComponents(
            [.year, .month, .day], from: Date(timeIntervalSince1970: Double(from)))
        let today = (parts.year ?? 0) * 10_000 + (parts.month ?? 0) * 100 + (parts.day ?? 0)
        for shift in -4...3 {
            let day = day(today, plus: shift)
            let reference = moment(day, 12, 0) - 43_200
            var running: [String: Bool] = [:]
            for (place, trip) in trips.enumerated() {
                let isRunning = running[trip.service] ?? runs(trip.service, on: day)
                running[trip.service] = isRunning
                guard isRunning else { continue }
                let first = trip.calls[0].departure ?? 0
                let last = trip.calls[trip.calls.count - 1].departure ?? 0
                for start in trip.starts
                where reference + start + last - first >= from && reference + start < end + 1 {
                    for (index, call) in trip.calls.enumerated().dropLast() where call.pickup != "1" {
                        let scheduled = start + (call.departure ?? 0) - first
                        let time = reference + scheduled
                        guard time >= from, time < end else { continue }
                        found[call.stop, default: []].append(
                            Run(
                                time: time, route: trip.route, trip: trip.id, stop: call.stop,
                                scheduled: scheduled, day: day, start: start, place: place,
                                index: index))
                    }
                }
            }
        }
        return found
    }

    /// The first departures of a stop with its parts: one row per run of a trip and visit, by time, route, trip.
    func board(_ stop: String, of all: [String: [Run]], limit: Int) -> [Departure] {
        var seen: Set<String> = []
        var rows: [Run] = []
        let parts = groups[stop] ?? []
        let candidates = parts.sorted().flatMap { all[$0] ?? [] }.sorted { $0.time < $1.time }
        // A visit begins with the first of the calls at these stops that no other stop is between.
        func visit(_ row: Run) -> Int {
            let calls = trips[row.place].calls
            return (0...row.index).reversed().prefix { parts.contains(calls[$0].stop) }.last ?? row.index
        }
        // The same run: the same trip on the same day, which left its first stop at the same time.
        for row in candidates
        where seen.insert("\(row.trip)|\(row.day)|\(row.start)|\(visit(row))").inserted {
            rows.append(row)
        }
        rows.sort { left, right in
            if left.time != right.time { return left.time < right.time }
            let (first, second) = (routes[left.route].name, routes[right.route].name)
            if first.lowercased() != second.lowercased() { return Self.isBefore(first, second) }
            if first != second { return first < second }
            return left.trip == right.trip ? left.scheduled < right.scheduled : left.trip < right.trip
        }
        return rows.prefix(limit).map { row in
            Departure(
                time: row.time, route: routes[row.route].name, trip: row.trip, stop: row.stop,
                scheduled: Self.clock(row.scheduled), day: "\(row.day)")
        }
    }

    private static func clock(_ seconds: Int) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(padded(seconds / 3600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
    }

    /// A name as runs of digits and of other characters, in natural order: numbers by value, and before
    /// letters.
    private static func pieces(_ name: String) -> [(isNumber: Bool, text: String)] {
        var pieces: [(isNumber: Bool, text: String)] = []
        for character in name.lowercased() {
            let isNumber = character.isASCII && character.isNumber
            if pieces.last?.isNumber == isNumber {
                pieces[pieces.count - 1].text.append(character)
            } else {
                pieces.append((isNumber, String(character)))
            }
        }
        return pieces
    }

    private static func isBefore(_ left: String, _ right: String) -> Bool {
        if left.isEmpty || right.isEmpty { return right.isEmpty }
        let (a, b) = (pieces(left), pieces(right))
        for (one, other) in zip(a, b) {
            if one.isNumber != other.isNumber { return one.isNumber }
            if one.isNumber, let x = Int(one.text), let y = Int(other.text), x != y { return x < y }
            // A text that goes on where the other has a number comes after it.
            if !one.isNumber, one.text != other.text {
                let (x, y) = (Array(one.text.utf8), Array(other.text.utf8))
                if x.starts(with: y) || y.starts(with: x) {
                    return x.count < y.count
                }
                return x.lexicographicallyPrecedes(y)
            }
        }
        return a.count < b.count
    }
}
