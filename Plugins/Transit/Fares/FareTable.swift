import Foundation
import GRDB
import PluginKit
import TrailStores

/// A fare as a value.
struct FareObject: FieldedObject {
    let id: String
    let name: String?
    /// As written in the feed.
    let amount: String
    let currency: String
    let terms: String?
    let agency: String?
    /// How often one may change with it, `Int.max` for any number; `nil` if unknown.
    var transfers: Int?
    /// Seconds after which no further ride may begin.
    var duration: Int?
    /// Whether any rider may buy it, and the card, app or the like that it is bought with; `nil` for any.
    var isForAnyone = true
    var medium: String?
    /// The times at which it is valid for the ride asked, and whether the ride is known to be within them.
    var times: String?
    var isAtTime = false

    /// The amount as a number; `nil` for a text such as `1,250`, of which `Decimal` would read the first digits alone.
    var price: Decimal? { amount.hasPrefix("-") ? nil : signedPrice }

    /// The same of a product, which for a transfer may be negative.
    var signedPrice: Decimal? { Self.price(of: amount) }

    /// An amount as a number; `nil` if it is none.
    static func price(of amount: String) -> Decimal? {
        let digits = amount.hasPrefix("-") ? amount.dropFirst() : amount[...]
        let isNumber = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isNumber, Double(amount) != nil else { return nil }
        return Decimal(string: amount, locale: Locale(identifier: "en_US_POSIX"))
    }

    let typeName = "fare"

    static let fields = FieldTable<Self> {
        Field(column: "fare") { .text($0.id) }
        Field(column: "price") {
            Double($0.amount).map { .number($0) } ?? ($0.isMissing ? .nothing : .text($0.amount))
        }
        Field(column: "currency") { .text($0.currency) }
        Field(column: "name") { Value($0.name, Value.text) }
        Field(column: "terms") { Value($0.terms, Value.text) }
        Field(column: "agency") { Value($0.agency, Value.text) }
        Field("times") { Value($0.times, Value.text) }
    }

    /// Whether a rule names it and the feed does not have it.
    var isMissing: Bool { amount.isEmpty }

    /// Why its price is unknown.
    var unknownPrice: String {
        isMissing
            ? "the feed has no product \(id)" : "the price of \(id), `\(amount)`, is not a number"
    }

    /// `2.50 EUR (Day pass, reduced, 06:00–09:00)`
    var words: String {
        if signedPrice == nil { return "unknown: \(unknownPrice)" + (times.map { " (\($0))" } ?? "") }
        let facts = [name, terms, times].compactMap { $0 }.filter { !$0.isEmpty }
        return "\(amount) \(currency)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
    }

    var summary: String { words }
}

/// A rule of a fare; `nil` where it names nothing.
struct FareRule: Sendable {
    var fare: Int
    var kind: FareKind
    var route: Int64?
    var network: String?
    var origin: String?
    var destination: String?
    var contains: String?
    var priority: Int?
    var times: String?
    /// The group of its legs, and the timeframes of their departures and arrivals.
    var group: String?
    var departs: String?
    var arrives: String?
}

/// The fares of a timetable, and which of them are valid for a ride, or for several one after another.
struct FareTable: Sendable {
    private typealias Rule = FareRule

    /// A stop in one generation of fares.
    private struct Place: Hashable {
        var stop: Int64
        var kind: FareKind
    }

    private(set) var fares: [FareObject] = []
    /// The most decimals of a price.
    private(set) var decimals = 0
    /// The rules for times and transfers of fare_leg_rules.txt; `nil` in a file of an earlier version, which has none of them.
    private(set) var legs: LegFares?
    private(set) var feeds: [Int] = []
    private var rules: [Rule] = []
    private var zones: [Place: Set<String>] = [:]
    private(set) var networks: [Int64: Set<String>] = [:]
    /// What rules name: an empty field stands for all others.
    private var named: (networks: Set<String>, origins: Set<String>, destinations: Set<String>) = ([], [], [])

    var isEmpty: Bool { fares.isEmpty }

    /// Reads the fares; none from a file without them.
    init(_ feed: Feed) throws {
        try feed.read { db in
            // Another program's tables have the columns of the feed.
            for table in ["fares", "fare_rules", "fare_zones", "route_networks"] {
                guard try db.tableExists(table) else { return }
            }
            let columns = Set(try db.columns(in: "fares").map(\.name))
            guard columns.isSuperset(of: ["fare", "feed", "terms"]) else { return }
            let changes =
                columns.isSuperset(of: ["transfers", "duration"]) ? "transfers, duration" : "NULL, NULL"
            let isWhole = columns.isSuperset(of: ["anyone", "medium"])
            let buyers = isWhole ? "anyone, medium" : "1, NULL"
            let rows = try RawStatement(
                db,
                """
                SELECT fare_id, name, amount, currency, terms, agency_id, feed, \(changes), \(buyers) FROM fares
                  ORDER BY fare
                """)
            while try rows.next() {
                fares.append(
                    FareObject(
                        id: rows.text(0) ?? "", name: rows.text(1), amount: rows.text(2) ?? "",
                        currency: rows.text(3) ?? "", terms: rows.text(4), agency: rows.text(5),
                        transfers: rows.isNull(7)
                            ? nil : rows.integer(7) < 0 ? .max : Int(rows.integer(7)),
                        duration: rows.isNull(8) ? nil : Int(rows.integer(8)),
                        isForAnyone: rows.integer(9) != 0, medium: rows.text(10)))
                feeds.append(max(0, Int(rows.integer(6)) - 1))
            }
            let ruled = try RawStatement(
                db,
                """
                SELECT fare, kind, rid, network, origin, destination, contains, priority, times,
                  \(isWhole ? "leg_group, departs, arrives" : "NULL, NULL, NULL") FROM fare_rules ORDER BY rowid
                """)
            while try ruled.next() {
                guard let kind = FareKind(rawValue: Int(ruled.integer(1))) else { continue }
                rules.append(
                    Rule(
                        fare: Int(ruled.integer(0)) - 1, kind: kind,
                        route: ruled.isNull(2) ? nil : ruled.integer(2), network: ruled.text(3),
                        origin: ruled.text(4), destination: ruled.text(5), contains: ruled.text(6),
                        priority: ruled.isNull(7) ? nil : Int(ruled.integer(7)), times: ruled.text(8),
                        group: ruled.text(9), departs: ruled.text(10), arrives: ruled.text(11)))
            }
            let placed = try RawStatement(db, "SELECT sid, kind, zone FROM fare_zones")
            while try placed.next() {
                guard let kind = FareKind(rawValue: Int(placed.integer(1))), let zone = placed.text(2) else {
                    continue
                }
                zones[Place(stop: placed.integer(0), kind: kind), default: []].insert(zone)
            }
            let joined = try RawStatement(db, "SELECT rid, network FROM route_networks")
            while try joined.next() {
                if let network = joined.text(1) { networks[joined.integer(0), default: []].insert(network) }
            }
            if isWhole { legs = try LegFares(db, feed.calendar, fares: fares.count) }
        }
        rules.removeAll { !fares.indices.contains($0.fare) }
        decimals =
            fares.map { $0.amount.split(separator: ".").dropFirst().first?.count ?? 0 }.max() ?? 0
        for rule in rules where rule.kind == .legs {
            if let group = rule.group { legs?.groups.insert(group) }
            if let network = rule.network { named.networks.insert(network) }
            if let origin = rule.origin { named.origins.insert(origin) }
            if let destination = rule.destination { named.destinations.insert(destination) }
        }
    }

    /// The fares that rules have for a line, whatever its stops.
    func fares(ofRoute number: Int64, _ route: Feed.Route) -> [FareObject] {
        unique(
            rules.filter { rule in
                isValid(rule, route) && (rule.route.map { $0 == number } ?? true)
                    && (rule.kind == .zones
                        || fits(rule.network, networks[number] ?? [], named.networks, rule))
            })
    }

    /// The fares of a ride on a line, from the first of its stops to the last, between two instants if they are known.
    func fares(
        ofRoute number: Int64, _ route: Feed.Route, stops: [StopRecord], during span: ClosedRange<Int>? = nil,
        _ feed: Feed
    ) throws -> [FareObject] {
        guard let first = stops.first, let last = stops.last, !rules.isEmpty else { return [] }
        let byZones = rules.filter { rule in
            rule.kind == .zones && isValid(rule, route) && rule.contains == nil
                && (rule.route.map { $0 == number } ?? true)
                && (rule.origin.map { zones(first, .zones).contains($0) } ?? true)
                && (rule.destination.map { zones(last, .zones).contains($0) } ?? true)
        }
        let passed = Set(stops.flatMap { zones($0, .zones) })
        // A fare with zones to pass is valid if the ride passes just these.
        let containing = Dictionary(
            grouping: rules.filter {
                $0.kind == .zones && $0.contains != nil && isValid($0, route)
                    && ($0.route.map { $0 == number } ?? true)
            }, by: \.fare
        ).filter { Set($0.value.compactMap(\.contains)) == passed }.sorted { $0.key < $1.key }
            .compactMap(\.value.first)
        let legs = try legRules(ofRoute: number, route, stops: stops, during: span, feed)
        return unique(byZones + containing + legs.rules, atTime: legs.isAtTime)
    }

    /// The rules of fare_leg_rules.txt for a ride: those whose times are unknown stay, and `isAtTime` is false then.
    func legRules(
        ofRoute number: Int64, _ route: Feed.Route, stops: [StopRecord], during span: ClosedRange<Int>?,
        _ feed: Feed
    ) throws -> (rules: [FareRule], isAtTime: Bool) {
        guard let first = stops.first, let last = stops.last else { return ([], false) }
        let (from, to) = (try areas(first, feed), try areas(last, feed))
        var found = rules.filter { rule in
            rule.kind == .legs && isValid(rule, route)
                && fits(rule.network, networks[number] ?? [], named.networks, rule)
                && fits(rule.origin, from, named.origins, rule)
                && fits(rule.destination, to, named.destinations, rule)
        }
        var isAtTime = span != nil && legs != nil
        if let span, let legs {
            let zone = feed.zone(ofRoute: number)
            found = found.filter { rule in
                let ends = [(rule.departs, span.lowerBound), (rule.arrives, span.upperBound)]
                let verdicts = ends.map { frame, time in
                    frame.map { legs.isWithin($0, time, in: zone, feed) } ?? true
                }
                if verdicts.contains(false) { return false }
                if verdicts.contains(nil) { isAtTime = false }
                return true
            }
        }
        if let best = found.compactMap(\.priority).max() { found = found.filter { $0.priority == best } }
        return (found, isAtTime)
    }

    /// Whether the rides of a feed are paid by fare_leg_rules.txt.
    func hasLegRules(ofFeed feed: Int) -> Bool {
        rules.contains { $0.kind == .legs && feeds[$0.fare] == feed }
    }

    /// The tickets of fare_attributes.txt that are valid on each of some consecutive rides: from the first stop of all to the
    /// last, or where they pass just the zones of the ticket.
    func tickets(_ lines: [(number: Int64, route: Feed.Route)], stops: [[StopRecord]]) -> [FareObject] {
        guard let start = stops.first?.first, let end = stops.last?.last else { return [] }
        let (from, to) = (zones(start, .zones), zones(end, .zones))
        let passed = Set(stops.joined().flatMap { zones($0, .zones) })
        func isOn(_ rule: Rule, _ line: (number: Int64, route: Feed.Route)) -> Bool {
            isValid(rule, line.route) && (rule.route.map { $0 == line.number } ?? true)
        }
        // Of the fares of a large feed few are about a line, and each ticket is about the first one.
        guard let first = lines.first else { return [] }
        var possible: Set<Int> = []
        for rule in rules where rule.kind == .zones && isOn(rule, first) { possible.insert(rule.fare) }
        var about: [Int: [Rule]] = [:]
        for rule in rules where rule.kind == .zones && possible.contains(rule.fare) {
            about[rule.fare, default: []].append(rule)
        }
        func isPlain(_ rule: Rule) -> Bool {
            guard rule.contains == nil else { return false }
            if let origin = rule.origin, !from.contains(origin) { return false }
            if let destination = rule.destination, !to.contains(destination) { return false }
            return true
        }
        func isTicket(_ rules: [Rule]) -> Bool {
            let plain = rules.filter(isPlain)
            let containing = rules.filter { $0.contains != nil }
            let isAround = !containing.isEmpty && Set(containing.compactMap(\.contains)) == passed
            return lines.allSatisfy { line in
                plain.contains { isOn($0, line) } || isAround && containing.contains { isOn($0, line) }
            }
        }
        return about.keys.sorted().filter { isTicket(about[$0] ?? []) }.map { fares[$0] }
    }

    private func isValid(_ rule: Rule, _ route: Feed.Route) -> Bool {
        feeds[rule.fare] == route.feed
            && (fares[rule.fare].agency.map { $0 == route.agencyID } ?? true)
    }

    /// Whether a field of a rule is about one of some areas or networks. An empty one is about those that no rule names, or
    /// about all where rules have priorities.
    private func fits(_ field: String?, _ own: Set<String>, _ named: Set<String>, _ rule: Rule) -> Bool {
        if let field { return own.contains(field) }
        return rule.priority != nil || own.isDisjoint(with: named)
    }

    private func zones(_ stop: StopRecord, _ kind: FareKind) -> Set<String> {
        zones[Place(stop: stop.number, kind: kind)] ?? []
    }

    /// The areas of a stop are those of its station too.
    private func areas(_ stop: StopRecord, _ feed: Feed) throws -> Set<String> {
        let station = try stop.parent.flatMap { try feed.stops.with(id: $0) }
        return zones(stop, .legs).union(station.map { zones($0, .legs) } ?? [])
    }

    /// The fares of rules, each once, cheapest first; those in each currency together, as numbers of different ones are no order.
    private func unique(_ rules: [Rule], atTime: Bool = false) -> [FareObject] {
        var seen: Set<String> = []
        return rules.map { rule -> FareObject in
            var fare = fares[rule.fare]
            (fare.times, fare.isAtTime) = (rule.times, atTime)
            return fare
        }.filter { seen.insert("\($0.id)|\($0.words)").inserted }
            .sorted {
                ($0.currency, Double($0.amount) ?? 0, $0.id, $0.words)
                    < ($1.currency, Double($1.amount) ?? 0, $1.id, $1.words)
            }
    }
}

extension Feed {
    /// The fares, read on first use.
    var fares: FareTable {
        get throws {
            if let known = knownFares.withLock({ $0 }) { return known }
            let made = try FareTable(self)
            knownFares.withLock { $0 = made }
            return made
        }
    }
}
