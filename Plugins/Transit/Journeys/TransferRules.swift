import GRDB
import PluginKit
import TrailStores

/// The rules of transfers.txt for some routes or trips. Of several rules for a change the most specific one
/// counts (GTFS Schedule, *transfers.txt*): both trips, a trip and a route, a trip, both routes, a route.
struct TransferRules: Sendable {
    /// A side of a rule; `nil` stands for any.
    struct Side: Sendable, Hashable {
        var stop: Int64
        var route: Int64?
        var trip: Int64?
    }

    struct Rule: Sendable {
        var from: Side
        var to: Side
        /// 0 recommended, 1 timed, 2 requires time, 3 not possible.
        var type: Int
        var seconds: Int32?

        /// 1 for the most specific rules.
        var rank: Int {
            switch ([from.trip, to.trip].count { $0 != nil }, [from.route, to.route].count { $0 != nil }) {
            case (2, _): 1
            case (1, _) where from.trip != nil ? to.route != nil : from.route != nil: 2
            case (1, _): 3
            case (0, 2): 4
            default: 5
            }
        }
    }

    /// The most specific ones first; of equal ones those of stops before those of stations.
    private(set) var rules: [Rule] = []
    /// The rules by the stops of their sides, platforms of stations included.
    private(set) var fromStop: [Int64: [Int]] = [:]
    private(set) var toStop: [Int64: [Int]] = [:]

    var isEmpty: Bool { rules.isEmpty }

    init() {}

    init(_ feed: Feed) throws {
        guard feed.layout.hasTransferRules else { return }
        let found = try feed.read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT x.from_sid, x.to_sid, x.from_rid, x.to_rid, a.rowid, b.rowid, x.transfer_type,
                  x.min_transfer_time, x.from_trip IS NOT NULL AND a.rowid IS NULL OR x.to_trip IS NOT NULL AND b.rowid IS NULL
                  FROM transfer_rules x LEFT JOIN \(feed.layout.trips) a ON a.trip_id = x.from_trip
                  LEFT JOIN \(feed.layout.trips) b ON b.trip_id = x.to_trip ORDER BY x.rowid
                """)
            var found: [Rule] = []
            func number(_ column: Int32) -> Int64? {
                rows.isNull(column) ? nil : rows.integer(column)
            }
            while try rows.next() {
                // A trip that was set aside has no changes.
                if rows.integer(8) != 0 { continue }
                found.append(
                    Rule(
                        from: Side(stop: rows.integer(0), route: number(2), trip: number(4)),
                        to: Side(stop: rows.integer(1), route: number(3), trip: number(5)),
                        type: Int(rows.integer(6)),
                        seconds: number(7).map { Int32(ServiceDay.clamped($0)) }))
            }
            return found
        }
        guard !found.isEmpty else { return }
        var parts: [Int64: [Int64]] = [:]
        for stop in Set(found.flatMap { [$0.from.stop, $0.to.stop] }) {
            guard let record = try feed.stops.rows([stop]).first else { continue }
            parts[stop] = try feed.stops.parts(of: record)
        }
        func width(_ rule: Rule) -> Int {
            (parts[rule.from.stop]?.count ?? 1) + (parts[rule.to.stop]?.count ?? 1)
        }
        rules = found.enumerated().sorted {
            ($0.element.rank, width($0.element), $0.offset) < ($1.element.rank, width($1.element), $1.offset)
        }.map(\.element)
        for (index, rule) in rules.enumerated() {
            for stop in parts[rule.from.stop] ?? [] { fromStop[stop, default: []].append(index) }
            for stop in parts[rule.to.stop] ?? [] { toStop[stop, default: []].append(index) }
        }
    }

    /// The rules about changes from a trip at a stop, by their indexes.
    func from(_ stop: Int64, route: Int64, trip: Int64) -> [Int] {
        (fromStop[stop] ?? []).filter { rules[$0].from.fits(route, trip) }
    }

    /// The rules about changes to a trip at a stop, by their indexes.
    func to(_ stop: Int64, route: Int64, trip: Int64) -> [Int] {
        (toStop[stop] ?? []).filter { rules[$0].to.fits(route, trip) }
    }
}

extension TransferRules.Side {
    fileprivate func fits(_ route: Int64, _ trip: Int64) -> Bool {
        // A trip is of one route: with a trip the route says nothing more.
        if let own = self.trip { return own == trip }
        return self.route.map { $0 == route } ?? true
    }
}

/// Changes for some routes or trips: where a rule is about a call, the call has a place of its own beside its
/// stop, which has the same walks but for the rule.
extension JourneyNetwork {
    /// A stop as the trips see it that the same rules are about.
    struct Place: Sendable, Hashable {
        var stop: Int32
        var from: [Int]
        var to: [Int]
    }

    /// The key of a call with a place of its own.
    struct PlacedCall: Sendable, Hashable {
        var stop: Int32
        var trip: Int64
    }

    /// Gives calls that rules are about places of their own. Trips of a line with different places become
    /// lines of their own.
    mutating func split(by rules: TransferRules, _ feed: Feed) throws {
        guard !rules.isEmpty else { return }
        let platforms = try siblings(rules, feed)
        var made: [Line] = []
        for line in lines {
            try Interruption.check()
            let others = Set(line.stops.flatMap { platforms[$0] ?? [] }).sorted()
            guard !others.isEmpty || line.stops.contains(where: { rules.isAbout(numbers[Int($0)]) }) else {
                made.append(line)
                continue
            }
            var groups: [[Int32]: Int] = [:]
            for trip in line.trips {
                for stop in others {
                    let own = rules.place(stop, numbers[Int(stop)], of: trip.row, on: line.route)
                    if let own { _ = add(own) }
                }
                let stops = line.stops.map { place($0, of: trip.row, on: line.route, rules) }
                if let known = groups[stops] {
                    made[known].trips.append(trip)
                } else {
                    var own = line
                    (own.stops, own.trips) = (stops, [trip])
                    groups[stops] = made.count
                    made.append(own)
                }
            }
        }
        lines = made
    }

    private mutating func place(
        _ stop: Int32, of trip: Int64, on route: Int64, _ rules: TransferRules
    ) -> Int32 {
        guard let place = rules.place(stop, numbers[Int(stop)], of: trip, on: route) else { return stop }
        let found = add(place)
        placed[PlacedCall(stop: stop, trip: trip)] = found
        return found
    }

    /// For each platform those of its station that rules are about: realtime messages may move a trip to any of them.
    private func siblings(_ rules: TransferRules, _ feed: Feed) throws -> [Int32: [Int32]] {
        let records = try feed.stops.rows(numbers)
        var groups: [String: [Int32]] = [:]
        for record in records {
            if let parent = record.parent, let stop = index[record.number] {
                groups[parent, default: []].append(stop)
            }
        }
        return Dictionary(
            groups.values.flatMap { group -> [(Int32, [Int32])] in
                let ruled = group.filter { rules.isAbout(numbers[Int($0)]) }
                return ruled.isEmpty ? [] : group.map { stop in (stop, ruled.filter { $0 != stop }) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The place of a trip at a stop, also at a platform to which a message moves it.
    func place(at stop: Int32, of trip: Int64?, on route: Int64?) -> Int32 {
        guard let trip else { return stop }
        if let known = placed[PlacedCall(stop: stop, trip: trip)] { return known }
        guard !rules.isEmpty, let route else { return stop }
        return rules.place(stop, numbers[Int(stop)], of: trip, on: route).flatMap { placeIndex[$0] } ?? stop
    }

    /// The walks of places: those of their stops, with the most specific rule that is about both ends.
    mutating func addPlaces(to found: inout [[Int32: Walk]], _ rules: TransferRules) {
        guard !places.isEmpty else { return }
        let stops = found.count
        var copies: [[Int32]] = Array(repeating: [], count: stops)
        for (index, place) in places.enumerated() { copies[Int(place.stop)].append(Int32(stops + index)) }
        let between = found
        for place in places { found.append(between[Int(place.stop)]) }
        for node in found.indices {
            let from = node < stops ? Place(stop: Int32(node), from: [], to: []) : places[node - stops]
            for (stop, walk) in between[Int(from.stop)] {
                for copy in copies[Int(stop)] {
                    var own = walk
                    own.stop = copy
                    found[node][copy] = own
                }
            }
            guard !from.from.isEmpty else { continue }
            for (index, to) in places.enumerated() {
                guard let best = from.from.first(where: to.to.contains) else { continue }
                let node = (from: node, to: Int32(stops + index))
                found[node.from][node.to] = walk(
                    rules.rules[best], between[Int(from.stop)][to.stop], from: from.stop, to: to.stop, node.to
                )
            }
        }
    }

    /// The change by a rule; `nil` if it is not possible.
    private func walk(
        _ rule: TransferRules.Rule, _ known: Walk?, from: Int32, to: Int32, _ place: Int32
    ) -> Walk? {
        if rule.type == 3 { return nil }
        if let seconds = rule.seconds ?? (rule.type == 1 ? 0 : nil) {
            return Walk(stop: place, seconds: seconds, kind: .rule)
        }
        if var own = known {
            own.stop = place
            return own
        }
        guard let metres = metres(Int(from), Int(to)) else { return nil }
        return Walk(
            stop: place, seconds: JourneySettings.change + JourneySettings.seconds(metres), kind: .rule)
    }
}

extension TransferRules {
    /// A stop as a trip sees it that rules are about; `nil` without such rules.
    func place(_ stop: Int32, _ number: Int64, of trip: Int64, on route: Int64) -> JourneyNetwork.Place? {
        guard isAbout(number) else { return nil }
        let place = JourneyNetwork.Place(
            stop: stop, from: from(number, route: route, trip: trip),
            to: to(number, route: route, trip: trip))
        return place.from.isEmpty && place.to.isEmpty ? nil : place
    }

    /// Whether a rule is about a stop.
    func isAbout(_ stop: Int64) -> Bool { fromStop[stop] != nil || toStop[stop] != nil }
}
