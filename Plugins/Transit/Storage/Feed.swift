import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import Synchronization
import TrailStores

/// A timetable open for reading.
package final class Feed: Sendable {
    /// The name of its file.
    let name: String
    /// The tables and columns for queries.
    let layout: FeedLayout
    /// The zone of its times; for several feeds that of the first.
    package let zone: TimeZone
    /// The zones of its feeds, each once.
    let zones: [TimeZone]
    /// The feeds that it was imported from; empty if the file does not record them.
    let origins: [FeedOrigin]
    /// Whether the file names its zone.
    let isZoneKnown: Bool
    /// The rows of `metadata`.
    let metadata: [String: String]
    /// The routes by their numbers.
    let routes: [Int64: Route]
    /// The greatest departure time of a service day, in seconds.
    let latest: Int
    /// The services of each day.
    let calendar: ServiceCalendar
    /// The days that it knows.
    let coverage: FeedCoverage
    /// What its import set aside.
    let setAside: SetAside
    private let connection: StoreConnection
    private let active = Mutex<[Int: ActiveServices]>([:])
    private let similar = Mutex<SimilarNames?>(nil)
    /// The cached runs of patterns.
    let patternRuns = Mutex(CachedRuns())
    /// Stops of the last regions, by their numbers.
    let regionStops = Mutex<[Int64: StopRecord]>([:])
    /// The journey network, and the runs of the days last searched, forwards and backwards.
    let journeyNetwork = Mutex<[Bool: JourneyNetwork]>([:])
    let journeyDays = Mutex<[Bool: (key: JourneyDaysKey, days: JourneyDays)]>([:])
    /// The memories of the last searches for journeys.
    let journeyMemory = Mutex<[RaptorMemory]>([])
    /// The runs of the message last used.
    let liveTimetable = Mutex<(snapshot: RealtimeSnapshot, timetable: LiveTimetable)?>(nil)
    /// The stops that messages brought along.
    let messageStops = Mutex(MessageStops())
    let knownBlocks = Mutex<Blocks?>(nil)
    let knownFares = Mutex<FareTable?>(nil)
    let knownRequestZones = Mutex<[Int64: FlexZone]?>(nil)
    /// The languages of its translations with their numbers of texts.
    let languages: [(language: String, count: Int)]
    /// The texts in the language chosen.
    let translation: FeedTranslation?

    /// A route of the timetable.
    struct Route: Sendable {
        var id: String
        var shortName: String
        var longName: String
        var type: Int
        var color: String?
        /// Its rank in the order of names.
        var rank: Int32
        /// The zone of its feed; `nil` for that of the timetable.
        var zone: TimeZone?
        /// The index of its feed among several.
        var feed = 0
        /// The identifier and the name of its agency; `nil` if the file does not have them.
        var agencyID: String?
        var agency: String?
        /// Whether a line of another agency has the same name.
        var isNamesake = false

        /// Its name, with the agency if another agency's line has the same name.
        var label: String { isNamesake ? name + (agency.map { " (\($0))" } ?? "") : name }

        /// Its short or its long name; the identifier of a line without a name.
        var name: String { shortName.isEmpty ? longName.isEmpty ? id : longName : shortName }
    }

    /// Opens a database; `fallback` is the zone if it names none. Names are in a language if the file has it.
    package init(_ url: URL, isOwn: Bool, fallback: TimeZone, language: String? = nil) throws {
        name = url.lastPathComponent
        connection = try StoreConnection(url, access: isOwn ? .ownReading : .foreign)
        let file = name
        let facts: OpenedFacts
        do {
            // Not in a transaction: temporary tables are created.
            facts = try connection.queue.inDatabase { db in
                var layout = try FeedLayout.prepare(db, file: file)
                let languages = try FeedTranslation.languages(db)
                layout.translation = try language.flatMap { language in
                    try languages.contains { $0.language == language }
                        ? FeedTranslation(db, language) : nil
                }
                let metadata = try Self.readMetadata(db)
                let origins = try Self.readOrigins(db, file: file)
                return (
                    layout, metadata, try Self.readRoutes(db, origins, layout.translation),
                    try Self.readCalendar(db), try Self.readLatest(db, layout, metadata), origins, languages,
                    try SetAside(db)
                )
            }
        } catch {
            throw StoreErrors.wrap(error, path: file)
        }
        (layout, metadata, routes, calendar, latest, origins, languages, setAside) = facts
        translation = layout.translation
        func day(_ key: String) -> CivilDate? { facts.metadata[key].flatMap(CivilDate.init(text:)) }
        coverage = FeedCoverage(
            span: calendar.span, from: day(TransitSchema.Key.validFrom),
            until: day(TransitSchema.Key.validUntil), feeds: origins.count > 1 ? origins : [])
        let named = metadata[TransitSchema.Key.timezone]
        if let named, TimeZone(databaseName: named) == nil {
            throw TransitErrors.zone("\(file): unknown time zone `\(named)`")
        }
        isZoneKnown = named != nil
        let first = named.flatMap { TimeZone(databaseName: $0) } ?? fallback
        zone = first
        var zones = [first]
        for other in routes.values.compactMap(\.zone).sorted(by: { $0.identifier < $1.identifier })
        where !zones.contains(other) { zones.append(other) }
        self.zones = zones
    }

    private typealias OpenedFacts = (
        layout: FeedLayout, metadata: [String: String], routes: [Int64: Route], calendar: ServiceCalendar,
        latest: Int, origins: [FeedOrigin], languages: [(language: String, count: Int)], setAside: SetAside
    )

    // MARK: Readers

    /// Its stops.
    package var stops: StopTable { StopTable(feed: self) }

    /// Its stops by name and code.
    package var names: StopNames { StopNames(feed: self) }

    /// Its trips.
    var trips: TripTable { TripTable(feed: self) }

    /// Its shapes.
    var shapes: ShapeTable { ShapeTable(feed: self) }

    /// That some agencies of a feed state another time zone than the one in which their times are read.
    func zoneNotes(_ agencies: some Sequence<String?>) -> [String] {
        let named = Set(agencies.compactMap { $0 })
        return AgencyZone.all(metadata[TransitSchema.Key.otherZones] ?? "").filter {
            named.contains($0.agency)
        }
        .map {
            "the feed states \($0.zone) for \($0.agency); its times are read as those of the first agency's zone"
        }
    }

    /// The number of rules of transfers.txt for routes or trips, which are not used.
    var skippedTransferRules: Int {
        metadata[TransitSchema.Key.skippedTransfers].flatMap { Int($0) } ?? 0
    }

    // MARK: Times and services

    /// The instant of a written time: in the zone of the stops if it has no offset; now if it is missing.
    func moment(_ written: WrittenTime?, _ context: Context, in zone: TimeZone? = nil) -> Timestamp {
        written?.moment(now: context.clock.now, in: zone ?? self.zone) ?? context.clock.now
    }

    /// The zone of a route's times.
    func zone(ofRoute route: Int64) -> TimeZone { routes[route]?.zone ?? zone }

    /// Reads in one transaction.
    package func read<T>(_ body: (Database) throws -> T) throws -> T { try connection.read(body) }

    /// The services of a day; cached.
    func services(on date: CivilDate) -> ActiveServices {
        let key = date.daysSinceEpoch
        if let known = active.withLock({ $0[key] }) { return known }
        let made = calendar.active(on: date)
        active.withLock { kept in
            if kept.count >= Self.daysKept { kept = [:] }
            kept[key] = made
        }
        return made
    }

    private static let daysKept = 500

    /// The names of all stops, read on first use.
    var similarNames: SimilarNames {
        get throws {
            if let known = similar.withLock({ $0 }) { return known }
            let made = SimilarNames(
                try stops.all().map { ($0.number, [$0.name, $0.code ?? ""].joined(separator: " ")) })
            similar.withLock { $0 = made }
            return made
        }
    }

    // MARK: Opening

    private static func readMetadata(_ db: Database) throws -> [String: String] {
        guard try db.tableExists("metadata") else { return [:] }
        let rows = try Row.fetchAll(db, sql: "SELECT key, value FROM metadata")
        return Dictionary(
            rows.map { (String.fromDatabaseValue($0[0]) ?? "", String.fromDatabaseValue($0[1]) ?? "") },
            uniquingKeysWith: { first, _ in first })
    }

    /// The feeds of a timetable that Rutter wrote.
    private static func readOrigins(_ db: Database, file: String) throws -> [FeedOrigin] {
        guard try db.tableExists("feeds"),
            try Set(db.columns(in: "feeds").map(\.name)).isSuperset(
                of: ["feed", "prefix", "source", "timezone", "agencies"])
        else { return [] }
        let isDated = try Set(db.columns(in: "feeds").map(\.name)).isSuperset(
            of: ["valid_from", "valid_until"])
        let rows = try RawStatement(
            db,
            "SELECT prefix, source, timezone, agencies, \(isDated ? "valid_from, valid_until" : "NULL, NULL") "
                + "FROM feeds ORDER BY feed")
        var feeds: [FeedOrigin] = []
        while try rows.next() {
            let zone = rows.text(2) ?? ""
            guard TimeZone(databaseName: zone) != nil else {
                throw TransitErrors.zone("\(file): unknown time zone `\(zone)`")
            }
            feeds.append(
                FeedOrigin(
                    prefix: rows.text(0) ?? "", source: rows.text(1) ?? "", zone: zone,
                    agencies: (rows.text(3) ?? "").split(separator: "\n").map(String.init),
                    validFrom: rows.text(4).flatMap(CivilDate.init(text:)),
                    validUntil: rows.text(5).flatMap(CivilDate.init(text:))))
        }
        return feeds
    }

    private static func readRoutes(
        _ db: Database, _ origins: [FeedOrigin], _ translation: FeedTranslation?
    ) throws -> [Int64: Route] {
        let ids = try db.tableExists("dict_route")
        let columns = try db.columns(in: "routes").map(\.name)
        let color = columns.contains("route_color")
        let feed = origins.count > 1 && columns.contains("feed")
        let agency = columns.contains("agency_id") && columns.contains("agency_name")
        let zones = origins.map { TimeZone(databaseName: $0.zone) }
        let rows = try RawStatement(
            db,
            """
            SELECT r.rid, r.route_short_name, r.route_long_name, r.route_type, \(color ? "r.route_color" : "NULL"),
              \(ids ? "d.route_id" : "r.rid"), \(feed ? "r.feed" : "0"),
              \(agency ? "r.agency_id, r.agency_name" : "NULL, NULL") FROM routes r \(ids ? "LEFT JOIN dict_route d ON d.rid = r.rid" : "")
            """)
        var routes: [(Int64, Route)] = []
        while try rows.next() {
            let id = rows.text(5) ?? "\(rows.integer(0))"
            func name(_ field: String, _ text: String) -> String {
                text.isEmpty ? text : translation?.text("routes", field, of: id, text) ?? text
            }
            let (short, long) = (
                name("route_short_name", rows.text(1) ?? ""), name("route_long_name", rows.text(2) ?? "")
            )
            let agencyName = rows.text(8).map { name in
                translation?.text("agency", "agency_name", of: rows.text(7) ?? "", name) ?? name
            }
            let origin = Int(rows.integer(6)) - 1
            routes.append(
                (
                    rows.integer(0),
                    Route(
                        id: id, shortName: short, longName: long,
                        type: Int(rows.integer(3)), color: rows.text(4), rank: 0,
                        zone: zones.indices.contains(origin) ? zones[origin] : nil, feed: max(0, origin),
                        agencyID: rows.text(7), agency: agencyName)
                ))
        }
        routes.sort { left, right in
            let (a, b) = (left.1.name, right.1.name)
            return a == b ? left.0 < right.0 : NaturalOrder.precedes(a, b)
        }
        let agencies = Dictionary(grouping: routes.map(\.1), by: \.name).mapValues { Set($0.map(\.agency)) }
        for index in routes.indices {
            routes[index].1.rank = Int32(clamping: index)
            routes[index].1.isNamesake = (agencies[routes[index].1.name]?.count ?? 0) > 1
        }
        return Dictionary(routes, uniquingKeysWith: { first, _ in first })
    }

    private static func readCalendar(_ db: Database) throws -> ServiceCalendar {
        var calendar = ServiceCalendar()
        let weeks = try RawStatement(db, "SELECT service_id, days, start_date, end_date FROM calendar")
        while try weeks.next() {
            guard let service = weeks.bytes(0), let start = weeks.text(2).flatMap(CivilDate.init(text:)),
                let end = weeks.text(3).flatMap(CivilDate.init(text:))
            else { continue }
            calendar.add(
                week: ServiceCalendar.Week(days: Int(weeks.integer(1)), start: start, end: end), of: service)
        }
        let dates = try RawStatement(db, "SELECT service_id, date, exception_type FROM calendar_dates")
        while try dates.next() {
            guard let service = dates.bytes(0), let date = dates.text(1).flatMap(CivilDate.init(text:)) else {
                continue
            }
            calendar.add(exception: date, isAdded: dates.integer(2) == 1, of: service)
        }
        return calendar
    }

    private static func readLatest(
        _ db: Database, _ layout: FeedLayout, _ metadata: [String: String]
    ) throws -> Int {
        if let known = metadata[TransitSchema.Key.latest].flatMap({ Int($0) }) {
            return max(0, min(known, TransitSettings.latestTime))
        }
        let found = try Int.fetchOne(
            db,
            sql: """
                SELECT max(p.last_start_secs + c.departure_offset_secs) FROM \(layout.patterns) p
                  JOIN pattern_stops c ON c.pid = p.pid
                """)
        return max(0, min(found ?? 0, TransitSettings.latestTime))
    }
}
