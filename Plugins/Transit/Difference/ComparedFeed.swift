import CivilTime
import Foundation
import Geodesy
import PluginKit

/// The parts of a timetable that are compared: stops, lines and trips by the identifiers of their feed, and
/// the runs of each service.
struct ComparedFeed {
    /// A trip by its properties.
    struct Trip {
        var route: String
        /// The number of its pattern; patterns of another feed with the same calls share it.
        var pattern: Int
        var start: Int
        var service: Int?
        var headsign: String
        var wheelchair: Int?
        /// Starts and headways of a frequency-based trip.
        var runs: [Run]
    }

    /// A run of a trip.
    struct Run: Hashable {
        var start: Int
        var headway: Int?
    }

    /// A run as a passenger sees it.
    struct Journey: Hashable {
        var pattern: Int
        var start: Int
    }

    /// Calls of a line with their times after the start.
    struct Pattern: Hashable {
        var route: String
        var stops: [String]
        var arrivals: [Int]
        var departures: [Int]
    }

    /// Numbers patterns of both timetables.
    struct Patterns {
        private(set) var all: [Pattern] = []
        private var numbers: [Pattern: Int] = [:]

        mutating func number(of pattern: Pattern) -> Int {
            if let known = numbers[pattern] { return known }
            numbers[pattern] = all.count
            all.append(pattern)
            return all.count - 1
        }
    }

    let feed: Feed
    var stops: [String: StopRecord] = [:]
    var routes: [String: Feed.Route] = [:]
    var trips: [String: Trip] = [:]
    /// The number of times each service makes each run.
    private(set) var services: [[Journey: Int]] = []

    /// Reads a timetable; its patterns are numbered in a table that both timetables share.
    init(_ feed: Feed, _ patterns: inout Patterns) throws {
        self.feed = feed
        services = Array(repeating: [:], count: feed.calendar.count)
        for stop in try feed.stops.all() { stops[stop.id] = stop }
        var numbers: [Int64: Int] = [:]
        let ids = Dictionary(stops.values.map { ($0.number, $0.id) }, uniquingKeysWith: { first, _ in first })
        for (key, route) in feed.routes.sorted(by: { $0.key < $1.key }) {
            routes[route.id] = route
            for record in try feed.trips.of(route: key) {
                let number: Int
                if let known = numbers[record.pattern] {
                    number = known
                } else {
                    let calls = try feed.trips.calls(ofPattern: record.pattern)
                    number = patterns.number(
                        of: Pattern(
                            route: route.id, stops: calls.map { ids[$0.stop] ?? "" },
                            arrivals: calls.map(\.arrival), departures: calls.map(\.departure)))
                    numbers[record.pattern] = number
                }
                try add(record, route.id, number)
            }
        }
    }

    private mutating func add(_ record: TripRecord, _ route: String, _ pattern: Int) throws {
        let runs = try feed.trips.starts(of: record).map { Run(start: $0.start, headway: $0.headway) }
        let service = feed.calendar.services.find(record.service)
        trips[record.id] = Trip(
            route: route, pattern: pattern, start: record.start, service: service,
            headsign: record.headsign ?? "", wheelchair: record.wheelchair,
            runs: record.isFrequency ? runs : [])
        guard let service else { return }
        for run in runs {
            services[service][Journey(pattern: pattern, start: run.start), default: 0] += 1
        }
    }

    /// The runs of the services that run on a day, with their counts.
    func journeys(of active: ActiveServices) -> [Journey: Int] {
        var all: [Journey: Int] = [:]
        for service in services.indices where active.runs[service] {
            if all.isEmpty {
                all = services[service]
            } else {
                all.merge(services[service], uniquingKeysWith: +)
            }
        }
        return all
    }

    /// The days of a range on which a service runs.
    func days(of service: Int?, in range: [CivilDate]) -> [CivilDate] {
        guard let service else { return [] }
        return range.filter { feed.services(on: $0).runs[service] }
    }
}
