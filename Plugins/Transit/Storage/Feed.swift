import CivilTime
import Foundation
import GRDB
import PluginKit
import Synchronization
import TrailStores

/// A timetable open for reading.
package final class Feed: Sendable {
    /// The name of its file.
    let name: String
    /// The tables and columns for queries.
    let layout: FeedLayout
    /// The zone of its times.
    package let zone: TimeZone
    /// Whether the file names it.
    let isZoneKnown: Bool
    /// The rows of `metadata`.
    let metadata: [String: String]
    /// The routes by their numbers.
    let routes: [Int64: Route]
    /// The greatest departure time of a service day, in seconds.
    let latest: Int
    /// Which services run when.
    let calendar: ServiceCalendar
    private let connection: StoreConnection
    private let active = Mutex<[Int: ActiveServices]>([:])
    private let names = Mutex<SimilarNames?>(nil)
    /// What journeys are searched in, and the runs of the days last asked about, forwards and backwards.
    let journeyNetwork = Mutex<JourneyNetwork?>(nil)
    let journeyDays = Mutex<[Bool: (key: JourneyDaysKey, days: JourneyDays)]>([:])
    /// The trips that the newest realtime message updates.
    let liveTrips = Mutex<(snapshot: RealtimeSnapshot, trips: [Int64: [Int]])?>(nil)

    /// A route as signs show it.
    struct Route: Sendable {
        var id: String
        var shortName: String
        var longName: String
        var type: Int
        var color: String?
        /// Its rank in the order of signs.
        var rank: Int32

        var name: String { shortName.isEmpty ? longName : shortName }
    }

    /// Opens a database; `fallback` is the zone if it names none.
    package init(_ url: URL, isOwn: Bool, fallback: TimeZone) throws {
        name = url.lastPathComponent
        connection = try StoreConnection(url, access: isOwn ? .ownReading : .foreign)
        let file = name
        do {
            // Not in a transaction: temporary tables are created.
            let facts = try connection.queue.inDatabase { db in
                let layout = try FeedLayout.prepare(db, file: file)
                let metadata = try Self.readMetadata(db)
                return (
                    layout, metadata, try Self.readRoutes(db), try Self.readCalendar(db),
                    try Self.readLatest(db, layout, metadata)
                )
            }
            (layout, metadata, routes, calendar, latest) = facts
        } catch {
            throw StoreErrors.wrap(error, path: file)
        }
        let named = metadata[TransitSchema.Key.timezone]
        if let named, TimeZone(identifier: named) == nil {
            throw TransitErrors.zone("\(file): unknown time zone `\(named)`")
        }
        isZoneKnown = named != nil
        zone = named.flatMap { TimeZone(identifier: $0) } ?? fallback
    }

    /// The moment that a written time means: by clocks at the stops where no offset is written; now without one.
    func moment(_ written: WrittenTime?, _ context: Context) -> Timestamp {
        written?.moment(now: context.clock.now, in: zone) ?? context.clock.now
    }

    /// Reads in one transaction.
    package func read<T>(_ body: (Database) throws -> T) throws -> T { try connection.read(body) }

    /// The services of a day; computed once.
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

    /// The names of all stops; read when a search first needs them.
    var similarNames: SimilarNames {
        get throws {
            if let known = names.withLock({ $0 }) { return known }
            let made = SimilarNames(
                try allStops().map { ($0.number, [$0.name, $0.code ?? ""].joined(separator: " ")) })
            names.withLock { $0 = made }
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

    private static func readRoutes(_ db: Database) throws -> [Int64: Route] {
        let ids = try db.tableExists("dict_route")
        let color = try db.columns(in: "routes").contains { $0.name == "route_color" }
        let rows = try RawStatement(
            db,
            """
            SELECT r.rid, r.route_short_name, r.route_long_name, r.route_type, \(color ? "r.route_color" : "NULL"),
              \(ids ? "d.route_id" : "r.rid") FROM routes r \(ids ? "LEFT JOIN dict_route d ON d.rid = r.rid" : "")
            """)
        var routes: [(Int64, Route)] = []
        while try rows.next() {
            let (short, long) = (rows.text(1) ?? "", rows.text(2) ?? "")
            routes.append(
                (
                    rows.integer(0),
                    Route(
                        id: rows.text(5) ?? "\(rows.integer(0))", shortName: short, longName: long,
                        type: Int(rows.integer(3)), color: rows.text(4), rank: 0)
                ))
        }
        routes.sort { left, right in
            let (a, b) = (left.1.name, right.1.name)
            return a == b ? left.0 < right.0 : RouteOrder.precedes(a, b)
        }
        for index in routes.indices { routes[index].1.rank = Int32(clamping: index) }
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
